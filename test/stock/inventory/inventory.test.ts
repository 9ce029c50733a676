// The list of stock: its fields, every filter and pair of filters, totals and pages. Spec 2.14, 4.13.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import { newId } from '../../../src/platform/new-id.ts'
import { writeCheckpoint } from '../../../src/stock/as-of/checkpoints.ts'
import { foldInventoryCounts } from '../../../src/stock/inventory/list/fold-counts.ts'
import { moveUnits } from '../../../src/stock/ledger/move-units.ts'
import { post } from '../../../src/stock/ledger/post.ts'
import { findOrCreateStockRows, type StockIdentity } from '../../../src/stock/ledger/stock-identity.ts'
import { lockWarehouseStock } from '../../../src/stock/ledger/stock-lock.ts'
import { createUnits } from '../../../src/stock/logistic-units/unit-references.ts'
import { TransactionType } from '../../../src/vocabulary/stock.ts'
import { acute, flammable } from '../../support/given-products.ts'
import { of, openStock } from '../../support/given-stock.ts'

const world = await openStock()
const { admin, database, clientId, warehouseId, products, locations, made, identity, source, stored } = world
const { organisationId } = admin.actor

const sscc = ['000000000000000017', '000000000000000024'] as const
const category = (
  await database.db.rows<{ id: string }>(sql`select id from dg_hazard_category
    where dg_hazard_class_id = ${flammable} order by id limit 1`)
)[0]?.id as string

/** Creates an empty logistic unit. */
async function createUnit(
  names: { ssccNumber?: string; referenceNumber?: string } = {},
  locationId = locations.A1,
) {
  const [id] = await database.atomically(tx =>
    createUnits(tx, { organisationId }, [
      { unit: { isNew: true, ...names }, partnerId: clientId, warehouseId, warehouseLocationId: locationId },
    ]),
  )
  return id as string
}

/** Creates a hold without any stock. */
async function createHold(kind: number) {
  const id = newId()
  await database.inOneStatement(tx =>
    tx.run(sql`insert into inventory_hold (organisation_id, id, kind, reason)
      values (${organisationId}, ${id}, ${kind}, 'Wet')`),
  )
  return id
}

/** Empties a row: takes its stock out, or moves it to another row. */
async function emptyRow(from: string, to: Partial<StockIdentity> | null = null) {
  await database.atomically(async tx => {
    const locked = await lockWarehouseStock(tx, organisationId, warehouseId)
    const target =
      to === null ? null : ((await findOrCreateStockRows(tx, locked, [identity(to)]))[0] as string)
    const { quantity } = await tx.row<{ quantity: number }>(
      sql`select on_hand_quantity as quantity from warehouse_product where id = ${from}`,
    )
    const type = to === null ? TransactionType.Adjustment : TransactionType.Transfer
    await post(tx, locked, source, [{ movementId: newId(), type, from, to: target, quantity: of(quantity) }])
    if (to?.logisticUnitId)
      await moveUnits(tx, locked, [
        {
          logisticUnitId: to.logisticUnitId,
          warehouseId,
          warehouseLocationId: to.warehouseLocationId as string,
        },
      ])
  })
}

// A second warehouse and client, zones, dangerous goods, holds, units that moved, and goods that have gone.
const otherWarehouse = await made('/v1/warehouses', { name: 'Napier', code: 'NPE', timezoneId: 'UTC' })
const napier = await made(`/v1/warehouses/${otherWarehouse}/locations`, { name: 'N-01', type: 1 })
const zone = await made(`/v1/warehouses/${warehouseId}/zones`, { name: 'Cold' })
const cold = await world.location('C-01', 1, { warehouseZoneId: zone })
const otherClient = await made('/v1/partners', { name: 'Rimu', code: 'RIMU', relationship: 1 })
const paint = await world.product('PAINT', {
  name: 'Blue paint',
  isDangerousGood: true,
  dgUnNumber: 'UN 1263',
  dgHazchemEac: '•3[Y]E',
  barcode: '94123',
  dgHazardClasses: [{ dgHazardClassId: flammable, dgHazardCategoryId: category }, { dgHazardClassId: acute }],
})
const acid = await made(`/v1/partners/${otherClient}/products`, {
  code: 'ACID',
  name: 'Acid',
  isDangerousGood: true,
  dgHazardClasses: [{ dgHazardClassId: acute }],
})
const colour = await made('/v1/product-attributes', { name: 'Colour' })

