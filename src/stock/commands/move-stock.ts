// Carries out one transfer: moves rows, parts of rows and whole logistic units to other locations of their
// warehouse. Spec 2.14.

import type { Tx } from '../../platform/database/db.ts'
import {
  collectEntryFaults,
  type FieldFault,
  isFieldFault,
  type ReportEntryFault,
} from '../../platform/http/entry-faults.ts'
import { newId } from '../../platform/new-id.ts'
import { TransactionType } from '../../vocabulary/stock.ts'
import { LocationType, WarehouseStatus } from '../../vocabulary/warehouses.ts'
import { listConsignmentNumbers, moveAllocations } from '../inventory/allocations.ts'
import { moveUnits } from '../ledger/move-units.ts'
import type { MovementSource } from '../ledger/movement.ts'
import { post } from '../ledger/post.ts'
import { findOrCreateStockRows } from '../ledger/stock-identity.ts'
import {
  createAndMoveUnits,
  type DestinationUnit,
  resolveDestinationUnits,
} from '../logistic-units/destination-units.ts'
import { resolveUnitLocation } from '../logistic-units/unit-location.ts'
import type { UnitReference } from '../logistic-units/unit-references.ts'
import {
  findLocations,
  hasLocation,
  type LocationReference,
  placementRefusal,
  type StockLocation,
  targetOf,
  unknownLocation,
} from './location-reference.ts'
import { lockSelectedStock, type SelectedStock, type StockOrUnitSelector } from './lock-selected-stock.ts'
import { planTake, type StockPart, type TakenPart, type TakeRequest } from './plan-take.ts'
import { numberOf } from './quantities.ts'
import { identityOf, type StockRow } from './read-stock-rows.ts'
import { findProducts } from './stock-products.ts'

