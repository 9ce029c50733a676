import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ImportRequest } from '../../src/consignment-imports/import-request.ts'
import { aLine, anImport, auckland, codesOf, plan, reasonsOf } from '../support/given-plans.ts'

type Request = Partial<ImportRequest>
const none = (noun: string) => `There is no ${noun} with the code NONE.`

const oneReason: [name: string, request: Request, reason: (string | null)[]][] = [
  ['an unknown client', { clientCode: 'NONE' }, ['client', 'NONE', 'clientCode', none('client')]],
  [
    'an inactive client',
    { clientCode: 'GONE' },
    ['client', 'GONE', 'clientCode', 'The client GONE is inactive.'],
  ],
  [
    'a carrier as client',
    { clientCode: 'SWF' },
    ['client', 'SWF', 'clientCode', 'The partner SWF is a carrier, not a client.'],
  ],
  ['an unknown carrier', { carrierCode: 'NONE' }, ['carrier', 'NONE', 'carrierCode', none('carrier')]],
  [
    'an inactive carrier',
    { carrierCode: 'SLOW' },
    ['carrier', 'SLOW', 'carrierCode', 'The carrier SLOW is inactive.'],
  ],
  [
    'a client as carrier',
    { carrierCode: 'KAURI' },
    ['carrier', 'KAURI', 'carrierCode', 'The partner KAURI is a client, not a carrier.'],
  ],
  [
    'an unknown warehouse',
    { warehouseCode: 'NONE' },
    ['warehouse', 'NONE', 'warehouseCode', none('warehouse')],
  ],
  [
    'an inactive warehouse',
    { warehouseCode: 'OLD' },
    ['warehouse', 'OLD', 'warehouseCode', 'The warehouse OLD is inactive.'],
  ],
  [
    'an unknown service type',
    { serviceTypeCodes: ['GOOD', 'NONE'] },
    ['serviceType', 'NONE', 'serviceTypeCodes[1]', none('service type')],
  ],
  [
    'an inactive service type',
    { serviceTypeCodes: ['BAD'] },
    ['serviceType', 'BAD', 'serviceTypeCodes[0]', 'The service type BAD is inactive.'],
  ],
  [
    'an unknown task type',
    { tasks: [{ taskTypeCode: 'NONE', value: 1 }] },
    ['taskType', 'NONE', 'tasks[0].taskTypeCode', none('task type')],
  ],
  [
    'an inactive task type',
    { tasks: [{ taskTypeCode: 'BAD', value: 1 }] },
    ['taskType', 'BAD', 'tasks[0].taskTypeCode', 'The task type BAD is inactive.'],
  ],
  [
    'an unknown port of loading',
    { loadShippingPortCode: 'NONE' },
    ['shippingPort', 'NONE', 'loadShippingPortCode', none('shipping port')],
  ],
  [
    'an unknown port of discharge',
    { dischargeShippingPortCode: 'NONE' },
    ['shippingPort', 'NONE', 'dischargeShippingPortCode', none('shipping port')],
  ],
  [
    'a file that was not fetched',
    { notes: [{ note: 'See.', attachments: [{ downloadUrl: 'https://192.0.2.1/' }] }] },
    [
      ...['attachment', 'https://192.0.2.1/', 'notes[0].attachments[0].downloadUrl'],
      'The file could not be fetched. It was not fetched within the time that the files of an import have.',
    ],
  ],
]
for (const [name, request, reason] of oneReason) {
  test(`an import with ${name} waits for that reason alone`, () => {
    const { reasons, consignment, fetched } = plan(anImport(request))
    assert.deepEqual([consignment, fetched], [undefined, []])
    assert.deepEqual(
      reasons.map(({ kind, code, path, message }) => [kind, code, path, message]),
      [reason],
    )
  })
}

test('several faults are reported together, in the order of partners, warehouse, lines, types, files, ports', () => {
  const url = 'https://192.0.2.1/'
  const reasons = reasonsOf(
    anImport({
      ...{ carrierCode: 'NONE', warehouseCode: 'NONE', serviceTypeCodes: ['NONE', 'NONE'] },
      ...{ loadShippingPortCode: 'NONE', dischargeShippingPortCode: 'NONE' },
      tasks: [{ taskTypeCode: 'NONE', value: 1 }],
      products: [
        aLine({ productCode: 'NONE', packageTypeCode: 'NONE' }),
        aLine({ productCode: 'NONE', isManualReconciliationRequired: true }),
      ],
      notes: [{ note: 'See.', attachments: [{ downloadUrl: url }, { downloadUrl: url }] }],
    }),
  )
  assert.deepEqual(
    reasons.map(([kind, , path]) => [kind, path]),
    [
      ['carrier', 'carrierCode'],
      ['warehouse', 'warehouseCode'],
      ['product', 'products[0].productCode'],
      ['packageType', 'products[0].packageTypeCode'],
      ['manual', 'products[1].isManualReconciliationRequired'],
      ['serviceType', 'serviceTypeCodes[0]'],
      ['taskType', 'tasks[0].taskTypeCode'],
      ['attachment', 'notes[0].attachments[0].downloadUrl'],
      ['shippingPort', 'loadShippingPortCode'],
    ],
    'the same code twice is one reason, with its first place',
  )
})

test('the plan of an import that waits has the known partners, including inactive ones', () => {
  const partners = (request: Request) => {
    const { clientId, carrierId } = plan(anImport({ warehouseCode: 'NONE', ...request }))
    return [clientId, carrierId]
  }
  assert.deepEqual(partners({ carrierCode: 'SLOW' }), ['kauri-id', 'slow-id'])
  assert.deepEqual(partners({ clientCode: 'GONE' }), ['gone-id', null])
  assert.deepEqual(partners({ clientCode: 'SWF', carrierCode: 'KAURI' }), [null, null])
})

