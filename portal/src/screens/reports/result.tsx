// What a report has found: its first rows with the sums of those columns that may be summed, and a plot of
// them by date.

import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { type Column, DataTable } from '../../../../ui/DataTable.tsx'
import { LocalDay, LocalTime, UtcTime } from '../../../../ui/LocalTime.tsx'
import { Menu } from '../../../../ui/Menu.tsx'
import { amount, quantity } from '../../../../ui/numbers.ts'
import type { RegionState } from '../../../../ui/Region.tsx'
import { Nothing, Region } from '../../../../ui/Region.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { useColumns } from '../../frame/use-columns.ts'
import { usePreferences } from '../../preferences.ts'
import { type ReportRow, type ReportRows, sumOf } from '../../report-rows.ts'
import type { Report } from '../../reports.ts'
import { reportWords as words } from '../../words/reports.ts'
import { ReportPlot } from './plot.tsx'
import styles from './reports.module.css'

type ReportColumn = Report['columns'][number]

/** A row with its number, because rows of reports have no ids. */
interface NumberedRow {
  id: string
  row: ReportRow
}

export interface ReportResultProps {
  report: Report
  result: UseQueryResult<ReportRows>
}

export function ReportResult({ report, result: { data, isError, isPending } }: ReportResultProps) {
  const rows = useMemo(() => data?.rows.map((row, i): NumberedRow => ({ id: String(i), row })) ?? [], [data])
  const all = useMemo(() => columnsOf(report, data?.rows ?? []), [report, data])
  const chosen = useColumns(`/reports/${report.name}`, all, usePreferences(data !== undefined))
  const sums = useMemo(() => sumsOf(report, data, chosen.columns), [report, data, chosen.columns])
  const state = stateOf(isError, data)
  return (
    <>
      <Region
        heading={words.rows}
        state={state}
        summary={data && !isError && words.rowCount(data.rows.length, data.hasMore)}
        acts={
          <Menu label={uiWords.columns} groups={[{ acts: chosen.acts }]}>
            <Button kind="quiet">{uiWords.columns}</Button>
          </Menu>
        }
      >
        {isPending && <Nothing text={words.reading} />}
        {state === 'empty' && <Nothing text={words.noRows} />}
        {data?.hasMore && <p className={styles.note}>{words.cut}</p>}
        {state === 'ready' && (
          <div className={styles.grid}>
            <DataTable
              label={report.title}
              columns={chosen.columns}
              rows={rows}
              idOf={({ id }) => id}
              nameOf={({ id }) => id}
              state={state}
              {...(sums === undefined ? {} : { foot: sums })}
            />
          </div>
        )}
      </Region>
      {data !== undefined && !isError && <ReportPlot report={report} rows={data.rows} />}
    </>
  )
}

function stateOf(isError: boolean, data: ReportRows | undefined): RegionState {
  if (isError) return 'error'
  return data === undefined ? 'loading' : data.rows.length === 0 ? 'empty' : 'ready'
}

/** The sums of all rows, exactly as they are shown; undefined if nothing is summed or rows are missing. */
function sumsOf(
  { columns }: Report,
  data: ReportRows | undefined,
  shown: readonly Column<NumberedRow>[],
): ReadonlyMap<string, ReactNode> | undefined {
  const summed = columns.filter(({ isSummed, name }) => isSummed && shown.some(({ id }) => id === name))
  const first = shown[0]?.id
  if (data === undefined || data.hasMore || data.rows.length < 2 || summed.length === 0) return undefined
  const sums = summed.map(({ name, kind }): [string, string] => {
    const sum = sumOf(data.rows.map(row => row[name]))
    return [name, kind === 'money' ? amount(sum) : quantity(sum)]
  })
  return new Map([...(first === undefined ? [] : [[first, words.sum] as const]), ...sums])
}

const widths = { text: 90, number: 90, money: 100, date: 110, time: 130, flag: 80 } as const
const [letterWidth, capitalWidth, edges, maxWidth] = [7.2, 9.4, 28, 300]
const measuredRows = 200

/** The columns of a report, without ids, and with one for each bracket of ages. */
function columnsOf({ columns }: Report, rows: readonly ReportRow[]): readonly Column<NumberedRow>[] {
  return columns
    .filter(({ isHidden }) => !isHidden)
    .flatMap(column => {
      const value = rows[0]?.[column.name]
      return isBrackets(value) ? bracketColumns(column, value) : [columnOf(column, rows)]
    })
}

/** A column. One that has no value in any row is shown when the reader asks for it. */
function columnOf(column: ReportColumn, rows: readonly ReportRow[]): Column<NumberedRow> {
  const { name, kind } = column
  const head = words.heading(column.heading)
  return {
    ...{ id: name, head, isOnPhone: true, width: widthOf(column, head, rows) },
    isAtEnd: kind === 'number' || kind === 'money',
    isHidden: rows.length > 0 && rows.every(row => row[name] === null),
    cell: ({ row }) => cellOf(column, row[name]),
  }
}

/** Codes and numbers, with their capitals and digits, are wider than words. */
function widthOfText(text: ReactNode): number {
  if (typeof text !== 'string') return 0
  const wide = text.match(/[\p{Lu}\d-]/gu)?.length ?? 0
  return wide * capitalWidth + (text.length - wide) * letterWidth
}

/** Wide enough for the head and the first texts, as far as there is room. */
function widthOf(column: ReportColumn, head: string, rows: readonly ReportRow[]): number {
  const texts =
    column.kind === 'text' ? rows.slice(0, measuredRows).map(row => cellOf(column, row[column.name])) : []
  return Math.min(
    maxWidth,
    Math.max(widths[column.kind], edges + Math.max(...[head, ...texts].map(widthOfText))),
  )
}

function cellOf({ name, kind, values }: ReportColumn, value: unknown): ReactNode {
  if (value === null || value === undefined || value === '') return words.nothing
  if (values.length > 0) return words.value(values, Number(value))
  if (Array.isArray(value)) return words.parts(value) || words.nothing
  switch (kind) {
    case 'flag':
      return value ? words.yes : words.no
    case 'number':
      return quantity(Number(value))
    case 'money':
      return amount(Number(value))
    case 'date':
      return <LocalDay value={String(value)} />
    case 'time':
      return name.endsWith('Utc') ? <UtcTime value={String(value)} /> : <LocalTime value={String(value)} />
    default:
      return String(value)
  }
}

interface Bracket {
  fromDays: number
  toDays: number | null
  quantity: number
}

const isBrackets = (value: unknown): value is readonly Bracket[] =>
  Array.isArray(value) && value.length > 0 && typeof value[0] === 'object' && 'fromDays' in value[0]

const bracketColumns = ({ name }: ReportColumn, brackets: readonly Bracket[]) =>
  brackets.map(
    ({ fromDays, toDays }, i): Column<NumberedRow> => ({
      id: `${name}-${i}`,
      head: words.ageBracket(fromDays, toDays),
      width: 130,
      isAtEnd: true,
      isOnPhone: true,
      cell: ({ row }) => quantity((row[name] as readonly Bracket[])[i]?.quantity ?? 0),
    }),
  )
