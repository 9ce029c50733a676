// The label endpoints: access, formats, and what is sent to a printer.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { sql } from '../../../src/platform/database/db.ts'
import { hazardClassId } from '../../../src/reference-data/load-reference-data.ts'
import { ssccCheckDigit } from '../../../src/stock/logistic-units/sscc.ts'
import { goods, openInwards } from '../../support/given-inwards.ts'
import { givenBridge } from '../../support/given-printers.ts'
import { type Picture, pictureOf, pictureOfPdf, pictureOfZpl, scan } from '../../support/label-pictures.ts'

const world = await openInwards()
const { admin, as, clientId, warehouseId, products, locations, database, made, announce } = world
const { organisationId } = admin.actor
const gtin = '9421234567892'

const textsOf = async (picture: Picture) => (await scan(picture)).map(({ text }) => text)
const label = (width: number, height: number, dotsPerMM = 8) =>
  ({ width, height, dotsPerMM, title: '', elements: [] }) as const

/** Creates an online printer with a bridge of its own, and returns its id. */
async function printer(name: string, language: 1 | 2, type: 1 | 2 = 1): Promise<string> {
  const announced = { name, type, language, ...(type === 1 ? { dotsPerMM: 8 } : {}) }
  const bridge = await givenBridge(world, warehouseId, [announced], name)
  await bridge.claim()
  const { body } = await admin.get(
    `/v1/printer-bridges/printer/options?SearchText=${encodeURIComponent(name)}`,
  )
  return body.printers[0].id
}

const job = (printJobId: string) =>
  database.db.row<{
    kind: number
    name: string
    contentType: string
    content: Buffer
    copies: number
    pages: number
    partnerId: string | null
    consignmentId: string | null
  }>(sql`select kind, name, content_type, f.bytes as content, copies, pages, partner_id, consignment_id
    from print_job j
    join file_content f on f.organisation_id = j.organisation_id and f.sha256 = j.content_sha256
    where j.organisation_id = ${organisationId} and j.id = ${printJobId}`)

/** Creates a logistic unit, and returns its id. */
async function pallet(more: object = {}): Promise<string> {
  const unit = { partnerId: clientId, warehouseId, warehouseLocationId: locations.A1 }
  return made('/v1/logistic-units', { ...unit, ...more })
}

test('a product label has the GTIN and the given batch, expiry date and serial', async () => {
  await admin.put(`/v1/partners/${clientId}/products/${products.APPLE}`, { gtin })
  const path = `/v1/partners/${clientId}/products/${products.APPLE}/label`
  const query = 'Batch=L1&ExpiryDate=2027-03-31&Serial=S7'
  const pdf = await admin.get(`${path}?${query}`)
  assert.equal(pdf.status, 200)
  assert.equal(pdf.headers['content-type'], 'application/pdf')
  assert.match(String(pdf.headers['content-disposition']), /^attachment; filename="Product label APPLE\.pdf"/)
  const expected = '0109421234567892172703311' + '0L1\u001d21S7'
  assert.deepEqual(await textsOf(await pictureOfPdf(pdf.bytes, label(100, 50))), [expected])
  const png = await admin.get(`${path}?${query}&Format=3&Size=60x40&DotsPerMM=12`)
  const picture = await pictureOf(png.bytes)
  assert.deepEqual([picture.width, picture.height], [720, 480])
  assert.deepEqual(await textsOf(picture), [expected])
  const zpl = await admin.get(`${path}?${query}&Format=2&Copies=3`)
  assert.equal(zpl.headers['content-type'], 'application/zpl')
  assert.match(zpl.bytes.toString(), /\^PQ3\^XZ\n$/)
  assert.deepEqual(await textsOf(await pictureOfZpl(zpl.bytes, label(100, 50))), [expected])
})

test('PNG labels can still be made after a logo was uploaded', async () => {
  const content =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const logo = { fileName: 'logo.png', contentType: 'image/png', content }
  assert.equal((await admin.put(`/v1/partners/${clientId}/logo`, { logo })).status, 200)
  const png = await admin.get(`/v1/partners/${clientId}/products/${products.PEAR}/label?Format=3`)
  assert.deepEqual(await textsOf(await pictureOf(png.bytes)), ['PEAR'])
})

test('values that the barcode cannot encode and unknown sizes are refused', async () => {
  const path = `/v1/partners/${clientId}/products/${products.APPLE}/label`
  const refused = async (query: string) => {
    const { status, body } = await admin.get(`${path}?${query}`)
    return [status, body.ErrorType]
  }
  assert.deepEqual(await refused('Batch=A%20B'), [400, 'Verification Failed'])
  assert.deepEqual(await refused(`Serial=${'1'.repeat(21)}`), [400, 'Verification Failed'])
  assert.deepEqual(await refused('Size=100x51'), [400, 'Validation Failed'])
  assert.deepEqual(await refused('ExpiryDate=2027-02-30'), [400, 'Validation Failed'])
  assert.deepEqual(await refused('DotsPerMM=7'), [400, 'Validation Failed'])
  assert.deepEqual(await refused('Copies=100'), [400, 'Validation Failed'])
})

