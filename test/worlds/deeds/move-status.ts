// Consignments move on, and back: receipts are finished, goods leave, and departures are undone.

import type { Choices } from '../choices.ts'
import type { DeedKind } from '../deed.ts'
import { receive } from '../notebook/inwards.ts'
import { type Consignment, cameFor, isDone, leftWith, Status, serialsOf } from '../notebook/orders.ts'
import { countAsPicked, depart, pickedFor, takeBackDeparture } from '../notebook/outwards.ts'
import { promisesIn, release } from '../notebook/promises.ts'
import { ask, say, type World } from '../world.ts'
import { learnAllocations } from './learn-allocations.ts'
import { mostFor, planAll } from './receive.ts'

const names = new Map<number, string>(Object.entries(Status).map(([name, value]) => [value, name]))

/** Moves a consignment. Returns when it happened, or null if that was refused. */
async function move(
  world: World,
  { id, number }: Consignment,
  status: number,
  mayBe: readonly string[] = [],
): Promise<number | null> {
  say(world, `move ${number} to ${names.get(status)}`)
  const before = Date.now()
  const answer = await ask(world, 'put', `/v1/consignments/${id}/status`, { status }, { mayBe })
  return answer === null ? null : before
}

/** A receipt is finished; where nothing was ever received, everything counts as received. */
async function complete(world: World, choices: Choices): Promise<void> {
  const { notebook } = world
  const consignment = choices.among(
    notebook.atHand('inwards', [Status.Pending, Status.ReadyToReceive]),
    ({ tag }) => tag,
  )
  if (consignment === undefined) return
  const wasReceived = consignment.lines.some(({ arrivals }) => arrivals.length > 0)
  const receipts = wasReceived ? [] : planAll(notebook, consignment)
  const lacksSerials = consignment.lines.some(line => {
    if (line.product.tracking !== 'full') return false
    const own = receipts.find(receipt => receipt.line === line)
    const quantity = wasReceived ? cameFor(line).quantity : (own?.quantity ?? 0)
    const came = serialsOf(line).size
    return quantity > (wasReceived ? came : (own?.serials.length ?? 0))
  })
  // More than was announced may have come with another return of the same goods.
  const isTooMuch = receipts.some(({ line, quantity }) => quantity > mostFor(notebook, line))
  const isRefused = lacksSerials || isTooMuch
  const at = await move(world, consignment, Status.Complete, isRefused ? refusals : [])
  if (at === null) return
  if (lacksSerials) throw new Error(`${consignment.number} is Complete, though serials of it are not known`)
  if (isTooMuch) throw new Error(`more came back with ${consignment.number} than left`)
  consignment.status = Status.Complete
  if (receipts.length > 0) receive(notebook, consignment, receipts, at, notebook.dayAt(at))
}

const refusals = ['serial_required', 'insufficient_stock', 'state', 'wrong_status', 'invalid']

/** Announces that are waiting may be received, and finished ones again. */
async function reopenReceipt(world: World, choices: Choices): Promise<void> {
  const candidates = world.notebook.atHand('inwards', [Status.Pending, Status.Complete])
  const consignment = choices.among(candidates, ({ tag }) => tag)
  if (consignment === undefined) return
  if ((await move(world, consignment, Status.ReadyToReceive)) === null) return
  consignment.status = Status.ReadyToReceive
}

/** Goods leave. What is not picked stays behind, unless nobody ever confirmed a pick. */
async function dispatch(
  world: World,
  choices: Choices,
  steps: readonly number[] = [Status.ReadyToDispatch, Status.InTransit, Status.Complete],
): Promise<void> {
  const { notebook } = world
  const consignment = choices.among(
    notebook.atHand('outwards', [Status.ReadyToPick, Status.ReadyToDispatch]),
    ({ tag }) => tag,
  )
  if (consignment === undefined) return
  const to = choices.of(steps.filter(status => status !== consignment.status))
  if (to === undefined) return
  const { isRefused, apply } = planDispatch(world, consignment, to)
  const at = await move(world, consignment, to, isRefused ? refusals : [])
  if (at === null) return
  if (isRefused) throw new Error(`${consignment.number} left, though nobody knows with which serials`)
  apply(at)
}

