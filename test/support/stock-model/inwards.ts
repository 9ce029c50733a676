// Steps of inwards consignments: receive, unreceive, announce a return and change the status.

import { batches, closeIfEmpty, incomingSerials, placeUnit } from './floor.ts'
import {
  type Consignment,
  freeOf,
  type Line,
  type Location,
  locations,
  type Row,
  type StockModel,
  sumOf,
} from './model.ts'
import { type Act, someRow, someSerials, step } from './step.ts'

export const Status = {
  Void: -2,
  Complete: 0,
  Pending: 1,
  ReadyToPick: 2,
  ReadyToDispatch: 3,
  ReadyToReceive: 4,
  InTransit: 7,
  Draft: 8,
} as const

export const ofType = (model: StockModel, type: Consignment['type']) =>
  model.consignments.filter(consignment => consignment.type === type)

/** Returns the location of received goods; null if their unit is elsewhere. */
function receiptLocation(model: StockModel, unit: string | null, wanted: Location | null): Location | null {
  if (unit === null) return wanted ?? 'RECEIVE'
  const own = model.units.get(unit) as Location
  if (model.onUnit(unit).length === 0) return wanted ?? (model.departedUnits.has(unit) ? 'RECEIVE' : own)
  const stands = model.units.get(unit) as Location
  return wanted === null || wanted === stands ? stands : null
}

export const receive: Act = (model, ids, dice) => {
  const consignment = dice.pickFrom(ofType(model, 'inwards'))
  const line = dice.pickFrom(consignment?.lines ?? [])
  if (!consignment || !line) return null
  const unit = dice.once(3) ? (dice.pickFrom([...model.units.keys()]) as string) : null
  const wanted = dice.once(4) ? null : (dice.pickFrom(Object.keys(locations)) as Location)
  const location = receiptLocation(model, unit, wanted)
  const batch = dice.pickFrom(batches) ?? null
  const quantity = 1 + dice.upTo(30)
  const incoming = incomingSerials(model, line.product, quantity, dice)
  const isDamaged = dice.once(10)
  const isHeld = isDamaged || consignment.returnOf !== null
  const isRefused =
    consignment.status !== Status.ReadyToReceive ||
    location === null ||
    !incoming.isPossible ||
    quantity > returnableQuantityOf(model, line)
  return step(
    `/v1/consignments/${consignment.id}/receive`,
    {
      receivedDateTime: `${ids.day}T00:00:00`,
      receipts: [
        {
          consignmentProductId: line.id,
          quantity,
          serials: incoming.serials,
          batch,
          locationName: wanted,
          logisticUnit: unit === null ? undefined : { referenceNumber: unit },
          ...(isDamaged ? { hold: { kind: 1, reason: 'Crushed' } } : {}),
        },
      ],
    },
    isRefused
      ? null
      : () => {
          placeUnit(model, unit, location)
          const number = isHeld ? model.makeHold() : null
          const to = model.row({ product: line.product, location, unit, hold: number, batch })
          // Goods count as received at the start of the day.
          model.move(null, to, quantity, incoming.serials, 0)
          line.received += quantity
          consignment.wasReceived = true
          consignment.receivedByRow.set(to, (consignment.receivedByRow.get(to) ?? 0) + quantity)
        },
  )
}

export const unreceive: Act = (model, _, dice) => {
  const consignment = dice.pickFrom(ofType(model, 'inwards').filter(({ wasReceived }) => wasReceived))
  if (!consignment) return null
  const row =
    dice.pickFrom(
      [...consignment.receivedByRow.keys()].filter(({ onHand }) => onHand > 0 && !dice.once(20)),
    ) ?? someRow(model, dice)
  if (!row) return null
  const brought = consignment.receivedByRow.get(row) ?? 0
  const quantity = dice.once(2) ? undefined : 1 + dice.upTo(brought + 1)
  const serials = someSerials(row, quantity ?? brought, dice)
  const amount = quantity ?? (serials?.length ? serials.length : brought)
  const gone = serialsToReturn(row, amount, serials ?? [])
  const isRefused =
    consignment.status !== Status.ReadyToReceive ||
    brought === 0 ||
    amount > brought ||
    amount > freeOf(row) ||
    gone === null
  return step(
    `/v1/consignments/${consignment.id}/unreceive`,
    { reason: 'Mistaken', unreceipts: [{ warehouseProductId: row.id, quantity, serials }] },
    isRefused
      ? null
      : () => {
          model.move(row, null, amount, gone)
          consignment.receivedByRow.set(row, brought - amount)
          const line = consignment.lines.find(({ product }) => product === row.product) as Line
          line.received -= amount
          if (row.hold !== null) closeIfEmpty(model, row.hold)
        },
  )
}

