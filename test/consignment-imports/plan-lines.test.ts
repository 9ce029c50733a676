import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ImportLine, ImportRequest } from '../../src/consignment-imports/import-request.ts'
import { AttributeUsage, SerialTrackingMode } from '../../src/vocabulary/partners.ts'
import { aLine, anImport, codesOf, plan, product, reasonsOf } from '../support/given-plans.ts'

const { Required, Optional, Hidden } = AttributeUsage
const ofLine = (line: Partial<ImportLine>, request: Partial<ImportRequest> = {}) =>
  anImport({ ...request, products: [aLine(line)] })
const planImportLines = (
  line: Partial<ImportLine>,
  request: Partial<ImportRequest> = {},
  codes = codesOf(),
) => {
  const { consignment } = plan(ofLine(line, request), codes)
  assert.ok(consignment)
  return consignment
}
const serials = [
  { serial: 'S1', quantity: 1 },
  { serial: 'S2', quantity: 1 },
]

const wrong: [name: string, line: Partial<ImportLine>, reasons: (string | null)[][]][] = [
  [
    'an unknown product',
    { productCode: 'NONE' },
    [
      [
        ...['product', 'NONE', 'products[0].productCode'],
        'The client KAURI has no product with the code NONE.',
      ],
    ],
  ],
  [
    'an inactive product',
    { productCode: 'STALE' },
    [['product', 'STALE', 'products[0].productCode', 'The product STALE is inactive.']],
  ],
  [
    'an unknown package type',
    { packageTypeCode: 'NONE' },
    [
      [
        ...['packageType', 'NONE', 'products[0].packageTypeCode'],
        'There is no package type with the code NONE.',
      ],
    ],
  ],
  [
    'an inactive package type',
    { packageTypeCode: 'BAD' },
    [['packageType', 'BAD', 'products[0].packageTypeCode', 'The package type BAD is inactive.']],
  ],
  [
    'serials of a product that takes none',
    { items: serials },
    [['serial', 'APPLE', 'products[0].items', 'The product APPLE is not tracked by serial number.']],
  ],
  [
    'a wish for a person',
    { isManualReconciliationRequired: true },
    [
      [
        ...['manual', 'APPLE', 'products[0].isManualReconciliationRequired'],
        'The product APPLE is to be reconciled by hand.',
      ],
    ],
  ],
]
for (const [name, line, reasons] of wrong) {
  test(`a line with ${name} is a reason`, () => assert.deepEqual(reasonsOf(ofLine(line)), reasons))
}

test('serials are accepted with full capture and refused with release capture, and lines without serials are valid', () => {
  const kinds = (serialTrackingMode: number, items: ImportLine['items']) =>
    reasonsOf(ofLine({ items }), codesOf({ products: { APPLE: product({ serialTrackingMode }) } })).map(
      ([, , , message]) => message,
    )
  const { None, FullCapture, ReleaseCapture } = SerialTrackingMode
  assert.deepEqual(kinds(FullCapture, serials), [])
  assert.deepEqual(kinds(ReleaseCapture, serials), [
    'Serials of the product APPLE are captured when it is picked, so an import cannot give them.',
  ])
  for (const mode of [None, FullCapture, ReleaseCapture]) assert.deepEqual(kinds(mode, [{ quantity: 1 }]), [])
})

const dates = {
  batch: 'a batch',
  bestBeforeDate: 'a best before date',
  expiryDate: 'an expiry date',
  packagingDate: 'a packaging date',
  productionDate: 'a production date',
  sellByDate: 'a sell by date',
} as const
for (const [field, noun] of Object.entries(dates)) {
  test(`${noun} that is required is a reason for inwards imports only, and only if it is missing`, () => {
    const reasons = (usage: number, line: Partial<ImportLine>, consignmentType: 0 | 1 | 2 = 1) =>
      reasonsOf(
        ofLine(line, { consignmentType }),
        codesOf({ products: { APPLE: product({ [field]: usage }) } }),
      )
    const asked = [['attribute', 'APPLE', `products[0].${field}`, `The product APPLE needs ${noun}.`]]
    assert.deepEqual(reasons(Required, {}), asked)
    assert.deepEqual(reasons(Required, { [field]: '' }), asked)
    assert.deepEqual(reasons(Required, { [field]: '2027-01-01' }), [])
    assert.deepEqual([reasons(Optional, {}), reasons(Hidden, {})], [[], []])
    assert.deepEqual([reasons(Required, {}, 2), reasons(Required, {}, 0)], [[], []])
  })
}

