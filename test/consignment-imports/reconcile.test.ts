import assert from 'node:assert/strict'
import { test } from 'node:test'
import { processDueImports } from '../../src/consignment-imports/process-imports.ts'
import { replacementKinds, withReplacements } from '../../src/consignment-imports/replacements.ts'
import { requestFaults } from '../../src/consignment-imports/request-faults.ts'
import { sql } from '../../src/platform/database/db.ts'
import { openDatabase } from '../../src/platform/database/open-database.ts'
import { blockNewWaitingImports } from '../../src/waiting-imports/block-new-records.ts'
import { retryWaitingImports } from '../../src/waiting-imports/retry-waiting.ts'
import { contextIn, line, openImports, request } from '../support/given-imports.ts'
import fc from '../support/properties.ts'
import { untilServed } from '../support/until-served.ts'

const given = await openImports()
const { world, drain, post, read, imported, row, events, exists } = given
const { admin, database, as } = world
const reconcile = (id: string, ...replacements: object[]) =>
  admin.put(`/v1/consignment-imports/${id}/reconcile`, { replacements })

test('replacements for every kind of code turn the import into a consignment', async () => {
  const id = await imported({
    ...{ clientCode: 'KAURY', carrierCode: 'SWX', warehouseCode: 'AKX', serviceTypeCodes: ['EXX'] },
    tasks: [{ taskTypeCode: 'WRAX', value: 1 }],
    products: [line({ productCode: 'APPEL', packageTypeCode: 'BOXX' })],
  })
  const answer = await reconcile(
    id,
    { kind: 'client', code: 'kaury', replacement: 'KAURI' },
    { kind: 'carrier', code: 'SWX', replacement: 'SWF' },
    { kind: 'warehouse', code: 'AKX', replacement: 'AKL' },
    { kind: 'product', code: 'APPEL', replacement: 'APPLE' },
    { kind: 'packageType', code: 'BOXX', replacement: 'BOX' },
    { kind: 'serviceType', code: 'EXX', replacement: 'EXP' },
    { kind: 'taskType', code: 'WRAX', replacement: 'WRAP' },
  )
  assert.deepEqual([answer.status, answer.body], [200, { consignmentId: id }])
  assert.equal((await row(id)).carrierId, given.carrierId)
  assert.deepEqual(await events(id), [110, 101, 111])
  const { status, reasons, replacements, request } = await read(id)
  assert.deepEqual([status, reasons, replacements.length, request.clientCode], [3, [], 7, 'KAURY'])
})

test('the remaining reasons are reported, and the replacements are not stored', async () => {
  const id = await imported({ carrierCode: 'SWX', products: [line({ productCode: 'APPEL' })] })
  const answer = await reconcile(id, { kind: 'carrier', code: 'SWX', replacement: 'SWF' })
  assert.equal(answer.status, 400)
  assert.deepEqual(answer.body, {
    ErrorType: 'Verification Failed',
    ErrorMessages: ['products[0].productCode: The client KAURI has no product with the code APPEL.'],
  })
  const { status, reasons, replacements } = await read(id)
  assert.deepEqual([status, reasons.length, replacements], [2, 2, []])
  assert.deepEqual(await events(id), [110])
})

