// Picks stock: moves goods that are allocated to a consignment from their location to the dock. Commands,
// jobs and status changes all pick through this module. Spec 2.14.

import { sql, type Tx } from '../../platform/database/db.ts'
import type { ReportEntryFault } from '../../platform/http/entry-faults.ts'
import { newId } from '../../platform/new-id.ts'
import { HoldKind, MovementCause, TransactionType } from '../../vocabulary/stock.ts'
import { createHolds } from '../commands/create-holds.ts'
import type { StockLocation } from '../commands/location-reference.ts'
import { identityOf } from '../commands/read-stock-rows.ts'
import {
  type AllocationLookup,
  type LineAndRow,
  readAllocations,
  readAllocationsOfLines,
} from '../inventory/allocations.ts'
import { moveUnits } from '../ledger/move-units.ts'
import {
  type AllocationChange,
  type MovementSource,
  oneItem,
  type PostedMovement,
  type StockMove,
} from '../ledger/movement.ts'
import { post } from '../ledger/post.ts'
import { findOrCreateStockRows, type StockIdentity } from '../ledger/stock-identity.ts'
import type { LockedStock } from '../ledger/stock-lock.ts'
import { createAndMoveUnits, type DestinationUnit } from '../logistic-units/destination-units.ts'
import { PickState } from './pick-state.ts'
import { type KnownSerial, type PickEntry, type PlannedPick, planPicks } from './plan-picks.ts'
import { readUnitContents, targetIdentityOf, type WholeUnitMove, wholeUnitsOf } from './whole-units.ts'

/** A pick with the destination of its goods. */
export interface PickWithDestination extends PickEntry {
  target: Pick<StockLocation, 'id' | 'warehouseId'>
  /** the unit that they are put on; null for none; undefined to keep their unit if it moves as a whole */
  unit: DestinationUnit | null | undefined
  reason: string | null
}

export interface PickResult {
  /** the row that holds the goods now; null if nothing was picked */
  warehouseProductId: string | null
  /** ten-thousandths */
  quantity: bigint
  /** the hold on missing goods, if any are missing */
  inventoryHoldId: string | null
}

/** The results of all entries, in their order, and the movement that picked them. */
export interface PickOutcome {
  movementId: string
  effectiveUtc: string | null
  picked: PickResult[]
}

/**
 * `refuse` reports why an entry cannot be picked, as the end of a sentence. `settle` is called before
 * anything is written, and throws the reported faults.
 */
interface RefusalHandlers {
  refuse: ReportEntryFault
  settle: () => void
}

interface PickContext {
  source: MovementSource
  occurredUtc: string | null
  jobId?: string | null
}

/** Picks that are planned and not yet written. */
export interface PickDraft {
  context: PickContext
  entries: readonly PickWithDestination[]
  plans: readonly PlannedPick[]
  wholeUnits: ReadonlyMap<string, WholeUnitMove>
  /** what becomes of allocations, in the order of the entries */
  changes: readonly AllocationChange[]
  /** whether goods are missing, for which a hold is made */
  isMissing: boolean
}

/** Prepares picks and posts them. The stock of all rows and units must be locked. */
export async function pickStock(
  tx: Tx,
  locked: LockedStock,
  context: PickContext,
  entries: readonly PickWithDestination[],
  { refuse, settle }: RefusalHandlers,
): Promise<void> {
  const state = await readPickState(tx, locked.organisationId, entries)
  const draft = draftPicks(state, context, entries, refuse)
  settle()
  const { moves } = await writePicks(tx, locked, [draft])
  await post(tx, locked, context.source, moves)
}

/**
 * Reads what picks are planned from. Call it under the stock lock. `known` is what `readAllocationsForPicks`
 * returned, if the caller has read it already.
 */
export async function readPickState(
  tx: Tx,
  organisationId: string,
  entries: readonly PickSource[],
  known?: AllocationLookup,
): Promise<PickState> {
  const [allocations, serials, contents] = await Promise.all([
    known ?? readAllocationsForPicks(tx, organisationId, entries.flatMap(toLinesAndRows)),
    readSerials(tx, organisationId, entries),
    readUnitContents(tx, organisationId, entries),
  ])
  return new PickState(allocations, serials, contents)
}

/** What must be known of a pick before what it is planned from can be read. */
export type PickSource = Pick<
  PickWithDestination,
  'row' | 'unit' | 'serials' | 'isShort' | 'isOverride' | 'insteadOf'
> & { line: Pick<PickWithDestination['line'], 'id'> }

/** Plans picks. `refuse` reports why an entry cannot be picked; the draft must not be used then. */
export function draftPicks(
  state: PickState,
  context: PickContext,
  entries: readonly PickWithDestination[],
  refuse: ReportEntryFault,
): PickDraft {
  const plans = planPicks(entries, state, refuse)
  const wholeUnits = wholeUnitsOf(
    entries.map((entry, n) => ({ ...entry, quantity: plans[n]?.quantity ?? 0n })),
    state.contents,
  )
  const changes = entries.flatMap((entry, n) => {
    const { taken, replaced, released, quantity } = plans[n] as PlannedPick
    return [...taken, ...(quantity > 0n ? [pickedPart(entry, quantity)] : []), ...replaced, ...released]
  })
  return { context, entries, plans, wholeUnits, changes, isMissing: plans.some(plan => plan.missing > 0n) }
}

