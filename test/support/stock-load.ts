// A mixed load on stock: random commands with operation ids on a few hot rows, and checks of their effects
// afterwards, however often each was sent.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { ApiCaller } from './processes.ts'
import { until } from './service-process.ts'

/** A command that may be sent repeatedly. */
export interface Operation {
  operationId: string
  path: string
  body: object
}

/** An operation and the response of each attempt to send it; null if none came. */
export interface SentOperation {
  operation: Operation
  answers: ({ status: number; body: Record<string, unknown> } | null)[]
}

export interface StockLoad {
  /** Creates a random operation. */
  operation(): Operation
  /** Sends an operation and records the response. Later operations use the rows in it. */
  send(sent: SentOperation): Promise<void>
  /** Changes the status of a consignment, which is idempotent. Returns the HTTP status. */
  move(): Promise<number | null>
}

const places = ['A-01', 'A-02', 'B-01', 'DOCK'] as const
const random = (below: number) => Math.floor(Math.random() * below)
const pickRandom = <T>(list: readonly T[]): T => list[random(list.length)] as T

interface TestData {
  warehouseId: string
  products: { id: string; isSerial: boolean }[]
  rows: string[]
  holds: string[]
  outwards: { id: string; lines: string[] }[]
  inwards: { id: string; lines: string[] }[]
}

/** Creates a client with products, `count` hot rows and consignments in both directions through the API. */
export async function openStockLoad(api: ApiCaller, count = 10): Promise<StockLoad> {
  const testData = await createTestData(api, count)
  const send = async (sent: SentOperation) => {
    const { operationId, path, body } = sent.operation
    const answer = await api.call('POST', path, { operationId, ...body }).catch(() => null)
    sent.answers.push(answer)
    if (answer !== null && answer.status < 300) rememberIds(testData, answer.body)
  }
  return {
    send,
    operation: () => ({ operationId: randomUUID(), ...pickRandom(operationMakers)(testData) }),
    async move() {
      const { id } = pickRandom(testData.outwards)
      const status = pickRandom([1, 2, 2, 2, 2, 3, 7, 0])
      const answer = await api.call('PUT', `/v1/consignments/${id}/status`, { status }).catch(() => null)
      return answer?.status ?? null
    },
  }
}

const maxRows = 40

