// Returns of dispatched goods.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/new-id.ts'
import { TransactionType } from '../../src/vocabulary/stock.ts'
import { goods, openInwards } from '../support/given-inwards.ts'
import { of } from '../support/given-stock.ts'

const { admin, announce, linesOf, received, refusalMessages, stockOf, read, move, ...world } =
  await openInwards()

/** An outwards consignment that dispatched 10 apples of batch B7 and the scales S1 and S2. */
async function dispatchedConsignment(...serials: [string, string]) {
  const id = await announce(
    [goods('APPLE', 10), goods('SCALE', 2)],
    { consignmentType: 2, referenceNumber: 'SO-7' },
    null,
  )
  const [apples = '', scales = ''] = await linesOf(id)
  const from = await world.stored(10, { batch: 'B7', expiryDate: '2028-05-01' }, { weightKG: 5, volumeM3: 1 })
  const scale = await world.stored(
    2,
    { productId: world.products.SCALE },
    { newSerials: serials.map(serial => ({ serial })) },
  )
  const leave = { movementId: newId(), type: TransactionType.Dispatch, to: null, consignmentId: id }
  await world.posted([
    { ...leave, from, quantity: of(10), consignmentProductId: apples },
    { ...leave, from: scale, quantity: of(2), items: await itemsOf(scale), consignmentProductId: scales },
  ])
  return { id, apples, scales }
}
const itemsOf = async (row: string) =>
  (
    await world.database.db.rows<{ id: string }>(
      sql`select id from warehouse_product_item where warehouse_product_id = ${row}`,
    )
  ).map(({ id }) => id)
const itemsWithSerial = async (serial: string) =>
  (
    await world.database.db.rows<{ id: string }>(
      sql`select id from warehouse_product_item where serial = ${serial}`,
    )
  ).map(({ id }) => id)
const createReturn = (id: string, lines: object[], more: object = {}) =>
  admin.post(`/v1/consignments/${id}/returns`, { lines, ...more })

test('returned goods keep their description, and are received on a consignment of their own into a hold', async () => {
  const { id, apples, scales } = await dispatchedConsignment('S1', 'S2')
  const answer = await createReturn(
    id,
    [
      { consignmentProductId: apples, quantity: 4 },
      { consignmentProductId: scales, quantity: 1, serials: ['S2'] },
    ],
    { reason: 'Too late' },
  )
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  const back = answer.body.consignmentId
  assert.equal(answer.headers.location, `/v1/consignments/${back}`)
  const detail = await read(back)
  assert.deepEqual([detail.type, detail.status, detail.referenceNumber], [1, 1, 'SO-7'])
  assert.deepEqual(
    detail.notes.map(({ note }: { note: string }) => note),
    ['Too late'],
  )
  const [line] = detail.products
  assert.deepEqual(
    [line.batch, line.expiryDate, line.expectedQuantity, line.expectedWeightKG, line.expectedVolumeM3],
    ['B7', '2028-05-01T00:00:00Z', 4, 2, 0.4],
  )
  await move(back, 4)
  await received(back, { receipts: [{ consignmentProductId: line.id, quantity: 1, hold: null }] })
  await received(back, { receipts: [{ consignmentProductId: line.id, quantity: 1 }] })
  await received(back, { all: true })
  const reason = `Return of ${(await read(id)).consignmentNumber}`
  assert.deepEqual(
    (await stockOf(back)).map(({ code, quantity, hold, reason: why }) => [code, quantity, hold, why]),
    [
      ['APPLE', 1, 3, reason],
      ['APPLE', 2, 3, reason],
      ['APPLE', 1, null, null],
      ['SCALE', 1, 3, reason],
    ],
  )
})

