// The lines of a consignment that the warehouse does not work on yet are added, corrected and removed by the
// rules of imports.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { raw, sql } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/new-id.ts'
import { ConsignmentStatus } from '../../src/vocabulary/consignments.ts'
import { connect, contentsOf } from '../support/database-contents.ts'
import { line } from '../support/given-imports.ts'
import { openSubRecords } from '../support/given-sub-records.ts'
import type { ApiResponse, Caller } from '../support/harness.ts'

const { world, imported, eventsOf, clientId, carrierId, made, close } = await openSubRecords()
const { admin, as, database, databaseUrl, stranger } = world
const { Draft, Pending, ReadyToReceive } = ConsignmentStatus

await made(`/v1/partners/${clientId}/products`, {
  ...{ code: 'MILK', name: 'Milk', expiryUsage: 3, batchUsage: 3 },
})
await made(`/v1/partners/${clientId}/products`, { code: 'RADIO', name: 'Radio', serialTrackingMode: 2 })

/** A consignment with these lines: its path. */
const consignmentOf = async (products: object[] = [line()], more: object = {}) =>
  `/v1/consignments/${await imported({ products, ...more })}`
const detailOf = async (path: string) => (await admin.get(path)).body
const lineIds = async (path: string): Promise<string[]> =>
  (await detailOf(path)).products.map(({ id }: { id: string }) => id)
const announced = async (path: string) =>
  (await detailOf(path)).products.map(
    (one: { productCode: string; expectedQuantity: number }) => `${one.expectedQuantity} ${one.productCode}`,
  )
const typesOf = async (path: string) => (await eventsOf(path)).map(({ type }) => type)
const faultsOf = ({ status, details }: ApiResponse) =>
  details?.map(({ path, code }) => `${code} ${path}`) ?? [`status ${status}`]
/** Every act on lines, by name. */
const acts = (path: string, id: string, by: Caller): Record<string, () => Promise<ApiResponse>> => ({
  add: () => by.post(`${path}/products`, { products: [line()] }),
  change: () => by.put(`${path}/products/${id}`, line({ items: [{ quantity: 7 }] })),
  remove: () => by.delete(`${path}/products/${id}`),
})

test('lines are added behind the others, with the weights of their products', async () => {
  const path = await consignmentOf()
  const answer = await admin.post(`${path}/products`, {
    products: [
      line({ productCode: 'pear', items: [{ quantity: 3, weightKG: 1.5 }], batch: ' B7 ' }),
      line({ packageTypeCode: 'box', expiryDate: '2026-12-01' }),
    ],
  })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const { products, metrics } = await detailOf(path)
  assert.deepEqual(
    products.slice(1).map(({ id }: { id: string }) => id),
    answer.body.consignmentProductIds,
  )
  assert.deepEqual(await announced(path), ['10 APPLE', '3 pear', '10 APPLE'])
  const [, pears, apples] = products
  assert.deepEqual([pears.product.code, pears.batch, pears.expectedWeightKG], ['PEAR', 'B7', 1.5])
  assert.deepEqual([apples.packageTypeCode, apples.expiryDate], ['BOX', '2026-12-01T00:00:00Z'])
  assert.deepEqual([apples.expectedWeightKG, apples.expectedVolumeM3], [2.5, 0.005])
  assert.deepEqual([metrics.expectedQuantity, metrics.expectedWeightKG], [23, 6.5])
  const events = await eventsOf(path)
  assert.deepEqual(
    events.map(({ type }) => type),
    [108, 105],
  )
  assert.deepEqual(events[0]?.changes[0], {
    field: 'products',
    from: null,
    to: {
      ...{ id: pears.id, productCode: 'pear', batch: 'B7', expectedQuantity: 3, expectedWeightKG: 1.5 },
      items: [{ serial: null, quantity: 3, weightKG: 1.5, volumeM3: null }],
    },
  })
  assert.deepEqual(events[1]?.changes, [
    {
      field: 'metrics',
      from: { quantity: 10, weightKG: 2.5, volumeM3: 0.005 },
      to: { quantity: 23, weightKG: 6.5, volumeM3: 0.01 },
    },
  ])
})