test('replacements cannot turn an import into something that POST would have refused', async () => {
  const refusals: [import: object, replacement: object, sentence: string][] = [
    [
      {
        products: ['PEAR', 'PAER'].map(productCode =>
          line({ productCode, items: [{ serial: '9', quantity: 1 }] }),
        ),
      },
      { kind: 'product', code: 'PAER', replacement: 'pear' },
      'products[1].items[0].serial must not repeat a serial of the same product.',
    ],
    [
      { tasks: ['WRAP', 'WRAX'].map((taskTypeCode, n) => ({ taskTypeCode, value: 1 + 4 * n })) },
      { kind: 'taskType', code: 'WRAX', replacement: 'WRAP' },
      'tasks[1].taskTypeCode must not be given a second time.',
    ],
    [
      { consignmentType: 0, serviceTypeCodes: ['EXX'] },
      { kind: 'product', code: 'APPLE', replacement: 'y'.repeat(1_500) },
      'products[0].productCode must have at most 50 characters.',
    ],
    [
      { carrierCode: 'SWX' },
      { kind: 'carrier', code: 'SWX', replacement: ' ' },
      'carrierCode must not be blank.',
    ],
    [
      {
        carrierCode: 'SWX',
        notes: [{ note: 'See.', attachments: [{ downloadUrl: 'https://192.0.2.1/a.pdf' }] }],
      },
      { kind: 'attachment', code: 'https://192.0.2.1/a.pdf', replacement: 'ftp://192.0.2.1/a.pdf' },
      'notes[0].attachments[0].downloadUrl must be an http or https address.',
    ],
  ]
  for (const [more, replacement, sentence] of refusals) {
    const id = await post(more)
    // An address that is reserved for documentation never responds.
    await database.atomically(tx =>
      tx.run(sql`update consignment_import set download_status = 2 where id = ${id} and download_status = 1`),
    )
    await drain()
    const before = await read(id)
    const answer = await reconcile(id, replacement)
    assert.deepEqual(
      [answer.status, answer.body.ErrorType, answer.body.ErrorMessages],
      [400, 'Validation Failed', [sentence]],
    )
    assert.deepEqual(await read(id), before, 'nothing is stored')
  }
})

test('every code that an import can do without can be removed', async () => {
  const id = await imported({
    ...{
      carrierCode: 'SWX',
      warehouseCode: 'AKX',
      serviceTypeCodes: ['EXX', 'EXP'],
      loadShippingPortCode: 'XXLOD',
      dischargeShippingPortCode: 'XXDIS',
    },
    tasks: [
      { taskTypeCode: 'WRAX', value: 1 },
      { taskTypeCode: 'WRAP', value: 2 },
    ],
    products: [line({ packageTypeCode: 'BOXX' })],
  })
  const { reasons } = await read(id)
  const answer = await reconcile(id, ...reasons.map((reason: object) => ({ ...reason, replacement: null })))
  assert.deepEqual([answer.status, answer.body], [200, { consignmentId: id }])
  const { carrier, warehouse, ...rest } = (await admin.get(`/v1/consignments/${id}`)).body
  assert.deepEqual([carrier, rest.loadShippingPortCode, rest.dischargeShippingPortCode], [null, null, null])
  assert.deepEqual((await row(id)).warehouseId, given.warehouseId, 'the only warehouse')
  assert.deepEqual(
    [
      rest.serviceTypes.map(({ code }: { code: string }) => code),
      rest.tasks.map(({ value }: { value: number }) => value),
    ],
    [['EXP'], [2]],
  )
})

test('values that an import needs cannot be removed', async () => {
  const id = await imported({ clientCode: 'KAURY', products: [line({ productCode: 'APPEL' })] })
  const answer = await reconcile(
    id,
    { kind: 'client', code: 'KAURY', replacement: null },
    { kind: 'product', code: 'APPEL', replacement: null },
  )
  assert.equal(answer.status, 400)
  assert.deepEqual(answer.body.ErrorMessages.toSorted(), [
    'clientCode must be a string.',
    'products[0].productCode must be a string.',
  ])
})

test('serials can be removed or changed, by value or by path', async () => {
  const made = await admin.post(`/v1/partners/${given.clientId}/products`, {
    code: 'PHONE',
    name: 'Phone',
    serialTrackingMode: 2,
  })
  assert.equal(made.status, 201)
  const serials = (...all: string[]) => all.map(serial => ({ serial, quantity: 1 }))
  const id = await imported({
    products: [
      line({ items: serials('A', 'B') }),
      line({ productCode: 'PHONE', items: serials('1', '2') }),
      line({ productCode: 'PHONX', items: serials('1', '3') }),
      line({ items: serials('C') }),
    ],
  })
  const { reasons } = await read(id)
  assert.deepEqual(
    reasons.map(({ kind, path }: { kind: string; path: string }) => [kind, path]),
    [
      ['serial', 'products[0].items'],
      ['product', 'products[2].productCode'],
      ['serial', 'products[3].items'],
    ],
    'each line with serials that it must not have',
  )
  const leaveOut = [
    { kind: 'serial', code: 'APPLE', path: 'products[0].items', replacement: null },
    { kind: 'serial', code: 'C', replacement: null },
    { kind: 'product', code: 'PHONX', replacement: 'PHONE' },
  ]
  const twice = await reconcile(id, ...leaveOut)
  assert.deepEqual(twice.body.ErrorMessages, [
    'products[2].items[0].serial must not repeat a serial of the same product.',
  ])
  const other = { kind: 'serial', code: '1', path: 'products[2].items[0].serial', replacement: '4' }
  assert.equal((await reconcile(id, ...leaveOut, other)).status, 200)
  const stored = await database.db.rows<{ serial: string | null }>(sql`
    select i.serial from consignment_product_item i join consignment_product p
      on p.id = i.consignment_product_id
    where p.consignment_id = ${id} order by p.ordinal, i.ordinal`)
  assert.deepEqual(
    stored.map(({ serial }) => serial),
    [null, null, '1', '2', '4', '3', null],
  )
})

