// Suggested locations for putting stock away. Spec 2.14.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../src/platform/new-id.ts'
import { createUnits } from '../../../src/stock/logistic-units/unit-references.ts'
import { openStock } from '../../support/given-stock.ts'

const { admin, clientId, database, location, locations, made, products, stored, warehouseId } =
  await openStock()

const suggestionsFor = async (row: string) =>
  (await admin.get(`/v1/inventory/${row}/put-away`)).body.locations.map((place: Record<string, unknown>) => [
    place.warehouseLocationName,
    place.reason,
    place.wantedQuantity,
  ])

test('suggestions: pick faces below target, the same stock, free racking in its zone, others', async () => {
  const zone = await made(`/v1/warehouses/${warehouseId}/zones`, { name: 'Fruit' })
  const pickface = { isPickface: true, partnerProductId: products.APPLE, minQuantity: 5, targetQuantity: 20 }
  const face = await location('P-01', 1, { ...pickface, warehouseZoneId: zone })
  await location('P-02', 1, { ...pickface, partnerProductId: products.PEAR })
  await location('C-01', 1, { warehouseZoneId: zone, walkingOrder: 9 })
  await location('C-02', 1, { walkingOrder: 5 })
  await location('C-03', 1, { status: 2 })
  await stored(8, { warehouseLocationId: face })
  await stored(1, { warehouseLocationId: locations.A2, batch: 'B7' })
  await stored(1, { productId: products.PEAR, warehouseLocationId: locations.A1 })
  const incoming = await stored(100, { warehouseLocationId: locations.DOCK, batch: 'B7' })
  assert.deepEqual(await suggestionsFor(incoming), [
    ['P-01', 1, 12],
    ['A-02', 2, null],
    ['C-01', 3, null],
    ['C-02', 4, null],
  ])
  const good = await stored(20, { warehouseLocationId: face, batch: 'B8' })
  assert.deepEqual((await suggestionsFor(incoming))[0], ['A-02', 2, null])
  // Nobody can pick held or expired goods, so a face that is full of them lacks others, as for a replenishment.
  const stock = [{ warehouseProductId: good }]
  assert.equal((await admin.post('/v1/inventory/holds', { kind: 2, reason: 'Glass', stock })).status, 201)
  await stored(3, { warehouseLocationId: face, batch: 'B9', expiryDate: '2020-01-31' })
  assert.deepEqual((await suggestionsFor(incoming))[0], ['P-01', 1, 12])
  assert.equal((await admin.get(`/v1/inventory/${newId()}/put-away`)).status, 404)
})

test('a location that holds all the units it may hold is reported for a further unit, not for loose goods', async () => {
  const name = 'UNITS'
  const full = await location(name, 1, { walkingOrder: 0, maxUnits: 2 })
  const createUnit = async (warehouseLocationId: string) => {
    const [id] = await database.atomically(tx =>
      createUnits(tx, { organisationId: admin.actor.organisationId }, [
        { unit: { isNew: true }, partnerId: clientId, warehouseId, warehouseLocationId },
      ]),
    )
    return id as string
  }
  // Of the same batch, because a location with other goods is not suggested.
  const onUnit = async (warehouseLocationId: string) =>
    stored(1, { warehouseLocationId, logisticUnitId: await createUnit(warehouseLocationId), batch: 'U' })
  const exceeds = async (row: string) =>
    (await admin.get(`/v1/inventory/${row}/put-away`)).body.locations.find(
      (place: { warehouseLocationName: string }) => place.warehouseLocationName === name,
    ).exceeds
  const incoming = await onUnit(locations.DOCK)
  await onUnit(full)
  assert.deepEqual(await exceeds(incoming), [], 'the second of two')
  await onUnit(full)
  assert.deepEqual(await exceeds(incoming), ['maxUnits'])
  const loose = await stored(1, { warehouseLocationId: locations.DOCK, batch: 'U' })
  assert.deepEqual(await exceeds(loose), [])
})

test('limits that stock would exceed are reported but do not prevent a transfer', async () => {
  const [name, limits] = ['LIMITED', { walkingOrder: 0, maxWeightKG: 50, maxVolumeM3: 2 }]
  await location(name, 1, limits)
  const stock = await stored(5, { warehouseLocationId: locations.DOCK }, { weightKG: 40, volumeM3: 1.5 })
  const exceeds = async () =>
    (await admin.get(`/v1/inventory/${stock}/put-away`)).body.locations.find(
      (place: { warehouseLocationName: string }) => place.warehouseLocationName === name,
    ).exceeds
  assert.deepEqual(await exceeds(), [])
  await stored(1, { warehouseLocationId: locations.DOCK }, { weightKG: 10.5, volumeM3: 0.1 })
  assert.deepEqual(await exceeds(), ['maxWeightKG'])
  const moved = await admin.post('/v1/inventory/transfer', {
    transfers: [{ warehouseProductId: stock, toLocationName: name }],
  })
  assert.equal(moved.status, 200)
})
