import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../src/platform/new-id.ts'

test('ids are uuids of version 7, each greater than the one before', () => {
  const ids = Array.from({ length: 50_000 }, newId)
  assert.deepEqual(ids.toSorted(), ids)
  assert.equal(new Set(ids).size, ids.length)
  assert.ok(ids.every(id => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)))
  const milliseconds = Number.parseInt((ids[0] as string).replaceAll('-', '').slice(0, 12), 16)
  assert.ok(Math.abs(milliseconds - Date.now()) < 60_000)
})
