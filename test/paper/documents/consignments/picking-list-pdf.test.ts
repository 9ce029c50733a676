import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hazardClassId } from '../../../../src/reference-data/load-reference-data.ts'
import { ConsignmentStatus } from '../../../../src/vocabulary/consignments.ts'
import { openAllocation } from '../../../support/given-allocation.ts'
import { openPrinters } from '../../../support/given-paper-printers.ts'
import { barcodesIn, factsOf, linesOf, picturesOf, textOf } from '../../../support/pdf.ts'

const world = await openAllocation()
const { admin, clientId, carrierId, warehouseId, locations, ready, allocated, stored, fresh } = world
const { printers, job } = await openPrinters(world, warehouseId)

const listOf = (id: string, query = '', caller = admin) =>
  caller.get(`/v1/consignments/${id}/picking-list-pdf?${query}`)
/** Returns the lines of the picking list of a consignment. */
async function lines(id: string, query = ''): Promise<string[]> {
  const { status, bytes } = await listOf(id, query)
  assert.equal(status, 200, bytes.toString())
  return (await linesOf(bytes)).flat()
}
const numberOf = async (id: string): Promise<string> =>
  (await admin.get(`/v1/consignments/${id}`)).body.consignmentNumber
const whereabouts = (all: readonly string[], ...texts: string[]) =>
  texts.map(text => all.findIndex(line => line.includes(text)))
const inOrder = (places: number[]) =>
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  )

test('a picking list has locations in walking order, with products, batches and dates', async () => {
  const a = await fresh({ expiryUsage: 2, rotationMethod: 2 })
  const b = await fresh({ pickInstructions: 'Two people lift.' })
  await stored(30, {
    productId: a.productId,
    batch: 'L1',
    expiryDate: '2047-03-01',
    warehouseLocationId: locations.A2,
  })
  await stored(5, { productId: b.productId, warehouseLocationId: locations.A1 })
  const id = await ready([
    { ...a, quantity: 12 },
    { ...b, quantity: 5 },
  ])
  await allocated(id)
  const all = await lines(id)
  assert.ok(all.includes('Picking list'))
  assert.ok(
    all.some(line => line.startsWith('A-02') && line.includes(`${a.productCode} L1 1 Mar 2047 12`)),
    all.join('\n'),
  )
  assert.ok(all.some(line => line.includes('Expiry')))
  assert.ok(all.some(line => line.includes('Two people lift.')))
  inOrder(whereabouts(all, `A-01 ${b.productCode}`, `A-02 ${a.productCode}`))
})

test('it can be sorted by product code or name', async () => {
  const [p2, p10] = [await fresh(), await fresh()]
  await stored(5, { productId: p2.productId, warehouseLocationId: locations.B1 })
  await stored(5, { productId: p10.productId, warehouseLocationId: locations.A1 })
  const id = await ready([
    { ...p10, quantity: 1 },
    { ...p2, quantity: 1 },
  ])
  await allocated(id)
  inOrder(whereabouts(await lines(id), p10.productCode, p2.productCode))
  inOrder(whereabouts(await lines(id, 'SortBy=2'), p2.productCode, p10.productCode))
  inOrder(whereabouts(await lines(id, 'SortBy=3'), p2.productCode, p10.productCode))
})

test('short quantities are in a separate block at the end', async () => {
  const a = await fresh()
  await stored(3, { productId: a.productId })
  const id = await ready([{ ...a, quantity: 10 }])
  await allocated(id)
  const all = await lines(id)
  const short = all.indexOf('Short')
  assert.ok(short > all.findIndex(line => line.startsWith('A-01')))
  assert.ok(
    all.slice(short).some(line => line.includes(`${a.productCode} 7`)),
    all.join('\n'),
  )
})

test('before allocation, it lists the expected lines and is headed NOT ALLOCATED', async () => {
  const a = await fresh()
  await stored(3, { productId: a.productId })
  const id = await ready([{ ...a, quantity: 2 }], { status: ConsignmentStatus.Pending })
  const all = await lines(id)
  assert.ok(all.some(line => line.startsWith('NOT ALLOCATED')))
  assert.ok(all.some(line => line.includes(`${a.productCode} 2`)))
  assert.ok(!all.some(line => line.startsWith('A-01')))
})

test('dangerous goods are marked with UN number, class and packing group', async () => {
  const a = await fresh({
    isDangerousGood: true,
    dgUnNumber: '1263',
    dgPackagingGroup: 2,
    dgHazardClasses: [{ dgHazardClassId: hazardClassId(3, '3') }],
  })
  await stored(3, { productId: a.productId })
  const id = await ready([{ ...a, quantity: 2 }])
  await allocated(id)
  assert.match((await lines(id)).join('\n'), /UN 1263 · Class 3 Flammable liquids · PG II/)
})

