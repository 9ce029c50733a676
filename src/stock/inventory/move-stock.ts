// One transfer: rows, parts of rows and whole units go to other places of their warehouse. Spec 2.14.

import type { Tx } from '../../platform/database/db.ts'
import { collectEntryFaults, isProblem, type ReportEntryFault } from '../../platform/http/entry-faults.ts'
import { newId } from '../../platform/new-id.ts'
import { LocationType } from '../../warehouses/enumerations.ts'
import { TransactionType } from '../enumerations.ts'
import type { MovementSource } from '../ledger/movement.ts'
import { placeUnits } from '../ledger/place-units.ts'
import { post } from '../ledger/post.ts'
import { findOrMakeRows } from '../ledger/stock-row.ts'
import { createAndPlaceUnits, resolveTargetUnits, type TargetUnit } from '../logistic-units/target-units.ts'
import { decideUnitLocation } from '../logistic-units/unit-location.ts'
import type { UnitReference } from '../logistic-units/unit-references.ts'
import { listConsignmentNumbers, moveAllocations } from './allocations.ts'
import {
  findLocations,
  hasLocation,
  type LocationReference,
  placementRefusal,
  type StockLocation,
  targetOf,
  unknownLocation,
} from './location-reference.ts'
import { type EntrySelector, type LockedEntries, lockEntries } from './lock-entries.ts'
import { numberOf } from './quantities.ts'
import { findProducts } from './stock-products.ts'
import { identityOf, type StockRow } from './stock-rows.ts'
import { type Part, type TakenPart, type TakeRequest, take } from './take.ts'

/** An entry of a transfer. */
export interface Transfer extends EntrySelector, Part {
  toWarehouseLocationId?: string | null
  toLocationName?: string | null
  toLogisticUnit?: UnitReference | null
}

/** Who moves stock, and when. */
export interface MoveContext {
  organisationId: string
  source: MovementSource
  occurredUtc: string | null
}

/** Where the goods of an entry come to lie: a location, and there loose, on their unit or on another. */
interface Destination {
  warehouseLocationId: string
  /** the unit that is moved whole */
  logisticUnitId: string | null
  filled: TargetUnit | null
}

/** What was moved, as the answer tells it. */
export interface TransferResult {
  movementId: string
  effectiveUtc: string
  transfers: {
    quantity: number
    warehouseLocationId: string
    logisticUnitId: string | null
    warehouseProductIds: string[]
  }[]
}

/** Moves what entries name. Throws 400 with a sentence for everything that cannot be moved so. */
export async function moveStock(
  tx: Tx,
  { organisationId, source, occurredUtc }: MoveContext,
  transfers: readonly Transfer[],
): Promise<TransferResult> {
  const { refuse, throwIfAny } = collectEntryFaults('transfers')
  const named = await lockEntries(tx, organisationId, transfers)
  const { locked } = named
  const wanted = toTakeRequests(transfers, named, refuse)
  const destinations = await findDestinations(tx, organisationId, transfers, named, refuse)
  const takings = await take(tx, organisationId, wanted, { all: 'everything' }, refuse)
  await refusePlaces(tx, organisationId, takings, destinations, refuse)
  refuseMovingTargets(transfers, destinations, refuse)
  throwIfAny()

  const units = [...destinations.values()].flatMap(({ filled }) => filled ?? [])
  const filled = await createAndPlaceUnits(tx, locked, new Set(units))
  const unitOf = (n: number): string | null => {
    const to = destinations.get(n) as Destination
    return to.filled ? (filled.get(to.filled) as string) : to.logisticUnitId
  }
  const placeOf = (n: number) => (destinations.get(n) as Destination).warehouseLocationId
  const targets = await findOrMakeRows(
    tx,
    locked,
    takings.map(({ n, row }) => ({
      ...identityOf(row),
      warehouseLocationId: placeOf(n),
      logisticUnitId: unitOf(n),
    })),
  )
  await placeUnits(
    tx,
    locked,
    transfers.flatMap((_, n) => {
      const unit = named.unitOf(n)
      if (unit === undefined) return []
      return [{ logisticUnitId: unit.id, warehouseId: unit.warehouseId, warehouseLocationId: placeOf(n) }]
    }),
  )
  const movementId = newId()
  const [posted] = await post(
    tx,
    locked,
    source,
    takings.map((taking, i) => ({ ...transferOf(taking, targets[i] as string), movementId, occurredUtc })),
  )
  return {
    movementId,
    effectiveUtc: posted?.effectiveUtc ?? occurredUtc ?? new Date().toISOString(),
    transfers: transfers.map((_, n) => ({
      ...movedByEntry(n, takings, targets),
      warehouseLocationId: placeOf(n),
      logisticUnitId: unitOf(n),
    })),
  }
}

const transferOf = ({ row, quantity, items, allocations: promises }: TakenPart, to: string) => ({
  type: TransactionType.Transfer,
  from: row.id,
  to,
  quantity,
  items,
  allocations: moveAllocations(promises),
})

/** What an entry has brought where it is now. */
const movedByEntry = (entry: number, takings: readonly TakenPart[], targets: readonly string[]) => ({
  quantity: numberOf(takings.reduce((sum, { n, quantity }) => (n === entry ? sum + quantity : sum), 0n)),
  warehouseProductIds: takings.flatMap(({ n }, i) => (n === entry ? [targets[i] as string] : [])),
})

