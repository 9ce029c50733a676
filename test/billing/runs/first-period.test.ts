// The first period of a partner: where it begins, with a rule and without one, and what is before it.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { addDays } from '../../../src/billing/runs/billing-period.ts'
import { sql } from '../../../src/platform/database/db.ts'
import { type BillingRunView, billingOf } from '../../support/given-billing.ts'
import { checkMoneyAfterEach } from '../../support/given-charges.ts'
import { openWorld } from '../../support/harness.ts'

const world = await openWorld()
const { database } = world
checkMoneyAfterEach(database)
const fresh = async () => billingOf(world, await world.stranger())
type Billing = Awaited<ReturnType<typeof fresh>>

const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Auckland' }).format(new Date())
const firstDay = (month: string) => `${month.slice(0, 7)}-01`
const spans = (runs: BillingRunView[]) => runs.map(({ periodFrom, periodTo }) => `${periodFrom} ${periodTo}`)
const firstPeriodFrom = async ({ caller, rulePath, clientId }: Billing) =>
  (await caller.get(rulePath(clientId))).body.firstPeriodFrom

/** Puts goods into the warehouse at noon of a day. */
async function store({ caller }: Billing, date: string): Promise<void> {
  const rows = [{ clientCode: 'KAURI', productCode: 'PLUM', locationName: 'A-01', quantity: 5 }]
  const opening = {
    ...{ operationId: randomUUID(), warehouseCode: 'AKL', createLocations: true, rows },
    occurredUtc: `${date}T00:00:00Z`,
  }
  const { status, body } = await caller.post('/v1/inventory/opening-balances', opening)
  assert.equal(status, 200, JSON.stringify(body))
}

test('the first period is the whole calendar period of the earliest work: entered, Complete, or in store', async () => {
  const entered = await fresh()
  await entered.enterTransaction('2026-03-20')
  await entered.rule({ dayOfMonth: 25 })
  assert.equal(await firstPeriodFrom(entered), '2026-02-26')
  await entered.consignment({ type: 0 })
  assert.equal(await firstPeriodFrom(entered), '2026-02-26', 'a Complete consignment of 1 March')
  await entered.rule({ dayOfMonth: null, closesComplete: false })
  assert.equal(await firstPeriodFrom(entered), '2026-03-01')

  const complete = await fresh()
  await complete.consignment({ type: 0 })
  await complete.rule({ period: 1 })
  assert.equal(await firstPeriodFrom(complete), '2026-02-23', 'the week of 1 March')
  await complete.rule({ closesComplete: false, period: 1 })
  assert.ok(
    (await firstPeriodFrom(complete)) > addDays(today, -7),
    'nothing that a run bills: the week of today',
  )

  const stored = await fresh()
  const since = addDays(today, -70)
  await store(stored, since)
  await stored.rule()
  assert.equal(await firstPeriodFrom(stored), firstDay(since))
  await stored.rule({ raisesStorage: false })
  assert.equal(await firstPeriodFrom(stored), firstDay(today))
})

test('billsFrom begins the first period, until there is a run', async () => {
  const billing = await fresh()
  const { rule, enterTransaction, bill, caller, rulePath, clientId } = billing
  await enterTransaction('2026-01-05')
  await rule({ billsFrom: '2026-02-10' })
  assert.equal(await firstPeriodFrom(billing), '2026-02-10')
  const refused = await caller.post('/v1/billing-runs', { partnerId: clientId, periodTo: '2026-02-09' })
  assert.deepEqual(
    [refused.status, refused.body.ErrorMessages],
    [400, ['periodTo must not be before billsFrom of the rule.']],
  )
  const [run] = await bill('2026-03-02T00:00:00Z')
  assert.deepEqual(spans([run as BillingRunView]), ['2026-02-10 2026-02-28'])
  await rule({ billsFrom: '2026-01-01' })
  assert.equal(await firstPeriodFrom(billing), '2026-02-10')
  assert.equal((await caller.get(rulePath(clientId))).body.periods[0].periodFrom, '2026-03-01')
  const early = await caller.put(rulePath(clientId), { billsFrom: '1999-01-01' })
  assert.deepEqual(early.body.ErrorMessages, ['billsFrom must not be more than ten years ago.'])
})

test('a run by periodTo bills the whole month of the earliest work, not one day of it', async () => {
  const { enterTransaction, caller, clientId, drain, runs, partner } = await fresh()
  await enterTransaction('2026-01-05')
  await enterTransaction('2026-01-31')
  assert.equal(
    (await caller.post('/v1/billing-runs', { partnerId: clientId, periodTo: '2026-01-31' })).status,
    201,
  )
  await drain()
  assert.deepEqual(spans(await runs()), ['2026-01-01 2026-01-31'])
  const other = await partner('RIMU')
  assert.equal(
    (await caller.post('/v1/billing-runs', { partnerId: other, periodTo: '2026-02-10' })).status,
    201,
  )
  await drain()
  assert.deepEqual(spans(await runs(other)), ['2026-02-01 2026-02-10'], 'nothing is known of it')
})

test('days in store before the first period are unbilled work', async () => {
  const billing = await fresh()
  const { rule, caller, card, createApprovedVersion, rate, content } = billing
  const charge = { metric: 2, application: 1, rateExclTax: 0.1, storage: { count: 1, method: 1 } }
  await createApprovedVersion(await card(), content(rate([charge], { name: 'Storage', kind: 4, basis: 2 })))
  await store(billing, addDays(today, -40))
  const unbilledDays = async () =>
    (await caller.post('/v1/reports/unbilled-work', { kind: 5 })).body.map(
      ({ date, dateTo, reason, suggestion }: Record<string, string>) => ({
        date,
        dateTo,
        reason,
        suggestion,
      }),
    )
  await rule()
  assert.deepEqual(await unbilledDays(), [], 'the first run will bill all of them')
  await rule({ billsFrom: addDays(today, -10) })
  assert.deepEqual(await unbilledDays(), [
    {
      date: addDays(today, -40),
      dateTo: addDays(today, -11),
      reason: 'These days are before the first billing period, so no run bills them.',
      suggestion: 'Set billsFrom of the billing rule to the first of these days, or charge them by hand.',
    },
  ])
})

test("the organisation's rule is removed, and its periods that are over are still billed", async () => {
  const { caller, enterTransaction, bill, rulePath, clientId } = await fresh()
  const path = '/v1/organisation/billing-rule'
  assert.equal((await caller.delete(path)).status, 404)
  await caller.put(path, { period: 4 })
  await database.atomically(tx =>
    tx.run(sql`update billing_rule set counts_from = '2026-01-01'
      where organisation_id = ${caller.actor.organisationId}`),
  )
  await enterTransaction('2026-01-05')
  assert.equal((await caller.delete(path)).status, 200)
  assert.equal((await caller.delete(path)).status, 404)
  for (const rule of [path, rulePath(clientId)]) assert.equal((await caller.get(rule)).status, 404)
  const runs = await bill('2026-02-02T00:00:00Z')
  assert.deepEqual(spans(runs), ['2026-01-01 2026-01-31'])
})
