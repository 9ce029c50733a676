// Confirms picks for the pick command and for jobs: the entries of a request become picked goods at the dock.
// Spec 2.14; decision 4.

import { sql, type Tx } from '../../platform/database/db.ts'
import {
  collectEntryFaults,
  type EntryFaultCollector,
  type FieldFault,
  isFieldFault,
  type ReportEntryFault,
} from '../../platform/http/entry-faults.ts'
import { nullable, type Static, Type, Uuid } from '../../platform/http/schema.ts'
import { allocateLines } from '../../stock/allocation/allocate-lines.ts'
import { applyMovesToLines } from '../../stock/allocation/allocation-state.ts'
import { type OutboundLine, readOutboundLines, shortageOf } from '../../stock/allocation/outbound-lines.ts'
import { defaultLocationOf } from '../../stock/commands/default-locations.ts'
import {
  findLocations,
  hasLocation,
  type LocationReference,
  placementRefusal,
  type StockLocation,
  targetOf,
  unknownTarget,
} from '../../stock/commands/location-reference.ts'
import { numberOf, toItems } from '../../stock/commands/quantities.ts'
import type { StockRow } from '../../stock/commands/read-stock-rows.ts'
import { findProducts } from '../../stock/commands/stock-products.ts'
import { findRowIds, readSelectedStock } from '../../stock/commands/stock-selector.ts'
import type { AllocationLookup } from '../../stock/inventory/allocations.ts'
import type { MovementSource } from '../../stock/ledger/movement.ts'
import { post } from '../../stock/ledger/post.ts'
import type { LockedStock } from '../../stock/ledger/stock-lock.ts'
import { resolveDestinationUnits, type UnitRequest } from '../../stock/logistic-units/destination-units.ts'
import { putUnitInto } from '../../stock/logistic-units/unit-location.ts'
import { lockUnits } from '../../stock/logistic-units/unit-references.ts'
import {
  type PickWithDestination,
  preparePicks,
  readAllocationsForPicks,
} from '../../stock/picking/pick-stock.ts'
import { TransactionType } from '../../vocabulary/stock.ts'
import { LocationType } from '../../vocabulary/warehouses.ts'
import {
  type LockedOutwardsConsignment,
  lockStockForPicking,
  publishLineChanges,
  raiseLineChanges,
} from './outwards-consignment.ts'
import { type RequestedPick, rowIdsOf } from './requested-pick.ts'

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

interface PickingContext {
  /** locked by this transaction, and all of one warehouse */
  consignments: readonly LockedOutwardsConsignment[]
  source: MovementSource & { requestId: string }
  occurredUtc: string | null
  jobId?: string | null
}

/**
 * Confirms picks of the consignments. `configuredDocks` is the result of `readConfiguredDocks` for them.
 * Throws 400 with a sentence for each fault. Missing goods are put on hold, and the line is allocated
 * elsewhere unless the entry opts out. Raises event 108 for every consignment with changed lines.
 */
export async function confirmPicks(
  tx: Tx,
  context: PickingContext,
  configuredDocks: readonly ConfiguredDock[],
  picks: readonly RequestedPick[],
): Promise<ConfirmedPicks> {
  const { organisationId, warehouseId } = context.consignments[0] as LockedOutwardsConsignment
  const docks = await findDocks(tx, context.consignments, configuredDocks)
  const rowIds = await findRowIds(tx, organisationId, picks, warehouseId)
  // Not awaited: the reads under the lock are sent right behind it, and the connection keeps the order.
  const locking = lockStockForPicking(
    tx,
    organisationId,
    context.consignments.map(({ id }) => id),
    [...rowIds.flat(), ...picks.flatMap(rowIdsOf)],
  )
  const faults = collectEntryFaults('picks')
  return confirmPicksUnderLock(tx, locking, { ...context, docks, faults }, picks)
}

interface LockedPickingContext extends PickingContext {
  /** the location for the goods of each consignment, found before the stock was locked */
  docks: ReadonlyMap<string, string>
  /** collects faults by the number of the pick */
  faults: Omit<EntryFaultCollector, 'of'>
}

/**
 * Like `confirmPicks`, with the stock locked by `locking`: the rows that are picked from, the other rows on
 * the same logistic units, and the products of the lines.
 */
