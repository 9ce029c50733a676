// What waits for its turn, of many organisations: they take turns, so that one that asks for much waits for
// itself and not the others for it.

/** Items that wait, each somebody's: owners take turns, and the items of an owner keep their order. */
export class FairQueue<T> {
  readonly #max: number
  // In the order of turns.
  readonly #waiting = new Map<string, T[]>()
  #size = 0

  /** @param max how many may wait together */
  constructor(max: number) {
    this.#max = max
  }

  /**
   * Lets an item wait behind the others of its owner. Where that is one too many, the last item of whoever
   * has the most has to go, which may be the new one: it is returned.
   */
  add(owner: string, item: T): T | undefined {
    const own = this.#waiting.get(owner)
    if (own === undefined) this.#waiting.set(owner, [item])
    else own.push(item)
    if (++this.#size <= this.#max) return undefined
    const [[most, items]] = [...this.#waiting].toSorted(([, a], [, b]) => b.length - a.length) as [
      [string, T[]],
    ]
    const last = items.at(-1) as T
    this.remove(most, last)
    return last
  }

  /** Takes an item out of the queue, whose turn it need not be. */
  remove(owner: string, item: T): void {
    const own = this.#waiting.get(owner) ?? []
    const at = own.indexOf(item)
    if (at < 0) return
    own.splice(at, 1)
    this.#size--
    if (own.length === 0) this.#waiting.delete(owner)
  }

  /** Takes the next item: the first of the owner whose turn it is, who then comes after all others. */
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
