import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hazardClassId } from '../../../../src/reference-data/load-reference-data.ts'
import { ConsignmentStatus } from '../../../../src/vocabulary/consignments.ts'
import { openAllocation } from '../../../support/given-allocation.ts'
import { goods, openInwards } from '../../../support/given-inwards.ts'
import { openPrinters } from '../../../support/given-paper-printers.ts'
import { linesOf, textOf } from '../../../support/pdf.ts'

const world = await openAllocation()
const { admin, ready, allocated, stored, fresh, warehouseId } = world
const { printers, job } = await openPrinters(world, warehouseId)
const inwards = await openInwards()

const [liquid, toxic] = [hazardClassId(3, '3'), hazardClassId(3, '8')]
const paint = {
  isDangerousGood: true,
  dgUnNumber: '1263',
  dgProperShippingName: 'Paint',
  dgPackagingGroup: 2,
  dgFlashpointDegC: '23',
  dgHazchemEac: '3YE',
  weightKG: 20,
  volumeM3: 0.025,
  dgHazardClasses: [{ dgHazardClassId: liquid }],
}
const declarationOf = (id: string, caller = admin) => caller.get(`/v1/consignments/${id}/dg-declaration-pdf`)
async function declared(id: string): Promise<string> {
  const { status, bytes } = await declarationOf(id)
  assert.equal(status, 200, bytes.toString())
  return (await textOf(bytes)).replace(/\n/g, ' ')
}

test('one package is declared as one', async () => {
  const a = await fresh(paint)
  const id = await ready([{ ...a, quantity: 1 }], { status: ConsignmentStatus.Pending })
  assert.match(await declared(id), /1 package UN 1263, PAINT/)
})

test('before picking, it declares the expected quantities and is marked PROVISIONAL', async () => {
  const a = await fresh(paint)
  const id = await ready([{ ...a, quantity: 12 }], { status: ConsignmentStatus.Pending })
  const text = await declared(id)
  assert.match(text, /12 packages UN 1263, PAINT, 3, PG II, \(23 °C c\.c\.\)/)
  assert.match(text, /PROVISIONAL/)
  assert.match(text, /240/)
  assert.match(text, /Hazchem 3YE/)
  for (const expected of [
    "SHIPPER'S DECLARATION",
    'CONTAINER/VEHICLE PACKING CERTIFICATE',
    'RECEIVING ORGANIZATION RECEIPT',
  ])
    assert.ok(text.includes(expected), expected)
  assert.match(text, /1 of 1 pages/)
})

test('picked quantities are declared, and only of dangerous goods', async () => {
  const [a, b] = [await fresh(paint), await fresh()]
  await stored(5, { productId: a.productId })
  await stored(5, { productId: b.productId })
  const id = await ready([
    { ...a, quantity: 12 },
    { ...b, quantity: 5 },
  ])
  await allocated(id)
  assert.equal((await admin.put(`/v1/consignments/${id}/status`, { status: 3 })).status, 200)
  const text = await declared(id)
  assert.match(text, /5 packages UN 1263/)
  assert.doesNotMatch(text, /PROVISIONAL/)
  assert.equal((await admin.put(`/v1/consignments/${id}/status`, { status: 7 })).status, 200)
  assert.match(await declared(id), /5 packages UN 1263/)
})

const statusOf = async (id: string, status: number) =>
  assert.equal((await admin.put(`/v1/consignments/${id}/status`, { status })).status, 200)
const linesOfConsignment = async (id: string): Promise<string[]> =>
  (await admin.get(`/v1/consignments/${id}`)).body.products.map((line: { id: string }) => line.id)