const mixed = await createUnit({ ssccNumber: sscc[0], referenceNumber: 'CAGE-1' })
const moved = await createUnit({ ssccNumber: sscc[1] })
const emptyUnit = await createUnit()
const otherProduct = { partnerId: otherClient, productId: acid }
const otherPlace = { warehouseId: otherWarehouse, warehouseLocationId: napier }
const [general, quality] = [await createHold(1), await createHold(2)]

const full = await stored(
  8,
  {
    productId: paint,
    logisticUnitId: mixed,
    batch: 'B7',
    bestBeforeDate: '2027-01-01',
    expiryDate: '2027-01-02',
    packagingDate: '2027-01-03',
    productionDate: '2027-01-04',
    sellByDate: '2027-01-05',
    receivedDate: '2026-05-01',
    attributes: [{ productAttributeId: colour, description: 'Blue' }],
  },
  { weightKG: 10, volumeM3: 0.5 },
)
await stored(4, { logisticUnitId: mixed }, { weightKG: 1, volumeM3: 0.1 })
await stored(3, { logisticUnitId: mixed, inventoryHoldId: quality, batch: 'B7' }, { weightKG: 2 })
await stored(2, { productId: paint, warehouseLocationId: cold, batch: 'b7' })
await stored(5, { productId: products.PEAR, warehouseLocationId: cold })
await stored(1, { warehouseLocationId: locations.Q1, batch: 'LOT-123' })
await stored(9, { inventoryHoldId: general })
await stored(9, { ...otherPlace })
await stored(9, { ...otherPlace, ...otherProduct, batch: 'LOT-123' })
await stored(9, { ...otherProduct, warehouseLocationId: cold, inventoryHoldId: general })
await emptyRow(await stored(7, { ...otherProduct, batch: 'GONE' }))
await emptyRow(await stored(7, { logisticUnitId: emptyUnit, batch: 'B7' }))
await emptyRow(await stored(6, { logisticUnitId: moved, productId: products.PEAR }), {
  logisticUnitId: moved,
  productId: products.PEAR,
  warehouseLocationId: cold,
})
await emptyRow(await stored(6, { logisticUnitId: mixed, batch: 'OLD' }))
const scales = await stored(
  2,
  { productId: products.SCALE },
  { newSerials: [{ serial: 'S1', weightKG: 3 }, { serial: 'S2' }] },
)

/** A row of stock with everything that a filter may look at, read by a plain query. */
interface ReferenceRow {
  id: string
  entry: string
  isDepleted: boolean
  partnerId: string
  productId: string
  warehouseId: string
  locationId: string
  zoneId: string | null
  unitId: string | null
  sscc: string | null
  batch: string | null
  holdKind: number | null
  classes: string[]
  categories: string[]
  text: string
  code: string
  expiry: string | null
  expires: string | null
}

const readReferenceRows = () =>
  database.db.rows<ReferenceRow>(sql`
    select p.id, coalesce(p.logistic_unit_id, p.id) as entry, p.on_hand_quantity = 0 as is_depleted,
      p.partner_id, p.product_id, l.warehouse_id, l.id as location_id, l.warehouse_zone_id as zone_id,
      u.id as unit_id, u.sscc_number as sscc, p.batch, h.kind as hold_kind, d.code, p.expiry_date as expiry,
      least(p.expiry_date, p.best_before_date) as expires,
      array(select dg_hazard_class_id::text from product_dg_hazard_class where product_id = d.id) as classes,
      array(select dg_hazard_category_id::text from product_dg_hazard_class where product_id = d.id
        and dg_hazard_category_id is not null) as categories,
      lower(concat_ws(' ', d.code, d.name, d.barcode)) as text
    from warehouse_product p join product d on d.id = p.product_id
    left join logistic_unit u on u.id = p.logistic_unit_id
    join warehouse_location l on l.id = coalesce(u.warehouse_location_id, p.warehouse_location_id)
    left join inventory_hold h on h.id = p.inventory_hold_id`)

