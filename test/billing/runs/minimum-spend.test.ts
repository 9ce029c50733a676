// The minimum spend of a period counts all work dated in it, whenever that is billed, and no goodwill.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDifferingTransactions } from '../../../src/billing/proofs/prove-schedule.ts'
import { sql } from '../../../src/platform/database/db.ts'
import { billingOf } from '../../support/given-billing.ts'
import { checkMoneyAfterEach } from '../../support/given-charges.ts'
import { rulesBrokenBy, withTampering } from '../../support/given-proofs.ts'
import { openWorld } from '../../support/harness.ts'

const world = await openWorld()
const { database } = world
checkMoneyAfterEach(database)

interface Line {
  id: string
  date: string
  amountExclTax: number
  particulars: string | null
}

/** The billing of a client with a minimum spend of 200.00 a month. */
async function fresh() {
  const billing = await billingOf(world, await world.stranger())
  const { card, createApprovedVersion, content, schedules, rule, enterTransaction, bill } = billing
  await createApprovedVersion(await card(), { ...content(), minimumSpendPerPeriod: 200 })
  await rule()
  const lines = async () =>
    (await schedules()).map(({ transactions }: { transactions: Line[] }) =>
      transactions.map(({ date, amountExclTax }): [string, number] => [date, amountExclTax]),
    )
  return {
    ...billing,
    lines,
    spend: (date: string, chargeRateExclTax: number) => enterTransaction(date, { chargeRateExclTax }),
    until: (month: string) => bill(`2026-${month}-02T00:00:00Z`),
  }
}

test('work that is billed late counts in its own period, whose top-up is adjusted by as much', async () => {
  const { spend, until, lines, caller, schedules } = await fresh()
  await spend('2026-01-10', 100)
  await until('02')
  await spend('2026-01-20', 40)
  await spend('2026-02-10', 300)
  await until('03')
  assert.deepEqual(await lines(), [
    [
      ['2026-01-10', 100],
      ['2026-01-31', 100],
    ],
    [
      ['2026-01-20', 40],
      ['2026-02-10', 300],
      ['2026-02-28', -40],
    ],
  ])
  const [january, february] = await schedules()
  const topUp = january.transactions.at(-1)
  const adjustment = february.transactions.at(-1)
  assert.equal(
    adjustment.particulars,
    'Minimum spend 200.00 from 2026-01-01 to 2026-01-31 after later work: 140.00 was spent',
  )
  const transaction = (await caller.get(`/v1/schedule-transactions/${adjustment.id}`)).body
  assert.deepEqual(
    [transaction.adjusts, transaction.periodFrom, transaction.periodTo],
    [topUp.id, '2026-01-01', '2026-01-31'],
  )
  const proof = (await caller.get(`/v1/schedule-transactions/${adjustment.id}/proof`)).body
  assert.deepEqual([proof.derivedExclTax, proof.isVerified], [-40, true])
  assert.deepEqual(proof.steps, [
    { name: 'min', from: '200.00', operation: '− 140.00, at least 0', to: '60.00' },
    { name: 'amount', from: '60.00', operation: '− 100.00', to: '-40.00' },
  ])
})

test('a top-up and its adjustment are on the account of the minimum spend, as accounting programs need', async () => {
  const caller = await world.stranger()
  const billing = await billingOf(world, caller)
  const { card, createApprovedVersion, content, schedules, rule, enterTransaction, bill } = billing
  const { revenueAccountId: minimumSpendRevenueAccountId } = billing
  await createApprovedVersion(await card(), {
    ...{ ...content(), minimumSpendPerPeriod: 200, minimumSpendRevenueAccountId },
  })
  await rule()
  await enterTransaction('2026-01-10', { chargeRateExclTax: 100 })
  await bill('2026-02-02T00:00:00Z')
  await enterTransaction('2026-01-20', { chargeRateExclTax: 40 })
  await enterTransaction('2026-02-10', { chargeRateExclTax: 300 })
  await bill('2026-03-02T00:00:00Z')
  const ofMinimum = (await schedules()).flatMap(({ transactions }) =>
    transactions
      .filter(({ particulars }: Line) => particulars?.startsWith('Minimum spend'))
      .map((line: Line & { revenueAccountId: string; revenueAccountCode: string }) => [
        ...[line.amountExclTax, line.revenueAccountId, line.revenueAccountCode],
      ]),
  )
  assert.deepEqual(ofMinimum, [
    [100, minimumSpendRevenueAccountId, '200'],
    [-40, minimumSpendRevenueAccountId, '200'],
  ])
})

