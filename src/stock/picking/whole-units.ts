// Moves of goods with their logistic unit: a unit moves as a whole if everything on it goes to one location
// and no entry names another unit. Spec 2.14.

import { sql, type Tx } from '../../platform/database/db.ts'
import type { StockLocation } from '../commands/location-reference.ts'
import { identityOf, readStockRows, type StockRow } from '../commands/read-stock-rows.ts'
import type { StockIdentity } from '../ledger/stock-identity.ts'
import type { DestinationUnit } from '../logistic-units/destination-units.ts'

/** Goods of a row and their destination. */
export interface RowTransfer {
  row: StockRow
  /** ten-thousandths */
  quantity: bigint
  target: Pick<StockLocation, 'id' | 'warehouseId'>
  /** the unit that they are put on; null for none; undefined to keep their unit if it moves as a whole */
  unit: DestinationUnit | null | undefined
}

/** A unit that moves as a whole, and its destination. */
export interface WholeUnitMove {
  logisticUnitId: string
  warehouseId: string
  warehouseLocationId: string
}

/** Returns the row identity of goods at their destination. */
export function targetIdentityOf(
  { row, target, unit }: Omit<RowTransfer, 'quantity'>,
  units: ReadonlyMap<DestinationUnit, string>,
  wholeUnits: ReadonlyMap<string, WholeUnitMove>,
): StockIdentity {
  const movesWithUnit =
    row.logisticUnitId !== null && unit === undefined && wholeUnits.has(row.logisticUnitId)
  return {
    ...identityOf(row),
    warehouseLocationId: target.id,
    logisticUnitId: unit ? (units.get(unit) as string) : movesWithUnit ? row.logisticUnitId : null,
  }
}

/** The live rows on logistic units, by the id of the unit. */
export type UnitContents = ReadonlyMap<string, readonly StockRow[]>

/**
 * Reads what is on the units that goods are taken from without naming another unit. Locks the units, in the
 * order of their ids. The stock of the goods must be locked.
 */
export async function readUnitContents(
  tx: Tx,
  organisationId: string,
  goods: readonly Omit<RowTransfer, 'quantity' | 'target'>[],
): Promise<UnitContents> {
  const ids = new Set(
    goods.flatMap(({ row, unit }) => (unit === undefined ? (row.logisticUnitId ?? []) : [])),
  )
  if (ids.size === 0) return new Map()
  const locking = tx.run(sql`
    select from logistic_unit where organisation_id = ${organisationId} and id = any(${[...ids]})
    order by id for no key update`)
  const [, live] = await Promise.all([
    locking,
    readStockRows(tx, organisationId, sql`p.logistic_unit_id = any(${[...ids]}) and not p.is_depleted`),
  ])
  return Map.groupBy(live, ({ logisticUnitId }) => logisticUnitId as string)
}

/** Returns the units that move as a whole with goods, by id. */
export function wholeUnitsOf(
  goods: readonly RowTransfer[],
  contents: UnitContents,
): Map<string, WholeUnitMove> {
  const onUnits = goods.filter(({ row, unit }) => row.logisticUnitId !== null && unit === undefined)
  const wholeUnits = new Map<string, WholeUnitMove>()
  for (const [id, own] of Map.groupBy(onUnits, ({ row }) => row.logisticUnitId as string)) {
    const target = own[0]?.target as RowTransfer['target']
    const movedQuantity = (row: StockRow) =>
      own.filter(part => part.row.id === row.id).reduce((all, { quantity }) => all + quantity, 0n)
    const isWhole =
      own.every(part => part.target.id === target.id) &&
      (contents.get(id) ?? []).every(row => movedQuantity(row) === row.onHand)
    if (isWhole)
      wholeUnits.set(id, {
        logisticUnitId: id,
        warehouseId: target.warehouseId,
        warehouseLocationId: target.id,
      })
  }
  return wholeUnits
}
