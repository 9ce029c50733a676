// Which goods may be promised to a line, and what is.

import { freeOf, type Heap, type Promised } from './floor.ts'
import { dateFields } from './goods.ts'
import type { Notebook } from './notebook.ts'
import { type Line, shortOf } from './orders.ts'

/** Whether a line may have goods of a heap without anybody's override, however much of it is free. */
export function mayHave(notebook: Notebook, line: Line, heap: Heap): boolean {
  const { look, product } = line
  if (heap.product !== product || heap.hold !== null || heap.place.kind === 'quarantine') return false
  if (line.unitName !== null && heap.unit?.name !== line.unitName) return false
  const isOfBatch = look.batch !== null && look.batch === heap.look.batch
  if (!product.isSubstitutable) {
    if (look.batch !== null && !isOfBatch) return false
    if (dateFields.some(field => look[field] !== null && look[field] !== heap.look[field])) return false
  }
  const lacks = Object.entries(look.attributes).some(([name, value]) => heap.look.attributes[name] !== value)
  if (lacks) return false
  const isExpired = heap.look.expiryDate !== null && heap.look.expiryDate < notebook.dayAt(Date.now())
  const isNamed = line.unitName !== null || isOfBatch || line.serials.some(serial => heap.serials.has(serial))
  return !isExpired || isNamed
}

/** Why the service may not promise these goods to the line; null if it may. */
export function promiseFault(notebook: Notebook, heap: Heap, promise: Promised): string | null {
  const { line, quantity, serial } = promise
  if (!mayHave(notebook, line, heap)) return 'the line must not have these goods'
  if (quantity > freeOf(heap)) return `only ${freeOf(heap)} are free`
  if (quantity > shortOf(notebook.floor, line)) return `it lacks only ${shortOf(notebook.floor, line)}`
  if (serial !== null && !heap.serials.has(serial)) return `${serial} does not lie there`
  return null
}

/** The goods that a line lacks although it may have them; empty once everything was promised that can be. */
export const missedBy = (notebook: Notebook, line: Line): Heap[] =>
  shortOf(notebook.floor, line) === 0
    ? []
    : notebook.floor.live.filter(heap => freeOf(heap) > 0 && mayHave(notebook, line, heap))

/** The promises of a line in a heap. */
export const promisesIn = (heap: Heap, line: Line, isPicked: boolean): Promised[] =>
  heap.promises.filter(promise => promise.line === line && promise.isPicked === isPicked)

/** Takes promises of any goods of a consignment back. */
export function release(notebook: Notebook, isReleased: (promise: Promised) => boolean): void {
  for (const heap of notebook.floor.heaps.values())
    heap.promises = heap.promises.filter(promise => !isReleased(promise))
}

/** Takes a quantity off what is promised to a line in a heap: named serials first, others last. */
export function endPromises(
  heap: Heap,
  line: Line,
  isPicked: boolean,
  quantity: number,
  serials: readonly string[],
): void {
  let rest = quantity
  const own = promisesIn(heap, line, isPicked).toSorted((a, b) => rankOf(a, serials) - rankOf(b, serials))
  for (const promise of own) {
    const taken = Math.min(rest, promise.quantity)
    promise.quantity -= taken
    rest -= taken
  }
  heap.promises = heap.promises.filter(promise => promise.quantity > 0)
}

const rankOf = ({ serial }: Promised, serials: readonly string[]): number =>
  serial === null ? 1 : serials.includes(serial) ? 0 : 2
