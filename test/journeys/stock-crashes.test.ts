// Kills the service and the database under a mixed load on stock, and sends everything again afterwards:
// acknowledged operations are in the ledger, and every operation took effect once.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { preparedDataDir } from '../support/processes.ts'
import { tortureStock } from '../support/stock-crashes.ts'

test('stock survives kills of the service and the database, and every repeated operation takes effect once', async t => {
  const { operations, served, kills, unanswered, ...rest } = await tortureStock({
    ...{ dataDir: await preparedDataDir(), workers: 16, killEvery: 3_000 },
    isOver: (operations, { service, database }) => operations >= 500 && service >= 2 && database >= 2,
  })
  t.diagnostic(JSON.stringify({ operations, served, kills, unanswered, unavailable: rest.unavailable }))
  assert.ok(served > 0, 'some operations succeeded')
  const { differences, faults, failures, deadlocksShown } = rest
  assert.deepEqual(
    { differences, faults, failures, deadlocksShown },
    {
      ...{ differences: [], faults: [], failures: {}, deadlocksShown: 0 },
    },
  )
})
