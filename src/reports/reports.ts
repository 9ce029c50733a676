// The endpoints of reports: the list of all, and each report as JSON, CSV and Excel. Spec 2.18, 4.16.

import type { Actor } from '../access/actor.ts'
import { type Endpoint, endpoint } from '../access/endpoint.ts'
import { json, rows, type StreamResponse, streamOf } from '../platform/http/endpoint.ts'
import { named, nullable, type Static, Type } from '../platform/http/schema.ts'
import { describeReport } from './about.ts'
import { allReports } from './all-reports.ts'
import type { Column } from './columns.ts'
import { exportReport } from './export-thread.ts'
import { bodySchema, type Filter } from './filters.ts'
import type { Report } from './report.ts'
import { checkRequest, fileName, hasManyRows, readContext, reportChunks, withReadSlot } from './run-report.ts'

const Values = Type.Array(Type.Object({ value: Type.Integer(), name: Type.String() }))

const ReportInList = named(
  'Report',
  Type.Object({
    name: Type.String({ description: 'The last segment of its URL.' }),
    title: Type.String(),
    chapter: Type.Enum(['stock', 'consignments', 'operations']),
    description: Type.String(),
    filters: Type.Array(
      Type.Object({
        name: Type.String({ description: 'The name of the field in the request body.' }),
        label: Type.String(),
        description: nullable(Type.String()),
        kind: Type.Enum(['record', 'date', 'instant', 'enumeration', 'boolean', 'number', 'list']),
        values: Values,
      }),
    ),
    columns: Type.Array(
      Type.Object({
        name: Type.String({ description: 'The name of the field in a row.' }),
        heading: Type.String({ description: 'The heading in Excel.' }),
        kind: Type.Enum(['text', 'number', 'money', 'date', 'time', 'flag']),
        values: Values,
        isSummed: Type.Boolean({ description: 'Whether the sum of the column is meaningful.' }),
        isHidden: Type.Boolean({ description: 'Whether Excel hides the column, because it is an id.' }),
      }),
    ),
  }),
)
type ReportInList = Static<typeof ReportInList>

const listValues = (values: Readonly<Record<string, number>> = {}) =>
  Object.entries(values).map(([name, value]) => ({ value, name }))

/** The keywords of a filter's schema that its description in the list comes from. */
interface FilterSchema {
  type?: string
  format?: string
  description?: string
  enumeration?: Readonly<Record<string, number>>
}

function filterKind({ type, format, enumeration }: FilterSchema): ReportInList['filters'][number]['kind'] {
  if (enumeration !== undefined) return 'enumeration'
  if (type === 'array') return 'list'
  if (type === 'boolean') return 'boolean'
  if (type === 'integer') return 'number'
  return format === 'uuid' ? 'record' : format === 'date' ? 'date' : 'instant'
}

const toFilterItem = ([name, { label, schema }]: [string, Filter]): ReportInList['filters'][number] => {
  const { description, enumeration }: FilterSchema = schema
  return {
    name,
    label,
    description: description ?? null,
    kind: filterKind(schema),
    values: listValues(enumeration),
  }
}

const toColumnItem = ([name, column]: [string, Column]): ReportInList['columns'][number] => ({
  name,
  heading: column.heading,
  kind: column.cell,
  values: listValues(column.values),
  isSummed: column.isSummed ?? false,
  isHidden: column.isHidden ?? false,
})

const toListItem = ({ name, title, chapter, description, filters, columns }: Report): ReportInList => ({
  ...{ name, title, chapter, description },
  filters: Object.entries(filters).map(toFilterItem),
  columns: Object.entries(columns).map(toColumnItem),
})

const canRun = ({ partnerKind }: Actor, { partners }: Report): boolean =>
  partnerKind === null || partners === 'all' || partners === `${partnerKind}s`

/** The name of a report in names of types: `StockOnHand` for `stock-on-hand`. */
const typeName = (name: string) => name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())

const rowSchema = ({ name, columns }: Report) =>
  named(
    `${typeName(name)}Row`,
    Type.Object(Object.fromEntries(Object.entries(columns).map(([field, { schema }]) => [field, schema]))),
  )

const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The endpoints of a report: one for JSON and CSV, one for Excel. */
function reportEndpoints(report: Report): Endpoint[] {
  const { name, title, description, partners, extension } = report
  const common = {
    ...(extension ? { extension } : {}),
    partners,
    scope: 'report',
    limit: 'reports',
    body: named(`${typeName(name)}Filters`, bodySchema(report.filters)),
    bodyOptional: true,
  } as const
  const titleInSentence = `${title[0]?.toLowerCase()}${title.slice(1)}`
  return [
    endpoint({
      ...common,
      post: `/v1/reports/${name}`,
      name: `run${typeName(name)}`,
      summary: `Run the ${titleInSentence} report`,
      description,
      response: rows(Type.Array(rowSchema(report))),
      ownTransactions: true,
      async handle({ database, actor, body, signal, isCsvRequested: isCsv }): Promise<StreamResponse> {
        const { request } = await checkRequest(database, report, actor, body, signal)
        const format = isCsv ? 'csv' : 'json'
        const job = { connection: database.connection, report: name, request, format } as const
        const isInThread = await hasManyRows(database.db, report, request)
        const bytes = withReadSlot<string | Uint8Array>(database, actor, signal, signal =>
          isInThread ? exportReport(job, signal) : reportChunks(database, report, request, { isCsv, signal }),
        )
        const mayReleaseChunks = isInThread
        if (!isCsv) return { contentType: 'application/json; charset=utf-8', bytes, mayReleaseChunks }
        const context = await readContext(database.db, actor)
        const contentType = 'text/csv; charset=utf-8; header=present'
        return { fileName: fileName(report, context, 'csv'), contentType, bytes, mayReleaseChunks }
      },
    }),
    endpoint({
      ...common,
      post: `/v1/reports/${name}/xlsx`,
      name: `export${typeName(name)}`,
      summary: `Export the ${titleInSentence} report to Excel`,
      response: streamOf(xlsxType),
      ownTransactions: true,
      async handle({ database, actor, body, signal }): Promise<StreamResponse> {
        const checked = await checkRequest(database, report, actor, body, signal)
        const context = await readContext(database.db, actor)
        const { request } = checked
        const about = describeReport(report, checked, context)
        const job = { connection: database.connection, report: name, request, format: 'xlsx', about } as const
        return {
          fileName: fileName(report, context, 'xlsx'),
          contentType: xlsxType,
          bytes: withReadSlot(database, actor, signal, signal => exportReport(job, signal)),
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
    response: json(Type.Object({ reports: Type.Array(ReportInList) })),
    handle: async ({ actor }) => ({
      reports: allReports.filter(report => canRun(actor, report)).map(toListItem),
    }),
  }),
  ...allReports.flatMap(reportEndpoints),
]
