// The endpoint that records the serials of goods which were received without them. Spec 2.3 (rules for
// items).

import type { LockedConsignment } from '../consignments/consignment.ts'
import { emit, serviceOrigin } from '../events/emit.ts'
import { sql, type Tx } from '../platform/database/db.ts'
import { tableOf } from '../platform/database/table-of.ts'
import {
  collectFaults,
  type FaultCollector,
  type FieldFault,
  isFieldFault,
} from '../platform/http/entry-faults.ts'
import { Refusal } from '../platform/http/refusal.ts'
import { Code, named, type Static, Type, UtcTime, Uuid } from '../platform/http/schema.ts'
import type { ValidationError } from '../platform/http/validation.ts'
import { newId } from '../platform/new-id.ts'
import { type CommandKind, Postponed } from '../stock/commands/command-kind.ts'
import { maxSerials } from '../stock/commands/quantities.ts'
import type { StockRow } from '../stock/commands/read-stock-rows.ts'
import { type StockRequest, stockCommand } from '../stock/commands/stock-command.ts'
import { optionalSelectorFaults, readSelectedStock, stockFields } from '../stock/commands/stock-selector.ts'
import { noSharedSource, oneItem, type StockMove } from '../stock/ledger/movement.ts'
import { post } from '../stock/ledger/post.ts'
import type { LockedStock } from '../stock/ledger/stock-lock.ts'
import { MovementCause, TransactionType } from '../vocabulary/stock.ts'
import {
  type ConsignmentsOfRequests,
  consignmentOf,
  firstOfEach,
  lockConsignmentsOf,
} from './lock-consignments.ts'
import { receivedEvent, refuseRepeatedSerials } from './receiving/arrival.ts'
import { requireReceivable } from './receiving/inwards-consignment.ts'
import {
  distributeSerials,
  type EntryOfLine,
  matchLines,
  type RecordedPart,
  type RowLackingSerials,
  readLinesLackingSerials,
  readRowsLackingSerials,
} from './receiving/lacking-serials.ts'
import { findReceivedSerials, type SerialsOfLine } from './receiving/receive-goods.ts'

const Entry = Type.Object({
  consignmentProductId: Uuid,
  ...stockFields,
  serials: Type.Array(Code, { minItems: 1, maxItems: maxSerials }),
})

const SerialsResult = named(
  'ConsignmentSerialsResult',
  Type.Object({
    movementId: Uuid,
    effectiveUtc: UtcTime,
    consignmentProducts: Type.Array(
      Type.Object({
        consignmentProductId: Uuid,
        serialCount: Type.Integer({ description: 'how many serials the line has now' }),
        warehouseProductIds: Type.Array(Uuid),
      }),
    ),
  }),
)

const body = {
  serials: Type.Array(Entry, {
    minItems: 1,
    maxItems: 1_000,
    rule: (value: unknown): ValidationError[] => {
      const entries = Array.isArray(value) ? value : []
      const count = entries.reduce(
        (sum: number, entry) => sum + (Array.isArray(entry?.serials) ? entry.serials.length : 0),
        0,
      )
      const faults = entries.flatMap((entry, i) => optionalSelectorFaults(`[${i}]`, entry))
      const problem = `must have at most ${maxSerials.toLocaleString('en-GB')} serials in all`
      if (count <= maxSerials) return faults
      return [{ path: '', problem, code: 'length' }, ...faults]
    },
  }),
}
const path = '/v1/consignments/:consignmentId/receive/serials'
type SerialsRequest = StockRequest<typeof path, Static<ReturnType<typeof Type.Object<typeof body>>>>

/** The entries of a request whose lines can get serials, and the faults of the others. */
interface Prepared {
  entries: readonly EntryOfLine[]
  faults: FaultCollector
}

interface SerialsRecords {
  organisationId: string
  consignments: ConsignmentsOfRequests<SerialsRequest, LockedConsignment>
  /** the warehouse of the requests that are served */
  warehouseId: string | null
  prepared: ReadonlyMap<SerialsRequest, Prepared>
}

/** What requests are planned from. Those that are planned already have changed it. */
interface FoundForSerials {
  records: SerialsRecords
  served: ReadonlySet<SerialsRequest>
  /** the rows that entries describe */
  described: ReadonlyMap<EntryOfLine, StockRow | FieldFault>
  /** which serials of entries are in stock already */
  inStock: ReadonlyMap<EntryOfLine, readonly FieldFault[]>
  /** the rows that lack serials, by product */
  rows: Map<string, readonly RowLackingSerials[]>
  /** the serials that are recorded, with their products */
  recorded: Set<string>
}

