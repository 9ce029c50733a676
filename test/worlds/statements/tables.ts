// The tables of reports: CSV and Excel tell what the report's rows tell, cell by cell.

import assert from 'node:assert/strict'
import { parse } from 'csv-parse/sync'
import { readXlsx } from 'hucre/xlsx'
import { ask, untilNotBusy, type World } from '../world.ts'
import { sameText } from './figures.ts'
import type { Row } from './read-stock.ts'
import { run } from './rows.ts'

/** How many reports of each world are read as CSV. In one of so many worlds, one is read as Excel. */
const many = 2
const excelIn = 4

export async function tables(world: World): Promise<void> {
  const { reports } = await ask(world, 'get', '/v1/reports')
  const first = world.notebook.floor.journal.length
  for (let i = 0; i < many; i++) await compareCsv(world, reports[(first + i) % reports.length])
  if (first % excelIn === 0) await compareExcel(world, reports[(first / excelIn) % reports.length])
}

/** A column of a table: its name, and what is in its cells. */
interface Cell {
  name: string
  /** the column of the report that says how it is shown */
  column: Row
  value: unknown
}

/** The cells of a row. A column of brackets is one column for each of them. */
function cellsOf(row: Row, columns: readonly Row[]): Cell[] {
  return columns.flatMap((column): Cell[] => {
    const { name } = column
    if (name !== 'ageBrackets') return [{ name, column, value: row[name] }]
    return row.ageBrackets.map(({ fromDays, toDays, quantity }: Row) => {
      const range = toDays === null ? `From${fromDays}` : `${fromDays}To${toDays}`
      const heading = toDays === null ? `${fromDays} days and more` : `${fromDays} to ${toDays} days`
      return { name: `age${range}Quantity`, column: { ...column, heading, kind: 'number' }, value: quantity }
    })
  })
}

/** A value as a text: lists by commas, attributes by name, suggestions by place. */
function textOf(value: unknown): string {
  if (value === null) return ''
  if (typeof value === 'number') return value.toFixed(6).replace(/\.?0+$/, '')
  if (!Array.isArray(value)) return String(value)
  const words = value.map(one => {
    if (typeof one === 'string') return one
    if ('locationName' in one)
      return `${one.locationName}: ${one.quantity}${one.ssccNumber === null ? '' : ` (SSCC ${one.ssccNumber})`}`
    return one.description === null ? one.name : `${one.name}: ${one.description}`
  })
  return words.join(value.some(one => typeof one === 'object' && 'locationName' in one) ? '; ' : ', ')
}

const guarded = (text: string, { kind, values, isHidden }: Row) =>
  kind === 'text' && values.length === 0 && !isHidden && /^[-=+@\t\r]/.test(text) ? `'${text}` : text

async function compareCsv(world: World, { name, columns }: Row): Promise<void> {
  const rows = await run(world, name)
  const what = `the report ${name} as CSV`
  const { status, bytes } = await untilNotBusy(() =>
    world.caller.with({ accept: 'text/csv' }).post(`/v1/reports/${name}`, {}),
  )
  assert.equal(status, 200, what)
  const lines: Row[] = parse(bytes, { columns: true, bom: true, record_delimiter: '\r\n' })
  const known = rows.map(row =>
    Object.fromEntries(
      cellsOf(row, columns).map(({ name, column, value }) => [name, guarded(textOf(value), column)]),
    ),
  )
  for (const [i, row] of known.entries()) sameText({ ...lines[i] }, row, `${what}, row ${i + 1}`)
  sameText(lines.length, known.length, `${what}, its rows`)
}

async function compareExcel(world: World, { name, columns }: Row): Promise<void> {
  const rows = await run(world, name)
  const what = `the report ${name} as Excel`
  const { status, bytes } = await untilNotBusy(() => world.caller.post(`/v1/reports/${name}/xlsx`, {}))
  assert.equal(status, 200, what)
  const [sheet] = (await readXlsx(bytes)).sheets
  const [headings = [], ...lines] = sheet?.rows ?? []
  sameText(lines.length, rows.length, `${what}, its rows`)
  for (const [i, row] of rows.entries()) {
    const cells = cellsOf(row, columns)
    sameText(
      headings,
      cells.map(({ column }) => column.heading),
      `${what}, its headings`,
    )
    for (const [at, cell] of cells.entries())
      sameText(lines[i]?.[at] ?? null, excelOf(cell), `${what}, row ${i + 1}, ${cell.name}`)
  }
}

/** `ReadyToPick` as `Ready to pick` */
const wordsOf = (name: string) =>
  `${name[0]}${name.slice(1).replace(/(?<=[a-z])[A-Z]/g, capital => ` ${capital.toLowerCase()}`)}`.replaceAll(
    '_',
    ' ',
  )

function excelOf({ column: { kind, values }, value }: Cell): unknown {
  if (value === null) return null
  if (values.length > 0) return wordsOf(values.find((one: Row) => one.value === value).name)
  if (kind === 'date') return new Date(`${value}T00:00:00Z`)
  if (kind === 'time') return new Date(`${String(value).slice(0, 19)}Z`)
  return typeof value === 'object' ? textOf(value) || null : value
}