/** The parts of rows that entries ask for; of a whole unit all rows on it. */
function toTakeRequests(
  transfers: readonly Transfer[],
  named: LockedEntries,
  refuse: ReportEntryFault,
): TakeRequest[] {
  const units = new Set<string>()
  return transfers.flatMap((entry, n): TakeRequest[] => {
    if (!entry.logisticUnitId) {
      const row = named.rowOf(n)
      if (!isProblem(row)) return [{ n, row, part: entry }]
      refuse(n, ...row)
      return []
    }
    const unit = named.unitOf(n)
    if (unit === undefined) {
      refuse(n, `there is no logistic unit ${entry.logisticUnitId}`, 'unknown_reference')
      return []
    }
    if (units.has(unit.id)) {
      refuse(n, `the logistic unit ${unit.logisticUnitNumber} is moved already`, 'duplicate')
      return []
    }
    units.add(unit.id)
    return unit.rows.map(row => ({ n, row, part: {} }))
  })
}

/** Where the goods of each entry go. */
async function findDestinations(
  tx: Tx,
  organisationId: string,
  transfers: readonly Transfer[],
  named: LockedEntries,
  refuse: ReportEntryFault,
): Promise<Map<number, Destination>> {
  const rows = transfers.map((entry, n) => {
    const row = entry.logisticUnitId ? undefined : named.rowOf(n)
    return isProblem(row) ? undefined : row
  })
  const references = transfers.map((entry, n): LocationReference | undefined => {
    const source = rows[n] ?? named.unitOf(n)
    return source && targetOf(source.warehouseId, entry)
  })
  const given = references.filter(reference => reference !== undefined)
  const find = await findLocations(tx, organisationId, given)
  const filled = await resolveTargetUnits(tx, named, transfers, rows, refuse)
  const destinations = new Map<number, Destination>()
  for (const [n, entry] of transfers.entries()) {
    const [row, reference, unit] = [rows[n], references[n], filled[n]]
    if (reference === undefined || (row && entry.toLogisticUnit && unit === undefined)) continue
    const place = hasLocation(reference) ? find(reference) : null
    if (place === undefined) {
      refuse(n, ...unknownLocation(reference))
    } else if (row && unit) {
      const to = decideUnitLocation(unit, place?.id ?? null, row.warehouseLocationId, (...fault) =>
        refuse(n, ...fault),
      )
      if (to) destinations.set(n, { warehouseLocationId: to, logisticUnitId: null, filled: unit })
    } else if (place === null) {
      refuse(n, 'say where to, by toWarehouseLocationId, toLocationName or toLogisticUnit', 'required')
    } else {
      const logisticUnitId = named.unitOf(n)?.id ?? null
      destinations.set(n, { warehouseLocationId: place.id, logisticUnitId, filled: null })
    }
  }
  return destinations
}

/** The units that goods are put on, for the entries in their places. */
async function resolveTargetUnits(
  tx: Tx,
  { locked }: LockedEntries,
  transfers: readonly Transfer[],
  rows: readonly (StockRow | undefined)[],
  refuse: ReportEntryFault,
): Promise<(TargetUnit | undefined)[]> {
  const products = await findProducts(
    tx,
    locked.organisationId,
    rows.flatMap((row, n) => (row && transfers[n]?.toLogisticUnit ? [row.productId] : [])),
  )
  const wishes = rows.map((row, n) => {
    const unit = transfers[n]?.toLogisticUnit
    if (!row || !unit) return null
    const { partnerId, warehouseId, productId } = row
    return {
      unit,
      partnerId,
      warehouseId,
      gs1CompanyPrefix: products.get(productId)?.gs1CompanyPrefix ?? null,
    }
  })
  return resolveTargetUnits(tx, locked, wishes, refuse)
}

/** Refuses places that rows cannot go to. */
async function refusePlaces(
  tx: Tx,
  organisationId: string,
  takings: readonly TakenPart[],
  destinations: ReadonlyMap<number, Destination>,
  refuse: ReportEntryFault,
): Promise<void> {
  const places = takings.flatMap(({ n, row }) => {
    const to = destinations.get(n)
    return to ? [{ warehouseId: row.warehouseId, warehouseLocationId: to.warehouseLocationId }] : []
  })
  const find = await findLocations(tx, organisationId, places)
  for (const taking of takings) {
    const to = destinations.get(taking.n)
    if (to === undefined) continue
    const { warehouseLocationId } = to
    const location = find({ warehouseId: taking.row.warehouseId, warehouseLocationId }) as StockLocation
    for (const refusal of placeRefusals(taking, to, location)) refuse(taking.n, refusal, 'state')
  }
}

/** A unit that is moved as a whole takes along what lies on it, and nothing that comes onto it. */
function refuseMovingTargets(
  transfers: readonly Transfer[],
  destinations: ReadonlyMap<number, Destination>,
  refuse: ReportEntryFault,
): void {
  const moved = new Set(transfers.map(({ logisticUnitId }) => logisticUnitId?.toLowerCase()))
  for (const [n, { filled }] of destinations) {
    if (filled?.known && moved.has(filled.known.id))
      refuse(n, 'the logistic unit that it goes onto is moved by the same request', 'invalid')
  }
}

/** Why goods cannot go where an entry wants them; told for each row of a unit. */
function placeRefusals(
  { row, allocations: promises }: TakenPart,
  { warehouseLocationId, logisticUnitId, filled }: Destination,
  location: StockLocation,
): string[] {
  const unitId = filled ? filled.known?.id : logisticUnitId
  const isThere = row.warehouseLocationId === warehouseLocationId && row.logisticUnitId === unitId
  if (isThere) return [`${row.productCode} is in ${location.name} like that already`]
  const refusal = placementRefusal(location, row.productId)
  const isPromised = location.type === LocationType.Quarantine && promises.length > 0
  return [
    ...(refusal ? [`${location.name} ${refusal}`] : []),
    ...(isPromised
      ? [
          `${numberOf(row.allocated)} of ${row.productCode} are allocated to ` +
            `${listConsignmentNumbers(promises)}, and ${location.name} is a location of quarantine`,
        ]
      : []),
  ]
}
