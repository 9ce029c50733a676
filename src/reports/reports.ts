// Reports: what there are, and each as JSON, CSV and Excel. all-reports.ts lists them. Spec 2.18, 4.16.

import type { Actor } from '../platform/http/actor.ts'
import {
  type Answer,
  type Endpoint,
  endpoint,
  json,
  rows,
  type StreamAnswer,
  stream,
} from '../platform/http/endpoint.ts'
import { named, nullable, type Static, Type } from '../platform/http/schema.ts'
import { aboutOf } from './about.ts'
import { allReports } from './all-reports.ts'
import type { Column } from './columns.ts'
import { exported } from './export-thread.ts'
import { bodyOf, type Filter } from './filters.ts'
import type { Report } from './report.ts'
import { askingOf, check, fileName, inPlace, isLong, piecesOf } from './run-report.ts'

const Values = Type.Array(Type.Object({ value: Type.Integer(), name: Type.String() }))

const ReportInList = named(
  'Report',
  Type.Object({
    name: Type.String({ description: 'The last word of its address.' }),
    title: Type.String(),
    chapter: Type.Enum(['stock', 'consignments', 'operations']),
    description: Type.String(),
    filters: Type.Array(
      Type.Object({
        name: Type.String({ description: 'The field of the body.' }),
        label: Type.String(),
        description: nullable(Type.String()),
        kind: Type.Enum(['record', 'date', 'instant', 'enumeration', 'boolean', 'number', 'list']),
        values: Values,
      }),
    ),
    columns: Type.Array(
      Type.Object({
        name: Type.String({ description: 'The field of a row.' }),
        heading: Type.String({ description: 'Its heading in Excel.' }),
        kind: Type.Enum(['text', 'number', 'money', 'date', 'time', 'flag']),
        values: Values,
        isSummed: Type.Boolean({ description: 'Whether its sum means something.' }),
        isHidden: Type.Boolean({ description: 'An id, for programs.' }),
      }),
    ),
  }),
)
type ReportInList = Static<typeof ReportInList>

const valuesOf = (values: Readonly<Record<string, number>> = {}) =>
  Object.entries(values).map(([name, value]) => ({ value, name }))

/** What of a schema tells which kind of filter it is. */
interface Told {
  type?: string
  format?: string
  description?: string
  enumeration?: Readonly<Record<string, number>>
}

function kindOf({ type, format, enumeration }: Told): ReportInList['filters'][number]['kind'] {
  if (enumeration !== undefined) return 'enumeration'
  if (type === 'array') return 'list'
  if (type === 'boolean') return 'boolean'
  if (type === 'integer') return 'number'
  return format === 'uuid' ? 'record' : format === 'date' ? 'date' : 'instant'
}

const filterInList = ([name, { label, schema }]: [string, Filter]): ReportInList['filters'][number] => {
  const told: Told = schema
  return {
    name,
    label,
    description: told.description ?? null,
    kind: kindOf(told),
    values: valuesOf(told.enumeration),
  }
}

const columnInList = ([name, column]: [string, Column]): ReportInList['columns'][number] => ({
  name,
  heading: column.heading,
  kind: column.cell,
  values: valuesOf(column.values),
  isSummed: column.isSummed ?? false,
  isHidden: column.isHidden ?? false,
})

const inList = ({ name, title, chapter, description, filters, columns }: Report): ReportInList => ({
  ...{ name, title, chapter, description },
  filters: Object.entries(filters).map(filterInList),
  columns: Object.entries(columns).map(columnInList),
})

const mayRun = ({ partnerKind }: Actor, { partners }: Report): boolean =>
  partnerKind === null || partners === 'all' || partners === `${partnerKind}s`

/** `stock-on-hand` as `StockOnHand`. */
const typeName = (name: string) => name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())

const rowOf = ({ name, columns }: Report) =>
  named(
    `${typeName(name)}Row`,
    Type.Object(Object.fromEntries(Object.entries(columns).map(([field, { schema }]) => [field, schema]))),
  )

const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The two endpoints of a report. */
function endpointsOf(report: Report): Endpoint[] {
  const { name, title, description, partners, extension } = report
  const common = {
    ...(extension ? { extension } : {}),
    partners,
    scope: 'report',
    limit: 'reports',
    body: named(`${typeName(name)}Filters`, bodyOf(report.filters)),
    bodyOptional: true,
  } as const
  const inTitle = `${title[0]?.toLowerCase()}${title.slice(1)}`
  return [
    endpoint({
      ...common,
      post: `/v1/reports/${name}`,
      name: `run${typeName(name)}`,
      summary: `Run the report of ${inTitle}`,
      description,
      answer: rows(Type.Array(rowOf(report))),
      ownTransactions: true,
      async handle({ database, actor, body, signal, isCsvRequested: isCsv }): Promise<StreamAnswer> {
        const { question } = await check(database.db, report, actor, body)
        const form = isCsv ? 'csv' : 'json'
        const job = { connection: database.connection, report: name, question, form } as const
        const isElsewhere = await isLong(database.db, report, question)
        const bytes = inPlace<string | Uint8Array>(database, actor, signal, signal =>
          isElsewhere ? exported(job, signal) : piecesOf(database, report, question, { isCsv, signal }),
        )
        const mayReleaseChunks = isElsewhere
        if (!isCsv) return { contentType: 'application/json; charset=utf-8', bytes, mayReleaseChunks }
        const asking = await askingOf(database.db, actor)
        const contentType = 'text/csv; charset=utf-8; header=present'
        return { fileName: fileName(report, asking, 'csv'), contentType, bytes, mayReleaseChunks }
      },
    }),
    endpoint({
      ...common,
      post: `/v1/reports/${name}/xlsx`,
      name: `export${typeName(name)}`,
      summary: `Export the report of ${inTitle} to Excel`,
      answer: stream as Answer<StreamAnswer>,
      ownTransactions: true,
      async handle({ database, actor, body, signal }): Promise<StreamAnswer> {
        const checked = await check(database.db, report, actor, body)
        const asking = await askingOf(database.db, actor)
        const { question } = checked
        const about = aboutOf(report, checked, asking)
        const job = { connection: database.connection, report: name, question, form: 'xlsx', about } as const
        return {
          fileName: fileName(report, asking, 'xlsx'),
          contentType: xlsxType,
          bytes: inPlace(database, actor, signal, signal => exported(job, signal)),
          mayReleaseChunks: true,
        }
      },
    }),
  ]
}

export const reports: readonly Endpoint[] = [
  endpoint({
    get: '/v1/reports',
    name: 'listReports',
    partners: 'all',
    scope: 'report',
    extension: true,
    summary: 'List the reports, with their filters and columns',
    answer: json(Type.Object({ reports: Type.Array(ReportInList) })),
    handle: async ({ actor }) => ({
      reports: allReports.filter(report => mayRun(actor, report)).map(inList),
    }),
  }),
  ...allReports.flatMap(endpointsOf),
]
