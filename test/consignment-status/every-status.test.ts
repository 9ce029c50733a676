// What each move to another status does to stock, from each status, with no goods, some and all, and with
// none of them, some and all picked or received by command: held against the rules in a few words. Spec 2.4;
// decision 4.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { ConsignmentStatus } from '../../src/vocabulary/consignments.ts'
import { goods, openInwards, serialGoods } from '../support/given-inwards.ts'
import { openWaves } from '../support/given-waves.ts'
import { untilServed } from '../support/until-served.ts'

const { Draft, Pending, ReadyToPick, ReadyToDispatch, InTransit, Complete, ReadyToReceive, Closed, Void } =
  ConsignmentStatus
const nameOf = (status: number) =>
  Object.entries(ConsignmentStatus).find(([, value]) => value === status)?.[0] ?? ''

const world = await openWaves()
const { admin, database, organisationId, stored, readyAll } = world

const send = async (path: string, body?: object) => (await untilServed(() => admin.put(path, body))).status
const moveTo = (id: string, status: number) =>
  status === Void ? send(`/v1/consignments/${id}/void`) : send(`/v1/consignments/${id}/status`, { status })

/** A line with an expected quantity of ten, and its goods on the shelf and at the dock. */
interface Goods {
  allocated: number
  picked: number
  dispatched: number
  /** not allocated, on the shelf and at the dock */
  shelf: number
  dock: number
}

const path = [Draft, Pending, ReadyToPick, ReadyToDispatch, InTransit, Complete] as number[]
const positionOf = (status: number) => path.indexOf(status)
const wanted = 10

/** The effect of each status on the goods when it is entered moving forward. */
function enter(status: number, goods: Goods): void {
  if (status === ReadyToPick) allocate(goods)
  if (status === ReadyToDispatch) {
    if (goods.picked > 0) goods.shelf += goods.allocated
    else goods.picked = goods.allocated
    goods.allocated = 0
  }
  if (status === InTransit) {
    goods.dispatched += goods.picked
    goods.picked = 0
  }
}

function allocate(goods: Goods): void {
  const part = Math.min(goods.shelf, wanted - goods.allocated - goods.picked - goods.dispatched)
  goods.allocated += part
  goods.shelf -= part
}

/** The effect of a move; null if it is refused. */
function expectedGoods(from: number, to: number, before: Goods): Goods | null {
  const goods = { ...before }
  if (to === Void) {
    if (goods.dispatched > 0) return null
    const { allocated, picked, shelf, dock } = goods
    return { ...goods, allocated: 0, picked: 0, shelf: shelf + allocated, dock: dock + picked }
  }
  for (const status of path.slice(positionOf(from) + 1, positionOf(to) + 1)) enter(status, goods)
  if (positionOf(to) >= positionOf(from)) return goods
  if (positionOf(from) >= positionOf(InTransit) && positionOf(to) < positionOf(InTransit)) {
    goods.picked = goods.dispatched
    goods.dispatched = 0
  }
  if (to === ReadyToPick) allocate(goods)
  if (positionOf(to) > positionOf(Pending)) return goods
  if (goods.picked > 0) return null
  return { ...goods, allocated: 0, shelf: goods.shelf + goods.allocated }
}

interface Case {
  from: number
  to: number
  /** on the shelf at the start */
  stock: number
  /** picked by command, if the consignment passed ReadyToPick */
  picks: number
}

const cases: Case[] = path.flatMap(from =>
  [...path, Void].flatMap(to =>
    [0, 4, 12].flatMap(stock =>
      (positionOf(from) < positionOf(ReadyToPick) || stock === 0 ? [0] : [0, 2, Math.min(stock, wanted)]).map(
        picks => ({
          ...{ from, to, stock, picks },
        }),
      ),
    ),
  ),
)

/** Reads the line of a consignment and its goods, which have a batch of their own. */
async function readGoods(
  consignmentId: string,
  batch: string,
): Promise<Goods & { lineId: string; rowId: string }> {
  return database.db.row(sql`
    select l.id as line_id, l.allocated_quantity as allocated, l.picked_quantity as picked,
      l.dispatched_quantity as dispatched, s.shelf, s.dock, s.row_id
    from consignment_product l cross join (
      select coalesce(sum(p.available_quantity) filter (where w.name = 'A-01'), 0) as shelf,
        coalesce(sum(p.available_quantity) filter (where w.name <> 'A-01'), 0) as dock,
        max(p.id::text) filter (where w.name = 'A-01') as row_id
      from warehouse_product p
      join warehouse_location w on w.organisation_id = p.organisation_id and w.id = p.warehouse_location_id
      where p.organisation_id = ${organisationId} and p.batch = ${batch}
    ) s
    where l.organisation_id = ${organisationId} and l.consignment_id = ${consignmentId}`)
}