test('a missing batch or date of a line is set by its path', async () => {
  const cake = { code: 'CAKE', name: 'Cake', batchUsage: 3, expiryUsage: 3 }
  assert.equal((await admin.post(`/v1/partners/${given.clientId}/products`, cake)).status, 201)
  const id = await imported({
    products: [line({ productCode: 'CAKE', batch: 'B1' }), line({ productCode: 'CAKE' })],
  })
  const { reasons } = await read(id)
  assert.deepEqual(
    reasons.map(({ path }: { path: string }) => path),
    ['products[0].expiryDate', 'products[1].batch', 'products[1].expiryDate'],
  )
  const attributes = (...values: string[]) => values.map((replacement, i) => ({ ...reasons[i], replacement }))
  const wrong = await reconcile(id, ...attributes('tomorrow', 'B2', '2027-02-01'))
  assert.deepEqual(wrong.body.ErrorMessages, [
    'products[0].expiryDate must be an ISO 8601 date and time, such as 2026-03-31T09:30:00.',
  ])
  assert.equal((await reconcile(id, ...attributes('2027-01-01', 'B2', '2027-02-01'))).status, 200)
  const { products } = (await admin.get(`/v1/consignments/${id}`)).body
  assert.deepEqual(
    products.map(({ batch, expiryDate }: { batch: string; expiryDate: string }) => [batch, expiryDate]),
    [
      ['B1', '2027-01-01T00:00:00Z'],
      ['B2', '2027-02-01T00:00:00Z'],
    ],
  )
})

test('a replacement without a path that it needs is refused', async () => {
  const id = await imported({ carrierCode: 'SWX' })
  const answer = await reconcile(
    id,
    { kind: 'attribute', code: 'CAKE', replacement: 'B1' },
    { kind: 'attribute', code: 'CAKE', path: 'products[0].productCode', replacement: 'B1' },
    { kind: 'serial', code: 'S', path: 'products[0]', replacement: null },
    { kind: 'manual', code: 'CAKE', replacement: null },
  )
  assert.deepEqual(
    [answer.status, answer.body.ErrorMessages.toSorted()],
    [
      400,
      [
        'replacements[0].path must be the place of a batch or a date, as in products[0].expiryDate.',
        'replacements[1].path must be the place of a batch or a date, as in products[0].expiryDate.',
        'replacements[2].path must be the place of serials, as in products[0].items or products[0].items[2].serial.',
        'replacements[3].kind must be one of client, carrier, warehouse, product, packageType, serviceType, taskType, shippingPort, serial, attribute, attachment.',
      ],
    ],
  )
  assert.equal(
    (await reconcile(id, { kind: 'attribute', code: null, path: 'products[9].batch', replacement: 'B1' }))
      .status,
    400,
  )
})

const texts = fc.oneof(
  fc.constantFrom(
    'KAURI',
    'SWF',
    'AKL',
    'APPLE',
    'PEAR',
    'EXP',
    'WRAP',
    'BOX',
    'S1',
    'NONE',
    ' ',
    'x'.repeat(2_000),
    '2027-01-01',
    'http://[',
  ),
  fc.string({ minLength: 1 }).map(text => text.toWellFormed().replaceAll('\0', '')),
)
const anyReplacement = fc.record({
  kind: fc.constantFrom(...replacementKinds),
  code: fc.option(fc.oneof(fc.constantFrom('NONE', 'none', 'APPLE', 'KAURI', 'S1'), texts)),
  path: fc.option(
    fc.constantFrom(
      'products[0].batch',
      'products[1].expiryDate',
      'products[7].sellByDate',
      'products[0].items',
      'products[1].items[0].serial',
    ),
  ),
  replacement: fc.option(texts),
})

