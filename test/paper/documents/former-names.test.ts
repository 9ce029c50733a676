import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import { hazardClassId } from '../../../src/reference-data/load-reference-data.ts'
import { openAllocation } from '../../support/given-allocation.ts'
import { goods, openInwards } from '../../support/given-inwards.ts'
import { textOf } from '../../support/pdf.ts'

const outwards = await openAllocation()
const inwards = await openInwards()
const { admin } = outwards

type Caller = typeof admin

/** The text of a paper of a consignment, without the time at which it was printed. */
async function paperOf(caller: Caller, path: string): Promise<string> {
  const { status, bytes } = await caller.get(path)
  assert.equal(status, 200, bytes.toString())
  return (await textOf(bytes)).replace(/Printed [^\n]*/g, '')
}

const papersOf = async (caller: Caller, id: string, names: readonly string[]) =>
  Object.fromEntries(
    await Promise.all(
      names.map(async name => [name, await paperOf(caller, `/v1/consignments/${id}/${name}`)] as const),
    ),
  )

async function changed(caller: Caller, path: string, body: object): Promise<void> {
  const answer = await caller.put(path, body)
  assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`)
}

const paint = {
  ...{ isDangerousGood: true, dgUnNumber: '1263', dgProperShippingName: 'Paint', dgPackagingGroup: 2 },
  ...{ weightKG: 20, dgHazardClasses: [{ dgHazardClassId: hazardClassId(3, '3') }] },
}
const address = { name: 'Kauri Store', streetAddress: '1 Wharf Street', city: 'Auckland', country: 'NZ' }
const outwardPapers = ['detail-pdf', 'dispatch-confirmation-pdf', 'dg-declaration-pdf', 'pallet-labels']

test('papers of goods that left tell the names, hazards and numbers of then', async () => {
  const { clientId, carrierId, warehouseId, database, organisationId } = outwards
  await changed(admin, `/v1/warehouses/${warehouseId}`, { address })
  const product = await outwards.fresh({ ...paint, gtin: '9421234567892' })
  const logisticUnitId = await outwards.unit('PAL-20')
  await changed(admin, `/v1/logistic-units/${logisticUnitId}`, { ssccNumber: '394212340000001236' })
  await outwards.stored(5, { productId: product.productId, logisticUnitId })
  const id = await outwards.ready([{ ...product, quantity: 5 }])
  const serviceTypeId = (await admin.post('/v1/service-types', { name: 'Tail lift', code: 'TL' })).body
    .serviceTypeId
  await database.atomically(async tx => {
    await tx.run(sql`update consignment set carrier_id = ${carrierId}
      where organisation_id = ${organisationId} and id = ${id}`)
    await tx.run(sql`insert into consignment_service_type (organisation_id, consignment_id, service_type_id)
      values (${organisationId}, ${id}, ${serviceTypeId})`)
  })
  await outwards.allocated(id)
  await changed(admin, `/v1/consignments/${id}/status`, { status: 7 })
  const asTheyLeft = await papersOf(admin, id, outwardPapers)

  await changed(admin, `/v1/partners/${clientId}`, { name: 'Renamed client', code: 'RENCLI' })
  await changed(admin, `/v1/partners/${carrierId}`, { name: 'Renamed carrier', code: 'REN' })
  await changed(admin, `/v1/warehouses/${warehouseId}`, {
    name: 'Renamed warehouse',
    address: { ...address, streetAddress: 'Moved Road' },
  })
  await changed(admin, `/v1/partners/${clientId}/products/${product.productId}`, {
    ...{ code: 'RENAMED', name: 'Renamed product', gtin: '9421234567885', weightKG: 1 },
    ...{ dgUnNumber: '1830', dgProperShippingName: 'Sulphuric acid' },
    dgHazardClasses: [{ dgHazardClassId: hazardClassId(3, '8') }],
  })
  await changed(admin, `/v1/logistic-units/${logisticUnitId}`, { referenceNumber: 'PAL-RENAMED' })
  await changed(admin, `/v1/service-types/${serviceTypeId}`, { name: 'Renamed service' })

  assert.deepEqual(await papersOf(admin, id, outwardPapers), asTheyLeft)
  const label = await paperOf(admin, `/v1/logistic-units/${logisticUnitId}/label`)
  assert.doesNotMatch(label, /Renamed|RENAMED|Moved/)

  // What has not left tells what is true now.
  const next = await outwards.ready([{ ...product, quantity: 1 }])
  const detail = await paperOf(admin, `/v1/consignments/${next}/detail-pdf`)
  assert.match(detail, /RENAMED/)
  assert.match(detail, /Renamed client \(RENCLI\)/)
  const kept = await database.db.row<{ count: number }>(sql`
    select count(*)::int as count from former_record
    where organisation_id = ${organisationId} and record_id = ${product.productId}`)
  assert.equal(kept.count, 1, 'one change of a product is kept once')
})

test('a receipt confirmation tells the names and places of when the goods came', async () => {
  const { admin: caller, clientId, locations, products, warehouseId } = inwards
  const id = await inwards.announce([goods('APPLE', 10)])
  const names = ['detail-pdf', 'receipt-confirmation-pdf']
  await inwards.received(id, {
    receipts: [
      {
        consignmentProductId: (await inwards.linesOf(id))[0],
        quantity: 7,
        warehouseLocationId: locations.A1,
        hold: { kind: 2, reason: 'Wet' },
      },
    ],
  })
  const asTheyCame = await papersOf(caller, id, names)
  assert.match(asTheyCame['receipt-confirmation-pdf'] ?? '', /7 in A-01/)
  await changed(caller, `/v1/partners/${clientId}/products/${products.APPLE}`, { name: 'Renamed product' })
  await changed(caller, `/v1/warehouses/${warehouseId}/locations/${locations.A1}`, { name: 'RENAMED-1' })
  await changed(caller, `/v1/partners/${clientId}`, { name: 'Renamed client' })
  const [{ id: inventoryHoldId }] = (await caller.get('/v1/inventory/holds')).body.holds
  await changed(caller, `/v1/inventory/holds/${inventoryHoldId}`, { reason: 'Renamed reason' })
  assert.deepEqual(await papersOf(caller, id, names), asTheyCame)
})