type Filter = [name: string, value: string, matches: (row: ReferenceRow) => boolean]
const filters: Filter[] = [
  ['PartnerId', clientId, row => row.partnerId === clientId],
  ['PartnerId', otherClient, row => row.partnerId === otherClient],
  ['PartnerProductId', paint, row => row.productId === paint],
  ['PartnerProductId', products.APPLE, row => row.productId === products.APPLE],
  ['WarehouseId', warehouseId, row => row.warehouseId === warehouseId],
  ['WarehouseId', otherWarehouse, row => row.warehouseId === otherWarehouse],
  ['WarehouseZoneId', zone, row => row.zoneId === zone],
  ['WarehouseLocationId', cold, row => row.locationId === cold],
  ['WarehouseLocationId', locations.A1, row => row.locationId === locations.A1],
  ['DgHazardClassId', acute, row => row.classes.includes(acute as string)],
  ['DgHazardClassId', flammable, row => row.classes.includes(flammable as string)],
  ['DgHazardCategoryId', category, row => row.categories.includes(category)],
  ['LogisticUnitId', mixed, row => row.unitId === mixed],
  ['LogisticUnitId', moved, row => row.unitId === moved],
  ['Batch', 'b7', row => row.batch?.toLowerCase() === 'b7'],
  ['ExpiryTo', '2027-01-01', row => row.expires !== null && row.expires <= '2027-01-01'],
  ['ExpiryTo', '2026-12-31', row => row.expires !== null && row.expires <= '2026-12-31'],
  ['HoldKind', '1', row => row.holdKind === 1],
  ['HoldKind', '2', row => row.holdKind === 2],
  ...['paint', 'LUE PA', 'lot-12', '0001', '9412', 'ap', 'l', 'nothing'].map(
    (text): Filter => [
      'SearchText',
      text,
      row =>
        row.text.includes(text.toLowerCase()) ||
        Boolean(row.batch?.toLowerCase().includes(text.toLowerCase())) ||
        Boolean(row.sscc?.includes(text)),
    ],
  ),
]

const queryOf = (chosen: Filter[]) =>
  new URLSearchParams(Object.fromEntries(chosen.map(([name, value]) => [name, value])))

/** The entries that the list must contain, with the rows that it must show, in order. */
function expectedEntries(rows: ReferenceRow[], includeDepleted: boolean, chosen: Filter[]) {
  const entries = new Map<string, ReferenceRow[]>()
  for (const row of rows) {
    if (!includeDepleted && row.isDepleted) continue
    if (chosen.every(([, , matches]) => matches(row)))
      entries.set(row.entry, [...(entries.get(row.entry) ?? []), row])
  }
  return [...entries.keys()]
    .toSorted()
    .map(entry => [entry, (entries.get(entry) ?? []).map(({ id }) => id).toSorted()])
}

type Entry = {
  logisticUnit: { warehouseLogisticUnitId: string } | null
  products: { warehouseProductId: string }[]
}
const listedEntries = (inventory: Entry[]) =>
  inventory.map(({ logisticUnit, products: rows }) => [
    logisticUnit?.warehouseLogisticUnitId ?? rows[0]?.warehouseProductId,
    rows.map(({ warehouseProductId }) => warehouseProductId).toSorted(),
  ])

test('every filter and every pair of filters lists what matches, with the exact total', async () => {
  const rows = await readReferenceRows()
  const pairs = filters.flatMap((a, i) => [[a], ...filters.slice(i + 1).map(b => [a, b])])
  let found = 0
  for (const chosen of [[], ...pairs]) {
    if (chosen.length === 2 && chosen[0]?.[0] === chosen[1]?.[0]) continue
    for (const includeDepleted of [false, true]) {
      const query = queryOf(chosen)
      query.set('IncludeDepleted', String(includeDepleted))
      const { body } = await admin.get(`/v1/inventory?${query}`)
      const expected = expectedEntries(rows, includeDepleted, chosen)
      assert.deepEqual(listedEntries(body.inventory), expected, String(query))
      assert.equal(body.total, expected.length, String(query))
      found += expected.length
    }
  }
  assert.ok(found > 300, `${found} entries were found.`)
})