/** The identities of the existing units' and loose rows that the goods of a draft go to. */
export const targetIdentitiesOf = ({ entries, plans, wholeUnits }: PickDraft): StockIdentity[] =>
  entries
    .filter((entry, n) => !entry.unit && (plans[n] as PlannedPick).quantity > 0n)
    .map(entry => targetIdentityOf(entry, new Map(), wholeUnits))

/**
 * Writes what the moves of drafts need: units, rows and holds for missing goods. Returns the moves to post,
 * and a function that turns the posted movements into the outcome of each draft.
 */
export async function writePicks(
  tx: Tx,
  locked: LockedStock,
  drafts: readonly PickDraft[],
): Promise<{ moves: StockMove[]; outcomes(posted: readonly PostedMovement[]): PickOutcome[] }> {
  // An entry that picks nothing needs no unit.
  const nonEmpty = drafts.map(({ entries, plans }) =>
    entries.filter((_, n) => (plans[n] as PlannedPick).quantity > 0n),
  )
  const filledUnits = new Set(nonEmpty.flat().flatMap(({ unit }) => unit ?? []))
  const units = await createAndMoveUnits(tx, locked, filledUnits)
  await moveUnits(
    tx,
    locked,
    drafts.flatMap(({ wholeUnits }) => [...wholeUnits.values()]),
  )
  const holds = await makeHoldsForMissing(tx, locked.organisationId, drafts)
  const goods = drafts.flatMap(({ wholeUnits }, d) =>
    (nonEmpty[d] ?? []).map(entry => ({ entry, identity: targetIdentityOf(entry, units, wholeUnits) })),
  )
  const held = [...holds].map(([{ row }, inventoryHoldId]) => ({ ...identityOf(row), inventoryHoldId }))
  const identities = [...goods.map(({ identity }) => identity), ...held]
  const rows = await findOrCreateStockRows(tx, locked, identities)
  const targets = new Map(goods.map(({ entry }, i) => [entry, rows[i] as string]))
  const heldRows = new Map([...holds.keys()].map((entry, i) => [entry, rows[goods.length + i] as string]))
  const drawn = drafts.map(draft => drawMoves(draft, targets, heldRows))
  return {
    moves: drawn.flatMap(({ moves }) => moves),
    outcomes(posted) {
      const times = new Map(posted.map(({ movementId, effectiveUtc }) => [movementId, effectiveUtc]))
      return drafts.map(({ entries, plans }, d) => {
        const { movementId, shortMovementId } = drawn[d] as (typeof drawn)[0]
        const picked = entries.map((entry, n) => ({
          warehouseProductId: targets.get(entry) ?? null,
          quantity: (plans[n] as PlannedPick).quantity,
          inventoryHoldId: holds.get(entry) ?? null,
        }))
        const effectiveUtc = times.get(movementId) ?? times.get(shortMovementId) ?? null
        return { movementId, effectiveUtc, picked }
      })
    },
  }
}

/** The moves of a draft: what is picked is one movement, what is missing another. */
function drawMoves(
  { context: { source, occurredUtc, jobId = null }, entries, plans }: PickDraft,
  targets: ReadonlyMap<PickWithDestination, string>,
  heldRows: ReadonlyMap<PickWithDestination, string>,
) {
  const [movementId, shortMovementId] = [newId(), newId()]
  const moves = entries.flatMap((entry, n) => {
    const plan = plans[n] as PlannedPick
    const facts = {
      ...{ occurredUtc, jobId, source },
      consignmentId: entry.line.consignmentId,
      consignmentProductId: entry.line.id,
      reason: entry.reason,
    }
    return [
      ...(plan.quantity > 0n
        ? [{ ...facts, ...toPickMove(entry, plan, targets.get(entry) as string), movementId }]
        : []),
      ...(entry.insteadOf && plan.replaced.length > 0
        ? [{ ...facts, ...toReleaseMove(entry.insteadOf, plan.replaced), movementId }]
        : []),
      ...(plan.missing > 0n
        ? toShortMoves(entry, plan, heldRows.get(entry) as string).map(move => ({
            ...facts,
            ...move,
            movementId: shortMovementId,
          }))
        : []),
    ] satisfies StockMove[]
  })
  return { moves, movementId, shortMovementId }
}

const toLinesAndRows = ({ line, row, isOverride, insteadOf }: PickSource) =>
  [row.id, insteadOf ?? []]
    .flat()
    .map(warehouseProductId => ({ lineId: line.id, warehouseProductId, isOverride }))

/**
 * Reads the allocations of the rows that picks take from. Reads those of other lines too only if a pick may
 * take more than is allocated to its line. Call it under the stock lock.
 */