/** What follows if goods leave, or are made ready to; and whether they must not, for serials are not known. */
export function planDispatch(
  { notebook }: World,
  consignment: Consignment,
  to: number,
): { isRefused: boolean; apply(at: number): void } {
  const open = notebook.floor.live.flatMap(heap =>
    consignment.lines.flatMap(line => promisesIn(heap, line, false)),
  )
  const { status, isPickingConfirmed } = consignment
  const isCounted = status === Status.ReadyToPick && !isPickingConfirmed && open.length > 0
  const lacksSerials = open.some(({ line, serial }) => line.product.tracking !== 'none' && serial === null)
  const apply = (at: number): void => {
    if (isCounted) countAsPicked(notebook, consignment, at)
    else if (consignment.status === Status.ReadyToPick || to !== Status.ReadyToDispatch)
      release(notebook, ({ line, isPicked }) => !isPicked && line.consignment === consignment)
    consignment.status = to
    if (to === Status.ReadyToDispatch) return
    consignment.leftOn ??= notebook.dayAt(at)
    depart(notebook, consignment, at)
  }
  return { isRefused: isCounted && lacksSerials, apply }
}

/** A step is taken back. Goods that left are at the dock again, unless goods of them come or came back. */
async function undo(world: World, choices: Choices): Promise<void> {
  const { notebook } = world
  const consignment = choices.among(
    notebook.atHand('outwards', [Status.InTransit, Status.Complete, Status.ReadyToDispatch]),
    ({ tag }) => tag,
  )
  if (consignment === undefined) return
  const hasLeft = consignment.status !== Status.ReadyToDispatch
  const to = hasLeft && !choices.onceIn(3) ? Status.ReadyToDispatch : Status.ReadyToPick
  const gone = consignment.lines.some(line => leftWith(line).quantity > 0)
  const returns = notebook.consignments.filter(other => other.returnOf === consignment)
  const isBlocked =
    hasLeft &&
    gone &&
    returns.some(
      ({ status, lines }) =>
        !(isDone(status) || status === Status.Void) || lines.some(line => cameFor(line).quantity > 0),
    )
  const isQuarantined = consignment.lines.some(({ departures }) =>
    departures.some(({ identity, isUndone }) => !isUndone && identity.place.kind === 'quarantine'),
  )
  const isRefused = isBlocked || (hasLeft && isQuarantined)
  const at = await move(world, consignment, to, isRefused ? undoRefusals : [])
  if (at === null) return
  if (isRefused) throw new Error(`the departure of ${consignment.number} was undone, though goods came back`)
  if (hasLeft) takeBackDeparture(notebook, consignment, at)
  consignment.leftOn = null
  consignment.status = to
  if (to === Status.ReadyToPick) await learnAllocations(world, [consignment])
}

/** A consignment is void unless goods of it came or left. What was promised or picked for it is free again. */
async function makeVoid(world: World, choices: Choices): Promise<void> {
  const { notebook } = world
  const open = [
    Status.Pending,
    Status.ReadyToPick,
    Status.ReadyToDispatch,
    Status.ReadyToReceive,
    Status.Complete,
  ]
  const candidates = [...notebook.atHand('outwards', open), ...notebook.atHand('inwards', open)]
  const consignment = choices.among(candidates, ({ tag }) => tag)
  if (consignment === undefined) return
  const { lines, number } = consignment
  const isRefused = lines.some(line => leftWith(line).quantity > 0 || cameFor(line).quantity > 0)
  if ((await move(world, consignment, Status.Void, isRefused ? undoRefusals : [])) === null) return
  if (isRefused) throw new Error(`${number} is void, though goods of it came or left`)
  for (const { heap, serials } of pickedFor(notebook, consignment))
    if (heap.product.tracking === 'release') for (const serial of serials) heap.serials.delete(serial)
  release(notebook, ({ line }) => line.consignment === consignment)
  consignment.leftOn = null
  consignment.status = Status.Void
}

const undoRefusals = ['state', 'conflict', 'wrong_status', 'invalid']

export const statusKinds: DeedKind[] = [
  { name: 'finish a receipt', often: 2, perform: complete },
  { name: 'reopen a receipt', often: 1, perform: reopenReceipt },
  { name: 'dispatch', often: 7, perform: dispatch },
  {
    name: 'make ready',
    often: 0,
    perform: (world, choices) => dispatch(world, choices, [Status.ReadyToDispatch]),
  },
  {
    name: 'send off',
    often: 0,
    perform: (world, choices) => dispatch(world, choices, [Status.InTransit, Status.Complete]),
  },
  { name: 'undo', often: 3, perform: undo },
  { name: 'void', often: 2, perform: makeVoid },
]
