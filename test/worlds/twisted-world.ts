// A world in which nothing went as ordered, for a test of something else: an organisation of the service, and
// the notebook that knows what is true in it.

import type { Deed } from './deed.ts'
import { deedsOf, live } from './history.ts'
import type { Service } from './set-up.ts'
import type { World } from './world.ts'

/**
 * Lives the world of a seed, and then does some deeds more. Its `notebook` tells what is true in it, its
 * `history` what was done.
 */
export const twistedWorld = (service: Service, seed: number, more: readonly Deed[] = []): Promise<World> =>
  live(service, [...deedsOf(seed), ...more])