export async function confirmPicksUnderLock(
  tx: Tx,
  locking: LockedStock | Promise<LockedStock>,
  { consignments, docks, source, occurredUtc, jobId = null, faults }: LockedPickingContext,
  picks: readonly RequestedPick[],
): Promise<ConfirmedPicks> {
  const { organisationId, warehouseId } = consignments[0] as LockedOutwardsConsignment
  const ids = consignments.map(({ id }) => id)
  const [locked, before, rows, allocations, location] = await Promise.all([
    locking,
    readOutboundLines(tx, organisationId, ids),
    readSelectedStock(tx, organisationId, Promise.resolve(locking), picks, warehouseId),
    allocationsOfRows(tx, organisationId, picks),
    findLocations(tx, organisationId, [
      ...picks.map(entry => targetOf(warehouseId, entry)),
      ...docks.values().map(warehouseLocationId => ({ warehouseId, warehouseLocationId })),
    ]),
  ])
  const { refuse, throwIfAny: settle } = faults
  await lockUnits(tx, organisationId, unitsOf(picks, rows))
  const inputs = { docks, lines: before, rows, picks, warehouseId, location }
  const entries = await resolveRequestedPicks(tx, locked, inputs, refuse)
  settle()
  const context = { source, occurredUtc, jobId }
  const refusing = { refuse, settle }
  const { moves, outcome } = await preparePicks(tx, locked, context, entries, refusing, allocations)
  const eventSource = eventSourceOf(source, organisationId)
  const isMissing = moves.some(({ type }) => type === TransactionType.Hold)
  // If nothing is missing, the new state of the lines is known without reading them again.
  const after = applyMovesToLines(before, moves)
  const [posted] = await Promise.all([
    post(tx, locked, source, moves),
    isMissing || raiseLineChanges(tx, eventSource, consignments, before, after),
  ])
  const { movementId, effectiveUtc, picked } = outcome(posted)
  if (isMissing)
    await allocateForMissing(
      tx,
      locked,
      { source, inOrder: jobId === null ? null : ids },
      entries.filter((_, n) => picks[n]?.reallocate !== false && picked[n]?.inventoryHoldId),
    )
  return {
    movementId,
    effectiveUtc,
    picks: picked.map(({ quantity, ...pick }) => ({ ...pick, quantity: numberOf(quantity) })),
    lines: isMissing ? await publishLineChanges(tx, eventSource, consignments, before) : after,
  }
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

/** The logistic units that goods are taken from and put on. */
const unitsOf = (picks: readonly RequestedPick[], rows: readonly (StockRow | FieldFault)[]) => ({
  ids: rows.flatMap(row => (isFieldFault(row) ? [] : (row.logisticUnitId ?? []))),
  named: picks.flatMap(({ toLogisticUnit: unit }, n) => {
    const row = rows[n]
    return unit && row && !isFieldFault(row) ? [{ partnerId: row.partnerId, unit }] : []
  }),
})

const eventSourceOf = (
  { connectionId, userId, requestId }: PickingContext['source'],
  organisationId: string,
) => ({
  organisationId,
  connectionId: connectionId as string,
  userId: userId as string,
  requestId,
})

/**
 * The default dispatch location of a consignment: its own or else the warehouse's; null if neither is set.
 */
export interface ConfiguredDock {
  id: string
  locationId: string | null
}

/** Reads the default dispatch locations of consignments. */
export const readConfiguredDocks = (
  tx: Tx,
  organisationId: string,
  ids: readonly string[],
): Promise<ConfiguredDock[]> =>
  tx.rows(sql`
    select c.id, coalesce(c.default_dispatch_location_id, w.default_dispatch_location_id) as location_id
    from consignment c
    join warehouse w on w.organisation_id = c.organisation_id and w.id = c.warehouse_id
    where c.organisation_id = ${organisationId} and c.id = any(${ids})`)

/**
 * The dispatch location of each consignment, by consignment id. Creates a dispatch location if a consignment
 * and its warehouse have none, so the stock must not be locked yet.
 */
export async function findDocks(
  tx: Tx,
  consignments: readonly LockedOutwardsConsignment[],
  known?: readonly ConfiguredDock[],
): Promise<Map<string, string>> {
  const { organisationId, warehouseId } = consignments[0] as LockedOutwardsConsignment
  const ids = consignments.map(({ id }) => id)
  const docks = known ?? (await readConfiguredDocks(tx, organisationId, ids))
  const fallback = docks.every(({ locationId }) => locationId !== null)
    ? null
    : await defaultLocationOf(tx, organisationId, warehouseId, 'dispatch')
  return new Map(docks.map(({ id, locationId }) => [id, locationId ?? (fallback as string)]))
}

interface PickInputs {
  docks: ReadonlyMap<string, string>
  lines: readonly OutboundLine[]
  rows: readonly (StockRow | FieldFault)[]
  picks: readonly RequestedPick[]
  warehouseId: string
  location: (reference: LocationReference) => StockLocation | undefined
}

/**
 * Resolves the lines, stock, locations and units that picks name. Faults go to `refuse`; after one, the
 * result must not be used.
 */
async function resolveRequestedPicks(
  tx: Tx,
  locked: LockedStock,
  { docks, lines, rows, picks, warehouseId, location }: PickInputs,
  refuse: ReportEntryFault,
): Promise<PickWithDestination[]> {
  const { organisationId } = locked
  const byId = new Map(lines.map(line => [line.id, line]))
  // Product details are needed only for units of measure other than items, and for new logistic units.
  const products = await findProducts(
    tx,
    organisationId,
    picks.flatMap(({ unitTypeId, toLogisticUnit }, n) => {
      const row = rows[n]
      return (unitTypeId || toLogisticUnit) && row && !isFieldFault(row) ? row.productId : []
    }),
  )
  const places = picks.map(entry => {
    const reference = targetOf(warehouseId, entry)
    const line = byId.get(entry.consignmentProductId)
    return hasLocation(reference) || line === undefined
      ? reference
      : { warehouseId, warehouseLocationId: docks.get(line.consignmentId) }
  })
  const units = await resolveDestinationUnits(
    tx,
    locked,
    picks.map((entry, n) => unitRequestFor(entry, rows[n], products)),
    refuse,
  )
  return picks.flatMap((entry, n) => {
    const line = byId.get(entry.consignmentProductId)
    const row = rows[n] as StockRow | FieldFault
    const target = location(places[n] as (typeof places)[number])
    if (line === undefined)
      refuse(n, 'consignmentProductId does not refer to a line of the consignment', 'unknown_reference')
    if (isFieldFault(row)) refuse(n, ...row)
    if (line !== undefined && target === undefined) refuse(n, ...unknownTarget)
    if (line === undefined || isFieldFault(row) || target === undefined) return []
    const fault = dockRefusal(target, row.productId)
    if (fault !== null) refuse(n, `${target.name} ${fault}`, 'wrong_place')
    const product = products.get(row.productId) ?? { code: row.productCode, chain: [] }
    const quantity =
      entry.quantity === undefined || entry.quantity === null
        ? null
        : toItems(product, { quantity: entry.quantity, unitTypeId: entry.unitTypeId }, (...why) =>
            refuse(n, ...why),
          )
    const unit = units[n]
    if (unit) putUnitInto(unit, target.id, (...fault) => refuse(n, ...fault))
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
        unit: entry.toLogisticUnit === null ? null : unit,
      },
    ]
  })
}

/** Why picked goods cannot be put into a location; null if they can. */
export const dockRefusal = (target: StockLocation, productId: string): string | null =>
  target.type === LocationType.Quarantine
    ? 'is in quarantine, where nothing can be promised'
    : placementRefusal(target, productId)

const unitRequestFor = (
  { toLogisticUnit }: RequestedPick,
  row: StockRow | FieldFault | undefined,
  products: Awaited<ReturnType<typeof findProducts>>,
): UnitRequest | null =>
  toLogisticUnit && row && !isFieldFault(row)
    ? {
        unit: toLogisticUnit,
        partnerId: row.partnerId,
        warehouseId: row.warehouseId,
        gs1CompanyPrefix: products.get(row.productId)?.gs1CompanyPrefix ?? null,
      }
    : null

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
