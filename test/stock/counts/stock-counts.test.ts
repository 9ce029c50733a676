// Creating stock counts, blind counts, recounts and refusals. Spec 2.14.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import { newId } from '../../../src/platform/new-id.ts'
import { openCounts } from '../../support/given-counts.ts'

const world = await openCounts()
const { admin, stored, product, locations, clientId, warehouseId, database } = world
const { createCount, count, lineOf, lines, move, done, refused } = world
const { organisationId } = admin.actor

let products = 0
const newProduct = (more: object = {}) => product(`C${++products}`, more)

test('a count has a line for every row on hand, in walking order, except those in another open count', async () => {
  const productId = await newProduct()
  const pear = await newProduct()
  const [b1, a2, a1] = [
    await stored(1, { productId, warehouseLocationId: locations.B1 }),
    await stored(2, { productId, warehouseLocationId: locations.A2 }),
    await stored(3, { productId }),
  ]
  await stored(4, { productId: pear })
  const first = await done('/v1/stock-counts', {
    warehouseId,
    partnerProductIds: [productId],
    warehouseLocationIds: [locations.A1, locations.A2],
    reference: 'Aisle A',
    dueDateTime: '2026-12-01T08:00:00',
  })
  assert.deepEqual([first.lineCount, first.inOtherCounts], [2, 0])
  assert.match(first.stockCountNumber, /^SC-\d{6}$/)
  const path = `/v1/stock-counts/${first.stockCountId}`
  assert.deepEqual(
    (await lines(path)).map(({ warehouseProductId }) => warehouseProductId),
    [a1, a2],
  )
  const second = await done('/v1/stock-counts', { warehouseId, partnerProductIds: [productId] })
  assert.deepEqual([second.lineCount, second.inOtherCounts], [1, 2])
  assert.equal((await lines(`/v1/stock-counts/${second.stockCountId}`))[0]?.warehouseProductId, b1)
  const { status, reference, dueDateTime, isBlind, lineCount } = (await admin.get(path)).body
  assert.deepEqual(
    [status, reference, dueDateTime, isBlind, lineCount],
    [1, 'Aisle A', '2026-12-01T08:00:00Z', true, 2],
  )
  const listed = (await admin.get('/v1/stock-counts?SearchText=aisle&Status=1')).body
  assert.deepEqual([listed.total, listed.stockCounts[0].stockCountId], [1, first.stockCountId])
  // Rows of a cancelled count are free for the next one.
  assert.equal(await move(path, 5), 200)
  const third = await done('/v1/stock-counts', { warehouseId, partnerProductIds: [productId] })
  assert.deepEqual([third.lineCount, third.inOtherCounts], [2, 1])
})

test('in a blind count the book quantity is hidden until counting has ended', async () => {
  const productId = await newProduct()
  const id = await stored(10, { productId })
  const blind = await createCount({ partnerProductIds: [productId] })
  const figures = async (path: string) => {
    const { bookQuantity, countedQuantity, varianceQuantity, entries } = await lineOf(path, id)
    return [bookQuantity, countedQuantity, varianceQuantity, entries.length]
  }
  assert.deepEqual(await figures(blind), [null, null, null, 0])
  await count(blind, id, 8)
  assert.deepEqual(await figures(blind), [null, 8, null, 0])
  assert.equal(await move(blind, 3), 200)
  assert.deepEqual(await figures(blind), [10, 8, -2, 1])
  await done(`${blind}/lines/recount`, {
    stockCountLineIds: [(await lineOf(blind, id)).stockCountLineId],
  })
  assert.deepEqual(await figures(blind), [null, null, null, 0])
  await count(blind, id, 9)
  const { round, entries } = await lineOf(blind, id)
  assert.deepEqual(
    [round, entries.map(entry => [entry.round, entry.countedQuantity])],
    [
      2,
      [
        [2, 9],
        [1, 8],
      ],
    ],
  )
  assert.deepEqual(await figures(blind), [10, 9, -1, 2])
  assert.equal(await move(blind, 5), 200)
  const open = await createCount({ partnerProductIds: [productId], isBlind: false })
  assert.deepEqual(await figures(open), [10, null, null, 0])
})

