// Steps that change the status of outwards consignments, with their effect on stock: forward, back and Void.

import { ofType, Status, statusStep } from './inwards.ts'
import {
  allocatedOf,
  type Consignment,
  type Identity,
  isQuarantine,
  type Line,
  products,
  type Row,
  type StockModel,
} from './model.ts'
import {
  allocatePicked,
  endPickedAllocations,
  findTargetRows,
  partsOf,
  pickInto,
  reduced,
} from './outwards.ts'
import { type Act, identityOf } from './step.ts'

const { Void, Complete, Pending, ReadyToPick, ReadyToDispatch, InTransit, Draft } = Status
const path = [Draft, Pending, ReadyToPick, ReadyToDispatch, InTransit, Complete] as number[]

export const moveOutwards: Act = (model, _, dice) => {
  const consignment = dice.pickFrom(ofType(model, 'outwards'))
  if (!consignment) return null
  const next = path[Math.min(path.indexOf(consignment.status) + 1, path.length - 1)] as number
  const to = dice.once(30) ? Void : dice.once(2) ? (dice.pickFrom(path) as number) : next
  const { status } = consignment
  if (status === to) return statusStep(consignment, to, true)
  if (status === Void) return statusStep(consignment, to, false)
  if (to === Void) {
    const isGone = consignment.lines.some(line => line.dispatched > 0)
    return statusStep(consignment, to, !isGone, () => releaseAll(model, consignment, true))
  }
  const isForward = path.indexOf(to) > path.indexOf(status)
  return isForward
    ? statusStep(consignment, to, !lacksSerials(model, consignment, to), () =>
        forward(model, consignment, to),
      )
    : statusStep(consignment, to, mayGoBack(model, consignment, to), () => back(model, consignment, to))
}

function releaseAll(model: StockModel, { lines }: Consignment, includesPicked: boolean): void {
  const open = lines.flatMap(line => [
    ...model.allocationsTo(line, false),
    ...(includesPicked ? model.allocationsTo(line, true) : []),
  ])
  for (const { row, allocation } of open) {
    model.changeAllocation(row, reduced(allocation, allocation.quantity))
    // The serial was captured for this consignment only.
    const isForgotten = allocation.isPicked && products[row.product].tracking === 'release'
    if (isForgotten && allocation.serial !== null) row.serials.delete(allocation.serial)
  }
}

/** Returns whether the status change is refused because serials of allocated goods were not captured. */
function lacksSerials(model: StockModel, consignment: Consignment, to: number): boolean {
  const { status, lines } = consignment
  const passes = status !== ReadyToDispatch && path.indexOf(to) >= path.indexOf(ReadyToDispatch)
  if (!passes || path.indexOf(status) > path.indexOf(ReadyToDispatch)) return false
  if (consignment.isPickingConfirmed || lines.some(line => model.pickedOf(line) > 0)) return false
  return lines.some(
    line => products[line.product].tracking !== 'none' && willHaveAllocations(model, consignment, line),
  )
}

/** Returns whether a line has allocations once its consignment is ReadyToPick. */
const willHaveAllocations = (model: StockModel, { status }: Consignment, line: Line) =>
  model.openOf(line) > 0 ||
  (path.indexOf(status) < path.indexOf(ReadyToPick) &&
    model.shortageOf(line) > 0 &&
    model.live.some(
      row =>
        row.product === line.product &&
        row.hold === null &&
        !isQuarantine(row.location) &&
        row.onHand > allocatedOf(row),
    ))

function forward(model: StockModel, consignment: Consignment, to: number): void {
  const { lines, status } = consignment
  for (const passed of path.slice(path.indexOf(status) + 1, path.indexOf(to) + 1)) {
    if (passed === ReadyToPick)
      model.allocate(lines.map(line => ({ line, quantity: model.shortageOf(line) })))
    if (passed === ReadyToDispatch) readyToDispatch(model, consignment)
    if (passed === InTransit) {
      // What was unpicked since it was ReadyToDispatch stays behind.
      releaseAll(model, consignment, false)
      dispatch(model, consignment)
    }
  }
}

/**
 * Releases goods that are not picked, if anybody ever confirmed picks. Otherwise everything allocated counts
 * as picked.
 */
function readyToDispatch(model: StockModel, consignment: Consignment): void {
  const { lines } = consignment
  if (consignment.isPickingConfirmed || lines.some(line => model.pickedOf(line) > 0)) {
    releaseAll(model, consignment, false)
    return
  }
  const parts = lines.flatMap(line =>
    model.allocationsTo(line, false).map(({ row, allocation }) => ({
      ...{ line, row, quantity: allocation.quantity, serials: [] as string[] },
    })),
  )
  const targets = findTargetRows(model, parts, 'DISPATCH', undefined)
  for (const [i, { line, row, quantity }] of parts.entries())
    pickInto(model, line, row, targets[i] as Row, quantity, [])
}

function dispatch(model: StockModel, consignment: Consignment): void {
  consignment.departed = partsOf(model, consignment.lines).map(({ line, row, quantity, serials }) => ({
    ...{ line, quantity, serials, from: identityOf(row) },
  }))
  for (const part of partsOf(model, consignment.lines)) {
    endPickedAllocations(model, part)
    model.move(part.row, null, part.quantity, part.serials)
    if (part.row.unit !== null) model.departedUnits.add(part.row.unit)
    for (const serial of part.serials) model.departedSerials.set(`${part.row.product} ${serial}`, part.line)
    part.line.dispatched += part.quantity
  }
}

const undoesDispatch = (to: number) => path.indexOf(to) < path.indexOf(InTransit)

function mayGoBack(model: StockModel, consignment: Consignment, to: number): boolean {
  const { departed, lines } = consignment
  if (departed.length > 0 && undoesDispatch(to)) {
    const isReturned = model.consignments.some(
      ({ returnOf, status, lines: back }) =>
        returnOf === consignment && (status !== Complete || back.some(({ received }) => received > 0)),
    )
    const isBack = departed.some(({ line, serials }) =>
      serials.some(serial => model.departedSerials.get(`${line.product} ${serial}`) !== line),
    )
    if (isReturned || isBack) return false
  }
  const picked = departed.length > 0 || lines.some(line => model.pickedOf(line) > 0)
  return path.indexOf(to) > path.indexOf(Pending) || !picked
}

function back(model: StockModel, consignment: Consignment, to: number): void {
  if (undoesDispatch(to)) {
    for (const { line, from, quantity, serials } of consignment.departed) {
      const unit = from.unit !== null && model.units.get(from.unit) === from.location ? from.unit : null
      const row = model.row({ ...from, unit } satisfies Identity)
      model.move(null, row, quantity, serials)
      allocatePicked(model, line, row, quantity, serials)
      line.dispatched -= quantity
    }
    consignment.departed = []
  }
  if (to === ReadyToPick)
    model.allocate(consignment.lines.map(line => ({ line, quantity: model.shortageOf(line) })))
  if (path.indexOf(to) <= path.indexOf(Pending)) releaseAll(model, consignment, false)
}