/** Returns the serials that leave with unreceived goods; null if the named ones cannot. */
function serialsToReturn(row: Row, quantity: number, given: string[]): string[] | null {
  if (given.length === 0 && quantity === row.onHand) return [...row.serials]
  const needed = Math.max(0, quantity - (row.onHand - row.serials.size))
  const isFree = (serial: string) =>
    row.serials.has(serial) && !row.allocations.some(allocation => allocation.serial === serial)
  const isFine =
    given.length >= needed &&
    given.length <= quantity &&
    new Set(given).size === given.length &&
    given.every(isFree)
  return isFine ? given : null
}

/** Returns how much of a line has already been announced or received as a return. */
const returnedQuantityOf = (model: StockModel, line: Line) =>
  sumOf(
    model.lines
      .filter(back => returnedLines.get(back) === line)
      .map(({ consignment: { status }, expected, received }) => ({
        quantity: status === Status.Complete ? received : Math.max(expected, received),
      })),
  )

/** Returns how much more may be received of a line: of a return, what left and is not back. */
function returnableQuantityOf(model: StockModel, line: Line): number {
  const sent = returnedLines.get(line)
  if (sent === undefined) return Number.POSITIVE_INFINITY
  const back = model.lines.filter(other => returnedLines.get(other) === sent)
  return back.reduce((left, { received }) => left - received, sent.dispatched)
}

/** The outwards line of each line of a return. */
const returnedLines = new WeakMap<Line, Line>()

export const announceReturn: Act = (model, _, dice) => {
  const consignment = dice.pickFrom(
    ofType(model, 'outwards').filter(({ departed }) => departed.length > 0 || dice.once(30)),
  )
  const line = dice.pickFrom(consignment?.lines ?? [])
  if (!consignment || !line || ofType(model, 'inwards').length > 12) return null
  const left = line.dispatched - returnedQuantityOf(model, line)
  const quantity = 1 + dice.upTo(Math.max(1, left + 1))
  const makesReturn = (answer: Record<string, unknown>) => {
    const back: Consignment = {
      id: answer.consignmentId as string,
      number: model.consignments.length + 1,
      type: 'inwards',
      status: Status.Pending,
      lines: [],
      returnOf: consignment,
      wasReceived: false,
      isPickingConfirmed: false,
      receivedByRow: new Map(),
      departed: [],
    }
    const { product } = line
    const facts = { id: '', ordinal: 0, product, batch: null, received: 0, dispatched: 0 }
    const made: Line = { ...facts, sources: new Map(), consignment: back, expected: quantity }
    back.lines.push(made)
    returnedLines.set(made, line)
    model.consignments.push(back)
  }
  return step(
    `/v1/consignments/${consignment.id}/returns`,
    { reason: 'Refused at the door', lines: [{ consignmentProductId: line.id, quantity }] },
    quantity <= left ? makesReturn : null,
    { status: 201 },
  )
}

export const moveInwards: Act = (model, _, dice) => {
  const consignment = dice.pickFrom(ofType(model, 'inwards'))
  if (!consignment) return null
  const { Pending, ReadyToReceive, Complete } = Status
  const to = dice.pickFrom([ReadyToReceive, ReadyToReceive, Complete, Pending]) as number
  // A consignment that becomes Complete without receipts is received automatically, which another test
  // covers.
  if (to === Complete && !consignment.wasReceived) return null
  return statusStep(consignment, to, to !== Pending || consignment.lines.every(line => line.received === 0))
}

/** Creates a step that changes the status of a consignment. */
export const statusStep = (
  consignment: Consignment,
  to: number,
  isPossible: boolean,
  effect: () => void = () => {},
) =>
  step(
    `/v1/consignments/${consignment.id}/status`,
    { status: to },
    isPossible
      ? () => {
          if (consignment.status === to) return
          effect()
          consignment.status = to
        }
      : null,
    { method: 'put', status: consignment.status === to ? 304 : 200 },
  )
