// Slots that owners (organisations) share without waiting: who finds none does without one. fair-slots.ts has
// those that owners wait for.
//
// An owner has its fair share when it holds as many slots as are free. One on its own gets about half of
// them, two get a third each, and however many of its slots one keeps busy, another one finds some.

/** A number of slots. Counts who holds how many; an owner without slots takes no memory. */
export class SharedSlots {
  readonly #held = new Map<string, number>()
  readonly #count: number
  #free: number

  constructor(count: number) {
    this.#count = count
    this.#free = count
  }

  /** how many slots nobody holds */
  get free(): number {
    return this.#free
  }

  heldBy(owner: string): number {
    return this.#held.get(owner) ?? 0
  }

  hasFairShare(owner: string): boolean {
    return this.heldBy(owner) >= this.#free
  }

  /** The owners that should get no further slot now, among those that hold any. */
  ownersWithFairShare(): string[] {
    // While more than half of the slots are free, nobody can hold as many.
    if (this.#free > this.#count / 2) return []
    return [...this.#held.keys()].filter(owner => this.hasFairShare(owner))
  }

  /** Takes a slot, whatever the owner holds. */
  take(owner: string): void {
    this.#held.set(owner, this.heldBy(owner) + 1)
    this.#free--
  }

  /** Gives back a slot that the owner took. */
  release(owner: string): void {
    const left = this.heldBy(owner) - 1
    if (left > 0) this.#held.set(owner, left)
    else this.#held.delete(owner)
    this.#free++
  }
}
