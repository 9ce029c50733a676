// Confirms picks for the pick command and for jobs: the entries of requests become picked goods at the dock.
// Any number of requests is read, and written, with the same few statements. Spec 2.14; decision 4.

import { type EventOrigin, emit, serviceOrigin } from '../../events/emit.ts'
import type { Tx } from '../../platform/database/db.ts'
import { type EntryFaultCollector, type FieldFault, isFieldFault } from '../../platform/http/entry-faults.ts'
import { nullable, type Static, Type, Uuid } from '../../platform/http/schema.ts'
import { allocateLines } from '../../stock/allocation/allocate-lines.ts'
import { applyMovesToLines } from '../../stock/allocation/allocation-state.ts'
import { type OutboundLine, readOutboundLines, shortageOf } from '../../stock/allocation/outbound-lines.ts'
import { Postponed } from '../../stock/commands/command-kind.ts'
import {
  findLocations,
  hasLocation,
  type LocationReference,
  type StockLocation,
  targetOf,
  unknownTarget,
} from '../../stock/commands/location-reference.ts'
import { numberOf, toItems } from '../../stock/commands/quantities.ts'
import type { StockRow } from '../../stock/commands/read-stock-rows.ts'
import { findProducts } from '../../stock/commands/stock-products.ts'
import { readSelectedStock } from '../../stock/commands/stock-selector.ts'
import type { AllocationLookup } from '../../stock/inventory/allocations.ts'
import { type MovementSource, noSharedSource } from '../../stock/ledger/movement.ts'
import { post } from '../../stock/ledger/post.ts'
import type { LockedStock } from '../../stock/ledger/stock-lock.ts'
import { UsedUnits } from '../../stock/logistic-units/destination-units.ts'
import { resolveUnitLocation } from '../../stock/logistic-units/unit-location.ts'
import { lockUnits } from '../../stock/logistic-units/unit-references.ts'
import type { PickState } from '../../stock/picking/pick-state.ts'
import {
  draftPicks,
  type PickDraft,
  type PickWithDestination,
  readAllocationsForPicks,
  readPickState,
  targetIdentitiesOf,
  writePicks,
} from '../../stock/picking/pick-stock.ts'
import { dockRefusal } from './docks.ts'
import {
  type LockedOutwardsConsignment,
  lineChangeEvents,
  publishLineChanges,
} from './outwards-consignment.ts'
import { type RequestedPick, rowIdsOf } from './requested-pick.ts'
import { destinationOf, type RequestedUnits, resolveRequestedUnits, unitsOfPicks } from './requested-units.ts'

/** The result of an entry: the row of stock with the picked goods, and the hold with the missing goods. */
export const ConfirmedPick = Type.Object({
  warehouseProductId: nullable(Uuid),
  quantity: Type.Number(),
  inventoryHoldId: nullable(Uuid),
})

/** The result of confirming picks. */
export interface ConfirmedPicks {
  movementId: string
  effectiveUtc: string | null
  picks: Static<typeof ConfirmedPick>[]
  /** the lines of all the consignments, as they are after the picks */
  lines: OutboundLine[]
}

/** A request to confirm picks. */
export interface Picking {
  /** locked by this transaction, and all of one warehouse */
  consignments: readonly LockedOutwardsConsignment[]
  /** the location for the goods of each consignment, found before the stock was locked */
  docks: ReadonlyMap<string, string>
  source: MovementSource & { requestId: string }
  occurredUtc: string | null
  jobId?: string | null
  /** collects faults by the number of the pick */
  faults: Omit<EntryFaultCollector, 'of'>
  picks: readonly RequestedPick[]
}

/** What requests are planned from. Those that are planned already have changed it. */
export interface PickingSnapshot {
  warehouseId: string
  state: PickState
  /** the lines by consignment */
  lines: Map<string, readonly OutboundLine[]>
  rows: ReadonlyMap<RequestedPick, StockRow | FieldFault>
  units: ReadonlyMap<Picking, RequestedUnits>
  usedUnits: UsedUnits
  products: Awaited<ReturnType<typeof findProducts>>
  location(reference: LocationReference): StockLocation | undefined
}