interface PlannedSerials {
  request: SerialsRequest
  consignment: LockedConsignment
  parts: readonly RecordedPart[]
}

/** Requests share a transaction if they are of different consignments. */
export const receiveSerialsKind: CommandKind<
  SerialsRequest,
  Static<typeof SerialsResult>,
  SerialsRecords,
  FoundForSerials,
  PlannedSerials
> = {
  mayShare: () => true,
  weigh: ({ body }) => body.serials.reduce((sum, { serials }) => sum + serials.length, 0),
  async lockRecords(tx, requests, isShared) {
    const { organisationId } = (requests[0] as SerialsRequest).actor
    const consignments = await lockConsignmentsOf(tx, requests, isShared, requireReceivable)
    const open = [...consignments.values()].flatMap(one => (one instanceof Refusal ? [] : one))
    const warehouseId = open[0]?.warehouseId ?? null
    const here = open.filter(one => one.warehouseId === warehouseId).map(({ id }) => id)
    const lines = Map.groupBy(
      await readLinesLackingSerials(tx, organisationId, [...new Set(here)]),
      ({ consignmentId }) => consignmentId,
    )
    const prepared = new Map(
      requests.flatMap(request => {
        const consignment = consignments.get(request)
        if (consignment === undefined || consignment instanceof Refusal) return []
        if (consignment.warehouseId !== warehouseId) return []
        const faults = collectFaults()
        const entries = matchLines(request.body.serials, lines.get(consignment.id) ?? [], faults)
        return [[request, { entries, faults }] as const]
      }),
    )
    return { organisationId, consignments, warehouseId, prepared }
  },
  targets({ warehouseId, prepared }) {
    const entries = [...prepared.values()].flatMap(one => one.entries)
    const targets = [...new Set(entries.map(({ line }) => line.productId))].map(productId => ({ productId }))
    return sql`select ${warehouseId}::uuid as warehouse_id, "productId" as product_id
      from ${tableOf('t', { productId: 'uuid' }, targets)}`
  },
  read: readForSerials,
  plan: planSerials,
  write: writeSerials,
}

async function readForSerials(
  tx: Tx,
  locking: Promise<LockedStock>,
  records: SerialsRecords,
  requests: readonly SerialsRequest[],
): Promise<FoundForSerials> {
  const { organisationId, consignments, warehouseId, prepared } = records
  const served = firstOfEach(
    requests.filter(request => prepared.has(request)),
    consignments,
  )
  const entries = served.flatMap(({ request }) => prepared.get(request)?.entries ?? [])
  const productIds = [...new Set(entries.map(({ line }) => line.productId))]
  const consignmentIds = served.map(({ consignment }) => consignment.id)
  const inStock = new Map<EntryOfLine, FieldFault[]>(entries.map(entry => [entry, []]))
  const [selected, rows] = await Promise.all([
    readSelectedStock(
      tx,
      organisationId,
      locking,
      entries.map(({ entry: { stock } }) => ({ stock })),
      warehouseId,
    ),
    readRowsLackingSerials(tx, organisationId, warehouseId, consignmentIds, productIds),
    findReceivedSerials(tx, organisationId, entries.map(toReceipt), (n, ...fault) =>
      inStock.get(entries[n] as EntryOfLine)?.push(fault),
    ),
  ])
  return {
    ...{ records, inStock, recorded: new Set() },
    served: new Set(served.map(({ request }) => request)),
    described: new Map(entries.map((entry, n) => [entry, selected[n] as StockRow | FieldFault])),
    rows: Map.groupBy(rows, ({ productId }) => productId),
  }
}

const toReceipt = ({ name, line, entry }: EntryOfLine): SerialsOfLine => ({
  ...{ name, line },
  serials: entry.serials.map(serial => ({ serial })),
})

