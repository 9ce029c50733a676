// Stock counts, as steps: made, counted, counted again, ended, cancelled, approved.

import { settleUnit, standing, yielding } from './floor.ts'
import {
  type Count,
  type CountLine,
  freeOf,
  type Identity,
  keyOf,
  type Location,
  locations,
  type Product,
  type Promised,
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

/** A count, mostly one that is under way. */
function someCount(model: StockModel, dice: Dice): Count | undefined {
  const open = model.counts.filter(count => !isFinal(count))
  return dice.of(dice.once(16) || open.length === 0 ? model.counts : open)
}

const openLineOf = (model: StockModel, row: Row) =>
  model.counts.flatMap(({ lines }) => lines).find(line => line.isOpen && line.row === row)

export const makeCount: Act = (model, named, dice) => {
  if (model.counts.filter(count => !isFinal(count)).length > 2) return null
  const product = dice.of(Object.keys(products)) as Product
  const place = dice.once(4) ? null : (dice.of(Object.keys(locations)) as Location)
  const rows = model.live
    .filter(row => row.product === product && (place === null || row.location === place))
    .filter(row => openLineOf(model, row) === undefined)
    .toSorted((a, b) => ((a.id ?? '') < (b.id ?? '') ? -1 : 1))
  const body = {
    warehouseId: named.warehouseId,
    partnerProductIds: [named.products[product]],
    ...(place === null ? {} : { warehouseLocationIds: [named.places.get(place)] }),
  }
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
  ...{ id: '', row, status: LineStatus.ToCount, round: 1, isOpen: true, seen: null },
})

/** What somebody says to see in a row: mostly what is there. */
function sight(model: StockModel, row: Row, dice: Dice): { quantity: number; serials: string[] | null } {
  const less = dice.once(3) ? dice.upTo(4) : 0
  const more = dice.once(4) ? dice.upTo(4) : 0
  if (products[row.product].tracking !== 'full')
    return { quantity: Math.max(0, row.onHand - less) + more, serials: null }
  const elsewhere = model.live.find(one => one.product === row.product && one !== row && one.onHand > 0)
  const strange = dice.once(8) ? [...(elsewhere?.serials ?? [])].slice(0, 1) : []
  const serials = [...[...row.serials].slice(less), ...model.freshSerials(more), ...strange]
  return { quantity: serials.length, serials }
}

export const count: Act = (model, _, dice) => {
  const of = someCount(model, dice)
  if (!of) return null
  const wanted = dice.once(3) ? of.lines : of.lines.filter(isUncounted)
  const one = dice.of(wanted)
  const lines = dice.once(3) ? (one ? [one] : []) : wanted.slice(0, 5)
  if (lines.length === 0) return null
  const seen = lines.map(line => ({ line, ...sight(model, line.row, dice) }))
  const isRefused =
    isFinal(of) ||
    lines.some(
      ({ status }) =>
        status === LineStatus.Approved || (of.status === Status.Counted && status !== LineStatus.Recount),
    )
  return step(
    `/v1/stock-counts/${of.id}/lines/count`,
    {
      counts: seen.map(({ line, quantity, serials }) => ({
        stockCountLineId: line.id,
        ...(serials === null ? { countedQuantity: quantity } : { serials }),
      })),
    },
    isRefused
      ? null
      : () => {
          if (of.status === Status.Draft) of.status = Status.InProgress
          for (const { line, quantity, serials } of seen) {
            line.status = LineStatus.Counted
            line.seen = { at: model.clock, quantity, serials }
          }
        },
  )
}

/** Goods that a count does not expect: a new line for where they are, or the line that is there. */
export const countFound: Act = (model, named, dice) => {
  const of = someCount(model, dice)
  if (!of) return null
  const product = dice.of(Object.keys(products)) as Product
  const unit = dice.once(3) ? (dice.of([...model.units.keys()]) as string) : null
  const wanted = dice.of(Object.keys(locations)) as Location
  const location = unit === null ? wanted : standing(model, unit, wanted)
  const batch = dice.of([null, 'B1', 'B2']) ?? null
  const { tracking } = products[product]
  const quantity = 1 + dice.upTo(3)
  const serials = tracking === 'full' ? model.freshSerials(quantity) : undefined
  const entry = {
    found: {
      partnerProductId: named.products[product],
      locationName: wanted,
      logisticUnit: unit === null ? undefined : { referenceNumber: unit },
      batch,
    },
    ...(serials ? { serials } : { countedQuantity: quantity }),
  }
  const url = `/v1/stock-counts/${of.id}/lines/count`
  if (isFinal(of)) return step(url, { counts: [entry] }, null)
  // An empty unit comes to where goods are found on it, which another test has.
  if (unit !== null && model.onUnit(unit).length === 0) return null
  const alike =
    location === null
      ? []
      : [...model.rows.values()].filter(
          row =>
            row.product === product && row.location === location && row.unit === unit && row.batch === batch,
        )
  const lines = of.lines.filter(({ row }) => alike.includes(row))
  const live = lines.filter(({ row }) => row.onHand > 0)
  const without = alike.filter(row => row.onHand > 0)
  // Which of several is meant is not foretold.
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
    (of.status === Status.Counted && line?.status !== LineStatus.Recount)
  return step(
    url,
    { counts: [entry] },
    isRefused
      ? null
      : () => {
          if (of.status === Status.Draft) of.status = Status.InProgress
          settleUnit(model, unit, location)
          const there = line ?? newLine(row ?? model.row(identity as Identity))
          if (line === undefined) of.lines.push(there)
          there.status = LineStatus.Counted
          there.seen = { at: model.clock, quantity, serials: serials ?? null }
        },
  )
}