test('with any replacements an import becomes a consignment that POST would have accepted, or stays as it was', async () => {
  const waiting = () =>
    imported({
      ...{ carrierCode: 'NONE', serviceTypeCodes: ['EXP'], tasks: [{ taskTypeCode: 'WRAP', value: 1 }] },
      products: [line(), line({ productCode: 'PEAR', packageTypeCode: 'BOX' })],
    })
  let id = await waiting()
  let taken = 0
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(anyReplacement, { minLength: 1, maxLength: 4 }),
      async (isRight, more) => {
        const before = await read(id)
        const right = isRight ? [{ kind: 'carrier', code: 'none', replacement: 'SWF' }] : []
        const { status } = await reconcile(id, ...right, ...more)
        const after = await read(id)
        if (status === 400) return assert.deepEqual(after, before)
        assert.equal(status, 200)
        assert.deepEqual(await requestFaults(withReplacements(after.request, after.replacements)), [])
        taken++
        id = await waiting()
      },
    ),
    { numRuns: 300 },
  )
  assert.ok(taken > 0)
})

test('a subscription for one carrier or client gets the events of imports that start to wait and are reconciled', async () => {
  const other = await admin.post('/v1/partners', { name: 'Slow', code: 'SLOW', relationship: 2 })
  const subscribe = async (filters: object) =>
    Promise.all(
      [110, 111].map(async eventType => {
        const created = await admin.post('/v1/webhook-subscriptions/create', {
          webhookUrl: 'https://192.0.2.1/',
          eventType,
          ...filters,
        })
        assert.equal(created.status, 202)
        return created.body.webhookSubscriptionId as string
      }),
    )
  const told = async ([started, reconciled]: string[]) =>
    (
      await database.db.rows<{ type: number }>(sql`
        select e.type from webhook_delivery d join event e on e.organisation_id = d.organisation_id
          and e.id = d.event_id
        where d.webhook_subscription_id in (${started}, ${reconciled}) order by e.id`)
    ).map(({ type }) => type)
  const swift = await subscribe({ carrierPartnerId: given.carrierId })
  const both = await subscribe({ carrierPartnerId: given.carrierId, clientPartnerId: given.clientId })
  const slow = await subscribe({ carrierPartnerId: other.body.partnerId })
  const id = await imported({ carrierCode: 'swf', serviceTypeCodes: ['EXX'] })
  assert.deepEqual(await Promise.all([told(swift), told(both), told(slow)]), [[110], [110], []])
  assert.equal((await reconcile(id, { kind: 'serviceType', code: 'EXX', replacement: 'EXP' })).status, 200)
  assert.deepEqual(await Promise.all([told(swift), told(both), told(slow)]), [[110, 111], [110, 111], []])
})

test('only a missing warehouse is named by the code null', async () => {
  const id = await imported({ carrierCode: null, products: [line({ productCode: 'APPEL' })] })
  const answer = await reconcile(
    id,
    { kind: 'carrier', code: null, replacement: 'SWF' },
    { kind: 'packageType', code: null, replacement: 'BOX' },
    { kind: 'serial', code: null, replacement: 'S' },
    { kind: 'product', code: 'APPEL', replacement: 'APPLE' },
  )
  const problem = 'must name the value to replace: only a missing warehouseCode has the code null'
  assert.deepEqual(
    [answer.status, answer.body.ErrorMessages],
    [400, [0, 1, 2].map(i => `replacements[${i}].code ${problem}.`)],
  )
})

