// Pickfaces: places that belong to a product, and the jobs that fill them from elsewhere.

import { availableOf, type Floor, type Heap } from './floor.ts'
import { type Place, type Product, round4 } from './goods.ts'

export interface Pickface extends Place {
  product: Product
  least: number
  /** how much it is filled up to; null: its least */
  target: number | null
}

export const FillStatus = { Draft: 1, InProgress: 3, Complete: 4, Cancelled: 5 } as const
export const FillLineStatus = { Open: 1, Done: 2, Short: 3, Cancelled: 4 } as const

export interface FillLine {
  id: string
  heap: Heap
  to: Place
  quantity: number
  moved: number
  status: number
}

/** A job that moves goods to pickfaces. */
export interface Fill {
  id: string
  number: string
  /** of the deed that made it */
  tag: string
  status: number
  lines: FillLine[]
}

export const openOf = ({ quantity, moved }: FillLine): number => round4(quantity - moved)

export class Pickfaces {
  readonly all: Pickface[] = []
  readonly fills: Fill[] = []
  readonly #floor: Floor

  constructor(floor: Floor) {
    this.#floor = floor
  }

  /** What lies in a pickface and may be picked on a day. */
  availableIn(face: Pickface, day: string): number {
    const own = this.#floor.live.filter(
      heap => heap.place === face && heap.product === face.product && !isExpired(heap, day),
    )
    return round4(own.reduce((all, heap) => all + availableOf(heap), 0))
  }

  /** What could fill pickfaces of a product on a day. */
  sourcesFor(product: Product, day: string): Heap[] {
    const faces = new Set<Place>(this.all)
    return this.#floor.live.filter(
      heap =>
        heap.product === product && !faces.has(heap.place) && availableOf(heap) > 0 && !isExpired(heap, day),
    )
  }

  /** What jobs that are open still bring to a place, or take off a heap. */
  onItsWay(isMeant: (line: FillLine) => boolean): number {
    const open = this.fills
      .flatMap(({ lines }) => lines)
      .filter(line => line.status === FillLineStatus.Open && isMeant(line))
    return round4(open.reduce((all, line) => all + openOf(line), 0))
  }
}

const isExpired = ({ look }: Heap, day: string) => look.expiryDate !== null && look.expiryDate < day
