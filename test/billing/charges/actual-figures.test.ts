// What was received or dispatched is charged, and not what was announced or ordered.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import { ssccCheckDigit } from '../../../src/stock/logistic-units/sscc.ts'
import { ConsignmentStatus } from '../../../src/vocabulary/consignments.ts'
import { type Line, openAllocation } from '../../support/given-allocation.ts'
import { checkMoneyAfterEach } from '../../support/given-charges.ts'
import { goods, openInwards, serialGoods } from '../../support/given-inwards.ts'
import { rulesBrokenBy } from '../../support/given-proofs.ts'
import type { Caller } from '../../support/harness.ts'

const inwards = await openInwards()
const outwards = await openAllocation()
checkMoneyAfterEach(inwards.database)
checkMoneyAfterEach(outwards.database)
const { ReadyToDispatch, InTransit, Complete, Closed } = ConsignmentStatus

/** Puts prices in force for everybody: those of one rate for each list of charges. */
async function price(admin: Caller, ...rates: object[][]) {
  const made = async (path: string, body: object) => {
    const answer = await admin.post(path, body)
    assert.equal(answer.status, 201, `${path}: ${JSON.stringify(answer.body)}`)
    return Object.values(answer.body)[0] as string
  }
  const taxRateId = await made('/v1/tax-rates', { name: 'GST', percent: 15 })
  const activityTypeId = await made('/v1/activity-types', { code: 'HANDLING', name: 'Handling' })
  const cardId = await made('/v1/rate-cards', { name: 'Prices', relationship: 1 })
  const versionId = await made(`/v1/rate-cards/${cardId}/versions`, {
    effectiveFrom: '2020-01-01',
    content: {
      defaultTaxRateId: taxRateId,
      rates: rates.map(charges => ({ name: 'Rate', kind: 1, basis: 2, activityTypeId, charges })),
    },
  })
  const answer = await admin.put(`/v1/rate-cards/${cardId}/versions/${versionId}/status`, { status: 2 })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return { activityTypeId, cardId }
}
const charge = (metric: number, rateExclTax: number, more: object = {}) => ({
  ...{ metric, application: 1, rateExclTax },
  ...more,
})
/** Units, serials, lines and items, each by its own rate. */
const prices = [[charge(10, 5)], [charge(11, 3)], [charge(9, 2)], [charge(2, 0.1, { isPerProduct: true })]]
const { activityTypeId } = await price(outwards.admin, ...prices)
const { cardId } = await price(inwards.admin, ...prices)
assert.equal((await inwards.admin.put(`/v1/rate-cards/${cardId}`, { name: 'Renamed' })).status, 200)

/** What is charged for a consignment: the metric of each charge, by the amount for one of it. */
async function metricsOf({ admin }: { admin: Caller }, id: string): Promise<Record<string, number[]>> {
  const { body } = await admin.get(`/v1/consignments/${id}/charges`)
  const names: Record<number, string> = { 5: 'units', 3: 'serials', 2: 'lines' }
  const charges: { chargeRate: number; metricValue: number }[] = body.clientActivityCharges
  const byName = Map.groupBy(charges, ({ chargeRate }) => names[chargeRate] ?? 'items')
  const found = Object.fromEntries(
    [...byName].map(([name, own]) => [name, own.map(({ metricValue }) => metricValue)]),
  )
  return found
}
const setStatus = async ({ admin }: { admin: Caller }, id: string, status: number) => {
  const answer = await admin.put(`/v1/consignments/${id}/status`, { status })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
}
let lastSscc = 94210000000000000n
const newSscc = () => {
  const digits = String(++lastSscc)
  return digits + ssccCheckDigit(digits)
}

