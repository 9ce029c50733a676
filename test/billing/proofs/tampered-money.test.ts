// The check of money sees whatever is changed behind the service's back: any figure of money of an organisation
// with bills of every kind, or it stands below with the reason why nothing can tell it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proveMoney } from '../../../src/billing/proofs/check-money.ts'
import { ConsignmentStatus } from '../../../src/vocabulary/consignments.ts'
import { backTestsOf } from '../../support/given-back-tests.ts'
import { openBilling } from '../../support/given-billing.ts'
import { figuresOf, silentFigures } from '../../support/tampering.ts'

/**
 * The tables that money is in. Those of back-tests are none: a back-test is a trial that is deleted after 30
 * days, and what was adjusted by it is compared with what it found.
 */
const tables = [
  ...['charge_input', 'undone_closing', 'consignment_charge', 'schedule_transaction', 'partner_schedule'],
  ...['partner_schedule_tax', 'storage_account', 'storage_run', 'storage_run_version', 'billing_rule'],
  ...['billing_run', 'rate_card_version', 'tax_rate', 'faf_profile_rate'],
]

const series = 'a number of a series: any other is as good'
const setUp = 'what somebody chose for later; what was charged by it is frozen'
const progress = 'how the work of a run went; nothing is made of it'

/** The figures that nothing can tell. */
const untold: Record<string, string> = {
  'billing_rule.max_transactions': setUp,
  'faf_profile_rate.faf_percent': setUp,
  'tax_rate.percent': setUp,
  'rate_card_version.number': series,
  'billing_run.lease_number': progress,
  'billing_run.failed_attempts': progress,
  'billing_run.closed_count': progress,
  'billing_run.refused_count': progress,
}

const { world, ...given } = await openBilling()
const { admin, database } = world
const { organisationId } = admin.actor
const { runBackTest, adjust } = backTestsOf(database, admin)

/** Agrees on prices with the client and the carrier, of every kind. */
async function agree() {
  const fafProfileId = await given.made('/v1/faf-profiles', { name: 'Fuel' })
  const effectiveFromUtc = '2020-01-01T00:00:00Z'
  await given.made(`/v1/faf-profiles/${fafProfileId}/rates`, { fafPercent: 0.125, effectiveFromUtc })
  const limits = { baseExclTax: 1, minExclTax: 2, maxExclTax: 9_000 }
  const storage = { storage: { count: 1, method: 1 } }
  const prices = (each: number) => ({
    ...given.content(
      given.rate([given.charge({ ...limits, rateExclTax: each })]),
      given.freight([given.charge({ metric: 3, rateExclTax: 0.3 })]),
      given.rate([given.charge({ ...limits, ...storage, rateExclTax: 0.1 })], { kind: 4, basis: 2 }),
      given.rate([{ application: 2, metric: 1, rateExclTax: 5 }], { kind: 5 }),
    ),
    ...{ fafProfileId, minimumSpendPerPeriod: 500 },
  })
  const cardId = await given.card()
  await given.createApprovedVersion(cardId, prices(1))
  const carriers = await given.card(given.carrierId, 2)
  const cost = given.freight([given.charge({ metric: 3, rateExclTax: 0.2 })], 3)
  await given.createApprovedVersion(carriers, { ...given.content(cost), fafProfileId })
  await admin.put(`/v1/partners/${given.clientId}`, { freightWarningType: 1, freightWarningThreshold: 3 })
  return { cardId, prices }
}

/** Goods lie in the warehouse from a day on. */
async function store(quantity: number, occurredUtc: string) {
  const answer = await admin.post('/v1/inventory/adjust', {
    adjustments: [
      {
        ...{ partnerProductId: given.productId, warehouseId: given.warehouseId, quantity },
        locationName: 'A-01',
      },
    ],
    ...{ reason: 'Found', occurredUtc },
  })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
}

/** Work that is charged by every rate, closed in a month. */
async function work(day: string, quantity: number): Promise<string> {
  const id = await given.goods(
    [{ quantity, weightKG: quantity * 3, volumeM3: quantity / 50 }, { quantity: 7 }],
    {
      ...{ status: ConsignmentStatus.Complete, tasks: 2 },
    },
  )
  await given.enter(id, 'client-activity', {
    minChargeExclTax: 1,
    baseChargeExclTax: 2,
    maxChargeExclTax: 50,
  })
  const closed = await given.close(id, day)
  assert.equal(closed.status, 200, JSON.stringify(closed.body))
  return id
}

async function bill() {
  const { cardId, prices } = await agree()
  await given.made(`/v1/warehouses/${given.warehouseId}/locations`, { name: 'A-01', type: 1 })
  await given.rule({ autoApprove: true, billsFrom: '2026-08-01' })
  await store(10, '2026-08-03T22:00:00Z')
  const reopened = await work('2026-08-10', 4)
  assert.equal((await given.reopen(reopened)).status, 200)
  await work('2026-08-12', 20)
  await given.bill('2026-09-03T00:00:00Z')
  // Late work and late knowledge of stock correct what August was billed.
  await store(3, '2026-08-20T22:00:00Z')
  await given.enterTransaction('2026-08-25', { chargeRateExclTax: 60 })
  await work('2026-09-12', 30)
  await given.bill('2026-10-03T00:00:00Z')
  const [first] = await given.schedules()
  type Billed = { id: string; quantity: number; amountExclTax: number }
  const many = first.transactions.filter((one: Billed) => one.quantity > 4 && one.amountExclTax > 5)
  const [credited, other] = many as [Billed, Billed]
  for (const credit of [
    { creditOf: credited.id, quantity: 1 },
    { creditOf: credited.id, quantity: 2 },
    { creditOf: other.id, amountExclTax: 1 },
  ]) {
    const answer = await admin.post('/v1/schedule-transactions', credit)
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
  }
  const later = await given.createApprovedVersion(cardId, prices(2), '2020-02-01')
  const { id } = await runBackTest({
    ...{ dateFrom: '2026-01-01', dateTo: '2026-12-31', rateCardVersionId: later },
  })
  assert.equal((await adjust(id)).status, 200)
}

test('a figure of money that is changed behind the back of the service is told', async t => {
  await bill()
  assert.deepEqual((await proveMoney(database.db)).differences, [])
  const figures = (await figuresOf(database, new RegExp(`^(${tables.join('|')})$`))).filter(
    name => !(name in untold),
  )
  const { silent, absent } = await silentFigures(
    database,
    organisationId,
    figures,
    async tx => (await proveMoney(tx, { organisationId })).differences.length > 0,
  )
  t.diagnostic(`${figures.length} figures`)
  assert.deepEqual(silent, [], 'the check of money does not see these figures')
  assert.deepEqual(absent, [], 'the organisation has none of these figures')
})
