// The search for everything.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { openWaves } from '../support/given-waves.ts'
import type { Caller } from '../support/harness.ts'

const world = await openWaves()
const { admin, as, database, organisationId, clientId } = world

interface Found {
  kind: string
  id: string
  parentId: string | null
  title: string
  subtitle: string
  status: number | null
  of?: string
}

async function found(text: string, caller: Caller = admin, more = ''): Promise<Found[]> {
  const { status, body } = await caller.get(`/v1/search?Q=${encodeURIComponent(text)}${more}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.results
}
const titles = async (kind: string, ...args: Parameters<typeof found>) =>
  (await found(...args)).filter(one => one.kind === kind).map(({ title }) => title)

const made = async (path: string, body: object) => {
  const answer = await admin.post(path, body)
  assert.ok(answer.status < 300, JSON.stringify(answer.body))
  return Object.values(answer.body)[0] as string
}
const otherClientId = await made('/v1/partners', { name: 'Rimu', code: 'RIMU2', relationship: 1 })
const carrierId = await made('/v1/partners', { name: 'Swift Freight', code: 'SWF2', relationship: 2 })

// 330 consignments: number 320 has a text of every kind, of the others each has a reference.
const ids = await world.readyAll(Array.from({ length: 330 }, () => ({ lines: [{ quantity: 1 }] })))
const idOf = (number: number) => ids[number - 1] as string
await database.atomically(async tx => {
  await tx.run(sql`update consignment set reference_number = 'Order ' || number
    where organisation_id = ${organisationId}`)
  await tx.run(sql`update consignment set reference_number = '100%_Kiwi\\Ltd ''n', po_number = 'PO-4711',
      container_number = 'MSCU1234567', external_id = 'Shop-9', carrier_id = ${carrierId},
      destination_address = '{"name": "Café Ōtāhuhu & Söhne"}'
    where organisation_id = ${organisationId} and number = 320`)
  await tx.run(sql`insert into consignment_tracking (organisation_id, id, consignment_id, tracking_number,
      last_updated_date)
    values (${organisationId}, gen_random_uuid(), ${idOf(320)}, 'NZP00099', '2026-01-01')`)
})
const prefix = (await admin.get('/v1/organisation')).body.consignmentPrefix as string
const number = (n: number) => `${prefix}-${String(n).padStart(6, '0')}-OUT`

test('a consignment is found by its number as people say it, the very number first', async () => {
  for (const text of ['320', '000320', `${prefix.toLowerCase()}-320`, number(320), ' 320 '])
    assert.equal((await titles('consignment', text))[0], number(320), text)
  assert.deepEqual(
    await titles('consignment', '32'),
    [32, 329, 328, 327, 326, 325, 324, 323].map(number),
    'the number, then the newest that begin with its digits',
  )
  assert.deepEqual(await titles('consignment', 'XYZ-320'), [], 'not with other letters')
})

test('a consignment is found by reference, order, container, tracking number, consignee and external id', async () => {
  const texts = [
    '100%_kiwi',
    'po-47',
    'mscu12',
    'nzp000',
    'café ō',
    'CAFÉ ŌTĀHUHU',
    'Shop-9',
    'söhne',
    '4711',
  ]
  for (const text of texts) assert.deepEqual(await titles('consignment', text), [number(320)], text)
  const [one] = await found('nzp00099')
  assert.equal(one?.id, idOf(320))
  assert.match(one?.subtitle ?? '', /NZP00099, Café Ōtāhuhu & Söhne$/)
  assert.equal(one?.status, 2)
  assert.deepEqual(
    (await found(idOf(320))).map(({ title }) => title),
    [number(320)],
  )
})

test('characters with a meaning in patterns and quotes are only themselves', async () => {
  for (const text of ['%%', '__', '\\\\', "''", '%kiwi', '100__kiwi', "'; drop table consignment; --"])
    assert.deepEqual(await found(text), [], text)
  for (const text of ['%_', "\\Ltd 'n"])
    assert.deepEqual(await titles('consignment', text), [number(320)], text)
  for (const text of [
    'x'.repeat(100),
    '\u{1f600}\u{1f600}',
    '\u202eabc',
    '\u{10ffff}\u{10ffff}',
    'ﬀﬀ',
    '\u2060\u2060',
  ])
    await found(text)
})

test('a text has 2 to 100 characters, and kinds are known', async () => {
  for (const query of ['', 'Q=', 'Q=x', 'Q=%20x%20', `Q=${'x'.repeat(101)}`, 'Q=xx&Kinds=cat', 'Q=a%00b'])
    assert.equal((await admin.get(`/v1/search?${query}`)).status, 400, query)
})

test('records of all kinds are found, at most eight of each, and only those that were asked for', async () => {
  const results = await found('a-01')
  assert.deepEqual([...new Set(results.map(({ kind }) => kind))], ['location'])
  assert.equal(results[0]?.parentId, world.warehouseId)
  const product = (await found('apple')).find(({ kind }) => kind === 'product')
  assert.deepEqual(
    [product?.id, product?.parentId, product?.title],
    [world.products.APPLE, clientId, 'APPLE'],
  )
  const unitId = await world.unit('Cage 7')
  const unit = (await found('cage')).find(({ kind }) => kind === 'unit')
  assert.equal(unit?.id, unitId)
  assert.deepEqual(await titles('unit', 'LU-1'), [unit?.title])
  assert.deepEqual(await titles('partner', 'freight'), ['Swift Freight'])
  const jobId = await made('/v1/jobs/wave-pick', { ...world.place, reference: 'Friday' })
  const [job] = (await found('friday')).filter(({ kind }) => kind === 'job')
  assert.deepEqual([job?.id, job?.status], [jobId, 1])
  const userId = await made('/v1/users', { email: 'pia@example.com', fullName: 'Pia Planner' })
  assert.equal((await found('planner')).find(({ kind }) => kind === 'user')?.id, userId)
  assert.equal((await titles('consignment', 'order')).length, 8)
  const kinds = async (query: string) => [
    ...new Set((await found('order', admin, query)).map(({ kind }) => kind)),
  ]
  assert.deepEqual(await kinds('&Kinds=job'), [])
  assert.deepEqual(await kinds('&Kinds=consignment&Kinds=user'), ['consignment'])
})

test('a serial and a schedule are found', async () => {
  const productId = await world.product('WATCH', { serialTrackingMode: 2 })
  await database.atomically(async tx => {
    await tx.run(sql`insert into warehouse_product_item (organisation_id, id, product_id, serial)
      values (${organisationId}, gen_random_uuid(), ${productId}, 'SN-0042')`)
    await tx.run(sql`insert into partner_schedule (organisation_id, id, partner_id, date, reference_number)
      values (${organisationId}, gen_random_uuid(), ${clientId}, '2026-06-30', 'JUNE-26')`)
  })
  assert.deepEqual(await titles('serial', 'sn-0042'), ['SN-0042'])
  const [schedule] = (await found('june-')).filter(({ kind }) => kind === 'schedule')
  assert.match(schedule?.title ?? '', /, 2026-06-30$/)
})

test('the id of a request leads to what it changed, to the history and to deliveries', async () => {
  const subscription = await made('/v1/webhook-subscriptions/create', {
    webhookUrl: 'https://example.com/hook',
    eventType: 102,
  })
  const caller = admin.with({ 'x-request-id': 'deploy.2026:42' })
  assert.equal((await caller.put(`/v1/consignments/${idOf(320)}/general`, { soNumber: 'SO-1' })).status, 200)
  await caller.put('/v1/organisation', { name: 'Waybill of tests' })
  const results = await found('deploy.2026:42')
  assert.deepEqual(
    results.map(({ kind, of }) => [kind, of]),
    [
      ['request', 'consignment'],
      ['request', 'history'],
      ['request', 'delivery'],
    ],
  )
  assert.equal(results[0]?.id, idOf(320))
  assert.deepEqual(
    [results[2]?.parentId, results[2]?.subtitle],
    [subscription, 'consignment.general.updated'],
  )
  assert.deepEqual(await found('deploy.2026:42', as(admin, { partnerId: otherClientId })), [])
  const mine = await found('deploy.2026:42', as(admin, { partnerId: clientId }))
  assert.deepEqual(
    mine.map(({ of }) => of),
    ['consignment'],
    'no history of the organisation, no deliveries',
  )
})

test('an import that waits is found by its reference and by its request', async () => {
  const imported = await admin.with({ 'x-request-id': 'import-1' }).post('/v1/consignment-imports', {
    consignmentType: 2,
    clientCode: 'NOBODY',
    referenceNumber: 'Lost-1',
    products: [{ productCode: 'APPLE', items: [{ quantity: 1 }] }],
  })
  assert.equal(imported.status, 202)
  await database.atomically(tx =>
    tx.run(sql`update consignment_import set status = 2, due_utc = null, client_id = ${clientId}
      where organisation_id = ${organisationId}`),
  )
  assert.deepEqual(await titles('import', 'lost'), ['Lost-1'])
  assert.deepEqual(
    (await found('import-1')).map(({ of }) => of),
    ['import'],
  )
  const [consignmentImportId] = Object.values<string>(imported.body) as [string]
  assert.deepEqual(await titles('import', consignmentImportId), ['Lost-1'])
  for (const partnerId of [otherClientId, carrierId])
    assert.deepEqual(await found(consignmentImportId, as(admin, { partnerId })), [])
})

test('a reader finds what it may read, and nothing of other kinds', async () => {
  const only = async (scope: string, text: string) => [
    ...new Set((await found(text, as(admin, { scopes: [scope] }))).map(({ kind }) => kind)),
  ]
  assert.deepEqual(await only('consignment.read', 'apple'), [])
  assert.deepEqual(await only('partner.read', 'apple'), ['product'])
  assert.deepEqual(await only('consignment.read', '320'), ['consignment'])
  assert.deepEqual(await only('inventory.read', '320'), [])
  assert.deepEqual(await only('warehouse.read', 'a-01'), ['location'])
  assert.deepEqual(await only('print', 'planner'), [])
})

test('a client finds only its own, a carrier only what it carries, another organisation nothing', async () => {
  const texts = [
    '320',
    '321',
    'order',
    'apple',
    'cage',
    'sn-0042',
    'june-',
    'friday',
    'planner',
    'swift',
    'rimu',
  ]
  const kindsOf = async (caller: Caller) => {
    const all = await Promise.all(texts.map(text => found(text, caller)))
    return [...new Set(all.flat().map(({ kind }) => kind))].toSorted()
  }
  const client = as(admin, { partnerId: clientId })
  assert.deepEqual(await kindsOf(client), ['consignment', 'job', 'product', 'schedule', 'serial', 'unit'])
  assert.deepEqual(await kindsOf(as(admin, { partnerId: otherClientId })), ['partner'])
  const carrier = as(admin, { partnerId: carrierId })
  assert.deepEqual(await kindsOf(carrier), ['consignment', 'partner'])
  for (const text of ['320', '32', 'po-4711', 'nzp', 'café', 'söhne'])
    assert.deepEqual(await titles('consignment', text, carrier), [number(320)], text)
  assert.deepEqual(await titles('consignment', '321', carrier), [])
  const stranger = await world.stranger()
  for (const text of [...texts, idOf(320), 'deploy.2026:42', 'import-1'])
    assert.deepEqual(await found(text, stranger), [], text)
})