test('a pallet label has the SSCC, and the contents if they are of one product and batch', async () => {
  const id = await pallet({ ssccNumber: '394212340000001236' })
  await world.stored(48, { logisticUnitId: id, batch: 'L7', bestBeforeDate: '2027-03-31' })
  const path = `/v1/logistic-units/${id}/label`
  const uniform = await admin.get(`${path}?Format=3`)
  const contents = ['02094212345678923748', '1527033110L7']
  assert.deepEqual(await textsOf(await pictureOf(uniform.bytes)), [...contents, '00394212340000001236'])
  await world.stored(2, { logisticUnitId: id, batch: 'L8' })
  const mixed = await admin.get(`${path}?Format=3&Size=4x6in`)
  assert.deepEqual(await textsOf(await pictureOf(mixed.bytes)), ['00394212340000001236'])
  const withoutSscc = await pallet()
  const { body } = await admin.get(`/v1/logistic-units/${withoutSscc}`)
  const number = await admin.get(`/v1/logistic-units/${withoutSscc}/label?Format=3`)
  assert.deepEqual(await textsOf(await pictureOf(number.bytes)), [body.logisticUnitNumber])
})

test('a location label has the name as Code 128 and QR code, and sheets are available as PDF only', async () => {
  const path = `/v1/warehouses/${warehouseId}/locations/${locations.A1}/label`
  const png = await admin.get(`${path}?Format=3`)
  assert.deepEqual(await textsOf(await pictureOf(png.bytes)), ['A-01', 'A-01'])
  const sheet = await admin.get(`${path}?Size=A4-3x8`)
  assert.deepEqual(await textsOf(await pictureOfPdf(sheet.bytes, label(210, 297))), ['A-01', 'A-01'])
  const zpl = await admin.get(`${path}?Size=A4-3x8&Format=2`)
  assert.equal(zpl.status, 400)
})

test('a printer gets labels in its own language and resolution', async () => {
  const path = `/v1/partners/${clientId}/products/${products.PEAR}/label/print`
  const inZpl = await printer('Dock ZPL', 2)
  const answer = await admin.post(path, { printOption: { printerId: inZpl, copies: 4 }, batch: 'L1' })
  assert.equal(answer.status, 200)
  const zpl = await job(answer.body.printJobId)
  assert.deepEqual([zpl.kind, zpl.contentType, zpl.copies], [8, 'application/zpl', 4])
  assert.match(zpl.content.toString(), /\^PQ4\^XZ\n$/)
  assert.equal(zpl.partnerId, clientId)
  assert.deepEqual(await textsOf(await pictureOfZpl(zpl.content, label(100, 50))), ['PEAR'])
  const inPdf = await printer('Dock PDF', 1)
  const other = await admin.post(path, { printOption: { printerId: inPdf, copies: 4 }, size: '50x25' })
  const pdf = await job(other.body.printJobId)
  assert.deepEqual([pdf.contentType, pdf.copies, pdf.pages], ['application/pdf', 4, 1])
  assert.deepEqual(await textsOf(await pictureOfPdf(pdf.content, label(50, 25))), ['PEAR'])
  const document = await printer('Office', 1, 2)
  const wrong = await admin.post(path, { printOption: { printerId: document } })
  assert.deepEqual([wrong.status, wrong.body.ErrorType], [400, 'Verification Failed'])
})

