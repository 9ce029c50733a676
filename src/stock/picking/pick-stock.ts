// Picks stock: moves goods that are allocated to a consignment from their location to the dock. Commands,
// jobs and status changes all pick through this module. Spec 2.14.

import { sql, type Tx } from '../../platform/database/db.ts'
import type { ReportEntryFault } from '../../platform/http/entry-faults.ts'
import { newId } from '../../platform/new-id.ts'
import { HoldKind, TransactionType } from '../../vocabulary/stock.ts'
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
import { findOrCreateStockRows } from '../ledger/stock-identity.ts'
import type { LockedStock } from '../ledger/stock-lock.ts'
import { createAndMoveUnits, type DestinationUnit } from '../logistic-units/destination-units.ts'
import { type KnownSerial, type PickEntry, type PlannedPick, planPicks } from './plan-picks.ts'
import { findWholeUnits, targetIdentityOf, type WholeUnitMove } from './whole-units.ts'

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

/** Prepares picks and posts them. */
export async function pickStock(
  tx: Tx,
  locked: LockedStock,
  context: PickContext,
  entries: readonly PickWithDestination[],
  refusing: RefusalHandlers,
): Promise<PickOutcome> {
  const { moves, outcome } = await preparePicks(tx, locked, context, entries, refusing)
  return outcome(await post(tx, locked, context.source, moves))
}

/**
 * Prepares picks; the stock of all rows and units must be locked. Returns the moves to post and a function
 * that turns the posted movements into the outcome. Missing goods go on a hold of their own. `known` is what
 * `readAllocationsForPicks` returned, if the caller has read it already.
 */
export async function preparePicks(
  tx: Tx,
  locked: LockedStock,
  { source, occurredUtc, jobId = null }: PickContext,
  entries: readonly PickWithDestination[],
  { refuse, settle }: RefusalHandlers,
  known?: AllocationLookup,
): Promise<{ moves: StockMove[]; outcome(posted: readonly PostedMovement[]): PickOutcome }> {
  const { organisationId } = locked
  const [allocationLookup, serials] = await Promise.all([
    known ?? readAllocationsForPicks(tx, organisationId, entries.flatMap(toLinesAndRows)),
    readSerials(tx, organisationId, entries),
  ])
  const plans = planPicks(entries, { allocationsOf: allocationLookup, serials }, refuse)
  const wholeUnits = await findWholeUnits(
    tx,
    organisationId,
    entries.map((entry, n) => ({ ...entry, quantity: plans[n]?.quantity ?? 0n })),
  )
  settle()
  // An entry that picks nothing needs no unit.
  const nonEmpty = entries.filter((_, n) => (plans[n] as PlannedPick).quantity > 0n)
  const units = await createAndMoveUnits(tx, locked, new Set(nonEmpty.flatMap(({ unit }) => unit ?? [])))
  await moveUnits(tx, locked, [...wholeUnits.values()])
  const holds = await makeHoldsForMissing(tx, organisationId, source, entries, plans)
  const targets = await findTargetRows(tx, locked, nonEmpty, units, wholeUnits)
  const heldRows = await findOrCreateStockRows(
    tx,
    locked,
    entries.flatMap((entry, n) => (holds[n] ? { ...identityOf(entry.row), inventoryHoldId: holds[n] } : [])),
  )
  const [movementId, shortMovementId] = [newId(), newId()]
  const moves = entries.flatMap((entry, n) => {
    const plan = plans[n] as PlannedPick
    const facts = {
      occurredUtc,
      jobId,
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
        ? toShortMoves(entry, plan, heldRows.shift() as string).map(move => ({
            ...facts,
            ...move,
            movementId: shortMovementId,
          }))
        : []),
    ] satisfies StockMove[]
  })
  const picked = plans.map(({ quantity }, n) => ({
    warehouseProductId: targets.get(entries[n] as PickWithDestination) ?? null,
    quantity,
    inventoryHoldId: holds[n] ?? null,
  }))
  return {
    moves,
    outcome: posted => ({ movementId, effectiveUtc: posted[0]?.effectiveUtc ?? null, picked }),
  }
}

const toLinesAndRows = ({ line, row, isOverride, insteadOf }: PickWithDestination) =>
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

/** Finds or creates the rows that the picked goods go to, by entry. */
async function findTargetRows(
  tx: Tx,
  locked: LockedStock,
  entries: readonly PickWithDestination[],
  ...units: [filled: ReadonlyMap<DestinationUnit, string>, along: ReadonlyMap<string, WholeUnitMove>]
): Promise<Map<PickWithDestination, string>> {
  const rows = await findOrCreateStockRows(
    tx,
    locked,
    entries.map(entry => targetIdentityOf(entry, ...units)),
  )
  return new Map(entries.map((entry, i) => [entry, rows[i] as string]))
}

function toPickMove({ line, row, isOverride }: PickWithDestination, plan: PlannedPick, to: string) {
  const allocation = {
    consignmentId: line.consignmentId,
    consignmentProductId: line.id,
    isPicked: true,
    isOverride,
  }
  const newSerials = plan.newSerials.map(({ serial, knownId }) => ({ serial, id: knownId ?? newId() }))
  const itemIds = [...plan.items, ...newSerials.map(({ id }) => id)]
  const newAllocations: AllocationChange[] =
    itemIds.length === 0
      ? [{ ...allocation, at: 'to', quantity: plan.quantity }]
      : itemIds.map(itemId => ({ ...allocation, at: 'to' as const, itemId, quantity: oneItem }))
  return {
    type: TransactionType.Pick,
    from: row.id,
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
  toReleaseMove(row.id, released),
  { type: TransactionType.Hold, from: row.id, to: heldRow, quantity: missing, items: missingItems },
]

/** Creates a hold for each entry with missing goods. Returns the ids by entry, undefined for the others. */
async function makeHoldsForMissing(
  tx: Tx,
  organisationId: string,
  { userId }: MovementSource,
  entries: readonly PickWithDestination[],
  plans: readonly PlannedPick[],
): Promise<(string | undefined)[]> {
  const shortEntries = entries.filter((_, n) => (plans[n]?.missing ?? 0n) > 0n)
  const ids = await createHolds(
    tx,
    organisationId,
    userId,
    shortEntries.map(({ line, reason }) => ({
      kind: HoldKind.General,
      reason: `Short pick ${line.consignmentNumber}`,
      reference: reason,
    })),
  )
  const byEntry = new Map(shortEntries.map((entry, i) => [entry, ids[i] as string]))
  return entries.map(entry => byEntry.get(entry))
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
  entries: readonly PickWithDestination[],
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
