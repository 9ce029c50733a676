// Two workers run billing, and the one that executes a step is killed in the middle of it, for each step.
// Every period is billed exactly once, and an uncommitted step leaves nothing behind.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { BillingRunStep } from '../../src/vocabulary/billing.ts'
import { openBilling } from '../support/given-billing.ts'
import { holdLocks, openWorkers } from '../support/killed-workers.ts'
import { until } from '../support/service-process.ts'

const {
  world,
  clientId,
  rule,
  enterTransaction,
  consignment,
  enter,
  card,
  createApprovedVersion,
  rate,
  content,
  runs,
  caller,
} = await openBilling()
const { db } = world.database
const steps = Object.values(BillingRunStep)

/** The key of the lock for which the first run waits at the end of a step, before it commits. */
const keyOf = (step: number) => 880_000 + step

/** Makes each step of the first period wait before its commit while the test holds the lock of the step. */
const holdSteps = () =>
  holdLocks(world.databaseUrl, steps.map(keyOf), client =>
    client.query(`
      create function hold_step() returns trigger language plpgsql set lock_timeout = 0 as $$
      begin
        perform pg_advisory_xact_lock(${keyOf(0)} + old.step);
        return new;
      end $$;
      create trigger hold_step before update on billing_run for each row
        when (old.period_from = '2026-03-01' and (new.step <> old.step or new.status = 3))
        execute function hold_step()`),
  )

test('every period is billed once, even if a worker is killed in each step', async t => {
  await createApprovedVersion(await card(), {
    ...content(rate([{ metric: 1, application: 2, rateExclTax: 49.5 }], { name: 'Account fee', kind: 5 })),
    minimumSpendPerPeriod: 500,
  })
  await enterTransaction('2026-03-01')
  await enterTransaction('2026-04-10')
  for (let n = 0; n < 3; n++) await enter(await consignment({ type: 0 }), 'client-activity')
  await rule({ autoApprove: true, maxTransactions: 2 })
  const locks = await holdSteps()
  const workers = await openWorkers(world)
  await workers.start()
  await workers.start()
  for (const step of steps) {
    const message = `No worker reached the end of step ${step}.`
    await workers.kill(await until(() => locks.waiting(keyOf(step)), message, 300_000))
    await locks.release(keyOf(step))
    await workers.start()
  }
  let all = await runs()
  await until(
    async () => {
      all = await runs()
      return all.every(({ status }) => status === 3)
    },
    () => `Not everything is billed: ${JSON.stringify(all)}`,
    90_000,
  )
  t.diagnostic(`${all.length} periods, ${workers.started()} workers`)
  assert.deepEqual([all[0]?.closedCount, all[0]?.failure], [3, null])
  const transactions = await db.rows<{ n: number; fees: number }>(sql`
    select period_from, count(*)::integer as n, count(rate_charge_id)::integer as fees
    from schedule_transaction where partner_id = ${clientId} and billing_run_id is not null
    group by period_from`)
  assert.equal(transactions.length, all.length, 'each period has its fee')
  assert.ok(transactions.every(({ n, fees }) => fees === 1 && n === 2))
  const { pending } = await db.row<{ pending: number }>(sql`
    select count(*)::integer as pending from schedule_transaction
    where partner_id = ${clientId} and status <> 2`)
  assert.equal(pending, 0, 'every transaction is on a schedule')
  const schedules = await db.rows<{ id: string; billingRunId: string; amount: number; events: number[] }>(sql`
    select s.id, s.billing_run_id, s.amount_excl_tax as amount, array(
      select e.type from event e where e.organisation_id = s.organisation_id and e.subject_id = s.id
      order by e.type) as events
    from partner_schedule s where s.partner_id = ${clientId} and s.status = 2`)
  assert.ok(schedules.every(({ events }) => events.join() === '201,204'))
  for (const { id, partnerScheduleIds, periodFrom } of all) {
    const created = schedules.filter(({ billingRunId }) => billingRunId === id)
    assert.deepEqual(new Set(created.map(schedule => schedule.id)), new Set(partnerScheduleIds))
    const sum = created.reduce((total, { amount }) => total + amount, 0)
    assert.equal(sum, 500, `the minimum of the period from ${periodFrom}`)
  }
  assert.equal(all[0]?.partnerScheduleIds.length, 3, 'six transactions')
  assert.equal((await caller.get('/v1/billing-runs?Status=4')).body.total, 0)
})
