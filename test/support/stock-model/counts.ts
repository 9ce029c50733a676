// Steps of stock counts: create, count, recount, end, cancel and approve.

import { chooseReleased, placeUnit, unitLocation } from './floor.ts'
import {
  type Allocation,
  type Count,
  type CountLine,
  freeOf,
  type Identity,
  keyOf,
  type Location,
  locations,
  type Product,
  products,
  type Row,
  type StockModel,
  sumOf,
} from './model.ts'
import { type Act, type Dice, step } from './step.ts'

const Status = { Draft: 1, InProgress: 2, Counted: 3, Approved: 4, Cancelled: 5 } as const
const LineStatus = { ToCount: 1, Counted: 2, Recount: 3, Approved: 4 } as const

const isFinal = ({ status }: Count) => status === Status.Approved || status === Status.Cancelled
const isUncounted = ({ status }: CountLine) => status === LineStatus.ToCount || status === LineStatus.Recount

/** Picks a count, mostly one that is open. */
function someCount(model: StockModel, dice: Dice): Count | undefined {
  const open = model.counts.filter(count => !isFinal(count))
  return dice.pickFrom(dice.once(16) || open.length === 0 ? model.counts : open)
}

const openLineOf = (model: StockModel, row: Row) =>
  model.counts.flatMap(({ lines }) => lines).find(line => line.isOpen && line.row === row)

export const makeCount: Act = (model, ids, dice) => {
  if (model.counts.filter(count => !isFinal(count)).length > 2) return null
  const product = dice.pickFrom(Object.keys(products)) as Product
  const place = dice.once(4) ? null : (dice.pickFrom(Object.keys(locations)) as Location)
  const rows = model.live
    .filter(row => row.product === product && (place === null || row.location === place))
    .filter(row => openLineOf(model, row) === undefined)
    .toSorted((a, b) => ((a.id ?? '') < (b.id ?? '') ? -1 : 1))
  const body = {
    warehouseId: ids.warehouseId,
    partnerProductIds: [ids.products[product]],
    ...(place === null ? {} : { warehouseLocationIds: [ids.locationIds.get(place)] }),
  }
  if (rows.length === 0 && place === null) return step('/v1/stock-counts', body, null)
  return step(
    '/v1/stock-counts',
    body,
    answer => {
      const id = answer.stockCountId as string
      const count: Count = { id, status: Status.Draft, madeAt: model.clock, lines: [] }
      for (const row of rows) count.lines.push(newLine(row))
      model.counts.push(count)
    },
    { status: 201 },
  )
}

const newLine = (row: Row): CountLine => ({
  ...{ id: '', row, status: LineStatus.ToCount, round: 1, isOpen: true, lastEntry: null },
})

/** Draws the result of counting a row, which is mostly what is there. */
function drawCount(model: StockModel, row: Row, dice: Dice): { quantity: number; serials: string[] | null } {
  const less = dice.once(3) ? dice.upTo(4) : 0
  const more = dice.once(4) ? dice.upTo(4) : 0
  if (products[row.product].tracking !== 'full')
    return { quantity: Math.max(0, row.onHand - less) + more, serials: null }
  const elsewhere = model.live.find(
    other => other.product === row.product && other !== row && other.onHand > 0,
  )
  const strange = dice.once(8) ? [...(elsewhere?.serials ?? [])].slice(0, 1) : []
  const serials = [...[...row.serials].slice(less), ...model.freshSerials(more), ...strange]
  return { quantity: serials.length, serials }
}

export const count: Act = (model, _, dice) => {
  const stockCount = someCount(model, dice)
  if (!stockCount) return null
  const candidates = dice.once(3) ? stockCount.lines : stockCount.lines.filter(isUncounted)
  const chosenLine = dice.pickFrom(candidates)
  const lines = dice.once(3) ? (chosenLine ? [chosenLine] : []) : candidates.slice(0, 5)
  if (lines.length === 0) return null
  const counted = lines.map(line => ({ line, ...drawCount(model, line.row, dice) }))
  const isRefused =
    isFinal(stockCount) ||
    lines.some(
      ({ status }) =>
        status === LineStatus.Approved ||
        (stockCount.status === Status.Counted && status !== LineStatus.Recount),
    )
  return step(
    `/v1/stock-counts/${stockCount.id}/lines/count`,
    {
      counts: counted.map(({ line, quantity, serials }) => ({
        stockCountLineId: line.id,
        ...(serials === null ? { countedQuantity: quantity } : { serials }),
      })),
    },
    isRefused
      ? null
      : () => {
          if (stockCount.status === Status.Draft) stockCount.status = Status.InProgress
          for (const { line, quantity, serials } of counted) {
            line.status = LineStatus.Counted
            line.lastEntry = { at: model.clock, quantity, serials }
          }
        },
  )
}