test('serials are replaced in the given order, however many there are', () => {
  const items = Array.from({ length: 50_000 }, (_, i) => ({ serial: `S${i}`, quantity: 1 }))
  const lines = [line({ items }), line({ items: [{ serial: 'S0', quantity: 1 }] })]
  const given = { ...request(), consignmentType: 1 as const, products: lines }
  const byValue = (code: string, replacement: string | null) =>
    ({ kind: 'serial', code, replacement }) as const
  const at = (path: string, replacement: string | null) =>
    ({ kind: 'serial', code: null, path, replacement }) as const
  const many = Array.from({ length: 992 }, (_, i) => byValue(`S${i + 1000}`, `T${i}`))
  const cpuTimeOf = <T>(work: () => T) => {
    const before = process.cpuUsage()
    const result = work()
    const { user, system } = process.cpuUsage(before)
    return { result, cpuTime: user + system }
  }
  const one = cpuTimeOf(() => withReplacements(given, [byValue('S0', 'A')]))
  const all = cpuTimeOf(() =>
    withReplacements(given, [
      ...many,
      byValue('S0', 'A'),
      byValue('A', 'B'),
      at('products[1].items', 'C'),
      byValue('C', 'D'),
      byValue('S1', 'S2'),
      byValue('S2', null),
      at('products[0].items[3].serial', 'S4'),
      byValue('S4', 'E'),
    ]),
  )
  assert.ok(all.cpuTime < 6 * one.cpuTime, 'the time does not grow with items times replacements')
  const { products } = all.result
  assert.deepEqual(
    products[0]?.items.slice(0, 6).map(({ serial }) => serial),
    ['B', null, null, 'E', 'E', 'S5'],
  )
  assert.deepEqual(
    [products[1]?.items[0]?.serial, products[0]?.items[1000]?.serial, products[0]?.items[1991]?.serial],
    ['D', 'T0', 'T991'],
  )
})

test('a missing warehouse is replaced by the code null', async () => {
  assert.equal(
    (await admin.post('/v1/warehouses', { name: 'Two', code: 'TWO', timezoneId: 'UTC' })).status,
    201,
  )
  const id = await imported({ warehouseCode: null })
  assert.equal((await reconcile(id)).status, 400)
  assert.equal((await reconcile(id, { kind: 'warehouse', code: null, replacement: 'AKL' })).status, 200)
})

test('an import that asks for manual reconciliation waits until a user has reconciled it', async () => {
  const id = await imported({
    products: [line(), line({ productCode: 'PEAR', isManualReconciliationRequired: true })],
  })
  assert.deepEqual((await read(id)).reasons, [
    {
      kind: 'manual',
      code: 'PEAR',
      message: 'The product PEAR is to be reconciled by hand.',
      path: 'products[1].isManualReconciliationRequired',
    },
  ])
  const answer = await admin.put(`/v1/consignment-imports/${id}/reconcile`)
  assert.equal(answer.status, 200)
  assert.equal(await exists(id), 201)
})

/** The same user with another app. */
async function withAnotherApp() {
  const app = await admin.post('/v1/custom-apps', { name: 'Portal', grantType: 2, scopes: ['consignment'] })
  const { id: connectionId } = await database.db.row<{ id: string }>(
    sql`select id from identity_connection where custom_app_id = ${app.body.customAppId}`,
  )
  return as(admin, { connectionId })
}

test('the history shows which app and request sent an import, and which reconciled it', async () => {
  const portal = await withAnotherApp()
  const sent = await admin.post('/v1/consignment-imports', request({ carrierCode: 'SWX' }))
  await drain()
  const id = sent.body.consignmentId
  const replacements = [{ kind: 'carrier', code: 'SWX', replacement: 'SWF' }]
  const answer = await portal.put(`/v1/consignment-imports/${id}/reconcile`, { replacements })
  assert.equal(answer.status, 200)
  const { history } = (await admin.get(`/v1/consignments/${id}/history`)).body
  type Entry = { eventType: number; userFullName: string; appName: string; requestId: string }
  assert.deepEqual(
    history
      .map(({ eventType, userFullName, appName, requestId }: Entry) => [
        eventType,
        userFullName,
        appName,
        requestId,
      ])
      .toSorted(),
    [
      [101, 'Ada Storekeeper', 'Test app', sent.headers['x-request-id']],
      [110, 'Ada Storekeeper', 'Test app', sent.headers['x-request-id']],
      [111, 'Ada Storekeeper', 'Portal', answer.headers['x-request-id']],
    ],
  )
})

test('imports that arrive together keep the ids of their own requests', async () => {
  const sent = await Promise.all(
    Array.from({ length: 20 }, () => untilServed(() => admin.post('/v1/consignment-imports', request()))),
  )
  await drain()
  for (const { body, headers } of sent) {
    const { history } = (await admin.get(`/v1/consignments/${body.consignmentId}/history`)).body
    assert.deepEqual(
      [history.length, history[0].eventType, history[0].requestId],
      [1, 101, headers['x-request-id']],
    )
  }
})

