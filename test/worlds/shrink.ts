// Finds the smallest history that still shows an untruth: leaves deeds out, first many at once, then one by
// one, and makes the decisions of the others simpler. fast-check cannot leave out what a history needs at
// least when it is drawn.

import type { Deed } from './deed.ts'

/** Whether a history shows the untruth. */
type Shows = (deeds: readonly Deed[]) => Promise<boolean>

/** Shrinks a history that shows an untruth until nothing more can be left out, or the time is over. */
export async function shrink(deeds: readonly Deed[], shows: Shows, seconds: number): Promise<Deed[]> {
  const end = performance.now() + seconds * 1_000
  const isOver = () => performance.now() > end
  let smallest = [...deeds]
  const tries = async (candidate: Deed[]): Promise<boolean> => {
    if (isOver() || !(await shows(candidate))) return false
    smallest = candidate
    return true
  }
  for (let size = Math.ceil(smallest.length / 2); size >= 1 && !isOver(); size = Math.floor(size / 2)) {
    // From the end, because what is left out there keeps what happened before.
    for (let at = smallest.length - size; at > -size; at -= size) {
      const from = Math.max(0, at)
      await tries([...smallest.slice(0, from), ...smallest.slice(at + size)])
    }
  }
  for (let at = 0; at < smallest.length; at++) await simplify(at)
  return smallest

  /** Makes decisions of a deed the simplest ones, all of them or else one after the other. */
  async function simplify(at: number): Promise<void> {
    const { numbers } = smallest[at] as Deed
    const withNumbers = (numbers: readonly number[]) =>
      smallest.map((deed, i) => (i === at ? { ...deed, numbers } : deed))
    if (await tries(withNumbers([]))) return
    for (let length = Math.min(numbers.length, 20); length >= 1; length = Math.floor(length / 2))
      await tries(withNumbers(numbers.slice(0, length)))
    for (let i = 0; i < (smallest[at]?.numbers.length ?? 0); i++) {
      const { numbers } = smallest[at] as Deed
      if (numbers[i] !== 0) await tries(withNumbers(numbers.with(i, 0)))
    }
  }
}
