// A deed of a history: of what kind it is, and the numbers that decide everything else about it.

import type { Choices } from './choices.ts'
import type { World } from './world.ts'

export interface DeedKind {
  name: string
  /** its frequency, relative to that of the others */
  often: number
  /**
   * Does the deed through the API, says it in words, and writes into the notebook what follows from it. Does
   * nothing where there is nothing to do it with.
   */
  perform(world: World, choices: Choices): Promise<void>
}

export interface Deed {
  /** the kinds that are tried, until there is something to do one with */
  kinds: readonly string[]
  numbers: readonly number[]
  /** the chain of deeds that it belongs to */
  chain: string | null
  /** digits that no other deed has, by which what it makes is named */
  tag: string
}