test('no more can be returned than was dispatched, and only the dispatched serials', async () => {
  const { id, apples, scales } = await dispatchedConsignment('T1', 'T2')
  assert.equal((await createReturn(id, [{ consignmentProductId: apples, quantity: 7 }])).status, 201)
  assert.deepEqual(
    await refusalMessages(
      createReturn(id, [
        { consignmentProductId: apples, quantity: 4 },
        { consignmentProductId: scales, quantity: 2, serials: ['T1', 'T1'] },
        { consignmentProductId: scales, quantity: 1, serials: ['T2'] },
        { consignmentProductId: scales, quantity: 1, serials: ['S1'] },
        { consignmentProductId: id, quantity: 1 },
      ]),
    ),
    [
      'lines[0]: only 3 of the 10 APPLE that left can still be returned.',
      'lines[3]: the serial S1 did not leave with this line, or was already returned.',
      `lines[4]: the consignment has no line ${id}.`,
      'lines[1]: the serial T1 is listed twice.',
    ],
  )
  const voided = (await createReturn(id, [{ consignmentProductId: apples, quantity: 3 }])).body.consignmentId
  await admin.put(`/v1/consignments/${voided}/void`)
  assert.equal((await createReturn(id, [{ consignmentProductId: apples, quantity: 3 }])).status, 201)
})

test('only goods of an outwards consignment can be returned', async () => {
  const id = await announce([goods('APPLE', 1)])
  const [line] = await linesOf(id)
  assert.match(
    String(await refusalMessages(createReturn(id, [{ consignmentProductId: line, quantity: 1 }]))),
    /is not Outwards: nothing of it can come back\.$/,
  )
})

/** An outwards consignment of one line of apples with which these goods left, and the rows that they left. */
async function sent(...parts: [quantity: number, goods: object, measures?: object][]) {
  const id = await announce([goods('APPLE', 1)], { consignmentType: 2 }, null)
  const [line = ''] = await linesOf(id)
  const rows: string[] = []
  for (const [quantity, description, measures] of parts)
    rows.push(await world.stored(quantity, description, measures))
  const leave = { movementId: newId(), type: TransactionType.Dispatch, to: null, consignmentId: id }
  await world.posted(
    parts.map(([quantity], n) => ({
      ...leave,
      ...{ from: rows[n] as string, quantity: of(quantity), consignmentProductId: line },
    })),
  )
  return { id, line, rows }
}
/** Undoes a part of a dispatch in the ledger. */
const takeBack = (id: string, line: string, row: string, quantity: number) =>
  world.posted([
    {
      ...{ movementId: newId(), type: TransactionType.Dispatch, from: null, to: row },
      ...{ quantity: of(quantity), consignmentId: id, consignmentProductId: line },
    },
  ])
/** Announces a return of these lines, and returns its lines as the detail shows them. */
async function returned(id: string, lines: object[]) {
  const { status, body } = await createReturn(id, lines)
  assert.equal(status, 201, JSON.stringify(body))
  const detail = await read(body.consignmentId)
  return { id: body.consignmentId as string, lines: detail.products, detail }
}
const facts = (lines: Record<string, unknown>[]) =>
  lines.map(({ productCode, batch, expiryDate, expectedQuantity }) => [
    productCode,
    batch,
    expiryDate,
    expectedQuantity,
  ])

test('a return is made of what left, not of what was ordered', async () => {
  const { PEAR } = world.products
  const { id, line, rows } = await sent(
    [2, { batch: 'R1', expiryDate: '2028-01-01' }],
    [3, { productId: PEAR, batch: 'R2' }],
  )
  const { lines } = await returned(id, [{ consignmentProductId: line, quantity: 5 }])
  assert.deepEqual(facts(lines), [
    ['APPLE', 'R1', '2028-01-01T00:00:00Z', 2],
    ['PEAR', 'R2', null, 3],
  ])
  assert.deepEqual(lines[1].product.code, 'PEAR')
  await takeBack(id, line, rows[1] as string, 3)
})

test('goods come back with the attributes with which they left', async () => {
  const colour = newId()
  await world.database.inOneStatement(tx =>
    tx.run(sql`insert into product_attribute (organisation_id, id, name)
      values (${admin.actor.organisationId}, ${colour}, 'Colour')`),
  )
  const attributes = [{ productAttributeId: colour, description: 'blue' }]
  const { id, line } = await sent([2, { batch: 'A1', attributes }])
  const { lines } = await returned(id, [{ consignmentProductId: line, quantity: 1 }])
  assert.deepEqual(lines[0].attributes, [{ name: 'Colour', description: 'blue' }])
})