export const recount: Act = (model, _, dice) => {
  const of = someCount(model, dice)
  const line = dice.of(of?.lines ?? [])
  if (!of || !line) return null
  return step(
    `/v1/stock-counts/${of.id}/lines/recount`,
    { stockCountLineIds: [line.id] },
    isFinal(of) || line.status !== LineStatus.Counted
      ? null
      : () => {
          line.status = LineStatus.Recount
          line.round++
          line.seen = null
        },
  )
}

export const moveCount: Act = (model, _, dice) => {
  const of = someCount(model, dice)
  if (!of) return null
  const { InProgress, Counted, Approved, Cancelled, Draft } = Status
  const isReady = !of.lines.some(isUncounted) && of.status !== Status.Counted
  const to =
    isReady && !dice.once(4)
      ? Counted
      : dice.once(12)
        ? Cancelled
        : (dice.of([Counted, Counted, Counted, InProgress, Approved, Draft]) ?? 3)
  const url = `/v1/stock-counts/${of.id}/status`
  if (to === of.status) return step(url, { status: to }, () => {}, { method: 'put', status: 304 })
  const isPossible =
    !isFinal(of) && to !== Approved && to !== Draft && (to !== Counted || !of.lines.some(isUncounted))
  return step(
    url,
    { status: to },
    isPossible
      ? () => {
          of.status = to
          if (to === Cancelled) for (const line of of.lines) line.isOpen = false
          if (to === Counted) approveIfSettled(of)
        }
      : null,
    { method: 'put' },
  )
}

function approveIfSettled(of: Count): void {
  if (!of.lines.some(({ isOpen }) => isOpen)) of.status = Status.Approved
}

const byId = (a: CountLine, b: CountLine) => (a.id < b.id ? -1 : 1)

/**
 * The rows that whoever counted a line looked at: its own, those that look the same and have no line, and
 * those that its goods were put into because they were described otherwise since.
 */
function coveredBy(model: StockModel, of: Count, line: CountLine): Row[] {
  const isAlike = (a: Row, b: Row) =>
    a.product === b.product && a.location === b.location && a.unit === b.unit && a.batch === b.batch
  const alikeTo = (row: Row) => of.lines.filter(one => isAlike(one.row, row)).toSorted(byId)[0]
  const hasNoLine = (row: Row) =>
    openLineOf(model, row) === undefined && !of.lines.some(one => one.row === row)
  const others = [...model.rows.values()].filter(
    row => row !== line.row && isAlike(row, line.row) && hasNoLine(row) && alikeTo(row) === line,
  )
  const edits = model.edits.filter(({ at }) => at > of.madeAt)
  const firstOf = (row: Row) =>
    of.lines.filter(one => edits.some(({ from, to }) => from === one.row && to === row)).toSorted(byId)[0]
  const described = [...new Set(edits.map(({ to }) => to))].filter(
    row => hasNoLine(row) && alikeTo(row) === undefined && firstOf(row) === line,
  )
  return [line.row, ...others, ...described]
}

/** What an approval does about a line. */
interface Settled {
  line: CountLine
  /** the row that what was found comes into */
  into: Row
  leaving: { row: Row; quantity: number; serials: string[] }[]
  entering: { quantity: number; serials: string[] }
}

/** What is to be done about a line; null where it is refused, undefined where it is not foretold. */
function settle(model: StockModel, of: Count, line: CountLine): Settled | null | undefined {
  const seen = line.seen as NonNullable<CountLine['seen']>
  const rows = coveredBy(model, of, line)
  const book = rows.reduce((sum, row) => sum + model.onHandAt(row, seen.at), 0)
  if (seen.serials !== null) return settleSerials(model, line, rows, book)
  const [own, ...others] = rows as [Row, ...Row[]]
  let rest = Math.max(0, book - seen.quantity)
  const fromOwn = Math.min(rest, freeOf(own))
  rest -= fromOwn
  const having = others.filter(row => freeOf(row) > 0)
  const there = having.reduce((sum, row) => sum + freeOf(row), 0)
  if (rest > 0 && rest < there && having.length > 1) return undefined
  const leaving = having.map(row => ({ row, quantity: Math.min(rest, freeOf(row)), serials: [] as string[] }))
  rest = Math.max(0, rest - there)
  leaving.unshift({ row: own, quantity: fromOwn + rest, serials: [] })
  return {
    line,
    into: rowToFill(rows),
    leaving: leaving.filter(({ quantity }) => quantity > 0),
    entering: { quantity: Math.max(0, seen.quantity - book), serials: [] },
  }
}

