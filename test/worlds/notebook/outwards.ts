// Goods are picked, put back, and leave; and a departure that was none is taken back.

import { freeOf, type Heap, type Load, type Origin } from './floor.ts'
import { type Identity, keyOf, keyOfLook, type Place, round4, type Unit } from './goods.ts'
import type { Notebook } from './notebook.ts'
import { type Consignment, goneOf, type Line } from './orders.ts'
import { endPromises, promisesIn } from './promises.ts'

/** Goods that were picked for a line. */
export interface Pick {
  line: Line
  heap: Heap
  quantity: number
  serials: readonly string[]
  to: Place
  /** null: put down loose; undefined: on their pallet, if all of it goes */
  unit?: Unit | null | undefined
}

const totalOf = (promises: readonly { quantity: number }[]) =>
  round4(promises.reduce((all, { quantity }) => all + quantity, 0))

/** The pallets of which everything goes to one place, and nothing is said about another pallet. */
function wholeUnits(
  notebook: Notebook,
  goods: readonly { heap: Heap; quantity: number; to: Place; unit?: Unit | null | undefined }[],
): Set<Unit> {
  const own = goods.filter(({ heap, unit }) => heap.unit !== null && unit === undefined)
  const units = new Set(own.map(({ heap }) => heap.unit as Unit))
  for (const unit of [...units]) {
    const ofUnit = own.filter(({ heap }) => heap.unit === unit)
    const isWhole =
      new Set(ofUnit.map(({ to }) => to)).size === 1 &&
      notebook.floor
        .onUnit(unit)
        .every(heap => totalOf(ofUnit.filter(part => part.heap === heap)) === heap.quantity)
    if (!isWhole) units.delete(unit)
  }
  return units
}

const targetOf = (
  { heap, to, unit }: { heap: Heap; to: Place; unit?: Unit | null | undefined },
  whole: ReadonlySet<Unit>,
): Identity => ({
  ...identityOf(heap),
  place: to,
  unit: unit ?? (unit === undefined && heap.unit && whole.has(heap.unit) ? heap.unit : null),
})

/** The identity of a heap, apart from it. */
export const identityOf = ({ product, place, unit, hold, look, receivedDate }: Identity): Identity => ({
  ...{ product, place, unit, hold, look, receivedDate },
})

/** Writes down picks that were confirmed together. Returns the heaps at the dock. */
export function pick(notebook: Notebook, picks: readonly Pick[], at: number): Heap[] {
  const whole = wholeUnits(notebook, picks)
  return picks.map(entry => {
    const { line, heap, quantity, serials } = entry
    const from = identityOf(heap)
    const open = totalOf(promisesIn(heap, line, false))
    endPromises(heap, line, false, Math.min(quantity, open), serials)
    const isCaptured = heap.product.tracking === 'release'
    const to = notebook.floor.shift(heap, targetOf(entry, whole), quantity, isCaptured ? [] : serials, at)
    for (const serial of isCaptured ? serials : []) to.serials.add(serial)
    promisePicked(to, line, quantity, serials)
    line.origins.push({ from, quantity, serials: [...serials] })
    return to
  })
}

function promisePicked(heap: Heap, line: Line, quantity: number, serials: readonly string[]): void {
  if (serials.length === 0) heap.promises.push({ line, quantity, serial: null, isPicked: true })
  for (const serial of serials) heap.promises.push({ line, quantity: 1, serial, isPicked: true })
}

/** The rest of what was promised in a heap was not there: it is promised no more, and held. */
export function missing(notebook: Notebook, line: Line, heap: Heap, at: number): number {
  const own = promisesIn(heap, line, false)
  const quantity = totalOf(own)
  if (quantity === 0) return 0
  const named = own.flatMap(({ serial }) => serial ?? [])
  const promised = new Set(heap.promises.flatMap(({ serial }) => serial ?? []))
  const others = [...heap.serials].filter(serial => !promised.has(serial)).toSorted()
  const isTracked = heap.product.tracking === 'full'
  endPromises(heap, line, false, quantity, [])
  const hold = notebook.floor.hold(1, `Short pick ${line.consignment.number}`)
  const serials = isTracked ? [...named.toSorted(), ...others].slice(0, quantity) : []
  notebook.floor.shift(heap, { ...identityOf(heap), hold }, quantity, serials, at)
  return quantity
}

/** Where picked goods came from: serials each from its own place, others from where they were picked last. */
export function originsOf(
  line: Line,
  heap: Heap,
  quantity: number,
  serials: readonly string[],
): { origin: Origin | null; quantity: number; serials: string[] }[] {
  const parts: { origin: Origin | null; quantity: number; serials: string[] }[] = []
  const look = keyOfLook(heap.look)
  const alike = line.origins.filter(
    ({ from }) =>
      from.product === heap.product &&
      keyOfLook(from.look) === look &&
      from.receivedDate === heap.receivedDate &&
      from.hold === heap.hold,
  )
  let rest = quantity
  for (const serial of serials) {
    const origin = alike.findLast(candidate => candidate.serials.includes(serial))
    const part = parts.find(other => other.origin === (origin ?? null))
    if (part) part.serials.push(serial)
    else parts.push({ origin: origin ?? null, quantity: 0, serials: [serial] })
  }
  for (const part of parts) part.quantity = part.serials.length
  if (serials.length > 0) return parts
  for (const origin of alike.toReversed()) {
    const taken = Math.min(rest, origin.quantity)
    if (taken <= 0) continue
    parts.push({ origin, quantity: taken, serials: [] })
    rest = round4(rest - taken)
  }
  if (rest > 0) parts.push({ origin: null, quantity: rest, serials: [] })
  return parts
}

