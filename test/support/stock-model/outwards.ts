// Steps of outwards consignments: allocate, release, pick, unpick and stage.

import { placeUnit } from './floor.ts'
import { ofType, Status } from './inwards.ts'
import {
  type Allocation,
  freeOf,
  isQuarantine,
  type Line,
  type Location,
  locations,
  products,
  type Row,
  type StockModel,
  sumOf,
} from './model.ts'
import { type Act, type Dice, identityOf, someQuantity, someRow, someSerials, step } from './step.ts'

const { ReadyToPick, ReadyToDispatch } = Status
const places = Object.keys(locations) as Location[]

/** Picks a line of an outwards consignment, mostly an eligible one. */
function someLine(model: StockModel, dice: Dice, isMeant: (line: Line) => boolean = () => true) {
  const all = ofType(model, 'outwards').flatMap(({ lines }) => lines)
  const meant = all.filter(isMeant)
  return dice.pickFrom(dice.once(12) || meant.length === 0 ? all : meant)
}
const isBeingPicked = ({ consignment }: Line) => consignment.status === ReadyToPick

export const allocate: Act = (model, _, dice) => {
  const line = someLine(model, dice, isBeingPicked)
  if (!line) return null
  const { consignment } = line
  const url = `/v1/consignments/${consignment.id}/allocate`
  const isReady = consignment.status === ReadyToPick
  const short = (candidate: Line) => ({ line: candidate, quantity: model.shortageOf(candidate) })
  if (dice.once(2)) return step(url, {}, isReady ? () => model.allocate(consignment.lines.map(short)) : null)
  const isOverride = dice.once(4)
  const quantity = someQuantity(dice, line.product, model.shortageOf(line))
  const wanted = quantity ?? model.shortageOf(line)
  const isPossible = isReady && (isOverride || wanted <= model.shortageOf(line))
  return step(
    url,
    { lines: [{ consignmentProductId: line.id, quantity, isOverride }] },
    isPossible ? () => model.allocate([{ line, quantity: wanted }]) : null,
  )
}

export const choose: Act = (model, _, dice) => {
  const line = someLine(model, dice, isBeingPicked)
  const row = line && someRow(model, dice, candidate => candidate.product === line.product || dice.once(20))
  if (!line || !row) return null
  const isOverride = dice.once(3)
  const short = model.shortageOf(line)
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
    isPossible
      ? () => model.changeAllocation(row, { line, serial: null, isPicked: false, quantity: taken })
      : null,
  )
}

export const release: Act = (model, _, dice) => {
  const line = someLine(model, dice, candidate => model.openOf(candidate) > 0)
  if (!line) return null
  const url = `/v1/consignments/${line.consignment.id}/release`
  const open = model.allocationsTo(line, false)
  if (dice.once(3) || open.length === 0) {
    const all = line.consignment.lines.flatMap(candidate => model.allocationsTo(candidate, false))
    return step(url, {}, () => {
      for (const { row, allocation } of all)
        model.changeAllocation(row, reduced(allocation, allocation.quantity))
    })
  }
  const { row, allocation } = dice.pickFrom(open) as (typeof open)[number]
  const quantity = someQuantity(dice, line.product, allocation.quantity)
  return step(
    url,
    { lines: [{ consignmentProductId: line.id, warehouseProductId: row.id, quantity }] },
    (quantity ?? 0) <= allocation.quantity
      ? () => model.changeAllocation(row, reduced(allocation, quantity ?? allocation.quantity))
      : null,
  )
}

export const reduced = (allocation: Allocation, quantity: number): Allocation => ({
  ...allocation,
  quantity: -quantity,
})

/** Draws serials for a pick: those in the row or new ones, and now and then one that is in stock. */
function pickedSerials(model: StockModel, line: Line, row: Row, quantity: number, dice: Dice) {
  const { tracking } = products[row.product]
  if (tracking !== 'release') {
    const serials = someSerials(row, quantity, dice)
    const isOwn = (serial: string) =>
      row.allocations.every(
        allocation => allocation.serial !== serial || (allocation.line === line && !allocation.isPicked),
      )
    const isFine =
      tracking === 'none'
        ? serials === undefined
        : serials?.length === quantity &&
          new Set(serials).size === quantity &&
          serials.every(serial => row.serials.has(serial) && isOwn(serial))
    return { serials, isFine }
  }
  const serials = model.freshSerials(quantity)
  const known = model.live.flatMap(other => (other.product === row.product ? [...other.serials] : []))
  if (dice.once(10) && known.length > 0) serials[0] = dice.pickFrom(known) as string
  if (dice.once(12)) serials.pop()
  const isNew = serials.every(serial => !model.rowOfSerial(row.product, serial))
  return { serials, isFine: serials.length === quantity && isNew }
}

