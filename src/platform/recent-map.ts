// A map that evicts keys not used recently, so that made-up keys of callers cannot fill the memory.

/**
 * Keeps at least the `size` most recently used keys, and never more than twice as many. Keys live in two
 * generations: a key in use moves to the young one; when that is full, the old one is dropped as a whole. So
 * reading a young key is a single look-up.
 */
export class RecentMap<Value> {
  readonly #size: number
  #young = new Map<string, Value>()
  #old = new Map<string, Value>()

  constructor(size: number) {
    this.#size = size
  }

  get(key: string): Value | undefined {
    const value = this.#young.get(key)
    if (value !== undefined) return value
    const oldValue = this.#old.get(key)
    if (oldValue !== undefined) this.set(key, oldValue)
    return oldValue
  }

  set(key: string, value: Value): void {
    if (this.#young.size >= this.#size && !this.#young.has(key)) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#old.delete(key)
    this.#young.set(key, value)
  }

  delete(key: string): void {
    this.#young.delete(key)
    this.#old.delete(key)
  }

  clear(): void {
    this.#young.clear()
    this.#old.clear()
  }

  /** the number of keys kept */
  get size(): number {
    return this.#young.size + this.#old.size
  }
}