/** Picked goods that go back. */
export interface PutBack {
  line: Line
  heap: Heap
  quantity: number
  serials: readonly string[]
  /** null: whence they came */
  to: Place | null
  isReleased: boolean
}

/** Writes down picked goods that went back to a place. */
export function unpick(
  notebook: Notebook,
  { line, heap, quantity, serials, to, isReleased }: PutBack,
  at: number,
) {
  const parts = originsOf(line, heap, quantity, serials)
  const isForgotten = heap.product.tracking === 'release'
  const goods = parts.map(part => {
    const from = part.origin?.from
    const stands = to === null && from?.unit && from.unit.place === from.place ? from.unit : undefined
    return { ...part, heap, to: to ?? (from?.place as Place), unit: stands }
  })
  const whole = wholeUnits(notebook, to === null ? goods : [{ heap, quantity, to }])
  endPromises(heap, line, true, quantity, serials)
  for (const part of goods) {
    const gone = isForgotten ? [] : part.serials
    for (const serial of isForgotten ? part.serials : []) heap.serials.delete(serial)
    const back = notebook.floor.shift(heap, targetOf(part, whole), part.quantity, gone, at)
    if (!isReleased) back.promises.push({ line, quantity: part.quantity, serial: null, isPicked: false })
    if (part.origin) {
      part.origin.quantity = round4(part.origin.quantity - part.quantity)
      part.origin.serials = part.origin.serials.filter(serial => !part.serials.includes(serial))
    }
  }
  line.origins = line.origins.filter(origin => origin.quantity > 0)
}

/** What stands picked for a consignment, heap by heap and line by line. */
export const pickedFor = (notebook: Notebook, consignment: Consignment) =>
  notebook.floor.live.flatMap(heap =>
    consignment.lines.flatMap(line => {
      const own = promisesIn(heap, line, true)
      const serials = own.flatMap(({ serial }) => serial ?? [])
      return own.length === 0 ? [] : [{ line, heap, quantity: totalOf(own), serials }]
    }),
  )

/** Writes down that picked goods went to another dock. They stay picked, and remember whence they came. */
export function stage(
  notebook: Notebook,
  parts: ReturnType<typeof pickedFor>,
  to: Place,
  isLoose: boolean,
  at: number,
): void {
  const goods = parts.map(part => ({ ...part, to, unit: isLoose ? null : undefined }))
  const whole = wholeUnits(notebook, goods)
  for (const { line, heap, quantity, serials } of parts) endPromises(heap, line, true, quantity, serials)
  for (const part of goods) {
    const target = targetOf(part, whole)
    const heap = notebook.floor.shift(part.heap, target, part.quantity, part.serials, at)
    promisePicked(heap, part.line, part.quantity, part.serials)
  }
}

/** Nobody confirmed a pick, so what is promised counts as picked. */
export function countAsPicked(notebook: Notebook, consignment: Consignment, at: number): void {
  const picks = notebook.floor.live.flatMap(heap =>
    consignment.lines.flatMap((line): Pick[] => {
      const own = promisesIn(heap, line, false)
      const serials = own.flatMap(({ serial }) => serial ?? [])
      return own.length === 0 ? [] : [{ line, heap, quantity: totalOf(own), serials, to: notebook.dock }]
    }),
  )
  pick(notebook, picks, at)
}

/** What stands picked leaves. */
export function depart(notebook: Notebook, consignment: Consignment, at: number): void {
  const parts = pickedFor(notebook, consignment)
  if (parts.length > 0) consignment.departures++
  for (const { line, heap, quantity, serials } of parts) {
    endPromises(heap, line, true, quantity, serials)
    const load: Load = notebook.floor.take(heap, quantity, serials, at, { kind: 'left', consignment })
    const departure = {
      ...load,
      ...{ identity: identityOf(heap), code: heap.product.code, name: heap.product.name },
      origins: line.origins,
      ordinal: consignment.departures,
      isUndone: false,
      cameBackAs: null,
    }
    line.departures.push(departure)
    if (heap.unit && notebook.floor.onUnit(heap.unit).length === 0) heap.unit.leftWith = consignment
  }
}

/** What left last has not left: it stands picked where it left from. */
export function takeBackDeparture(notebook: Notebook, consignment: Consignment, at: number): void {
  for (const line of consignment.lines)
    for (const departure of goneOf(line)) {
      if (departure.ordinal !== consignment.departures) continue
      departure.isUndone = true
      const { identity, quantity, serials } = departure
      const unit = identity.unit?.place === identity.place ? identity.unit : null
      const heap = notebook.floor.put({ ...identity, unit }, departure, at, { kind: 'left', consignment })
      departure.cameBackAs = identityOf(heap)
      promisePicked(heap, line, quantity, serials)
    }
}

/** How much of a heap may be picked for a line: what is promised to it there, and what is free. */
export const pickable = (heap: Heap, line: Line): number =>
  round4(totalOf(promisesIn(heap, line, false)) + freeOf(heap))

export const keyOfHeap = (heap: Heap): string => keyOf(heap)
