// A report as JSON: the array of its rows.

import type { Snapshot } from '../platform/database/db.ts'
import { jsonRows, type Report, type ReportRequest } from './report.ts'
import { textChunks } from './text-chunks.ts'

/** The array of a report's rows in chunks. The database writes the objects. */
export async function* jsonChunks(
  report: Report,
  request: ReportRequest,
  snapshot: Snapshot,
): AsyncGenerator<string> {
  let pending: string | undefined
  for await (const text of textChunks(snapshot.rows(jsonRows(report, request)), ',')) {
    if (pending !== undefined) yield pending
    pending = `${pending === undefined ? '[' : ','}${text}`
  }
  // The end goes with the last rows, so that a report of one batch is one chunk.
  yield `${pending ?? '['}]`
}
