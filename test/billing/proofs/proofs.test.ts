// Proofs of transactions and schedules: they are derived again from frozen inputs, for everyone who may see
// them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDifferingTransactions, proveSchedule } from '../../../src/billing/proofs/prove-schedule.ts'
import { type Sql, sql, type Tx } from '../../../src/platform/database/db.ts'
import { countingStatements, withTampering as withTamperingIn } from '../../support/given-proofs.ts'
import { openRates } from '../../support/given-rates.ts'

const { world, clientId, carrierId, ...given } = await openRates()
const { admin, as, database } = world
const { card, charge, content, createApprovedVersion, rate, freight, goods, enter, close, reopen, made } =
  given
const { organisationId } = admin.actor

interface Raised {
  id: string
  amountExclTax: number
}

const cardId = await card()
await createApprovedVersion(
  cardId,
  content(
    rate([charge({ metric: 5, metricResolution: 2, rateExclTax: 12 }), charge({ rateExclTax: 0.35 })]),
    freight([charge({ metric: 1, rateExclTax: 80.08 })]),
  ),
)
await createApprovedVersion(
  await card(carrierId, 2),
  content(freight([charge({ metric: 1, rateExclTax: 61.61 })], 3)),
)

/** A Closed consignment with three charges of its client, one of its carrier and one ad hoc charge. */
async function billed(date: string): Promise<string> {
  const id = await goods([{ quantity: 584 }], { type: 0, status: 0 })
  await enter(id, 'client-activity', { metricValue: 3, chargeRateExclTax: 1.115 })
  assert.equal((await close(id, date)).status, 200)
  return id
}
const transactionsOf = (consignmentId: string) =>
  database.db.rows<Raised & { partnerId: string }>(sql`
    select id, amount_excl_tax, partner_id from schedule_transaction
    where consignment_id = ${consignmentId} order by amount_excl_tax, id`)
const proof = (id: string, by = admin) => by.get(`/v1/schedule-transactions/${id}/proof`)

const withTampering = <T>(statement: Sql, look: (tx: Tx) => Promise<T>) =>
  withTamperingIn(database, statement, look)

test('a transaction is proved by the rule, inputs and steps of its charge', async () => {
  const id = await billed('2026-03-31')
  const [rest, entered, pallets, cost, freightOut] = await transactionsOf(id)
  const { body } = await proof(rest?.id as string)
  assert.deepEqual(body.subject, { kind: 'scheduleTransaction', id: rest?.id, amountExclTax: 2.8 })
  assert.deepEqual([body.isFrozen, body.isVerified, body.derivedExclTax], [true, true, 2.8])
  assert.equal(body.rule.charge.rateExclTax, 0.35)
  assert.equal(body.steps.at(-1).to, '2.80')
  const byHand = (await proof(entered?.id as string)).body
  assert.deepEqual([byHand.isVerified, byHand.derivedExclTax, byHand.rule], [true, 3.35, null])
  assert.equal(byHand.inputs[0].source.kind, 'person')
  for (const one of [pallets, cost, freightOut])
    assert.equal((await proof(one?.id as string)).body.isVerified, true)
  assert.equal((await proof(id)).status, 404)
})

test('a proof names who entered a charge, and who closed, as they were called then', async () => {
  const id = await billed('2026-03-28')
  const namesOf = async () => {
    const told: (string | null)[] = []
    for (const { id: one } of await transactionsOf(id))
      for (const { source } of (await proof(one)).body.inputs) told.push(source?.by ?? null)
    return told
  }
  const before = await namesOf()
  assert.ok(before.includes('Ada Storekeeper'), JSON.stringify(before))
  const path = `/v1/users/${admin.actor.userId}`
  assert.equal((await admin.put(path, { fullName: 'Ada Married' })).status, 200)
  assert.deepEqual(await namesOf(), before)
  assert.equal((await admin.put(path, { fullName: 'Ada Storekeeper' })).status, 200)
})

test('a transaction voided by a reopening is proved by its own closing', async () => {
  const id = await billed('2026-03-30')
  const [rest] = await transactionsOf(id)
  assert.equal((await reopen(id)).status, 200)
  await createApprovedVersion(cardId, content(rate([charge({ rateExclTax: 5 })])), '2026-02-28')
  assert.equal((await close(id, '2026-03-30')).status, 200)
  const { body } = await proof(rest?.id as string)
  assert.deepEqual([body.isVerified, body.derivedExclTax], [true, 2.8])
})

test('partners can prove their own transactions by the rule that applied, and none of others', async () => {
  const id = await billed('2026-03-29')
  const [client, carrier] = [as(admin, { partnerId: clientId }), as(admin, { partnerId: carrierId })]
  for (const { id: transactionId, partnerId } of await transactionsOf(id)) {
    const [own, other] = partnerId === clientId ? [client, carrier] : [carrier, client]
    const { status, body } = await proof(transactionId, own)
    assert.deepEqual([status, body.isVerified, body.passedOver, body.resolution], [200, true, [], null])
    assert.equal((await proof(transactionId, other)).status, 404)
  }
  const scheduleId = await made('/v1/schedules', { partnerId: clientId, date: '2026-03-31' })
  assert.equal((await client.get(`/v1/schedules/${scheduleId}/proof`)).status, 200)
  assert.equal((await carrier.get(`/v1/schedules/${scheduleId}/proof`)).status, 404)
})

