// The structure of an import: what is refused, with which messages, and that no body causes a failure.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ImportRequest } from '../../src/consignment-imports/import-request.ts'
import { sql } from '../../src/platform/database/db.ts'
import { createValidation } from '../../src/platform/http/validation.ts'
import { isValidSscc } from '../../src/stock/logistic-units/sscc.ts'
import { line, openImports, request } from '../support/given-imports.ts'
import fc from '../support/properties.ts'

const { world, drain } = await openImports()
const { admin, database } = world
const check = createValidation({ sscc: isValidSscc }).body(ImportRequest)
const faults = async (more: object) => {
  const { status, body } = await admin.post('/v1/consignment-imports', request(more))
  assert.equal(status, 400)
  assert.equal(body.ErrorType, 'Validation Failed')
  return body.ErrorMessages as string[]
}

test('every field of the request is accepted, each at its longest, and null means absent', async () => {
  const text = 'é'.repeat(4000)
  const full = {
    ...{
      idempotencyKey: 'k'.repeat(200),
      referenceNumber: text,
      externalId: 'é'.repeat(200),
      carrierCode: 'SWF',
      carrierReference: text,
    },
    ...{
      enteredDate: '2026-03-01T08:00:00Z',
      expectedArrivalDateTime: '2026-03-02',
      expectedDispatchDateTime: '2026-03-02T10:00:00+11:00',
    },
    ...{
      expectedDeliveryDateTime: '2026-03-03T10:00:00',
      warehouseCode: 'AKL',
      destinationAuthorityToLeave: true,
    },
    originAddress: {
      code: 'A',
      name: 'n'.repeat(200),
      email: 'x',
      latitude: -36.8,
      longitude: 174.7,
      unknown: 1,
    },
    ...{
      originAddressAttention: text,
      destinationAddress: { city: 'Auckland' },
      destinationAddressAttention: text,
    },
    ...{
      deliveryInstructions: 'd'.repeat(1000),
      pickingInstructions: text,
      receiversReference: text,
      sendersReference: text,
    },
    ...{
      poNumber: text,
      soNumber: text,
      containerNumber: text,
      containerSealNumber: text,
      containerSize: 4,
      containerType: 12,
    },
    ...{
      containerTareWeightKG: 2200.5,
      containerGrossWeightKG: 99_999_999_999,
      containerYardCode: 'Y1',
      containerYardReference: text,
    },
    ...{
      containerVesselName: text,
      containerVoyage: text,
      serviceTypeCodes: ['EXP', 'exp'],
      tasks: [{ taskTypeCode: 'WRAP', value: 2.5 }],
    },
    notes: [{ note: text, displayOnPrintOut: true, attachments: [] }],
    attachments: [{ anything: 1 }],
    products: [
      line({
        ...{
          goodsDescription: text,
          batch: 'b'.repeat(200),
          bestBeforeDate: '2027-01-01',
          expiryDate: '2027-01-01T00:00:00Z',
          packagingDate: null,
        },
        ...{
          productionDate: '2026-01-01',
          sellByDate: '2027-01-01',
          packageTypeCode: 'BOX',
          logisticUnitSsccNumber: '106141411234567897',
        },
        ...{
          logisticUnitReferenceNumber: 'r'.repeat(200),
          isManualReconciliationRequired: false,
          criticalStockStatus: 2,
        },
        attributes: [{ name: 'colour', description: text }, {}],
        items: [{ quantity: 0.0001, weightKG: 0, volumeM3: 0.000001, serial: null }],
      }),
    ],
  }
  assert.equal((await admin.post('/v1/consignment-imports', request(full))).status, 202)
})

test('all faults are reported together, each with its field', async () => {
  const messages = await faults({
    ...{
      consignmentType: 3,
      clientCode: ' ',
      carrierCode: 'C'.repeat(51),
      enteredDate: 'yesterday',
      containerSize: 5,
    },
    ...{
      deliveryInstructions: 'x'.repeat(1001),
      idempotencyKey: 'k'.repeat(201),
      tasks: [{ taskTypeCode: 'WRAP' }],
    },
    notes: [
      { note: '' },
      { note: 'n', attachments: [{ fileName: 'a.txt', contentType: 'text/plain', content: '%%%' }] },
    ],
    products: [
      line({ logisticUnitSsccNumber: '106141411234567890' }),
      { items: [] },
      line({ items: [{ serial: 'S1', quantity: 2 }, { serial: 'S2', quantity: 1 }, { quantity: 0 }] }),
      line({ productCode: 'apple', items: [{ serial: 'S2', quantity: 1 }] }),
    ],
  })
  assert.deepEqual(messages.toSorted(), [
    'carrierCode must have at most 50 characters.',
    'clientCode must not be blank.',
    'consignmentType must be one of 0 (PointToPoint), 1 (Inwards), 2 (Outwards).',
    'containerSize must be one of 1 (TenFoot), 2 (TwentyFoot), 3 (FortyFoot), 4 (FortyFiveFoot).',
    'deliveryInstructions must have at most 1,000 characters.',
    'enteredDate must be an ISO 8601 date and time, such as 2026-03-31T09:30:00.',
    'idempotencyKey must have at most 200 characters.',
    'notes[0].note must not be empty.',
    'notes[1].attachments[0].content must be base64.',
    'products[0].logisticUnitSsccNumber must be an SSCC: 18 digits, the last of them the right check digit.',
    'products[1].items must have at least 1 entry.',
    'products[1].productCode is required.',
    'products[2].items[0].quantity must be 1 when a serial is given.',
    'products[2].items[2].quantity must be more than 0.',
    'products[3].items[0].serial must not repeat a serial of the same product.',
    'tasks[0].value is required.',
  ])
})