test('all locations of a zone can be printed at once, also as sheets on a document printer', async () => {
  const zoneId = await made(`/v1/warehouses/${warehouseId}/zones`, { name: 'Cold' })
  const many = await admin.post(`/v1/warehouses/${warehouseId}/locations/many`, {
    ...{ pattern: 'C-{01..30}', type: 1, warehouseZoneId: zoneId, firstWalkingOrder: 1 },
  })
  assert.equal(many.body.warehouseLocationIds.length, 30)
  const path = `/v1/warehouses/${warehouseId}/locations/labels/print`
  const printerId = await printer('Office sheets', 1, 2)
  const sheets = await admin.post(path, {
    ...{ printOption: { printerId }, warehouseZoneId: zoneId, size: 'A4-3x8' },
  })
  assert.equal(sheets.status, 200, JSON.stringify(sheets.body))
  const { content, pages, kind } = await job(sheets.body.printJobId)
  assert.deepEqual([kind, pages], [10, 2])
  const texts = await textsOf(await pictureOfPdf(content, label(210, 297)))
  assert.deepEqual(
    [...new Set(texts)].toSorted(),
    Array.from({ length: 24 }, (_, i) => `C-${String(i + 1).padStart(2, '0')}`),
  )
  const labels = await printer('Dock many', 2)
  const named = await admin.post(path, {
    ...{ printOption: { printerId: labels }, warehouseLocationIds: [locations.A1, locations.A2] },
  })
  const zpl = (await job(named.body.printJobId)).content.toString()
  assert.equal(zpl.match(/\^XA/g)?.length, 2)
  assert.ok(zpl.indexOf('A-01') < zpl.indexOf('A-02'), 'in walking order')
  const refused = async (body: object) =>
    (await admin.post(path, { printOption: { printerId: labels }, ...body })).status
  assert.equal(await refused({}), 400)
  assert.equal(await refused({ warehouseZoneId: zoneId, warehouseLocationIds: [locations.A1] }), 400)
  assert.equal(await refused({ warehouseLocationIds: [uuidv7()] }), 400)
  assert.equal(await refused({ warehouseZoneId: uuidv7() }), 400)
  assert.equal(
    await refused({ warehouseZoneId: zoneId, printOption: { printerId: labels, copies: 17 } }),
    400,
  )
})

test('users of a client get labels of their own goods only', async () => {
  const client = as(admin, { partnerId: clientId })
  const own = await pallet()
  assert.equal((await client.get(`/v1/logistic-units/${own}/label`)).status, 200)
  const otherId = await made('/v1/partners', { name: 'Other', code: 'OTHER', relationship: 1 })
  const foreign = await pallet({ partnerId: otherId })
  assert.equal((await client.get(`/v1/logistic-units/${foreign}/label`)).status, 404)
  const printerId = await printer('Dock client', 2)
  const path = `/v1/warehouses/${warehouseId}/locations/${locations.A1}/label`
  assert.equal((await client.get(path)).status, 200)
  assert.equal((await client.post(`${path}/print`, { printOption: { printerId } })).status, 403)
  const reader = as(admin, { scopes: ['inventory.read'] })
  assert.equal((await reader.get(`/v1/logistic-units/${own}/label`)).status, 200)
  assert.equal(
    (await reader.post(`/v1/logistic-units/${own}/label/print`, { printOption: { printerId } })).status,
    403,
  )
})

/** Replaces the check digit of an SSCC by the right one. */
const withDigit = (sscc: string) => sscc.slice(0, 17) + ssccCheckDigit(sscc.slice(0, 17))

/** Scans the pallet labels of a consignment. Returns the texts on each label. */
async function scanPallets(consignmentId: string): Promise<string[][]> {
  const zpl = await admin.get(`/v1/consignments/${consignmentId}/pallet-labels?Format=2`)
  assert.equal(zpl.status, 200, JSON.stringify(zpl.body))
  const labels = zpl.bytes.toString().match(/\^XA.*?\^XZ/gs) ?? []
  return Promise.all(labels.map(async zplLabel => textsOf(await pictureOfZpl(zplLabel, label(100, 150)))))
}

test('a consignment has labels for its announced, received, allocated and dispatched pallets', async () => {
  const [first, second] = ['394212340000001113', '394212340000001120'].map(withDigit) as [string, string]
  await world.product('HONEY', { gtin })
  const arriving = await announce([
    goods('HONEY', 30, { logisticUnitSsccNumber: first }),
    goods('HONEY', 20, { logisticUnitSsccNumber: second }),
  ])
  const contents = ['02094212345678923730', '02094212345678923720']
  assert.deepEqual(await scanPallets(arriving), [
    [contents[0], `00${first}`],
    [contents[1], `00${second}`],
  ])
  const png = await admin.get(`/v1/consignments/${arriving}/pallet-labels?Format=3`)
  assert.equal(png.status, 400)
  assert.equal((await admin.post(`/v1/consignments/${arriving}/receive`, { all: true })).status, 200)
  assert.equal((await scanPallets(arriving)).length, 2)
  const leaving = await announce([goods('HONEY', 50)], { consignmentType: 2 }, 2)
  const taken = await scanPallets(leaving)
  assert.deepEqual(taken.map(texts => texts.at(-1)).toSorted(), [`00${first}`, `00${second}`])
  assert.equal((await admin.put(`/v1/consignments/${leaving}/status`, { status: 7 })).status, 200)
  assert.deepEqual(await scanPallets(leaving), taken)
  const none = await announce([goods('PEAR', 1)])
  const refused = await admin.get(`/v1/consignments/${none}/pallet-labels`)
  assert.deepEqual(refused.body.ErrorMessages, ['The consignment has no goods on logistic units.'])
})

