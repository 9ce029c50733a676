// Picks as commands and jobs confirm them: entries that name lines and stock become picked goods at the dock.
// Spec 2.14; open-points 4.

import { sql, type Tx } from '../../platform/database/db.ts'
import {
  collectEntryFaults,
  type EntryFaultCollector,
  isProblem,
  type Problem,
  type ReportEntryFault,
  type ReportFault,
} from '../../platform/http/entry-faults.ts'
import { Decimal, nullable, optional, type Static, Text, Type, Uuid } from '../../platform/http/schema.ts'
import { allocateLines } from '../../stock/allocation/allocate-lines.ts'
import { applyMovesToLines } from '../../stock/allocation/allocated-lines.ts'
import { type OutwardLine, readOutwardLines, shortageOf } from '../../stock/allocation/outward-lines.ts'
import { TransactionType } from '../../stock/enumerations.ts'
import type { AllocationLookup } from '../../stock/inventory/allocations.ts'
import { defaultLocationOf } from '../../stock/inventory/default-locations.ts'
import {
  findLocations,
  hasLocation,
  type LocationReference,
  placementRefusal,
  type StockLocation,
  targetFields,
  targetOf,
  unknownTarget,
} from '../../stock/inventory/location-reference.ts'
import { numberOf, Serials, toItems } from '../../stock/inventory/quantities.ts'
import { findProducts } from '../../stock/inventory/stock-products.ts'
import type { StockRow } from '../../stock/inventory/stock-rows.ts'
import { findRowIds, readSelectedStock, stockFields } from '../../stock/inventory/stock-selector.ts'
import type { MovementSource } from '../../stock/ledger/movement.ts'
import { post } from '../../stock/ledger/post.ts'
import type { LockedStock } from '../../stock/ledger/stock-lock.ts'
import {
  resolveTargetUnits,
  type TargetUnit,
  type UnitRequest,
} from '../../stock/logistic-units/target-units.ts'
import { lockUnits, UnitReference } from '../../stock/logistic-units/unit-references.ts'
import { preparePicks, readPromisesForPicks, type TargetedPick } from '../../stock/picking/pick-stock.ts'
import { LocationType } from '../../warehouses/enumerations.ts'
import { emitLineChanges, type LockedOutwards, lockStockOf, publishLineChanges } from './outwards-lines.ts'

/** What an entry says beside its line. */
export const pickFields = {
  ...stockFields,
  quantity: optional(Decimal(4, { minimum: 0 })),
  unitTypeId: optional(Uuid),
  serials: optional(Serials),
  isShort: optional(Type.Boolean()),
  reallocate: optional(Type.Boolean()),
  reason: optional(Text),
  ...targetFields,
  toLogisticUnit: optional(UnitReference),
  isOverride: optional(Type.Boolean()),
}

/** An entry of picks. */
export const RequestedPick = Type.Object({ consignmentProductId: Uuid, ...pickFields })
export type RequestedPick = Static<typeof RequestedPick> & {
  /** the one promise of the line in that stock that is picked, where a job says so */
  inventoryAllocationId?: string | undefined
}

/** What an entry came to: the row that holds the goods now, and the hold that what is missing went to. */
export const PickResult = Type.Object({
  warehouseProductId: nullable(Uuid),
  quantity: Type.Number(),
  inventoryHoldId: nullable(Uuid),
})

/** What was confirmed. */
export interface ConfirmedPicks {
  movementId: string
  effectiveUtc: string | null
  picks: Static<typeof PickResult>[]
  /** the lines of all the consignments as they are now */
  lines: OutwardLine[]
}

interface Context {
  /** held by this transaction, and all of one warehouse */
  consignments: readonly LockedOutwards[]
  source: MovementSource & { requestId: string }
  occurredUtc: string | null
  jobId?: string | null
}

/**
 * Confirms picks of the consignments; `own` is what `readDocks` has read of them. 400 where one cannot be
 * made, with a sentence for each fault. What is missing is held and, unless the entry says otherwise,
 * allocated elsewhere. Tells 108 of every consignment whose lines changed.
 */
export async function confirmPicks(
  tx: Tx,
  context: Context,
  own: readonly ConfiguredDock[],
  picks: readonly RequestedPick[],
): Promise<ConfirmedPicks> {
  const { organisationId, warehouseId } = context.consignments[0] as LockedOutwards
  const docks = await docksByConsignment(tx, context.consignments, own)
  const named = await findRowIds(tx, organisationId, picks, warehouseId)
  // What is read under the lock is sent right behind it.
  const locking = lockStockOf(
    tx,
    organisationId,
    context.consignments.map(({ id }) => id),
    named.flat(),
  )
  const faults = collectEntryFaults('picks')
  return confirmPicksUnderLock(tx, locking, { ...context, docks, faults }, picks)
}

interface LockedContext extends Context {
  /** where the goods of each consignment go, asked before the stock was locked */
  docks: ReadonlyMap<string, string>
  /** where faults are collected, by the number of the pick */
  faults: Omit<EntryFaultCollector, 'of'>
}

/**
 * The same with the stock locked already: of the rows picked from, of what lies on units beside them, and of
 * the products of the lines.
 */
