// A report as JSON: the array of its rows.

import type { Snapshot } from '../platform/database/db.ts'
import { textsOf } from './pieces.ts'
import { jsonRows, type Question, type Report } from './report.ts'

/** The array of a report's rows in pieces, whose objects the database has written. */
export async function* jsonOf(
  report: Report,
  question: Question,
  snapshot: Snapshot,
): AsyncGenerator<string> {
  let held: string | undefined
  for await (const text of textsOf(snapshot.rows(jsonRows(report, question)), ',')) {
    if (held !== undefined) yield held
    held = `${held === undefined ? '[' : ','}${text}`
  }
  // With the last rows, so that what fits into one batch is one piece.
  yield `${held ?? '['}]`
}
