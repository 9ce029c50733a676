// What lies where: heaps of goods that are alike, what of them is promised to consignments, and a journal of
// everything that came, moved and left, from which any earlier instant can be told.

import { type Hold, type Identity, keyOf, round4, round6, type Unit } from './goods.ts'
import type { Consignment, Line } from './orders.ts'

/** Goods that moved together. */
export interface Load {
  quantity: number
  weight: number
  volume: number
  serials: readonly string[]
}

/** Where goods of a line were picked from. */
export interface Origin {
  from: Identity
  quantity: number
  serials: string[]
}

/** A part of a heap that is promised to a line. */
export interface Promised {
  line: Line
  quantity: number
  /** null if any goods of the heap will do */
  serial: string | null
  isPicked: boolean
}

export interface Heap extends Identity {
  /** the id that the service gave it, once it has told */
  id: string | null
  quantity: number
  weight: number
  volume: number
  serials: Set<string>
  promises: Promised[]
}

/** Why a heap grew or shrank: goods came or left with a consignment, or were found or lost, or only moved. */
export interface Cause {
  kind: 'came' | 'left' | 'corrected' | 'moved'
  consignment: Consignment | null
}

const corrected: Cause = { kind: 'corrected', consignment: null }
const moved: Cause = { kind: 'moved', consignment: null }

/** A line of the journal: what one act did to one heap. */
export interface Entry extends Cause {
  /** when it happened, in milliseconds */
  at: number
  key: string
  quantity: number
  weight: number
  volume: number
  serials: readonly string[]
  /** the number of the act that did it */
  act: number
  /** what the person who did it was called then */
  by: string
}

export const promisedOf = ({ promises }: Heap): number =>
  round4(promises.reduce((sum, { quantity }) => sum + quantity, 0))
export const freeOf = (heap: Heap): number => round4(heap.quantity - promisedOf(heap))

/** What of a heap anybody may be promised. */
export const availableOf = (heap: Heap): number =>
  heap.hold !== null || heap.place.kind === 'quarantine' ? 0 : freeOf(heap)

export class Floor {
  readonly heaps = new Map<string, Heap>()
  readonly units = new Map<string, Unit>()
  readonly holds: Hold[] = []
  readonly journal: Entry[] = []
  /** the number of the act that is being written down, and the tag of its deed */
  act = 0
  tag = ''
  /** what the person who does everything was called, one after the other */
  readonly names = ['Ada Storekeeper']
  /** what that person is called */
  get person(): string {
    return this.names.at(-1) as string
  }

  get #acting() {
    return { act: this.act, by: this.person }
  }

  get live(): Heap[] {
    return [...this.heaps.values()].filter(({ quantity }) => quantity > 0)
  }

  onUnit(unit: Unit): Heap[] {
    return this.live.filter(heap => heap.unit === unit)
  }

  hold(kind: number, reason: string, line: object | null = null): Hold {
    const hold = { id: null, kind, reason, line, ordinal: this.holds.length, tag: this.tag, by: this.person }
    this.holds.push(hold)
    return hold
  }

  heap(identity: Identity): Heap {
    const key = keyOf(identity)
    const { product, place, unit, hold, look, receivedDate } = identity
    const heap: Heap = this.heaps.get(key) ?? {
      ...{ product, place, unit, hold, look, receivedDate },
      ...{ id: null, quantity: 0, weight: 0, volume: 0, serials: new Set(), promises: [] },
    }
    this.heaps.set(key, heap)
    return heap
  }

  /** Puts goods on their heap. A unit stands where its goods lie. */
  put(identity: Identity, load: Load, at: number, cause: Cause = corrected): Heap {
    if (identity.unit) Object.assign(identity.unit, { place: identity.place, leftWith: null })
    const heap = this.heap(identity)
    heap.quantity = round4(heap.quantity + load.quantity)
    heap.weight = round4(heap.weight + load.weight)
    heap.volume = round6(heap.volume + load.volume)
    for (const serial of load.serials) heap.serials.add(serial)
    this.journal.push({ ...load, at, key: keyOf(heap), ...this.#acting, ...cause })
    return heap
  }

  /** Takes goods off a heap: a part weighs its share, and the last part weighs what is left. */
  take(heap: Heap, quantity: number, serials: readonly string[], at: number, cause: Cause = corrected): Load {
    const share = heap.quantity === 0 ? 0 : quantity / heap.quantity
    const isAll = quantity === heap.quantity
    const weight = isAll ? heap.weight : round4(heap.weight * share)
    const volume = isAll ? heap.volume : round6(heap.volume * share)
    return this.takeWeighed(heap, { quantity, weight, volume, serials }, at, cause)
  }

  /** Takes goods of a known weight off a heap. */
  takeWeighed(heap: Heap, load: Load, at: number, cause: Cause): Load {
    heap.quantity = round4(heap.quantity - load.quantity)
    heap.weight = round4(heap.weight - load.weight)
    heap.volume = round6(heap.volume - load.volume)
    for (const serial of load.serials) heap.serials.delete(serial)
    const { serials } = load
    const gone = { quantity: -load.quantity, weight: -load.weight, volume: -load.volume, serials }
    this.journal.push({ at, key: keyOf(heap), ...gone, ...this.#acting, ...cause })
    return load
  }

  /** A serial is written on goods that are here. */
  writeOn(heap: Heap, serial: string, at: number): void {
    heap.serials.add(serial)
    const nothing = { quantity: 0, weight: 0, volume: 0, serials: [serial] }
    this.journal.push({ at, key: keyOf(heap), ...nothing, ...this.#acting, ...corrected })
  }

  /** A heap weighs something else than was written down. */
  weighAnew(heap: Heap, weight: number, volume: number, at: number): void {
    const change = { weight: round4(weight - heap.weight), volume: round6(volume - heap.volume) }
    Object.assign(heap, { weight, volume })
    this.journal.push({
      at,
      key: keyOf(heap),
      quantity: 0,
      ...change,
      serials: [],
      ...this.#acting,
      ...corrected,
    })
  }

  /** Moves goods to another heap. Promises stay behind. */
  shift(heap: Heap, to: Identity, quantity: number, serials: readonly string[], at: number): Heap {
    return this.put(to, this.take(heap, quantity, serials, at, moved), at, moved)
  }

  /** Moves a whole heap with everything that is promised of it. */
  shiftAll(heap: Heap, to: Identity, at: number): Heap {
    const { promises } = heap
    heap.promises = []
    const target = this.shift(heap, to, heap.quantity, [...heap.serials], at)
    target.promises.push(...promises)
    return target
  }

  /** What lay in each heap at an instant, by key, as far as the first `known` entries tell. */
  at(instant: number, known: number): Map<string, number> {
    const found = new Map<string, number>()
    for (const { at, key, quantity } of this.journal.slice(0, known))
      if (at <= instant) found.set(key, round4((found.get(key) ?? 0) + quantity))
    return new Map([...found].filter(([, quantity]) => quantity !== 0))
  }
}
