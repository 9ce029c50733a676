// How commands that move picked goods share a transaction: each is about a consignment of its own, whose
// goods nobody else moves. Spec 2.14; decision 4.

import { emit, serviceOrigin } from '../../events/emit.ts'
import { sql, type Tx } from '../../platform/database/db.ts'
import { collectEntryFaults, type EntryFaultCollector } from '../../platform/http/entry-faults.ts'
import { Refusal, verificationFailed } from '../../platform/http/refusal.ts'
import { applyMovesToLines } from '../../stock/allocation/allocation-state.ts'
import { type OutboundLine, readOutboundLines } from '../../stock/allocation/outbound-lines.ts'
import type { CommandRequest } from '../../stock/commands/carry-out.ts'
import { type CommandKind, Postponed } from '../../stock/commands/command-kind.ts'
import { TouchedStock } from '../../stock/commands/touched-stock.ts'
import type { MovementSource } from '../../stock/ledger/movement.ts'
import type { LockedStock } from '../../stock/ledger/stock-lock.ts'
import { UsedUnits } from '../../stock/logistic-units/destination-units.ts'
import {
  allocationsAfter,
  type MoveResult,
  movePicked,
  type PickedMove,
} from '../../stock/picking/move-picked.ts'
import { readPickedStock } from '../../stock/picking/picked-stock.ts'
import { readUnitContents, targetIdentityOf, wholeUnitsOf } from '../../stock/picking/whole-units.ts'
import {
  type ConsignmentsOfRequests,
  consignmentOf,
  firstOfEach,
  lockConsignmentsOf,
} from '../lock-consignments.ts'
import {
  type LockedOutwardsConsignment,
  lineChangeEvents,
  lockTargetsOfLines,
  lockTargetsOfRows,
  requireOutwards,
  statusesWithPickedGoods,
} from './outwards-consignment.ts'
import {
  type DestinedGoods,
  findPickedGoods,
  type PickedEntry,
  type PickedGoods,
  type PlacedGoods,
  resolveDestinations,
  resolvePickedEntries,
} from './picked-entries.ts'

/** A request that moves picked goods of one consignment. */
interface PickedGoodsRequest extends CommandRequest {
  params: { consignmentId: string }
  source: MovementSource
  occurredUtc: string | null
  requestId: string
}

/** A request whose goods are being found. */
export interface SelectingRequest<Request> {
  request: Request
  consignment: LockedOutwardsConsignment
  faults: EntryFaultCollector
  /** the entries that select goods */
  entries: readonly PickedEntry[]
  goods: readonly PickedGoods[]
  /** why it cannot be carried out at all */
  refusal: Refusal | null
}

interface PickedGoodsRecords<Request> {
  organisationId: string
  consignments: ConsignmentsOfRequests<Request, LockedOutwardsConsignment>
  /** the rows with picked goods of the consignments */
  rowIds: readonly string[]
  lineIds: readonly string[]
}

interface FoundForPickedGoods<Request> {
  consignments: PickedGoodsRecords<Request>['consignments']
  served: ReadonlyMap<Request, SelectingRequest<Request> & DestinedGoods>
  lines: ReadonlyMap<string, readonly OutboundLine[]>
  contents: Awaited<ReturnType<typeof readUnitContents>>
  touched: TouchedStock
  usedUnits: UsedUnits
}

interface PlannedPickedMove<Request> {
  request: Request
  consignment: LockedOutwardsConsignment
  move: PickedMove
  before: readonly OutboundLine[]
  after: readonly OutboundLine[]
}

/** What distinguishes one kind of such requests. */
interface PickedGoodsAct<Request, Answer> {
  /** the name of the entries in the body */
  array: string
  /** the entries that select goods; null for all that is picked */
  entriesOf(request: Request): readonly PickedEntry[] | null
  reasonOf(request: Request): string | null
  /** Finds where the goods of each request are put. Reports goods without a place to its `faults`. */
  findPlaces(
    tx: Tx,
    organisationId: string,
    served: readonly SelectingRequest<Request>[],
  ): Promise<readonly (readonly PlacedGoods[])[]>
  /** Writes what else belongs to the moves. */
  writeMore?(tx: Tx, consignments: readonly LockedOutwardsConsignment[]): Promise<void>
  toAnswer(moved: MoveResult, lines: readonly OutboundLine[]): Answer
}

/** Makes a kind of request that moves picked goods of a consignment. */
export const pickedGoodsKind = <Request extends PickedGoodsRequest, Answer>(
  act: PickedGoodsAct<Request, Answer>,
): CommandKind<
  Request,
  Answer,
  PickedGoodsRecords<Request>,
  FoundForPickedGoods<Request>,
  PlannedPickedMove<Request>
