// Takes goods back out of the rows of stock into which they were received: which part of each line goes, and
// with which serials. Spec 2.14.

import { scale, smaller } from '../../platform/decimal.ts'
import type { ReportFault } from '../../platform/http/entry-faults.ts'
import { numberOf, repeatedSerials } from '../../stock/commands/quantities.ts'
import type { SerialInRow } from '../../stock/commands/read-serials.ts'
import type { StockRow } from '../../stock/commands/read-stock-rows.ts'
import { oneItem } from '../../stock/ledger/movement.ts'
import type { UnreceivedPart } from './measure-unreceipts.ts'

/** How much of a row is taken back; the quantity is in items. */
interface Unreceipt {
  quantity?: number | null | undefined
  serials?: readonly string[] | null | undefined
}

/** What remains of a row of stock after the entries so far. Quantities are in ten-thousandths. */
export interface RemainingStock {
  row: StockRow
  /** not allocated */
  free: bigint
  serials: Map<string, SerialInRow>
  allocatedTo: string
}

/** What was received for a line into a row and not taken back, in ten-thousandths. */
export interface ReceivedIntoRow {
  lineId: string
  quantity: bigint
}

/** What was received for a consignment. */
export interface ReceivedGoods {
  /** by row, last line first; what is taken back is gone */
  byRow: ReadonlyMap<string, ReceivedIntoRow[]>
  /** the line that a serial was last received for, by its id */
  lineOfSerial: ReadonlyMap<string, string>
}

/** The serials that go with a quantity of a row; undefined after reporting faults to `refuse`. */
function serialsFor(
  { row, serials }: RemainingStock,
  quantity: bigint,
  given: readonly string[],
  refuse: ReportFault,
): SerialInRow[] | undefined {
  if (given.length === 0 && quantity === row.onHand) return [...serials.values()]
  const without = numberOf(row.onHand) - serials.size
  const needed = Math.max(0, numberOf(quantity) - without)
  if (given.length < needed || given.length > numberOf(quantity)) {
    refuse(
      `${numberOf(quantity)} of ${row.productCode} need ` +
        `${needed === 1 ? '1 serial' : `${needed} serials`}, not ${given.length}`,
      'invalid',
    )
    return undefined
  }
  const found = given.map(serial => serials.get(serial))
  const faults = given.filter((_, i) => found[i] === undefined)
  for (const serial of faults)
    refuse(
      `the serial ${serial} of ${row.productCode} is not in this stock in ${row.locationName}`,
      'unknown_reference',
    )
  const repeated = repeatedSerials([{ productId: row.productId, serials: given }])
  for (const { serial } of repeated) refuse(`the serial ${serial} is listed twice`, 'duplicate')
  for (const item of found)
    if (item?.allocatedTo)
      refuse(`the serial ${item.serial} is allocated to ${item.allocatedTo}`, 'allocated')
  return faults.length + repeated.length > 0 || found.some(item => item?.allocatedTo)
    ? undefined
    : found.filter(item => item !== undefined)
}

/** Takes an entry out of what remains of its row. Returns the part of each line, with its serials. */
export function takePartsBack(
  { quantity: requestedQuantity, serials: given }: Unreceipt,
  remaining: RemainingStock,
  { byRow, lineOfSerial }: ReceivedGoods,
  refuse: ReportFault,
): UnreceivedPart[] {
  const { row, free, allocatedTo } = remaining
  const received = byRow.get(row.id) ?? []
  const total = received.reduce((sum, { quantity }) => sum + quantity, 0n)
  if (total === 0n) {
    refuse(`nothing of this stock in ${row.locationName} was received for this consignment`, 'not_here')
    return []
  }
  const quantity = requestedQuantity
    ? scale(4, requestedQuantity)
    : given?.length
      ? BigInt(given.length) * oneItem
      : total
  if (quantity > total) {
    refuse(
      `only ${numberOf(total)} of ${row.productCode} were received here for this consignment`,
      'insufficient_stock',
    )
    return []
  }
  if (quantity > free) {
    const allocated = row.allocated > 0n ? `; ${numberOf(row.allocated)} are allocated to ${allocatedTo}` : ''
    refuse(
      `only ${numberOf(free)} of ${numberOf(row.onHand)} are free in ${row.locationName}${allocated}`,
      row.allocated > 0n ? 'allocated' : 'insufficient_stock',
    )
    return []
  }
  const items = serialsFor(remaining, quantity, given ?? [], refuse)
  if (items === undefined) return []
  for (const { serial } of items) remaining.serials.delete(serial)
  remaining.free -= quantity
  const parts = distributeOverLines(row, { received, lineOfSerial }, quantity, items)
  remaining.row = { ...row, onHand: row.onHand - quantity }
  return parts
}

/**
 * Distributes what is taken back over the lines that it was received for: serials go to the line of their
 * last receipt, and the other goods to the last line first.
 */
function distributeOverLines(
  row: StockRow,
  {
    received,
    lineOfSerial,
  }: { received: readonly ReceivedIntoRow[]; lineOfSerial: ReceivedGoods['lineOfSerial'] },
  quantity: bigint,
  items: readonly SerialInRow[],
): UnreceivedPart[] {
  const parts = received.map(line => ({ line, quantity: 0n, items: [] as SerialInRow[] }))
  let outstanding = quantity
  const give = (part: (typeof parts)[number], most: bigint) => {
    const given = smaller(smaller(part.line.quantity, outstanding), most)
    part.quantity += given
    part.line.quantity -= given
    outstanding -= given
    return given
  }
  const unassigned = items.filter(item => {
    const part = parts.find(({ line }) => line.lineId === lineOfSerial.get(item.id))
    if (part === undefined || part.line.quantity < oneItem) return true
    give(part, oneItem)
    part.items.push(item)
    return false
  })
  for (const part of parts) {
    const given = give(part, outstanding)
    part.items.push(...unassigned.splice(0, numberOf(given)))
  }
  // Of goods that come in fractions, a serial may be left: it goes with the last part.
  parts.findLast(part => part.quantity > 0n)?.items.push(...unassigned)
  return parts
    .filter(part => part.quantity > 0n)
    .map(part => ({ row, lineId: part.line.lineId, quantity: part.quantity, items: part.items }))
}
