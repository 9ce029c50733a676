// What was counted: where somebody looked, what was seen there and when, and what should have been there then.

import type { Entry, Floor, Heap } from './floor.ts'
import { type Identity, keyOf, keyOfLook, round4 } from './goods.ts'

export const CountStatus = { Draft: 1, InProgress: 2, Counted: 3, Approved: 4, Cancelled: 5 } as const
export const LineStatus = { ToCount: 1, Counted: 2, Recount: 3, Approved: 4 } as const

/** What was seen of a line. */
export interface Seen {
  round: number
  quantity: number
  /** when, in milliseconds */
  at: number
  /** what who counted was called then */
  by: string
  /** null if the product has none that are read */
  serials: readonly string[] | null
}

export interface CountLine {
  id: string
  heap: Heap
  status: number
  round: number
  /** whether its goods were found where none were expected */
  isFound: boolean
  seen: Seen[]
  /** what became of it */
  approved: { book: number; at: number; by: string; reason: string } | null
  isOpen: boolean
}

export interface Count {
  id: string
  number: string
  /** of the deed that began it */
  tag: string
  status: number
  isBlind: boolean
  /** whether it is of the goods of the client alone, and not of whoever's */
  isOfClient: boolean
  reference: string | null
  createdAt: number
  createdBy: string
  lines: CountLine[]
}

export const isOver = ({ status }: Count): boolean =>
  status === CountStatus.Approved || status === CountStatus.Cancelled

/** What was seen last in the round of a line; none if it is still to be counted. */
export function lastSeen({ seen, round, status }: CountLine): Seen | null {
  if (status === LineStatus.Recount) return null
  const own = seen.filter(one => one.round === round)
  return own.toSorted((a, b) => a.at - b.at).at(-1) ?? null
}

/** Whether people who count may see what should be there. */
export const isBookShown = ({ isBlind, status }: Count, line: CountLine): boolean =>
  !isBlind ||
  line.status === LineStatus.Approved ||
  (status >= CountStatus.Counted && line.status !== LineStatus.Recount)

/** Goods that are the same by eye; their hold and the day on which they came cannot be seen. */
export const likenessOf = ({ product, place, unit, look }: Identity): string =>
  JSON.stringify([product.id, place.id, unit?.name ?? null, keyOfLook(look)])

export class Counts {
  readonly all: Count[] = []
  /** which goods were described as which others */
  readonly described: { from: string; to: string; at: number }[] = []
  /** when what a count put right was seen, by its entry in the journal */
  readonly seenAt = new Map<Entry, number>()
  readonly #floor: Floor

  constructor(floor: Floor) {
    this.#floor = floor
  }

  get open(): Count[] {
    return this.all.filter(count => !isOver(count))
  }

  /** Whether a line of an open count is about goods. */
  isBeingCounted(heap: Heap): boolean {
    return this.all.some(({ lines }) => lines.some(line => line.heap === heap && line.isOpen))
  }

  /** The heaps that are counted with a line: its own, and those that nobody can tell from it. */
  heapsOf(count: Count, line: CountLine): Heap[] {
    const isOwn = ({ heap }: CountLine, other: Heap) => heap === other
    const others = [...this.#floor.heaps.values()].filter(heap => {
      if (count.lines.some(own => isOwn(own, heap)) || this.isBeingCounted(heap)) return false
      return this.#lineFor(count, heap) === line
    })
    return [line.heap, ...others]
  }

  /** The line of a count that goods are counted with that have none of their own. */
  #lineFor(count: Count, heap: Heap): CountLine | undefined {
    const alike = count.lines.filter(line => likenessOf(line.heap) === likenessOf(heap))
    const sameDay = alike.filter(line => line.heap.receivedDate === heap.receivedDate)
    const [best] = byId(sameDay.length > 0 ? sameDay : alike)
    if (best) return best
    const were = this.described.filter(({ to, at }) => to === keyOf(heap) && at >= count.createdAt)
    return byId(count.lines.filter(line => were.some(({ from }) => from === keyOf(line.heap))))[0]
  }

  /** What should have been there at an instant, as far as is known now. */
  bookAt(count: Count, line: CountLine, instant: number): number {
    const keys = new Set(this.heapsOf(count, line).map(keyOf))
    return round4(
      this.#floor.journal
        .filter(entry => keys.has(entry.key) && this.#timeOf(entry) <= instant)
        .reduce((all, { quantity }) => all + quantity, 0),
    )
  }

  /** When something counts as having happened: what a count put right was so when it was seen. */
  #timeOf(entry: Entry): number {
    return this.seenAt.get(entry) ?? entry.at
  }

  /** The serials that should have been there at an instant. */
  serialsAt(count: Count, line: CountLine, instant: number): string[] {
    const keys = new Set(this.heapsOf(count, line).map(keyOf))
    const found = new Map<string, number>()
    for (const entry of this.#floor.journal) {
      if (!keys.has(entry.key) || this.#timeOf(entry) > instant) continue
      for (const serial of entry.serials)
        found.set(serial, (found.get(serial) ?? 0) + (entry.quantity < 0 ? -1 : 1))
    }
    return [...found].flatMap(([serial, times]) => (times > 0 ? [serial] : []))
  }

  /** Whether a serial came, left or moved since; that it was held or described anew does not count. */
  hasMovedSince(serial: string, { product }: Heap, instant: number): boolean {
    const own = this.#floor.journal.filter(
      entry =>
        entry.serials.includes(serial) &&
        this.#floor.heaps.get(entry.key)?.product === product &&
        this.#timeOf(entry) > instant,
    )
    const whereOf = ({ key }: Entry) => {
      const { place, unit } = this.#floor.heaps.get(key) as Heap
      return `${place.id} ${unit?.name}`
    }
    return [...Map.groupBy(own, ({ act }) => act).values()].some(
      entries => entries.length === 1 || new Set(entries.map(whereOf)).size > 1,
    )
  }

  /** What should have been there when a line was counted, or is there now. */
  bookOf(count: Count, line: CountLine): number {
    return line.approved?.book ?? this.bookAt(count, line, lastSeen(line)?.at ?? Date.now())
  }
}

const byId = (lines: readonly CountLine[]) => lines.toSorted((a, b) => (a.id < b.id ? -1 : 1))
