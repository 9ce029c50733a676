// Finds and locks what the entries of a command select: rows of stock and whole logistic units. Spec 2.14.

import { sql, type Tx } from '../../platform/database/db.ts'
import { TransactionRestart } from '../../platform/database/errors.ts'
import { type FieldFault, isFieldFault } from '../../platform/http/entry-faults.ts'
import { type LockedStock, type LockTarget, lockStock } from '../ledger/stock-lock.ts'
import { lockUnits, type UnitReference } from '../logistic-units/unit-references.ts'
import { findLockTargets, readStockRows, type StockRow } from './read-stock-rows.ts'
import { matchStock, readSelectedStock, type StockSelector } from './stock-selector.ts'

/** Selects a row of stock or a whole logistic unit. */
export interface StockOrUnitSelector extends StockSelector {
  logisticUnitId?: string | null | undefined
  /** the unit that its goods are put on */
  toLogisticUnit?: UnitReference | null | undefined
}

/** The stock that entries select, read under the stock lock. `n` is the index of an entry. */
export interface SelectedStock {
  locked: LockedStock
  /** the row that an entry selects, or why it selects none */
  rowOf(n: number): StockRow | FieldFault
  /** the whole unit that an entry selects */
  unitOf(n: number): WholeUnit | undefined
}

/** A logistic unit with everything on it. */
export interface WholeUnit {
  id: string
  logisticUnitNumber: string
  partnerId: string
  warehouseId: string
  warehouseLocationId: string
  rows: StockRow[]
}

/**
 * Locks the stock that entries select, the `further` targets, and the units that the entries move or fill;
 * then reads all of it. Restarts the transaction if another product was put onto a unit in the meantime.
 */
export async function lockSelectedStock(
  tx: Tx,
  organisationId: string,
  entries: readonly StockOrUnitSelector[],
  further: readonly LockTarget[] = [],
): Promise<SelectedStock> {
  const unitIds = entries.flatMap(({ logisticUnitId }) => (logisticUnitId ? [logisticUnitId] : []))
  const matches = await matchStock(tx, organisationId, entries)
  const onUnits = await findLockTargets(tx, organisationId, {
    warehouseProductIds: [],
    logisticUnitIds: unitIds,
  })
  const locked = await lockStock(tx, organisationId, [...matches.flat(), ...onUnits, ...further])
  const rows = await readSelectedStock(tx, organisationId, locked, entries)
  const targetUnits = entries.flatMap(({ toLogisticUnit: unit }, n) => {
    const row = rows[n]
    return unit && row && !isFieldFault(row) ? [{ partnerId: row.partnerId, unit }] : []
  })
  await lockUnits(tx, organisationId, { ids: unitIds, named: targetUnits })
  const units = await readUnits(tx, locked, unitIds)
  return {
    locked,
    rowOf: n => rows[n] as StockRow | FieldFault,
    unitOf: n => units.get(entries[n]?.logisticUnitId ?? ''),
  }
}

/** Reads locked units with everything on them. Restarts the transaction if their stock is not locked. */
export async function readUnits(
  tx: Tx,
  locked: LockedStock,
  ids: readonly string[],
): Promise<Map<string, WholeUnit>> {
  if (ids.length === 0) return new Map()
  const { organisationId } = locked
  const units = await tx.rows<Omit<WholeUnit, 'rows'>>(sql`
    select id, logistic_unit_number, partner_id, warehouse_id, warehouse_location_id from logistic_unit
    where organisation_id = ${organisationId} and id = any(${ids})`)
  const rows = await readStockRows(
    tx,
    organisationId,
    sql`p.logistic_unit_id = any(${ids}) and not p.is_depleted`,
  )
  if (!rows.every(row => locked.covers(row))) throw new TransactionRestart()
  const byUnit = Map.groupBy(rows, ({ logisticUnitId }) => logisticUnitId)
  return new Map(units.map(unit => [unit.id, { ...unit, rows: byUnit.get(unit.id) ?? [] }]))
}