test('counting begins automatically, ends when everything is counted, and can be resumed', async () => {
  const productId = await newProduct()
  const [first, second] = [await stored(1, { productId }), await stored(2, { productId, batch: 'B' })]
  const path = await createCount({ partnerProductIds: [productId] })
  const status = async () => (await admin.get(path)).body.status
  assert.equal(await move(path, 1), 304)
  const [notBegun = ''] = await refused(`${path}/approve`, {})
  assert.match(notBegun, /is Draft, not In progress or Counted: count its lines first\.$/)
  await count(path, first, 1)
  assert.equal(await status(), 2)
  const refusalOf = async (to: number) =>
    (await admin.put(`${path}/status`, { status: to })).body.ErrorMessages
  assert.deepEqual(await refusalOf(3), ['1 of 2 lines has not been counted yet: count it first.'])
  assert.deepEqual(await refusalOf(1), [
    'Counting has begun, so the stock count cannot be Draft again: cancel it to begin anew.',
  ])
  assert.deepEqual(await refusalOf(4), [
    'A stock count becomes Approved with its last line: approve its lines.',
  ])
  await count(path, second, 2)
  await count(path, second, 3)
  assert.equal(await move(path, 3), 200)
  const lineIds = await Promise.all(
    [first, second].map(async id => (await lineOf(path, id)).stockCountLineId),
  )
  const ended = 'counting has ended: request a recount of the line, or resume the stock count (In progress)'
  assert.deepEqual(
    await refused(`${path}/lines/count`, {
      counts: [
        { stockCountLineId: lineIds[0], countedQuantity: 1 },
        { found: { partnerProductId: productId, locationName: 'A-02' }, countedQuantity: 1 },
      ],
    }),
    [`counts[0]: ${ended}.`, `counts[1]: ${ended}.`],
  )
  await done(`${path}/approve`, { stockCountLineIds: [lineIds[0]] })
  assert.equal(await status(), 3)
  assert.equal(await move(path, 2), 200)
  await count(path, second, 2)
  assert.equal(await move(path, 3), 200)
  assert.deepEqual(await refused(`${path}/approve`, { stockCountLineIds: [lineIds[0]] }), [
    `C${products} in A-01: it is already approved.`,
  ])
  assert.equal((await done(`${path}/approve`, {})).status, 4)
  assert.deepEqual(await refusalOf(2), [
    'The stock count is Approved and cannot change any more: create another one.',
  ])
  assert.match((await refused(`${path}/lines/recount`, { stockCountLineIds: lineIds }))[0] ?? '', /Approved/)
})

test('a count of nothing is refused, and one of empty locations becomes Approved as soon as counting ends', async () => {
  const productId = await newProduct()
  const ofProduct = { warehouseId, partnerProductIds: [productId] }
  assert.deepEqual(await refused('/v1/stock-counts', ofProduct), [
    'There is no stock to count there. To look at empty locations, name them in warehouseLocationIds.',
  ])
  await stored(1, { productId })
  const open = await createCount(ofProduct)
  assert.deepEqual(await refused('/v1/stock-counts', ofProduct), [
    'Nothing is left to count: the row of stock there is in another open stock count.',
  ])
  assert.equal(await move(open, 5), 200)
  const path = await createCount({
    ...{ partnerProductIds: [await newProduct()], warehouseLocationIds: [locations.A2] },
  })
  assert.equal(await move(path, 3), 200)
  assert.equal((await admin.get(path)).body.status, 4)
})

test('an entry must say what it counted, and all faults are reported', async () => {
  const productId = await newProduct()
  const id = await stored(1, { productId })
  const path = await createCount({ partnerProductIds: [productId] })
  const { stockCountLineId } = await lineOf(path, id)
  const unknownId = newId()
  assert.deepEqual(
    await refused(`${path}/lines/count`, {
      counts: [{ countedQuantity: 1 }, { stockCountLineId }],
    }),
    [
      'counts[0] must name either stockCountLineId or found.',
      'counts[1] must say how many were counted, by countedQuantity or serials.',
    ],
  )
  assert.deepEqual(
    await refused(`${path}/lines/count`, {
      counts: [
        { stockCountLineId, countedQuantity: 1 },
        { stockCountLineId, countedQuantity: 2 },
        { stockCountLineId: unknownId, countedQuantity: 1 },
        { stockCountLineId, countedQuantity: 1, serials: ['X'] },
      ],
    }),
    [
      'counts[1]: the line is listed twice.',
      `counts[2]: the stock count has no line ${unknownId}.`,
      `counts[3]: C${products} has no serials.`,
      'counts[3]: the line is listed twice.',
    ],
  )
  const found = (more: object) => ({
    found: { partnerProductId: productId, locationName: 'A-02', ...more },
    countedQuantity: 1,
  })
  assert.deepEqual(
    await refused(`${path}/lines/count`, {
      counts: [
        found({ locationName: 'NOWHERE' }),
        found({ partnerProductId: unknownId }),
        found({ locationName: null }),
      ],
    }),
    [
      'counts[0]: there is no location NOWHERE in that warehouse.',
      `counts[1]: there is no product ${unknownId}.`,
      'counts[2]: say where it is, by warehouseLocationId, locationName or logisticUnit.',
    ],
  )
  assert.deepEqual(
    await refused(`${path}/lines/recount`, { stockCountLineIds: [stockCountLineId, unknownId] }),
    [
      'stockCountLineIds[0]: the line has not been counted yet: count it first.',
      `stockCountLineIds[1]: the stock count has no line ${unknownId}.`,
    ],
  )
  // The refused request left nothing behind.
  assert.equal((await lines(path)).length, 1)
})