test('requested serials are listed below their row', async () => {
  const a = await fresh({ serialTrackingMode: 2 })
  const row = await stored(0.0001, { productId: world.products.APPLE, batch: 'x' })
  assert.ok(row)
  const id = await ready([{ ...a, quantity: 2, serials: ['SN-1', 'SN-2'] }], { status: 1 })
  assert.match((await lines(id)).join('\n'), /SN-1 SN-2/)
})

test('quantities are shown in packs too', async () => {
  const carton = await world.made('/v1/unit-types', { name: 'Carton' })
  const a = await fresh({
    unitConversions: [
      { inputMetricType: 3, inputUnitTypeId: carton, outputMetricType: 1, conversionRate: 12 },
    ],
  })
  await stored(100, { productId: a.productId })
  for (const [quantity, packs] of [
    [28, /2 Carton \+ 4 items/],
    [13, /1 Carton \+ 1 item$/m],
  ] as const) {
    const id = await ready([{ ...a, quantity }])
    await allocated(id)
    assert.match((await lines(id)).join('\n'), packs)
  }
})

test('it names the warehouse and where the goods go, and counts rows, pallets, weight and quantity', async () => {
  const [a, b] = [await fresh({ weightKG: 2 }), await fresh()]
  const unitId = await world.unit('PAL-31')
  await stored(5, { productId: a.productId, logisticUnitId: unitId }, { weightKG: 12.5 })
  await stored(3, { productId: b.productId, warehouseLocationId: locations.A2 }, { weightKG: 6 })
  const facts = {
    destinationAddress: { name: 'Harbour Shop', streetAddress: '9 Quay Street', city: 'Nelson' },
    destinationAddressAttention: 'Mere',
    deliveryInstructions: 'Ring twice.',
  }
  const wanted = [
    { ...a, quantity: 4 },
    { ...b, quantity: 3 },
  ]
  const id = await ready(wanted, facts as object)
  await allocated(id)
  const all = (await lines(id)).join('\n')
  for (const shown of ['Auckland', 'Harbour Shop', '9 Quay Street', 'Attention: Mere', 'Ring twice.'])
    assert.ok(all.includes(shown), `${shown} in\n${all}`)
  assert.match(all, /Lines Pallets to pick from Weight/)
  assert.match(all, /2 1 16 kg/, 'the weight of this part of each row')
  assert.match(all, /Total 7/)
  assert.match(all, /Quantity Short/)
})

test('location and product of each row can be scanned, if that is asked for', async () => {
  const a = await fresh()
  await stored(5, { productId: a.productId, warehouseLocationId: locations.B1 })
  const id = await ready([{ ...a, quantity: 2 }])
  await allocated(id)
  const scanned = async (query: string) => {
    const [first] = await picturesOf((await listOf(id, query)).bytes, 200)
    return (await barcodesIn(first as NonNullable<typeof first>)).toSorted()
  }
  const number = await numberOf(id)
  assert.deepEqual(await scanned('WithCodes=true'), ['B-01', a.productCode, number].toSorted())
  assert.deepEqual(await scanned(''), [number])
})

test('a hazard that several standards name is there once', async () => {
  const a = await fresh({
    isDangerousGood: true,
    dgUnNumber: '1263',
    dgHazardClasses: [1, 3, 4].map(standard => ({
      dgHazardClassId: hazardClassId(standard as 1 | 3 | 4, standard === 1 ? '2.6' : '3'),
    })),
  })
  await stored(3, { productId: a.productId })
  const id = await ready([{ ...a, quantity: 2 }])
  await allocated(id)
  const all = (await lines(id)).join(' ')
  assert.equal(all.match(/Flammable liquids/g)?.length, 1)
  assert.match(all, /UN 1263 · Class 3 Flammable liquids/)
})

test('every page has the number of the consignment as a barcode', async () => {
  const products = await Promise.all(Array.from({ length: 40 }, () => fresh()))
  for (const { productId } of products) await stored(1, { productId })
  const id = await ready(products.map(product => ({ ...product, quantity: 1 })))
  await allocated(id)
  const { bytes } = await listOf(id)
  const pictures = await picturesOf(bytes, 200)
  assert.ok(pictures.length > 1)
  for (const picture of pictures) assert.deepEqual(await barcodesIn(picture), [await numberOf(id)])
  const last = (await linesOf(bytes)).at(-1)?.join('\n')
  assert.match(last ?? '', new RegExp(`Page ${pictures.length} of ${pictures.length}`))
  assert.match(last ?? '', /Location Product/)
})