test('the pages together list each entry once, and a page past the end is empty', async () => {
  const expected = expectedEntries(await readReferenceRows(), false, [])
  const listed = []
  for (let index = 1; ; index++) {
    const { body } = await admin.get(`/v1/inventory?PageSize=3&PageIndex=${index}`)
    assert.deepEqual([body.index, body.total], [index, expected.length])
    if (body.inventory.length === 0) break
    listed.push(...listedEntries(body.inventory))
  }
  assert.deepEqual(listed, expected)
})

test('paging works alike for a text that is frequent and for one that is rare', async () => {
  const rows = await readReferenceRows()
  for (const text of ['p', 'l', 'a', '1'])
    for (const includeDepleted of [false, true])
      for (const more of [
        [],
        ...filters.filter(([name]) => /^(PartnerId|WarehouseId)$/.test(name)).map(f => [f]),
      ]) {
        const matches = (row: ReferenceRow) =>
          [row.text, row.batch?.toLowerCase(), row.sscc].some(field => field?.includes(text))
        const chosen: Filter[] = [['SearchText', text, matches], ...more]
        const expected = expectedEntries(rows, includeDepleted, chosen)
        const query = `${queryOf(chosen)}&IncludeDepleted=${includeDepleted}&PageSize=1`
        const listed = []
        for (let index = 1; index <= expected.length + 1; index++) {
          const { body } = await admin.get(`/v1/inventory?${query}&PageIndex=${index}`)
          assert.equal(body.total, expected.length, query)
          listed.push(...listedEntries(body.inventory))
        }
        assert.deepEqual(listed, expected, query)
      }
})

test('stock as of now equals the current stock, with every filter', async () => {
  for (const isCheckpointed of [false, true]) {
    if (isCheckpointed) await writeCheckpoint(database, organisationId)
    const rows = await readReferenceRows()
    const at = new Date().toISOString()
    for (const chosen of filters) {
      const query = `${queryOf([chosen])}&AsOfUtc=${at}`
      const { body } = await admin.get(`/v1/inventory?${query}`)
      const expected = expectedEntries(rows, false, [chosen])
      assert.deepEqual(listedEntries(body.inventory), expected, query)
      assert.equal(body.total, expected.length, query)
    }
  }
})

test('an entry has every field of the specification, and the sums of the whole unit', async () => {
  const { body } = await admin.get(`/v1/inventory?LogisticUnitId=${mixed}&PartnerProductId=${paint}`)
  assert.equal(body.total, 1)
  const place = {
    warehouseLocationId: locations.A1,
    warehouseLocationName: 'A-01',
    warehouseLocationType: 1,
    warehouseId,
    warehouseName: 'Auckland',
  }
  assert.deepEqual(body.inventory, [
    {
      logisticUnit: {
        warehouseLogisticUnitId: mixed,
        partnerId: clientId,
        partnerName: 'Kauri Foods',
        logisticUnitNumber: 'LU-000001',
        referenceNumber: 'CAGE-1',
        ssccNumber: sscc[0],
        ...place,
        availableQuantity: 12,
        availableVolumeM3: 0.6,
        availableWeightKG: 11,
        onHandQuantity: 15,
        onHandVolumeM3: 0.6,
        onHandWeightKG: 13,
      },
      products: [
        {
          warehouseProductId: full,
          partnerId: clientId,
          partnerName: 'Kauri Foods',
          partnerProductId: paint,
          partnerProductCode: 'PAINT',
          partnerProductName: 'Blue paint',
          isSerialRequired: false,
          serialTrackingMode: 1,
          isDangerousGood: true,
          dgUnNumber: 1263,
          dgHazchemFireCode: 6,
          dgHazchemSafetyCode: 10,
          dgHazchemEvacuate: true,
          batch: 'B7',
          bestBeforeDate: '2027-01-01',
          expiryDate: '2027-01-02',
          packagingDate: '2027-01-03',
          productionDate: '2027-01-04',
          sellByDate: '2027-01-05',
          ...place,
          availableQuantity: 8,
          availableVolumeM3: 0.5,
          availableWeightKG: 10,
          onHandQuantity: 8,
          onHandVolumeM3: 0.5,
          onHandWeightKG: 10,
          attributes: [{ id: colour, productAttributeId: colour, name: 'Colour', description: 'Blue' }],
          allocatedQuantity: 0,
          receivedDate: '2026-05-01',
          inventoryHoldId: null,
          holdKind: null,
          isQuarantined: false,
          itemCount: 0,
        },
      ],
    },
  ])
})