test('an import shows who discarded it, when, and by which request', async () => {
  const portal = await withAnotherApp()
  const id = await imported({ carrierCode: 'NONE' })
  assert.equal((await read(id)).discarded, null)
  const { headers } = await portal.delete(`/v1/consignment-imports/${id}`)
  const { atUtc, ...by } = (await read(id)).discarded
  assert.deepEqual(by, {
    userFullName: 'Ada Storekeeper',
    appName: 'Portal',
    requestId: headers['x-request-id'],
  })
  assert.ok(Math.abs(Date.now() - Date.parse(atUtc)) < 60_000)
})

test('a discarded import cannot be restored', async () => {
  const id = await imported({ carrierCode: 'NONE' })
  const member = `/v1/consignment-imports/${id}`
  assert.equal((await admin.delete(member)).status, 200)
  assert.equal(await exists(id), 404)
  assert.equal((await read(id)).status, 4)
  const again = await admin.delete(member)
  assert.deepEqual(
    [again.status, again.body.ErrorMessages],
    [409, ['The import was discarded; it does not wait for reconciliation.']],
  )
  assert.equal((await reconcile(id)).status, 409)
})

test('only a waiting import can be reconciled or discarded', async () => {
  const id = await post()
  assert.deepEqual((await reconcile(id)).body.ErrorMessages, [
    'The import is still being processed; it does not wait for reconciliation.',
  ])
  await drain()
  const answer = await admin.delete(`/v1/consignment-imports/${id}`)
  assert.deepEqual(answer.body.ErrorMessages, [
    'The import has become a consignment; it does not wait for reconciliation.',
  ])
})

test('if two users reconcile one import at the same time, one creates the consignment', async () => {
  const id = await imported({ carrierCode: 'SWX' })
  const replacement = { kind: 'carrier', code: 'SWX', replacement: 'SWF' }
  const answers = await Promise.all([reconcile(id, replacement), reconcile(id, replacement)])
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409])
  assert.deepEqual(await events(id), [110, 101, 111])
})

test("a partner's token cannot give its import to another client", async () => {
  const id = await imported({ carrierCode: 'SWX' })
  const own = as(admin, { partnerId: given.clientId })
  const give = { replacements: [{ kind: 'client', code: 'KAURI', replacement: 'OTHER' }] }
  assert.equal((await own.put(`/v1/consignment-imports/${id}/reconcile`, give)).status, 403)
  const carrier = { replacements: [{ kind: 'carrier', code: 'SWX', replacement: 'SWF' }] }
  assert.equal((await own.put(`/v1/consignment-imports/${id}/reconcile`, carrier)).status, 200)
})

const appearingRecords: [kind: string, import: object, path: string, record: object][] = [
  ['client', { clientCode: 'NEWC' }, '/v1/partners', { name: 'New', code: 'newc', relationship: 1 }],
  ['carrier', { carrierCode: 'NCAR' }, '/v1/partners', { name: 'New', code: 'NCAR', relationship: 2 }],
  [
    'warehouse',
    { warehouseCode: 'NEWW' },
    '/v1/warehouses',
    { name: 'New', code: 'NEWW', timezoneId: 'UTC' },
  ],
  [
    'product',
    { products: [line({ productCode: 'NEWP' })] },
    `/v1/partners/${given.clientId}/products`,
    { name: 'New', code: 'newp' },
  ],
  [
    'packageType',
    { products: [line({ packageTypeCode: 'NPT' })] },
    '/v1/package-types',
    { name: 'New', code: 'NPT' },
  ],
  ['serviceType', { serviceTypeCodes: ['NST'] }, '/v1/service-types', { name: 'New', code: 'NST' }],
  [
    'taskType',
    { tasks: [{ taskTypeCode: 'NTT', value: 1 }] },
    '/v1/task-types',
    { name: 'New', code: 'NTT' },
  ],
]
for (const [kind, more, path, record] of appearingRecords) {
  test(`an import that waits for a ${kind} is retried when it appears`, async () => {
    const id = await imported(more)
    assert.deepEqual(
      (await read(id)).reasons.map((reason: { kind: string }) => reason.kind),
      [kind],
    )
    assert.equal((await admin.post(path, record)).status, 201)
    await drain()
    const { status, reasons } = await read(id)
    if (kind === 'client')
      assert.deepEqual([status, reasons[0].kind], [2, 'product'], 'the next record is missing now')
    else assert.equal(status, 3)
    assert.deepEqual(await events(id), kind === 'client' ? [110] : [110, 101, 111], 'it started to wait once')
  })
}