/**
 * Counts goods that the count does not expect: with a new line, or with an existing line of that location.
 */
export const countFound: Act = (model, ids, dice) => {
  const stockCount = someCount(model, dice)
  if (!stockCount) return null
  const product = dice.pickFrom(Object.keys(products)) as Product
  const unit = dice.once(3) ? (dice.pickFrom([...model.units.keys()]) as string) : null
  const wanted = dice.pickFrom(Object.keys(locations)) as Location
  const location = unit === null ? wanted : unitLocation(model, unit, wanted)
  const batch = dice.pickFrom([null, 'B1', 'B2']) ?? null
  const { tracking } = products[product]
  const quantity = 1 + dice.upTo(3)
  const serials = tracking === 'full' ? model.freshSerials(quantity) : undefined
  const entry = {
    found: {
      partnerProductId: ids.products[product],
      locationName: wanted,
      logisticUnit: unit === null ? undefined : { referenceNumber: unit },
      batch,
    },
    ...(serials ? { serials } : { countedQuantity: quantity }),
  }
  const url = `/v1/stock-counts/${stockCount.id}/lines/count`
  if (isFinal(stockCount)) return step(url, { counts: [entry] }, null)
  // Finding goods on an empty unit moves the unit, which another test covers.
  if (unit !== null && model.onUnit(unit).length === 0) return null
  const alike =
    location === null
      ? []
      : [...model.rows.values()].filter(
          row =>
            row.product === product && row.location === location && row.unit === unit && row.batch === batch,
        )
  const lines = stockCount.lines.filter(({ row }) => alike.includes(row))
  const live = lines.filter(({ row }) => row.onHand > 0)
  const without = alike.filter(row => row.onHand > 0)
  // The model does not predict which of several rows is meant.
  if (live.length === 0 && (lines.length > 1 || (lines.length === 0 && without.length > 1))) return null
  const line = live[0] ?? lines[0]
  const identity = location && { product, location, unit, hold: null, batch }
  const row = line?.row ?? without[0] ?? (identity ? model.rows.get(keyOf(identity)) : undefined)
  const taken = row && openLineOf(model, row)
  const isRefused =
    location === null ||
    live.length > 1 ||
    (line === undefined && taken !== undefined) ||
    line?.status === LineStatus.Approved ||
    (stockCount.status === Status.Counted && line?.status !== LineStatus.Recount)
  return step(
    url,
    { counts: [entry] },
    isRefused
      ? null
      : () => {
          if (stockCount.status === Status.Draft) stockCount.status = Status.InProgress
          placeUnit(model, unit, location)
          const countLine = line ?? newLine(row ?? model.row(identity as Identity))
          if (line === undefined) stockCount.lines.push(countLine)
          countLine.status = LineStatus.Counted
          countLine.lastEntry = { at: model.clock, quantity, serials: serials ?? null }
        },
  )
}

export const recount: Act = (model, _, dice) => {
  const stockCount = someCount(model, dice)
  const line = dice.pickFrom(stockCount?.lines ?? [])
  if (!stockCount || !line) return null
  return step(
    `/v1/stock-counts/${stockCount.id}/lines/recount`,
    { stockCountLineIds: [line.id] },
    isFinal(stockCount) || line.status !== LineStatus.Counted
      ? null
      : () => {
          line.status = LineStatus.Recount
          line.round++
          line.lastEntry = null
        },
  )
}

export const moveCount: Act = (model, _, dice) => {
  const stockCount = someCount(model, dice)
  if (!stockCount) return null
  const { InProgress, Counted, Approved, Cancelled, Draft } = Status
  const isReady = !stockCount.lines.some(isUncounted) && stockCount.status !== Status.Counted
  const to =
    isReady && !dice.once(4)
      ? Counted
      : dice.once(12)
        ? Cancelled
        : (dice.pickFrom([Counted, Counted, Counted, InProgress, Approved, Draft]) ?? 3)
  const url = `/v1/stock-counts/${stockCount.id}/status`
  if (to === stockCount.status) return step(url, { status: to }, () => {}, { method: 'put', status: 304 })
  const isPossible =
    !isFinal(stockCount) &&
    to !== Approved &&
    to !== Draft &&
    (to !== Counted || !stockCount.lines.some(isUncounted))
  return step(
    url,
    { status: to },
    isPossible
      ? () => {
          stockCount.status = to
          if (to === Cancelled) for (const line of stockCount.lines) line.isOpen = false
          if (to === Counted) approveIfComplete(stockCount)
        }
      : null,
    { method: 'put' },
  )
}