/** The row of a line, or where all of its goods are now. */
function rowToFill([own, ...others]: readonly Row[]): Row {
  const [other, ...more] = others.filter(({ onHand, hold }) => onHand > 0 && hold === null)
  return own?.onHand === 0 && other !== undefined && more.length === 0 ? other : (own as Row)
}

function settleSerials(
  model: StockModel,
  line: CountLine,
  rows: readonly Row[],
  book: number,
): Settled | null {
  const { at, serials } = line.seen as NonNullable<CountLine['seen']>
  const there = new Set(rows.flatMap(row => model.serialsAt(row, at)))
  if (book !== there.size) return null
  const seen = new Set(serials)
  const { product } = line.row
  const isStill = (serial: string) => !model.hasMovedSince(product, serial, at)
  const missing = [...there].filter(serial => !seen.has(serial) && isStill(serial))
  const found = [...seen].filter(serial => !there.has(serial) && isStill(serial))
  const byRow = Map.groupBy(missing, serial => model.rowOfSerial(product, serial))
  return {
    line,
    into: rowToFill(rows),
    leaving: [...byRow].flatMap(([row, its]) =>
      row && rows.includes(row) ? [{ row, quantity: its.length, serials: its }] : [],
    ),
    entering: { quantity: found.length, serials: found },
  }
}

/** What the promises of a row give way to, and whether the goods may go then. */
function yieldingTo(row: Row, quantity: number, serials: readonly string[], isReleasing: boolean) {
  const { left, released } = isReleasing
    ? yielding(row, quantity)
    : { left: row.promises, released: [] as Promised[] }
  const isNamed = left.some(({ serial }) => serial !== null && serials.includes(serial))
  const isWhole = quantity === row.onHand && sumOf(left) === 0
  return { released, isPossible: isWhole || (quantity <= row.onHand - sumOf(left) && !isNamed) }
}

export const approve: Act = (model, _, dice) => {
  const ended = model.counts.filter(({ status }) => status === Status.Counted)
  // The others are refused, which has to be seen now and then only.
  const of = dice.of(dice.once(12) ? model.counts : ended)
  if (!of) return null
  const one = dice.once(2) ? dice.of(of.lines) : undefined
  const isReleasing = dice.once(3)
  const body = {
    ...(one ? { stockCountLineIds: [one.id] } : {}),
    ...(isReleasing ? { releaseAllocations: true } : {}),
  }
  const url = `/v1/stock-counts/${of.id}/approve`
  const lines = one ? [one] : of.lines.filter(({ status }) => status === LineStatus.Counted)
  const isAsked =
    of.status === Status.Counted &&
    lines.length > 0 &&
    lines.every(({ status }) => status === LineStatus.Counted)
  if (!isAsked) return step(url, body, null)
  const inOrder = lines.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const all = inOrder.map(line => settle(model, of, line))
  if (all.includes(undefined)) return null
  if (all.includes(null)) return step(url, body, null)
  const settled = all as Settled[]
  const leaving = settled.flatMap(({ line, leaving: its }) => its.map(part => ({ ...part, line })))
  const yields = leaving.map(({ row, quantity, serials }) => yieldingTo(row, quantity, serials, isReleasing))
  const isPossible =
    yields.every(one => one.isPossible) && settled.every(one => mayEnter(model, one, leaving, settled))
  return step(
    url,
    body,
    isPossible
      ? () => {
          for (const [i, { released }] of yields.entries())
            for (const promise of released)
              model.promise(leaving[i]?.row as Row, { ...promise, quantity: -promise.quantity })
          for (const { line, row, quantity, serials } of leaving)
            model.move(
              row,
              null,
              quantity,
              serials.length > 0 ? serials : wholeOf(row, quantity),
              line.seen?.at,
            )
          for (const { line, into, entering } of settled)
            if (entering.quantity > 0)
              model.move(null, into, entering.quantity, entering.serials, line.seen?.at)
          for (const line of lines) {
            line.status = LineStatus.Approved
            line.isOpen = false
          }
          approveIfSettled(of)
        }
      : null,
  )
}

/** All serials go with all of a row. */
const wholeOf = (row: Row, quantity: number) => (quantity === row.onHand ? [...row.serials] : [])

/** Whether what was found can come in once everything has left. */
function mayEnter(
  model: StockModel,
  { into: row, entering }: Settled,
  leaving: readonly { row: Row; quantity: number; serials: string[] }[],
  settled: readonly Settled[],
): boolean {
  if (entering.quantity === 0) return true
  const left = row.onHand - sumOf(leaving.filter(part => part.row === row))
  const isGone = row.unit !== null && model.units.get(row.unit) !== row.location
  if (left === 0 && (isGone || row.hold !== null)) return false
  const found = settled.flatMap(one => (one.into.product === row.product ? one.entering.serials : []))
  const isOut = (serial: string) => leaving.some(({ serials }) => serials.includes(serial))
  return entering.serials.every(
    serial =>
      found.filter(one => one === serial).length === 1 &&
      (isOut(serial) || !model.rowOfSerial(row.product, serial)),
  )
}