test('a top-up is adjusted again and again, but never below none, and nothing is adjusted without later work', async () => {
  const { spend, until, lines } = await fresh()
  await spend('2026-01-10', 150)
  await until('02')
  await spend('2026-01-20', 20)
  await until('03')
  await spend('2026-01-21', 500)
  await until('04')
  await until('05')
  const adjustments = (await lines()).map(one =>
    one.filter(([, amount]) => amount < 0).map(([, amount]) => amount),
  )
  assert.deepEqual(adjustments, [[], [-20], [-30], []])
  const sums = (await lines()).map(one => one.reduce((sum, [, n]) => sum + n, 0))
  assert.deepEqual(sums, [200, 200, 670, 200])
})

test('goodwill is not eaten by the minimum spend', async () => {
  const { spend, until, lines, caller } = await fresh()
  const id = await spend('2026-01-10', 150)
  await spend('2026-01-11', -45)
  const credit = { creditOf: id, amountExclTax: 10, date: '2026-01-12' }
  assert.equal((await caller.post('/v1/schedule-transactions', credit)).status, 201)
  await until('02')
  assert.deepEqual(await lines(), [
    [
      ['2026-01-10', 150],
      ['2026-01-11', -45],
      ['2026-01-12', -10],
      ['2026-01-31', 50],
    ],
  ])
})

test('a waived top-up is not adjusted, and a waived adjustment is not made again', async () => {
  const { spend, until, lines, caller, schedules } = await fresh()
  const waive = async (id: string) => {
    const { status, body } = await caller.put(`/v1/schedule-transactions/${id}/status`, {
      ...{ status: 3, reason: 'Waived' },
    })
    assert.equal(status, 200, JSON.stringify(body))
  }
  const waiveLast = async () => {
    const last = (await schedules()).at(-1)
    const { id } = last.transactions.at(-1)
    await caller.post(`/v1/schedules/${last.id}/transactions/remove`, { transactionIds: [id] })
    await waive(id)
  }
  await spend('2026-01-10', 150)
  await until('02')
  await waiveLast()
  await spend('2026-01-20', 20)
  await spend('2026-02-01', 150)
  await until('03')
  await spend('2026-02-02', 30)
  await spend('2026-03-02', 300)
  await until('04')
  await waiveLast()
  await spend('2026-04-02', 300)
  await until('05')
  assert.deepEqual(await lines(), [
    [['2026-01-10', 150]],
    [
      ['2026-01-20', 20],
      ['2026-02-01', 150],
      ['2026-02-28', 50],
    ],
    [
      ['2026-02-02', 30],
      ['2026-03-02', 300],
    ],
    [['2026-04-02', 300]],
  ])
})

test('check-money and approval find a wrong adjustment', async () => {
  const { spend, until, schedules, caller } = await fresh()
  await spend('2026-01-10', 100)
  await until('02')
  await spend('2026-01-20', 40)
  await until('03')
  const february = (await schedules())[1]
  const { id } = february.transactions.find(({ amountExclTax }: Line) => amountExclTax === -40)
  const rule = 'A fee follows from its rule, and a minimum-spend transaction from the spend of its period.'
  for (const statement of [
    sql`update schedule_transaction set amount_excl_tax = -41, charge_rate_excl_tax = -41 where id = ${id}`,
    sql`update schedule_transaction set spent_excl_tax = 150 where id = ${id}`,
    sql`update schedule_transaction set charge_rate_excl_tax = -1 where id = ${id}`,
  ]) {
    assert.ok((await rulesBrokenBy(database, statement)).includes(rule))
    const differing = await withTampering(database, statement, tx =>
      findDifferingTransactions(tx, caller.actor.organisationId, february.id),
    )
    assert.deepEqual(differing, [id])
  }
})