function approveIfComplete(stockCount: Count): void {
  if (!stockCount.lines.some(({ isOpen }) => isOpen)) stockCount.status = Status.Approved
}

const byId = (a: CountLine, b: CountLine) => (a.id < b.id ? -1 : 1)

/**
 * Returns the rows that were counted with a line: its own, rows of the same appearance without a line, and
 * rows that its goods were moved to because their description has changed since.
 */
function coveredRows(model: StockModel, stockCount: Count, line: CountLine): Row[] {
  const isAlike = (a: Row, b: Row) =>
    a.product === b.product && a.location === b.location && a.unit === b.unit && a.batch === b.batch
  const alikeTo = (row: Row) =>
    stockCount.lines.filter(candidate => isAlike(candidate.row, row)).toSorted(byId)[0]
  const hasNoLine = (row: Row) =>
    openLineOf(model, row) === undefined && !stockCount.lines.some(candidate => candidate.row === row)
  const others = [...model.rows.values()].filter(
    row => row !== line.row && isAlike(row, line.row) && hasNoLine(row) && alikeTo(row) === line,
  )
  const edits = model.redescriptions.filter(({ at }) => at > stockCount.madeAt)
  const firstOf = (row: Row) =>
    stockCount.lines
      .filter(candidate => edits.some(({ from, to }) => from === candidate.row && to === row))
      .toSorted(byId)[0]
  const described = [...new Set(edits.map(({ to }) => to))].filter(
    row => hasNoLine(row) && alikeTo(row) === undefined && firstOf(row) === line,
  )
  return [line.row, ...others, ...described]
}

/** The adjustments that an approval makes for a line. */
interface Settlement {
  line: CountLine
  /** the row that found goods come into */
  into: Row
  leaving: { row: Row; quantity: number; serials: string[] }[]
  entering: { quantity: number; serials: string[] }
}

/** Works out the adjustments of a line; null if it is refused, undefined if the model cannot predict them. */
function settleLine(model: StockModel, stockCount: Count, line: CountLine): Settlement | null | undefined {
  const entry = line.lastEntry as NonNullable<CountLine['lastEntry']>
  const rows = coveredRows(model, stockCount, line)
  const book = rows.reduce((sum, row) => sum + model.onHandAt(row, entry.at), 0)
  if (entry.serials !== null) return settleSerials(model, line, rows, book)
  const [own, ...others] = rows as [Row, ...Row[]]
  let rest = Math.max(0, book - entry.quantity)
  const fromOwn = Math.min(rest, freeOf(own))
  rest -= fromOwn
  const otherSources = others.filter(row => freeOf(row) > 0)
  const available = otherSources.reduce((sum, row) => sum + freeOf(row), 0)
  if (rest > 0 && rest < available && otherSources.length > 1) return undefined
  const leaving = otherSources.map(row => ({
    row,
    quantity: Math.min(rest, freeOf(row)),
    serials: [] as string[],
  }))
  rest = Math.max(0, rest - available)
  leaving.unshift({ row: own, quantity: fromOwn + rest, serials: [] })
  return {
    line,
    into: rowToFill(rows),
    leaving: leaving.filter(({ quantity }) => quantity > 0),
    entering: { quantity: Math.max(0, entry.quantity - book), serials: [] },
  }
}

/** Returns the row of a line, or the row that all of its goods are in now. */
function rowToFill([own, ...others]: readonly Row[]): Row {
  const [other, ...more] = others.filter(({ onHand, hold }) => onHand > 0 && hold === null)
  return own?.onHand === 0 && other !== undefined && more.length === 0 ? other : (own as Row)
}

function settleSerials(
  model: StockModel,
  line: CountLine,
  rows: readonly Row[],
  book: number,
): Settlement | null {
  const { at, serials } = line.lastEntry as NonNullable<CountLine['lastEntry']>
  const bookSerials = new Set(rows.flatMap(row => model.serialsAt(row, at)))
  if (book !== bookSerials.size) return null
  const countedSerials = new Set(serials)
  const { product } = line.row
  const isUnmoved = (serial: string) => !model.hasMovedSince(product, serial, at)
  const missing = [...bookSerials].filter(serial => !countedSerials.has(serial) && isUnmoved(serial))
  const found = [...countedSerials].filter(serial => !bookSerials.has(serial) && isUnmoved(serial))
  const byRow = Map.groupBy(missing, serial => model.rowOfSerial(product, serial))
  return {
    line,
    into: rowToFill(rows),
    leaving: [...byRow].flatMap(([row, group]) =>
      row && rows.includes(row) ? [{ row, quantity: group.length, serials: group }] : [],
    ),
    entering: { quantity: found.length, serials: found },
  }
}