/** Brings a consignment to the start of a case, and returns the state of its goods. */
async function prepare(
  id: string,
  batch: string,
  { from, stock, picks }: Case,
  message: string,
): Promise<Goods> {
  const goods: Goods = { allocated: 0, picked: 0, dispatched: 0, shelf: stock, dock: 0 }
  if (positionOf(from) < positionOf(ReadyToPick)) return goods
  assert.equal(await moveTo(id, ReadyToPick), 200, message)
  enter(ReadyToPick, goods)
  if (picks > 0) {
    const { lineId, rowId } = await readGoods(id, batch)
    const pick = { consignmentProductId: lineId, warehouseProductId: rowId, quantity: picks }
    assert.equal((await admin.post(`/v1/consignments/${id}/pick`, { picks: [pick] })).status, 200, message)
    goods.allocated -= picks
    goods.picked += picks
  }
  if (from === ReadyToPick) return goods
  assert.equal(await moveTo(id, from), 200, message)
  for (const status of path.slice(positionOf(ReadyToDispatch), positionOf(from) + 1)) enter(status, goods)
  return goods
}

test('every status of an outwards consignment, from every other, with no, some and all goods, picked or not', async () => {
  // The parallel cases use different stock, so they do not wait for each other.
  const products = await Promise.all(Array.from({ length: 4 }, () => world.fresh({ batchSubstitution: 2 })))
  const productOf = (n: number) => products[n % products.length] as (typeof products)[number]
  const ids = await readyAll(
    cases.map(({ from }, n) => ({
      lines: [{ ...productOf(n), batch: `B${n}`, quantity: wanted }],
      facts: { status: from === Draft ? Draft : Pending },
    })),
  )
  async function tryCase(one: Case, n: number): Promise<void> {
    const { from, to, stock, picks } = one
    const [id, batch] = [ids[n] as string, `B${n}`]
    const message = `${nameOf(from)} to ${nameOf(to)}, ${stock} there, ${picks} picked`
    if (stock > 0) await stored(stock, { ...productOf(n), batch })
    const before = await prepare(id, batch, one, message)
    const after = expectedGoods(from, to, before)
    assert.equal(await moveTo(id, to), after === null ? 400 : from === to ? 304 : 200, message)
    const { lineId: _, rowId: __, ...goods } = await readGoods(id, batch)
    assert.deepEqual(goods, after ?? before, message)
  }
  await Promise.all(
    products.map(async (_, lane) => {
      for (const [n, one] of cases.entries()) if (n % products.length === lane) await tryCase(one, n)
    }),
  )
})

test('the stock of a Closed consignment stays as it is, and also when it is reopened', async () => {
  const product = await world.fresh()
  await stored(4, product)
  const [id = ''] = await readyAll([{ lines: [{ ...product, quantity: 3 }], facts: { status: Pending } }])
  assert.equal(await moveTo(id, Complete), 200)
  assert.equal(await moveTo(id, Closed), 200)
  const ledger = () =>
    database.db.row(sql`select count(*) as lines from inventory_transaction where consignment_id = ${id}`)
  const before = await ledger()
  for (const to of [...path, Void]) assert.equal(await moveTo(id, to), 400, nameOf(to))
  assert.equal((await admin.post(`/v1/consignments/${id}/allocate`)).status, 400)
  assert.equal(await send(`/v1/consignments/${id}/reopen`), 200)
  assert.deepEqual(await ledger(), before)
})

test('a consignment cannot move on while a job is picking it, unless everything is picked', async () => {
  const product = await world.fresh()
  await stored(5, product)
  const { jobId, ids } = await world.startedWave([
    [{ ...product, quantity: 2 }],
    [{ ...product, quantity: 2 }],
  ])
  const [one = '', other = ''] = ids
  const [pick] = (await world.picks(jobId)).filter(({ consignmentId }) => consignmentId === one)
  await world.confirmed(jobId, [{ inventoryAllocationId: pick?.inventoryAllocationId, quantity: 1 }])
  for (const to of [ReadyToDispatch, InTransit, Complete]) {
    assert.equal(await moveTo(one, to), 400)
    assert.equal(await moveTo(other, to), 400)
  }
  const [rest] = (await world.picks(jobId)).filter(({ consignmentId }) => consignmentId === one)
  await world.confirmed(jobId, [{ inventoryAllocationId: rest?.inventoryAllocationId }])
  assert.equal(await moveTo(one, InTransit), 200)
  assert.equal(await moveTo(other, InTransit), 400)
})

