// Kills the worker that bills storage at several points within that step, in several warehouses and periods,
// with goods that are recorded late in between. Each period is billed once, and the results are the same as
// for a client whose runs are not disturbed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { TransactionType } from '../../src/vocabulary/stock.ts'
import { openStorage, type StockChange } from '../support/given-storage.ts'
import { holdLocks, openWorkers } from '../support/killed-workers.ts'
import { until } from '../support/service-process.ts'

const world = await openStorage()
const { database, admin, made, locations, client, charge, rate, approveRates, postChanges, run } = world
const { db } = database

/** The first days of five months, from four months ago to this one. Goods arrive in the first month. */
const months = [4, 3, 2, 1, 0].map(back => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 10)
}) as [string, string, string, string, string]
const [first, second, third] = months

/** Returns a local time on a day of a month. */
const at = (month: string, day: number) => `${month.slice(0, 8)}${String(day).padStart(2, '0')}T11:00`

const dayBefore = (date: string): string => new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10)

/** The warehouses, each with a location. */
const places = [
  { warehouseId: world.warehouseId, warehouseLocationId: locations.A1 },
  ...(await Promise.all(
    ['Australia/Perth', 'Australia/Lord_Howe'].map(async (timezoneId, n) => {
      const warehouseId = await made('/v1/warehouses', { name: timezoneId, code: `W${n}`, timezoneId })
      const body = { name: 'P-01', type: 1 }
      return { warehouseId, warehouseLocationId: await made(`/v1/warehouses/${warehouseId}/locations`, body) }
    }),
  )),
]
const storages = [
  rate(charge({ count: 3 }, { rateExclTax: 0.35 })),
  rate(charge({ method: 4, receiptsCharged: 2 }, { rateExclTax: 2, minExclTax: 5 })),
]

/** Creates a client with goods in every warehouse that is billed monthly, and helpers for its goods. */
async function storedClient(code: string) {
  const { partnerId, productId } = await client(code)
  await approveRates(partnerId, '2020-01-01', ...storages)
  // Adjustments, because receipts and dispatches belong to consignments.
  const postAdjustments = (...changes: StockChange[]) =>
    postChanges(
      database,
      changes.map(change => ({ ...change, type: TransactionType.Adjustment })),
      { partnerId, productId, receivedDate: first },
    )
  for (const [n, place] of places.entries())
    await postAdjustments(
      { at: at(first, 3), quantity: 20 + n, to: place },
      { at: at(first, 20), quantity: 5, from: place },
      { at: at(second, 10), quantity: 7, to: place },
      { at: at(third, 12), quantity: 3, from: place },
    )
  const rule = { period: 4, graceDays: 0, autoApprove: true }
  const charge10 = { chargeApplication: 2, chargeRateExclTax: 10, taxRateId: world.taxRateId }
  const date = first
  assert.equal((await admin.post('/v1/schedule-transactions', { ...charge10, partnerId, date })).status, 201)
  return {
    partnerId,
    postAdjustments,
    bill: () => admin.put(`/v1/partners/${partnerId}/billing-rule`, rule),
    /** Records goods now that arrived in the first month. */
    recordLate: () => postAdjustments({ at: at(first, 25), quantity: 4, to: places[1] ?? {} }),
    runs: async () =>
      (await admin.get(`/v1/billing-runs?PartnerId=${partnerId}&PageSize=500`)).body.billingRuns as {
        periodFrom: string
        status: number
        failure: string | null
      }[],
    /** Sums the amounts of each rule, warehouse and period, including corrections. */
    sums: async () =>
      (
        await db.rows<{ key: string; amount: number; quantity: number }>(sql`
          select concat_ws(' ', t.charge_rate_excl_tax, t.warehouse_id, t.period_from, t.period_to) as key,
            sum(t.amount_excl_tax) as amount, sum(t.quantity) as quantity
          from schedule_transaction t
          where t.partner_id = ${partnerId} and t.storage_run_id is not null and t.period_from < ${months[3]}
          group by 1 order by 1`)
      ).map(row => Object.values(row).join(' ')),
  }
}

const disturbed = await storedClient('KILLED')
const calm = await storedClient('CALM')
const [auckland, perth, lordHowe] = places.map(({ warehouseId }) => warehouseId) as [string, string, string]

