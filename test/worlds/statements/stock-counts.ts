// Stock counts: their list, their lines with what should have been there, and the report of them.

import {
  type Count,
  type CountLine,
  isBookShown,
  isOver,
  LineStatus,
  lastSeen,
  type Seen,
} from '../notebook/counts.ts'
import { round4 } from '../notebook/goods.ts'
import { trackingModes } from '../set-up.ts'
import { ask, type World } from '../world.ts'
import { sameText } from './figures.ts'
import type { Row } from './read-stock.ts'
import {
  clientName,
  clientOf,
  datesOf,
  placeOf,
  productOf,
  run,
  sameRows,
  unitOf,
  warehouseName,
  warehouseOf,
} from './rows.ts'

export async function stockCounts(world: World): Promise<void> {
  const { all } = world.notebook.counts
  const { stockCounts: told } = await ask(world, 'get', '/v1/stock-counts?PageSize=500')
  const known = all.toReversed().map(count => headOf(world, count))
  sameText(told.map(plainHead), known, 'the stock counts')
  for (const count of all) {
    const path = `/v1/stock-counts/${count.id}`
    if (!isOver(count)) sameText(plainHead(await ask(world, 'get', path)), headOf(world, count), count.number)
    const { stockCountLines } = await ask(world, 'get', `${path}/lines?PageSize=500`)
    compareLines(world, count, stockCountLines)
  }
  if (all.length > 0) await report(world)
}

/** A time to the millisecond. */
const timeOf = (time: string | number | null) => (time === null ? null : new Date(time).toISOString())

const plainHead = ({ createdUtc: _, ...head }: Row): Row => head

const headOf = (world: World, { lines, ...count }: Count): Row => ({
  ...{ stockCountId: count.id, stockCountNumber: count.number, status: count.status, isBlind: count.isBlind },
  ...{ warehouseId: world.warehouseId, warehouseCode: 'AKL', warehouseName },
  ...(count.isOfClient
    ? { partnerId: world.clientId, partnerCode: 'KAURI', partnerName: clientName }
    : { partnerId: null, partnerCode: null, partnerName: null }),
  ...{ reference: count.reference, dueDateTime: null, createdByName: count.createdBy },
  lineCount: lines.length,
  countedLineCount: lines.filter(({ status }) => status === LineStatus.Counted).length,
  approvedLineCount: lines.filter(({ status }) => status === LineStatus.Approved).length,
})

const entryOf = ({ round, quantity, at, by, serials }: Seen) => ({
  ...{ round, countedQuantity: quantity, countedUtc: timeOf(at), countedByName: by, serials },
})

/** What is told of a line: of what should be there only what people who count may see. */
function lineOf(world: World, count: Count, line: CountLine): Row {
  const { heap, seen, approved } = line
  const last = lastSeen(line)
  const isShown = isBookShown(count, line)
  const book = isShown ? world.notebook.counts.bookOf(count, line) : null
  return {
    ...{ stockCountLineId: line.id, warehouseProductId: heap.id, status: line.status, round: line.round },
    ...{ isFound: line.isFound, isHeld: heap.hold !== null, ...clientOf(world), ...productOf(heap.product) },
    serialTrackingMode: trackingModes[heap.product.tracking],
    ...{ warehouseLocationId: heap.place.id, warehouseLocationName: heap.place.name },
    ...{ warehouseLogisticUnitId: heap.unit?.id ?? null, logisticUnitNumber: heap.unit?.number ?? null },
    ...{ ssccNumber: heap.unit?.isSscc ? heap.unit.name : null, ...datesOf(heap.look) },
    ...{ receivedDate: heap.receivedDate, bookQuantity: book, countedQuantity: last?.quantity ?? null },
    varianceQuantity: book === null || last === null ? null : round4(last.quantity - book),
    ...{ countedUtc: timeOf(last?.at ?? null), countedByName: last?.by ?? null },
    ...{ approvedUtc: approved !== null, approvedByName: approved?.by ?? null },
    reason: approved?.reason ?? null,
    entries: isShown ? seen.map(entryOf).toReversed() : [],
  }
}

function compareLines(world: World, count: Count, told: readonly Row[]): void {
  const rows = told.map(({ walkingOrder: _, ...row }) => ({
    ...row,
    countedUtc: timeOf(row.countedUtc),
    approvedUtc: row.approvedUtc !== null,
    entries: row.entries.map((entry: Row) => ({ ...entry, countedUtc: timeOf(entry.countedUtc) })),
  }))
  const keys = ['stockCountLineId']
  sameRows(
    rows,
    count.lines.map(line => lineOf(world, count, line)),
    { what: `the lines of ${count.number}`, keys },
  )
}

async function report(world: World): Promise<void> {
  const known = world.notebook.counts.all.flatMap(count =>
    count.lines.map(line => {
      const { bookQuantity, countedQuantity, varianceQuantity, ...row } = lineOf(world, count, line)
      const { stockCountLineId: lineId, countedUtc, approvedUtc, reason } = row
      return {
        ...{ stockCountNumber: count.number, status: count.status, ...warehouseOf(world) },
        ...{ ...placeOf(line.heap.place), ...clientOf(world), ...productOf(line.heap.product) },
        ...{ ...datesOf(line.heap.look), ...unitOf(line.heap), rounds: line.round, lineId },
        ...{ bookQuantity, countedQuantity, varianceQuantity, countedUtc, approvedUtc, reason },
        ...{ countedBy: row.countedByName, approvedBy: row.approvedByName },
        variancePercent: percentOf(varianceQuantity, bookQuantity),
      }
    }),
  )
  const told = (await run(world, 'cycle-count')).map(row => ({
    ...{ ...row, countedUtc: timeOf(row.countedUtc), approvedUtc: row.approvedUtc !== null },
  }))
  // Lines that look the same differ in their hold or the day on which they came, which is no column.
  const words = (rows: readonly Row[]) => rows.map(({ lineId: _, ...row }) => sorted(row)).toSorted()
  sameText(words(told), words(known), 'the report of stock counts')
}

const percentOf = (variance: number | null, book: number | null): number | null =>
  variance === null || !book
    ? null
    : (Math.sign(variance) * Math.round((Math.abs(variance) / book) * 10_000)) / 100

const sorted = (row: Row): string =>
  JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))
