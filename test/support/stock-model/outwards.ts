// What is done for outwards consignments, as steps: allocate, release, pick, unpick, stage.

import { settleUnit } from './floor.ts'
import { ofType, Status } from './inwards.ts'
import {
  freeOf,
  isQuarantine,
  type Line,
  type Location,
  locations,
  type Promised,
  products,
  type Row,
  type StockModel,
  sumOf,
} from './model.ts'
import { type Act, type Dice, sameAs, someQuantity, someRow, someSerials, step } from './step.ts'

const { ReadyToPick, ReadyToDispatch } = Status
const places = Object.keys(locations) as Location[]

/** An outwards consignment, those that something can be done with more often, and a line of it. */
function someLine(model: StockModel, dice: Dice, isMeant: (line: Line) => boolean = () => true) {
  const all = ofType(model, 'outwards').flatMap(({ lines }) => lines)
  const meant = all.filter(isMeant)
  return dice.of(dice.once(12) || meant.length === 0 ? all : meant)
}
const isBeingPicked = ({ consignment }: Line) => consignment.status === ReadyToPick

export const allocate: Act = (model, _, dice) => {
  const line = someLine(model, dice, isBeingPicked)
  if (!line) return null
  const { consignment } = line
  const url = `/v1/consignments/${consignment.id}/allocate`
  const isReady = consignment.status === ReadyToPick
  const short = (one: Line) => ({ line: one, quantity: model.shortOf(one) })
  if (dice.once(2)) return step(url, {}, isReady ? () => model.allocate(consignment.lines.map(short)) : null)
  const isOverride = dice.once(4)
  const quantity = someQuantity(dice, line.product, model.shortOf(line))
  const wanted = quantity ?? model.shortOf(line)
  const isPossible = isReady && (isOverride || wanted <= model.shortOf(line))
  return step(
    url,
    { lines: [{ consignmentProductId: line.id, quantity, isOverride }] },
    isPossible ? () => model.allocate([{ line, quantity: wanted }]) : null,
  )
}

export const choose: Act = (model, _, dice) => {
  const line = someLine(model, dice, isBeingPicked)
  const row = line && someRow(model, dice, one => one.product === line.product || dice.once(20))
  if (!line || !row) return null
  const isOverride = dice.once(3)
  const short = model.shortOf(line)
  const isOpen = row.hold === null && !isQuarantine(row.location)
  const available = isOpen ? freeOf(row) : 0
  const quantity = someQuantity(dice, row.product, isOverride ? available : Math.min(short, available))
  const taken = quantity ?? Math.min(short, available)
  const isOfBatch = line.batch === null || line.batch === row.batch
  const isPossible =
    line.consignment.status === ReadyToPick &&
    row.product === line.product &&
    available > 0 &&
    (isOverride || isOfBatch || !products[row.product].mustMatchBatch) &&
    taken > 0 &&
    (isOverride || taken <= short) &&
    taken <= available
  return step(
    `/v1/consignments/${line.consignment.id}/allocate`,
    {
      lines: [
        { consignmentProductId: line.id, stock: [{ warehouseProductId: row.id, quantity }], isOverride },
      ],
    },
    isPossible ? () => model.promise(row, { line, serial: null, isPicked: false, quantity: taken }) : null,
  )
}

export const release: Act = (model, _, dice) => {
  const line = someLine(model, dice, one => model.openOf(one) > 0)
  if (!line) return null
  const url = `/v1/consignments/${line.consignment.id}/release`
  const open = model.promisesTo(line, false)
  if (dice.once(3) || open.length === 0) {
    const all = line.consignment.lines.flatMap(one => model.promisesTo(one, false))
    return step(url, {}, () => {
      for (const { row, promise } of all) model.promise(row, less(promise, promise.quantity))
    })
  }
  const { row, promise } = dice.of(open) as (typeof open)[number]
  const quantity = someQuantity(dice, line.product, promise.quantity)
  return step(
    url,
    { lines: [{ consignmentProductId: line.id, warehouseProductId: row.id, quantity }] },
    (quantity ?? 0) <= promise.quantity
      ? () => model.promise(row, less(promise, quantity ?? promise.quantity))
      : null,
  )
}

export const less = (promise: Promised, quantity: number): Promised => ({ ...promise, quantity: -quantity })

/** Serials for a pick: those in the row, or new ones, or now and then one that is in stock. */
function pickedSerials(model: StockModel, line: Line, row: Row, quantity: number, dice: Dice) {
  const { tracking } = products[row.product]
  if (tracking !== 'release') {
    const serials = someSerials(row, quantity, dice)
    const isOwn = (serial: string) =>
      row.promises.every(one => one.serial !== serial || (one.line === line && !one.isPicked))
    const isFine =
      tracking === 'none'
        ? serials === undefined
        : serials?.length === quantity &&
          new Set(serials).size === quantity &&
          serials.every(serial => row.serials.has(serial) && isOwn(serial))
    return { serials, isFine }
  }
  const serials = model.freshSerials(quantity)
  const known = model.live.flatMap(one => (one.product === row.product ? [...one.serials] : []))
  if (dice.once(10) && known.length > 0) serials[0] = dice.of(known) as string
  if (dice.once(12)) serials.pop()
  const isNew = serials.every(serial => !model.rowOfSerial(row.product, serial))
  return { serials, isFine: serials.length === quantity && isNew }
}

