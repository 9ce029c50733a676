// A queue that serves its owners (organisations) in turn, so that an owner with many items delays only
// itself.

/** A queue of items that belong to owners. Owners take turns; the items of one owner keep their order. */
export class FairQueue<T> {
  readonly #max: number
  // By owner, in the order of their turns.
  readonly #waiting = new Map<string, T[]>()
  #size = 0

  /** @param max how many items may wait in all */
  constructor(max: number) {
    this.#max = max
  }

  /** how many items wait */
  get size(): number {
    return this.#size
  }

  /**
   * Adds an item behind the others of its owner. If the queue was full, removes and returns the last item of
   * the owner with the most items, which may be the new one.
   */
  add(owner: string, item: T): T | undefined {
    const own = this.#waiting.get(owner)
    if (own === undefined) this.#waiting.set(owner, [item])
    else own.push(item)
    if (++this.#size <= this.#max) return undefined
    const [[largestOwner, items]] = [...this.#waiting].toSorted(([, a], [, b]) => b.length - a.length) as [
      [string, T[]],
    ]
    const last = items.at(-1) as T
    this.remove(largestOwner, last)
    return last
  }

  /** Removes an item from anywhere in the queue. */
  remove(owner: string, item: T): void {
    const own = this.#waiting.get(owner) ?? []
    const index = own.indexOf(item)
    if (index < 0) return
    own.splice(index, 1)
    this.#size--
    if (own.length === 0) this.#waiting.delete(owner)
  }

  /** Takes the first item of the owner whose turn it is; that owner then goes to the end. */
  next(): T | undefined {
    const [owner, items] = this.#waiting.entries().next().value ?? []
    if (owner === undefined || items === undefined) return undefined
    const item = items.shift() as T
    this.#size--
    this.#waiting.delete(owner)
    if (items.length > 0) this.#waiting.set(owner, items)
    return item
  }
}