test('a part of goods of several batches comes back without a batch, and the detail lists what left', async () => {
  const expiryDate = '2028-05-01'
  const { id, line } = await sent([4, { batch: 'B7', expiryDate }], [6, { batch: 'B9' }])
  const { lines } = await returned(id, [{ consignmentProductId: line, quantity: 3 }])
  assert.deepEqual(facts(lines), [['APPLE', null, null, 3]])
  assert.deepEqual(lines[0].sentBatches, [
    {
      ...{ partnerProductId: world.products.APPLE, batch: 'B7' },
      ...{ expiryDate: '2028-05-01T00:00:00Z', quantity: 4 },
    },
    { partnerProductId: world.products.APPLE, batch: 'B9', expiryDate: null, quantity: 6 },
  ])
  const sentLines = (await read(id)).products
  assert.deepEqual(sentLines[0].sentBatches, [], 'only a line of a return has them')
})

test('a batch says which goods come back, in any case of letters', async () => {
  const { id, line } = await sent([4, { batch: 'B7', expiryDate: '2028-05-01' }], [6, { batch: 'B9' }])
  const { lines } = await returned(id, [{ consignmentProductId: line, quantity: 3, batch: 'b7' }])
  assert.deepEqual(facts(lines), [['APPLE', 'B7', '2028-05-01T00:00:00Z', 3]])
  assert.deepEqual(
    await refusalMessages(
      createReturn(id, [
        { consignmentProductId: line, quantity: 2, batch: 'B7' },
        { consignmentProductId: line, quantity: 1, batch: 'B8' },
      ]),
    ),
    [
      'lines[0]: only 1 of the 4 APPLE that left can still be returned.',
      'lines[1]: the batch B8 did not leave with this line; what left is of B7 and B9.',
    ],
  )
  const rest = await returned(id, [{ consignmentProductId: line, quantity: 7 }])
  assert.deepEqual(facts(rest.lines), [
    ['APPLE', 'B7', '2028-05-01T00:00:00Z', 1],
    ['APPLE', 'B9', null, 6],
  ])
})

test('a serial whose receipt as a return is taken back is with whom it left, again', async () => {
  const { id, scales } = await dispatchedConsignment('K1', 'K2')
  const { id: back, lines } = await returned(id, [
    { consignmentProductId: scales, quantity: 2, serials: ['K1', 'K2'] },
  ])
  const leftWith = async () => {
    const { body } = await admin.get('/v1/inventory-items?Serials=K1,K2&IncludeDispatched=true')
    return body.items.map((item: Record<string, unknown>) => item.dispatchedConsignmentId)
  }
  assert.deepEqual(await leftWith(), [id, id])
  await move(back, 4)
  await received(back, {
    receipts: [{ consignmentProductId: lines[0].id, quantity: 2, batch: 'OTHER', serials: ['K1', 'K2'] }],
  })
  assert.deepEqual(await leftWith(), [null, null])
  const [row] = await stockOf(back)
  // K1 left once more, but that was undone.
  const other = await announce([goods('SCALE', 1)], { consignmentType: 2 }, null)
  const [consignmentProductId = ''] = await linesOf(other)
  const items = await itemsWithSerial('K1')
  const leave = { type: TransactionType.Dispatch, consignmentId: other, consignmentProductId }
  const [from, quantity] = [row?.id as string, of(1)]
  await world.posted([{ ...leave, movementId: newId(), from, to: null, quantity, items }])
  await world.posted([{ ...leave, movementId: newId(), from: null, to: from, quantity, items }])
  const unreceipts = [{ warehouseProductId: row?.id, quantity: 1, serials: ['K1'] }]
  const answer = await admin.post(`/v1/consignments/${back}/unreceive`, { unreceipts, reason: 'Not here' })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assert.deepEqual(await leftWith(), [id, null])
})

