// Service and database die under a mixed load on stock; everything is sent again afterwards. Promises: what
// was answered is in the ledger, and every operation had its effect once.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { preparedDataDir } from '../support/processes.ts'
import { tortureStock } from '../support/stock-crashes.ts'

test('stock survives a service and a database that are killed, and every operation sent again is one', async t => {
  const { operations, served, kills, unanswered, ...wrong } = await tortureStock({
    ...{ dataDir: await preparedDataDir(), workers: 16, killEvery: 3_000 },
    isOver: (operations, { service, database }) => operations >= 500 && service >= 2 && database >= 2,
  })
  t.diagnostic(JSON.stringify({ operations, served, kills, unanswered, unavailable: wrong.unavailable }))
  assert.ok(served > 0, 'something was done')
  const { differences, faults, failures, deadlocksShown } = wrong
  assert.deepEqual(
    { differences, faults, failures, deadlocksShown },
    {
      ...{ differences: [], faults: [], failures: {}, deadlocksShown: 0 },
    },
  )
})
