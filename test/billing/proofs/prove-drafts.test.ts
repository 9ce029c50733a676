// Draft schedules are proved in the background, and whoever bills is told of one that differs.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { proveNextDraft } from '../../../src/billing/proofs/prove-drafts.ts'
import { type Sql, sql } from '../../../src/platform/database/db.ts'
import { openRates } from '../../support/given-rates.ts'

const { world, clientId, carrierId, goods, enter, close, made } = await openRates()
const { admin, as, database } = world
const { organisationId } = admin.actor

const consignmentId = await goods([{ quantity: 584 }], { type: 0, status: 0 })
await enter(consignmentId, 'client-activity', { metricValue: 3, chargeRateExclTax: 1.115 })
assert.equal((await close(consignmentId, '2026-05-01')).status, 200)
const scheduleId = await made('/v1/schedules', { partnerId: clientId, date: '2026-05-31' })

const change = (statement: Sql, isTampering = false) =>
  database.atomically(async tx => {
    if (isTampering) await tx.run(sql`set local session_replication_role = replica`)
    await tx.run(statement)
  })
const raise = (amount: number) =>
  change(
    sql`update schedule_transaction set amount_excl_tax = amount_excl_tax + ${amount}
      where organisation_id = ${organisationId} and partner_schedule_id = ${scheduleId}`,
    true,
  )

/** Proves all Drafts that are due after this many minutes, and returns how many there were. */
async function prove(minutes = 0): Promise<number> {
  await change(sql`update schedule_proof set proved_utc = proved_utc - make_interval(mins => ${minutes})`)
  let n = 0
  while (await proveNextDraft({ database, log: pino({ level: 'silent' }) })) n++
  return n
}

async function told(caller = admin) {
  const { body } = await caller.get('/v1/attention')
  return body.items.find(({ kind }: { kind: string }) => kind === 'schedulesDiffer')
}

test('a Draft is proved once a day, and one that differs is told until it does not any more', async () => {
  assert.equal(await prove(), 1)
  assert.equal(await told(), undefined)
  await raise(1)
  assert.equal(await prove(60), 0, 'it was proved within the day')
  assert.equal(await prove(24 * 60), 1)
  const item = await told()
  assert.deepEqual([item?.n, item?.text, item?.path], [1, '1 schedule differs from its proof', '/schedules'])
  assert.match(item?.sample, /, 2026-05-31$/)
  const approval = await admin.put(`/v1/schedules/${scheduleId}/status`, { status: 2 })
  assert.equal(approval.status, 400)
  for (const partnerId of [clientId, carrierId]) assert.equal(await told(as(admin, { partnerId })), undefined)
  assert.equal(await told(as(admin, { scopes: ['consignment.read'] })), undefined)
  await raise(-1)
  assert.equal(await prove(5), 0)
  assert.equal(await prove(10), 1, 'one that differs is proved again soon')
  assert.equal(await told(), undefined)
})

test('the proof of a Draft that is removed goes with it', async () => {
  assert.equal((await admin.delete(`/v1/schedules/${scheduleId}`)).status, 200)
  assert.equal(await prove(48 * 60), 0)
})
