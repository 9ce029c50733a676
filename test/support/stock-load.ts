// A mixed load on stock: random commands with operation ids on a few rows that everybody wants, sent by many,
// and what must be true of them afterwards however often they were sent.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { ApiCaller } from './processes.ts'
import { until } from './service-process.ts'

/** A command that may be sent again. */
export interface Operation {
  operationId: string
  path: string
  body: object
}

/** What came of an operation, each time that it was sent; null where no answer came. */
export interface Sent {
  operation: Operation
  answers: ({ status: number; body: Record<string, unknown> } | null)[]
}

export interface StockLoad {
  /** Makes a random operation. */
  operation(): Operation
  /** Sends an operation and keeps what came of it; rows that it tells of are used by later ones. */
  send(sent: Sent): Promise<void>
  /** Moves a consignment to some status; sent again it does nothing more. Returns what was answered. */
  move(): Promise<number | null>
}

const places = ['A-01', 'A-02', 'B-01', 'DOCK'] as const
const random = (below: number) => Math.floor(Math.random() * below)
const one = <T>(list: readonly T[]): T => list[random(list.length)] as T

interface Stage {
  warehouseId: string
  products: { id: string; isSerial: boolean }[]
  rows: string[]
  holds: string[]
  outwards: { id: string; lines: string[] }[]
  inwards: { id: string; lines: string[] }[]
}

/** Makes a client with products and `count` hot rows, and consignments in and out, over the API. */
export async function openStockLoad(api: ApiCaller, count = 10): Promise<StockLoad> {
  const stage = await setStage(api, count)
  const send = async (sent: Sent) => {
    const { operationId, path, body } = sent.operation
    const answer = await api.call('POST', path, { operationId, ...body }).catch(() => null)
    sent.answers.push(answer)
    if (answer !== null && answer.status < 300) remember(stage, answer.body)
  }
  return {
    send,
    operation: () => ({ operationId: randomUUID(), ...one(kinds)(stage) }),
    async move() {
      const { id } = one(stage.outwards)
      const status = one([1, 2, 2, 2, 2, 3, 7, 0])
      const answer = await api.call('PUT', `/v1/consignments/${id}/status`, { status }).catch(() => null)
      return answer?.status ?? null
    },
  }
}

const maxRows = 40

