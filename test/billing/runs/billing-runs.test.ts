// Billing runs: each period of a partner is billed once and for its own days, even after downtime.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runLease } from '../../../src/billing/runs/billing-run.ts'
import { closeCompleteConsignments } from '../../../src/billing/runs/close-complete-consignments.ts'
import { planRuns } from '../../../src/billing/runs/plan-runs.ts'
import { runNext } from '../../../src/billing/runs/run-billing.ts'
import { readRunRule } from '../../../src/billing/runs/run-rule.ts'
import { sql } from '../../../src/platform/database/db.ts'
import { newId } from '../../../src/platform/new-id.ts'
import { BillingRunStep } from '../../../src/vocabulary/billing.ts'
import { ConsignmentStatus } from '../../../src/vocabulary/consignments.ts'
import { PartnerStatus } from '../../../src/vocabulary/partners.ts'
import { type BillingRunView, billingOf } from '../../support/given-billing.ts'
import { checkMoneyAfterEach } from '../../support/given-charges.ts'
import { openWorld } from '../../support/harness.ts'

const world = await openWorld()
const { database } = world
checkMoneyAfterEach(database)
const fresh = async () => billingOf(world, await world.stranger())
const done = 3
const failed = 4
const spans = (runs: BillingRunView[]) => runs.map(({ periodFrom, periodTo }) => `${periodFrom} ${periodTo}`)
const statuses = (runs: BillingRunView[]) => runs.map(({ status }) => status)

interface Scheduled {
  id: string
  date: string
  referenceNumber: string
  description: string | null
  status: number
  amountExclTax: number
  transactions: { date: string; type: number; amountExclTax: number; particulars: string | null }[]
}
const datesOf = ({ transactions }: Scheduled) => transactions.map(({ date }) => date)
const amountsOf = ({ transactions }: Scheduled) => transactions.map(({ amountExclTax }) => amountExclTax)

test('a run closes Complete consignments, each dated by its work, and creates a schedule of the period', async () => {
  const { rule, enterTransaction, consignment, enter, bill, schedules, events, caller, transactionsOf } =
    await fresh()
  await rule({ referenceTemplate: 'INV {partnerCode} {periodTo}', descriptionTemplate: '{periodFrom} on' })
  await enterTransaction('2026-03-20')
  const [early, open] = [await consignment({ type: 0 }), await consignment({ status: 1 })]
  await enter(early, 'client-activity')
  const [run] = await bill('2026-04-02T00:00:00Z')
  assert.deepEqual(
    [run?.periodFrom, run?.periodTo, run?.status, run?.closedCount],
    ['2026-03-01', '2026-03-31', done, 1],
  )
  const [schedule] = (await schedules()) as Scheduled[]
  assert.deepEqual(run?.partnerScheduleIds, [schedule?.id])
  assert.deepEqual(
    [schedule?.date, schedule?.referenceNumber, schedule?.description, schedule?.status],
    ['2026-03-31', 'INV KAURI 2026-03-31', '2026-03-01 on', 1],
  )
  assert.deepEqual(datesOf(schedule as Scheduled), ['2026-03-01', '2026-03-20'])
  assert.equal((await transactionsOf(early))[0]?.date, '2026-03-01', 'the day of the work')
  assert.equal((await caller.get(`/v1/consignments/${open}`)).body.status, 1)
  assert.deepEqual(
    (await events(schedule?.id as string)).map(({ type }) => type),
    [201],
  )
})

test('after downtime, every missed period is billed for its own days', async () => {
  const { rule, enterTransaction, bill, schedules, runs } = await fresh()
  await rule()
  for (const date of ['2026-01-05', '2026-01-31', '2026-02-28', '2026-03-01']) await enterTransaction(date)
  await bill('2026-03-31T23:00:00Z')
  assert.deepEqual(spans(await runs()), [
    ...['2026-01-01 2026-01-31', '2026-02-01 2026-02-28', '2026-03-01 2026-03-31'],
  ])
  assert.deepEqual(((await schedules()) as Scheduled[]).map(datesOf), [
    ...[['2026-01-05', '2026-01-31'], ['2026-02-28'], ['2026-03-01']],
  ])
})

