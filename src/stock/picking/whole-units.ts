// Goods that go to another place, and the units under them: a unit goes along when everything on it goes to
// one place and nobody says onto what. Spec 2.14.

import { sql, type Tx } from '../../platform/database/db.ts'
import type { StockLocation } from '../inventory/location-reference.ts'
import { identityOf, readStock, type StockRow } from '../inventory/stock-rows.ts'
import type { StockIdentity } from '../ledger/stock-row.ts'
import type { TargetUnit } from '../logistic-units/target-units.ts'

/** Goods of a row that go to a place. */
export interface RowTransfer {
  row: StockRow
  /** ten-thousandths */
  quantity: bigint
  target: Pick<StockLocation, 'id' | 'warehouseId'>
  /** the unit that they are put on; null: none; undefined: the one that they are on, if it goes whole */
  unit: TargetUnit | null | undefined
}

/** A unit that goes along, and where to. */
export interface UnitDestination {
  logisticUnitId: string
  warehouseId: string
  warehouseLocationId: string
}

/** What the goods of a row are at the place that they go to. */
export function targetIdentityOf(
  { row, target, unit }: Omit<RowTransfer, 'quantity'>,
  units: ReadonlyMap<TargetUnit, string>,
  unitsAlong: ReadonlyMap<string, UnitDestination>,
): StockIdentity {
  const goesAlong = row.logisticUnitId !== null && unit === undefined && unitsAlong.has(row.logisticUnitId)
  return {
    ...identityOf(row),
    warehouseLocationId: target.id,
    logisticUnitId: unit ? (units.get(unit) as string) : goesAlong ? row.logisticUnitId : null,
  }
}

/**
 * The units that go along, by their ids; all units that goods are taken from are locked, in the order of
 * their ids. Ask under the lock of everything that lies on them.
 */
export async function findWholeUnits(
  tx: Tx,
  organisationId: string,
  goods: readonly RowTransfer[],
): Promise<Map<string, UnitDestination>> {
  const onUnits = goods.filter(({ row, unit }) => row.logisticUnitId !== null && unit === undefined)
  const byUnit = Map.groupBy(onUnits, ({ row }) => row.logisticUnitId as string)
  if (byUnit.size === 0) return new Map()
  const ids = [...byUnit.keys()]
  await tx.run(sql`
    select from logistic_unit where organisation_id = ${organisationId} and id = any(${ids})
    order by id for no key update`)
  const live = await readStock(
    tx,
    organisationId,
    sql`p.logistic_unit_id = any(${ids}) and not p.is_depleted`,
  )
  const along = new Map<string, UnitDestination>()
  for (const [id, own] of byUnit) {
    const target = own[0]?.target as RowTransfer['target']
    const goes = (row: StockRow) =>
      own.filter(part => part.row.id === row.id).reduce((all, { quantity }) => all + quantity, 0n)
    const isWhole =
      own.every(part => part.target.id === target.id) &&
      live.every(row => row.logisticUnitId !== id || goes(row) === row.onHand)
    if (isWhole)
      along.set(id, { logisticUnitId: id, warehouseId: target.warehouseId, warehouseLocationId: target.id })
  }
  return along
}
