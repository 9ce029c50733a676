// The rows of a report as texts to send, of a size that is good for memory: what is made of a million rows is
// garbage at once, and a text of more than 128 KiB has a place of its own that is not given back as soon.

import { setImmediate as turn } from 'node:timers/promises'

/** So many rows are sent at a time, of some hundred bytes each. */
const rowsInPiece = 100

/**
 * Rows of one column, some of them a text. The first batch is one text, so that a report that fits into it is
 * sent whole; between later texts other requests have their turn.
 */
export async function* textsOf(
  batches: AsyncIterable<readonly (readonly (string | null)[])[]>,
  between: string,
): AsyncGenerator<string> {
  let isFirst = true
  for await (const rows of batches) {
    const size = isFirst ? rows.length : rowsInPiece
    isFirst = false
    for (let at = 0; at < rows.length; at += size) {
      if (at > 0) await turn()
      yield rows
        .slice(at, at + size)
        .map(([text]) => text)
        .join(between)
    }
  }
}
