// Goods that were received without their serials: which lines and which rows of stock lack them, and where
// serials that become known later go. Spec 2.3 (rules for items).

import { type Sql, sql, type Tx } from '../../platform/database/db.ts'
import type { FaultCollector } from '../../platform/http/entry-faults.ts'
import type { StockSelector } from '../../stock/commands/stock-selector.ts'
import { SerialTrackingMode } from '../../vocabulary/partners.ts'
import { TransactionType } from '../../vocabulary/stock.ts'
import { type InwardsLine, readInwardsLines, serialCounts } from './inwards-line.ts'

/** Serials of goods of a line, and perhaps the row of stock that these are in. */
interface LateSerials extends StockSelector {
  consignmentProductId: string
  serials: readonly string[]
}

/**
 * A line with the serial tracking mode of its product, and the numbers of received items with and without
 * serials.
 */
export type LineLackingSerials = InwardsLine & {
  serialTrackingMode: number
  serialCount: number
  lacking: number
}

/** An entry of a request with its line, and its name for faults. */
export interface EntryOfLine {
  line: LineLackingSerials
  entry: LateSerials
  name: string
}

/** Serials that goods of a line in a row of stock get. */
export interface RecordedPart {
  line: LineLackingSerials
  row: RowLackingSerials
  serials: readonly string[]
}

/** A row of stock with items that lack a serial, and their number. */
export interface RowLackingSerials {
  id: string
  productId: string
  lacking: number
  /** the lines that were received into it */
  lineIds: string[]
  /** the lines that were received into it or into a row of the same batch, dates and attributes */
  likeLineIds: string[]
}

/**
 * The lines of consignments that were received into the row `p`, or into rows `q` of its product that meet a
 * condition. Goods that were only put back with their serials were not received there.
 */
const linesReceivedInto = (consignmentIds: readonly string[], condition: Sql) => sql`coalesce((
  select json_agg(distinct t.consignment_product_id) from warehouse_product q
  join inventory_transaction t on t.organisation_id = q.organisation_id and t.warehouse_product_id = q.id
    and t.type = ${TransactionType.Receive} and t.quantity > 0 and t.consignment_id = any(${consignmentIds})
    and not exists (
      select from inventory_transaction o
      where o.organisation_id = t.organisation_id and o.warehouse_product_id = t.warehouse_product_id
        and o.movement_id = t.movement_id and o.quantity < 0)
  where q.organisation_id = p.organisation_id and q.product_id = p.product_id and ${condition}), '[]')`

const isDescribedAlike = sql`(q.batch, q.best_before_date, q.expiry_date, q.packaging_date,
    q.production_date, q.sell_by_date, q.attributes)
  is not distinct from (p.batch, p.best_before_date, p.expiry_date, p.packaging_date,
    p.production_date, p.sell_by_date, p.attributes)`

/**
 * Reads the rows of products in a warehouse that lack serials, oldest first, with the lines of consignments
 * that were received into them.
 */
export const readRowsLackingSerials = (
  tx: Tx,
  organisationId: string,
  warehouseId: string | null,
  consignmentIds: readonly string[],
  productIds: readonly string[],
) =>
  tx.rows<RowLackingSerials>(sql`
    select p.id, p.product_id, floor(p.on_hand_quantity) - count(i.id) as lacking,
      ${linesReceivedInto(consignmentIds, sql`q.id = p.id`)} as line_ids,
      ${linesReceivedInto(consignmentIds, isDescribedAlike)} as like_line_ids
    from warehouse_product p
    left join warehouse_product_item i on i.organisation_id = p.organisation_id
      and i.warehouse_product_id = p.id
    where p.organisation_id = ${organisationId} and p.warehouse_id = ${warehouseId}
      and p.product_id = any(${productIds}) and not p.is_depleted
    group by p.organisation_id, p.id having floor(p.on_hand_quantity) > count(i.id)
    order by p.id`)