test('a run is due at its time and not before, and after its days of grace', async () => {
  const { rule, enterTransaction, plan, runs } = await fresh()
  await rule({ graceDays: 2, runAt: '06:00' })
  await enterTransaction('2026-01-05')
  // 06:00 of 3 February in Auckland.
  await plan('2026-02-02T16:59:59Z')
  assert.deepEqual(await runs(), [])
  await plan('2026-02-02T17:00:00Z')
  assert.deepEqual(spans(await runs()), ['2026-01-01 2026-01-31'])
})

test('a run waits until the last day is over in every warehouse with stock of the client, now or since its last run', async () => {
  for (const hasLeft of [false, true]) {
    const { rule, enterTransaction, plan, runs, made, caller } = await fresh()
    await made('/v1/warehouses', { name: 'Perth', code: 'PER', timezoneId: 'Australia/Perth' })
    const rows = [{ clientCode: 'KAURI', productCode: 'PLUM', locationName: 'A-01', quantity: 5 }]
    const opening = { operationId: crypto.randomUUID(), warehouseCode: 'PER', createLocations: true, rows }
    const { status, body } = await caller.post('/v1/inventory/opening-balances', opening)
    assert.equal(status, 200, JSON.stringify(body))
    if (hasLeft) {
      const { inventory } = (await caller.get('/v1/inventory')).body
      const { warehouseProductId } = inventory[0].products[0]
      const adjustments = [{ warehouseProductId, quantity: -5 }]
      const gone = await caller.post('/v1/inventory/adjust', { adjustments, reason: 'Sold' })
      assert.equal(gone.status, 200, JSON.stringify(gone.body))
    }
    await rule()
    await enterTransaction('2026-01-05')
    // 02:00 of 1 February in Auckland; in Perth it is 21:00 of the day before.
    await plan('2026-01-31T13:00:00Z')
    assert.deepEqual(await runs(), [])
    await plan('2026-01-31T16:00:00Z')
    assert.equal((await runs()).length, 1)
  }
})

test('each period is billed once, even if many workers plan and run at the same time', async () => {
  const { rule, enterTransaction, runs, schedules, context } = await fresh()
  await rule({ period: 1 })
  for (const date of ['2026-01-05', '2026-01-12', '2026-01-19', '2026-01-26']) await enterTransaction(date)
  const now = new Date('2026-02-02T00:00:00Z')
  await Promise.all(Array.from({ length: 4 }, () => planRuns(database, now)))
  const workers = Array.from({ length: 4 }, () => ({
    ...context,
    presence: { ...context.presence, id: newId() },
  }))
  while ((await Promise.all(workers.map(worker => runNext(worker)))).some(Boolean)) {}
  assert.deepEqual(statuses(await runs()), [done, done, done, done])
  assert.deepEqual(((await schedules()) as Scheduled[]).map(datesOf), [
    ...[['2026-01-05'], ['2026-01-12'], ['2026-01-19'], ['2026-01-26']],
  ])
})

test('a failed run shows why, delays only its own partner, and can be retried by hand', async () => {
  const { rule, enterTransaction, bill, runs, partner, caller, clientId, schedules, drain } = await fresh()
  const other = await partner('RIMU')
  await rule()
  await rule({}, other)
  await enterTransaction('2026-01-05')
  await enterTransaction('2026-02-05')
  await enterTransaction('2026-01-06', {}, other)
  assert.ok((await planRuns(database, new Date('2026-03-02T00:00:00Z'))) >= 3)
  await caller.put(`/v1/partners/${clientId}`, { status: PartnerStatus.Inactive })
  await drain()
  const [january, february] = await runs()
  assert.equal(january?.status, failed)
  assert.equal(january?.failure, 'partnerId refers to an inactive partner.')
  assert.equal(february?.status, 1, 'waits for January')
  assert.deepEqual(statuses(await runs(other)), [done, done])
  const { dueUtc } = (await caller.get(`/v1/billing-runs/${january?.id}`)).body
  const inMinutes = (Date.parse(dueUtc) - Date.now()) / 60_000
  assert.ok(inMinutes > 58 && inMinutes < 61, `${inMinutes}`)

  await caller.put(`/v1/partners/${clientId}`, { status: PartnerStatus.Active })
  assert.equal((await caller.post(`/v1/billing-runs/${january?.id}/retry`)).status, 200)
  assert.equal(
    (await caller.post(`/v1/billing-runs/${january?.id}/retry`)).status,
    304,
    'it is pending already',
  )
  await bill('2026-03-02T00:00:00Z')
  assert.deepEqual(statuses(await runs()), [done, done])
  assert.equal((await runs())[0]?.failure, null)
  assert.deepEqual(((await schedules()) as Scheduled[]).map(datesOf), [['2026-01-05'], ['2026-02-05']])
  const again = await caller.post(`/v1/billing-runs/${january?.id}/retry`)
  assert.deepEqual(
    [again.status, again.body.ErrorMessages],
    [...[400, ['The run is done: its period is billed.']]],
  )
})

