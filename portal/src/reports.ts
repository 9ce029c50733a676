// The reports that the person may run, and running one.

import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { notify } from '../../ui/Notices.tsx'
import { type RowOf, read, readFile, readTexts } from './api.ts'
import { save } from './frame/export-rows.ts'
import { reasonsOf } from './rehearse.ts'
import { type ReportRows, rowTaker } from './report-rows.ts'
import type { Search } from './router.tsx'
import { reportWords as words } from './words/reports.ts'

/** The definition of a report: its filters and columns. */
export type Report = RowOf<'/v1/reports'>
export type ReportFilter = Report['filters'][number]

const keepMs = 60_000
/** How many rows a screen shows; Excel and CSV have all. */
const maxRows = 10_000

/** The definitions. They change only with the service. */
export const reportsQuery = { ...read('/v1/reports'), staleTime: Number.POSITIVE_INFINITY }

/** The values of a report's filters, as the query of an address has them. */
export type FilterTexts = Readonly<Record<string, string>>

/** The filters of a report that are set in the address. */
export const filtersIn = ({ filters }: Report, search: Search): FilterTexts =>
  Object.fromEntries(
    filters.flatMap(({ name }) => {
      const text = [search[name]].flat()[0]
      return text === undefined ? [] : [[name, text]]
    }),
  )

/** The body that a report is run with. */
export const bodyOf = ({ filters }: Report, texts: FilterTexts): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    filters.flatMap(({ name, kind }) => {
      const text = texts[name]?.trim() ?? ''
      return text === '' ? [] : [[name, valueFrom(kind, text)]]
    }),
  )

function valueFrom(kind: ReportFilter['kind'], text: string): unknown {
  if (kind === 'boolean') return text === 'true'
  if (kind === 'enumeration' || kind === 'number') return Number(text)
  if (kind === 'list') return text.split(/[\s,;]+/).map(Number)
  return text
}

const pathOf = ({ name }: Pick<Report, 'name'>) => `/v1/reports/${name}`

const rowsQuery = (report: Report, texts: FilterTexts) =>
  queryOptions({
    queryKey: [pathOf(report), texts],
    queryFn: async ({ signal }): Promise<ReportRows> => {
      const { take, end } = rowTaker(maxRows)
      return (await readTexts(pathOf(report), bodyOf(report, texts), take, signal)) ?? end()
    },
    staleTime: keepMs,
    // Rows have no versions, and comparing thousands takes longer than drawing them.
    structuralSharing: false,
  })

/** The first rows of a report. They are asked for once `isEnabled`. */
export const useReportRows = (report: Report, texts: FilterTexts, isEnabled: boolean) =>
  useQuery({ ...rowsQuery(report, texts), enabled: isEnabled, placeholderData: keepPreviousData })

/** Saves the whole report as a file. */
export async function saveReport(
  report: Pick<Report, 'name' | 'title'>,
  kind: 'xlsx' | 'csv',
  body: object,
): Promise<void> {
  notify({ text: words.making(report.title) })
  try {
    const { blob, name } =
      kind === 'xlsx'
        ? await readFile(`${pathOf(report)}/xlsx`, { body })
        : await readFile(pathOf(report), { body, accept: 'text/csv' })
    save(blob, name ?? `${report.name}.${kind}`)
  } catch (error) {
    notify({ text: reasonsOf(error).join(' '), isAlert: true })
  }
}
