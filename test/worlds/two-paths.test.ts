// Two paths, one result: the same deeds done by different paths leave the same state, save for ids and instants.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { deedsOf, live } from './history.ts'
import { Status } from './notebook/orders.ts'
import { openService } from './service.ts'
import { sameState } from './state.ts'
import { ask, openWorld, untilConsignment, type World } from './world.ts'

const service = await openService()

/** A way to do something in a world. */
type Path = (world: World, ids: string[]) => Promise<void>

/** Prepares as many worlds as there are paths, goes one in each, and compares what is left. */
async function compare(prepare: (world: World) => Promise<string[]>, paths: Record<string, Path>) {
  let first: World | undefined
  for (const [name, path] of Object.entries(paths)) {
    const world = await openWorld(service)
    await path(world, await prepare(world))
    assert.deepEqual(await service.findDifferences(world.caller.actor.organisationId), [])
    if (first === undefined) first = world
    else await sameState(first.caller, world.caller, name)
  }
}

const move = (world: World, id: string, status: number) =>
  ask(world, 'put', `/v1/consignments/${id}/status`, { status })
const moveAll = async (world: World, ids: readonly string[], status: number) => {
  for (const id of ids) await move(world, id, status)
}

type Lines = readonly { code: string; quantity: number; more?: object }[]

const requestOf = (consignmentType: number, lines: Lines) => ({
  ...{ consignmentType, clientCode: 'KAURI', warehouseCode: 'AKL', referenceNumber: 'R-1' },
  products: lines.map(({ code, quantity, more }) => ({
    ...{ productCode: code, items: [{ quantity }] },
    ...more,
  })),
})

async function imported(world: World, consignmentType: number, lines: Lines): Promise<string> {
  const request = requestOf(consignmentType, lines)
  const { consignmentId } = await ask(world, 'post', '/v1/consignment-imports', request)
  await untilConsignment(world, consignmentId)
  return consignmentId
}

const goods: Lines = [
  { code: 'APPLE', quantity: 12, more: { batch: 'B1', expiryDate: '2031-05-01' } },
  { code: 'APPLE', quantity: 8, more: { batch: 'B2', expiryDate: '2032-06-30' } },
  { code: 'PEAR', quantity: 9, more: { logisticUnitReferenceNumber: 'PALLET-1' } },
]

/** Goods that are announced and may be received. */
async function announced(world: World): Promise<string[]> {
  const id = await imported(world, 1, goods)
  await move(world, id, Status.ReadyToReceive)
  return [id]
}

const linesOf = async (world: World, id: string): Promise<{ id: string; expectedQuantity: number }[]> =>
  (await ask(world, 'get', `/v1/consignments/${id}`)).products

const receipts = async (world: World, id: string) =>
  (await linesOf(world, id)).map(line => ({
    consignmentProductId: line.id,
    quantity: line.expectedQuantity,
  }))

test('goods that come are there, however that is told', async () => {
  await compare(announced, {
    'line by line': async (world, [id = '']) => {
      for (const receipt of await receipts(world, id))
        await ask(world, 'post', `/v1/consignments/${id}/receive`, { receipts: [receipt] })
      await move(world, id, Status.Complete)
    },
    'all lines at once': async (world, [id = '']) => {
      await ask(world, 'post', `/v1/consignments/${id}/receive`, { receipts: await receipts(world, id) })
      await move(world, id, Status.Complete)
    },
    'all that was announced': async (world, [id = '']) => {
      await ask(world, 'post', `/v1/consignments/${id}/receive`, { all: true })
      await move(world, id, Status.Complete)
    },
    'by a device that was offline': async (world, [id = '']) => {
      world.way = 'replayed'
      await ask(world, 'post', `/v1/consignments/${id}/receive`, { receipts: await receipts(world, id) })
      await move(world, id, Status.Complete)
    },
    'by the status alone': (world, [id = '']) => move(world, id, Status.Complete),
    'by the status of many': async (world, ids) => {
      const values = { status: Status.Complete }
      await ask(world, 'post', '/v1/consignments/bulk', { consignmentIds: ids, action: 'status', values })
    },
  })
})