test('each line with excess or missing values is a reason of its own', () => {
  const codes = codesOf({ products: { APPLE: product({ batch: Required }) } })
  const products = [aLine({ items: serials }), aLine({ items: serials })]
  assert.deepEqual(
    reasonsOf(anImport({ products }), codes).map(([kind, , path]) => [kind, path]),
    [
      ['serial', 'products[0].items'],
      ['attribute', 'products[0].batch'],
      ['serial', 'products[1].items'],
      ['attribute', 'products[1].batch'],
    ],
  )
})

test('an unknown client causes no reasons about its products', () => {
  const line = { productCode: 'NONE', packageTypeCode: 'NONE' }
  assert.deepEqual(
    reasonsOf(ofLine(line, { clientCode: 'NONE' })).map(([kind]) => kind),
    ['client', 'packageType'],
  )
})

test('an import that a user reconciles does not ask for manual reconciliation again', () => {
  const line = aLine({ isManualReconciliationRequired: true })
  assert.deepEqual(reasonsOf(anImport({ products: [line] }, { isManuallyReconciled: true })), [])
})

test('point-to-point goods are linked to active products if they exist, and may be anything', () => {
  const productId = (productCode: string) =>
    planImportLines({ productCode, items: serials }, { consignmentType: 0 }).lines[0]?.productId
  assert.deepEqual(['APPLE', 'STALE', 'NONE'].map(productId), ['apple-id', undefined, undefined])
})

const amounts: [name: string, items: ImportLine['items'], expected: Record<string, number | null>][] = [
  [
    'say nothing, the product says all',
    [{ quantity: 10 }, { quantity: 5 }],
    {
      ...{ expectedQuantity: 15, weightKG: null, weightEachKG: 0.25, unweighedQuantity: 15 },
      ...{ volumeM3: null, volumeEachM3: 0.0005, unmeasuredQuantity: 15 },
    },
  ],
  [
    'say all, the product is not asked',
    [
      { quantity: 1, weightKG: 0.1, volumeM3: 0.000001 },
      { quantity: 2, weightKG: 0.2, volumeM3: 0.000002 },
    ],
    { expectedQuantity: 3, weightKG: 0.3, volumeM3: 0.000003 },
  ],
  [
    'say something, the product says the rest',
    [{ quantity: 1, weightKG: 0 }, { quantity: 4 }],
    {
      ...{ expectedQuantity: 5, weightKG: 0, weightEachKG: 0.25, unweighedQuantity: 4 },
      ...{ volumeM3: null, volumeEachM3: 0.0005, unmeasuredQuantity: 5 },
    },
  ],
  [
    'have parts, sums stay exact',
    [
      { quantity: 0.1, weightKG: 1, volumeM3: 1 },
      { quantity: 0.2, weightKG: 1, volumeM3: 1 },
    ],
    { expectedQuantity: 0.3, weightKG: 2, volumeM3: 2 },
  ],
]
for (const [name, items, expected] of amounts) {
  test(`amounts of a line: where its items ${name}`, () => {
    const [line] = planImportLines({ items }).lines
    const found = Object.entries(line ?? {}).filter(([field]) =>
      /^(expectedQuantity|weight|volume|un(weighed|measured))/.test(field),
    )
    assert.deepEqual(Object.fromEntries(found), expected)
  })
}

test('a line keeps its values, with its dates in wall-clock time of the warehouse', () => {
  const { lines, items } = planImportLines({
    ...{ batch: 'B1', goodsDescription: 'Red ones', packageTypeCode: 'GOOD', criticalStockStatus: 1 },
    ...{ expiryDate: '2027-01-01T00:00:00-01:00', bestBeforeDate: '2027-01-01', sellByDate: null },
    logisticUnitReferenceNumber: 'LU-1',
    attributes: [{ name: 'Colour' }, { description: 'nameless' }],
    items: [{ quantity: 1, weightKG: 2 }, { quantity: 3 }],
  })
  const { id, ...line } = lines[0] as NonNullable<(typeof lines)[0]>
  assert.deepEqual(
    [
      line.ordinal,
      line.productId,
      line.productCode,
      line.packageTypeId,
      line.batch,
      line.criticalStockStatus,
    ],
    [0, 'apple-id', 'APPLE', 'good-id', 'B1', 1],
  )
  assert.deepEqual(
    [line.expiryDate, line.bestBeforeDate, line.sellByDate],
    ['2027-01-01T14:00:00', '2027-01-01T00:00:00', null],
  )
  assert.deepEqual(line.attributes, [
    { name: 'Colour', description: null },
    { name: null, description: 'nameless' },
  ])
  assert.deepEqual(
    items.map(({ consignmentProductId, ordinal, quantity }) => [consignmentProductId, ordinal, quantity]),
    [
      [id, 0, 1],
      [id, 1, 3],
    ],
  )
})