/** Allocates this stock to the first line of a consignment, whatever its product is. */
async function chosen(id: string, warehouseProductId: string): Promise<void> {
  const [consignmentProductId] = await linesOfConsignment(id)
  const stock = [{ warehouseProductId }]
  const body = { lines: [{ consignmentProductId, stock, isOverride: true }] }
  const answer = await admin.post(`/v1/consignments/${id}/allocate`, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
}

test('goods sent for others are declared, and goods that others were sent for are not', async () => {
  const [petrol, plain] = [
    await fresh({ ...paint, dgUnNumber: '1203', dgProperShippingName: 'Petrol' }),
    await fresh({ weightKG: 3 }),
  ]
  const rowOf = (productId: string) => stored(4, { productId }, { weightKG: 100, volumeM3: 0.1 })
  const [petrolRow, plainRow] = [await rowOf(petrol.productId), await rowOf(plain.productId)]
  await admin.put(`/v1/partners/${world.clientId}`, { productSubstitution: 1 })

  const orderedPlain = await ready([{ ...plain, quantity: 4 }])
  assert.equal((await declarationOf(orderedPlain)).status, 400)
  await chosen(orderedPlain, petrolRow)
  const chosenPetrol = await declared(orderedPlain)
  assert.match(chosenPetrol, /4 packages UN 1203, PETROL/)
  assert.match(chosenPetrol, /PROVISIONAL/)
  await statusOf(orderedPlain, 7)
  const left = await declared(orderedPlain)
  assert.match(left, /4 packages UN 1203, PETROL.* 100 /, 'with the weight that it came with')
  assert.doesNotMatch(left, /PROVISIONAL/)

  const orderedPetrol = await ready([{ ...petrol, quantity: 4 }])
  await chosen(orderedPetrol, plainRow)
  for (const status of [null, 3, 7]) {
    if (status !== null) await statusOf(orderedPetrol, status)
    const { body } = await declarationOf(orderedPetrol)
    assert.match(body.ErrorMessages[0], /has no dangerous goods/)
  }
})

test('a line that is not allocated yet is declared as expected beside one that is picked, as PROVISIONAL', async () => {
  const [a, b] = [await fresh(paint), await fresh({ ...paint, dgUnNumber: '1993', weightKG: 7 })]
  const warehouseProductId = await stored(5, { productId: a.productId }, { weightKG: 60 })
  const id = await ready([
    { ...a, quantity: 5 },
    { ...b, quantity: 3 },
  ])
  await allocated(id)
  const [line] = await linesOfConsignment(id)
  const pick = { consignmentProductId: line, quantity: 2, warehouseProductId }
  const picked = await admin.post(`/v1/consignments/${id}/pick`, { picks: [pick] })
  assert.equal(picked.status, 200, JSON.stringify(picked.body))
  const text = await declared(id)
  assert.match(text, /5 packages UN 1263.* 60 .*3 packages UN 1993.* 21 /)
  assert.match(text, /PROVISIONAL/)
  // What was never chosen does not leave.
  await statusOf(id, 3)
  const atTheDock = await declared(id)
  assert.match(atTheDock, /2 packages UN 1263.* 24 /)
  assert.doesNotMatch(atTheDock, /UN 1993|PROVISIONAL/)
})

test('packages are counted in the units of the product, never items under the name of a package', async () => {
  const [carton, can] = [
    await world.made('/v1/unit-types', { name: 'Carton' }),
    await world.made('/v1/unit-types', { name: 'Can' }),
  ]
  const drum = await world.made('/v1/unit-types', { name: 'Drum' })
  const packageTypeId = await world.made('/v1/package-types', { code: 'DRM', name: 'Drum' })
  const unitConversions = [
    { inputMetricType: 2, outputMetricType: 3, outputUnitTypeId: carton, conversionRate: 10 },
    { inputMetricType: 3, inputUnitTypeId: carton, outputMetricType: 1, conversionRate: 12 },
    { inputMetricType: 3, inputUnitTypeId: drum, outputMetricType: 1, conversionRate: 6 },
  ]
  const a = await fresh({ ...paint, unitTypeId: can, unitConversions })
  const inDrums = await ready([{ ...a, quantity: 13, packageTypeId }], { status: ConsignmentStatus.Pending })
  assert.match(await declared(inDrums), /2 Drum and 1 Can UN 1263/)
  const inCartons = await ready([{ ...a, quantity: 130 }], { status: ConsignmentStatus.Pending })
  assert.match(await declared(inCartons), /10 Carton and 1 Drum and 4 Can UN 1263/)
  const b = await fresh({ ...paint, unitTypeId: can })
  const single = await ready([{ ...b, quantity: 12, packageTypeId }], { status: ConsignmentStatus.Pending })
  assert.match(await declared(single), /12 Can UN 1263/)
})

test('the first hazard class is the primary one', async () => {
  const a = await fresh({
    ...paint,
    dgHazardClasses: [{ dgHazardClassId: toxic }, { dgHazardClassId: liquid }],
  })
  const id = await ready([{ ...a, quantity: 1 }])
  assert.match(await declared(id), /PAINT, 8 \(3\), PG II/)
  const detail = await admin.get(`/v1/partners/${world.clientId}/products/${a.productId}`)
  assert.deepEqual(
    detail.body.dgHazardClasses.map((hazard: { dgHazardClass: { id: string } }) => hazard.dgHazardClass.id),
    [toxic, liquid],
  )
  const turned = { dgHazardClasses: [{ dgHazardClassId: liquid }, { dgHazardClassId: toxic }] }
  const path = `/v1/partners/${world.clientId}/products/${a.productId}`
  assert.equal((await admin.put(path, turned)).status, 200)
  assert.match(await declared(id), /PAINT, 3 \(8\), PG II/)
  assert.equal((await admin.put(path, turned)).status, 304)
})

test('the emergency phone number is the one of the organisation', async () => {
  const a = await fresh(paint)
  const id = await ready([{ ...a, quantity: 1 }])
  assert.equal((await admin.put('/v1/organisation', { dgEmergencyPhone: '0800 243 622' })).status, 200)
  assert.match(await declared(id), /24 hour contact number:.* 0800 243 622/)
})

test('missing data of dangerous goods are reported in one sentence per product', async () => {
  const [a, b] = [
    await fresh({ ...paint, dgUnNumber: null, weightKG: null }),
    await fresh({ ...paint, dgPackagingGroup: null }),
  ]
  const id = await ready([
    { ...a, quantity: 1 },
    { ...b, quantity: 1 },
  ])
  const { status, body } = await declarationOf(id)
  assert.equal(status, 400)
  assert.deepEqual(body, {
    ErrorType: 'Verification Failed',
    ErrorMessages: [
      `${a.productCode} has no UN number of four digits, a mass that is not known.`,
      `${b.productCode} has no packing group.`,
    ],
  })
  const withoutDangerousGoods = await ready([{ quantity: 1 }])
  assert.match((await declarationOf(withoutDangerousGoods)).body.ErrorMessages[0], /has no dangerous goods/)
  const print = await admin.post(`/v1/consignments/${withoutDangerousGoods}/dg-declaration-pdf/print`, {
    printerId: printers.document,
  })
  assert.equal(print.status, 400)
  assert.equal(print.body.ErrorType, 'Verification Failed')
})

test('a line without a mass makes the mass of its goods unknown, even if others have one', async () => {
  const code = 'LACQUER'
  const product = { ...paint, code, name: 'Lacquer', weightKG: 0 }
  await inwards.made(`/v1/partners/${inwards.clientId}/products`, product)
  const line = (weightKG: number) => ({ productCode: code, items: [{ quantity: 1, weightKG }] })
  const id = await inwards.announce([line(20), line(0)])
  const { body } = await inwards.admin.get(`/v1/consignments/${id}/dg-declaration-pdf`)
  assert.deepEqual(body.ErrorMessages, ['LACQUER has a mass that is not known.'])
})

test('an Inwards consignment declares the expected quantities', async () => {
  const product = await inwards.made(`/v1/partners/${inwards.clientId}/products`, {
    ...paint,
    code: 'PAINT',
    name: 'Paint',
  })
  assert.ok(product)
  const id = await inwards.announce([goods('PAINT', 4, { packageTypeCode: 'BOX' })], {
    referenceNumber: 'REF-7',
    carrierCode: 'SWF',
    containerNumber: 'MSKU1234565',
    containerSealNumber: 'SEAL-9',
    containerVesselName: 'MV Tui',
    containerVoyage: '042E',
    originAddress: { name: 'Plant', city: 'Sydney', country: 'Australia' },
    destinationAddress: { name: 'Shed', city: 'Auckland', country: 'New Zealand' },
  })
  const { bytes } = await inwards.admin.get(`/v1/consignments/${id}/dg-declaration-pdf`)
  const text = (await textOf(bytes)).replace(/\n/g, ' ')
  for (const expected of [
    '4 packages UN 1263',
    'REF-7',
    'MSKU1234565',
    'SEAL-9',
    'MV Tui, 042E',
    'Kauri Foods',
    'Shed',
    'Swift',
  ])
    assert.ok(text.includes(expected), `${expected} in ${text}`)
})

test('40 rows continue over several pages, each with boxes 1 to 5', async () => {
  const products = await Promise.all(Array.from({ length: 40 }, () => fresh(paint)))
  const id = await ready(products.map(product => ({ ...product, quantity: 1 })))
  const { bytes } = await declarationOf(id)
  const pages = await linesOf(bytes)
  assert.ok(pages.length > 1)
  for (const [i, lines] of pages.entries()) {
    const text = lines.join(' ')
    assert.match(text, /Transport document number/)
    assert.match(text, new RegExp(`${i + 1} of ${pages.length} pages`))
  }
  const rows = pages
    .flat()
    .join(' ')
    .match(/UN 1263/g)?.length
  assert.equal(rows, 40)
})

test('it is printed on the printer named at the top level of the body', async () => {
  const id = await ready([{ ...(await fresh(paint)), quantity: 1 }])
  const { status, body } = await admin.post(`/v1/consignments/${id}/dg-declaration-pdf/print`, {
    printerId: printers.document,
    copies: 2,
  })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual([(await job(body.printJobId)).kind, (await job(body.printJobId)).copies], [4, 2])
})