/** The points at which the run of the disturbed client waits: table, trigger event and condition. */
const pauses = [
  ['storage_account', 'before insert', `new.warehouse_id = '${auckland}'`],
  ['storage_run', 'after insert', `new.warehouse_id = '${perth}' and new.period_from = '${first}'`],
  [
    ...['schedule_transaction', 'after insert'],
    `new.warehouse_id = '${lordHowe}' and new.period_from = '${first}'`,
  ],
  ['billing_run', 'before update', `old.period_from = '${first}' and old.step = 2 and new.step = 3`],
  ['storage_run', 'before insert', `new.warehouse_id = '${auckland}' and new.period_from = '${second}'`],
  [
    ...['storage_account', 'after update'],
    `new.warehouse_id = '${perth}' and new.billed_through >= '${second}'::date + 27`,
  ],
  ['schedule_transaction', 'after insert', `new.adjusts is not null`],
] as const
const keyOf = (pause: number) => 890_000 + pause

/** Makes the run of the disturbed client wait at each point while the test holds its lock. */
const holdPauses = () =>
  holdLocks(world.databaseUrl, [...pauses.keys()].map(keyOf), async client => {
    await client.query(`
      create function hold_pause() returns trigger language plpgsql set lock_timeout = 0 as $$
      begin
        perform pg_advisory_xact_lock(tg_argv[0]::integer);
        return new;
      end $$`)
    for (const [n, [table, when, condition]] of pauses.entries()) {
      const owner = table.startsWith('storage') ? 'client_id' : 'partner_id'
      await client.query(`
        create trigger hold_pause_${n} ${when} on ${table} for each row
          when (new.${owner} = '${disturbed.partnerId}' and ${condition})
          execute function hold_pause(${keyOf(n)})`)
    }
  })

test('storage of every period and warehouse is billed once, even if workers are killed within that step', async t => {
  const locks = await holdPauses()
  const workers = await openWorkers(world)
  for (const { bill } of [disturbed, calm]) assert.equal((await bill()).status, 200)
  await workers.start()
  await workers.start()
  for (const [n, pause] of pauses.entries()) {
    let lastRuns: unknown
    const message = () => `No worker reached ${pause.join(' ')}. ${JSON.stringify(lastRuns)}`
    const waiting = async () => {
      lastRuns = await disturbed.runs()
      return locks.waiting(keyOf(n))
    }
    await workers.kill(await until(waiting, message, 300_000))
    // The transaction that corrects the first month has begun, and does not see these goods.
    if (n === 5) for (const { recordLate } of [disturbed, calm]) await recordLate()
    await locks.release(keyOf(n))
    await workers.start()
  }
  const runs = async () => [...(await disturbed.runs()), ...(await calm.runs())]
  await until(
    async () => (await runs()).every(({ status }) => status === 3),
    'Not everything is billed.',
    90_000,
  )
  t.diagnostic(
    `${(await runs()).length} periods, ${workers.started()} workers, killed at ${pauses.length} places`,
  )
  assert.deepEqual(
    (await runs()).filter(({ failure }) => failure !== null),
    [],
  )
  const periods = await db.rows<{ n: number }>(sql`
    select count(*)::integer as n from storage_run
    where client_id = ${disturbed.partnerId} and period_from is not null
    group by warehouse_id, period_from`)
  assert.ok(periods.length >= 3 * places.length)
  assert.ok(periods.every(({ n }) => n === 1))
  // If a period was billed before these goods were recorded, the next run corrects it.
  const period = [third, dayBefore(months[3])] as const
  for (const { partnerId } of [disturbed, calm])
    for (const { warehouseId } of places) await run(partnerId, ...period, { warehouseId })
  const sums = await disturbed.sums()
  assert.equal(sums.length, 2 * 3 * places.length)
  assert.deepEqual(sums, await calm.sums())
  const { open } = await db.row<{ open: number }>(sql`
    select count(*)::integer as open from schedule_transaction t
    left join partner_schedule s on s.organisation_id = t.organisation_id and s.id = t.partner_schedule_id
    where t.partner_id = ${disturbed.partnerId} and s.status is distinct from 2`)
  assert.equal(open, 0, 'everything is on an Approved schedule')
})