/** Moves goods with their picked promises to a place, and the unit under them where it goes whole. */
export function goOn(
  model: StockModel,
  goods: { row: Row; quantity: number; serials: string[] }[],
  location: Location,
  unit: string | null | undefined,
): Row[] {
  const goesWhole = (name: string) =>
    model.onUnit(name).every(row => sumOf(goods.filter(one => one.row === row)) === row.onHand)
  const units = goods.map(({ row }) =>
    unit === undefined ? (row.unit !== null && goesWhole(row.unit) ? row.unit : null) : unit,
  )
  return goods.map(({ row }, i) => {
    settleUnit(model, units[i] ?? null, location)
    return model.row({ ...sameAs(row), location, unit: units[i] ?? null })
  })
}

/** Picks a quantity of a row for a line, out of what is promised to it as far as that goes. */
export function pickTo(
  model: StockModel,
  line: Line,
  row: Row,
  to: Row,
  quantity: number,
  serials: string[],
) {
  const open = row.promises.find(one => one.line === line && !one.isPicked)
  const promised = Math.min(quantity, open?.quantity ?? 0)
  if (open && promised > 0) model.promise(row, less(open, promised))
  model.move(row, to, quantity, serials)
  promisePicked(model, line, to, quantity, serials)
  line.origin = { location: row.location, unit: row.unit }
}

export function promisePicked(
  model: StockModel,
  line: Line,
  to: Row,
  quantity: number,
  serials: string[],
): void {
  if (products[to.product].tracking === 'none')
    model.promise(to, { line, serial: null, isPicked: true, quantity })
  for (const serial of serials) model.promise(to, { line, serial, isPicked: true, quantity: 1 })
}

export const pick: Act = (model, _, dice) => {
  const line = someLine(model, dice, one => isBeingPicked(one) && model.openOf(one) > 0)
  if (!line) return null
  const isOverride = dice.once(5)
  const open = model.promisesTo(line, false)
  const row =
    isOverride || open.length === 0
      ? someRow(model, dice, one => one.product === line.product || dice.once(20))
      : dice.of(open)?.row
  if (!row) return null
  const promised = sumOf(row.promises.filter(one => one.line === line && !one.isPicked))
  const isShort = dice.once(6)
  const said = someQuantity(dice, row.product, isOverride ? promised + freeOf(row) : promised)
  const quantity = isShort && dice.once(3) ? 0 : said
  const picked = quantity ?? promised
  const { serials, isFine } = pickedSerials(model, line, row, picked, dice)
  const wanted = dice.once(3) ? (dice.of(places) as Location) : null
  const location = wanted ?? 'DISPATCH'
  const unit = dice.once(6) ? (dice.of([null, ...model.units.keys()]) as string | null) : undefined
  const stands =
    typeof unit !== 'string' || model.onUnit(unit).length === 0 || model.units.get(unit) === location
  const more = Math.max(0, picked - promised)
  const isAmountFine =
    picked === 0
      ? isShort && promised > 0
      : more === 0 ||
        (isOverride &&
          row.hold === null &&
          !isQuarantine(row.location) &&
          row.product === line.product &&
          more <= freeOf(row))
  const isRefused =
    line.consignment.status !== ReadyToPick || isQuarantine(location) || !stands || !isAmountFine || !isFine
  const reallocate = dice.once(3) ? false : undefined
  const entry = {
    ...{ consignmentProductId: line.id, warehouseProductId: row.id, quantity, serials, isShort, isOverride },
    ...{ toLocationName: wanted, reallocate },
    toLogisticUnit: typeof unit === 'string' ? { referenceNumber: unit } : unit,
  }
  return step(
    `/v1/consignments/${line.consignment.id}/pick`,
    { picks: [entry] },
    isRefused
      ? null
      : () => {
          const missing = isShort ? Math.max(0, promised - picked) : 0
          if (picked > 0) {
            const goods = { row, quantity: picked, serials: serials ?? [] }
            const [to] = goOn(model, [goods], location, unit) as [Row]
            pickTo(model, line, row, to, picked, serials ?? [])
          }
          if (missing > 0) holdMissing(model, line, row, missing)
          if (missing > 0 && reallocate !== false) model.allocate([{ line, quantity: model.shortOf(line) }])
        },
  )
}