test('the run of a crashed worker is taken over by another worker, and only by one', async () => {
  const { rule, enterTransaction, plan, abandon, runs, context, schedules } = await fresh()
  await rule()
  await enterTransaction('2026-01-05')
  await plan('2026-02-02T00:00:00Z')
  const claimed = await abandon()
  assert.equal(await runNext(context), false, 'the lease holds')
  assert.equal(await runLease.returnRowsOf(database, [newId()]), 0, 'a different worker has died')
  assert.equal(await runLease.returnRowsOf(database, [context.presence.id]), 1)
  assert.equal(await runNext({ ...context, presence: { ...context.presence, id: newId() } }), true)
  const [run] = await runs()
  assert.deepEqual([run?.id, run?.status], [claimed.id, done])
  assert.equal((await schedules()).length, 1)
})

test('a stopping service closes no further batch, and the worker that takes over closes the rest', async () => {
  const {
    rule,
    enterTransaction,
    plan,
    abandon,
    consignment,
    context,
    expireDelays,
    drain,
    caller,
    runs,
    clientId,
  } = await fresh()
  await rule()
  await enterTransaction('2026-03-20')
  const ids = [await consignment({ type: 0 }), await consignment({ type: 0 }), await consignment({ type: 0 })]
  await plan('2026-04-02T00:00:00Z')
  let run = await abandon()
  while (run.partnerId !== clientId) run = await abandon()
  const found = await readRunRule(database.db, run)
  const next = await closeCompleteConsignments(context, run, found, AbortSignal.abort(), 1)
  assert.equal(next, BillingRunStep.Close)
  const closed = async () =>
    (await Promise.all(ids.map(id => caller.get(`/v1/consignments/${id}`)))).filter(
      ({ body }) => body.status === ConsignmentStatus.Closed,
    ).length
  assert.equal(await closed(), 1)
  await expireDelays()
  await drain()
  assert.equal(await closed(), 3)
  assert.equal((await runs())[0]?.closedCount, 3)
})

test('transactions beyond the maximum of a schedule go on further ones, numbered', async () => {
  const { rule, enterTransaction, bill, schedules } = await fresh()
  await rule({ maxTransactions: 2 })
  for (const day of [9, 5, 7, 6, 8]) await enterTransaction(`2026-01-0${day}`)
  const [run] = await bill('2026-02-02T00:00:00Z')
  assert.equal(run?.partnerScheduleIds.length, 3)
  const made = (await schedules()) as Scheduled[]
  assert.deepEqual(
    made.map(({ referenceNumber }) => referenceNumber),
    ['KAURI-2026-01-31', 'KAURI-2026-01-31-2', 'KAURI-2026-01-31-3'],
  )
  assert.deepEqual(made.map(datesOf), [
    ...[['2026-01-05', '2026-01-06'], ['2026-01-07', '2026-01-08'], ['2026-01-09']],
  ])
  assert.deepEqual(
    made.map(({ amountExclTax }) => amountExclTax),
    [20, 20, 10],
  )
  assert.ok(made.every(({ date }) => date === '2026-01-31'))
})

