// Works out what has to leave and enter the rows of counted lines, so that stock is what was counted plus
// what has happened since. Spec 2.14.

import { sql, type Tx } from '../../platform/database/db.ts'
import { scale, smaller } from '../../platform/decimal.ts'
import type { ReportEntryFault } from '../../platform/http/entry-faults.ts'
import { SerialTrackingMode } from '../../vocabulary/partners.ts'
import type { TakeRequest } from '../commands/plan-take.ts'
import { numberOf } from '../commands/quantities.ts'
import { movableQuantity, readStockRowsById, type StockRow } from '../commands/read-stock-rows.ts'
import { bookQuantityAt, coveredRows, joinLastCount } from './book-quantity.ts'
import { type ComparedSerial, compareSerials } from './compare-serials.ts'
import type { CountLine } from './count-lines.ts'

/**
 * By how much stock differs from what was counted in a line. `n` is its index among the lines to be approved.
 */
export interface CountDifference {
  n: number
  line: CountLine
  /** ten-thousandths */
  counted: bigint
  book: bigint
  /** what leaves stock, by row */
  leaving: readonly TakeRequest[]
  /** ten-thousandths that come in */
  entering: bigint
  /** the row that they come into: the line's own, or that of its goods after a change of description */
  into: string
  serials: readonly string[]
}

/** Works out the adjustments of counted lines. Call it under the stock lock. */
export async function findCountDifferences(
  tx: Tx,
  organisationId: string,
  lines: readonly CountLine[],
  refuse: ReportEntryFault,
): Promise<CountDifference[]> {
  const ids = lines.map(({ id }) => id)
  const books = new Map(
    (
      await tx.rows<{ id: string; book: number; covered: string[] }>(sql`
        select l.id, ${bookQuantityAt(sql`e.counted_utc`)} as book,
          array(select s.id from ${coveredRows} s) as covered
        from stock_count_line l ${joinLastCount}
        where l.organisation_id = ${organisationId} and l.id = any(${ids})`)
    ).map(row => [row.id, row]),
  )
  const rowIds = [...books.values()].flatMap(({ covered }) => covered)
  const rows = await readStockRowsById(tx, organisationId, rowIds)
  const captured = lines.filter(isCaptured)
  const compared = await compareSerials(
    tx,
    organisationId,
    captured.map(({ id }) => id),
  )
  return lines.map((line, n) => {
    const { book: bookQuantity = 0, covered = [] } = books.get(line.id) ?? {}
    const own = rows.get(line.warehouseProductId) as StockRow
    const others = covered.filter(id => id !== own.id).map(id => rows.get(id) as StockRow)
    const [counted, book] = [scale(4, line.countedQuantity ?? 0), scale(4, bookQuantity)]
    const facts = { n, line, counted, book, into: rowToFill(own, others).id }
    if (isCaptured(line))
      return { ...facts, ...findDifferenceBySerials(n, line, book, compared(line.id), rows, refuse) }
    const missing = book > counted ? book - counted : 0n
    const entering = counted > book ? counted - book : 0n
    return { ...facts, leaving: takeFromRows(n, [own, ...others], missing), entering, serials: [] }
  })
}

/** Returns the row for a surplus: the row of the goods now, if the description of all of them has changed. */
function rowToFill(own: StockRow, others: readonly StockRow[]): StockRow {
  const [other, ...more] = others.filter(({ onHand, inventoryHoldId }) => onHand > 0n && !inventoryHoldId)
  return own.onHand === 0n && other !== undefined && more.length === 0 ? other : own
}

const isCaptured = ({ serialTrackingMode }: CountLine) =>
  serialTrackingMode === SerialTrackingMode.FullCapture

/** Takes missing goods from the line's own row first, then from the other rows of the same appearance. */
function takeFromRows(n: number, rows: readonly StockRow[], missing: bigint): TakeRequest[] {
  let remaining = missing
  const parts = rows.map(row => {
    const quantity = smaller(remaining, movableQuantity(row))
    remaining -= quantity
    return { row, quantity }
  })
  // A remainder is taken from the line's own row, which is refused unless allocations are released.
  const [own] = parts
  if (own) own.quantity += remaining
  return parts
    .filter(({ quantity }) => quantity > 0n)
    .map(({ row, quantity }) => ({ n, row, part: { quantity: numberOf(quantity) } }))
}

/** Works out what leaves and comes in by serial, for products with full serial capture. */
function findDifferenceBySerials(
  n: number,
  { serials, countedQuantity }: CountLine,
  book: bigint,
  compared: readonly ComparedSerial[],
  rows: ReadonlyMap<string, StockRow>,
  refuse: ReportEntryFault,
): Pick<CountDifference, 'leaving' | 'entering' | 'serials'> {
  const withoutSerial = book - scale(4, compared.filter(({ wasThere }) => wasThere).length)
  if (serials === null && countedQuantity !== null)
    refuse(n, 'it was counted without serials: request a recount, and scan them', 'serial_required')
  else if (withoutSerial !== 0n)
    refuse(
      n,
      `${numberOf(withoutSerial)} of it had no serials when it was counted: record them, and count it again`,
      'serial_required',
    )
  const unmoved = compared.filter(({ hasMoved }) => !hasMoved)
  const missing = unmoved.filter(({ isSeen, wasThere }) => wasThere && !isSeen)
  const found = unmoved.filter(({ isSeen, wasThere }) => isSeen && !wasThere).map(({ serial }) => serial)
  const byRow = Map.groupBy(missing, ({ warehouseProductId }) => warehouseProductId ?? '')
  const leaving = [...byRow].flatMap(([id, ofRow]): TakeRequest[] => {
    const row = rows.get(id)
    const names = ofRow.map(({ serial }) => serial)
    return row ? [{ n, row, part: { quantity: names.length, serials: names } }] : []
  })
  return { leaving, entering: scale(4, found.length), serials: found }
}
