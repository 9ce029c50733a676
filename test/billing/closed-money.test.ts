// The amounts of a Closed consignment never change, even if the records behind them do: every response about
// them stays the same byte for byte. The database schema refuses changes of the frozen data.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { openRates } from '../support/given-rates.ts'

const { world, clientId, carrierId, warehouseId, ...given } = await openRates()
const { admin, as, database } = world
const {
  card,
  charge,
  content,
  createApprovedVersion,
  draft,
  approve,
  rate,
  freight,
  goods,
  enter,
  close,
  charges,
  made,
} = given
const { productId, taxRateId, activityTypeId } = given

const done = async (method: 'put' | 'post' | 'delete', path: string, body: object = {}) => {
  const answer = await admin[method](path, body)
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

const localityId = await made('/v1/localities', {
  ...{ name: 'Waikato', areas: [{ country: 'NZ', postcodeFrom: '3200', postcodeTo: '3999' }] },
})
const fafProfileId = await made('/v1/faf-profiles', { name: 'Fuel' })
const fafRow = (fafPercent: number, effectiveFromUtc: string, more: object = {}) =>
  made(`/v1/faf-profiles/${fafProfileId}/rates`, { fafPercent, effectiveFromUtc, ...more })
await fafRow(0.1, '2020-01-01T00:00:00Z')
const cards = { client: await card(), carrier: await card(carrierId, 2) }
const toLocality = { destinationLocalityIds: [localityId] }
const versionId = await createApprovedVersion(cards.client, {
  ...content(
    rate([charge({ metric: 5, metricResolution: 2, rateExclTax: 12 }), charge({ rateExclTax: 0.35 })]),
    rate([charge({ metric: 3, rateExclTax: 0.01, minExclTax: 5 })]),
    freight([charge({ metric: 1, rateExclTax: 100, when: toLocality })]),
    freight([charge({ metric: 4, rateExclTax: 50 })]),
  ),
  fafProfileId,
})
await createApprovedVersion(cards.carrier, {
  ...content(freight([charge({ metric: 1, rateExclTax: 61 })], 3)),
  fafProfileId,
})

const id = await goods([{ quantity: 584 }], { type: 0, status: 0, to: { country: 'NZ', postCode: '3204' } })
await enter(id, 'client-activity')
assert.equal((await close(id, '2026-03-31')).status, 200)
const schedules = [clientId, carrierId].map(partnerId => ({ partnerId, date: '2026-03-31' }))
const scheduleIds: string[] = []
for (const body of schedules) scheduleIds.push(await made('/v1/schedules', body))

/** Reads every response about its amounts, for the organisation and its partners, as bytes by path. */
async function readEverything(): Promise<Record<string, string>> {
  const root = `/v1/consignments/${id}/charges`
  const current = await charges(id)
  const listed = [
    current.clientActivityCharges,
    current.clientFreightCharges,
    current.carrierFreightCharges,
  ].flat()
  const raised = await database.db.rows<{ id: string }>(
    sql`select id from schedule_transaction where consignment_id = ${id} order by id`,
  )
  const paths = [
    ...[root, `${root}/explanation`],
    ...listed.map((charge: { id: string }) => `${root}/${charge.id}/proof`),
    ...raised.map(transaction => `/v1/schedule-transactions/${transaction.id}/proof`),
    ...scheduleIds.flatMap(scheduleId => [
      `/v1/schedules/${scheduleId}`,
      `/v1/schedules/${scheduleId}/proof`,
    ]),
  ]
  const callers = [admin, as(admin, { partnerId: clientId }), as(admin, { partnerId: carrierId })]
  const answers = await Promise.all(
    callers.flatMap((caller, callerIndex) =>
      paths.map(async path => {
        const { status, bytes } = await caller.get(path)
        return [`${callerIndex} ${path}`, status === 200 ? bytes.toString() : String(status)] as const
      }),
    ),
  )
  return Object.fromEntries(answers)
}

const before = await readEverything()

/** The later changes, made one after the other. */
const laterChanges: Record<string, () => Promise<unknown>> = {
  'a version of an earlier date': () =>
    createApprovedVersion(cards.client, content(rate([charge({ rateExclTax: 99 })])), '2020-06-01'),
  "a version of the carrier's card": () =>
    createApprovedVersion(cards.carrier, content(freight([charge({ metric: 1 })], 3)), '2020-06-01'),
  'a draft': () => draft(cards.client, content(rate([charge({ rateExclTax: 1 })])), '2026-01-01'),
  'another weight, volume and unit of the product': () =>
    done('put', `/v1/partners/${clientId}/products/${productId}`, {
      ...{ weightKG: 77, volumeM3: 3, unitConversions: [] },
    }),
  'an FAF rate from before the work': () => fafRow(0.9, '2020-02-01T00:00:00Z'),
  'an FAF rate of the carrier': () => fafRow(0.8, '2020-02-01T00:00:00Z', { carrierId }),
  'another area of the locality': () =>
    done('put', `/v1/localities/${localityId}`, { areas: [{ country: 'AU', states: ['VIC'] }] }),
  'an exclusion': async () => {
    const [first] = (await charges(id)).clientActivityCharges
    assert.equal(
      (await admin.put(`/v1/consignments/${id}/charges/${first.id}`, { isIncluded: false })).status,
      400,
    )
    await database.atomically(tx =>
      tx.run(sql`insert into charge_exclusion (organisation_id, consignment_id, rate_charge_id, part_key)
        select organisation_id, consignment_id, rate_charge_id, part_key from consignment_charge
        where consignment_id = ${id} and rate_charge_id is not null`),
    )
  },
  'another tax percentage': () => done('put', `/v1/tax-rates/${taxRateId}`, { percent: 20 }),
  'another freight resolution': () =>
    done('put', `/v1/partners/${clientId}`, {
      ...{ freightResolution: 2, freightWarningType: 1, freightWarningThreshold: 999 },
    }),
  'another freight resolution of the carrier': () =>
    done('put', `/v1/partners/${carrierId}`, { freightResolution: 1 }),
  'another address of the warehouse': () =>
    done('put', `/v1/warehouses/${warehouseId}`, {
      address: { country: 'AU', postCode: '3000', state: 'VIC' },
    }),
  'another account of the activity type': () =>
    done('put', `/v1/activity-types/${activityTypeId}`, { revenueAccountId: given.revenueAccountId }),
  'inactive rate cards': async () => {
    for (const cardId of Object.values(cards)) await done('put', `/v1/rate-cards/${cardId}`, { status: 2 })
  },
}

for (const [change, make] of Object.entries(laterChanges))
  test(`its amounts survive ${change}`, async () => {
    await make()
    assert.deepEqual(await readEverything(), before)
  })

test('the schema refuses changes of approved content and frozen inputs', async () => {
  for (const statement of [
    sql`update rate_card_version set note = 'x' where id = ${versionId}`,
    sql`update rate_card_version set status = 1, approved_utc = null where id = ${versionId}`,
    sql`update rate_card_version set content = '{}' where id = ${versionId}`,
    sql`delete from rate_card_version where id = ${versionId}`,
    sql`update charge_input set charge_date = charge_date + 1 where consignment_id = ${id}`,
    sql`delete from charge_input where consignment_id = ${id}`,
    sql`update charge_input set part_figures = '' where consignment_id = ${id}`,
    sql`update product_facts set facts = '{}'`,
    sql`delete from place_facts`,
  ])
    await assert.rejects(
      database.atomically(tx => tx.run(statement)),
      /never changes/,
      statement.text,
    )
  const approved = `/v1/rate-cards/${cards.client}/versions/${versionId}`
  assert.equal((await admin.put(approved, { note: 'x' })).status, 400)
  assert.equal((await admin.delete(approved)).status, 400)
  assert.equal((await admin.put(`${approved}/status`, { status: 1 })).status, 400)
})

test('a draft can be changed until it is approved, but not after', async () => {
  const rateCardId = await made('/v1/rate-cards', {
    name: 'Other',
    relationship: 1,
    partnerId: null,
    status: 2,
  })
  const other = await draft(rateCardId, content(rate([charge({ rateExclTax: 1 })])))
  await done('put', `/v1/rate-cards/${rateCardId}/versions/${other}`, { note: 'mine' })
  await approve(rateCardId, other)
  assert.equal((await admin.put(`/v1/rate-cards/${rateCardId}/versions/${other}`, { note: 'x' })).status, 400)
})