/** Plans one request. Throws 400 with every fault of every entry. */
function planSerials(found: FoundForSerials, request: SerialsRequest): PlannedSerials {
  const { records, served, described, inStock, rows, recorded } = found
  const consignment = consignmentOf(records.consignments, request)
  if (!served.has(request)) throw new Postponed()
  const { entries, faults } = records.prepared.get(request) as Prepared
  const own = entries.flatMap(({ line, entry }) =>
    entry.serials.map(serial => JSON.stringify([line.productId, serial])),
  )
  const productIds = [...new Set(entries.map(({ line }) => line.productId))]
  // A time that is told has to be compared with when the goods were last recorded.
  const isLater = request.occurredUtc !== null && productIds.some(id => recorded.has(id))
  if (isLater || own.some(serial => recorded.has(serial))) throw new Postponed()
  const inRows = selectRows(entries, described)
  refuseRepeatedSerials(entries.map(toReceipt), faults)
  for (const entry of entries) for (const fault of inStock.get(entry) ?? []) faults.add(entry.name, ...fault)
  const candidates = productIds.flatMap(id => (rows.get(id) ?? []).map(row => ({ ...row })))
  const parts = distributeSerials(inRows, candidates, faults)
  faults.throwIfAny()
  for (const [id, left] of Map.groupBy(candidates, ({ productId }) => productId)) rows.set(id, left)
  for (const one of [...own, ...productIds]) recorded.add(one)
  return { request, consignment, parts }
}

/** The entries with the rows that they describe. Throws 400 with a fault for each that describes none. */
function selectRows(entries: readonly EntryOfLine[], described: FoundForSerials['described']): EntryOfLine[] {
  const faults = collectFaults()
  const selected = entries.map((one): EntryOfLine => {
    const row = described.get(one) as StockRow | FieldFault
    if (!one.entry.stock) return one
    if (!isFieldFault(row))
      return { ...one, entry: { ...one.entry, stock: null, warehouseProductId: row.id } }
    faults.add(one.name, ...row)
    return one
  })
  faults.throwIfAny()
  return selected
}

/** Writes what is planned. Returns the answers in the order of the plans. */
async function writeSerials(
  tx: Tx,
  locked: LockedStock,
  _: FoundForSerials,
  plans: readonly PlannedSerials[],
): Promise<Static<typeof SerialsResult>[]> {
  const movements = plans.map(plan => ({ ...plan, movementId: newId() }))
  // The goods are taken out and put back with their serials; nothing else about them changes.
  const moves = movements.flatMap(({ request: { source, occurredUtc }, consignment, movementId, parts }) =>
    parts.map(
      ({ line, row, serials }): StockMove => ({
        ...{ movementId, source, occurredUtc },
        type: TransactionType.Receive,
        cause: MovementCause.SerialsCaptured,
        from: row.id,
        to: row.id,
        quantity: BigInt(serials.length) * oneItem,
        newSerials: serials.map(serial => ({ serial })),
        consignmentId: consignment.id,
        consignmentProductId: line.id,
      }),
    ),
  )
  const posted = await post(tx, locked, noSharedSource, moves)
  const times = new Map(posted.map(({ movementId, effectiveUtc }) => [movementId, effectiveUtc]))
  const answers = movements.map(({ request: { actor, requestId }, consignment, movementId, parts }) => {
    const byLine = [...Map.groupBy(parts, ({ line }) => line)]
    const changes = byLine.map(([line]) => ({ line, quantity: 0n }))
    return {
      event: { ...receivedEvent(consignment, changes), origin: { ...actor, requestId } },
      answer: {
        movementId,
        effectiveUtc: times.get(movementId) as string,
        consignmentProducts: byLine.map(([line, partsOfLine]) => ({
          consignmentProductId: line.id,
          serialCount: partsOfLine.reduce((sum, { serials }) => sum + serials.length, line.serialCount),
          warehouseProductIds: [...new Set(partsOfLine.map(({ row }) => row.id))],
        })),
      },
    }
  })
  await emit(
    tx,
    serviceOrigin(locked.organisationId),
    answers.map(({ event }) => event),
  )
  return answers.map(({ answer }) => answer)
}

export const receiveSerials = [
  stockCommand({
    post: path,
    name: 'receiveConsignmentSerials',
    scope: ['consignment', 'inventory'],
    summary: 'Record the serials of goods that were received without them',
    description:
      'A product with full serial capture needs all of its serials before the consignment becomes ' +
      'Complete. Without warehouseProductId or stock, the serials go first to the rows of stock into which ' +
      'the line was received, then to goods of the same batch, dates and attributes. Any other row of ' +
      'stock has to be named.',
    bodyName: 'ConsignmentSerials',
    body,
    files: true,
    answer: SerialsResult,
    kind: receiveSerialsKind,
  }),
]
