// Unbilled work and the freight margin: computed for open consignments as they are now, and from frozen data
// for Closed ones.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { openRates } from '../support/given-rates.ts'
import type { Row } from '../support/given-reports.ts'

const { world, clientId, carrierId, warehouseId, ...given } = await openRates()
const { admin, as, database } = world
const {
  card,
  charge,
  content,
  createApprovedVersion,
  rate,
  freight,
  goods,
  enter,
  close,
  reopen,
  charges,
  include,
} = given
const { made, wrapping, taxRateId } = given

const path = (id: string) => `/v1/consignments/${id}`
const rows = async (name: string, body: object = {}): Promise<Row[]> => {
  const answer = await admin.post(`/v1/reports/${name}`, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}
/** The unbilled work of a consignment: kind, subject, quantity and reason. */
const unbilled = async (id: string, body: object = {}) =>
  (await rows('unbilled-work', { dateFrom: '2020-01-01', ...body }))
    .filter(row => row.consignmentId === id)
    .map(row => [row.kind, row.subject, row.quantity, row.reason])

const cardId = await card()
let priced = 0
const prices = (...rates: object[]) =>
  createApprovedVersion(cardId, content(...rates), `2020-01-${String(++priced).padStart(2, '0')}`)

test('work that no rate covers is reported with its reason, for open and Closed consignments', async () => {
  await prices(rate([charge({ metric: 5, metricResolution: 2, rateExclTax: 12 })]))
  const id = await goods([{ quantity: 584 }], { type: 0, status: 0, tasks: 2 })
  const expected = [
    [1, 'PLUM', 8, 'Only whole units are charged; this is the remainder.'],
    [2, 'Wrapping', 2, 'No rate of the card prices this kind of work.'],
  ]
  const days = (await unbilled(id)).filter(([kind]) => kind !== 7)
  assert.deepEqual(days, expected)
  await close(id)
  assert.deepEqual(await unbilled(id), expected)
  await prices(
    rate([charge({ rateExclTax: 1 })]),
    rate([charge({ metric: 7, when: { taskTypeIds: [wrapping] } })]),
  )
  assert.deepEqual(await unbilled(id), expected, 'a later version does not bill a Closed consignment')
  await reopen(id)
  assert.deepEqual(
    (await unbilled(id)).filter(([kind]) => kind !== 7),
    [],
    'but it bills a reopened one',
  )
})

test('freight, service types, charges of 0.00 and consignments waiting to be Closed are reported', async () => {
  await prices(
    rate([charge({ metric: 1, rateExclTax: 0.001 })]),
    freight([charge({ metric: 1, rateExclTax: 9, when: { priorities: [4] } })]),
  )
  const serviceTypeId = await made('/v1/service-types', { code: 'TAIL', name: 'Tail lift' })
  const id = await goods([{ quantity: 1 }], { type: 0, status: 0 })
  await database.atomically(tx =>
    tx.run(sql`insert into consignment_service_type (organisation_id, consignment_id, service_type_id)
      values (${admin.actor.organisationId}, ${id}, ${serviceTypeId})`),
  )
  const found = await unbilled(id, { completeDays: 0 })
  assert.deepEqual(
    found.map(([kind, subject]) => [kind, subject]),
    [
      [4, null],
      [6, 'Tail lift'],
      [9, 'Handling out'],
      [7, null],
    ],
  )
  assert.equal(found.at(-1)?.[2], 0)
  assert.ok((await unbilled(id, { completeDays: 9_999 })).every(([kind]) => kind !== 7))
  await enter(id, 'client-activity', { chargeRateExclTax: 0 })
  assert.equal((await unbilled(id)).filter(([kind]) => kind === 9).length, 2)
  const named = charge({ metric: 1, when: { serviceTypeIds: [serviceTypeId.toUpperCase()] } })
  await prices(rate([named]))
  assert.ok(
    (await unbilled(id)).every(([kind]) => kind !== 6),
    'a service type that a charge names is billed',
  )
})

test('a consignment waits to be Closed from the local day on which it became Complete, not from that of its work', async () => {
  const id = await goods([{ quantity: 1 }], { type: 0, status: 1 })
  assert.equal((await admin.put(`${path(id)}/status`, { status: 0 })).status, 200)
  const waiting = async () => (await unbilled(id, { completeDays: 1 })).filter(([kind]) => kind === 7)
  assert.deepEqual(await waiting(), [])
  await database.atomically(tx =>
    tx.run(sql`update event set created_utc = created_utc - interval '9 days' where subject_id = ${id}`),
  )
  assert.deepEqual(await waiting(), [[7, null, 9, 'It is Complete and not Closed.']])
})

test('a charge excluded by hand is reported with the user who excluded it, even when Closed', async () => {
  await prices(rate([charge({ rateExclTax: 1 })]))
  const id = await goods([{ quantity: 5 }], { type: 0, status: 0 })
  await include(id, (await charges(id)).clientActivityCharges[0].id, false)
  const excluded = async () => (await unbilled(id)).filter(([kind]) => kind === 8)
  const [[, subject, quantity, reason] = []] = await excluded()
  assert.deepEqual([subject, quantity], ['Handling out', 5])
  assert.match(String(reason), /^Left out by hand by .+ at 20\d\d-.+Z\.$/)
  await close(id)
  assert.equal((await excluded()).length, 1)
  assert.deepEqual(await excluded(), [[8, subject, quantity, reason]])
})

test('what a carrier costs is no work for a client, though it is 0.00 or left out', async () => {
  await prices(rate([charge({ rateExclTax: 1 })]), freight([charge({ metric: 1, rateExclTax: 9 })]))
  const carrier = await made('/v1/partners', { name: 'Slow', code: 'SLOW', relationship: 2 })
  const costs = freight([charge({ metric: 1, rateExclTax: 0.001 })], 3)
  await createApprovedVersion(await card(carrier, 2), content(costs))
  const id = await goods([{ quantity: 5 }], { type: 0, status: 0, carrierId: carrier })
  await enter(id, 'carrier-freight', { chargeRateExclTax: 0 })
  const { carrierFreightCharges } = await charges(id)
  assert.deepEqual(
    carrierFreightCharges.map(({ amountExclTax }: { amountExclTax: number }) => amountExclTax),
    [0, 0],
  )
  assert.deepEqual(await unbilled(id), [])
  await include(id, carrierFreightCharges[0].id, false)
  assert.deepEqual(await unbilled(id), [])
  await close(id)
  assert.deepEqual(await unbilled(id), [])
})

test('a Complete consignment of which nothing was moved is reported', async () => {
  await prices(rate([charge({ rateExclTax: 1 })]))
  const id = await goods([{ quantity: 8 }], { type: 2 })
  await database.atomically(tx =>
    tx.run(sql`update consignment set status = 0, actual_dispatch_date_time = '2026-03-05T10:00:00'
      where id = ${id}`),
  )
  assert.ok((await unbilled(id)).some(([kind]) => kind === 10))
})

test('unbilled work is filtered by client, warehouse and date of the charge, and refused to partners', async () => {
  await prices(rate([charge({ metric: 3, rateExclTax: 1, when: { priorities: [4] } })]))
  const id = await goods([{ quantity: 1 }], { type: 0, status: 0 })
  const count = async (body: object) => (await unbilled(id, body)).length
  const all = await count({})
  assert.ok(all > 0)
  assert.equal(await count({ partnerId: clientId, warehouseId }), all)
  const other = await made('/v1/partners', { name: 'Rimu', code: 'RIMU', relationship: 1 })
  assert.equal(await count({ partnerId: other }), 0)
  const elsewhere = await made('/v1/warehouses', {
    name: 'Perth',
    code: 'PER',
    timezoneId: 'Australia/Perth',
  })
  assert.equal(await count({ warehouseId: elsewhere }), 0)
  assert.equal(await count({ dateFrom: '2026-03-02', dateTo: '2026-03-02' }), all)
  assert.equal(await count({ dateFrom: '2026-03-03' }), 0)
  assert.equal(await count({ dateTo: '2026-03-01' }), 0)
  assert.equal((await rows('unbilled-work')).filter(row => row.consignmentId === id).length, 0, '92 days')
  for (const partnerId of [clientId, carrierId])
    assert.equal((await as(admin, { partnerId }).post('/v1/reports/unbilled-work')).status, 403)
  const csv = await admin
    .with({ accept: 'text/csv' })
    .post('/v1/reports/unbilled-work', { dateFrom: '2020-01-01' })
  assert.match(csv.bytes.toString(), /No charge of the card matches it/)
})

test('the freight margin is computed for open consignments and frozen for Closed ones', async () => {
  const fafProfileId = await made('/v1/faf-profiles', { name: 'Fuel' })
  await made(`/v1/faf-profiles/${fafProfileId}/rates`, {
    ...{ fafPercent: 0.1, effectiveFromUtc: '2020-01-01T00:00:00Z' },
  })
  const freightContent = { ...content(freight([charge({ metric: 1, rateExclTax: 100 })])), fafProfileId }
  await createApprovedVersion(cardId, freightContent, `2020-01-${String(++priced).padStart(2, '0')}`)
  const carrierCardId = await card(carrierId, 2)
  await createApprovedVersion(carrierCardId, content(freight([charge({ metric: 1, rateExclTax: 90 })], 3)))
  await admin.put(`/v1/partners/${clientId}`, { freightWarningType: 2, freightWarningThreshold: 20 })
  const id = await goods([{ quantity: 3, weightKG: 12, volumeM3: 0.5 }], { type: 0, status: 0 })
  const { consignmentNumber } = (await admin.get(path(id))).body
  const margin = async () =>
    (await rows('freight-margin')).filter(row => row.consignmentNumber === consignmentNumber)
  const expected = {
    ...{ consignmentNumber, clientName: 'Kauri Foods', carrierName: 'Swift', warehouseName: 'Auckland' },
    ...{ originName: null, destinationName: null, chargeDate: '2026-03-02', quantity: 3, weightKG: 12 },
    ...{ volumeM3: 0.5, chargedExclTax: 110, chargedFafExclTax: 10, incurredExclTax: 90, marginExclTax: 20 },
    ...{ marginPercent: 18.181818, threshold: 20, isBelowThreshold: true, isFrozen: false },
  }
  assert.deepEqual(await margin(), [expected])
  await admin.put(`/v1/partners/${clientId}`, { freightWarningThreshold: 18.1818 })
  assert.equal((await margin())[0]?.isBelowThreshold, false, '18.1818… is not less than it')
  assert.equal((await charges(id)).freightMargin.isBelowThreshold, false)
  await admin.put(`/v1/partners/${clientId}`, { freightWarningThreshold: 18.181819 })
  assert.equal((await margin())[0]?.isBelowThreshold, true)
  assert.equal((await charges(id)).freightMargin.isBelowThreshold, true, 'compared before it is rounded')
  await admin.put(`/v1/partners/${clientId}`, { freightWarningThreshold: 20 })
  await close(id)
  assert.deepEqual(await margin(), [{ ...expected, isFrozen: true }])
  await reopen(id)
  await close(id)
  await admin.put(`/v1/partners/${clientId}`, { freightWarningThreshold: 1 })
  assert.deepEqual(await margin(), [{ ...expected, isFrozen: true }], 'only the latest closing counts')
  await enter(await goods([{ quantity: 1 }], { type: 0, status: 0 }), 'client-freight', { taxRateId })
})