export async function confirmPicksUnderLock(
  tx: Tx,
  locking: LockedStock | Promise<LockedStock>,
  { consignments, docks, source, occurredUtc, jobId = null, faults }: LockedContext,
  picks: readonly RequestedPick[],
): Promise<ConfirmedPicks> {
  const { organisationId, warehouseId } = consignments[0] as LockedOutwards
  const ids = consignments.map(({ id }) => id)
  const [locked, before, rows, promises, location] = await Promise.all([
    locking,
    readOutwardLines(tx, organisationId, ids),
    readSelectedStock(tx, organisationId, Promise.resolve(locking), picks, warehouseId),
    promisesOfNamed(tx, organisationId, picks),
    findLocations(tx, organisationId, [
      ...picks.map(entry => targetOf(warehouseId, entry)),
      ...docks.values().map(warehouseLocationId => ({ warehouseId, warehouseLocationId })),
    ]),
  ])
  const { refuse, throwIfAny: settle } = faults
  await lockUnits(tx, organisationId, unitsOf(picks, rows))
  const given = { docks, lines: before, rows, picks, warehouseId, location }
  const entries = await entriesOf(tx, locked, given, refuse)
  settle()
  const context = { source, occurredUtc, jobId }
  const refusing = { refuse, settle }
  const { moves, outcome } = await preparePicks(tx, locked, context, entries, refusing, promises)
  const told = eventSource(source, organisationId)
  const isMissing = moves.some(({ type }) => type === TransactionType.Hold)
  // Where nothing is missing, it is known before it is written what the lines are afterwards.
  const known = applyMovesToLines(before, moves)
  const [posted] = await Promise.all([
    post(tx, locked, source, moves),
    isMissing || emitLineChanges(tx, told, consignments, before, known),
  ])
  const { movementId, effectiveUtc, picked } = outcome(posted)
  if (isMissing)
    await reallocateMissing(
      tx,
      locked,
      { source, inOrder: jobId === null ? null : ids },
      entries.filter((_, n) => picks[n]?.reallocate !== false && picked[n]?.inventoryHoldId),
    )
  return {
    movementId,
    effectiveUtc,
    picks: picked.map(one => ({ ...one, quantity: numberOf(one.quantity) })),
    lines: isMissing ? await publishLineChanges(tx, told, consignments, before) : known,
  }
}

/**
 * What is promised of the rows that entries name by their ids; undefined where one names its row otherwise.
 */
async function promisesOfNamed(
  tx: Tx,
  organisationId: string,
  picks: readonly RequestedPick[],
): Promise<AllocationLookup | undefined> {
  const named = picks.flatMap(({ consignmentProductId: lineId, warehouseProductId, isOverride }) =>
    warehouseProductId ? [{ lineId, warehouseProductId, isOverride: isOverride ?? false }] : [],
  )
  if (named.length < picks.length) return undefined
  return readPromisesForPicks(tx, organisationId, named)
}

/** The units that goods are taken from and put on. */
const unitsOf = (picks: readonly RequestedPick[], rows: readonly (StockRow | Problem)[]) => ({
  ids: rows.flatMap(row => (isProblem(row) ? [] : (row.logisticUnitId ?? []))),
  named: picks.flatMap(({ toLogisticUnit: unit }, n) => {
    const row = rows[n]
    return unit && row && !isProblem(row) ? [{ partnerId: row.partnerId, unit }] : []
  }),
})

const eventSource = ({ connectionId, userId, requestId }: Context['source'], organisationId: string) => ({
  organisationId,
  connectionId: connectionId as string,
  userId: userId as string,
  requestId,
})

/** A consignment with where its goods go when nobody says: its own place, else the warehouse's, if any. */
export interface ConfiguredDock {
  id: string
  locationId: string | null
}

/** Reads where the goods of consignments go. */
export const readDocks = (
  tx: Tx,
  organisationId: string,
  ids: readonly string[],
): Promise<ConfiguredDock[]> =>
  tx.rows(sql`
    select c.id, coalesce(c.default_dispatch_location_id, w.default_dispatch_location_id) as location_id
    from consignment c
    join warehouse w on w.organisation_id = c.organisation_id and w.id = c.warehouse_id
    where c.organisation_id = ${organisationId} and c.id = any(${ids})`)

/** The same, by consignment, with a place that is made where the warehouse has none. */
export async function docksByConsignment(
  tx: Tx,
  consignments: readonly LockedOutwards[],
  known?: readonly ConfiguredDock[],
): Promise<Map<string, string>> {
  const { organisationId, warehouseId } = consignments[0] as LockedOutwards
  const ids = consignments.map(({ id }) => id)
  const own = known ?? (await readDocks(tx, organisationId, ids))
  const usual = own.every(({ locationId }) => locationId !== null)
    ? null
    : await defaultLocationOf(tx, organisationId, warehouseId, 'dispatch')
  return new Map(own.map(({ id, locationId }) => [id, locationId ?? (usual as string)]))
}

