// A report as CSV: RFC 4180, in UTF-8 with a byte order mark for spreadsheets. The header has the names of
// the fields.

import type { Snapshot } from '../platform/database/db.ts'
import { columnsOf, csvRows, type Report, type ReportRequest } from './report.ts'
import { textChunks } from './text-chunks.ts'

/** The table of a report in chunks. The database writes the lines. */
export async function* csvChunks(
  report: Report,
  request: ReportRequest,
  snapshot: Snapshot,
): AsyncGenerator<string> {
  const names = columnsOf(report, request).map(([name]) => name)
  let header = `\u{feff}${names.join(',')}\r\n`
  for await (const lines of textChunks(snapshot.rows(csvRows(report, request)), '\r\n')) {
    yield `${header}${lines}\r\n`
    header = ''
  }
  if (header !== '') yield header
}