/** Returns the rows that moved goods go to. Their unit moves along if all of its goods are moved. */
export function findTargetRows(
  model: StockModel,
  goods: { row: Row; quantity: number; serials: string[] }[],
  location: Location,
  unit: string | null | undefined,
): Row[] {
  const goesWhole = (name: string) =>
    model.onUnit(name).every(row => sumOf(goods.filter(part => part.row === row)) === row.onHand)
  const units = goods.map(({ row }) =>
    unit === undefined ? (row.unit !== null && goesWhole(row.unit) ? row.unit : null) : unit,
  )
  return goods.map(({ row }, i) => {
    placeUnit(model, units[i] ?? null, location)
    return model.row({ ...identityOf(row), location, unit: units[i] ?? null })
  })
}

/** Picks a quantity of a row for a line, using up its open allocation first. */
export function pickInto(
  model: StockModel,
  line: Line,
  row: Row,
  to: Row,
  quantity: number,
  serials: string[],
) {
  const open = row.allocations.find(allocation => allocation.line === line && !allocation.isPicked)
  const allocated = Math.min(quantity, open?.quantity ?? 0)
  if (open && allocated > 0) model.changeAllocation(row, reduced(open, allocated))
  model.move(row, to, quantity, serials)
  allocatePicked(model, line, to, quantity, serials)
  line.sources.set(row, (line.sources.get(row) ?? 0) + quantity)
}

export function allocatePicked(
  model: StockModel,
  line: Line,
  to: Row,
  quantity: number,
  serials: string[],
): void {
  if (products[to.product].tracking === 'none')
    model.changeAllocation(to, { line, serial: null, isPicked: true, quantity })
  for (const serial of serials) model.changeAllocation(to, { line, serial, isPicked: true, quantity: 1 })
}

export const pick: Act = (model, _, dice) => {
  const line = someLine(model, dice, candidate => isBeingPicked(candidate) && model.openOf(candidate) > 0)
  if (!line) return null
  const isOverride = dice.once(5)
  const open = model.allocationsTo(line, false)
  const row =
    isOverride || open.length === 0
      ? someRow(model, dice, candidate => candidate.product === line.product || dice.once(20))
      : dice.pickFrom(open)?.row
  if (!row) return null
  const allocated = sumOf(
    row.allocations.filter(allocation => allocation.line === line && !allocation.isPicked),
  )
  const isShort = dice.once(6)
  const chosen = someQuantity(dice, row.product, isOverride ? allocated + freeOf(row) : allocated)
  const quantity = isShort && dice.once(3) ? 0 : chosen
  const picked = quantity ?? allocated
  const { serials, isFine } = pickedSerials(model, line, row, picked, dice)
  const wanted = dice.once(3) ? (dice.pickFrom(places) as Location) : null
  const location = wanted ?? 'DISPATCH'
  const unit = dice.once(6) ? (dice.pickFrom([null, ...model.units.keys()]) as string | null) : undefined
  const isUnitThere =
    typeof unit !== 'string' || model.onUnit(unit).length === 0 || model.units.get(unit) === location
  const more = Math.max(0, picked - allocated)
  const isAmountFine =
    picked === 0
      ? isShort && allocated > 0
      : more === 0 ||
        (isOverride &&
          row.hold === null &&
          !isQuarantine(row.location) &&
          row.product === line.product &&
          more <= freeOf(row))
  const isRefused =
    line.consignment.status !== ReadyToPick ||
    isQuarantine(location) ||
    !isUnitThere ||
    !isAmountFine ||
    !isFine
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
          line.consignment.isPickingConfirmed = true
          const missing = isShort ? Math.max(0, allocated - picked) : 0
          if (picked > 0) {
            const goods = { row, quantity: picked, serials: serials ?? [] }
            const [to] = findTargetRows(model, [goods], location, unit) as [Row]
            pickInto(model, line, row, to, picked, serials ?? [])
          }
          if (missing > 0) holdMissing(model, line, row, missing)
          if (missing > 0 && reallocate !== false)
            model.allocate([{ line, quantity: model.shortageOf(line) }])
        },
  )
}

/** Releases and holds missing goods; of serials, the first ones that are not allocated. */
function holdMissing(model: StockModel, line: Line, row: Row, missing: number): void {
  model.changeAllocation(row, { line, serial: null, isPicked: false, quantity: -missing })
  const isFree = (serial: string) => !row.allocations.some(allocation => allocation.serial === serial)
  const serials =
    products[row.product].tracking === 'full'
      ? [...row.serials]
          .filter(isFree)
          .toSorted((a, b) => (a < b ? -1 : 1))
          .slice(0, missing)
      : []
  model.moveInPlace(row, model.row({ ...identityOf(row), hold: model.makeHold() }), missing, serials)
}

