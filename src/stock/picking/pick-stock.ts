// Picking: goods that are promised to a consignment go from where they lie to the dock. Commands, jobs and
// statuses pick through here. Spec 2.14.

import { sql, type Tx } from '../../platform/database/db.ts'
import type { ReportEntryFault } from '../../platform/http/entry-faults.ts'
import { newId } from '../../platform/new-id.ts'
import { HoldKind, TransactionType } from '../enumerations.ts'
import {
  type AllocationLookup,
  type LineAndRow,
  readAllocations,
  readAllocationsOfLines,
} from '../inventory/allocations.ts'
import type { StockLocation } from '../inventory/location-reference.ts'
import { makeHolds } from '../inventory/make-holds.ts'
import { identityOf } from '../inventory/stock-rows.ts'
import {
  type AllocationChange,
  type MovementSource,
  oneItem,
  type PostedMovement,
  type StockMove,
} from '../ledger/movement.ts'
import { placeUnits } from '../ledger/place-units.ts'
import { post } from '../ledger/post.ts'
import type { LockedStock } from '../ledger/stock-lock.ts'
import { findOrCreateRows } from '../ledger/stock-row.ts'
import { createAndPlaceUnits, type TargetUnit } from '../logistic-units/target-units.ts'
import { type KnownSerial, type PickEntry, type PlannedPick, planPicks } from './plan-picks.ts'
import { findWholeUnits, targetIdentityOf, type UnitDestination } from './whole-units.ts'

/** An entry with where its goods go. */
export interface TargetedPick extends PickEntry {
  target: Pick<StockLocation, 'id' | 'warehouseId'>
  /** the unit that they are put on; null: none; undefined: the one that they are on, if it goes whole */
  unit: TargetUnit | null | undefined
  reason: string | null
}

/** What was picked, by entry. */
export interface PickResult {
  /** the row that holds the goods now; null where nothing was picked */
  warehouseProductId: string | null
  quantity: bigint
  /** the hold that what was missing went to */
  inventoryHoldId: string | null
}

export interface PickOutcome {
  movementId: string
  effectiveUtc: string | null
  picked: PickResult[]
}

/**
 * `refuse` is told why an entry cannot be picked, as the end of a sentence; `settle` is called before
 * anything is written, and throws what was told.
 */
interface Refusing {
  refuse: ReportEntryFault
  settle: () => void
}

interface Context {
  source: MovementSource
  occurredUtc: string | null
  jobId?: string | null
}

/** Picks, as `preparePicks` prepares them. */
export async function pickStock(
  tx: Tx,
  locked: LockedStock,
  context: Context,
  entries: readonly TargetedPick[],
  refusing: Refusing,
): Promise<PickOutcome> {
  const { moves, outcome } = await preparePicks(tx, locked, context, entries, refusing)
  return outcome(await post(tx, locked, context.source, moves))
}

/**
 * Prepares picks, with the stock of all rows and units locked: the moves that are to be posted, and what has
 * become of the entries then. What is missing goes to a hold of its own. `known`: what `promisesFor` has
 * read.
 */
export async function preparePicks(
  tx: Tx,
  locked: LockedStock,
  { source, occurredUtc, jobId = null }: Context,
  entries: readonly TargetedPick[],
  { refuse, settle }: Refusing,
  known?: AllocationLookup,
): Promise<{ moves: StockMove[]; outcome(posted: readonly PostedMovement[]): PickOutcome }> {
  const { organisationId } = locked
  const [promises, serials] = await Promise.all([
    known ?? readPromisesForPicks(tx, organisationId, entries.map(lineInRow)),
    serialsOf(tx, organisationId, entries),
  ])
  const plans = planPicks(entries, { promisesOf: promises, serials }, refuse)
  const unitsAlong = await findWholeUnits(
    tx,
    organisationId,
    entries.map((entry, n) => ({ ...entry, quantity: plans[n]?.quantity ?? 0n })),
  )
  settle()
  // Where nothing is picked, no unit comes to be filled.
  const going = entries.filter((_, n) => (plans[n] as PlannedPick).quantity > 0n)
  const units = await createAndPlaceUnits(tx, locked, new Set(going.flatMap(({ unit }) => unit ?? [])))
  await placeUnits(tx, locked, [...unitsAlong.values()])
  const holds = await holdsForMissing(tx, organisationId, source, entries, plans)
  const targets = await targetRows(tx, locked, going, units, unitsAlong)
  const heldRows = await findOrCreateRows(
    tx,
    locked,
    entries.flatMap((entry, n) => (holds[n] ? { ...identityOf(entry.row), inventoryHoldId: holds[n] } : [])),
  )
  const movementId = newId()
  const shortMovementId = newId()
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
        ? [{ ...facts, ...pickMove(entry, plan, targets.get(entry) as string), movementId }]
        : []),
      ...(plan.missing > 0n
        ? shortMoves(entry, plan, heldRows.shift() as string).map(move => ({
            ...facts,
            ...move,
            movementId: shortMovementId,
          }))
        : []),
    ] satisfies StockMove[]
  })
  const picked = plans.map(({ quantity }, n) => ({
    warehouseProductId: targets.get(entries[n] as TargetedPick) ?? null,
    quantity,
    inventoryHoldId: holds[n] ?? null,
  }))
  return {
    moves,
    outcome: posted => ({ movementId, effectiveUtc: posted[0]?.effectiveUtc ?? null, picked }),
  }
}