test('a schedule is proved by all of its transactions', async () => {
  for (const day of ['2026-04-01', '2026-04-02']) await billed(day)
  const scheduleId = await made('/v1/schedules', { partnerId: clientId, date: '2026-04-30' })
  const schedule = (await admin.get(`/v1/schedules/${scheduleId}`)).body
  const { body } = await admin.get(`/v1/schedules/${scheduleId}/proof`)
  const count = schedule.transactions.length
  assert.deepEqual(body, {
    ...{ transactions: count, verified: count, differing: [] },
    sumExclTax: schedule.amountExclTax,
  })
  assert.ok(count >= 4)
  assert.equal((await admin.get(`/v1/schedules/${clientId}/proof`)).status, 404)
  const carriers = await made('/v1/schedules', { partnerId: carrierId, date: '2026-04-30' })
  assert.deepEqual((await admin.get(`/v1/schedules/${carriers}/proof`)).body.differing, [])
})

test('the proof of a schedule names every transaction with a changed figure, charge or input', async () => {
  const id = await billed('2026-05-01')
  const scheduleId = await made('/v1/schedules', { partnerId: clientId, date: '2026-05-31' })
  const ofClient = (await transactionsOf(id)).filter(({ partnerId }) => partnerId === clientId)
  const [entered, computed] = ofClient as unknown as [Raised, Raised]
  const differing = (statement: Sql) =>
    withTampering(statement, tx => findDifferingTransactions(tx, organisationId, scheduleId))
  const ofTransaction = (change: Sql, transactionId: string) =>
    sql`update schedule_transaction set ${change} where id = ${transactionId}`
  for (const { id: transactionId } of [entered, computed])
    for (const change of [
      sql`amount_excl_tax = amount_excl_tax + 0.01`,
      sql`quantity = quantity + 1`,
      sql`charge_rate_excl_tax = charge_rate_excl_tax + 1`,
      sql`charge_application = 3 - charge_application`,
      sql`min_charge_excl_tax = 1`,
      sql`faf_percent = 0.5`,
    ])
      assert.deepEqual(await differing(ofTransaction(change, transactionId)), [transactionId])
  const frozen = await differing(
    sql`update charge_input set part_figures = regexp_replace(part_figures, '^[0-9.]+', '577')
      where consignment_id = ${id}`,
  )
  assert.ok(frozen.includes(computed.id) && !frozen.includes(entered.id))
  const unknown = await differing(
    sql`update charge_input set evaluator_version = 99 where consignment_id = ${id}`,
  )
  assert.ok(unknown.includes(computed.id), 'a bill of an unknown evaluator version is not proved')
  assert.deepEqual(await findDifferingTransactions(database.db, organisationId, scheduleId), [])
})

test('content that does not match its hash proves nothing', async () => {
  const other = await card(null)
  await createApprovedVersion(other, content(rate([charge({ rateExclTax: 1 })])))
  await admin.put(`/v1/rate-cards/${cardId}`, { status: 2 })
  const id = await goods([{ quantity: 7 }], { type: 0, status: 0 })
  await close(id, '2026-06-01')
  const scheduleId = await made('/v1/schedules', { partnerId: clientId, date: '2026-06-30' })
  const version = await database.db.row<{ id: string; text: string }>(
    sql`select id, content::text as text from rate_card_version where rate_card_id = ${other}`,
  )
  // Copied under another id, which is not cached.
  const changed = version.text.replace('"rateExclTax":1', '"rateExclTax": 1')
  assert.notEqual(changed, version.text)
  const found = await withTampering(
    sql`with copied as (
        insert into rate_card_version (organisation_id, id, rate_card_id, number, status, effective_from,
          content, content_sha256, approved_utc)
        select organisation_id, uuid_at(clock_timestamp()), rate_card_id, 99, status, effective_from,
          ${changed}, content_sha256, approved_utc
        from rate_card_version where id = ${version.id} returning id
      )
      update charge_input set client_version_id = copied.id from copied where consignment_id = ${id}`,
    tx => proveSchedule(tx, organisationId, scheduleId),
  )
  assert.deepEqual([found.transactions, found.verified, found.sumExclTax], [1, 0, 0])
  await admin.put(`/v1/rate-cards/${other}`, { status: 2 })
  await admin.put(`/v1/rate-cards/${cardId}`, { status: 1 })
})

test('the number of statements does not grow with the transactions', async () => {
  const counted = async (scheduleId: string) => {
    const { db, statements } = countingStatements(database.db)
    const { transactions } = await proveSchedule(db, organisationId, scheduleId)
    return { transactions, statements: statements() }
  }
  const schedules = []
  for (const [n, month] of [
    [2, '07'],
    [12, '08'],
  ] as const) {
    for (let i = 0; i < n; i++) await billed(`2026-${month}-01`)
    schedules.push(await made('/v1/schedules', { partnerId: clientId, date: `2026-${month}-28` }))
  }
  const [few, many] = [await counted(schedules[0] as string), await counted(schedules[1] as string)]
  assert.ok(many.transactions >= 4 * few.transactions)
  assert.equal(many.statements, few.statements)
})