test('a corrected line keeps its id and place, and the same again is 304', async () => {
  const path = await consignmentOf([line(), line({ productCode: 'PEAR' })])
  const [first] = await lineIds(path)
  const url = `${path}/products/${first}`
  const etag = (await admin.get(path)).headers.etag as string
  assert.equal((await admin.put(url, line())).status, 304)
  assert.equal((await admin.get(path)).headers.etag, etag)
  const corrected = line({ items: [{ quantity: 12 }], batch: 'B8', attributes: [{ name: 'Colour' }] })
  assert.equal((await admin.put(url, corrected)).status, 200)
  assert.equal((await admin.put(url, corrected)).status, 304)
  assert.deepEqual(await announced(path), ['12 APPLE', '10 PEAR'])
  const [{ id, batch, items, expectedWeightKG }] = (await detailOf(path)).products
  assert.deepEqual([id, batch, items[0].quantity, expectedWeightKG], [first, 'B8', 12, 3])
  assert.deepEqual(await typesOf(path), [108, 105])
  const changes = (await eventsOf(path))[0]?.changes
  const item = (quantity: number) => ({ serial: null, quantity, weightKG: null, volumeM3: null })
  assert.deepEqual(changes, [
    {
      field: 'products',
      from: {
        ...{ id: first, productCode: 'APPLE', batch: null, attributes: null, expectedQuantity: 10 },
        ...{ expectedWeightKG: 2.5, expectedVolumeM3: 0.005, items: [item(10)] },
      },
      to: {
        ...{ id: first, productCode: 'APPLE', batch: 'B8', expectedQuantity: 12 },
        ...{ expectedWeightKG: 3, expectedVolumeM3: 0.006, items: [item(12)] },
        attributes: [{ name: 'Colour', description: null }],
      },
    },
  ])
  assert.equal((await admin.put(url, line({ items: [{ quantity: 12 }], batch: 'B9' }))).status, 200)
  assert.deepEqual(await typesOf(path), [108, 105, 108], 'a batch is no figure')
  const stale = await admin.with({ 'if-match': etag }).put(url, line())
  assert.equal(stale.status, 412)
  const history = (await admin.get(`${path}/history`)).body.history
  assert.ok(JSON.stringify(history).includes('"batch":"B9"'))
})

test('lines that several people add and remove at once are numbered one after the other', async () => {
  const path = await consignmentOf([line(), line(), line()])
  const [first, second] = (await lineIds(path)) as [string, string]
  const answers = await Promise.all([
    ...Array.from({ length: 6 }, () => admin.post(`${path}/products`, { products: [line(), line()] })),
    admin.delete(`${path}/products/${first}`),
    admin.delete(`${path}/products/${second}`),
  ])
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  const { ordinals } = await database.db.row<{ ordinals: number[] }>(sql`
    select array_agg(ordinal order by ordinal) as ordinals from consignment_product
    where consignment_id = ${path.split('/')[3]}`)
  assert.deepEqual(ordinals, [...Array(13).keys()])
})

test('an empty text says as little as none', async () => {
  const path = await consignmentOf([line({ batch: '', goodsDescription: null })])
  const [id] = await lineIds(path)
  assert.equal((await admin.put(`${path}/products/${id}`, line())).status, 304)
  assert.equal((await admin.put(`${path}/products/${id}`, line({ batch: ' ' }))).status, 304)
})

test('a consignment has no more lines and items than an import', async () => {
  const path = await consignmentOf()
  const [id] = await lineIds(path)
  const many = (n: number) => Array.from({ length: n }, () => ({ quantity: 1 }))
  const lines = Array.from({ length: 5_000 }, () => line())
  const tooManyLines = await admin.post(`${path}/products`, { products: lines })
  assert.deepEqual(tooManyLines.body.ErrorMessages, [
    'products would give the consignment more than 5,000 lines.',
  ])
  const tooManyItems = await admin.post(`${path}/products`, { products: [line({ items: many(50_000) })] })
  assert.deepEqual(tooManyItems.body.ErrorMessages, [
    'products would give the consignment more than 50,000 items.',
  ])
  const [{ items }] = (await detailOf(path)).products
  assert.equal(items.length, 1)
  const all = await admin.put(`${path}/products/${id}`, line({ items: many(2_000) }))
  assert.equal(all.status, 200, 'its own items are replaced')
  const changes = (await eventsOf(path))[0]?.changes[0]
  assert.partialDeepStrictEqual(changes, { to: { itemCount: 2_000 } })
})

test('a line becomes another product, with its weight', async () => {
  const path = await consignmentOf()
  const [id] = await lineIds(path)
  const change = line({ productCode: 'PEAR' })
  assert.equal((await admin.put(`${path}/products/${id}`, change)).status, 200)
  const [{ product, expectedWeightKG }] = (await detailOf(path)).products
  assert.deepEqual([product.code, expectedWeightKG], ['PEAR', null])
})