/** Remembers the rows and holds in a response, replacing random older rows. */
function rememberIds({ rows, holds }: TestData, answer: Record<string, unknown>): void {
  if (typeof answer.inventoryHoldId === 'string') holds.push(answer.inventoryHoldId)
  for (const [id] of JSON.stringify(answer).matchAll(/(?<="warehouseProductIds?":\[?")[0-9a-f-]{36}/g)) {
    if (rows.includes(id)) continue
    if (rows.length < maxRows) rows.push(id)
    else rows[random(maxRows)] = id
  }
}

type OperationMaker = (stage: TestData) => Omit<Operation, 'operationId'>

const reason = 'Load'
const randomPlace = () => pickRandom(places)
const randomPart = ({ rows }: TestData, more: object = {}) => ({
  warehouseProductId: pickRandom(rows),
  quantity: 1 + random(3),
  ...more,
})
const outwardsOperation = (stage: TestData, verb: string, bodyOf: (line: string) => object) => {
  const { id, lines } = pickRandom(stage.outwards)
  return { path: `/v1/consignments/${id}/${verb}`, body: bodyOf(pickRandom(lines)) }
}

/** The makers of random operations; a repeated one is more frequent. */
const operationMakers: readonly OperationMaker[] = [
  stage => ({
    path: '/v1/inventory/transfer',
    body: { transfers: [randomPart(stage, { toLocationName: randomPlace() })] },
  }),
  stage => ({
    path: '/v1/inventory/transfer',
    body: {
      transfers: [
        randomPart(stage, { toLocationName: randomPlace() }),
        randomPart(stage, { toLocationName: randomPlace() }),
      ],
    },
  }),
  stage => ({
    path: '/v1/inventory/transfer',
    body: { transfers: [{ warehouseProductId: pickRandom(stage.rows), toLocationName: randomPlace() }] },
  }),
  stage => ({ path: '/v1/inventory/adjust', body: { reason, adjustments: [randomPart(stage)] } }),
  stage => ({
    path: '/v1/inventory/adjust',
    body: { reason, adjustments: [randomPart(stage, { quantity: -1 - random(3) })] },
  }),
  // A few serials that many requests bring in at once.
  ({ warehouseId, products }) => {
    const { id, isSerial } = pickRandom(products)
    const serials = isSerial ? [`S${random(40)}`] : undefined
    const found = { partnerProductId: id, warehouseId, locationName: randomPlace(), quantity: 1, serials }
    return { path: '/v1/inventory/adjust', body: { reason, adjustments: [found] } }
  },
  stage => ({
    path: '/v1/inventory/adjust-attributes',
    body: { reason, adjustments: [randomPart(stage, { batch: pickRandom([null, 'B1', 'B2']) })] },
  }),
  stage => ({
    path: '/v1/inventory/holds',
    body: { kind: 2, reason, stock: [randomPart(stage)], releaseAllocations: random(2) === 0 },
  }),
  ({ holds, rows }) => ({
    path: `/v1/inventory/holds/${holds.length > 0 ? pickRandom(holds) : pickRandom(rows)}/release`,
    body: {},
  }),
  ({ inwards }) => {
    const { id, lines } = pickRandom(inwards)
    const receipt = {
      consignmentProductId: pickRandom(lines),
      quantity: 1 + random(5),
      locationName: randomPlace(),
    }
    return { path: `/v1/consignments/${id}/receive`, body: { receipts: [receipt] } }
  },
  stage => ({
    path: `/v1/consignments/${pickRandom(stage.inwards).id}/unreceive`,
    body: { reason, unreceipts: [randomPart(stage)] },
  }),
  stage => outwardsOperation(stage, 'allocate', () => ({})),
  stage => outwardsOperation(stage, 'allocate', () => ({})),
  stage => outwardsOperation(stage, 'release', () => ({})),
  stage => outwardsOperation(stage, 'pick', line => ({ picks: [randomPick(stage, line)] })),
  stage => outwardsOperation(stage, 'pick', line => ({ picks: [randomPick(stage, line)] })),
  stage => outwardsOperation(stage, 'unpick', line => ({ unpicks: [randomUnpick(line)] })),
  stage => outwardsOperation(stage, 'stage', () => ({ toLocationName: randomPlace() })),
]

const randomPick = (stage: TestData, consignmentProductId: string) => ({
  ...randomPart(stage),
  consignmentProductId,
  isOverride: true,
  isShort: random(4) === 0,
})
const randomUnpick = (consignmentProductId: string) => ({
  consignmentProductId,
  release: random(2) === 0,
  ...(random(2) === 0 ? { toLocationName: randomPlace() } : {}),
})

async function createTestData(api: ApiCaller, count: number): Promise<TestData> {
  const made = async (path: string, body: object) =>
    Object.values(await api.must('POST', path, body))[0] as string
  const partnerId = await made('/v1/partners', { name: 'Kauri Foods', code: 'KAURI', relationship: 1 })
  const warehouse = { name: 'Auckland', code: 'AKL', timezoneId: 'Pacific/Auckland' }
  const warehouseId = await made('/v1/warehouses', warehouse)
  for (const [name, type] of [...places.map(name => [name, 1] as const), ['Q-01', 3] as const])
    await made(`/v1/warehouses/${warehouseId}/locations`, { name, type })
  const codes = ['APPLE', 'PEAR', 'PLUM']
  const products: TestData['products'] = []
  for (const code of [...codes, 'SCALE']) {
    const isSerial = code === 'SCALE'
    const product = { code, name: code, weightKG: 0.3, serialTrackingMode: isSerial ? 2 : 1 }
    products.push({ id: await made(`/v1/partners/${partnerId}/products`, product), isSerial })
  }
  const rows: string[] = []
  for (let n = 0; n < count; n++) {
    const partnerProductId = products[n % codes.length]?.id
    const found = { partnerProductId, warehouseId, locationName: places[n % 4], batch: `H${n}` }
    const body = { reason, adjustments: [{ ...found, quantity: 200 }] }
    const { adjustments } = await api.must('POST', '/v1/inventory/adjust', body)
    rows.push((adjustments as { warehouseProductId: string }[])[0]?.warehouseProductId as string)
  }
  const announce = async (consignmentType: number, status: number) => {
    const lines = codes.map(productCode => ({ productCode, items: [{ quantity: 12 }] }))
    const id = await made('/v1/consignment-imports', {
      ...{ consignmentType, clientCode: 'KAURI', warehouseCode: 'AKL', products: lines },
    })
    const read = () => api.call('GET', `/v1/consignments/${id}`)
    await until(async () => (await read()).status === 200, `Consignment ${id} was not made.`)
    await api.must('PUT', `/v1/consignments/${id}/status`, { status })
    const { products: importedLines } = (await read()).body as { products: { id: string }[] }
    return { id, lines: importedLines.map(line => line.id) }
  }
  const outwards = await Promise.all(Array.from({ length: 12 }, () => announce(2, 2)))
  const inwards = await Promise.all(Array.from({ length: 3 }, () => announce(1, 4)))
  return { warehouseId, products, rows, holds: [], outwards, inwards }
}

/** Finds operations that did not have exactly one effect. */
export async function findEffectFaults(client: pg.Client, all: readonly SentOperation[]): Promise<string[]> {
  const { rows: doubled } = await client.query<{ id: string }>(`
    select operation_id as id from inventory_transaction where operation_id is not null
    group by operation_id having count(distinct request_id) > 1`)
  const { rows: lines } = await client.query<{ id: string; movements: string[] }>(`
    select operation_id as id, array_agg(distinct movement_id) as movements from inventory_transaction
    where operation_id is not null group by operation_id`)
  const { rows: known } = await client.query<{ id: string; answer: object }>(
    'select operation_id as id, answer from inventory_operation',
  )
  const answers = new Map(known.map(({ id, answer }) => [id, answer]))
  const movements = new Map(lines.map(line => [line.id, line.movements]))
  const faults = doubled.map(({ id }) => `Operation ${id} was done by two requests.`)
  for (const { operation, answers: responses } of all) {
    const { operationId, path } = operation
    const served = responses.filter(answer => answer !== null && answer.status < 300)
    const name = `${path} ${operationId}`
    if (served.length === 0 && responses.every(answer => answer !== null) && movements.has(operationId))
      faults.push(`${name} was refused each time and moved stock.`)
    if (served.length === 0) continue
    if (!answers.has(operationId)) faults.push(`${name} was answered and is not known.`)
    const { movementId } = served[0]?.body ?? {}
    if (
      typeof movementId === 'string' &&
      !mayMoveNothing(operation) &&
      !movements.get(operationId)?.includes(movementId)
    )
      faults.push(`${name} was answered with a movement that is not in the ledger.`)
    for (const answer of served)
      try {
        assert.deepEqual(answer?.body, answers.get(operationId))
      } catch {
        faults.push(`${name} was answered differently when it was sent again.`)
      }
  }
  return faults
}

/** Returns whether an operation may succeed without moving stock. */
const mayMoveNothing = ({ path, body }: Operation) =>
  path.endsWith('/release') ||
  JSON.stringify(body).includes('"batch"') ||
  JSON.stringify(body).includes('Short')
