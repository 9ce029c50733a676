// Carries out transfers: moves rows, parts of rows and whole logistic units to other locations of their
// warehouse. Any number of requests is read, and written, with the same few statements. Spec 2.14.

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
import { noSharedSource } from '../ledger/movement.ts'
import { post } from '../ledger/post.ts'
import { findOrCreateStockRows } from '../ledger/stock-identity.ts'
import type { LockedStock } from '../ledger/stock-lock.ts'
import { createAndMoveUnits, type DestinationUnit } from '../logistic-units/destination-units.ts'
import { resolveUnitLocation } from '../logistic-units/unit-location.ts'
import { Postponed } from './command-kind.ts'
import {
  hasLocation,
  placementRefusal,
  type StockLocation,
  targetOf,
  unknownLocation,
} from './location-reference.ts'
import type { WholeUnit } from './lock-selected-stock.ts'
import type { TakenPart, TakeRequest } from './plan-take.ts'
import { numberOf } from './quantities.ts'
import type { MoveRequest, MoveSnapshot, SelectedTransfers, Transfer } from './read-moves.ts'
import { identityOf } from './read-stock-rows.ts'

/** A request that is planned and not yet written. */
export interface PlannedMove {
  request: MoveRequest
  parts: readonly TakenPart[]
  destinations: ReadonlyMap<number, Destination>
  units: readonly (WholeUnit | undefined)[]
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

/**
 * Plans a request and takes its goods off the snapshot. Throws 400 with every fault of every entry, and
 * `Postponed` if it depends on what earlier requests move.
 */
export function planMove(snapshot: MoveSnapshot, request: MoveRequest): PlannedMove {
  const { takes, touched, usedUnits } = snapshot
  const { transfers, occurredUtc } = request
  const selected = snapshot.selected.get(request) as SelectedTransfers
  const { refuse, throwIfAny } = collectEntryFaults('transfers')
  const requests = toTakeRequests(transfers, selected, refuse)
  const isOutdated = requests.some(({ row }) => touched.isOutdated(row, occurredUtc !== null))
  const dependsOnUnits = usedUnits.areUsed(selected.units)
  if (isOutdated || dependsOnUnits || touched.mayMatchAnew(transfers)) throw new Postponed()
  const destinations = findDestinations(snapshot, transfers, selected, refuse)
  const { parts, keep } = takes.plan(requests, 'everything', refuse)
  refuseDestinations(snapshot, selected, parts, destinations, refuse)
  refuseMovingTargets(transfers, destinations, refuse)
  throwIfAny()
  keep()
  for (const { n, row } of parts) {
    const { warehouseLocationId, logisticUnitId, targetUnit } = destinations.get(n) as Destination
    touched.take(row)
    if (targetUnit === null) touched.fill({ ...identityOf(row), warehouseLocationId, logisticUnitId })
  }
  usedUnits.use(selected.units)
  return { request, parts, destinations, units: transfers.map((_, n) => selected.unitOf(n)) }
}

/** Writes planned requests. Returns their responses in the same order. */
export async function writeMoves(
  tx: Tx,
  locked: LockedStock,
  planned: readonly PlannedMove[],
): Promise<TransferResult[]> {
  const targetUnits = planned.flatMap(({ destinations }) =>
    [...destinations.values()].flatMap(({ targetUnit }) => targetUnit ?? []),
  )
  const unitIds = await createAndMoveUnits(tx, locked, new Set(targetUnits))
  const unitIdOf = ({ targetUnit, logisticUnitId }: Destination): string | null =>
    targetUnit ? (unitIds.get(targetUnit) as string) : logisticUnitId
  const goods = planned.flatMap(({ request, parts, destinations }) => {
    const movementId = newId()
    return parts.map(part => ({ part, movementId, request, to: destinations.get(part.n) as Destination }))
  })
  const targets = await findOrCreateStockRows(
    tx,
    locked,
    goods.map(({ part: { row }, to }) => ({
      ...identityOf(row),
      warehouseLocationId: to.warehouseLocationId,
      logisticUnitId: unitIdOf(to),
    })),
  )
  await moveUnits(tx, locked, planned.flatMap(unitMovesOf))
  const posted = await post(
    tx,
    locked,
    noSharedSource,
    goods.map(({ part, movementId, request: { occurredUtc, source } }, i) => ({
      ...toMove(part, targets[i] as string),
      ...{ movementId, occurredUtc, source },
    })),
  )
  const times = new Map(posted.map(({ movementId, effectiveUtc }) => [movementId, effectiveUtc]))
  return planned.map(({ request, destinations }) => {
    const own = goods.flatMap((one, i) => (one.request === request ? [{ ...one, target: targets[i] }] : []))
    const movementId = own[0]?.movementId ?? newId()
    return {
      movementId,
      effectiveUtc: times.get(movementId) ?? request.occurredUtc ?? new Date().toISOString(),
      transfers: request.transfers.map((_, n) => {
        const parts = own.filter(({ part }) => part.n === n)
        const to = destinations.get(n) as Destination
        return {
          quantity: numberOf(parts.reduce((sum, { part }) => sum + part.quantity, 0n)),
          warehouseProductIds: parts.map(({ target }) => target as string),
          warehouseLocationId: to.warehouseLocationId,
          logisticUnitId: unitIdOf(to),
        }
      }),
    }
  })
}

/** Where the units go that a request moves as a whole. */
const unitMovesOf = ({ units, destinations }: PlannedMove) =>
  units.flatMap((unit, n) => {
    if (unit === undefined) return []
    const { warehouseLocationId } = destinations.get(n) as Destination
    return [{ logisticUnitId: unit.id, warehouseId: unit.warehouseId, warehouseLocationId }]
  })

const toMove = ({ row, quantity, items, allocations }: TakenPart, to: string) => ({
  type: TransactionType.Transfer,
  from: row.id,
  to,
  quantity,
  items,
  allocations: moveAllocations(allocations),
})

/** The parts of rows that entries request. An entry that names a unit requests all rows on it. */
function toTakeRequests(
  transfers: readonly Transfer[],
  entries: SelectedTransfers,
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
function findDestinations(
  { location: locationOf }: MoveSnapshot,
  transfers: readonly Transfer[],
  { rowOf, unitOf, units }: SelectedTransfers,
  refuse: ReportEntryFault,
): Map<number, Destination> {
  for (const fault of units.faults) refuse(...fault)
  const destinations = new Map<number, Destination>()
  for (const [n, entry] of transfers.entries()) {
    const found = entry.logisticUnitId ? undefined : rowOf(n)
    const row = isFieldFault(found) ? undefined : found
    const source = row ?? unitOf(n)
    const reference = source && targetOf(source.warehouseId, entry)
    const targetUnit = units.units[n]
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
      const logisticUnitId = unitOf(n)?.id ?? null
      destinations.set(n, { warehouseLocationId: location.id, logisticUnitId, targetUnit: null })
    }
  }
  return destinations
}

/** Refuses the entries whose goods or empty units cannot be put into their destination. */
function refuseDestinations(
  { location: locationOf }: MoveSnapshot,
  { unitOf }: SelectedTransfers,
  parts: readonly TakenPart[],
  destinations: ReadonlyMap<number, Destination>,
  refuse: ReportEntryFault,
): void {
  const emptyUnits = [...destinations.keys()].flatMap(n => {
    const unit = unitOf(n)
    return unit?.rows.length === 0 ? [{ n, warehouseId: unit.warehouseId }] : []
  })
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