test('after a line is removed the others move up, and the last one stays', async () => {
  const path = await consignmentOf([
    line(),
    line({ productCode: 'PEAR' }),
    line({ items: [{ quantity: 4 }] }),
  ])
  const [first, second, third] = (await lineIds(path)) as [string, string, string]
  assert.equal((await admin.delete(`${path}/products/${first}`)).status, 200)
  assert.deepEqual(await announced(path), ['10 PEAR', '4 APPLE'])
  const ordinals = await database.db.rows(sql`
    select ordinal from consignment_product where id in (${second}, ${third}) order by ordinal`)
  assert.deepEqual(ordinals, [{ ordinal: 0 }, { ordinal: 1 }])
  const change = (await eventsOf(path))[0]?.changes[0]
  assert.partialDeepStrictEqual(change, { field: 'products', from: { productCode: 'APPLE' }, to: null })
  assert.equal((await admin.delete(`${path}/products/${first}`)).status, 404)
  assert.equal((await admin.delete(`${path}/products/${third}`)).status, 200)
  const last = await admin.delete(`${path}/products/${second}`)
  assert.deepEqual(
    [last.status, last.details?.[0]?.code, last.body.ErrorMessages],
    [
      400,
      'state',
      ['It is the only line of the consignment: add another one first, or make the consignment void.'],
    ],
  )
  assert.equal((await admin.post(`${path}/products`, { products: [line()] })).status, 200)
  assert.deepEqual(await announced(path), ['10 PEAR', '10 APPLE'])
})

test('everything that an import would wait for or refuse is told at once, at its field', async () => {
  const path = await consignmentOf([
    line(),
    line({ productCode: 'RADIO', items: [{ quantity: 1, serial: 'S1' }] }),
  ])
  const [first] = await lineIds(path)
  const faulty = [
    line({ productCode: 'NONE', packageTypeCode: 'CRATE' }),
    line({ productCode: 'NONE' }),
    line({ productCode: 'MILK', expiryDate: '2026-12-01' }),
    line({ items: [{ quantity: 1, serial: 'S9' }] }),
    line({
      productCode: 'radio',
      items: [
        { quantity: 1, serial: 'S1' },
        { quantity: 1, serial: 'S2' },
      ],
    }),
  ]
  const answer = await admin.post(`${path}/products`, { products: faulty })
  assert.deepEqual(faultsOf(answer), [
    'unknown_reference products[0].productCode',
    'unknown_reference products[0].packageTypeCode',
    'unknown_reference products[1].productCode',
    'required products[2].batch',
    'serial_not_taken products[3].items',
    'duplicate products[4].items[0].serial',
  ])
  assert.equal(answer.body.ErrorMessages[0], 'The client KAURI has no product with the code NONE.')
  const change = async (body: object) => faultsOf(await admin.put(`${path}/products/${first}`, body))
  assert.deepEqual(await change(faulty[0] as object), [
    'unknown_reference productCode',
    'unknown_reference packageTypeCode',
  ])
  assert.deepEqual(await change(line({ productCode: 'RADIO', items: [{ quantity: 1, serial: 'S1' }] })), [
    'duplicate items[0].serial',
  ])
  assert.deepEqual(await change({ productCode: 'APPLE', items: [{ quantity: 2, serial: 'S' }], batch: 7 }), [
    'invalid items[0].quantity',
    'type batch',
  ])
  assert.deepEqual(await change({ items: [] }), ['required productCode', 'length items'])
  assert.deepEqual(faultsOf(await admin.post(`${path}/products`, { products: [] })), ['length products'])
  assert.deepEqual([await announced(path), await typesOf(path)], [['10 APPLE', '1 RADIO'], []])
})

test('a line keeps its own serials when it is corrected', async () => {
  const radio = (quantity: number) =>
    line({
      productCode: 'RADIO',
      items: Array.from({ length: quantity }, (_, i) => ({ quantity: 1, serial: `R${i}` })),
    })
  const path = await consignmentOf([radio(1)])
  const [id] = await lineIds(path)
  assert.equal((await admin.put(`${path}/products/${id}`, radio(2))).status, 200)
  const [{ items }] = (await detailOf(path)).products
  assert.deepEqual(
    items.map(({ serial }: { serial: string }) => serial),
    ['R0', 'R1'],
  )
})

test("an alias of the client stands for its product, as in its imports, and a person's look is enough", async () => {
  const path = await consignmentOf()
  const alias = { kind: 'product', code: 'OLD-PEAR', replacement: 'PEAR' }
  assert.equal((await admin.post(`/v1/partners/${clientId}/code-aliases`, alias)).status, 201)
  const products = [line({ productCode: 'OLD-PEAR', isManualReconciliationRequired: true })]
  assert.equal((await admin.post(`${path}/products`, { products })).status, 200)
  const [, { product }] = (await detailOf(path)).products
  assert.equal(product.code, 'PEAR')
})

test('goods of a point-to-point consignment need not be in the catalogue', async () => {
  const path = await consignmentOf([line()], { consignmentType: 0 })
  const products = [line({ productCode: 'Sofa' })]
  assert.equal((await admin.post(`${path}/products`, { products })).status, 200)
  assert.equal((await detailOf(path)).products[1].product, null)
})

