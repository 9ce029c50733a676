// Where picked goods came from, so that they can be put back there. A line may have been picked from several
// places. Spec 2.14.

import { type Db, sql } from '../../platform/database/db.ts'
import { scale, smaller } from '../../platform/decimal.ts'
import { MovementCause, TransactionType } from '../../vocabulary/stock.ts'
import { identityOf, readStockRowsById, type StockRow } from '../commands/read-stock-rows.ts'
import { oneItem } from '../ledger/movement.ts'
import type { PickedStock } from './picked-stock.ts'

/** A place that goods of a line were picked from. */
export interface PickOrigin {
  warehouseLocationId: string
  /** the unit that they were on, if it still stands there */
  logisticUnitId: string | null
  /** the unit that they were on, wherever it stands */
  formerUnitId: string | null
}

/** Picked goods of a line in one row, or a part of them. */
interface PickedPart {
  part: PickedStock
  /** ten-thousandths */
  quantity: bigint
  /** the ids of their serials */
  items: string[]
}

/** A row that goods of a line were picked from at once, with the quantity that was not put back. */
interface SourceRow extends PickOrigin {
  lineId: string
  rowId: string
  quantity: bigint
  description: string
}

/** What goods remain when they are moved: everything about their row but its place. */
function descriptionOf(row: StockRow): string {
  const { warehouseLocationId: _, logisticUnitId: __, warehouseId: ___, ...description } = identityOf(row)
  return JSON.stringify(description)
}

/**
 * Reads the rows that goods of lines were picked from and not put back, the latest pick first. What was put
 * back, wherever that was, is of the latest picks before.
 */
async function readSources(db: Db, organisationId: string, lineIds: readonly string[]): Promise<SourceRow[]> {
  const entries = await db.rows<{
    lineId: string
    rowId: string
    quantity: number
    unitId: string | null
  }>(sql`
    select t.consignment_product_id as line_id, p.id as row_id, t.quantity, u.id as unit_id
    from inventory_transaction t
    join warehouse_product p on p.organisation_id = t.organisation_id and p.id = t.warehouse_product_id
    left join logistic_unit u on u.organisation_id = p.organisation_id and u.id = p.logistic_unit_id
      and u.warehouse_location_id = p.warehouse_location_id
    where t.organisation_id = ${organisationId} and t.type = ${TransactionType.Pick}
      and t.consignment_product_id = any(${lineIds})
      and (t.quantity > 0) = (t.cause = ${MovementCause.Unpicked})
    order by t.recorded_utc, t.movement_id, t.move_number, p.id, t.version`)
  const rows = await readStockRowsById(db, organisationId, [...new Set(entries.map(({ rowId }) => rowId))])
  const sources: SourceRow[] = []
  for (const { unitId, quantity, lineId, rowId } of entries) {
    const row = rows.get(rowId) as StockRow
    const source = {
      ...{ lineId, rowId, warehouseLocationId: row.warehouseLocationId, logisticUnitId: unitId },
      formerUnitId: row.logisticUnitId,
      ...{ quantity: scale(4, -quantity), description: descriptionOf(row) },
    }
    if (quantity < 0) sources.unshift(source)
    else takeBack(sources, lineId, source.description, -source.quantity)
  }
  return sources
}

/** Takes what was put back off the latest picks of the line. */
function takeBack(
  sources: readonly SourceRow[],
  lineId: string,
  description: string,
  quantity: bigint,
): void {
  let rest = quantity
  for (const source of sources) {
    if (source.lineId !== lineId || source.description !== description) continue
    const taken = smaller(rest, source.quantity)
    source.quantity -= taken
    rest -= taken
  }
}

/**
 * The row that each serial was last picked from, by the id of the serial. One that was captured by the pick
 * never lay there: it came with the goods of its movement and line.
 */
async function readSourcesOfSerials(db: Db, organisationId: string, itemIds: readonly string[]) {
  const rows =
    itemIds.length === 0
      ? []
      : await db.rows<{ itemId: string; rowId: string }>(sql`
    select distinct on (x.warehouse_product_item_id) x.warehouse_product_item_id as item_id,
      s.warehouse_product_id as row_id
    from inventory_transaction_item x
    join inventory_transaction t on t.organisation_id = x.organisation_id
      and t.warehouse_product_id = x.warehouse_product_id and t.version = x.version
    join inventory_transaction s on s.organisation_id = t.organisation_id and s.movement_id = t.movement_id
      and s.consignment_product_id = t.consignment_product_id and s.type = t.type and s.quantity < 0
    where x.organisation_id = ${organisationId} and x.warehouse_product_item_id = any(${itemIds})
      and t.type = ${TransactionType.Pick} and t.cause <> ${MovementCause.Unpicked}
    order by x.warehouse_product_item_id, t.recorded_utc desc, t.quantity,
      (s.warehouse_product_id, s.version) = (t.warehouse_product_id, t.version) desc,
      s.quantity = -t.quantity desc, s.warehouse_product_id`)
  return new Map(rows.map(({ itemId, rowId }) => [itemId, rowId]))
}

/**
 * Splits picked goods by the places that they came from: each serial to its own, other goods to those where
 * goods of the same description were picked for their line, the latest pick first. The origin is null for
 * goods that were picked nowhere as far as the ledger tells, such as goods that were described anew since.
 */
export async function splitByOrigin<Goods extends PickedPart>(
  db: Db,
  organisationId: string,
  goods: readonly Goods[],
): Promise<{ goods: Goods; origin: PickOrigin | null }[]> {
  if (goods.length === 0) return []
  const lineIds = [...new Set(goods.map(({ part }) => part.consignmentProductId))]
  const sources = await readSources(db, organisationId, lineIds)
  const itemIds = goods.flatMap(({ items }) => items)
  const rowOfSerial = await readSourcesOfSerials(db, organisationId, itemIds)
  return goods.flatMap(picked => {
    const { part, quantity, items } = picked
    const own = sources.filter(({ lineId }) => lineId === part.consignmentProductId)
    const parts: { quantity: bigint; items: string[]; origin: PickOrigin | null }[] = []
    const unnamed = items.filter(id => !own.some(({ rowId }) => rowId === rowOfSerial.get(id)))
    const named = Map.groupBy(
      items.filter(id => !unnamed.includes(id)),
      id => rowOfSerial.get(id),
    )
    for (const [rowId, ofRow] of named) {
      const source = own.find(candidate => candidate.rowId === rowId) as SourceRow
      const taken = BigInt(ofRow.length) * oneItem
      source.quantity -= taken
      parts.push({ quantity: taken, items: ofRow, origin: source })
    }
    let rest = quantity - BigInt(items.length - unnamed.length) * oneItem
    const description = descriptionOf(part.row)
    for (const source of own) {
      if (rest === 0n || source.quantity <= 0n || source.description !== description) continue
      const taken = smaller(rest, source.quantity)
      source.quantity -= taken
      rest -= taken
      parts.push({ quantity: taken, items: unnamed.splice(0, Number(taken / oneItem)), origin: source })
    }
    if (rest > 0n) parts.push({ quantity: rest, items: unnamed, origin: null })
    return parts.map(({ origin, ...taken }) => ({ goods: { ...picked, ...taken }, origin }))
  })
}