test('a dispatch cannot be undone once its goods were returned or one of its serials is in stock', async () => {
  const [plain, scales] = [await world.fresh(), await world.fresh({ serialTrackingMode: 2 })]
  await stored(2, plain)
  await stored(2, scales, { newSerials: ['K1', 'K2'].map(serial => ({ serial })) })
  const [one = '', other = ''] = await readyAll([
    { lines: [{ ...plain, quantity: 2 }], facts: { status: Pending } },
    { lines: [{ ...scales, quantity: 1, serials: ['K2'] }], facts: { status: Pending } },
  ])
  for (const id of [one, other]) assert.equal(await moveTo(id, Complete), 200)
  const [line] = (await admin.get(`/v1/consignments/${one}`)).body.products
  const { status, body } = await admin.post(`/v1/consignments/${one}/returns`, {
    lines: [{ consignmentProductId: line.id, quantity: 1 }],
  })
  assert.equal(status, 201)
  const back: string = body.consignmentId
  const undone = await admin.put(`/v1/consignments/${one}/status`, { status: ReadyToPick })
  assert.match(undone.body.ErrorMessages[0], /^The dispatch cannot be undone: its return .* is open; /)
  assert.equal(await moveTo(back, ReadyToReceive), 200)
  assert.equal((await admin.post(`/v1/consignments/${back}/receive`, { all: true })).status, 200)
  const returned = await admin.put(`/v1/consignments/${one}/status`, { status: ReadyToPick })
  assert.match(returned.body.ErrorMessages[0], /^The dispatch cannot be undone: goods of it came back with /)
  const found = { partnerProductId: scales.productId, warehouseId: world.warehouseId, locationName: 'A-01' }
  const { status: adjusted } = await admin.post('/v1/inventory/adjust', {
    reason: 'It stood there',
    adjustments: [{ ...found, quantity: 1, serials: ['K2'] }],
  })
  assert.equal(adjusted, 200)
  const refusal = await admin.put(`/v1/consignments/${other}/status`, { status: ReadyToPick })
  assert.deepEqual(refusal.body.ErrorMessages, [
    'The dispatch cannot be undone: the serial K2 is in stock again.',
  ])
})

const inwards = await openInwards()

/** What was received by command: nothing, some, all, too much, or everything but taken back again. */
const receipts = ['nothing', 'some', 'all', 'too much', 'taken back'] as const
const inwardsPath = [Draft, Pending, ReadyToReceive, Complete] as number[]

/** The received quantity after a move; null if it is refused. */
function expectedReceived(from: number, to: number, received: number, isCommanded: boolean): number | null {
  if (to === Void || to === Draft || to === Pending) return received > 0 && from !== to ? null : received
  if (to === Complete && from !== to && !isCommanded) return 10
  return received
}

test('every status of an inwards consignment, from every other, with nothing, some, all and too much received', async () => {
  const { announce, received, move, linesOf, read, stockOf } = inwards
  for (const from of inwardsPath)
    for (const how of from === ReadyToReceive || from === Complete ? receipts : (['nothing'] as const))
      for (const to of [...inwardsPath, Void]) {
        const message = `${nameOf(from)} to ${nameOf(to)}, ${how} received`
        const id = await announce([goods('APPLE', 10)], {}, ReadyToReceive)
        const [consignmentProductId] = await linesOf(id)
        const quantity = { nothing: 0, some: 3, all: 10, 'too much': 12, 'taken back': 4 }[how]
        if (quantity > 0)
          await received(id, {
            receipts: [{ consignmentProductId, quantity, batch: `${from} ${to} ${how}` }],
          })
        if (how === 'taken back') {
          const [row] = await stockOf(id)
          const unreceipts = [{ warehouseProductId: row?.id }]
          const { status } = await inwards.admin.post(`/v1/consignments/${id}/unreceive`, {
            ...{ reason: 'Mistaken', unreceipts },
          })
          assert.equal(status, 200, message)
        }
        if (from !== ReadyToReceive) assert.equal((await move(id, from)).status, 200, message)
        const isCommanded = how !== 'nothing'
        const there = how === 'taken back' ? 0 : isCommanded ? quantity : from === Complete ? 10 : 0
        const after = expectedReceived(from, to, there, isCommanded || from === Complete)
        const { status } = await (to === Void
          ? inwards.admin.put(`/v1/consignments/${id}/void`)
          : move(id, to))
        assert.equal(status, after === null ? 400 : from === to ? 304 : 200, message)
        const [line] = (await read(id)).products
        assert.equal(line.receivedQuantity, after ?? there, message)
        const stock = (await stockOf(id)).reduce((sum, one) => sum + Number(one.quantity), 0)
        assert.equal(stock, after ?? there, message)
      }
})

test('a Complete consignment has a serial for each item, even if its announced serials were never confirmed', async () => {
  const { announce, move, read } = inwards
  const some = await announce([goods('SCALE', 3)])
  assert.equal((await move(some, Complete)).status, 400)
  assert.equal((await read(some)).status, ReadyToReceive)
  const all = await announce([serialGoods('SCALE', ['E1', 'E2', 'E3'])])
  assert.equal((await move(all, Complete)).status, 200)
  const [line] = (await read(all)).products
  assert.equal(line.receivedQuantity, 3)
})
