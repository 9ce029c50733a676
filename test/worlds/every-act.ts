// Every act that can be rehearsed, done once in a world in which nothing went as ordered, so that none is left
// to what a history happens to contain. What it needs is made on the way.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Database } from '../../src/platform/database/db.ts'
import { ConsignmentStatus } from '../../src/vocabulary/consignments.ts'
import { JobStatus } from '../../src/vocabulary/jobs.ts'
import { StockCountStatus } from '../../src/vocabulary/stock.ts'
import { backTestsOf } from '../support/given-back-tests.ts'
import { todayInAuckland } from '../support/today.ts'
import { restoreNames } from './set-up.ts'
import { untilConsignment, type World } from './world.ts'

const { Pending, ReadyToReceive, ReadyToPick, ReadyToDispatch, InTransit, Complete } = ConsignmentStatus

// biome-ignore lint/suspicious/noExplicitAny: each act names the fields that it expects
type Body = any

/** The acts of a world, each of which must succeed, and what they have in common. */
function openActs(world: World) {
  const { caller, notebook } = world
  async function done(method: 'post' | 'put' | 'delete', path: string, body?: object): Promise<Body> {
    const answer = await (method === 'delete' ? caller.delete(path) : caller[method](path, body))
    assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify([body, answer.body])}`)
    return answer.body
  }
  const read = async (path: string): Promise<Body> => (await caller.get(path)).body
  const products = [{ productCode: 'PLUM', items: [{ quantity: 4 }] }]
  const importOf = async (more: object = {}): Promise<string> =>
    (
      await done('post', '/v1/consignment-imports', {
        ...{ consignmentType: 2, clientCode: 'KAURI', warehouseCode: 'AKL', products },
        ...more,
      })
    ).consignmentId
  return {
    ...{ world, done, read, importOf },
    /** An order for plums, as the service shows it. */
    order: async (): Promise<Body> => untilConsignment(world, await importOf()),
    move: (id: string, status: number) => done('put', `/v1/consignments/${id}/status`, { status }),
    /** Goods in a place that nobody else has taken. */
    stored: async (productCode: string, quantity: number, more: object = {}) =>
      done('post', '/v1/inventory/opening-balances', {
        ...{ operationId: randomUUID(), warehouseCode: 'AKL' },
        rows: [{ clientCode: 'KAURI', productCode, locationName: 'B-01', quantity, ...more }],
      }),
    /** A row of stock of a product of which something is free. */
    row: async (code: string): Promise<Body> => {
      const { inventory } = await read(`/v1/inventory?SearchText=${code}&PageSize=500`)
      const rows = inventory.flatMap(({ products: all }: Body) => all)
      const row = rows.find(
        (one: Body) => one.partnerProductCode === code && one.availableQuantity >= 1 && !one.isQuarantined,
      )
      assert.ok(row, `nothing is free of ${code}`)
      return row
    },
    placeId: (name: string) => notebook.places.find(place => place.name === name)?.id,
  }
}
type Acts = ReturnType<typeof openActs>

/** Imports that wait, and lines that are corrected. */
async function correctOrders({ world, done, importOf, order }: Acts): Promise<void> {
  const wrong = (productCode: string) => importOf({ products: [{ productCode, items: [{ quantity: 1 }] }] })
  const one = await wrong('PLUMM')
  await wrong('PLUMN')
  await world.service.work()
  await done('put', `/v1/consignment-imports/${one}/reconcile`, {
    replacements: [{ kind: 'product', code: 'PLUMM', replacement: 'PLUM' }],
  })
  await done('post', '/v1/consignment-imports/reconcile-many', {
    ...{ kind: 'product', code: 'PLUMN', clientCode: 'KAURI', replacement: 'PLUM', remember: false },
  })
  const { id } = await order()
  const lines = `/v1/consignments/${id}/products`
  const line = (quantity: number) => ({ productCode: 'PLUM', items: [{ quantity }] })
  const { consignmentProductIds } = await done('post', lines, { products: [line(2)] })
  await done('put', `${lines}/${consignmentProductIds[0]}`, line(3))
  await done('delete', `${lines}/${consignmentProductIds[0]}`)
  await done('post', '/v1/consignments/bulk', {
    ...{ consignmentIds: [id], action: 'status', values: { status: ReadyToPick } },
  })
  await done('put', `/v1/consignments/${id}/void`, { reason: 'Not wanted' })
}

/** An order from its allocation to its bill, and back. */
async function deliver({ done, read, order, move, stored }: Acts): Promise<void> {
  await stored('PLUM', 60)
  const { id, products } = await order()
  const path = `/v1/consignments/${id}`
  const [{ id: consignmentProductId }] = products
  await move(id, ReadyToPick)
  await done('post', `${path}/release`)
  await done('post', `${path}/allocate`)
  await done('post', `${path}/release`)
  await done('post', '/v1/inventory/allocate', { consignmentIds: [id] })
  const { allocations } = await read(`${path}/allocations`)
  const { warehouseProductId } = allocations[0]
  const amount = { consignmentProductId, warehouseProductId, quantity: 1 }
  await done('post', `${path}/pick`, { picks: [amount] })
  await done('post', `${path}/unpick`, { unpicks: [{ consignmentProductId }] })
  await done('post', `${path}/pick`, { picks: [amount] })
  await done('post', `${path}/stage`, { toLocationName: 'DOCK-2' })
  await move(id, ReadyToDispatch)
  await move(id, InTransit)
  await move(id, Complete)
  await done('post', `${path}/returns`, { lines: [{ consignmentProductId, quantity: 1 }] })
  await done('post', '/v1/consignments/close', { consignmentIds: [id] })
  await done('put', `${path}/reopen`)
}

/** Goods come, are taken back in part, and moved. */
async function takeIn({ world, done, importOf, move }: Acts): Promise<void> {
  const id = await importOf({ consignmentType: 1 })
  await untilConsignment(world, id)
  await move(id, ReadyToReceive)
  const path = `/v1/consignments/${id}`
  const { consignmentProducts } = await done('post', `${path}/receive`, { all: true })
  const [warehouseProductId] = consignmentProducts[0].warehouseProductIds
  const part = { warehouseProductId, quantity: 1 }
  await done('post', `${path}/unreceive`, { unreceipts: [part], reason: 'Not ours' })
  await done('post', '/v1/inventory/transfer', { transfers: [{ ...part, toLocationName: 'B-01' }] })
}

/** What stock is, on hold, counted and filled up. */
async function keepStock(acts: Acts): Promise<void> {
  const { done, read, stored, row } = acts
  await stored('PLUM', 9, { batch: 'EVERY' })
  await stored('SCALE', 1, { serials: ['EVERY-1'] })
  const { warehouseProductId } = await row('PLUM')
  await done('post', '/v1/inventory/adjust-attributes', {
    ...{ adjustments: [{ warehouseProductId, batch: 'OTHER' }], reason: 'Read again' },
  })
  const { items } = await read('/v1/inventory-items?Serials=EVERY-1')
  await done('post', `/v1/inventory-items/${items[0].warehouseProductItemId}/adjust-attributes`, {
    ...{ batch: 'OTHER', reason: 'Read again' },
  })
  const { warehouseProductId: held } = await row('PLUM')
  const { inventoryHoldId } = await done('post', '/v1/inventory/holds', {
    ...{ kind: 2, reason: 'Glass', stock: [{ warehouseProductId: held, quantity: 1 }] },
  })
  await done('post', `/v1/inventory/holds/${inventoryHoldId}/release`)
  await countAndFill(acts)
}

/** A place is counted, and filled up from another one. */
async function countAndFill({ world, done, read, row, placeId }: Acts): Promise<void> {
  const { warehouseId, clientId } = world
  const place = await done('post', `/v1/warehouses/${warehouseId}/locations`, { name: 'E-01', type: 1 })
  const counted = { warehouseId, warehouseLocationIds: [place.warehouseLocationId] }
  const { stockCountId } = await done('post', '/v1/stock-counts', counted)
  const count = `/v1/stock-counts/${stockCountId}`
  await done('put', `${count}/status`, { status: StockCountStatus.InProgress })
  const { partnerProductId } = await row('PLUM')
  await done('post', `${count}/lines/count`, {
    counts: [
      { found: { partnerProductId, warehouseLocationId: place.warehouseLocationId }, countedQuantity: 2 },
    ],
  })
  await done('post', `${count}/approve`, {})
  const { warehouseProductId: from } = await row('PLUM')
  const { jobId } = await done('post', '/v1/jobs/replenishment', {
    ...{ warehouseId, clientId },
    lines: [{ warehouseProductId: from, quantity: 1, toWarehouseLocationId: placeId('A-01') }],
  })
  const job = `/v1/jobs/${jobId}/replenishment`
  await done('put', `${job}/status`, { status: JobStatus.InProgress })
  const { lines } = await read(`${job}/lines`)
  await done('post', `${job}/confirm`, {
    moves: [{ replenishmentLineId: lines[0].replenishmentLineId, quantity: 1 }],
  })
}

/** A wave from its orders to its picks. */
async function pickWave({ world, done, read, order, stored }: Acts): Promise<void> {
  const { warehouseId, clientId } = world
  await stored('PLUM', 20)
  const [one, other] = [await order(), await order()]
  assert.equal(one.status, Pending)
  const { jobId } = await done('post', '/v1/jobs/wave-pick', { warehouseId, clientId })
  const job = `/v1/jobs/${jobId}/wave-pick`
  await done('post', `${job}/consignments/add`, { consignmentIds: [one.id, other.id] })
  await done('post', `${job}/consignments/remove`, { consignmentIds: [other.id] })
  await done('put', `${job}/status`, { status: JobStatus.InProgress })
  const { picks } = await read(`${job}/picks`)
  const { inventoryAllocationId } = picks[0]
  await done('post', `${job}/picks/confirm`, { picks: [{ inventoryAllocationId, quantity: 1 }] })
}

/** What was charged by hand is waived and bundled, and bills of a year are adjusted to a later card. */
async function bill({ world, done, order, move }: Acts, database: Database): Promise<void> {
  const { caller, clientId, books } = world
  const today = todayInAuckland()
  const { id } = await order()
  for (const status of [ReadyToPick, ReadyToDispatch, InTransit, Complete]) await move(id, status)
  await done('post', '/v1/consignments/close', { consignmentIds: [id] })
  const { scheduleTransactionId } = await done('post', '/v1/schedule-transactions', {
    ...{ partnerId: clientId, date: today, chargeApplication: 2, chargeRateExclTax: 40 },
    taxRateId: books.taxRateId,
  })
  const transaction = `/v1/schedule-transactions/${scheduleTransactionId}/status`
  await done('put', transaction, { status: 3, reason: 'A gift' })
  await done('put', transaction, { status: 1 })
  const bundled = { partnerId: clientId, date: today }
  const removed = await done('post', '/v1/schedules', bundled)
  await done('delete', `/v1/schedules/${removed.partnerScheduleId}`)
  const { partnerScheduleId } = await done('post', '/v1/schedules', bundled)
  const schedule = `/v1/schedules/${partnerScheduleId}`
  const charged = { transactionIds: [scheduleTransactionId] }
  await done('post', `${schedule}/transactions/remove`, charged)
  await done('post', `${schedule}/transactions/add`, charged)
  await done('put', `${schedule}/status`, { status: 2 })
  const versions = `/v1/rate-cards/${books.rateCardId}/versions`
  const { rateCardVersionId } = await done('post', versions, {
    effectiveFrom: '2020-06-01',
    content: {
      defaultTaxRateId: books.taxRateId,
      rates: [
        {
          ...{ name: 'Papers', kind: 1, basis: 1, activityTypeId: books.activityTypeId },
          charges: [{ metric: 1, application: 1, rateExclTax: 7 }],
        },
      ],
    },
  })
  await done('put', `${versions}/${rateCardVersionId}/status`, { status: 2 })
  const { runBackTest } = backTestsOf(database, caller)
  const period = { dateFrom: '2026-01-01', dateTo: today, rateCardVersionId, partnerIds: [clientId] }
  const test = await runBackTest(period)
  await done('post', `/v1/rate-card-back-tests/${test.id}/adjust`)
}

/** Does every act that can be rehearsed. */
export async function doEveryAct(world: World, database: Database): Promise<void> {
  await restoreNames(world)
  const acts = openActs(world)
  await correctOrders(acts)
  await takeIn(acts)
  await deliver(acts)
  await keepStock(acts)
  await pickWave(acts)
  await bill(acts, database)
}
