// The serials that a deed names for goods of a heap.

import type { Choices } from '../choices.ts'
import type { Heap } from '../notebook/floor.ts'
import type { Notebook } from '../notebook/notebook.ts'
import type { Line } from '../notebook/orders.ts'

/** The serials of a heap that are promised to nobody. */
export function freeSerials(heap: Heap): string[] {
  const promised = new Set(heap.promises.flatMap(({ serial }) => serial ?? []))
  return [...heap.serials].filter(serial => !promised.has(serial))
}

/** As many free serials as goods that are moved, or null if the heap does not have them. */
export function serialsToMove(heap: Heap, quantity: number, choices: Choices): string[] | null {
  if (heap.product.tracking !== 'full') return []
  const free = freeSerials(heap)
  return Number.isInteger(quantity) && free.length >= quantity ? choices.some(free, quantity, String) : null
}

/** The serials that are scanned when goods are picked for a line: its own or free ones, or new ones. */
export function serialsToPick(
  notebook: Notebook,
  line: Line,
  heap: Heap,
  quantity: number,
  choices: Choices,
): string[] | null {
  const { tracking } = heap.product
  if (tracking === 'none') return []
  if (!Number.isInteger(quantity)) return null
  if (tracking === 'release') return Array.from({ length: quantity }, () => notebook.newName('R'))
  const own = heap.promises.flatMap(promise =>
    promise.line === line && !promise.isPicked && promise.serial !== null ? [promise.serial] : [],
  )
  const eligible = [...new Set([...own, ...freeSerials(heap)])]
  return eligible.length >= quantity ? choices.some(eligible, quantity, String) : null
}