const orders: readonly Lines[] = [
  [
    { code: 'APPLE', quantity: 10 },
    { code: 'PEAR', quantity: 4 },
  ],
  [{ code: 'APPLE', quantity: 6 }],
]

/** Goods that lie here, and two orders for some of them that nobody works on yet. */
async function ordered(world: World): Promise<string[]> {
  const [id = ''] = await announced(world)
  await ask(world, 'post', `/v1/consignments/${id}/receive`, { all: true })
  await move(world, id, Status.Complete)
  const ids: string[] = []
  for (const lines of orders) ids.push(await imported(world, 2, lines))
  return ids
}

interface Allocation {
  consignmentProductId: string
  warehouseProductId: string
  quantity: number
}

/** What is to be picked for a consignment. */
const picksOf = async (world: World, id: string) =>
  (await ask(world, 'get', `/v1/consignments/${id}/allocations`)).allocations.map(
    ({ consignmentProductId, warehouseProductId, quantity }: Allocation) => ({
      ...{ consignmentProductId, warehouseProductId, quantity },
    }),
  ) as Allocation[]

const send = async (world: World, ids: readonly string[]) => {
  for (const status of [Status.ReadyToDispatch, Status.InTransit, Status.Complete])
    await moveAll(world, ids, status)
}

/** Starts a wave of orders. Returns its id and its picks. */
async function wave(world: World, ids: readonly string[]) {
  const { warehouseId, clientId } = world
  const { jobId } = await ask(world, 'post', '/v1/jobs/wave-pick', { warehouseId, clientId })
  const path = `/v1/jobs/${jobId}/wave-pick`
  await ask(world, 'post', `${path}/consignments/add`, { consignmentIds: ids })
  await ask(world, 'put', `${path}/status`, { status: 2 })
  const { picks } = await ask(world, 'get', `${path}/picks`)
  return { path, picks: picks as { inventoryAllocationId: string; quantity: number }[] }
}

test('goods that are picked leave, however that is told', async () => {
  await compare(ordered, {
    'pick by pick': async (world, ids) => {
      await moveAll(world, ids, Status.ReadyToPick)
      for (const id of ids)
        for (const pick of await picksOf(world, id))
          await ask(world, 'post', `/v1/consignments/${id}/pick`, { picks: [pick] })
      await send(world, ids)
    },
    'all picks of an order at once': async (world, ids) => {
      await moveAll(world, ids, Status.ReadyToPick)
      for (const id of ids)
        await ask(world, 'post', `/v1/consignments/${id}/pick`, { picks: await picksOf(world, id) })
      await send(world, ids)
    },
    'by a device that was offline': async (world, ids) => {
      await moveAll(world, ids, Status.ReadyToPick)
      world.way = 'replayed'
      for (const id of ids)
        await ask(world, 'post', `/v1/consignments/${id}/pick`, { picks: await picksOf(world, id) })
      await send(world, ids)
    },
    'in a wave, pick by pick': async (world, ids) => {
      const { path, picks } = await wave(world, ids)
      for (const { inventoryAllocationId, quantity } of picks)
        await ask(world, 'post', `${path}/picks/confirm`, { picks: [{ inventoryAllocationId, quantity }] })
      await send(world, ids)
    },
    'in a wave, all at once': async (world, ids) => {
      const { path, picks } = await wave(world, ids)
      const named = picks.map(({ inventoryAllocationId, quantity }) => ({ inventoryAllocationId, quantity }))
      await ask(world, 'post', `${path}/picks/confirm`, { picks: named })
      await send(world, ids)
    },
    'by the status alone': async (world, ids) => {
      await moveAll(world, ids, Status.ReadyToPick)
      await send(world, ids)
    },
  })
})