test('pallets that came are charged, and not those that were announced', async () => {
  const announced = [1, 2, 3].map(() => ({ logisticUnitSsccNumber: newSscc() }))
  const id = await inwards.announce(announced.map(unit => goods('APPLE', 10, unit)))
  const [first] = await inwards.linesOf(id)
  const { consignmentNumber } = await inwards.read(id)
  const reported = async () => {
    const { body } = await inwards.admin.post('/v1/reports/consignment-metrics')
    type Reported = { consignmentNumber: string; logisticUnitCount: number }
    return body.find((row: Reported) => row.consignmentNumber === consignmentNumber)?.logisticUnitCount
  }
  assert.equal(await reported(), 3)
  assert.deepEqual((await metricsOf(inwards, id)).units, [3])
  await inwards.received(id, { receipts: [{ consignmentProductId: first, quantity: 10 }] })
  await setStatus(inwards, id, Complete)
  const wanted = { units: [1], lines: [1], items: [10] }
  assert.deepEqual(await metricsOf(inwards, id), wanted)
  await setStatus(inwards, id, Closed)
  assert.deepEqual([await metricsOf(inwards, id), await reported()], [wanted, 1])
  const path = `/v1/consignments/${id}/charges`
  const [charge] = (await inwards.admin.get(path)).body.clientActivityCharges
  const { body } = await inwards.admin.get(`${path}/${charge.id}/proof`)
  assert.equal(body.rule.name, 'Prices', 'what the card was called when its version was approved')
  const threePallets = sql`update charge_input
    set part_figures = regexp_replace(part_figures, '1 0$', '3 0') where consignment_id = ${id}`
  const broken = await rulesBrokenBy(inwards.database, threePallets)
  assert.ok(broken.includes('What a closing charged came or left by the ledger.'))
})

test('pallets that nobody announced are charged, and loose goods are on none', async () => {
  const id = await inwards.announce([goods('APPLE', 25), goods('PEAR', 4)])
  const [apples, pears] = await inwards.linesOf(id)
  const onto = (quantity: number, referenceNumber: string) => ({
    ...{ consignmentProductId: apples, quantity },
    logisticUnit: { isNew: true, referenceNumber },
  })
  await inwards.received(id, {
    receipts: [onto(12, 'P-1'), onto(13, 'P-2'), { consignmentProductId: pears, quantity: 4 }],
  })
  await setStatus(inwards, id, Complete)
  assert.deepEqual((await metricsOf(inwards, id)).units, [2])
  const { body } = await inwards.admin.get(`/v1/consignments/${id}/charges`)
  assert.deepEqual(body.unrated, [], 'the rate by items takes the pears')
})

test('serials are counted as they came', async () => {
  const id = await inwards.announce([serialGoods('SCALE', ['A1', 'A2', 'A3'])])
  const [line] = await inwards.linesOf(id)
  assert.deepEqual((await metricsOf(inwards, id)).serials, [3])
  await inwards.received(id, {
    receipts: [{ consignmentProductId: line, quantity: 2, serials: ['A1', 'B7'] }],
  })
  await setStatus(inwards, id, Complete)
  assert.deepEqual((await metricsOf(inwards, id)).serials, [2])
})

test('a line that was received and taken back is not charged', async () => {
  const id = await inwards.announce([goods('APPLE', 10), goods('PEAR', 4)])
  const [apples, pears] = await inwards.linesOf(id)
  await inwards.received(id, {
    receipts: [
      { consignmentProductId: apples, quantity: 10 },
      { consignmentProductId: pears, quantity: 4 },
    ],
  })
  const row = (await inwards.stockOf(id)).find(({ code }) => code === 'PEAR')
  const answer = await inwards.admin.post(`/v1/consignments/${id}/unreceive`, {
    ...{ unreceipts: [{ warehouseProductId: row?.id, quantity: 4 }], reason: 'Wrong door' },
  })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  await setStatus(inwards, id, Complete)
  assert.deepEqual(await metricsOf(inwards, id), { lines: [1], items: [10] })
})

/** Sends a consignment of one line: allocates, picks and dispatches the given stock. */
async function sent(line: Line, picks: { stock: string; quantity: number }[]) {
  const id = await outwards.ready([line])
  const { body } = await outwards.admin.get(`/v1/consignments/${id}`)
  const command = async (name: string, of: object) => {
    const answer = await outwards.admin.post(`/v1/consignments/${id}/${name}`, of)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
  }
  const consignmentProductId = body.products[0].id
  const stock = picks.map(({ stock, quantity }) => ({ warehouseProductId: stock, quantity }))
  await command('allocate', { lines: [{ consignmentProductId, stock, isOverride: true }] })
  await command('pick', { picks: stock.map(pick => ({ consignmentProductId, ...pick })) })
  await setStatus(outwards, id, ReadyToDispatch)
  await setStatus(outwards, id, InTransit)
  return id
}