const lineInRow = ({ line, row, isOverride }: TargetedPick) => ({
  ...{ lineId: line.id, warehouseProductId: row.id, isOverride },
})

/**
 * What is promised of the rows that picks look at: all of them only where one may take more than is promised
 * to its line. Ask under the lock.
 */
export const readPromisesForPicks = (
  tx: Tx,
  organisationId: string,
  entries: readonly (LineAndRow & { isOverride: boolean })[],
): Promise<AllocationLookup> =>
  entries.some(({ isOverride }) => isOverride)
    ? readAllocations(tx, organisationId, [...new Set(entries.map(entry => entry.warehouseProductId))])
    : readAllocationsOfLines(tx, organisationId, entries)

/** The rows that goods come to lie in, by entry. */
async function targetRows(
  tx: Tx,
  locked: LockedStock,
  entries: readonly TargetedPick[],
  ...units: [filled: ReadonlyMap<TargetUnit, string>, along: ReadonlyMap<string, UnitDestination>]
): Promise<Map<TargetedPick, string>> {
  const rows = await findOrCreateRows(
    tx,
    locked,
    entries.map(entry => targetIdentityOf(entry, ...units)),
  )
  return new Map(entries.map((entry, i) => [entry, rows[i] as string]))
}

function pickMove({ line, row, isOverride }: TargetedPick, plan: PlannedPick, to: string) {
  const promise = {
    consignmentId: line.consignmentId,
    consignmentProductId: line.id,
    isPicked: true,
    isOverride,
  }
  const newSerials = plan.newSerials.map(({ serial, knownId }) => ({ serial, id: knownId ?? newId() }))
  const itemIds = [...plan.items, ...newSerials.map(({ id }) => id)]
  const given: AllocationChange[] =
    itemIds.length === 0
      ? [{ ...promise, at: 'to', quantity: plan.quantity }]
      : itemIds.map(itemId => ({ ...promise, at: 'to' as const, itemId, quantity: oneItem }))
  return {
    type: TransactionType.Pick,
    from: row.id,
    to,
    quantity: plan.quantity,
    items: plan.items,
    newSerials,
    allocations: [...plan.taken, ...given],
  }
}

/**
 * What is missing is no longer promised, and is held where it should be, so that nobody is sent there again.
 */
const shortMoves = (
  { row }: TargetedPick,
  { missing, missingItems, released }: PlannedPick,
  heldRow: string,
) => [
  { type: TransactionType.Allocation, from: null, to: row.id, quantity: 0n, allocations: released },
  { type: TransactionType.Hold, from: row.id, to: heldRow, quantity: missing, items: missingItems },
]

/** A hold for each entry that something is missing for; undefined for the others. */
async function holdsForMissing(
  tx: Tx,
  organisationId: string,
  { userId }: MovementSource,
  entries: readonly TargetedPick[],
  plans: readonly PlannedPick[],
): Promise<(string | undefined)[]> {
  const short = entries.filter((_, n) => (plans[n]?.missing ?? 0n) > 0n)
  const ids = await makeHolds(
    tx,
    organisationId,
    userId,
    short.map(({ line, reason }) => ({
      kind: HoldKind.General,
      reason: `Short pick ${line.consignmentNumber}`,
      reference: reason,
    })),
  )
  const byEntry = new Map(short.map((entry, i) => [entry, ids[i] as string]))
  return entries.map(entry => byEntry.get(entry))
}

/** The serials that entries name, and all that lie in rows from which something may be missing. */
async function serialsOf(
  tx: Tx,
  organisationId: string,
  entries: readonly TargetedPick[],
): Promise<KnownSerial[]> {
  const named = entries.flatMap(({ row, serials }) =>
    serials.map(serial => ({ productId: row.productId, serial })),
  )
  const short = entries.filter(({ isShort }) => isShort).map(({ row }) => row.id)
  if (named.length + short.length === 0) return []
  return tx.rows<KnownSerial>(sql`
    select i.id, i.product_id, i.serial, i.warehouse_product_id
    from json_to_recordset(${JSON.stringify(named)}) as g ("productId" uuid, serial text)
    join warehouse_product_item i
      on i.organisation_id = ${organisationId} and i.product_id = g."productId" and i.serial = g.serial
    union
    select id, product_id, serial, warehouse_product_id from warehouse_product_item
    where organisation_id = ${organisationId} and warehouse_product_id = any(${short})`)
}
