// Requests back-tests of rate cards and runs them at once.

import assert from 'node:assert/strict'
import { pino } from 'pino'
import { runDueBackTest } from '../../src/billing/back-tests/run-back-tests.ts'
import type { Database } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/new-id.ts'
import type { Caller } from './harness.ts'

const path = '/v1/rate-card-back-tests'

/** The context of a worker that runs back-tests. */
export const backTestWorker = (database: Database, id = newId()) => ({
  database,
  log: pino({ level: 'silent' }),
  presence: { id, deadWorkers: () => [] },
})

/** Helpers that request, run and read the back-tests of an organisation. */
export function backTestsOf(database: Database, caller: Caller) {
  const requestBackTest = async (body: object): Promise<string> => {
    const response = await caller.post(path, { dateFrom: '2026-01-01', dateTo: '2026-12-31', ...body })
    assert.equal(response.status, 202, JSON.stringify(response.body))
    return response.body.rateCardBackTestId
  }
  const read = async (id: string) => (await caller.get(`${path}/${id}`)).body
  return {
    path,
    requestBackTest,
    read,
    /** Requests a back-test, runs it, and returns its result. */
    async runBackTest(body: object) {
      const id = await requestBackTest(body)
      while (await runDueBackTest(backTestWorker(database)));
      const test = await read(id)
      assert.equal(test.status, 3, JSON.stringify(test))
      const sumOf = (amount: string) =>
        test.rows
          .reduce((sum: number, row: Record<string, number>) => sum + Number(row[amount]), 0)
          .toFixed(2)
      const rowTotals = [sumOf('amountBefore'), sumOf('amountAfter')]
      assert.deepEqual(rowTotals, [test.totals.before.toFixed(2), test.totals.after.toFixed(2)])
      return test
    },
    differences: async (id: string) =>
      (await caller.get(`${path}/${id}/differences?PageSize=500`)).body.rateCardBackTestDifferences,
    adjust: (id: string) => caller.post(`${path}/${id}/adjust`),
    cancel: (id: string) => caller.delete(`${path}/${id}`),
  }
}
