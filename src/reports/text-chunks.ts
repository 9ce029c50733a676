// The rows of a report as chunks of text. Chunks stay below 128 KiB: V8 allocates larger strings separately
// and frees them late.

import { setImmediate as nextTurn } from 'node:timers/promises'

/** How many rows a chunk has; a row is some hundred bytes long. */
const rowsPerChunk = 100

/**
 * Joins rows of one column to chunks of text. The first batch is one chunk, so that a short report is sent
 * whole; before each later chunk of a batch, other requests get their turn.
 */
export async function* textChunks(
  batches: AsyncIterable<readonly (readonly (string | null)[])[]>,
  separator: string,
): AsyncGenerator<string> {
  let isFirst = true
  for await (const rows of batches) {
    const size = isFirst ? rows.length : rowsPerChunk
    isFirst = false
    for (let at = 0; at < rows.length; at += size) {
      if (at > 0) await nextTurn()
      yield rows
        .slice(at, at + size)
        .map(([text]) => text)
        .join(separator)
    }
  }
}