test('the same serial of two products is no duplicate', async () => {
  const items = [{ serial: 'S1', quantity: 1 }]
  assert.equal(
    (
      await admin.post(
        '/v1/consignment-imports',
        request({ products: [line({ items }), line({ productCode: 'PEAR', items })] }),
      )
    ).status,
    202,
  )
})

test('an import has at most 5,000 lines and 50,000 items, and a line a quantity that can be stored', async () => {
  const many = Array.from({ length: 5_001 }, () => line())
  assert.deepEqual(await faults({ products: many }), ['products must have at most 5,000 entries.'])
  const items = Array.from({ length: 25_001 }, () => ({ quantity: 1 }))
  assert.deepEqual(await faults({ products: [line({ items }), line({ items })] }), [
    'products must have at most 50,000 items in all.',
  ])
  const heavy = [{ quantity: 99_999_999_999 }, { quantity: 1 }]
  assert.deepEqual(await faults({ products: [line({ items: heavy })] }), [
    'products[0].items must add up to a quantity of 99999999999 or less.',
  ])
})

test('a task type can occur only once', async () => {
  const tasks = [
    { taskTypeCode: 'WRAP', value: 1 },
    { taskTypeCode: 'wrap', value: 2 },
  ]
  assert.deepEqual(await faults({ tasks }), ['tasks[1].taskTypeCode must not be given a second time.'])
})

test('an attachment has content or a downloadUrl, and its content matches its type', async () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').toString('base64')
  const attachments = [
    { fileName: 'a.pdf', contentType: 'application/pdf', content: png },
    { content: Buffer.from('MZ\0\0').toString('base64') },
    {},
    { content: png, fileName: 'a.png', contentType: 'image/png', downloadUrl: 'https://example.com/a.png' },
    { downloadUrl: 'ftp://example.com/a.png' },
    { downloadUrl: 'https://example.com/a.png', fileName: '../a.png' },
    { fileName: 'a.exe', contentType: 'application/x-msdownload', content: 'TVo=' },
    { content: '%%%' },
  ]
  assert.deepEqual(await faults({ notes: [{ note: 'n', attachments }] }), [
    'notes[0].attachments[0].content is not what notes[0].attachments[0].contentType says (application/pdf).',
    'notes[0].attachments[1].contentType must be PDF, an image (PNG, JPEG, GIF, WebP, TIFF), plain text, CSV, an Office document or ZIP.',
    'notes[0].attachments[2] must have content or a downloadUrl.',
    'notes[0].attachments[3] must have content or a downloadUrl, not both.',
    'notes[0].attachments[4].downloadUrl must be an http or https address.',
    'notes[0].attachments[5].fileName must not contain path separators or control characters.',
    'notes[0].attachments[6].contentType must be PDF, an image (PNG, JPEG, GIF, WebP, TIFF), plain text, CSV, an Office document or ZIP.',
    'notes[0].attachments[7].content must be base64.',
  ])
  const urls = Array.from({ length: 21 }, (_, i) => ({ downloadUrl: `https://example.com/${i}` }))
  assert.deepEqual(await faults({ notes: [{ note: 'n', attachments: urls }] }), [
    'notes must have at most 20 attachments with a downloadUrl in all.',
  ])
})

test('a file of more than 10 MiB is refused, and one of 10 MiB is not', async () => {
  const file = (bytes: number) => ({
    fileName: 'a.txt',
    contentType: 'text/plain',
    content: Buffer.alloc(bytes, 'a').toString('base64'),
  })
  const notes = (bytes: number) => [{ note: 'n', attachments: [file(bytes)] }]
  assert.equal(
    (await admin.post('/v1/consignment-imports', request({ notes: notes(10 * 1_048_576) }))).status,
    202,
  )
  assert.deepEqual(await faults({ notes: notes(10 * 1_048_576 + 1) }), [
    'notes[0].attachments[0].content must not be larger than 10 MiB.',
  ])
})

/** Bodies that differ from a valid one by any value in any place. */
const value = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(
      '',
      ' ',
      '\u0000',
      '\ud800',
      1e308,
      -0,
      [],
      {},
      null,
      '2026-02-30',
      'x'.repeat(5_000),
    ),
  },
)
const names = Object.keys(ImportRequest.properties)
const somewhere = fc.record({ field: fc.constantFrom(...names), value })
const lineFields = [
  'productCode',
  'items',
  'batch',
  'expiryDate',
  'attributes',
  'logisticUnitSsccNumber',
  'packageTypeCode',
  'criticalStockStatus',
]
const inLine = fc.record({ field: fc.constantFrom(...lineFields), value })

test('every body gets 202 or 400, and every accepted import becomes a consignment or waits', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(somewhere, { maxLength: 4 }),
      fc.array(inLine, { maxLength: 3 }),
      async (changes, lineChanges) => {
        const changedLine = line(Object.fromEntries(lineChanges.map(({ field, value }) => [field, value])))
        const body = request({
          products: [changedLine],
          ...Object.fromEntries(changes.map(({ field, value }) => [field, value])),
        })
        const { status } = await admin.post('/v1/consignment-imports', body)
        assert.ok(status === 202 || status === 400 || status === 409, `${status}`)
        if (status === 202) assert.deepEqual(check(JSON.parse(JSON.stringify(body))), [])
      },
    ),
    { numRuns: 300 },
  )
  await drain()
  const rows = await database.db.rows<{ status: number; kind: string | null }>(sql`
    select i.status, r.kind from consignment_import i
    left join consignment_import_reason r on r.organisation_id = i.organisation_id
      and r.consignment_import_id = i.id`)
  assert.ok(rows.every(({ status }) => status === 2 || status === 3))
  assert.ok(!rows.some(({ kind }) => kind === 'processing'), 'no accepted import fails later')
})