export interface Transfer extends StockOrUnitSelector, StockPart {
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

/** Where the goods of an entry go: to a location, and there loose, on their own unit or on another one. */
interface Destination {
  warehouseLocationId: string
  /** the unit that is moved as a whole */
  logisticUnitId: string | null
  /** the unit that the goods are put on */
  targetUnit: DestinationUnit | null
}

/** The response of a transfer, with one element of `transfers` for each entry. */
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

/** Moves the stock of all entries. Throws 400 with every fault of every entry. */
export async function moveStock(
  tx: Tx,
  { organisationId, source, occurredUtc }: MoveContext,
  transfers: readonly Transfer[],
): Promise<TransferResult> {
  const { refuse, throwIfAny } = collectEntryFaults('transfers')
  const entries = await lockSelectedStock(tx, organisationId, transfers)
  const { locked } = entries
  const requests = toTakeRequests(transfers, entries, refuse)
  const destinations = await findDestinations(tx, organisationId, transfers, entries, refuse)
  const parts = await planTake(tx, organisationId, requests, { all: 'everything' }, refuse)
  await refuseDestinations(tx, entries, parts, destinations, refuse)
  refuseMovingTargets(transfers, destinations, refuse)
  throwIfAny()

  const targetUnits = [...destinations.values()].flatMap(({ targetUnit }) => targetUnit ?? [])
  const unitIds = await createAndMoveUnits(tx, locked, new Set(targetUnits))
  const unitIdOf = (n: number): string | null => {
    const { targetUnit, logisticUnitId } = destinations.get(n) as Destination
    return targetUnit ? (unitIds.get(targetUnit) as string) : logisticUnitId
  }
  const locationIdOf = (n: number) => (destinations.get(n) as Destination).warehouseLocationId
  const targets = await findOrCreateStockRows(
    tx,
    locked,
    parts.map(({ n, row }) => ({
      ...identityOf(row),
      warehouseLocationId: locationIdOf(n),
      logisticUnitId: unitIdOf(n),
    })),
  )
  await moveUnits(
    tx,
    locked,
    transfers.flatMap((_, n) => {
      const unit = entries.unitOf(n)
      if (unit === undefined) return []
      return [
        { logisticUnitId: unit.id, warehouseId: unit.warehouseId, warehouseLocationId: locationIdOf(n) },
      ]
    }),
  )
  const movementId = newId()
  const [posted] = await post(
    tx,
    locked,
    source,
    parts.map((part, i) => ({ ...toMove(part, targets[i] as string), movementId, occurredUtc })),
  )
  return {
    movementId,
    effectiveUtc: posted?.effectiveUtc ?? occurredUtc ?? new Date().toISOString(),
    transfers: transfers.map((_, n) => ({
      ...summariseEntry(n, parts, targets),
      warehouseLocationId: locationIdOf(n),
      logisticUnitId: unitIdOf(n),
    })),
  }
}

const toMove = ({ row, quantity, items, allocations }: TakenPart, to: string) => ({
  type: TransactionType.Transfer,
  from: row.id,
  to,
  quantity,
  items,
  allocations: moveAllocations(allocations),
})

/** The quantity that an entry moved, and the rows that hold it now. */
const summariseEntry = (entry: number, parts: readonly TakenPart[], targets: readonly string[]) => ({
  quantity: numberOf(parts.reduce((sum, { n, quantity }) => (n === entry ? sum + quantity : sum), 0n)),
  warehouseProductIds: parts.flatMap(({ n }, i) => (n === entry ? [targets[i] as string] : [])),
})

/** The parts of rows that entries request. An entry that names a unit requests all rows on it. */
function toTakeRequests(
  transfers: readonly Transfer[],
  entries: SelectedStock,
  refuse: ReportEntryFault,
): TakeRequest[] {
  const movedUnitIds = new Set<string>()
  return transfers.flatMap((entry, n): TakeRequest[] => {
    if (!entry.logisticUnitId) {
      const row = entries.rowOf(n)
      if (!isFieldFault(row)) return [{ n, row, part: entry }]
      refuse(n, ...row)
      return []
    }
    const unit = entries.unitOf(n)
    if (unit === undefined) {
      refuse(n, `there is no logistic unit ${entry.logisticUnitId}`, 'unknown_reference')
      return []
    }
    if (movedUnitIds.has(unit.id)) {
      refuse(n, `the logistic unit ${unit.logisticUnitNumber} is moved already`, 'duplicate')
      return []
    }
    movedUnitIds.add(unit.id)
    return unit.rows.map(row => ({ n, row, part: {} }))
  })
}

/** Finds where the goods of each entry go. An entry without a valid destination is left out, and reported. */
async function findDestinations(
  tx: Tx,
  organisationId: string,
  transfers: readonly Transfer[],
  entries: SelectedStock,
  refuse: ReportEntryFault,
): Promise<Map<number, Destination>> {
  const rows = transfers.map((entry, n) => {
    const row = entry.logisticUnitId ? undefined : entries.rowOf(n)
    return isFieldFault(row) ? undefined : row
  })
  const references = transfers.map((entry, n): LocationReference | undefined => {
    const source = rows[n] ?? entries.unitOf(n)
    return source && targetOf(source.warehouseId, entry)
  })
  const locationOf = await findLocations(
    tx,
    organisationId,
    references.filter(reference => reference !== undefined),
  )
  const targetUnits = await findTargetUnits(tx, entries, transfers, rows, refuse)
  const destinations = new Map<number, Destination>()
  for (const [n, entry] of transfers.entries()) {
    const [row, reference, targetUnit] = [rows[n], references[n], targetUnits[n]]
    if (reference === undefined || (row && entry.toLogisticUnit && targetUnit === undefined)) continue
    const location = hasLocation(reference) ? locationOf(reference) : null
    if (location === undefined) {
      refuse(n, ...unknownLocation(reference))
    } else if (row && targetUnit) {
      const locationId = location?.id ?? null
      const to = resolveUnitLocation(targetUnit, locationId, row.warehouseLocationId, (...fault) =>
        refuse(n, ...fault),
      )
      if (to) destinations.set(n, { warehouseLocationId: to, logisticUnitId: null, targetUnit })
    } else if (location === null) {
      refuse(n, 'say where to, by toWarehouseLocationId, toLocationName or toLogisticUnit', 'required')
    } else {
      const logisticUnitId = entries.unitOf(n)?.id ?? null
      destinations.set(n, { warehouseLocationId: location.id, logisticUnitId, targetUnit: null })
    }
  }
  return destinations
}

/** Finds the unit that the goods of each entry are put on, by entry; undefined if it is to be put on none. */
async function findTargetUnits(
  tx: Tx,
  { locked }: SelectedStock,
  transfers: readonly Transfer[],
  rows: readonly (StockRow | undefined)[],
  refuse: ReportEntryFault,
): Promise<(DestinationUnit | undefined)[]> {
  const products = await findProducts(
    tx,
    locked.organisationId,
    rows.flatMap((row, n) => (row && transfers[n]?.toLogisticUnit ? [row.productId] : [])),
  )
  const unitRequests = rows.map((row, n) => {
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
  return resolveDestinationUnits(tx, locked, unitRequests, refuse)
}

/** Refuses the entries whose goods or empty units cannot be put into their destination. */
async function refuseDestinations(
  tx: Tx,
  { locked, unitOf }: SelectedStock,
  parts: readonly TakenPart[],
  destinations: ReadonlyMap<number, Destination>,
  refuse: ReportEntryFault,
): Promise<void> {
  const emptyUnits = [...destinations.keys()].flatMap(n => {
    const unit = unitOf(n)
    return unit?.rows.length === 0 ? [{ n, warehouseId: unit.warehouseId }] : []
  })
  const moved = [...parts.map(({ n, row }) => ({ n, warehouseId: row.warehouseId })), ...emptyUnits]
  const references = moved.flatMap(({ n, warehouseId }) => {
    const to = destinations.get(n)
    return to ? [{ warehouseId, warehouseLocationId: to.warehouseLocationId }] : []
  })
  const locationOf = await findLocations(tx, locked.organisationId, references)
  for (const { n, warehouseId } of emptyUnits) {
    const { warehouseLocationId } = destinations.get(n) as Destination
    const { name, status } = locationOf({ warehouseId, warehouseLocationId }) as StockLocation
    if (status === WarehouseStatus.Inactive) refuse(n, `${name} is Inactive`, 'wrong_place')
  }
  for (const part of parts) {
    const to = destinations.get(part.n)
    if (to === undefined) continue
    const { warehouseLocationId } = to
    const location = locationOf({ warehouseId: part.row.warehouseId, warehouseLocationId }) as StockLocation
    for (const refusal of destinationRefusals(part, to, location)) refuse(part.n, ...refusal)
  }
}

/** Refuses entries that put goods onto a unit that the same request moves as a whole. */
function refuseMovingTargets(
  transfers: readonly Transfer[],
  destinations: ReadonlyMap<number, Destination>,
  refuse: ReportEntryFault,
): void {
  const movedUnitIds = new Set(transfers.map(({ logisticUnitId }) => logisticUnitId))
  for (const [n, { targetUnit }] of destinations) {
    if (targetUnit?.known && movedUnitIds.has(targetUnit.known.id))
      refuse(n, 'the logistic unit that it goes onto is moved by the same request', 'invalid')
  }
}

/** Why goods cannot go to their destination. A unit gets these refusals for each row on it. */
function destinationRefusals(
  { row, allocations }: TakenPart,
  { warehouseLocationId, logisticUnitId, targetUnit }: Destination,
  location: StockLocation,
): FieldFault[] {
  const unitId = targetUnit ? targetUnit.known?.id : logisticUnitId
  const isThere = row.warehouseLocationId === warehouseLocationId && row.logisticUnitId === unitId
  if (isThere) return [[`${row.productCode} is in ${location.name} like that already`, 'wrong_place']]
  const refusal = placementRefusal(location, row.productId)
  const isAllocated = location.type === LocationType.Quarantine && allocations.length > 0
  return [
    ...(refusal ? [[`${location.name} ${refusal}`, 'wrong_place'] satisfies FieldFault] : []),
    ...(isAllocated
      ? [
          [
            `${numberOf(row.allocated)} of ${row.productCode} are allocated to ` +
              `${listConsignmentNumbers(allocations)}, and ${location.name} is a location of quarantine`,
            'allocated',
          ] satisfies FieldFault,
        ]
      : []),
  ]
}