test('held and quarantined stock is on hand but not available, and serials are counted', async () => {
  const read = async (query: string) => (await admin.get(`/v1/inventory?${query}`)).body.inventory
  const [held] = await read(`PartnerId=${clientId}&HoldKind=1`)
  assert.equal(held.logisticUnit, null)
  const { onHandQuantity, availableQuantity, availableWeightKG, holdKind, inventoryHoldId } = held.products[0]
  assert.deepEqual([onHandQuantity, availableQuantity, availableWeightKG], [9, 0, 0])
  assert.deepEqual([holdKind, inventoryHoldId], [1, general])
  const [quarantined] = await read(`WarehouseLocationId=${locations.Q1}`)
  assert.equal(quarantined.products[0].isQuarantined, true)
  assert.equal(quarantined.products[0].availableQuantity, 0)
  const [serial] = await read(`PartnerProductId=${products.SCALE}`)
  assert.equal(serial.products[0].warehouseProductId, scales)
  assert.equal(serial.products[0].itemCount, 2)
  assert.equal(serial.products[0].isSerialRequired, true)
  assert.equal(serial.products[0].dgHazchemEvacuate, null)
})

test('the products of a unit are sorted by code, expiry and batch', async () => {
  const { body } = await admin.get(`/v1/inventory?LogisticUnitId=${mixed}&IncludeDepleted=true`)
  const order = body.inventory[0].products.map((product: Record<string, unknown>) => [
    product.partnerProductCode,
    product.batch,
  ])
  assert.deepEqual(order, [
    ['APPLE', 'B7'],
    ['APPLE', 'OLD'],
    ['APPLE', null],
    ['PAINT', 'B7'],
  ])
})

test('a client’s token sees only its own stock, whatever the filter', async () => {
  const rows = await readReferenceRows()
  const own = filters.find(([, value]) => value === otherClient) as Filter
  const rimu = world.as(admin, { partnerId: otherClient })
  for (const chosen of [[], ...filters.map(filter => [filter])]) {
    const query = queryOf(chosen)
    const { body } = await rimu.get(`/v1/inventory?${query}`)
    const expected = expectedEntries(rows, false, [own, ...chosen])
    assert.deepEqual(listedEntries(body.inventory), expected, String(query))
    assert.equal(body.total, expected.length)
  }
  const stranger = await world.stranger()
  assert.deepEqual((await stranger.get('/v1/inventory?IncludeDepleted=true')).body, {
    index: 1,
    total: 0,
    inventory: [],
  })
})

test('totals stay exact while stock comes and goes and the counts are folded', async () => {
  const total = async () => (await admin.get(`/v1/inventory?PartnerProductId=${products.RADIO}`)).body.total
  const ids: string[] = []
  for (let n = 0; n < 6; n++) {
    ids.push(await stored(1, { productId: products.RADIO, batch: `R${n}` }))
    if (n % 2 === 0) await foldInventoryCounts(database)
  }
  assert.equal(await total(), 6)
  for (const id of ids.slice(0, 4)) await emptyRow(id)
  assert.equal(await total(), 2)
  while (await foldInventoryCounts(database)) {}
  assert.equal(await total(), 2)
  const { unfolded } = await database.db.row<{ unfolded: number }>(
    sql`select count(*) as unfolded from inventory_count where not is_folded`,
  )
  assert.equal(unfolded, 0)
})
