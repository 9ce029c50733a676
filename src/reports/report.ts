// What a report is: one definition, from which come its endpoints, its JSON, CSV and Excel, and what the API
// document says of it. Spec 2.18, 4.16.

import { type Db, join, raw, type Sql, sql } from '../platform/database/db.ts'
import type { Actor } from '../platform/http/actor.ts'
import type { PartnerAccess } from '../platform/http/endpoint.ts'
import type { Moment } from '../stock/as-of/moment.ts'
import { type Column, type Columns, sqlName, tableColumns } from './columns.ts'
import type { Asked, Filters } from './filters.ts'

/** Where the specification lists a report. */
export type Chapter = 'stock' | 'consignments' | 'operations'

/** Who asks a report, and for what. Nothing but data, so that a thread can be told. */
export interface Question<F extends Filters = Filters> {
  readonly actor: Actor
  readonly filters: Asked<F>
  /** there where stock is asked for as it was */
  readonly moment: Moment | null
  /** what was computed for the rows before they are read, as JSON; there where the report computes */
  readonly computed?: string
}

/** A report. */
export interface Report<F extends Filters = Filters> {
  /** the last word of its address */
  readonly name: string
  readonly title: string
  readonly chapter: Chapter
  /** a paragraph for the API reference */
  readonly description: string
  /** whose people may run it, for what is theirs */
  readonly partners: PartnerAccess
  /** beyond the specification */
  readonly extension?: true
  readonly filters: F
  readonly columns: Columns
  /**
   * there where the database alone cannot tell the rows: what they are made of besides, of things that JSON
   * can tell
   */
  compute?(db: Db, question: Question<F>): Promise<readonly object[]>
  /** the rows, with the columns under their names in snake_case and what the order needs */
  rows(question: Question<F>): Sql
  /** a total order of the rows */
  readonly order: Sql
}

/** Defines a report. */
export const report = <const F extends Filters>(definition: Report<F>): Report => definition

/** A value of the rows `r`. */
const cellOf = (name: string): Sql => raw(`r."${sqlName(name)}"`)

const ordered = (report: Report, question: Question): Sql =>
  sql`from (${report.rows(question)}) r order by ${report.order}`

/** The query of a report's rows as JSON, the text of an object each. */
export const jsonRows = (report: Report, question: Question): Sql => {
  const fields = Object.entries(report.columns).map(
    ([name, column]) => sql`${column.json(cellOf(name))} as ${raw(`"${name}"`)}`,
  )
  return sql`select row_to_json(o) from (select ${join(fields)} ${ordered(report, question)}) o`
}

/** The columns of a report as a table has them, with their names. */
export const columnsOf = (report: Report, { filters }: Question): [name: string, column: Column][] =>
  Object.entries(tableColumns(report.columns, filters))

/** The query of a report's rows as the texts of cells. */
export const textRows = (report: Report, question: Question): Sql => {
  // Under other names than the rows have, by which they are ordered.
  const cells = columnsOf(report, question).map(
    ([name, column], at) => sql`${column.text(cellOf(name))} as ${raw(`cell_${at}`)}`,
  )
  return sql`select ${join(cells)} ${ordered(report, question)}`
}

// What a spreadsheet would take for a formula.
const guarded = (text: Sql): Sql => sql`regexp_replace(${text}, '^(?=[-=+@\\t\\r])', '''')`

/** A cell of CSV: a text in quotation marks, anything else as it is, and nothing for what there is not. */
const csvCell = (column: Column, value: Sql): Sql => {
  const written = column.text(value)
  const isText = column.cell === 'text' && column.values === undefined && !column.isHidden
  return isText
    ? sql`coalesce('"' || replace(${guarded(written)}, '"', '""') || '"', '')`
    : sql`coalesce(${written}, '')`
}

/** The query of a report's rows as lines of CSV. */
export const csvRows = (report: Report, question: Question): Sql => {
  const cells = columnsOf(report, question).map(([name, column]) => csvCell(column, cellOf(name)))
  return sql`select ${join(cells, " || ',' || ")} ${ordered(report, question)}`
}