/** A request whose picks are planned and not yet written. */
export interface PlannedPicking {
  picking: Picking
  draft: PickDraft
  before: readonly OutboundLine[]
  after: readonly OutboundLine[]
}

/**
 * Reads what requests are planned from. `locking` locks the stock of the rows that are picked from, of the
 * other rows on the same logistic units, and of the products of the lines; it has been sent already. All
 * requests are of one warehouse.
 */
export async function readPicking(
  tx: Tx,
  locking: LockedStock | Promise<LockedStock>,
  { organisationId, warehouseId }: Record<'organisationId' | 'warehouseId', string>,
  pickings: readonly Picking[],
): Promise<PickingSnapshot> {
  const picks = pickings.flatMap(({ picks }) => picks)
  const ids = [...new Set(pickings.flatMap(({ consignments }) => consignments.map(({ id }) => id)))]
  const docks = new Set(pickings.flatMap(({ docks }) => [...docks.values()]))
  const [, lines, rows, allocations, location] = await Promise.all([
    locking,
    readOutboundLines(tx, organisationId, ids),
    readSelectedStock(tx, organisationId, Promise.resolve(locking), picks, warehouseId),
    allocationsOfRows(tx, organisationId, picks),
    findLocations(tx, organisationId, [
      ...picks.map(entry => targetOf(warehouseId, entry)),
      ...[...docks].map(warehouseLocationId => ({ warehouseId, warehouseLocationId })),
    ]),
  ])
  await lockUnits(tx, organisationId, unitsOfPicks(picks, rows))
  // Product details are needed only for units of measure other than items, and for new logistic units.
  const products = await findProducts(
    tx,
    organisationId,
    picks.flatMap(({ unitTypeId, toLogisticUnit }, n) => {
      const row = rows[n]
      return (unitTypeId || toLogisticUnit) && row && !isFieldFault(row) ? row.productId : []
    }),
  )
  const rowByPick = new Map(picks.map((entry, n) => [entry, rows[n] as StockRow | FieldFault]))
  const units = await resolveRequestedUnits(tx, organisationId, pickings, rowByPick, products)
  const unitByPick = new Map(
    pickings.flatMap(picking => picking.picks.map((entry, n) => [entry, units.get(picking)?.units[n]])),
  )
  const sources = picks.flatMap(entry => {
    const row = rowByPick.get(entry)
    if (row === undefined || isFieldFault(row)) return []
    return {
      ...{ row, unit: destinationOf(entry, unitByPick.get(entry)), serials: entry.serials ?? [] },
      ...{ isShort: entry.isShort ?? false, isOverride: entry.isOverride ?? false },
      ...{ insteadOf: entry.insteadOfWarehouseProductId ?? undefined },
      line: { id: entry.consignmentProductId },
    }
  })
  return {
    ...{ warehouseId, products, location },
    state: await readPickState(tx, organisationId, sources, allocations),
    lines: Map.groupBy(lines, ({ consignmentId }) => consignmentId),
    ...{ rows: rowByPick, units, usedUnits: new UsedUnits() },
  }
}

/**
 * Plans the picks of a request and takes them off the snapshot. Throws 400 with a sentence for each fault,
 * and `Postponed` if they depend on what earlier requests take.
 */
export function planPicking(snapshot: PickingSnapshot, picking: Picking): PlannedPicking {
  const { state, usedUnits } = snapshot
  const { consignments, source, occurredUtc, jobId = null } = picking
  const { refuse, throwIfAny: settle } = picking.faults
  const before = consignments.flatMap(({ id }) => snapshot.lines.get(id) ?? [])
  const units = snapshot.units.get(picking) as RequestedUnits
  if (isOutdated(snapshot, picking) || usedUnits.areUsed(units)) throw new Postponed()
  for (const fault of units.faults) refuse(...fault)
  const entries = resolveRequestedPicks(snapshot, picking, before)
  settle()
  const draft = draftPicks(state, { source, occurredUtc, jobId }, entries, refuse)
  settle()
  const after = applyMovesToLines(before, [{ allocations: draft.changes }])
  state.take(entries, draft.plans, targetIdentitiesOf(draft))
  usedUnits.use(units)
  for (const [id, lines] of Map.groupBy(after, ({ consignmentId }) => consignmentId))
    snapshot.lines.set(id, lines)
  return { picking, draft, before, after }
}

