// What a report is: one definition that gives its endpoints, its JSON, CSV and Excel, and its part of the API
// document. Spec 2.18, 4.16.

import type { Actor } from '../access/actor.ts'
import type { PartnerAccess } from '../access/endpoint.ts'
import { type Db, join, raw, type Sql, sql } from '../platform/database/db.ts'
import { verificationFailed } from '../platform/http/refusal.ts'
import type { AsOf } from '../stock/as-of/as-of.ts'
import { type Column, type Columns, sqlName, tableColumns } from './columns.ts'
import type { Filters, FilterValues } from './filters.ts'

/** The section in which the specification lists a report. */
export type ReportSection = 'stock' | 'consignments' | 'operations'

/** Who runs a report, with which filters. It is plain data, so that it can be posted to a worker thread. */
export interface ReportRequest<F extends Filters = Filters> {
  readonly actor: Actor
  readonly filters: FilterValues<F>
  /** the moment in the past that the report shows; null for now */
  readonly moment: AsOf | null
  /** what the report's `compute` returned, as JSON; absent if the report has no `compute` */
  readonly computed?: string
}

/** A report. */
export interface Report<F extends Filters = Filters> {
  /** the last segment of its URL */
  readonly name: string
  readonly title: string
  readonly chapter: ReportSection
  /** a paragraph for the API reference */
  readonly description: string
  /** which partners' users may run it, each for their own records */
  readonly partners: PartnerAccess
  /** it is not in the specification */
  readonly extension?: true
  readonly filters: F
  readonly columns: Columns
  /**
   * Computes what the rows need and the database alone cannot provide, before the rows are read. The result
   * must be serialisable as JSON. It ends with the signal's reason when the signal fires, and with 400 for
   * more than `maxComputedRows`.
   */
  compute?(db: Db, request: ReportRequest<F>, signal: AbortSignal): Promise<readonly object[]>
  /** The query of the rows: the columns under their names in snake_case, and what `order` refers to. */
  rows(request: ReportRequest<F>): Sql
  /** a total order of the rows */
  readonly order: Sql
}

/** Defines a report. */
export const report = <const F extends Filters>(definition: Report<F>): Report => definition

/** How many rows a report may compute: they are held in memory until the report has read them. */
export const maxComputedRows = 200_000

/** Throws 400 for more computed rows than that; `advice` says how to get fewer. */
export function checkComputedRows(count: number, advice: string): void {
  if (count > maxComputedRows)
    throw verificationFailed(`There are more than ${maxComputedRows.toLocaleString('en')} rows; ${advice}.`)
}

/** A value of the rows `r`. */
const cellOf = (name: string): Sql => raw(`r."${sqlName(name)}"`)

const fromOrderedRows = (report: Report, request: ReportRequest): Sql =>
  sql`from (${report.rows(request)}) r order by ${report.order}`

/** The query of a report's rows as JSON: the text of one object for each row. */
export const jsonRows = (report: Report, request: ReportRequest): Sql => {
  const fields = Object.entries(report.columns).map(
    ([name, column]) => sql`${column.json(cellOf(name))} as ${raw(`"${name}"`)}`,
  )
  return sql`select row_to_json(o) from (select ${join(fields)} ${fromOrderedRows(report, request)}) o`
}

/** The columns of a report in CSV and Excel, with their names. */
export const columnsOf = (report: Report, { filters }: ReportRequest): [name: string, column: Column][] =>
  Object.entries(tableColumns(report.columns, filters))

/** The query of a report's rows as the texts of cells. */
export const textRows = (report: Report, request: ReportRequest): Sql => {
  // The cells must not have the names of the columns, because `order` refers to those.
  const cells = columnsOf(report, request).map(
    ([name, column], at) => sql`${column.text(cellOf(name))} as ${raw(`cell_${at}`)}`,
  )
  return sql`select ${join(cells)} ${fromOrderedRows(report, request)}`
}

// Puts an apostrophe before a text that a spreadsheet would take for a formula.
const guardFormula = (text: Sql): Sql => sql`regexp_replace(${text}, '^(?=[-=+@\\t\\r])', '''')`

/** A cell of CSV: text in quotation marks, other values without, and nothing for null. */
const csvCell = (column: Column, value: Sql): Sql => {
  const text = column.text(value)
  const isText = column.cell === 'text' && column.values === undefined && !column.isHidden
  return isText
    ? sql`coalesce('"' || replace(${guardFormula(text)}, '"', '""') || '"', '')`
    : sql`coalesce(${text}, '')`
}

/** The query of a report's rows as lines of CSV. */
export const csvRows = (report: Report, request: ReportRequest): Sql => {
  const cells = columnsOf(report, request).map(([name, column]) => csvCell(column, cellOf(name)))
  return sql`select ${join(cells, " || ',' || ")} ${fromOrderedRows(report, request)}`
}
