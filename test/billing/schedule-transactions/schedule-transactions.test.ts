// Schedule transactions: finding them, entering one without a consignment, and voiding it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Sql, sql } from '../../../src/platform/database/db.ts'
import { newId } from '../../../src/platform/new-id.ts'
import { PartnerStatus } from '../../../src/vocabulary/partners.ts'
import { openBilling } from '../../support/given-billing.ts'

const { world, clientId, carrierId, consignment, enter, close, enterTransaction, bill, rule, ...given } =
  await openBilling()
const { taxRateId, revenueAccountId, costCentreId, transactionsOf, made } = given
const { admin, as } = world
const list = '/v1/schedule-transactions'
const one = (id: string) => `${list}/${id}`
const setStatus = (id: string, status: number, reason?: string) =>
  admin.put(`${one(id)}/status`, { status, ...(reason === undefined ? {} : { reason }) })
const messages = async (answer: Promise<{ status: number; body: { ErrorMessages?: string[] } }>) => {
  const { status, body } = await answer
  return [status, ...(body?.ErrorMessages ?? [])]
}

/** A Closed consignment with one transaction of the client and one of the carrier. */
async function closed(date: string) {
  const id = await consignment()
  await enter(id, 'client-activity', { particulars: 'Wrapping' })
  await enter(id, 'carrier-freight', { particulars: 'Linehaul' })
  await close(id, date)
  const all = await transactionsOf(id)
  const of = (partnerId: string) => all.find(each => each.partnerId === partnerId)?.id as string
  return { id, ofClient: of(clientId), ofCarrier: of(carrierId) }
}

test('a transaction entered for a partner shows every field and goes on its next schedule', async () => {
  const id = await enterTransaction('2026-01-05', {
    ...{ chargeApplication: 1, metricValue: 2.5, chargeRateExclTax: 3.1, particulars: 'Recount' },
    ...{ revenueAccountId, costCentreId },
  })
  const { body } = await admin.get(one(id))
  const { partner, ...fields } = body
  assert.equal(partner.code, 'KAURI')
  assert.deepEqual(fields, {
    ...{ id, date: '2026-01-05', type: 0, status: 1, particulars: 'Recount', quantity: 2.5 },
    ...{ consignmentId: null, consignmentNumber: null, consignmentReferenceNumber: null },
    ...{ chargeTypeId: null, chargeTypeName: null, chargeTypeCode: null, activityCode: null, creditOf: null },
    ...{ activityName: null, warehouseName: null, revenueAccountId, revenueAccountCode: '200', costCentreId },
    ...{ costCentreCode: 'N', chargeRateExclTax: 3.1, baseChargeExclTax: null, minChargeExclTax: null },
    ...{ maxChargeExclTax: null, chargeApplication: 1, taxRateId, taxRateName: 'GST' },
    ...{ taxRatePercent: 15, amountExclTax: 7.75, partnerScheduleId: null, warehouseId: null },
    ...{ periodFrom: null, periodTo: null, adjusts: null, voidReason: null },
    ...{ credits: [], creditableExclTax: 7.75 },
  })
  const made = await admin.post('/v1/schedules', { partnerId: clientId, date: '2026-01-31' })
  assert.equal((await admin.get(one(id))).body.partnerScheduleId, made.body.partnerScheduleId)
  assert.deepEqual(await messages(setStatus(id, 3, 'Wrong')), [
    ...[400, 'The transaction is on a schedule; take it off first.'],
  ])
})

test('it needs a partner, a tax rate and, for a Rate, a metric value', async () => {
  const body = {
    partnerId: clientId,
    date: '2026-01-05',
    chargeApplication: 2,
    chargeRateExclTax: 1,
    taxRateId,
  }
  const post = (more: object) => messages(admin.post(list, { ...body, ...more }))
  assert.deepEqual(await post({ partnerId: newId() }), [400, 'partnerId does not refer to a partner.'])
  const gone = await made('/v1/partners', { name: 'Gone', code: 'GONE', relationship: 1 })
  assert.equal((await admin.put(`/v1/partners/${gone}`, { status: PartnerStatus.Inactive })).status, 200)
  assert.deepEqual(await post({ partnerId: gone }), [400, 'partnerId refers to an inactive partner.'])
  assert.deepEqual(await post({ taxRateId: newId() }), [404, 'Tax rate not found.'])
  assert.deepEqual(await post({ chargeApplication: 1 }), [400, 'metricValue is required for a rate.'])
})

test('a transaction without a consignment is voided for a reason and can be made Pending again', async () => {
  const id = await enterTransaction('2026-02-05')
  assert.deepEqual(await messages(setStatus(id, 3)), [400, 'reason is required for voiding.'])
  assert.deepEqual(await messages(setStatus(id, 3, 'Waived')), [200])
  assert.deepEqual(await messages(setStatus(id, 3, 'Again')), [304])
  const { body } = await admin.get(one(id))
  assert.deepEqual([body.status, body.voidReason], [3, 'Waived'])
  const nothing = { partnerId: clientId, date: '2026-02-28' }
  assert.equal((await admin.post('/v1/schedules', nothing)).status, 400, 'it is not billed')
  assert.deepEqual(await messages(setStatus(id, 1)), [200])
  assert.deepEqual((await admin.get(one(id))).body.voidReason, null)
  assert.equal((await admin.post('/v1/schedules', nothing)).status, 201)
})