/** What is missing is not promised any more, and held: of serials the first that nobody was promised. */
function holdMissing(model: StockModel, line: Line, row: Row, missing: number): void {
  model.promise(row, { line, serial: null, isPicked: false, quantity: -missing })
  const isFree = (serial: string) => !row.promises.some(one => one.serial === serial)
  const serials =
    products[row.product].tracking === 'full'
      ? [...row.serials]
          .filter(isFree)
          .toSorted((a, b) => (a < b ? -1 : 1))
          .slice(0, missing)
      : []
  model.keep(row, model.row({ ...sameAs(row), hold: model.makeHold() }), missing, serials)
}

/** What of a row is picked for a line. */
interface PickedPart {
  line: Line
  row: Row
  quantity: number
  serials: string[]
}

export const partsOf = (model: StockModel, lines: readonly Line[]): PickedPart[] =>
  lines.flatMap(line =>
    [...Map.groupBy(model.promisesTo(line, true), ({ row }) => row)].map(([row, its]) => ({
      line,
      row,
      quantity: sumOf(its.map(({ promise }) => promise)),
      serials: its.flatMap(({ promise }) => promise.serial ?? []),
    })),
  )

/** Ends the picked promises of a part. */
export function unpromise(model: StockModel, { line, row, quantity, serials }: PickedPart): void {
  if (serials.length === 0) model.promise(row, { line, serial: null, isPicked: true, quantity: -quantity })
  for (const serial of serials) model.promise(row, { line, serial, isPicked: true, quantity: -1 })
}

const mayBePicked = ({ consignment: { status } }: Line) =>
  status === ReadyToPick || status === ReadyToDispatch

export const unpick: Act = (model, _, dice) => {
  const line = someLine(model, dice, one => mayBePicked(one) && model.pickedOf(one) > 0)
  const part = line && dice.of(partsOf(model, [line]))
  if (!line || !part) return null
  const { row } = part
  const isTracked = products[row.product].tracking !== 'none'
  const quantity = someQuantity(dice, row.product, part.quantity)
  const amount = quantity ?? part.quantity
  const at = dice.upTo(Math.max(1, part.serials.length))
  const serials =
    isTracked && amount < part.quantity
      ? [...part.serials.slice(at), ...part.serials.slice(0, at)].slice(0, amount)
      : []
  const isReleased = dice.once(3)
  const origin = typeof line.origin === 'object' ? line.origin : null
  const wanted = origin === null || dice.once(2) ? (dice.of(places) as Location) : null
  const location = wanted ?? (origin?.location as Location)
  // Goods go back onto the unit that they came from, if it stands where it stood.
  const isBack = wanted === null && origin?.unit != null && model.units.get(origin.unit) === location
  const isRefused = !mayBePicked(line) || amount > part.quantity || isQuarantine(location)
  const entry = {
    ...{ consignmentProductId: line.id, warehouseProductId: row.id, quantity, serials },
    ...{ toLocationName: wanted, release: isReleased },
  }
  const effect = () => {
    const moved = { ...part, quantity: amount, serials: serials.length > 0 ? serials : part.serials }
    const [to] = goOn(model, [moved], location, isBack ? origin.unit : undefined) as [Row]
    unpromise(model, moved)
    const isForgotten = products[row.product].tracking === 'release'
    model.move(row, to, amount, isForgotten ? [] : moved.serials)
    if (isForgotten) for (const serial of moved.serials) row.serials.delete(serial)
    if (!isReleased) model.promise(to, { line, serial: null, isPicked: false, quantity: amount })
  }
  return step(
    `/v1/consignments/${line.consignment.id}/unpick`,
    { unpicks: [entry] },
    isRefused ? null : effect,
  )
}

export const stage: Act = (model, _, dice) => {
  const line = someLine(model, dice, one => mayBePicked(one) && model.pickedOf(one) > 0)
  if (!line) return null
  const parts = partsOf(model, line.consignment.lines)
  const location = dice.of(places) as Location
  const unit = dice.once(3) ? (dice.of([null, ...model.units.keys()]) as string | null) : undefined
  const stands =
    typeof unit !== 'string' || model.onUnit(unit).length === 0 || model.units.get(unit) === location
  const isRefused = !mayBePicked(line) || parts.length === 0 || isQuarantine(location) || !stands
  return step(
    `/v1/consignments/${line.consignment.id}/stage`,
    {
      toLocationName: location,
      toLogisticUnit: typeof unit === 'string' ? { referenceNumber: unit } : unit,
    },
    isRefused
      ? null
      : () => {
          const targets = goOn(model, parts, location, unit)
          for (const part of parts) unpromise(model, part)
          for (const [i, { line, row, quantity, serials }] of parts.entries()) {
            model.move(row, targets[i] as Row, quantity, serials)
            promisePicked(model, line, targets[i] as Row, quantity, serials)
          }
        },
  )
}
