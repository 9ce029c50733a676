// The decisions of a deed, as drawn numbers that are resolved against what the notebook knows when the deed is
// done. So a history without some of its deeds is still a history. Smaller numbers are simpler decisions.
//
// What is chosen among things of the world is chosen by their names, not by their places in a list: if others
// are missing because a deed was left out, the same one is chosen.

/** A number that looks random, the same for the same text. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  value ^= value >>> 15
  return Math.imul(value, 0x2c1b3c6d) >>> 0
}

export class Choices {
  readonly #numbers: readonly number[]
  #at = 0

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers
  }

  below(count: number): number {
    return (this.#numbers[this.#at++] ?? 0) % Math.max(1, count)
  }

  /** Returns true once in `outOf` times, and never if the simplest decision is asked for. */
  onceIn(outOf: number): boolean {
    return this.below(outOf) === outOf - 1
  }

  of<T>(list: readonly [T, ...T[]]): T
  of<T>(list: readonly T[]): T | undefined
  of<T>(list: readonly T[]): T | undefined {
    return list.length === 0 ? undefined : list[this.below(list.length)]
  }

  /** All of a quantity or, as often, a part of it, in whole items or in quarters of one. */
  part(most: number, isWhole = true): number {
    const kind = this.below(4)
    const drawn = this.below(1_000)
    if (kind < 2 || most <= 0) return most
    if (isWhole || kind === 2) return Math.min(most, 1 + (drawn % Math.max(1, Math.floor(most))))
    return Math.min(most, (1 + (drawn % Math.max(1, Math.floor(most * 4)))) / 4)
  }

  /** One of the things of a world, by their names. */
  among<T>(things: readonly T[], nameOf: (thing: T) => string): T | undefined {
    return this.some(things, 1, nameOf)[0]
  }

  /** Some of the things of a world, by their names. */
  some<T>(things: readonly T[], count: number, nameOf: (thing: T) => string): T[] {
    const number = this.below(0x10000)
    return things
      .map(thing => ({ thing, rank: hash(`${number} ${nameOf(thing)}`) }))
      .toSorted((a, b) => a.rank - b.rank)
      .slice(0, count)
      .map(({ thing }) => thing)
  }
}
