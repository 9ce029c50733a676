// The endpoint that takes back goods which were received for an inwards consignment by mistake. Spec 2.14.

import type { LockedConsignment } from '../consignments/consignment.ts'
import { emit, serviceOrigin } from '../events/emit.ts'
import { sql, type Tx } from '../platform/database/db.ts'
import { tableOf } from '../platform/database/table-of.ts'
import {
  collectFaults,
  type FieldFault,
  isFieldFault,
  type ReportFault,
} from '../platform/http/entry-faults.ts'
import { Refusal } from '../platform/http/refusal.ts'
import { Decimal, Name, named, optional, type Static, Type, UtcTime, Uuid } from '../platform/http/schema.ts'
import { newId } from '../platform/new-id.ts'
import { type CommandKind, Postponed } from '../stock/commands/command-kind.ts'
import { readProductsOfUnits, toItemEntries } from '../stock/commands/convert-to-items.ts'
import { partFields } from '../stock/commands/plan-take.ts'
import { numberOf } from '../stock/commands/quantities.ts'
import { readSerialsByRow } from '../stock/commands/read-serials.ts'
import type { StockRow } from '../stock/commands/read-stock-rows.ts'
import { type StockRequest, stockCommand } from '../stock/commands/stock-command.ts'
import {
  matchStock,
  readSelectedStock,
  selectorFaults,
  stockFields,
} from '../stock/commands/stock-selector.ts'
import { TouchedStock } from '../stock/commands/touched-stock.ts'
import { listConsignmentNumbers, readAllocations } from '../stock/inventory/allocations.ts'
import { noSharedSource, type StockMove } from '../stock/ledger/movement.ts'
import { post } from '../stock/ledger/post.ts'
import type { LockedStock, LockTarget } from '../stock/ledger/stock-lock.ts'
import {
  type ConsignmentsOfRequests,
  consignmentOf,
  firstOfEach,
  lockConsignmentsOf,
} from './lock-consignments.ts'
import { type LineChange, receivedEvent, restoreReceiveTimes } from './receiving/arrival.ts'
import { requireReceivable } from './receiving/inwards-consignment.ts'
import { type InwardsLine, readInwardsLines } from './receiving/inwards-line.ts'
import {
  measuresAfter,
  readReceivedMeasures,
  toUnreceiptMoves,
  type UnreceivedPart,
} from './receiving/measure-unreceipts.ts'
import { readReceivedGoods } from './receiving/read-received.ts'
import { type RemainingStock, takePartsBack } from './receiving/take-back.ts'

const Unreceipt = Type.Object({
  ...stockFields,
  ...partFields,
  quantity: optional({
    ...Decimal(4, { exclusiveMinimum: 0 }),
    description: 'everything that was received for the consignment, by default',
  }),
})
type Unreceipt = Static<typeof Unreceipt>

const UnreceiveResult = named(
  'ConsignmentUnreceiveResult',
  Type.Object({
    movementId: Uuid,
    effectiveUtc: UtcTime,
    consignmentProducts: Type.Array(
      Type.Object({ consignmentProductId: Uuid, receivedQuantity: Type.Number() }),
    ),
  }),
)

const body = {
  unreceipts: Type.Array(Unreceipt, {
    minItems: 1,
    maxItems: 1_000,
    rule: (value: unknown) =>
      (Array.isArray(value) ? value : []).flatMap((entry, i) => selectorFaults(`/${i}`, entry)),
  }),
  reason: Name,
}
const path = '/v1/consignments/:consignmentId/unreceive'
type UnreceiveRequest = StockRequest<typeof path, Static<ReturnType<typeof Type.Object<typeof body>>>>

interface UnreceiveRecords {
  organisationId: string
  consignments: ConsignmentsOfRequests<UnreceiveRequest, LockedConsignment>
  /** the warehouse of the requests that are served */
  warehouseId: string | null
  targets: readonly LockTarget[]
}

/** What requests are planned from. Those that are planned already have changed it. */
interface FoundForUnreceiving {
  consignments: UnreceiveRecords['consignments']
  served: ReadonlySet<UnreceiveRequest>
  rows: ReadonlyMap<Unreceipt, StockRow | FieldFault>
  products: Awaited<ReturnType<typeof readProductsOfUnits>>
  /** what remains of each row, by its id */
  remaining: Map<string, RemainingStock>
  receivedFor: Awaited<ReturnType<typeof readReceivedGoods>>
  measures: Awaited<ReturnType<typeof readReceivedMeasures>>
  lines: ReadonlyMap<string, readonly InwardsLine[]>
  touched: TouchedStock
}