/** Returns the allocations that are released for goods to leave a row, and whether they may leave then. */
function tryRelease(row: Row, quantity: number, serials: readonly string[], isReleasing: boolean) {
  const { left, released } = isReleasing
    ? chooseReleased(row, quantity)
    : { left: row.allocations, released: [] as Allocation[] }
  const isNamed = left.some(({ serial }) => serial !== null && serials.includes(serial))
  const isWhole = quantity === row.onHand && sumOf(left) === 0
  return { released, isPossible: isWhole || (quantity <= row.onHand - sumOf(left) && !isNamed) }
}

export const approve: Act = (model, _, dice) => {
  const ended = model.counts.filter(
    ({ status, lines }) =>
      status === Status.Counted || (status === Status.InProgress && !lines.every(isUncounted)),
  )
  // Approving other counts is refused, which needs to be tried only now and then.
  const stockCount = dice.pickFrom(dice.once(12) ? model.counts : ended)
  if (!stockCount) return null
  const chosenLine = dice.once(2) ? dice.pickFrom(stockCount.lines) : undefined
  const isReleasing = dice.once(3)
  const body = {
    ...(chosenLine ? { stockCountLineIds: [chosenLine.id] } : {}),
    ...(isReleasing ? { releaseAllocations: true } : {}),
  }
  const url = `/v1/stock-counts/${stockCount.id}/approve`
  const lines = chosenLine
    ? [chosenLine]
    : stockCount.lines.filter(({ status }) => status === LineStatus.Counted)
  const isAsked =
    (stockCount.status === Status.Counted || stockCount.status === Status.InProgress) &&
    lines.length > 0 &&
    lines.every(({ status }) => status === LineStatus.Counted)
  if (!isAsked) return step(url, body, null)
  const inOrder = lines.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const all = inOrder.map(line => settleLine(model, stockCount, line))
  if (all.includes(undefined)) return null
  if (all.includes(null)) return step(url, body, null)
  const settled = all as Settlement[]
  const leaving = settled.flatMap(({ line, leaving: group }) => group.map(part => ({ ...part, line })))
  const yields = leaving.map(({ row, quantity, serials }) => tryRelease(row, quantity, serials, isReleasing))
  const isPossible =
    yields.every(({ isPossible }) => isPossible) &&
    settled.every(settlement => mayEnter(model, settlement, leaving, settled))
  return step(
    url,
    body,
    isPossible
      ? () => {
          for (const [i, { released }] of yields.entries())
            for (const allocation of released)
              model.changeAllocation(leaving[i]?.row as Row, {
                ...allocation,
                quantity: -allocation.quantity,
              })
          for (const { line, row, quantity, serials } of leaving)
            model.move(
              row,
              null,
              quantity,
              serials.length > 0 ? serials : serialsIfWhole(row, quantity),
              line.lastEntry?.at,
            )
          for (const { line, into, entering } of settled)
            if (entering.quantity > 0)
              model.move(null, into, entering.quantity, entering.serials, line.lastEntry?.at)
          for (const line of lines) {
            line.status = LineStatus.Approved
            line.isOpen = false
          }
          if (stockCount.status === Status.Counted) approveIfComplete(stockCount)
        }
      : null,
  )
}

/** Returns all serials of a row if all of its stock leaves, else none. */
const serialsIfWhole = (row: Row, quantity: number) => (quantity === row.onHand ? [...row.serials] : [])

/** Returns whether found goods can come in once everything else has left. */
function mayEnter(
  model: StockModel,
  { into: row, entering }: Settlement,
  leaving: readonly { row: Row; quantity: number; serials: string[] }[],
  settled: readonly Settlement[],
): boolean {
  if (entering.quantity === 0) return true
  const left = row.onHand - sumOf(leaving.filter(part => part.row === row))
  const isGone = row.unit !== null && model.units.get(row.unit) !== row.location
  if (left === 0 && (isGone || row.hold !== null)) return false
  const found = settled.flatMap(settlement =>
    settlement.into.product === row.product ? settlement.entering.serials : [],
  )
  const isOut = (serial: string) => leaving.some(({ serials }) => serials.includes(serial))
  return entering.serials.every(
    serial =>
      found.filter(other => other === serial).length === 1 &&
      (isOut(serial) || !model.rowOfSerial(row.product, serial)),
  )
}