test('a transaction of a consignment is voided only by reopening the consignment', async () => {
  const { ofClient } = await closed('2026-03-05')
  assert.deepEqual(await messages(setStatus(ofClient, 3, 'Wrong')), [
    ...[400, 'The transaction is of a consignment: reopening that voids it.'],
  ])
})

test('lists are filtered by each field, the latest date first', async () => {
  const { id, ofClient, ofCarrier } = await closed('2026-04-05')
  const own = await enterTransaction('2026-04-20', { particulars: 'Special sorting' })
  const found = async (query: string, caller = admin) =>
    (await caller.get(`${list}?${query}&PageSize=500`)).body.scheduleTransactions.map(
      (t: { id: string }) => t.id,
    )
  const april = 'DateFrom=2026-04-01&DateTo=2026-04-30'
  assert.deepEqual((await found(april)).length, 3)
  assert.equal((await found(april))[0], own)
  assert.deepEqual(await found(`${april}&PartnerId=${carrierId}`), [ofCarrier])
  assert.deepEqual(new Set(await found(`ConsignmentId=${id}`)), new Set([ofClient, ofCarrier]))
  assert.deepEqual(await found('SearchText=special SORT'), [own])
  assert.deepEqual(await found(`${april}&Status=3`), [])
  assert.deepEqual(await found(`${april}&Type=1`), [])
  assert.equal((await found(`${april}&Type=0`)).length, 3)
  assert.deepEqual(await found(`${april}&WarehouseId=${newId()}`), [])
})

test('users of a partner see only its own transactions', async () => {
  const { ofClient, ofCarrier } = await closed('2026-05-05')
  const [client, carrier] = [as(admin, { partnerId: clientId }), as(admin, { partnerId: carrierId })]
  assert.deepEqual(
    [(await client.get(one(ofClient))).status, (await client.get(one(ofCarrier))).status],
    [200, 404],
  )
  assert.deepEqual(
    [(await carrier.get(one(ofCarrier))).status, (await carrier.get(one(ofClient))).status],
    [200, 404],
  )
  const { scheduleTransactions } = (await carrier.get(`${list}?PageSize=500`)).body
  assert.ok(scheduleTransactions.length > 0)
  assert.ok(scheduleTransactions.every((t: { partner: { id: string } }) => t.partner.id === carrierId))
  const entering = {
    partnerId: clientId,
    date: '2026-05-05',
    chargeApplication: 2,
    chargeRateExclTax: 1,
    taxRateId,
  }
  assert.equal((await client.post(list, entering)).status, 403)
  assert.equal((await client.put(`${one(ofClient)}/status`, { status: 3, reason: 'No' })).status, 403)
})

test('a fee that a run raised can be voided before it is billed', async () => {
  await rule()
  const waived = await enterTransaction('2026-06-05')
  await setStatus(waived, 3, 'Waived')
  const runs = await bill('2026-07-02T00:00:00Z')
  assert.ok(runs.length > 0)
  assert.equal((await admin.get(one(waived))).body.partnerScheduleId, null)
})

test('foreign keys of transactions and charges refer to existing records', async () => {
  const { organisationId } = admin.actor
  const id = await consignment()
  const isRefused = (statement: Sql) =>
    assert.rejects(
      world.database.atomically(tx => tx.run(statement)),
      { code: '23503' },
    )
  const transaction = { partner_id: clientId, tax_rate_id: taxRateId, revenue_account_id: null }
  for (const names of [
    { ...transaction, partner_id: id },
    { ...transaction, tax_rate_id: id },
    { ...transaction, revenue_account_id: id },
  ])
    await isRefused(sql`
      insert into schedule_transaction (organisation_id, id, partner_id, date, type, quantity,
        charge_rate_excl_tax, charge_application, tax_rate_id, tax_rate_name, tax_rate_percent,
        amount_excl_tax, revenue_account_id)
      values (${organisationId}, ${newId()}, ${names.partner_id}, '2026-01-01', 0, 1, 1, 1,
        ${names.tax_rate_id}, 'GST', 15, 1, ${names.revenue_account_id})`)
  await isRefused(sql`
    insert into consignment_charge (organisation_id, id, consignment_id, partner_id, charge_type,
      charge_application, metric_value, charge_rate, tax_rate_id, tax_rate_percent, amount_excl_tax)
    values (${organisationId}, ${newId()}, ${clientId}, ${clientId}, 1, 1, 1, 1, ${taxRateId}, 15, 1)`)
})