test('a removed schedule of a run is made again by a retry, and does not stop the next period', async () => {
  const { rule, enterTransaction, bill, schedules, runs, caller, drain } = await fresh()
  await rule({ autoApprove: false })
  await enterTransaction('2026-01-05')
  const [run] = await bill('2026-02-02T00:00:00Z')
  const scheduleId = run?.partnerScheduleIds[0]
  assert.equal((await caller.delete(`/v1/schedules/${scheduleId}`)).status, 200)
  const unbundled = 5
  const [removed] = await runs()
  assert.deepEqual([removed?.status, removed?.step], [unbundled, 4])
  await drain()
  assert.equal((await runs())[0]?.status, unbundled, 'nobody retries it without being asked')
  const retry = () => caller.post(`/v1/billing-runs/${run?.id}/retry`)
  assert.equal((await retry()).status, 200)
  await drain()
  const [again] = (await schedules()) as Scheduled[]
  assert.deepEqual(
    [again?.referenceNumber, datesOf(again as Scheduled), statuses(await runs())],
    ['KAURI-2026-01-31', ['2026-01-05'], [done]],
  )
  assert.equal((await retry()).status, 400)
  assert.equal((await caller.delete(`/v1/schedules/${again?.id}`)).status, 200)
  await enterTransaction('2026-02-05')
  await bill('2026-03-02T00:00:00Z')
  assert.deepEqual(statuses(await runs()), [unbundled, done])
  assert.deepEqual(((await schedules()) as Scheduled[]).map(datesOf), [['2026-01-05', '2026-02-05']])
  assert.equal((await retry()).status, 200)
  await drain()
  assert.deepEqual(statuses(await runs()), [done, done])
  assert.equal((await schedules()).length, 1, 'there is nothing left to bill')
})

test('a reference number that is taken gets the next free ending', async () => {
  const { rule, enterTransaction, bill, schedules, caller, clientId } = await fresh()
  await rule({ maxTransactions: 1 })
  for (const referenceNumber of ['kauri-2026-01-31', 'KAURI-2026-01-31-3']) {
    await enterTransaction('2026-01-01')
    await caller.post('/v1/schedules', { partnerId: clientId, date: '2026-01-01', referenceNumber })
  }
  for (const day of [5, 6]) await enterTransaction(`2026-01-0${day}`)
  await bill('2026-02-02T00:00:00Z')
  assert.deepEqual(
    ((await schedules()) as Scheduled[]).slice(2).map(({ referenceNumber }) => referenceNumber),
    ['KAURI-2026-01-31-2', 'KAURI-2026-01-31-4'],
  )
})

test('with nothing to bill, there is no schedule and the run is done', async () => {
  const { rule, enterTransaction, bill, schedules } = await fresh()
  await rule()
  await enterTransaction('2026-01-31')
  const runs = await bill('2026-03-02T00:00:00Z')
  assert.deepEqual(statuses(runs), [done, done])
  assert.deepEqual(
    runs.map(({ partnerScheduleIds }) => partnerScheduleIds.length),
    [1, 0],
  )
  assert.equal((await schedules()).length, 1)
})

test('a transaction entered late goes on the next schedule and keeps its date', async () => {
  const { rule, enterTransaction, bill, schedules } = await fresh()
  await rule()
  await enterTransaction('2026-01-05')
  await bill('2026-02-02T00:00:00Z')
  await enterTransaction('2026-01-20')
  await enterTransaction('2026-02-20')
  await bill('2026-03-02T00:00:00Z')
  assert.deepEqual(((await schedules()) as Scheduled[]).map(datesOf), [
    ...[['2026-01-05'], ['2026-01-20', '2026-02-20']],
  ])
})

test('a rule that approves automatically results in Approved schedules', async () => {
  const { rule, enterTransaction, bill, schedules, events } = await fresh()
  await rule({ autoApprove: true, maxTransactions: 1 })
  await enterTransaction('2026-01-05')
  await enterTransaction('2026-01-06')
  const [run] = await bill('2026-02-02T00:00:00Z')
  assert.deepEqual([run?.status, run?.step], [done, 5])
  const made = (await schedules()) as Scheduled[]
  assert.deepEqual(
    made.map(({ status }) => status),
    [2, 2],
  )
  for (const { id } of made)
    assert.deepEqual(
      (await events(id)).map(({ type }) => type),
      [201, 204],
    )
})

