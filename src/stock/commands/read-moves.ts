// Reads what transfers are planned from: the rows, units and locations that their entries name. Spec 2.14.

import type { Tx } from '../../platform/database/db.ts'
import { type FieldFault, isFieldFault, type ReportEntryFault } from '../../platform/http/entry-faults.ts'
import type { MovementSource } from '../ledger/movement.ts'
import type { LockedStock } from '../ledger/stock-lock.ts'
import { type DestinationUnit, resolveDestinationUnits } from '../logistic-units/destination-units.ts'
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
  /** the units that goods are put on, by entry */
  targetUnits: readonly (DestinationUnit | undefined)[]
  /** why units cannot be filled */
  unitFaults: readonly [entry: number, ...FieldFault][]
}

/** What requests are planned from. Those that are planned already have changed it. */
export interface MoveSnapshot {
  selected: ReadonlyMap<MoveRequest, SelectedTransfers>
  location(reference: LocationReference): StockLocation | undefined
  takes: TakeState
  touched: TouchedStock
}

/**
 * Reads what requests are planned from. `locking` locks the stock that their entries select, and has been
 * sent already. Only a single request may move units or put goods onto them.
 */
export async function readMoves(
  tx: Tx,
  locking: Promise<LockedStock>,
  organisationId: string,
  requests: readonly MoveRequest[],
): Promise<MoveSnapshot> {
  const entries = requests.flatMap(({ transfers }) => transfers)
  const unitIds = entries.flatMap(({ logisticUnitId }) => logisticUnitId ?? [])
  const [locked, rows] = await Promise.all([locking, readSelectedStock(tx, organisationId, locking, entries)])
  const rowOf = (n: number) => {
    const row = entries[n]?.logisticUnitId ? undefined : rows[n]
    return row === undefined || isFieldFault(row) ? undefined : row
  }
  const named = entries.flatMap(({ toLogisticUnit: unit }, n) => {
    const row = rowOf(n)
    return unit && row ? [{ partnerId: row.partnerId, unit }] : []
  })
  await lockUnits(tx, organisationId, { ids: unitIds, named })
  const wholeUnits = await readUnits(tx, locked, unitIds)
  const unitOf = (n: number) => wholeUnits.get(entries[n]?.logisticUnitId ?? '')
  const unitFaults: [number, ...FieldFault][] = []
  const targetUnits = await findTargetUnits(
    tx,
    locked,
    entries,
    entries.map((_, n) => rowOf(n)),
    (...fault) => unitFaults.push(fault),
  )
  const taken = entries.flatMap((part, n) => {
    const [row, unit] = [rowOf(n), unitOf(n)]
    return row ? [{ row, part }] : (unit?.rows.map(row => ({ row, part: {} })) ?? [])
  })
  const [takes, location] = await Promise.all([
    readTakeState(tx, organisationId, taken),
    findLocations(tx, organisationId, [
      ...entries.flatMap((entry, n) => {
        const source = rowOf(n) ?? unitOf(n)
        return source ? [targetOf(source.warehouseId, entry)] : []
      }),
      ...targetUnits.flatMap((unit, n) => (unit ? placesOf(unit, rowOf(n)) : [])),
    ]),
  ])
  let at = 0
  const selected = new Map(
    requests.map(request => {
      const from = at
      at += request.transfers.length
      const own: SelectedTransfers = {
        rowOf: n => rows[from + n] as StockRow | FieldFault,
        unitOf: n => unitOf(from + n),
        targetUnits: targetUnits.slice(from, at),
        unitFaults: requests.length === 1 ? unitFaults : [],
      }
      return [request, own] as const
    }),
  )
  return { selected, location, takes, touched: new TouchedStock() }
}

/** Where a unit may be put if the entry names no location. */
const placesOf = ({ known, warehouseId }: DestinationUnit, row: StockRow | undefined): LocationReference[] =>
  [known?.warehouseLocationId, row?.warehouseLocationId].flatMap(warehouseLocationId =>
    warehouseLocationId ? [{ warehouseId, warehouseLocationId }] : [],
  )

/** Finds the unit that the goods of each entry are put on, by entry; undefined if it is to be put on none. */
async function findTargetUnits(
  tx: Tx,
  locked: LockedStock,
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
