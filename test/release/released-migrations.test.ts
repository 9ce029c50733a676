// Databases out there have run the migrations that were released: none of them is ever edited or removed, and
// none is added before the last of them. CONTRIBUTING.md, Migrations.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrationHashes, releasedHashes } from './migration-hashes.ts'

test('a migration that was released is as it was released', () => {
  const now = migrationHashes()
  for (const [name, hash] of Object.entries(releasedHashes()))
    assert.equal(now[name], hash, `${name} was released and is changed: write a new migration instead.`)
})

test('migrations that were not released come after those that were', () => {
  const released = Object.keys(releasedHashes())
  assert.deepEqual(Object.keys(migrationHashes()).slice(0, released.length), released)
})