interface Given {
  docks: ReadonlyMap<string, string>
  lines: readonly OutwardLine[]
  rows: readonly (StockRow | Problem)[]
  picks: readonly RequestedPick[]
  warehouseId: string
  location: (reference: LocationReference) => StockLocation | undefined
}

/**
 * The entries with all that they name. Those that name what there is not are told of and are not to be used.
 */
async function entriesOf(
  tx: Tx,
  locked: LockedStock,
  { docks, lines, rows, picks, warehouseId, location }: Given,
  refuse: ReportEntryFault,
): Promise<TargetedPick[]> {
  const { organisationId } = locked
  const byId = new Map(lines.map(line => [line.id, line]))
  // Only other units than items and new logistic units need to know more of products.
  const products = await findProducts(
    tx,
    organisationId,
    picks.flatMap(({ consignmentProductId, unitTypeId, toLogisticUnit }) =>
      unitTypeId || toLogisticUnit ? (byId.get(consignmentProductId)?.productId ?? []) : [],
    ),
  )
  const places = picks.map(entry => {
    const named = targetOf(warehouseId, entry)
    const line = byId.get(entry.consignmentProductId)
    return hasLocation(named) || line === undefined
      ? named
      : { warehouseId, warehouseLocationId: docks.get(line.consignmentId) }
  })
  const units = await resolveTargetUnits(
    tx,
    locked,
    picks.map((entry, n) => unitRequestFor(entry, rows[n], products)),
    refuse,
  )
  return picks.flatMap((entry, n) => {
    const line = byId.get(entry.consignmentProductId)
    const row = rows[n] as StockRow | Problem
    const target = location(places[n] as (typeof places)[number])
    if (line === undefined)
      refuse(n, 'consignmentProductId names no line of the consignment', 'unknown_reference')
    if (isProblem(row)) refuse(n, ...row)
    if (line !== undefined && target === undefined) refuse(n, ...unknownTarget)
    if (line === undefined || isProblem(row) || target === undefined) return []
    const fault = refusalOfDock(target, row.productId)
    if (fault !== null) refuse(n, `${target.name} ${fault}`, 'state')
    const product = products.get(line.productId) ?? { code: line.productCode, chain: [] }
    const quantity =
      entry.quantity === undefined || entry.quantity === null
        ? null
        : toItems(product, { quantity: entry.quantity, unitTypeId: entry.unitTypeId }, (...why) =>
            refuse(n, ...why),
          )
    const unit = units[n]
    if (unit) placeUnit(unit, target, (...fault) => refuse(n, ...fault))
    return [
      {
        ...{ line, row, target },
        quantity: quantity ?? null,
        serials: entry.serials ?? [],
        inventoryAllocationId: entry.inventoryAllocationId,
        isShort: entry.isShort ?? false,
        isOverride: entry.isOverride ?? false,
        reason: entry.reason || null,
        unit: entry.toLogisticUnit === null ? null : unit,
      },
    ]
  })
}

/** Puts a unit that stands nowhere yet into a location, and refuses one that stands in another. */
function placeUnit(unit: TargetUnit, target: StockLocation, refuse: ReportFault): void {
  if (unit.standsAt === null) unit.warehouseLocationId = target.id
  else if (unit.standsAt !== target.id)
    refuse(
      `the logistic unit ${unit.known?.logisticUnitNumber} stands in another location than ${target.name}`,
      'state',
    )
}

/** Why picked goods cannot be put into a location; null where they can. */
export const refusalOfDock = (target: StockLocation, productId: string): string | null =>
  target.type === LocationType.Quarantine
    ? 'is in quarantine, where nothing can be promised'
    : placementRefusal(target, productId)

const unitRequestFor = (
  { toLogisticUnit }: RequestedPick,
  row: StockRow | Problem | undefined,
  products: Awaited<ReturnType<typeof findProducts>>,
): UnitRequest | null =>
  toLogisticUnit && row && !isProblem(row)
    ? {
        unit: toLogisticUnit,
        partnerId: row.partnerId,
        warehouseId: row.warehouseId,
        gs1CompanyPrefix: products.get(row.productId)?.gs1CompanyPrefix ?? null,
      }
    : null

/** Looks elsewhere for what was missing; for jobs in the order of their consignments. */
async function reallocateMissing(
  tx: Tx,
  locked: LockedStock,
  { source, inOrder }: { source: MovementSource; inOrder: readonly string[] | null },
  entries: readonly TargetedPick[],
): Promise<void> {
  const ofConsignment = Map.groupBy(entries, ({ line }) => line.consignmentId)
  if (ofConsignment.size === 0) return
  const ids = (inOrder ?? [...ofConsignment.keys()]).filter(id => ofConsignment.has(id))
  const short = await readOutwardLines(tx, locked.organisationId, ids)
  const lacking = new Map(short.map(line => [line.id, shortageOf(line)]))
  await allocateLines(
    tx,
    locked,
    ids.map(consignmentId => ({
      consignmentId,
      quantities: new Map(
        (ofConsignment.get(consignmentId) ?? []).map(({ line }) => [line.id, lacking.get(line.id) ?? 0n]),
      ),
      source,
    })),
    { inGivenOrder: inOrder !== null },
  )
}