/** Whether what a request is planned from has changed by what was planned before it. */
function isOutdated({ state, rows }: PickingSnapshot, { picks, occurredUtc }: Picking): boolean {
  const isRowOutdated = (entry: RequestedPick) => {
    const row = rows.get(entry) as StockRow | FieldFault
    return !isFieldFault(row) && state.isOutdated(row, occurredUtc !== null)
  }
  return state.mayMatchAnew(picks) || picks.some(isRowOutdated)
}

/**
 * Writes planned picks. Missing goods are put on hold, and the line is allocated elsewhere unless the entry
 * opts out; only a single request may be missing goods. Raises event 108 for every consignment with changed
 * lines.
 */
export async function writePicking(
  tx: Tx,
  locked: LockedStock,
  planned: readonly PlannedPicking[],
): Promise<ConfirmedPicks[]> {
  const { organisationId } = locked
  const { moves, outcomes } = await writePicks(
    tx,
    locked,
    planned.map(({ draft }) => draft),
  )
  // If nothing is missing, the new state of the lines is known without reading them again.
  const events = planned.flatMap(({ picking: { source, consignments }, draft, before, after }) =>
    draft.isMissing
      ? []
      : lineChangeEvents(consignments, before, after).map(event => ({
          ...event,
          origin: originOf(source, organisationId),
        })),
  )
  const [posted] = await Promise.all([
    post(tx, locked, noSharedSource, moves),
    emit(tx, serviceOrigin(organisationId), events),
  ])
  const results: ConfirmedPicks[] = []
  for (const [i, { movementId, effectiveUtc, picked }] of outcomes(posted).entries()) {
    const plan = planned[i] as PlannedPicking
    const picks = picked.map(({ quantity, ...pick }) => ({ ...pick, quantity: numberOf(quantity) }))
    const lines = plan.draft.isMissing ? await serveMissing(tx, locked, plan) : [...plan.after]
    results.push({ movementId, effectiveUtc, picks, lines })
  }
  return results
}

/** Allocates other stock for missing goods. Returns the lines as they are then. */
async function serveMissing(
  tx: Tx,
  locked: LockedStock,
  { picking: { picks, consignments, source, jobId }, draft: { entries, plans }, before }: PlannedPicking,
): Promise<OutboundLine[]> {
  const missing = entries.filter((_, n) => picks[n]?.reallocate !== false && (plans[n]?.missing ?? 0n) > 0n)
  const inOrder = jobId ? consignments.map(({ id }) => id) : null
  await allocateForMissing(tx, locked, { source, inOrder }, missing)
  return publishLineChanges(tx, originOf(source, locked.organisationId), consignments, before)
}

/** Confirms the picks of one request, as `readPicking`, `planPicking` and `writePicking` do. */
export async function confirmPicksUnderLock(
  tx: Tx,
  locked: LockedStock,
  picking: Picking,
): Promise<ConfirmedPicks> {
  const snapshot = await readPicking(tx, locked, picking.consignments[0] as LockedOutwardsConsignment, [
    picking,
  ])
  const [confirmed] = await writePicking(tx, locked, [planPicking(snapshot, picking)])
  return confirmed as ConfirmedPicks
}

/**
 * The allocations of the rows that entries name by id; undefined if an entry names its row in another way.
 */