test('the fees of the card and the difference to the minimum spend are charged once per period', async () => {
  const {
    rule,
    enterTransaction,
    bill,
    schedules,
    card,
    createApprovedVersion,
    rate,
    content,
    consignment,
    enter,
  } = await fresh()
  const fee = { metric: 1, application: 2, rateExclTax: 49.5, particulars: 'Account {from} to {to}' }
  const free = { metric: 1, application: 2, rateExclTax: 0 }
  await createApprovedVersion(await card(), {
    ...content(
      rate([fee, { ...fee, rateExclTax: 7 }], { name: 'Account fee', kind: 5 }),
      rate([free], { name: 'Licence', kind: 5 }),
    ),
    minimumSpendPerPeriod: 200,
  })
  await rule()
  await enterTransaction('2026-02-10', { chargeRateExclTax: 20 })
  await enter(await consignment({ type: 0 }), 'client-activity', { metricValue: 1, chargeRateExclTax: 30 })
  await enterTransaction('2026-03-10', { chargeRateExclTax: 500 })
  await bill('2026-04-02T00:00:00Z')
  const [february, march] = (await schedules()) as Scheduled[]
  // The consignment is of 1 March.
  assert.deepEqual(
    february?.transactions.map(({ date, type, amountExclTax, particulars }) => [
      ...[date, type, amountExclTax, particulars],
    ]),
    [
      ['2026-02-10', 0, 20, null],
      ['2026-02-28', 3, 49.5, 'Account 2026-02-01 to 2026-02-28'],
      ['2026-02-28', 3, 130.5, 'Minimum spend 200.00 from 2026-02-01 to 2026-02-28'],
    ],
  )
  assert.deepEqual(
    amountsOf(march as Scheduled).toSorted((a, b) => a - b),
    [30, 49.5, 500],
    'the minimum is reached',
  )
  assert.equal(february?.amountExclTax, 200)
})

test('consignments that cannot be closed because of unrated work are counted and do not stop the run', async () => {
  const { rule, enterTransaction, bill, goods, caller, schedules } = await fresh()
  await caller.put('/v1/organisation', { closingRequiresRates: true })
  const id = await goods([{ quantity: 8 }], { status: 0, type: 0 })
  await rule()
  await enterTransaction('2026-12-05')
  await enterTransaction('2026-01-05')
  const [run] = await bill('2026-04-02T00:00:00Z')
  const { closedCount, refusedCount, status } = run as BillingRunView
  assert.deepEqual({ closedCount, refusedCount, status }, { closedCount: 0, refusedCount: 0, status: done })
  const [, , march] = await bill('2026-04-02T00:00:00Z')
  assert.deepEqual([march?.status, march?.refusedCount], [done, 1])
  assert.equal((await caller.get(`/v1/consignments/${id}`)).body.status, 0)
  assert.equal((await schedules()).length, 1)
})

test('a carrier is billed by the rule of the organisation too, but the run does not close its consignments', async () => {
  const { rule, enterTransaction, bill, caller, carrierId, consignment, schedules } = await fresh()
  await rule({ closesComplete: false })
  await caller.put('/v1/organisation/billing-rule', { period: 4 })
  const id = await consignment({ type: 0 })
  await enterTransaction('2026-03-20', {}, carrierId)
  const [run] = await bill('2026-04-02T00:00:00Z', carrierId)
  assert.equal(run?.status, done)
  assert.equal((await caller.get(`/v1/consignments/${id}`)).body.status, 0)
  assert.equal((await schedules(carrierId)).length, 1)
})

