// A report as CSV: RFC 4180, UTF-8 with a byte order mark for spreadsheets, a header with the names of the
// fields.

import type { Snapshot } from '../platform/database/db.ts'
import { textsOf } from './pieces.ts'
import { columnsOf, csvRows, type Question, type Report } from './report.ts'

/** The table in pieces, whose lines the database has written. */
export async function* csvOf(report: Report, question: Question, snapshot: Snapshot): AsyncGenerator<string> {
  const names = columnsOf(report, question).map(([name]) => name)
  let head = `\u{feff}${names.join(',')}\r\n`
  for await (const lines of textsOf(snapshot.rows(csvRows(report, question)), '\r\n')) {
    yield `${head}${lines}\r\n`
    head = ''
  }
  if (head !== '') yield head
}