async function allocationsOfRows(
  tx: Tx,
  organisationId: string,
  picks: readonly RequestedPick[],
): Promise<AllocationLookup | undefined> {
  if (!picks.every(({ warehouseProductId }) => warehouseProductId)) return undefined
  const selected = picks.flatMap(entry =>
    rowIdsOf(entry).map(warehouseProductId => ({
      ...{ lineId: entry.consignmentProductId, warehouseProductId, isOverride: entry.isOverride ?? false },
    })),
  )
  return readAllocationsForPicks(tx, organisationId, selected)
}

const originOf = (
  { connectionId, userId, requestId }: Picking['source'],
  organisationId: string,
): EventOrigin => ({
  organisationId,
  connectionId,
  userId,
  requestId,
})

/**
 * Resolves the lines, stock, locations and units that picks name. Faults are collected; after one, the result
 * must not be used.
 */
function resolveRequestedPicks(
  { state, rows, units, products, warehouseId, location }: PickingSnapshot,
  picking: Picking,
  lines: readonly OutboundLine[],
): PickWithDestination[] {
  const { docks, picks } = picking
  const { refuse } = picking.faults
  const requested = units.get(picking)?.units ?? []
  const byId = new Map(lines.map(line => [line.id, line]))
  return picks.flatMap((entry, n) => {
    const line = byId.get(entry.consignmentProductId)
    const reference = targetOf(warehouseId, entry)
    const target = location(
      hasLocation(reference) || line === undefined
        ? reference
        : { warehouseId, warehouseLocationId: docks.get(line.consignmentId) },
    )
    const found = rows.get(entry) as StockRow | FieldFault
    if (line === undefined)
      refuse(n, 'consignmentProductId does not refer to a line of the consignment', 'unknown_reference')
    if (isFieldFault(found)) refuse(n, ...found)
    if (line !== undefined && target === undefined) refuse(n, ...unknownTarget)
    if (line === undefined || isFieldFault(found) || target === undefined) return []
    const row = state.currentOf(found)
    const fault = dockRefusal(target, row.productId)
    if (fault !== null) refuse(n, `${target.name} ${fault}`, 'wrong_place')
    const product = products.get(row.productId) ?? { code: row.productCode, chain: [] }
    const quantity =
      entry.quantity === undefined || entry.quantity === null
        ? null
        : toItems(product, { quantity: entry.quantity, unitTypeId: entry.unitTypeId }, (...why) =>
            refuse(n, ...why),
          )
    const unit = requested[n]
    if (unit) resolveUnitLocation(unit, target.id, null, (...fault) => refuse(n, ...fault))
    return [
      {
        ...{ line, row, target },
        quantity: quantity ?? null,
        serials: entry.serials ?? [],
        inventoryAllocationId: entry.inventoryAllocationId,
        isShort: entry.isShort ?? false,
        isOverride: entry.isOverride ?? false,
        insteadOf: entry.insteadOfWarehouseProductId ?? undefined,
        reason: entry.reason || null,
        unit: destinationOf(entry, unit),
      },
    ]
  })
}

/** Allocates other stock for missing goods; for jobs, in the order of their consignments. */
async function allocateForMissing(
  tx: Tx,
  locked: LockedStock,
  { source, inOrder }: { source: MovementSource; inOrder: readonly string[] | null },
  entries: readonly PickWithDestination[],
): Promise<void> {
  const byConsignment = Map.groupBy(entries, ({ line }) => line.consignmentId)
  if (byConsignment.size === 0) return
  const ids = (inOrder ?? [...byConsignment.keys()]).filter(id => byConsignment.has(id))
  const lines = await readOutboundLines(tx, locked.organisationId, ids)
  const shortByLine = new Map(lines.map(line => [line.id, shortageOf(line)]))
  await allocateLines(
    tx,
    locked,
    ids.map(consignmentId => ({
      consignmentId,
      quantities: new Map(
        (byConsignment.get(consignmentId) ?? []).map(({ line }) => [line.id, shortByLine.get(line.id) ?? 0n]),
      ),
      source,
    })),
    { isInGivenOrder: inOrder !== null },
  )
}