/** Rows and holds that an answer tells of take the place of others. */
function remember({ rows, holds }: Stage, answer: Record<string, unknown>): void {
  if (typeof answer.inventoryHoldId === 'string') holds.push(answer.inventoryHoldId)
  for (const [id] of JSON.stringify(answer).matchAll(/(?<="warehouseProductIds?":\[?")[0-9a-f-]{36}/g)) {
    if (rows.includes(id)) continue
    if (rows.length < maxRows) rows.push(id)
    else rows[random(maxRows)] = id
  }
}

type Kind = (stage: Stage) => Omit<Operation, 'operationId'>

const reason = 'Load'
const place = () => one(places)
const part = ({ rows }: Stage, more: object = {}) => ({
  warehouseProductId: one(rows),
  quantity: 1 + random(3),
  ...more,
})
const outward = (stage: Stage, verb: string, bodyOf: (line: string) => object) => {
  const { id, lines } = one(stage.outwards)
  return { path: `/v1/consignments/${id}/${verb}`, body: bodyOf(one(lines)) }
}

/** What is done, the more often the more often it stands here. */
const kinds: readonly Kind[] = [
  stage => ({
    path: '/v1/inventory/transfer',
    body: { transfers: [part(stage, { toLocationName: place() })] },
  }),
  stage => ({
    path: '/v1/inventory/transfer',
    body: { transfers: [part(stage, { toLocationName: place() }), part(stage, { toLocationName: place() })] },
  }),
  stage => ({
    path: '/v1/inventory/transfer',
    body: { transfers: [{ warehouseProductId: one(stage.rows), toLocationName: place() }] },
  }),
  stage => ({ path: '/v1/inventory/adjust', body: { reason, adjustments: [part(stage)] } }),
  stage => ({
    path: '/v1/inventory/adjust',
    body: { reason, adjustments: [part(stage, { quantity: -1 - random(3) })] },
  }),
  // A few serials that many want to bring in at once.
  ({ warehouseId, products }) => {
    const { id, isSerial } = one(products)
    const serials = isSerial ? [`S${random(40)}`] : undefined
    const found = { partnerProductId: id, warehouseId, locationName: place(), quantity: 1, serials }
    return { path: '/v1/inventory/adjust', body: { reason, adjustments: [found] } }
  },
  stage => ({
    path: '/v1/inventory/adjust-attributes',
    body: { reason, adjustments: [part(stage, { batch: one([null, 'B1', 'B2']) })] },
  }),
  stage => ({
    path: '/v1/inventory/holds',
    body: { kind: 2, reason, stock: [part(stage)], releaseAllocations: random(2) === 0 },
  }),
  ({ holds, rows }) => ({
    path: `/v1/inventory/holds/${holds.length > 0 ? one(holds) : one(rows)}/release`,
    body: {},
  }),
  ({ inwards }) => {
    const { id, lines } = one(inwards)
    const receipt = { consignmentProductId: one(lines), quantity: 1 + random(5), locationName: place() }
    return { path: `/v1/consignments/${id}/receive`, body: { receipts: [receipt] } }
  },
  stage => ({
    path: `/v1/consignments/${one(stage.inwards).id}/unreceive`,
    body: { reason, unreceipts: [part(stage)] },
  }),
  stage => outward(stage, 'allocate', () => ({})),
  stage => outward(stage, 'allocate', () => ({})),
  stage => outward(stage, 'release', () => ({})),
  stage => outward(stage, 'pick', line => ({ picks: [pickOf(stage, line)] })),
  stage => outward(stage, 'pick', line => ({ picks: [pickOf(stage, line)] })),
  stage => outward(stage, 'unpick', line => ({ unpicks: [unpickOf(line)] })),
  stage => outward(stage, 'stage', () => ({ toLocationName: place() })),
]

const pickOf = (stage: Stage, consignmentProductId: string) => ({
  ...part(stage),
  consignmentProductId,
  isOverride: true,
  isShort: random(4) === 0,
})
const unpickOf = (consignmentProductId: string) => ({
  consignmentProductId,
  release: random(2) === 0,
  ...(random(2) === 0 ? { toLocationName: place() } : {}),
})

async function setStage(api: ApiCaller, count: number): Promise<Stage> {
  const made = async (path: string, body: object) =>
    Object.values(await api.must('POST', path, body))[0] as string
  const partnerId = await made('/v1/partners', { name: 'Kauri Foods', code: 'KAURI', relationship: 1 })
  const warehouse = { name: 'Auckland', code: 'AKL', timezoneId: 'Pacific/Auckland' }
  const warehouseId = await made('/v1/warehouses', warehouse)
  for (const [name, type] of [...places.map(name => [name, 1] as const), ['Q-01', 3] as const])
    await made(`/v1/warehouses/${warehouseId}/locations`, { name, type })
  const codes = ['APPLE', 'PEAR', 'PLUM']
  const products: Stage['products'] = []
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
    const { products: its } = (await read()).body as { products: { id: string }[] }
    return { id, lines: its.map(line => line.id) }
  }
  const outwards = await Promise.all(Array.from({ length: 12 }, () => announce(2, 2)))
  const inwards = await Promise.all(Array.from({ length: 3 }, () => announce(1, 4)))
  return { warehouseId, products, rows, holds: [], outwards, inwards }
}

/** What was found to be wrong with the effects of operations; empty where each had one. */
export async function effectFaults(client: pg.Client, all: readonly Sent[]): Promise<string[]> {
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
  for (const { operation, answers: given } of all) {
    const { operationId, path } = operation
    const served = given.filter(answer => answer !== null && answer.status < 300)
    const told = `${path} ${operationId}`
    if (served.length === 0 && given.every(answer => answer !== null) && movements.has(operationId))
      faults.push(`${told} was refused each time and moved stock.`)
    if (served.length === 0) continue
    if (!answers.has(operationId)) faults.push(`${told} was answered and is not known.`)
    const { movementId } = served[0]?.body ?? {}
    if (
      typeof movementId === 'string' &&
      !isPure(operation) &&
      !movements.get(operationId)?.includes(movementId)
    )
      faults.push(`${told} was answered with a movement that is not in the ledger.`)
    for (const answer of served)
      try {
        assert.deepEqual(answer?.body, answers.get(operationId))
      } catch {
        faults.push(`${told} was answered differently when it was sent again.`)
      }
  }
  return faults
}

/** An operation that may be answered and move nothing. */
const isPure = ({ path, body }: Operation) =>
  path.endsWith('/release') ||
  JSON.stringify(body).includes('"batch"') ||
  JSON.stringify(body).includes('Short')
