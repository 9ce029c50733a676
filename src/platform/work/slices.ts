// Processes many items on the main thread in time slices, so that requests are served in between.

import { setImmediate as turn } from 'node:timers/promises'

/** How long a slice lasts; one item may take longer. */
const sliceMs = 5

/** Maps the items in order, and yields to the event loop every few milliseconds. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  let end = performance.now() + sliceMs
  for (const item of items) {
    results.push(map(item))
    if (performance.now() < end) continue
    await turn()
    end = performance.now() + sliceMs
  }
  return results
}