test('a serial comes back with the batch and date that it left with', async () => {
  const of2 = { productId: world.products.SCALE }
  const { id, line, rows } = await sentScales(
    [{ ...of2, batch: 'S7', expiryDate: '2028-07-07' }, ['U1', 'U2']],
    [{ ...of2, batch: 'S9' }, ['U3']],
  )
  assert.equal(rows.length, 2)
  const { lines } = await returned(id, [{ consignmentProductId: line, quantity: 2, serials: ['U3', 'U2'] }])
  assert.deepEqual(
    lines.map(({ batch, expiryDate, items }: { items: { serial: string }[] } & Record<string, unknown>) => [
      batch,
      expiryDate,
      items.map(({ serial }) => serial),
    ]),
    [
      ['S9', null, ['U3']],
      ['S7', '2028-07-07T00:00:00Z', ['U2']],
    ],
  )
  assert.match(
    String(
      await refusalMessages(createReturn(id, [{ consignmentProductId: line, quantity: 1, serials: ['U2'] }])),
    ),
    /lines\[0\]: the serial U2 is announced on [A-Z]+-\d+-IN\./,
  )
})
async function sentScales(...parts: [goods: object, serials: string[]][]) {
  const id = await announce([goods('SCALE', 3)], { consignmentType: 2 }, null)
  const [line = ''] = await linesOf(id)
  const rows: string[] = []
  for (const [description, serials] of parts)
    rows.push(
      await world.stored(serials.length, description, { newSerials: serials.map(serial => ({ serial })) }),
    )
  const leave = { movementId: newId(), type: TransactionType.Dispatch, to: null, consignmentId: id }
  await world.posted(
    await Promise.all(
      parts.map(async ([, serials], n) => ({
        ...{ ...leave, from: rows[n] as string, quantity: of(serials.length), consignmentProductId: line },
        items: await itemsOf(rows[n] as string),
      })),
    ),
  )
  return { id, line, rows }
}

test('goods of a dispatch that was undone lend nothing to the goods that left', async () => {
  const { id, line, rows } = await sent([4, { batch: 'D7', expiryDate: '2028-05-01' }], [4, { batch: 'D9' }])
  await takeBack(id, line, rows[0] as string, 4)
  const { lines } = await returned(id, [{ consignmentProductId: line, quantity: 1 }])
  assert.deepEqual(facts(lines), [['APPLE', 'D9', null, 1]])
  assert.deepEqual(await refusalMessages(createReturn(id, [{ consignmentProductId: line, quantity: 4 }])), [
    'lines[0]: only 3 of the 4 APPLE that left can still be returned.',
  ])
})

test('the weights and volumes of returns add up to what left', async () => {
  const { id, line } = await sent([3, { batch: 'W1' }, { weightKG: 1, volumeM3: 0.1 }])
  const weights: number[] = []
  const volumes: number[] = []
  for (const _ of [1, 2, 3]) {
    const { lines } = await returned(id, [{ consignmentProductId: line, quantity: 1 }])
    weights.push(lines[0].expectedWeightKG)
    volumes.push(lines[0].expectedVolumeM3)
  }
  assert.deepEqual(weights, [0.3333, 0.3334, 0.3333])
  assert.deepEqual(volumes, [0.033333, 0.033334, 0.033333])
})

test('where goods of two products left with a line, a part has to name one', async () => {
  const { APPLE, PEAR } = world.products
  const { id, line, rows } = await sent([4, { batch: 'N1' }], [4, { productId: PEAR }])
  assert.deepEqual(await refusalMessages(createReturn(id, [{ consignmentProductId: line, quantity: 2 }])), [
    'lines[0]: APPLE and PEAR left with this line: say which of them comes back, by partnerProductId.',
  ])
  const { lines } = await returned(id, [
    { consignmentProductId: line, quantity: 2, partnerProductId: PEAR },
    { consignmentProductId: line, quantity: 1, partnerProductId: APPLE },
  ])
  assert.deepEqual(facts(lines), [
    ['PEAR', null, null, 2],
    ['APPLE', 'N1', null, 1],
  ])
  await takeBack(id, line, rows[1] as string, 4)
})