test('an import that still lacks something continues to wait without another event', async () => {
  const id = await imported({ carrierCode: 'LATE', serviceTypeCodes: ['LATE'] })
  assert.equal((await admin.post('/v1/service-types', { name: 'Late', code: 'LATE' })).status, 201)
  await drain()
  assert.deepEqual(
    (await read(id)).reasons.map(({ kind }: { kind: string }) => kind),
    ['carrier'],
  )
  assert.deepEqual(await events(id), [110])
})

test('a record that appears while its import is being processed is not missed', {
  timeout: 120_000,
}, async () => {
  const id = await post({ serviceTypeCodes: ['SOON'] })
  const other = openDatabase({ connection: { connectionString: world.databaseUrl }, poolSize: 4 })
  const { promise: created, resolve: commit } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
  // The record exists, but is not committed: the worker cannot see it, and the creator cannot see that the
  // import is about to wait.
  const creating = other.atomically(async tx => {
    await tx.run(sql`insert into service_type (organisation_id, id, code, name)
      values (${admin.actor.organisationId}, gen_random_uuid(), 'SOON', 'Soon')`)
    await retryWaitingImports(tx, { ...admin.actor, requestId: null }, 'serviceType', 'SOON')
    held()
    await created
  })
  await isHeld
  const processing = processDueImports(contextIn(world))
  for (let waits = false; !waits; ) {
    waits = (
      await database.db.row<{ waits: boolean }>(
        sql`select exists (select from pg_locks where locktype = 'advisory' and not granted) as waits`,
      )
    ).waits
  }
  commit()
  await Promise.all([creating, processing])
  await other.close()
  assert.equal(await exists(id), 201)
  assert.deepEqual(await events(id), [101])
})

/**
 * Creates a service type while a user tries to reconcile an import that waits for it, with a replacement
 * that is just as unknown. `meanwhile` is called when the creator has skipped the import, which the
 * attempt has locked on the connection `pid`.
 */
async function createWhileReconciling(code: string, meanwhile: (pid: number) => Promise<unknown>) {
  const id = await imported({ serviceTypeCodes: [code] })
  const other = openDatabase({ connection: { connectionString: world.databaseUrl }, poolSize: 4 })
  const { organisationId } = admin.actor
  const { reconciling } = await other.atomically(async tx => {
    await blockNewWaitingImports(tx, organisationId)
    const reconciling = reconcile(id, { kind: 'serviceType', code, replacement: 'NONE' })
    let held: { pid: number } | undefined
    while (held === undefined)
      held = await database.db.maybe(
        sql`select pid from pg_locks where locktype = 'advisory' and not granted`,
      )
    await tx.run(
      sql`insert into service_type (organisation_id, id, code, name) values (${organisationId},
        gen_random_uuid(), ${code}, ${code})`,
    )
    await retryWaitingImports(tx, { organisationId, requestId: null }, 'serviceType', code)
    await meanwhile(held.pid)
    return { reconciling }
  })
  await other.close()
  const { status } = await reconciling
  return { id, status }
}

test('a record that appears during a refused attempt to reconcile is not missed', {
  timeout: 120_000,
}, async () => {
  const { id, status } = await createWhileReconciling('DURING', async () => {})
  assert.equal(status, 400)
  await drain()
  assert.equal(await exists(id), 201)
})

test('a record that appears during an attempt to reconcile that is aborted is not missed', {
  timeout: 120_000,
}, async () => {
  const { id, status } = await createWhileReconciling('DYING', pid =>
    database.atomically(tx => tx.run(sql`select pg_terminate_backend(${pid}::int)`)),
  )
  assert.equal(status, 503)
  const minuteLater = sql`update consignment_import set due_utc = due_utc - interval '1 minute'
    where id = ${id}`
  await database.atomically(tx => tx.run(minuteLater))
  await drain()
  assert.equal(await exists(id), 201)
})