test('lines change while the consignment is Draft or Pending, and no longer', async () => {
  const path = await consignmentOf([line(), line(), line()])
  for (const status of [Draft, Pending, Draft]) {
    const [first] = (await lineIds(path)) as [string]
    await admin.put(`${path}/status`, { status })
    for (const [name, act] of Object.entries(acts(path, first, admin)))
      assert.ok([200, 304].includes((await act()).status), `${name} in ${status}`)
  }
  const [first] = (await lineIds(path)) as [string]
  const refused = async (name: string) => {
    for (const [act, attempt] of Object.entries(acts(path, first, admin))) {
      const { status, details } = await attempt()
      assert.deepEqual([status, details?.[0]?.code], [400, 'state'], `${act} when ${name}`)
    }
  }
  await admin.put(`${path}/status`, { status: Pending })
  await admin.put(`${path}/status`, { status: ReadyToReceive })
  await refused('Ready to receive')
  await close(path)
  await refused('Closed')
})

test('goods that are received, allocated, picked or dispatched keep all lines as they are', async () => {
  for (const figure of ['received', 'allocated', 'picked', 'dispatched']) {
    const path = await consignmentOf([line(), line()])
    const [first, second] = (await lineIds(path)) as [string, string]
    const column = raw(`${figure}_quantity`)
    await database.atomically(tx =>
      tx.run(sql`update consignment_product set ${column} = 1 where id = ${second}`),
    )
    for (const attempt of Object.values(acts(path, first, admin))) {
      const { details } = await attempt()
      assert.equal(details?.[0]?.code, 'state')
      assert.match(details[0].message, /^Line 2 \(APPLE\) of consignment .* can no longer change\.$/)
    }
    assert.deepEqual(await typesOf(path), [])
  }
})

test("a client changes its own lines, and nobody else's; carriers and readers change none", async () => {
  const path = await consignmentOf([line(), line()], { carrierCode: 'SWF' })
  const [first] = (await lineIds(path)) as [string]
  const attempts = async (by: Caller) =>
    Promise.all(Object.values(acts(path, first, by)).map(async act => (await act()).status))
  assert.deepEqual(await attempts(as(admin, { partnerId: carrierId })), [403, 403, 403])
  assert.deepEqual(await attempts(as(admin, { scopes: ['consignment.read'] })), [403, 403, 403])
  const other = await made('/v1/partners', { name: 'Rimu', code: 'RIMU', relationship: 1 })
  assert.deepEqual(await attempts(as(admin, { partnerId: other })), [404, 404, 404])
  assert.deepEqual(await attempts(await stranger()), [404, 404, 404])
  assert.deepEqual(await announced(path), ['10 APPLE', '10 APPLE'])
  const client = as(admin, { partnerId: clientId })
  for (const [name, act] of Object.entries(acts(path, first, client)))
    assert.equal((await act()).status, 200, name)
})

test('an unknown line is 404, as is one of another consignment', async () => {
  const [path, elsewhere] = [await consignmentOf([line(), line()]), await consignmentOf()]
  const [other] = (await lineIds(elsewhere)) as [string]
  for (const id of [newId(), other]) {
    const { change, remove } = acts(path, id, admin)
    for (const act of [change, remove])
      assert.deepEqual(
        [(await act?.())?.status, (await act?.())?.body.ErrorMessages],
        [404, ['Line not found.']],
      )
  }
})

test('what a change of lines does is told beforehand, and nothing is stored', async () => {
  const path = await consignmentOf([line(), line({ productCode: 'PEAR' })])
  const [first] = (await lineIds(path)) as [string]
  const client = await connect(databaseUrl)
  const before = (await contentsOf(client)).digests
  const asking = admin.with({ 'waybill-rehearse': 'true' })
  const told = async (answer: Promise<ApiResponse>) => {
    const { status, body } = await answer
    assert.equal(status, 200, JSON.stringify(body))
    return [body.outcome, ...body.effects.map(({ text }: { text: string }) => text)]
  }
  const url = `${path}/products`
  assert.deepEqual(await told(asking.post(url, { products: [line()] })), [200, 'add a line of APPLE'])
  const two = [line(), line({ productCode: 'PEAR' })]
  assert.deepEqual(await told(asking.post(url, { products: two })), [200, 'add 2 lines of APPLE and PEAR'])
  const change = line({ items: [{ quantity: 12 }] })
  assert.deepEqual(await told(asking.put(`${url}/${first}`, change)), [
    200,
    'change the line of APPLE from 10 to 12',
  ])
  assert.deepEqual(await told(asking.put(`${url}/${first}`, line())), [304])
  assert.deepEqual(await told(asking.delete(`${url}/${first}`)), [200, 'remove the line of APPLE'])
  assert.deepEqual((await contentsOf(client)).digests, before)
  await client.end()
})