/** The goods of a row that are picked for a line. */
interface PickedPart {
  line: Line
  row: Row
  quantity: number
  serials: string[]
}

export const partsOf = (model: StockModel, lines: readonly Line[]): PickedPart[] =>
  lines.flatMap(line =>
    [...Map.groupBy(model.allocationsTo(line, true), ({ row }) => row)].map(([row, group]) => ({
      line,
      row,
      quantity: sumOf(group.map(({ allocation }) => allocation)),
      serials: group.flatMap(({ allocation }) => allocation.serial ?? []),
    })),
  )

/** Ends the picked allocations of a part. */
export function endPickedAllocations(model: StockModel, { line, row, quantity, serials }: PickedPart): void {
  if (serials.length === 0)
    model.changeAllocation(row, { line, serial: null, isPicked: true, quantity: -quantity })
  for (const serial of serials) model.changeAllocation(row, { line, serial, isPicked: true, quantity: -1 })
}

const mayBePicked = ({ consignment: { status } }: Line) =>
  status === ReadyToPick || status === ReadyToDispatch

/**
 * The row that all goods of a line came from, if it can only be one. The model does not predict how goods are
 * distributed over several.
 */
function onlySource(line: Line, { batch }: Row, quantity: number): Row | null {
  const sources = [...line.sources].filter(([, picked]) => picked > 0)
  const [[source, picked] = []] = sources
  return sources.length === 1 && source?.batch === batch && (picked ?? 0) >= quantity ? source : null
}

export const unpick: Act = (model, _, dice) => {
  const line = someLine(model, dice, candidate => mayBePicked(candidate) && model.pickedOf(candidate) > 0)
  const part = line && dice.pickFrom(partsOf(model, [line]))
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
  const origin = onlySource(line, row, amount)
  const wanted = origin === null || dice.once(2) ? (dice.pickFrom(places) as Location) : null
  const location = wanted ?? (origin?.location as Location)
  // Goods go back on the unit that they came from, if it is still in the same location.
  const isBack = wanted === null && origin?.unit != null && model.units.get(origin.unit) === location
  const isRefused = !mayBePicked(line) || amount > part.quantity || isQuarantine(location)
  const entry = {
    ...{ consignmentProductId: line.id, warehouseProductId: row.id, quantity, serials },
    ...{ toLocationName: wanted, release: isReleased },
  }
  const effect = () => {
    line.consignment.isPickingConfirmed = true
    const moved = { ...part, quantity: amount, serials: serials.length > 0 ? serials : part.serials }
    const [to] = findTargetRows(model, [moved], location, isBack ? origin.unit : undefined) as [Row]
    endPickedAllocations(model, moved)
    const isForgotten = products[row.product].tracking === 'release'
    model.move(row, to, amount, isForgotten ? [] : moved.serials)
    if (isForgotten) for (const serial of moved.serials) row.serials.delete(serial)
    const picked = line.sources.get(to)
    if (picked !== undefined) line.sources.set(to, picked - amount)
    if (!isReleased) model.changeAllocation(to, { line, serial: null, isPicked: false, quantity: amount })
  }
  return step(
    `/v1/consignments/${line.consignment.id}/unpick`,
    { unpicks: [entry] },
    isRefused ? null : effect,
  )
}

export const stage: Act = (model, _, dice) => {
  const line = someLine(model, dice, candidate => mayBePicked(candidate) && model.pickedOf(candidate) > 0)
  if (!line) return null
  const parts = partsOf(model, line.consignment.lines)
  const location = dice.pickFrom(places) as Location
  const unit = dice.once(3) ? (dice.pickFrom([null, ...model.units.keys()]) as string | null) : undefined
  const isUnitThere =
    typeof unit !== 'string' || model.onUnit(unit).length === 0 || model.units.get(unit) === location
  const isRefused = !mayBePicked(line) || parts.length === 0 || isQuarantine(location) || !isUnitThere
  return step(
    `/v1/consignments/${line.consignment.id}/stage`,
    {
      toLocationName: location,
      toLogisticUnit: typeof unit === 'string' ? { referenceNumber: unit } : unit,
    },
    isRefused
      ? null
      : () => {
          const targets = findTargetRows(model, parts, location, unit)
          for (const part of parts) endPickedAllocations(model, part)
          for (const [i, { line, row, quantity, serials }] of parts.entries()) {
            model.move(row, targets[i] as Row, quantity, serials)
            allocatePicked(model, line, targets[i] as Row, quantity, serials)
          }
        },
  )
}