export const readAllocationsForPicks = (
  tx: Tx,
  organisationId: string,
  entries: readonly (LineAndRow & { isOverride: boolean })[],
): Promise<AllocationLookup> =>
  entries.some(({ isOverride }) => isOverride)
    ? readAllocations(tx, organisationId, [...new Set(entries.map(entry => entry.warehouseProductId))])
    : readAllocationsOfLines(tx, organisationId, entries)

/** What a pick allocates where its goods go. */
const pickedPart = ({ line, isOverride }: PickWithDestination, quantity: bigint): AllocationChange => ({
  ...{ at: 'to', consignmentId: line.consignmentId, consignmentProductId: line.id },
  ...{ isPicked: true, isOverride, quantity },
})

function toPickMove(entry: PickWithDestination, plan: PlannedPick, to: string) {
  const newSerials = plan.newSerials.map(({ serial, knownId }) => ({ serial, id: knownId ?? newId() }))
  const itemIds = [...plan.items, ...newSerials.map(({ id }) => id)]
  const newAllocations: AllocationChange[] =
    itemIds.length === 0
      ? [pickedPart(entry, plan.quantity)]
      : itemIds.map(itemId => ({ ...pickedPart(entry, oneItem), itemId }))
  return {
    type: TransactionType.Pick,
    from: entry.row.id,
    to,
    quantity: plan.quantity,
    items: plan.items,
    newSerials,
    allocations: [...plan.taken, ...newAllocations],
  }
}

const toReleaseMove = (rowId: string, allocations: AllocationChange[]) => ({
  ...{ type: TransactionType.Allocation, from: null, to: rowId, quantity: 0n, allocations },
})

/**
 * Missing goods are no longer allocated, and are held in their location so that nobody is sent there again.
 */
const toShortMoves = (
  { row }: PickWithDestination,
  { missing, missingItems, released }: PlannedPick,
  heldRow: string,
) => [
  { ...toReleaseMove(row.id, released), cause: MovementCause.ShortPick },
  {
    cause: MovementCause.ShortPick,
    type: TransactionType.Hold,
    from: row.id,
    to: heldRow,
    quantity: missing,
    items: missingItems,
  },
]

/** Creates a hold for each entry with missing goods. Returns their ids by entry. */
async function makeHoldsForMissing(
  tx: Tx,
  organisationId: string,
  drafts: readonly PickDraft[],
): Promise<Map<PickWithDestination, string>> {
  const short = drafts.flatMap(({ context: { source }, entries, plans }) =>
    entries
      .filter((_, n) => (plans[n] as PlannedPick).missing > 0n)
      .map(entry => ({ entry, createdBy: source.userId })),
  )
  const ids = await createHolds(
    tx,
    organisationId,
    short.map(({ entry: { line, reason }, createdBy }) => ({
      kind: HoldKind.General,
      reason: `Short pick ${line.consignmentNumber}`,
      reference: reason,
      createdBy,
    })),
  )
  return new Map(short.map(({ entry }, i) => [entry, ids[i] as string]))
}

/**
 * Whether goods of the serial `i` came back with a return of the consignment `c` that it left with: the
 * serial itself, or goods without a word about their serials.
 */
const cameBack = sql`exists (
  select from consignment r
  join consignment_product k on k.organisation_id = r.organisation_id and k.consignment_id = r.id
    and k.product_id = i.product_id and k.received_quantity > 0
  where r.organisation_id = c.organisation_id and r.return_of_consignment_id = c.id and (
    not exists (select from consignment_product_item n where n.organisation_id = k.organisation_id
      and n.consignment_product_id = k.id and n.serial <> '')
    or exists (select from consignment_product_item n where n.organisation_id = k.organisation_id
      and n.consignment_product_id = k.id and n.serial = i.serial)))`

/** Reads the serials that entries name, and all serials of rows in which goods may be missing. */
async function readSerials(
  tx: Tx,
  organisationId: string,
  entries: readonly PickSource[],
): Promise<KnownSerial[]> {
  const named = entries.flatMap(({ row, serials }) =>
    serials.map(serial => ({ productId: row.productId, serial })),
  )
  const short = entries.filter(({ isShort }) => isShort).map(({ row }) => row.id)
  if (named.length + short.length === 0) return []
  return tx.rows<KnownSerial>(sql`
    select i.id, i.product_id, i.serial, i.warehouse_product_id,
      case when i.warehouse_product_id is null and not ${cameBack} then c.consignment_number end as left_with
    from json_to_recordset(${JSON.stringify(named)}) as g ("productId" uuid, serial text)
    join warehouse_product_item i
      on i.organisation_id = ${organisationId} and i.product_id = g."productId" and i.serial = g.serial
    left join consignment_product l
      on l.organisation_id = i.organisation_id and l.id = i.consignment_product_id
    left join consignment c on c.organisation_id = l.organisation_id and c.id = l.consignment_id
    union
    select id, product_id, serial, warehouse_product_id, null from warehouse_product_item
    where organisation_id = ${organisationId} and warehouse_product_id = any(${short})`)
}