test('a consignment with more pallets than labels can be made at a time is refused', async () => {
  await world.product('PLUM', {})
  const lines = Array.from({ length: 501 }, (_, n) =>
    goods('PLUM', 1, { logisticUnitReferenceNumber: `P${n}` }),
  )
  const many = await announce(lines)
  const { body } = await admin.get(`/v1/consignments/${many}/pallet-labels`)
  assert.deepEqual(body.ErrorMessages, ['At most 500 labels are made at a time; these would be 501.'])
})

/** Creates a unit with an SSCC and goods of a product on it, and returns the id of the unit. */
async function loaded(sscc: string, productId: string, quantity: number): Promise<string> {
  const id = await pallet({ ssccNumber: sscc })
  await world.stored(quantity, { logisticUnitId: id, productId })
  return id
}

test('a pallet has a label of a consignment only when all of it is the consignment’s, with all that is on it', async () => {
  const productId = await world.product('KIWI', { gtin })
  const sscc = withDigit('394212340000002220')
  const unitId = await loaded(sscc, productId, 40)
  const part = await announce([goods('KIWI', 10)], { consignmentType: 2 }, 2)
  const path = `/v1/consignments/${part}/pallet-labels`
  const { status, body } = await admin.get(path)
  assert.equal(status, 400)
  assert.match(body.ErrorMessages[0], /^Not everything on LU-\d+ is the consignment’s/)
  const ofUnit = await admin.get(`/v1/logistic-units/${unitId}/label?Format=3`)
  assert.deepEqual(await textsOf(await pictureOf(ofUnit.bytes)), ['02094212345678923740', `00${sscc}`])
  const rest = await announce([goods('KIWI', 30)], { consignmentType: 2 }, 2)
  assert.equal((await admin.get(`/v1/consignments/${rest}/pallet-labels`)).status, 400)
  assert.equal((await admin.put(`/v1/consignments/${part}/status`, { status: 7 })).status, 200)
  // Ten left loose; the thirty that stayed on the pallet are all the other consignment's.
  assert.equal((await admin.get(path)).status, 400)
  assert.deepEqual(await scanPallets(rest), [['02094212345678923730', `00${sscc}`]])
  assert.equal((await admin.put(`/v1/consignments/${rest}/status`, { status: 7 })).status, 200)
  assert.deepEqual(await scanPallets(rest), [['02094212345678923730', `00${sscc}`]])
  const left = await admin.get(`/v1/logistic-units/${unitId}/label?Format=3`)
  assert.deepEqual(await textsOf(await pictureOf(left.bytes)), ['02094212345678923730', `00${sscc}`])
})

test('an SSCC has one label, however many lines announce it and however much of it has come', async () => {
  await world.product('FIG', { gtin })
  await world.product('DATE', {})
  const sscc = withDigit('394212340000003330')
  const line = { logisticUnitSsccNumber: sscc, logisticUnitReferenceNumber: 'P-77' }
  const arriving = await announce([
    goods('FIG', 12, line),
    goods('DATE', 5, { logisticUnitReferenceNumber: 'P-77' }),
  ])
  assert.deepEqual(await scanPallets(arriving), [[`00${sscc}`]])
  const [fig] = await world.linesOf(arriving)
  await world.received(arriving, { receipts: [{ consignmentProductId: fig, quantity: 9 }] })
  assert.deepEqual(await scanPallets(arriving), [['0209421234567892379', `00${sscc}`]])
  assert.equal((await admin.post(`/v1/consignments/${arriving}/receive`, { all: true })).status, 200)
  assert.deepEqual(await scanPallets(arriving), [[`00${sscc}`]])
})

test('pallet labels name the UN number of dangerous goods', async () => {
  const productId = await world.product('THINNER', {
    ...{ isDangerousGood: true, dgUnNumber: '1263' },
    dgHazardClasses: [{ dgHazardClassId: hazardClassId(3, '3') }],
  })
  const id = await loaded(withDigit('394212340000004440'), productId, 4)
  const { bytes } = await admin.get(`/v1/logistic-units/${id}/label?Format=2`)
  assert.match(bytes.toString(), /\^FDUN 1263 Class 3\^FS/)
})

test('what does not fit on a label is refused by name, and nothing is cut', async () => {
  const productId = await world.product('LONG', { gtin: null, name: 'Honey '.repeat(33).trim() })
  const path = `/v1/partners/${clientId}/products/${productId}/label`
  assert.equal((await admin.get(`${path}?Batch=L1`)).status, 200)
  const { status, body } = await admin.get(`${path}?Size=50x25&Batch=L1&Serial=${'7'.repeat(190)}`)
  assert.deepEqual([status, body.ErrorType], [400, 'Verification Failed'])
  assert.match(body.ErrorMessages[0], /^LONG does not fit on 50×25: .*serial\.$/)
})