> => ({
  mayShare: () => true,
  weigh: request => act.entriesOf(request)?.length ?? 1,
  async lockRecords(tx, requests, isShared) {
    const { organisationId } = (requests[0] as Request).actor
    const consignments = await lockConsignmentsOf(tx, requests, isShared, consignment =>
      requireOutwards(consignment, statusesWithPickedGoods),
    )
    const ids = [...consignments.values()].flatMap(one => (one instanceof Refusal ? [] : one.id))
    const rows = await tx.rows<{ id: string }>(sql`
      select distinct warehouse_product_id as id from inventory_allocation
      where organisation_id = ${organisationId} and consignment_id = any(${ids}) and is_picked`)
    const entries = requests.flatMap(request => act.entriesOf(request) ?? [])
    const lineIds = [...new Set(entries.map(({ consignmentProductId }) => consignmentProductId))]
    return { organisationId, consignments, rowIds: rows.map(({ id }) => id), lineIds }
  },
  targets: ({ organisationId, lineIds, rowIds }) =>
    sql`${lockTargetsOfLines(organisationId, lineIds)}
      union all ${lockTargetsOfRows(organisationId, rowIds)}`,
  read: (tx, locking, records, requests) => readGoods(act, tx, locking, records, requests),
  plan: (found, request) => planMove(act, found, request),
  async write(tx, locked, _, plans) {
    const { organisationId } = locked
    const events = plans.flatMap(({ request: { actor, requestId }, consignment, before, after }) =>
      lineChangeEvents([consignment], before, after).map(event => ({
        ...event,
        origin: { ...actor, requestId },
      })),
    )
    const moved = await movePicked(
      tx,
      locked,
      plans.map(({ move }) => move),
    )
    await Promise.all([
      act.writeMore?.(
        tx,
        plans.map(({ consignment }) => consignment),
      ),
      emit(tx, serviceOrigin(organisationId), events),
    ])
    return moved.map((one, i) => act.toAnswer(one, plans[i]?.after ?? []))
  },
})

/** Finds the goods that requests select, and where they are put. */
async function readGoods<Request extends PickedGoodsRequest>(
  act: PickedGoodsAct<Request, unknown>,
  tx: Tx,
  locking: Promise<LockedStock>,
  { organisationId, consignments }: PickedGoodsRecords<Request>,
  requests: readonly Request[],
): Promise<FoundForPickedGoods<Request>> {
  const locked = await locking
  const served = firstOfEach(requests, consignments).map(one => ({
    ...{ ...one, faults: collectEntryFaults(act.array) },
    ...{ entries: [], goods: [], refusal: null },
  }))
  const ids = served.map(({ consignment }) => consignment.id)
  const [parts, lines] = await Promise.all([
    readPickedStock(tx, organisationId, ids),
    readOutboundLines(tx, organisationId, ids),
  ])
  const partsOf = Map.groupBy(parts, ({ consignmentId }) => consignmentId)
  const entries = served.flatMap(({ request, consignment: { id: consignmentId }, faults }) => {
    const own = act.entriesOf(request) ?? (partsOf.get(consignmentId) ?? []).map(toEntry)
    return own.map((entry, n) => ({ consignmentId, entry, refuse: faults.of(n), request }))
  })
  const warehouseId = served[0]?.consignment.warehouseId ?? ''
  const resolved = await resolvePickedEntries(tx, locked, { warehouseId, lines }, entries)
  const found = served.map(one => {
    const own = resolved.filter((_, i) => entries[i]?.request === one.request)
    return select(one, own, partsOf.get(one.consignment.id) ?? [])
  })
  const placed = await act.findPlaces(tx, organisationId, found)
  const destined = await resolveDestinations(tx, organisationId, placed)
  const goods = destined.flatMap(({ transfers }) => transfers)
  return {
    consignments,
    served: new Map(found.map((one, i) => [one.request, { ...one, ...(destined[i] as DestinedGoods) }])),
    lines: Map.groupBy(lines, ({ consignmentId }) => consignmentId),
    contents: await readUnitContents(tx, organisationId, goods),
    touched: new TouchedStock(),
    usedUnits: new UsedUnits(),
  }
}

/** Plans one request. Those about the same goods, places of goods or units come later. */
function planMove<Request extends PickedGoodsRequest>(
  act: PickedGoodsAct<Request, unknown>,
  { consignments, served, lines, contents, touched, usedUnits }: FoundForPickedGoods<Request>,
  request: Request,
): PlannedPickedMove<Request> {
  const consignment = consignmentOf(consignments, request)
  const own = served.get(request)
  if (own === undefined) throw new Postponed()
  const { transfers: goods, units, faults, refusal, entries } = own
  const isTimed = request.occurredUtc !== null
  const isOutdated = goods.some(({ row }) => touched.isOutdated(row, isTimed))
  const described = act.entriesOf(request) ?? []
  if (isOutdated || touched.mayMatchAnew(described) || usedUnits.areUsed(units)) throw new Postponed()
  if (refusal !== null) throw refusal
  if (entries.length === 0) throw verificationFailed('Nothing of the consignment is picked.')
  faults.throwIfAny()
  const wholeUnits = wholeUnitsOf(goods, contents)
  usedUnits.use(units)
  for (const transfer of goods) {
    touched.take(transfer.row)
    if (!transfer.unit) touched.fill(targetIdentityOf(transfer, new Map(), wholeUnits))
  }
  const { source, occurredUtc } = request
  const before = lines.get(consignment.id) ?? []
  return {
    ...{ request, consignment, before },
    move: { source, occurredUtc, reason: act.reasonOf(request), goods, wholeUnits },
    after: applyMovesToLines(
      before,
      goods.map(transfer => ({ allocations: allocationsAfter(transfer) })),
    ),
  }
}

/** Selects all of a part. */
const toEntry = ({
  consignmentProductId,
  row,
}: {
  consignmentProductId: string
  row: { id: string }
}): PickedEntry => ({ consignmentProductId, warehouseProductId: row.id })

/** Finds the goods that the entries of a request select, unless there are faults in how they do so. */
function select<Request>(
  served: SelectingRequest<Request>,
  entries: readonly PickedEntry[],
  parts: Parameters<typeof findPickedGoods>[0],
): SelectingRequest<Request> {
  try {
    served.faults.throwIfAny()
    return { ...served, entries, goods: findPickedGoods(parts, entries, served.faults.refuse) }
  } catch (error) {
    if (error instanceof Refusal) return { ...served, entries, refusal: error }
    throw error
  }
}