/** Reads the lines of consignments. */
export async function readLinesLackingSerials(
  tx: Tx,
  organisationId: string,
  consignmentIds: readonly string[],
): Promise<LineLackingSerials[]> {
  if (consignmentIds.length === 0) return []
  const [lines, facts] = await Promise.all([
    readInwardsLines(tx, organisationId, consignmentIds),
    tx.rows<Pick<LineLackingSerials, 'id' | 'serialTrackingMode' | 'serialCount' | 'lacking'>>(sql`
    select r.id, d.serial_tracking_mode, coalesce(s.serial_count, 0) as serial_count,
      floor(r.received_quantity) - coalesce(s.serial_count, 0) as lacking
    from consignment_product r
    join product d on d.organisation_id = r.organisation_id and d.id = r.product_id
    left join ${serialCounts(organisationId, consignmentIds)} s on s.line_id = r.id
    where r.organisation_id = ${organisationId} and r.consignment_id = any(${consignmentIds})`),
  ])
  const factsByLine = new Map(facts.map(({ id, ...ofLine }) => [id, ofLine]))
  return lines.flatMap(line => {
    const ofLine = factsByLine.get(line.id)
    return ofLine ? { ...line, ...ofLine } : []
  })
}

/** The line of each entry. Adds a fault for entries of lines that cannot get serials. */
export function matchLines(
  entries: readonly LateSerials[],
  lines: readonly LineLackingSerials[],
  faults: FaultCollector,
): EntryOfLine[] {
  const byId = new Map(lines.map(line => [line.id, line]))
  return entries.flatMap((entry, i) => {
    const name = `serials[${i}]`
    const line = byId.get(entry.consignmentProductId)
    if (line === undefined)
      faults.add(name, `the consignment has no line ${entry.consignmentProductId}`, 'unknown_reference')
    else if (line.serialTrackingMode !== SerialTrackingMode.FullCapture)
      faults.add(
        name,
        line.serialTrackingMode === SerialTrackingMode.None
          ? `${line.productCode} has no serials`
          : `serials of ${line.productCode} are scanned when it is picked`,
        'serial_not_taken',
      )
    else return [{ line, entry, name }]
    return []
  })
}

/**
 * Distributes the serials of each entry over rows that lack serials: first the rows into which its line was
 * received and then, because goods may have been moved since, rows of the same batch, dates and attributes.
 * Any other row must be named, as its goods may not be those of the line. A line gets no more than it lacks,
 * so that the others can still get theirs.
 */
export function distributeSerials(
  entries: readonly EntryOfLine[],
  rows: readonly RowLackingSerials[],
  faults: FaultCollector,
): RecordedPart[] {
  return entries.flatMap(({ line, entry, name }) => {
    const { serials, warehouseProductId } = entry
    const candidates = warehouseProductId
      ? rows.filter(({ id, productId }) => productId === line.productId && id === warehouseProductId)
      : rows
          .filter(({ likeLineIds }) => likeLineIds.includes(line.id))
          .toSorted((a, b) => Number(b.lineIds.includes(line.id)) - Number(a.lineIds.includes(line.id)))
    const room = candidates.reduce((sum, { lacking }) => sum + lacking, 0)
    if (serials.length > line.lacking) {
      const problem = `only ${line.lacking} that the line received lack a serial, not ${serials.length}`
      faults.add(name, problem, 'insufficient_stock')
      return []
    }
    if (serials.length > room) {
      const missing = serials.length - room
      if (warehouseProductId)
        faults.add(
          name,
          `only ${room} of ${line.productCode} lack a serial, not ${serials.length}`,
          'insufficient_stock',
        )
      else
        faults.add(
          name,
          `${missing} of ${line.productCode} of this line are no longer where they were received: ` +
            'name their row of stock, by warehouseProductId or stock',
          'not_here',
        )
      return []
    }
    line.lacking -= serials.length
    let next = 0
    return candidates.flatMap(row => {
      const part = serials.slice(next, next + row.lacking)
      next += part.length
      row.lacking -= part.length
      return part.length > 0 ? [{ line, row, serials: part }] : []
    })
  })
}