test('a client that is known by id counts, whatever the code in the request', () => {
  const { consignment } = plan(anImport({ clientCode: 'SWF' }, { clientId: 'kauri-id' }))
  assert.equal(consignment?.consignment.clientId, 'kauri-id')
})

test('without a warehouse code the only active warehouse is used, and none for point-to-point', () => {
  const warehouse = (request: Request, activeWarehouses: (typeof auckland)[]) =>
    plan(anImport({ warehouseCode: null, ...request }), codesOf({ activeWarehouses }))
  assert.equal(warehouse({}, [auckland]).consignment?.consignment.warehouseId, 'akl-id')
  const says = (how: string) =>
    `The import does not name a warehouse, and the organisation has ${how} active warehouse.`
  assert.equal(warehouse({}, []).reasons[0]?.message, says('no'))
  assert.equal(
    warehouse({ consignmentType: 2 }, [auckland, auckland]).reasons[0]?.message,
    says('more than one'),
  )
  const { consignment } = warehouse({ consignmentType: 0 }, [auckland])
  assert.equal(consignment?.consignment.warehouseId, undefined)
})

const times: [given: string | null, warehouse: string | null, stored: string | null][] = [
  ['2026-04-05T09:30:00Z', 'AKL', '2026-04-05T09:30:00'],
  ['2026-04-05T09:30:00', 'AKL', '2026-04-05T09:30:00'],
  ['2026-04-05', 'AKL', '2026-04-05T00:00:00'],
  ['2026-04-04T13:30:00+00:00', 'AKL', '2026-04-05T02:30:00'],
  ['2026-04-04T14:30:00+00:00', 'AKL', '2026-04-05T02:30:00'],
  ['2026-04-05T09:30:00+12:00', null, '2026-04-04T17:30:00'],
  [null, 'AKL', null],
]
for (const [given, warehouseCode, stored] of times) {
  test(`the time ${given} is ${stored} where the warehouse is ${warehouseCode ?? 'none'}`, () => {
    const { consignment } = plan(
      anImport({
        consignmentType: 0,
        ...{ warehouseCode, expectedArrivalDateTime: given, expectedDispatchDateTime: given },
        expectedDeliveryDateTime: given,
      }),
    )
    assert.ok(consignment)
    const { expectedArrivalDateTime, expectedDispatchDateTime, expectedDeliveryDateTime } =
      consignment.consignment
    assert.deepEqual(
      [expectedArrivalDateTime, expectedDispatchDateTime, expectedDeliveryDateTime].map(time => time ?? null),
      [stored, stored, stored],
    )
  })
}

test('the entry date is now by default, in the time zone of the warehouse or else of the organisation', () => {
  const entered = (request: Request) => plan(anImport(request)).consignment?.consignment.dateEntered
  assert.equal(entered({}), '2026-04-06T00:00:00')
  assert.equal(entered({ consignmentType: 0, warehouseCode: null }), '2026-04-05T08:00:00')
  assert.equal(entered({ enteredDate: '2025-12-31T23:00:00Z' }), '2025-12-31T23:00:00')
})

test('fields that an import leaves out have their defaults', () => {
  const { reasons, consignment } = plan(anImport())
  assert.deepEqual(reasons, [])
  const { consignment: row, ...rest } = consignment as NonNullable<typeof consignment>
  assert.deepEqual(
    [row.id, row.status, row.type, row.carrierId, row.destinationAuthorityToLeave],
    ['import-id', 1, 1, null, false],
  )
  assert.deepEqual([rest.serviceTypes, rest.tasks, rest.notes, rest.attachments], [[], [], [], []])
})

test('a service type that is named twice is assigned once, and tasks keep their values', () => {
  const { consignment } = plan(
    anImport({ serviceTypeCodes: ['GOOD', 'GOOD'], tasks: [{ taskTypeCode: 'GOOD', value: 2.5 }] }),
  )
  assert.deepEqual(consignment?.serviceTypes, [{ consignmentId: 'import-id', serviceTypeId: 'good-id' }])
  assert.deepEqual(
    consignment?.tasks.map(({ taskTypeId, value }) => [taskTypeId, value]),
    [['good-id', 2.5]],
  )
})

test('files in the import become attachments, and fetched files are listed by address', () => {
  const url = 'https://192.0.2.1/b.png'
  const fetched = { fileName: 'b.png', contentType: 'image/png', signature: 'image/png', isText: false }
  const { consignment, ...rest } = plan(
    anImport(
      {
        notes: [
          {
            note: 'See.',
            attachments: [
              { fileName: 'a.txt', contentType: 'Text/Plain; charset=utf-8', content: 'aGVsbG8=' },
              { downloadUrl: url },
            ],
          },
        ],
      },
      { downloads: new Map([[url, fetched]]) },
    ),
  )
  const [note] = consignment?.notes ?? []
  assert.deepEqual([note?.note, note?.displayOnPrintOut, note?.createdBy], ['See.', false, 'user-id'])
  assert.deepEqual(
    consignment?.attachments.map(({ consignmentNoteId, fileName, contentType }) => [
      ...[consignmentNoteId, fileName, contentType],
    ]),
    [[note?.id, 'a.txt', 'text/plain']],
  )
  assert.deepEqual(
    rest.fetched.map(({ importId, consignmentNoteId, downloadUrl, fileName, contentType }) => [
      ...[importId, consignmentNoteId, downloadUrl, fileName, contentType],
    ]),
    [['import-id', note?.id, url, 'b.png', 'image/png']],
  )
})