test('the file has a name, a title, an author and a language', async () => {
  const a = await fresh()
  const id = await ready([{ ...a, quantity: 1 }])
  const { headers, bytes } = await listOf(id)
  const number = await numberOf(id)
  assert.equal(headers['content-type'], 'application/pdf')
  assert.match(
    String(headers['content-disposition']),
    new RegExp(`^attachment; filename="picking-list ${number}.pdf"`),
  )
  const { title, author } = await factsOf(bytes)
  assert.equal(title, `Picking list ${number}`)
  assert.match(author, /^Organisation /)
})

test('pages are A4 portrait by default', async () => {
  const id = await ready([{ ...(await fresh()), quantity: 1 }])
  const sizeOf = async (query: string) => {
    const [{ width, height } = { width: 0, height: 0 }] = await picturesOf(
      (await listOf(id, query)).bytes,
      72,
    )
    return [Math.round(width), Math.round(height)]
  }
  assert.deepEqual(await sizeOf(''), [595, 841])
  assert.deepEqual(await sizeOf('Orientation=2'), [841, 595])
  assert.deepEqual(await sizeOf('PaperSize=2'), [612, 792])
  assert.equal((await admin.put('/v1/organisation', { paperSize: 2 })).status, 200)
  assert.deepEqual(await sizeOf(''), [612, 792])
  assert.equal((await admin.put('/v1/organisation', { paperSize: 1 })).status, 200)
})

test('a consignment that is Inwards, Void or dispatched has no picking list', async () => {
  const a = await fresh()
  await stored(3, { productId: a.productId })
  const dispatched = await ready([{ ...a, quantity: 2 }])
  await allocated(dispatched)
  assert.equal((await admin.put(`/v1/consignments/${dispatched}/status`, { status: 7 })).status, 200)
  const voided = await ready([{ ...a, quantity: 1 }])
  assert.equal((await admin.put(`/v1/consignments/${voided}/void`, {})).status, 200)
  for (const [id, sentence] of [
    [dispatched, /has left; its dispatch confirmation says with what/],
    [voided, /is Void; its detail is its only document/],
  ] as const) {
    const { status, body } = await listOf(id)
    assert.equal(status, 400)
    assert.equal(body.ErrorType, 'Verification Failed')
    assert.match(body.ErrorMessages[0], sentence)
  }
})

test('users of the client can download it, users of the carrier and of other partners cannot', async () => {
  const id = await ready([{ ...(await fresh()), quantity: 1 }])
  const client = world.as(admin, { partnerId: clientId })
  const carrier = world.as(admin, { partnerId: carrierId })
  assert.equal((await listOf(id, '', client)).status, 200)
  assert.equal((await listOf(id, '', carrier)).status, 403)
  assert.equal((await listOf(id, '', await world.stranger())).status, 404)
  assert.equal((await listOf(id, '', world.as(admin, { scopes: ['print'] }))).status, 403)
  assert.equal((await listOf(id, '', world.as(admin, { scopes: ['consignment.read'] }))).status, 200)
})

test('it is printed on a document printer, and the job has the same content as the download', async () => {
  const id = await ready([{ ...(await fresh()), quantity: 1 }])
  const print = (body: object, caller = admin) =>
    caller.post(`/v1/consignments/${id}/picking-list-pdf/print`, body)
  const printOption = { printerId: printers.document, copies: 3 }
  const { status, body } = await print({ sortBy: 2, orientation: 2, printOption })
  assert.equal(status, 200, JSON.stringify(body))
  const { content, ...kept } = await job(body.printJobId)
  assert.deepEqual(kept, {
    name: `Picking list ${await numberOf(id)}`,
    kind: 2,
    contentType: 'application/pdf',
    pages: 1,
    copies: 3,
    orientation: 2,
    media: 'iso_a4_210x297mm',
    partnerId: clientId,
    consignmentId: id,
  })
  assert.match(await textOf(content), /Picking list/)

  for (const [printerId, sentence] of [
    [printers.label, /prints labels, not documents/],
    [printers.offline, /is offline/],
    ['01900000-0000-7000-8000-000000000000', /does not refer to a printer/],
  ] as const) {
    const refused = await print({ printOption: { printerId } })
    assert.equal(refused.status, 400)
    assert.equal(refused.body.ErrorType, 'Verification Failed')
    assert.match(refused.body.ErrorMessages[0], sentence)
  }
  assert.equal((await print({ printOption }, world.as(admin, { scopes: ['consignment'] }))).status, 403)
  assert.equal((await print({ printOption: { printerId: printers.document, copies: 100 } })).status, 400)
})
