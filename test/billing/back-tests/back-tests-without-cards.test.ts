// Back-tests of consignments that were Closed before there were rate cards, and of others that no card
// charged.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backfillBatch } from '../../../src/billing/charges/backfill-inputs.ts'
import { raiseScheduleTransactions } from '../../../src/billing/schedules/schedule-transaction.ts'
import { sql } from '../../../src/platform/database/db.ts'
import { backTestsOf, backTestWorker } from '../../support/given-back-tests.ts'
import { openRates } from '../../support/given-rates.ts'

const { world, ...given } = await openRates()
const { admin, database } = world
const { card, charge, content, createApprovedVersion, rate, goods, enter, close } = given
const { runBackTest, adjust, differences } = backTestsOf(database, admin)

/**
 * Creates a consignment as an earlier version of the service left it: Closed, with its entered charges
 * billed.
 */
async function closedEarlier(): Promise<string> {
  const id = await goods([{ quantity: 8 }], { type: 0, status: 0, carrierId: null })
  await enter(id, 'client-activity')
  await database.atomically(async tx => {
    await raiseScheduleTransactions(tx, admin.actor.organisationId, [id], '2026-01-31')
    await tx.run(sql`update consignment set status = 6, closed_transaction_date = '2026-01-31'
      where id = ${id}`)
  })
  return id
}

const earlier = await closedEarlier()

test('consignments without frozen inputs are left out and counted', async () => {
  const { notFrozenCount, consignmentCount } = await runBackTest({ content: content(rate([charge()])) })
  assert.deepEqual([notFrozenCount, consignmentCount], [1, 0])
  const before = await runBackTest({ content: content(rate([charge()])), dateTo: '2026-03-01' })
  assert.equal(before.notFrozenCount, 0, 'the one there is was of 2 March')
  await backfillBatch(backTestWorker(database))
  const after = await runBackTest({ content: content(rate([charge()])) })
  assert.deepEqual([after.notFrozenCount, after.consignmentCount], [0, 1])
})

test('charges entered for consignments without a card are shown separately, and are in no total', async () => {
  const later = await goods([{ quantity: 3 }], { type: 0, status: 0, carrierId: null })
  assert.equal((await close(later)).status, 200)
  const { withoutCard, totals, control } = await runBackTest({ content: content(rate([charge()])) })
  assert.deepEqual(withoutCard, { count: 2, byHandExclTax: 21 })
  assert.deepEqual(totals, { before: 0, after: 11, difference: 11 })
  assert.deepEqual(control, { checked: 2, differing: 0 })
})

test('consignments Closed before rate cards existed are billed by what was entered, and not adjusted', async () => {
  const version = await createApprovedVersion(await card(), content(rate([charge({ rateExclTax: 2 })])))
  const { id } = await runBackTest({ rateCardVersionId: version })
  assert.equal((await differences(id)).length, 2)
  const { body } = await adjust(id)
  assert.deepEqual(
    [
      body.raised,
      body.skipped.map((one: { consignmentId: string; reason: number }) => [one.consignmentId, one.reason]),
    ],
    [1, [[earlier, 3]]],
  )
})
