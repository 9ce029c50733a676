// Finding and locking what the entries of a command name: rows of stock and whole logistic units. Spec 2.14.

import { sql, type Tx } from '../../platform/database/db.ts'
import { TransactionRestart } from '../../platform/database/errors.ts'
import { isProblem, type Problem } from '../../platform/http/entry-faults.ts'
import { type LockedStock, type LockTarget, lockStock } from '../ledger/stock-lock.ts'
import { lockUnits, type UnitReference } from '../logistic-units/unit-references.ts'
import { placesOf, readStock, type StockRow } from './stock-rows.ts'
import { matchStock, readSelectedStock, type StockSelector } from './stock-selector.ts'

/** What an entry may name. */
export interface EntrySelector extends StockSelector {
  logisticUnitId?: string | null | undefined
  /** the unit that its goods are put on */
  toLogisticUnit?: UnitReference | null | undefined
}

/** What entries name, read under the lock. */
export interface LockedEntries {
  locked: LockedStock
  /** the row that an entry names, or why there is none */
  rowOf(n: number): StockRow | Problem
  /** the whole unit that an entry names */
  unitOf(n: number): WholeUnit | undefined
}

/** A logistic unit with all that lies on it. */
export interface WholeUnit {
  id: string
  logisticUnitNumber: string
  partnerId: string
  warehouseId: string
  warehouseLocationId: string
  rows: StockRow[]
}

/**
 * Locks the stock that entries name, with `further` products of warehouses, and the units that they move and
 * fill; then reads all of it. Starts over where other products have been put onto a unit meanwhile.
 */
export async function lockEntries(
  tx: Tx,
  organisationId: string,
  entries: readonly EntrySelector[],
  further: readonly LockTarget[] = [],
): Promise<LockedEntries> {
  const unitIds = entries.flatMap(({ logisticUnitId }) =>
    logisticUnitId ? [logisticUnitId.toLowerCase()] : [],
  )
  const matches = await matchStock(tx, organisationId, entries)
  const onUnits = await placesOf(tx, organisationId, { warehouseProductIds: [], logisticUnitIds: unitIds })
  const locked = await lockStock(tx, organisationId, [...matches.flat(), ...onUnits, ...further])
  const rows = await readSelectedStock(tx, organisationId, locked, entries)
  const filled = entries.flatMap(({ toLogisticUnit: unit }, n) => {
    const row = rows[n]
    return unit && row && !isProblem(row) ? [{ partnerId: row.partnerId, unit }] : []
  })
  await lockUnits(tx, organisationId, { ids: unitIds, named: filled })
  const units = await readUnits(tx, locked, unitIds)
  return {
    locked,
    rowOf: n => rows[n] as StockRow | Problem,
    unitOf: n => units.get(entries[n]?.logisticUnitId?.toLowerCase() ?? ''),
  }
}

/** Reads locked units with what lies on them. */
async function readUnits(
  tx: Tx,
  locked: LockedStock,
  ids: readonly string[],
): Promise<Map<string, WholeUnit>> {
  if (ids.length === 0) return new Map()
  const { organisationId } = locked
  const units = await tx.rows<Omit<WholeUnit, 'rows'>>(sql`
    select id, logistic_unit_number, partner_id, warehouse_id, warehouse_location_id from logistic_unit
    where organisation_id = ${organisationId} and id = any(${ids})`)
  const loaded = await readStock(
    tx,
    organisationId,
    sql`p.logistic_unit_id = any(${ids}) and not p.is_depleted`,
  )
  if (!loaded.every(row => locked.covers(row))) throw new TransactionRestart()
  const byUnit = Map.groupBy(loaded, ({ logisticUnitId }) => logisticUnitId)
  return new Map(units.map(unit => [unit.id, { ...unit, rows: byUnit.get(unit.id) ?? [] }]))
}