test('what was sent instead of what was ordered is charged, at its own weight', async () => {
  const [wanted, other] = [await outwards.fresh({ weightKG: 1 }), await outwards.fresh({ weightKG: 20 })]
  await outwards.admin.put(`/v1/partners/${outwards.clientId}`, { productSubstitution: 1 })
  const [stock, instead] = [await outwards.stored(3, wanted), await outwards.stored(3, other)]
  const id = await sent({ ...wanted, quantity: 5 }, [
    { stock, quantity: 2 },
    { stock: instead, quantity: 3 },
  ])
  assert.deepEqual((await metricsOf(outwards, id)).items?.toSorted(), [2, 3], 'one part for each product')
  await setStatus(outwards, id, Complete)
  await setStatus(outwards, id, Closed)
  const { body } = await outwards.admin.get(`/v1/consignments/${id}/charges`)
  const last = body.clientActivityCharges.at(-1)
  const proof = await outwards.admin.get(`/v1/consignments/${id}/charges/${last.id}/proof`)
  const inputs = proof.body.inputs.map(({ name, value }: { name: string; value: string }) => [name, value])
  assert.deepEqual(inputs.slice(-2), [
    [`${other.productCode} quantity`, '3.0000'],
    [`${other.productCode} weight`, '60.0000'],
  ])
  assert.equal((await outwards.admin.put(`/v1/consignments/${id}/reopen`)).status, 200)
  await setStatus(outwards, id, ReadyToDispatch)
  assert.deepEqual((await metricsOf(outwards, id)).items, [5], 'nothing has left any more')
})

test('serials that were picked without being named in the order are charged', async () => {
  const of = await outwards.fresh({ serialTrackingMode: 2 })
  const stock = await outwards.stored(2, of, { newSerials: ['S1', 'S2'].map(serial => ({ serial })) })
  const id = await outwards.ready([{ ...of, quantity: 2 }])
  const consignmentProductId = (await outwards.allocated(id))[0]?.consignmentProductId
  const pick = { consignmentProductId, warehouseProductId: stock, quantity: 2, serials: ['S1', 'S2'] }
  assert.equal((await outwards.admin.post(`/v1/consignments/${id}/pick`, { picks: [pick] })).status, 200)
  await setStatus(outwards, id, ReadyToDispatch)
  await setStatus(outwards, id, InTransit)
  assert.deepEqual((await metricsOf(outwards, id)).serials, [2])
})

test('a bill and its proof keep the names that it was closed with', async () => {
  const of = await outwards.fresh({ name: 'Kiwifruit' })
  const id = await sent({ ...of, quantity: 2 }, [{ stock: await outwards.stored(2, of), quantity: 2 }])
  const chargesOf = async () =>
    (await outwards.admin.get(`/v1/consignments/${id}/charges`)).body.clientActivityCharges
  const sources = async () => {
    const { body } = await outwards.admin.get(
      `/v1/consignments/${id}/charges/${(await chargesOf()).at(-1).id}/proof`,
    )
    return body.inputs.map(({ source }: { source: { kind: string } | null }) => source?.kind)
  }
  assert.ok((await sources()).includes('event'), 'an open charge names the events behind it')
  await setStatus(outwards, id, Complete)
  await setStatus(outwards, id, Closed)
  const before = await chargesOf()
  const path = `/v1/consignments/${id}/charges/${before.at(-1).id}/proof`
  const proof = (await outwards.admin.get(path)).body
  const renamed = { name: 'Renamed', code: 'RENAMED' }
  assert.equal((await outwards.admin.put(`/v1/activity-types/${activityTypeId}`, renamed)).status, 200)
  const product = `/v1/partners/${outwards.clientId}/products/${of.productId}`
  assert.equal((await outwards.admin.put(product, { name: 'Renamed', code: 'RENAMED' })).status, 200)
  assert.deepEqual(await chargesOf(), before)
  assert.deepEqual((await outwards.admin.get(path)).body, proof)
})
