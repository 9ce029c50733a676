import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holdBack, type Shown } from '../../portal/src/lists/held-back.ts'

const read = (pages: string[][], more: { key?: string; ownReads?: number } = {}) => ({
  ...{ key: 'open', ownReads: 0, pages },
  ...more,
})
const heldOf = (before: Shown | undefined, now: ReturnType<typeof read>) => [...holdBack(before, now).held]
const { shown } = holdBack(undefined, read([['c', 'b', 'a']]))

test('rows that come before those that are read are held back, and stay so until they are asked for', () => {
  const next = holdBack(shown, read([['e', 'c', 'd', 'b', 'a']]))
  assert.deepEqual([...next.held], ['e', 'd'])
  assert.deepEqual(heldOf(next.shown, read([['f', 'e', 'c', 'b', 'a']])), ['f', 'e'])
  assert.deepEqual(heldOf(undefined, read([['e', 'c', 'b', 'a']])), [])
})

test('rows at the end push nothing, nor do those of pages that are read on, and rows may go', () => {
  assert.deepEqual(heldOf(shown, read([['c', 'a', 'x']])), [])
  assert.deepEqual(
    heldOf(
      shown,
      read([
        ['c', 'b', 'a'],
        ['x', 'y'],
      ]),
    ),
    [],
  )
  assert.deepEqual(heldOf(shown, read([[]])), [])
})

test("another filter shows everything, and so does what the reader's own act brings", () => {
  assert.deepEqual(heldOf(shown, read([['z', 'c']], { key: 'late' })), [])
  assert.deepEqual(heldOf(shown, read([['z', 'c', 'b', 'a']], { ownReads: 1 })), [])
})
