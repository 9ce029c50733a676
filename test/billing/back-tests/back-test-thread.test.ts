import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { runInThread } from '../../../src/billing/back-tests/back-test-thread.ts'
import { sql } from '../../../src/platform/database/db.ts'
import { openTestDatabase } from '../../support/harness.ts'

test('a back-test whose thread does not go on fails, so that it keeps no other one waiting', async () => {
  const { database } = await openTestDatabase()
  const { connection } = database
  const job = { connection, organisationId: randomUUID(), id: randomUUID(), leaseNumber: 1 }
  // The thread waits for this lock, and is given up long before it may stop waiting by itself.
  const end = await database.atomically(async tx => {
    await tx.run(sql`lock table rate_card_back_test`)
    return runInThread(job, new AbortController().signal, () => {}, 100)
  })
  assert.deepEqual(end, { kind: 'failed', message: 'The thread of the test hangs.', isTransient: false })
})
