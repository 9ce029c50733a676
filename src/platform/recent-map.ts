// A map that forgets what has not been used for long, so that keys which callers make up cannot fill the
// memory.

/**
 * Remembers at least the `size` keys used last and never more than twice as many. Keys live in two
 * generations: one in use moves to the younger; when that is full the elder is dropped as a whole, so that
 * reading a young key is one look-up and nothing more.
 */
export class RecentMap<Value> {
  readonly #size: number
  #younger = new Map<string, Value>()
  #elder = new Map<string, Value>()

  constructor(size: number) {
    this.#size = size
  }

  get(key: string): Value | undefined {
    const value = this.#younger.get(key)
    if (value !== undefined) return value
    const older = this.#elder.get(key)
    if (older !== undefined) this.set(key, older)
    return older
  }

  set(key: string, value: Value): void {
    if (this.#younger.size >= this.#size && !this.#younger.has(key)) {
      this.#elder = this.#younger
      this.#younger = new Map()
    }
    this.#elder.delete(key)
    this.#younger.set(key, value)
  }

  delete(key: string): void {
    this.#younger.delete(key)
    this.#elder.delete(key)
  }

  clear(): void {
    this.#younger.clear()
    this.#elder.clear()
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#younger.size + this.#elder.size
  }
}