test('consignments move on and are billed, one by one or many at once', async () => {
  const many = async (world: World, consignmentIds: readonly string[], status: number) => {
    const body = { consignmentIds, action: 'status', values: { status } }
    await ask(world, 'post', '/v1/consignments/bulk', body)
  }
  const steps = [Status.ReadyToPick, Status.ReadyToDispatch, Status.InTransit, Status.Complete]
  await compare(ordered, {
    'one by one': async (world, ids) => {
      for (const status of [...steps, Status.Closed]) await moveAll(world, ids, status)
    },
    'many at once': async (world, ids) => {
      for (const status of [...steps, Status.Closed]) await many(world, ids, status)
    },
    'closed many at once': async (world, ids) => {
      for (const status of steps) await moveAll(world, ids, status)
      await ask(world, 'post', '/v1/consignments/close', { consignmentIds: ids })
    },
  })
})

const asked: Lines = [
  { code: 'APPLE', quantity: 3, more: { batch: 'B1' } },
  { code: 'PEAR', quantity: 2 },
]
const misspelt = asked.map(line => (line.code === 'PEAR' ? { ...line, code: 'PAER' } : line))

/** Sends an import with a code that nobody knows, which waits. */
async function waiting(world: World) {
  const request = requestOf(2, misspelt)
  const { consignmentId } = await ask(world, 'post', '/v1/consignment-imports', request)
  await world.service.work()
  return { path: `/v1/consignment-imports/${consignmentId}`, consignmentId }
}

test('an order is what was asked for, whether or not its import had to wait', async () => {
  await compare(async () => [], {
    'at once': async world => {
      await imported(world, 2, asked)
    },
    'from a spreadsheet': async world => {
      const heads = 'referenceNumber,productCode,quantity,batch'
      const rows = ['R-1,APPLE,3,B1', 'R-1,PEAR,2,']
      const content = Buffer.from([heads, ...rows].join('\n')).toString('base64')
      const file = { fileName: 'orders.csv', contentType: 'text/csv', content }
      const about = { consignmentType: 2, clientCode: 'KAURI', warehouseCode: 'AKL', mapping: null }
      const { imports } = await ask(world, 'post', '/v1/consignment-imports/csv', { ...about, file })
      await untilConsignment(world, imports[0].consignmentImportId)
    },
    'amended while it waited': async world => {
      const { path, consignmentId } = await waiting(world)
      await ask(world, 'put', path, { request: requestOf(2, asked) })
      await untilConsignment(world, consignmentId)
    },
    'its code replaced while it waited': async world => {
      const { path, consignmentId } = await waiting(world)
      const replacements = [{ kind: 'product', code: 'PAER', replacement: 'PEAR' }]
      await ask(world, 'put', `${path}/reconcile`, { replacements })
      await untilConsignment(world, consignmentId)
    },
  })
})

test('a history of deeds leaves the same state as commands, sent twice, or by devices that were offline', async () => {
  const told = { commands: 0, 'sent twice': 3, 'by devices that were offline': 4 }
  for (const seed of [47]) {
    let first: World | undefined
    for (const [name, way] of Object.entries(told)) {
      const deeds = deedsOf(seed).map(deed => ({ ...deed, numbers: deed.numbers.with(39, way) }))
      const world = await live(service, deeds)
      if (first === undefined) first = world
      else await sameState(first.caller, world.caller, `${name}, seed ${seed}`)
    }
  }
})

test('goods that lay here on the first day are there, from a list or from a file', async () => {
  const path = '/v1/inventory/opening-balances'
  const rows = [
    { clientCode: 'KAURI', productCode: 'APPLE', locationName: 'A-01', quantity: 40, batch: 'B1' },
    { clientCode: 'KAURI', productCode: 'PEAR', locationName: 'B-01', quantity: 2.5, batch: 'B2' },
  ]
  const [head = []] = rows.map(row => Object.keys(row))
  const text = [head, ...rows.map(row => Object.values(row))].map(line => line.join(',')).join('\n')
  const content = Buffer.from(text).toString('base64')
  const base = () => ({ operationId: randomUUID(), warehouseCode: 'AKL' })
  await compare(async () => [], {
    'as a list': world => ask(world, 'post', path, { ...base(), rows }),
    'as a file': world => {
      const file = { fileName: 'balances.csv', contentType: 'text/csv', content }
      return ask(world, 'post', `${path}/csv`, { ...base(), file })
    },
    'row by row': async world => {
      for (const row of rows) await ask(world, 'post', path, { ...base(), rows: [row] })
    },
  })
})