test('the next period can be billed at once, up to a day that is over, but not twice', async () => {
  const { rule, enterTransaction, runs, caller, clientId, drain, partner } = await fresh()
  const ask = (body: object) => caller.post('/v1/billing-runs', { partnerId: clientId, ...body })
  const none = await ask({})
  assert.deepEqual(
    [none.status, none.body.ErrorMessages],
    [...[400, ['periodTo is required where the partner has no rule.']]],
  )
  await enterTransaction('2026-01-05')
  await rule()
  assert.equal((await ask({ periodTo: '2026-01-20' })).status, 201)
  const twice = await ask({ periodTo: '2026-01-20' })
  assert.deepEqual(
    [twice.status, twice.body.ErrorMessages],
    [...[409, ['The partner is billed up to 2026-01-20 already.']]],
  )
  assert.equal((await ask({})).status, 201, 'the rest of January, by the rule')
  await drain()
  assert.deepEqual(spans(await runs()), ['2026-01-01 2026-01-20', '2026-01-21 2026-01-31'])
  assert.deepEqual(statuses(await runs()), [done, done])
  assert.equal((await ask({ periodTo: '2199-01-01' })).status, 400)
  assert.equal((await ask({ periodTo: '9999-12-31' })).status, 400)
  assert.equal((await ask({ partnerId: newId(), periodTo: '2026-01-20' })).status, 400)
  const other = await partner('RIMU')
  const early = await ask({ partnerId: other, periodTo: '0206-01-20' })
  assert.deepEqual(
    [early.status, early.body.ErrorMessages],
    [...[400, ['periodTo must not be more than ten years ago.']]],
  )
  assert.equal((await ask({ partnerId: other, periodTo: '2026-01-20' })).status, 201, 'without a rule')
})

test('a transaction with a mistyped year is billed with the first period of the last ten years', async () => {
  const { rule, enterTransaction, bill, schedules } = await fresh()
  await rule()
  await enterTransaction('0206-01-05')
  await enterTransaction('2026-01-05')
  const runs = await bill('2026-02-02T00:00:00Z')
  assert.ok(runs.length <= 121, `${runs.length} runs`)
  const [first] = await schedules()
  assert.equal(Number(first?.date.slice(0, 4)), new Date().getUTCFullYear() - 10)
})

test('the database prevents overlapping periods of a partner', async () => {
  const { rule, enterTransaction, bill, clientId, caller } = await fresh()
  await rule()
  await enterTransaction('2026-01-05')
  await bill('2026-02-02T00:00:00Z')
  await assert.rejects(
    database.atomically(tx =>
      tx.run(sql`insert into billing_run (organisation_id, id, partner_id, period_from, period_to, due_utc)
        values (${caller.actor.organisationId}, ${newId()}, ${clientId}, '2026-01-31', '2026-02-03', now())`),
    ),
    /billing_run_apart/,
  )
})

test('what waits to be billed is listed by partner, with the next period and the latest schedule', async () => {
  const billing = await fresh()
  const partnerId = await billing.partner('WAITS')
  const find = async () => {
    const { body } = await billing.caller.get('/v1/billed-partners?SearchText=waits&PageSize=500')
    assert.equal(body.total, 1)
    return body.billedPartners[0]
  }
  const before = await find()
  assert.deepEqual(
    [
      before.pendingCount,
      before.pendingExclTax,
      before.completeCount,
      before.lastSchedule,
      before.nextPeriod,
    ],
    [0, 0, 0, null, null],
  )
  await billing.rule({ billsFrom: '2026-03-01' }, partnerId)
  await billing.enterTransaction('2026-03-05', { chargeRateExclTax: 12.5 }, partnerId)
  await billing.enterTransaction('2026-04-05', { chargeRateExclTax: 3 }, partnerId)
  const waiting = await find()
  assert.deepEqual([waiting.partner.code, waiting.pendingCount, waiting.pendingExclTax], ['WAITS', 2, 15.5])
  const { periods } = (await billing.caller.get(billing.rulePath(partnerId))).body
  assert.deepEqual(waiting.nextPeriod, periods[0])
  const id = await billing.made('/v1/schedules', { partnerId, date: '2026-03-31' })
  const { pendingExclTax, lastSchedule } = await find()
  assert.deepEqual(
    [pendingExclTax, lastSchedule],
    [3, { id, date: '2026-03-31', status: 1, amountExclTax: 12.5 }],
  )
})
