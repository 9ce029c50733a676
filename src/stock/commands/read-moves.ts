// Reads what transfers are planned from: the rows, units and locations that their entries name. Spec 2.14.

import type { Tx } from '../../platform/database/db.ts'
import { type FieldFault, isFieldFault } from '../../platform/http/entry-faults.ts'
import type { MovementSource } from '../ledger/movement.ts'
import type { LockedStock } from '../ledger/stock-lock.ts'
import {
  type DestinationUnit,
  type ResolvedUnits,
  resolveUnitsOfCommands,
  type UnitRequest,
  type UnitsOfCommand,
  UsedUnits,
} from '../logistic-units/destination-units.ts'
import { forgetPlacesOfLeft } from '../logistic-units/unit-location.ts'
import { lockUnits, type UnitReference } from '../logistic-units/unit-references.ts'
import { findLocations, type LocationReference, type StockLocation, targetOf } from './location-reference.ts'
import { readUnits, type StockOrUnitSelector, type WholeUnit } from './lock-selected-stock.ts'
import { readTakeState, type StockPart, type TakeState } from './plan-take.ts'
import type { StockRow } from './read-stock-rows.ts'
import { findProducts } from './stock-products.ts'
import { readSelectedStock } from './stock-selector.ts'
import { TouchedStock } from './touched-stock.ts'

export interface Transfer extends StockOrUnitSelector, StockPart {
  toWarehouseLocationId?: string | null
  toLocationName?: string | null
  toLogisticUnit?: UnitReference | null
}

/** A request to move stock. */
export interface MoveRequest {
  organisationId: string
  source: MovementSource
  occurredUtc: string | null
  transfers: readonly Transfer[]
}

/** What is read for one request. */
export interface SelectedTransfers {
  rowOf(n: number): StockRow | FieldFault
  unitOf(n: number): WholeUnit | undefined
  /** the units that goods are put on, by entry, those that are moved, and the faults of naming them */
  units: ResolvedUnits & UnitsOfCommand
}

/** What requests are planned from. Those that are planned already have changed it. */
export interface MoveSnapshot {
  selected: ReadonlyMap<MoveRequest, SelectedTransfers>
  location(reference: LocationReference): StockLocation | undefined
  takes: TakeState
  touched: TouchedStock
  usedUnits: UsedUnits
}

/**
 * Reads what requests are planned from. `locking` locks the stock that their entries select, and has been
 * sent already.
 */
export async function readMoves(
  tx: Tx,
  locking: Promise<LockedStock>,
  organisationId: string,
  requests: readonly MoveRequest[],
): Promise<MoveSnapshot> {
  const entries = requests.flatMap(({ transfers }) => transfers)
  const unitIds = entries.flatMap(({ logisticUnitId }) => logisticUnitId ?? [])
  const [locked, found] = await Promise.all([
    locking,
    readSelectedStock(tx, organisationId, locking, entries),
  ])
  const rows = new Map(entries.map((entry, n) => [entry, found[n] as StockRow | FieldFault]))
  const rowOf = (entry: Transfer) => {
    const row = entry.logisticUnitId ? undefined : rows.get(entry)
    return row === undefined || isFieldFault(row) ? undefined : row
  }
  const named = entries.flatMap(entry => {
    const [row, unit] = [rowOf(entry), entry.toLogisticUnit]
    return unit && row ? [{ partnerId: row.partnerId, unit }] : []
  })
  await lockUnits(tx, organisationId, { ids: unitIds, named })
  const wholeUnits = await readUnits(tx, locked, unitIds)
  const unitOf = ({ logisticUnitId }: Transfer) => wholeUnits.get(logisticUnitId ?? '')
  const units = await resolveTargetUnits(tx, organisationId, requests, rowOf)
  const taken = entries.flatMap(entry => {
    const [row, unit] = [rowOf(entry), unitOf(entry)]
    return row ? [{ row, part: entry }] : (unit?.rows.map(row => ({ row, part: {} })) ?? [])
  })
  const [takes, location] = await Promise.all([
    readTakeState(tx, organisationId, taken),
    findLocations(tx, organisationId, [
      ...entries.flatMap(entry => {
        const source = rowOf(entry) ?? unitOf(entry)
        return source ? [targetOf(source.warehouseId, entry)] : []
      }),
      ...requests.flatMap(({ transfers }, i) =>
        (units[i] as ResolvedUnits).units.flatMap((unit, n) =>
          unit ? placesOf(unit, rowOf(transfers[n] as Transfer)) : [],
        ),
      ),
    ]),
  ])
  const selected = new Map(
    requests.map((request, i): [MoveRequest, SelectedTransfers] => {
      const entryOf = (n: number) => request.transfers[n] as Transfer
      const own = {
        rowOf: (n: number) => rows.get(entryOf(n)) as StockRow | FieldFault,
        unitOf: (n: number) => unitOf(entryOf(n)),
        units: units[i] as SelectedTransfers['units'],
      }
      return [request, own]
    }),
  )
  return { selected, location, takes, touched: new TouchedStock(), usedUnits: new UsedUnits() }
}

/** Where a unit may be put if the entry names no location. */
const placesOf = (
  { fixedLocationId, ownLocationId, warehouseId }: DestinationUnit,
  row: StockRow | undefined,
): LocationReference[] =>
  [fixedLocationId, ownLocationId, row?.warehouseLocationId].flatMap(warehouseLocationId =>
    warehouseLocationId ? [{ warehouseId, warehouseLocationId }] : [],
  )

/** Resolves the units that the goods of each request are put on. */
async function resolveTargetUnits(
  tx: Tx,
  organisationId: string,
  requests: readonly MoveRequest[],
  rowOf: (entry: Transfer) => StockRow | undefined,
): Promise<SelectedTransfers['units'][]> {
  const entries = requests.flatMap(({ transfers }) => transfers)
  const products = await findProducts(
    tx,
    organisationId,
    entries.flatMap(entry => (entry.toLogisticUnit ? (rowOf(entry)?.productId ?? []) : [])),
  )
  const toUnitRequest = (entry: Transfer): UnitRequest | null => {
    const [row, unit] = [rowOf(entry), entry.toLogisticUnit]
    if (!row || !unit) return null
    const { partnerId, warehouseId, productId } = row
    const gs1CompanyPrefix = products.get(productId)?.gs1CompanyPrefix ?? null
    return { unit, partnerId, warehouseId, gs1CompanyPrefix }
  }
  const unitRequests = requests.map(({ transfers }) => transfers.map(toUnitRequest))
  const resolved = await resolveUnitsOfCommands(tx, organisationId, unitRequests)
  await forgetPlacesOfLeft(
    tx,
    organisationId,
    requests.flatMap(({ transfers }, i) =>
      transfers.flatMap((entry, n) =>
        entry.toWarehouseLocationId || entry.toLocationName ? [] : (resolved[i]?.units[n] ?? []),
      ),
    ),
  )
  return requests.map(({ transfers }, i) => ({
    ...(resolved[i] as ResolvedUnits),
    requests: unitRequests[i] as (typeof unitRequests)[number],
    emptied: transfers.map(entry => entry.logisticUnitId ?? rowOf(entry)?.logisticUnitId ?? null),
  }))
}