interface PlannedUnreceipts {
  request: UnreceiveRequest
  consignment: LockedConsignment
  movementId: string
  moves: readonly StockMove[]
  /** what is taken back of each line */
  changes: readonly (LineChange & { line: InwardsLine })[]
}

/** Requests share a transaction if they are of different consignments. */
export const unreceiveKind: CommandKind<
  UnreceiveRequest,
  Static<typeof UnreceiveResult>,
  UnreceiveRecords,
  FoundForUnreceiving,
  PlannedUnreceipts
> = {
  mayShare: () => true,
  weigh: ({ body }) =>
    body.unreceipts.reduce((sum, { serials }) => sum + Math.max(1, serials?.length ?? 0), 0),
  async lockRecords(tx, requests, isShared) {
    const { organisationId } = (requests[0] as UnreceiveRequest).actor
    const consignments = await lockConsignmentsOf(tx, requests, isShared, requireReceivable)
    const open = [...consignments.values()].flatMap(one => (one instanceof Refusal ? [] : one))
    const warehouseId = open[0]?.warehouseId ?? null
    const entries = requests.filter(isIn(warehouseId, consignments)).flatMap(({ body }) => body.unreceipts)
    const matches = await matchStock(tx, organisationId, entries, warehouseId)
    return { organisationId, consignments, warehouseId, targets: matches.flat() }
  },
  targets: ({ targets }) => sql`select "warehouseId" as warehouse_id, "productId" as product_id
    from ${tableOf('t', { warehouseId: 'uuid', productId: 'uuid' }, targets)}`,
  read: readUnreceipts,
  plan: planUnreceipts,
  write: writeUnreceipts,
}

/** Whether the consignment of a request is in a warehouse. */
const isIn =
  (warehouseId: string | null, consignments: UnreceiveRecords['consignments']) =>
  (request: UnreceiveRequest): boolean => {
    const consignment = consignments.get(request)
    return !(consignment instanceof Refusal) && consignment?.warehouseId === warehouseId
  }

async function readUnreceipts(
  tx: Tx,
  locking: Promise<LockedStock>,
  { organisationId, consignments, warehouseId }: UnreceiveRecords,
  requests: readonly UnreceiveRequest[],
): Promise<FoundForUnreceiving> {
  const served = firstOfEach(requests.filter(isIn(warehouseId, consignments)), consignments)
  const ids = served.map(({ consignment }) => consignment.id)
  const entries = served.flatMap(({ request: { body } }) => body.unreceipts)
  const selected = await readSelectedStock(tx, organisationId, locking, entries, warehouseId)
  const rows = new Map(entries.map((entry, n) => [entry, selected[n] as StockRow | FieldFault]))
  const byId = new Map(selected.flatMap(row => (isFieldFault(row) ? [] : [[row.id, row] as const])))
  const rowIds = [...byId.keys()]
  const [products, receivedFor, serials, allocations, measures, lines] = await Promise.all([
    readProductsOfUnits(tx, organisationId, entries, productIdIn(rows)),
    readReceivedGoods(tx, organisationId, ids, rowIds),
    readSerialsByRow(tx, organisationId, rowIds),
    readAllocations(tx, organisationId, rowIds),
    readReceivedMeasures(tx, organisationId, ids),
    readInwardsLines(tx, organisationId, ids),
  ])
  const remaining = new Map(
    [...byId].map(([id, row]) => [
      id,
      {
        row,
        free: row.onHand - row.allocated,
        serials: new Map(serials(id).map(item => [item.serial, item])),
        allocatedTo: listConsignmentNumbers(allocations(id)),
      },
    ]),
  )
  return {
    ...{ consignments, rows, products, remaining, receivedFor, measures, touched: new TouchedStock() },
    served: new Set(served.map(({ request }) => request)),
    lines: Map.groupBy(lines, ({ consignmentId }) => consignmentId),
  }
}

const productIdIn = (rows: FoundForUnreceiving['rows']) => (entry: Unreceipt) => {
  const row = rows.get(entry)
  return isFieldFault(row) ? undefined : row?.productId
}

