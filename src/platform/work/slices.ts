// Work on many things in the thread of requests, in slices between which others have their turn.

import { setImmediate as turn } from 'node:timers/promises'

/** So long others wait at most, and as long as one item takes. */
const sliceMs = 5

/** What `make` makes of each item, in order. Every few milliseconds others go on. */
export async function mapInSlices<Item, Made>(
  items: readonly Item[],
  make: (item: Item) => Made,
): Promise<Made[]> {
  const made: Made[] = []
  let end = performance.now() + sliceMs
  for (const item of items) {
    made.push(make(item))
    if (performance.now() < end) continue
    await turn()
    end = performance.now() + sliceMs
  }
  return made
}