test('found goods with a line in another open count are counted there', async () => {
  const productId = await newProduct()
  await stored(1, { productId })
  await createCount({ partnerProductIds: [productId] })
  const path = await createCount({
    ...{ partnerProductIds: [productId], warehouseLocationIds: [locations.A1] },
  })
  assert.deepEqual(
    await refused(`${path}/lines/count`, {
      counts: [{ found: { partnerProductId: productId, locationName: 'A-01' }, countedQuantity: 1 }],
    }),
    ['counts[0]: these goods are in another open stock count: finish or cancel that one first.'],
  )
})

test('a count does not accept lines of another count', async () => {
  const [mine, theirs] = [await newProduct(), await newProduct()]
  const [, id] = [await stored(1, { productId: mine }), await stored(1, { productId: theirs })]
  const path = await createCount({ partnerProductIds: [mine] })
  const other = await createCount({ partnerProductIds: [theirs] })
  const { stockCountLineId } = await lineOf(other, id)
  const message = `the stock count has no line ${stockCountLineId}.`
  assert.deepEqual(
    await refused(`${path}/lines/count`, { counts: [{ stockCountLineId, countedQuantity: 1 }] }),
    [`counts[0]: ${message}`],
  )
  await count(other, id, 1)
  const stockCountLineIds = [stockCountLineId]
  assert.deepEqual(await refused(`${path}/lines/recount`, { stockCountLineIds }), [
    `stockCountLineIds[0]: ${message}`,
  ])
  await count(path, (await lines(path))[0]?.warehouseProductId as string, 1)
  await move(path, 3)
  assert.deepEqual(await refused(`${path}/approve`, { stockCountLineIds }), [
    `stockCountLineIds[0]: ${message}`,
  ])
  assert.equal((await done(`${path}/approve`, {})).stockCountLines.length, 1)
  assert.equal((await lineOf(other, id)).status, 2)
})

test('a count is only created for things that exist', async () => {
  const unknownId = newId()
  assert.deepEqual(
    await refused('/v1/stock-counts', {
      warehouseId,
      partnerId: unknownId,
      warehouseZoneId: unknownId,
      warehouseLocationIds: [unknownId],
      partnerProductIds: [unknownId],
    }),
    [
      'partnerId does not refer to a partner.',
      'warehouseZoneId does not refer to a zone of the warehouse.',
      `warehouseLocationIds: there is no location ${unknownId} in that warehouse.`,
      `partnerProductIds: there is no product ${unknownId}.`,
    ],
  )
  assert.deepEqual(await refused('/v1/stock-counts', { warehouseId: unknownId }), [
    'warehouseId does not refer to a warehouse.',
  ])
})

test('a repeated count request is recorded once', async () => {
  const productId = await newProduct()
  const id = await stored(5, { productId })
  const path = await createCount({ partnerProductIds: [productId], isBlind: false })
  const operationId = newId()
  await count(path, id, 5, { operationId })
  await count(path, id, 5, { operationId })
  assert.equal((await lineOf(path, id)).entries.length, 1)
})

test('count entries are never changed', async () => {
  await assert.rejects(
    database.atomically(tx =>
      tx.run(sql`update stock_count_entry set counted_quantity = 0
      where organisation_id = ${organisationId}`),
    ),
    /only ever added to/,
  )
})

test('users of a client see the counts of its goods, and cannot change them', async () => {
  const productId = await newProduct()
  await stored(1, { productId })
  const own = await createCount({ partnerId: clientId, partnerProductIds: [productId] })
  const everybodys = await createCount({
    ...{ partnerProductIds: [await newProduct()], warehouseLocationIds: [locations.A1] },
  })
  const person = world.as(admin, { partnerId: clientId })
  assert.equal((await person.get(own)).status, 200)
  assert.equal((await person.get(`${own}/lines`)).body.total, 1)
  assert.equal((await person.get(everybodys)).status, 404)
  assert.equal((await person.get(`${everybodys}/lines`)).status, 404)
  assert.equal((await person.get('/v1/stock-counts')).body.total, 1)
  assert.equal((await person.put(`${own}/status`, { status: 5 })).status, 403)
})