test('a consignment and its returns name each other', async () => {
  const { id, line } = await sent([4, { batch: 'L1' }])
  const first = await returned(id, [{ consignmentProductId: line, quantity: 1 }])
  const second = await returned(id, [{ consignmentProductId: line, quantity: 2 }])
  await admin.put(`/v1/consignments/${second.id}/void`)
  const { consignmentNumber, returns, returnOf } = await read(id)
  assert.equal(returnOf, null)
  assert.deepEqual(returns, [
    { consignmentId: first.id, consignmentNumber: first.detail.consignmentNumber, status: 1 },
    { consignmentId: second.id, consignmentNumber: second.detail.consignmentNumber, status: -2 },
  ])
  assert.deepEqual(first.detail.returnOf, { consignmentId: id, consignmentNumber })
  assert.deepEqual(first.detail.returns, [])
})

/** An outwards consignment that dispatched apples the way that people do it: picked, then InTransit. */
async function dispatched(quantity: number, batch: string) {
  const id = await announce(
    [goods('APPLE', quantity, { batch })],
    { consignmentType: 2, warehouseCode: 'AKL' },
    null,
  )
  const [line = ''] = await linesOf(id)
  const row = await world.stored(quantity, { batch })
  assert.equal((await move(id, 2)).status, 200)
  const { consignmentProducts } = (
    await admin.post(`/v1/consignments/${id}/pick`, {
      picks: [{ consignmentProductId: line, warehouseProductId: row }],
    })
  ).body
  assert.equal(consignmentProducts[0].picked, quantity)
  assert.equal((await move(id, 7)).status, 200)
  return { id, line, row }
}

test('a dispatch is not undone while a return of it is open or was received', async () => {
  const { id, line } = await dispatched(4, 'X1')
  const { id: back, detail } = await returned(id, [{ consignmentProductId: line, quantity: 4 }])
  assert.deepEqual(await refusalMessages(move(id, 3)), [
    `The dispatch cannot be undone: its return ${detail.consignmentNumber} is open; void that first.`,
  ])
  await admin.put(`/v1/consignments/${back}/void`)
  assert.equal((await move(id, 3)).status, 200)
  assert.equal((await move(id, 7)).status, 200)
  const again = await returned(id, [{ consignmentProductId: line, quantity: 1 }])
  await move(again.id, 4)
  await received(again.id, { all: true })
  assert.equal((await move(again.id, 0)).status, 200)
  assert.deepEqual(await refusalMessages(move(id, 3)), [
    `The dispatch cannot be undone: goods of it came back with ${again.detail.consignmentNumber}.`,
  ])
})

test('a return receives no more than left and has not come back, on its line or beside it', async () => {
  const { id, line } = await sent([4, { batch: 'M1' }])
  const first = await returned(id, [{ consignmentProductId: line, quantity: 3 }])
  const { consignmentNumber } = await read(id)
  await move(first.id, 4)
  const [{ id: lineOfReturn }] = first.lines
  const receiveOnLine = (quantity: number) =>
    world.receive(first.id, { receipts: [{ consignmentProductId: lineOfReturn, quantity }] })
  const only = (left: number, more: number) =>
    `receipts[0]: only ${left} of the 4 APPLE that left with ${consignmentNumber} can still come back, not ${more}.`
  assert.deepEqual(await refusalMessages(receiveOnLine(5)), [only(4, 5)])
  assert.equal((await receiveOnLine(2)).status, 200)
  const { APPLE: partnerProductId, PEAR } = world.products
  const beside = (quantity: number) => world.receive(first.id, { receipts: [{ partnerProductId, quantity }] })
  assert.deepEqual(await refusalMessages(beside(3)), [only(2, 3)])
  assert.equal((await beside(1)).status, 200)
  assert.deepEqual(await refusalMessages(receiveOnLine(2)), [only(1, 2)])
  await received(first.id, { receipts: [{ partnerProductId: PEAR, quantity: 5 }] })
  const rest = await createReturn(id, [{ consignmentProductId: line, quantity: 1 }])
  assert.deepEqual(rest.body.ErrorMessages, [
    'lines[0]: only 0 of the 4 APPLE that left can still be returned.',
  ])
})