/** Plans one request. Throws 400 with every fault of every entry. */
function planUnreceipts(found: FoundForUnreceiving, request: UnreceiveRequest): PlannedUnreceipts {
  const { consignments, served, remaining, measures, lines, touched } = found
  const consignment = consignmentOf(consignments, request)
  const { body, source, occurredUtc } = request
  const { unreceipts, reason } = body
  const own = copyRemaining(found, unreceipts)
  const isLater = occurredUtc !== null && own.keys().some(id => touched.isTaken(id))
  if (!served.has(request) || isLater || touched.mayMatchAnew(unreceipts)) throw new Postponed()
  const before = new Map([...own].map(([id, { row }]) => [id, row]))
  const parts = takeBack(found, consignment.id, unreceipts, own)
  const movementId = newId()
  const moves = toUnreceiptMoves(
    parts.map(part => ({ ...part, row: before.get(part.row.id) as StockRow })),
    measures,
    { movementId, reason, occurredUtc, source, consignmentId: consignment.id },
  )
  for (const [id, { row, ...rest }] of own) {
    remaining.set(id, { ...rest, row: { ...row, ...measuresAfter(row, moves) } })
    touched.take(row)
  }
  const taken = Map.groupBy(moves, ({ consignmentProductId }) => consignmentProductId)
  const changes = (lines.get(consignment.id) ?? []).flatMap(line => {
    const quantity = (taken.get(line.id) ?? []).reduce((sum, move) => sum + move.quantity, 0n)
    return quantity === 0n ? [] : [{ line, quantity: -quantity }]
  })
  return { request, consignment, movementId, moves, changes }
}

/** A copy of what remains of the rows that entries select. */
function copyRemaining(
  { rows, remaining }: FoundForUnreceiving,
  unreceipts: readonly Unreceipt[],
): Map<string, RemainingStock> {
  const selected = unreceipts.flatMap(entry => {
    const row = rows.get(entry)
    return row === undefined || isFieldFault(row) ? [] : (remaining.get(row.id) as RemainingStock)
  })
  return new Map(selected.map(one => [one.row.id, { ...one, serials: new Map(one.serials) }]))
}

/** Takes the entries of a request out of what remains. Throws 400 with the faults of entries. */
function takeBack(
  { rows, products, receivedFor }: FoundForUnreceiving,
  consignmentId: string,
  unreceipts: readonly Unreceipt[],
  remaining: ReadonlyMap<string, RemainingStock>,
): UnreceivedPart[] {
  const received = receivedFor(consignmentId)
  const faults = collectFaults()
  const productIds = unreceipts.map(productIdIn(rows))
  const entries = toItemEntries(products, unreceipts, 'unreceipts', (_, n) => productIds[n])
  const parts = entries.flatMap((entry, i) => {
    const row = rows.get(unreceipts[i] as Unreceipt) as StockRow | FieldFault
    const refuse: ReportFault = (...fault) => faults.add(`unreceipts[${i}]`, ...fault)
    if (!isFieldFault(row))
      return takePartsBack(entry, remaining.get(row.id) as RemainingStock, received, refuse)
    refuse(...row)
    return []
  })
  faults.throwIfAny()
  return parts
}

/** Writes what is planned. Returns the answers in the order of the plans. */
async function writeUnreceipts(
  tx: Tx,
  locked: LockedStock,
  _: FoundForUnreceiving,
  plans: readonly PlannedUnreceipts[],
): Promise<Static<typeof UnreceiveResult>[]> {
  const { organisationId } = locked
  const posted = await post(
    tx,
    locked,
    noSharedSource,
    plans.flatMap(({ moves }) => moves),
  )
  await restoreReceiveTimes(
    tx,
    organisationId,
    plans.map(({ consignment }) => consignment),
  )
  const events = plans.map(({ request: { actor, requestId }, consignment, changes }) => ({
    ...receivedEvent(consignment, changes),
    origin: { ...actor, requestId },
  }))
  await emit(tx, serviceOrigin(organisationId), events)
  const times = new Map(posted.map(({ movementId, effectiveUtc }) => [movementId, effectiveUtc]))
  return plans.map(({ movementId, changes }) => ({
    movementId,
    effectiveUtc: times.get(movementId) as string,
    consignmentProducts: changes.map(({ line, quantity }) => ({
      consignmentProductId: line.id,
      receivedQuantity: numberOf(line.received + quantity),
    })),
  }))
}

export const unreceiveConsignment = [
  stockCommand({
    post: path,
    name: 'unreceiveConsignment',
    canBeRehearsed: true,
    scope: ['consignment', 'inventory'],
    summary: 'Take back goods that were received for an inwards consignment',
    description:
      'Goods are taken back from the stock into which they were received, as far as they are still there ' +
      'and not allocated, each line with the weight and volume that it received. The ' +
      'actualReceiveDateTime of the consignment becomes that of the earliest receipt that is left, and ' +
      'null if there is none.',
    bodyName: 'ConsignmentUnreceive',
    body,
    files: true,
    answer: UnreceiveResult,
    kind: unreceiveKind,
  }),
]
