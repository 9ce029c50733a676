// Reads CSV files as spreadsheets write them: with commas, semicolons or tabs, in UTF-8 or the code page of
// Windows. Rows are counted as a spreadsheet shows them, with empty ones.

import { type CsvError, parse } from 'csv-parse/sync'
import { editDistance } from '../platform/edit-distance.ts'
import { type Fault, faultAt } from '../platform/http/fault.ts'
import { unprocessable } from '../platform/http/refusal.ts'

const maxColumns = 100
/** Heads above this length are no misspelt columns. */
const maxHeadLength = 40
const maxRecordSize = 100_000

/** A row below the head. */
export interface CsvRecord {
  /** its number in the spreadsheet; the head is row 1 */
  row: number
  cells: readonly string[]
}

export interface CsvFile {
  heads: readonly string[]
  /** without empty rows */
  records: CsvRecord[]
}

interface CsvLimit {
  maxRows: number
  /** the sentence that refuses more */
  problem: string
}

/** The text of a file: UTF-8, or else Windows-1252, which spreadsheets write where nobody asks for UTF-8. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** What separates the cells: of comma, semicolon and tab the one that the head has most of. */
function delimiterOf(text: string): string {
  const head = (text.match(/^[^\r\n]*/)?.[0] ?? '').replaceAll(/"[^"]*"/g, '')
  const count = (delimiter: string) => head.split(delimiter).length
  return [',', ';', '\t'].reduce((best, other) => (count(other) > count(best) ? other : best))
}

/** Reads a file. Throws 422 if it is none, has no rows below its head, or too many. */
export function readCsv(bytes: Uint8Array, { maxRows, problem }: CsvLimit): CsvFile {
  // Spreadsheets also write rows that were emptied, but not without end.
  const maxLines = 2 * maxRows
  const [heads = [], ...below] = parseCells(textOf(bytes), maxLines + 2)
  const records = below
    .map((cells, i) => ({ row: i + 2, cells }))
    .filter(({ cells }) => cells.some(cell => cell !== ''))
  if (records.length > maxRows || below.length > maxLines)
    throw unprocessable(faultAt('file', problem, 'length'))
  if (records.length === 0) throw unprocessable(faultAt('file', 'has no lines below its header', 'length'))
  const wide = records.find(({ cells }) => cells.slice(heads.length).some(cell => cell !== ''))
  if (wide !== undefined) {
    const cause = 'a text with a comma needs quotes'
    throw unprocessable(faultAt('file', `has more cells than heads in line ${wide.row}; ${cause}`, 'length'))
  }
  return { heads, records }
}

function parseCells(text: string, maxLines: number): string[][] {
  try {
    return parse(text, {
      delimiter: delimiterOf(text),
      relax_column_count: true,
      trim: true,
      to: maxLines,
      max_record_size: maxRecordSize,
    })
  } catch (error) {
    throw unprocessable(faultAt('file', problemOf(error as CsvError), 'unprocessable'))
  }
}

/** Why a file cannot be read, as the end of a sentence about it. */
function problemOf({ code, lines, message }: CsvError): string {
  const line = `line ${lines}`
  switch (code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return `has a quotation mark that is never closed; it is in the cell that ends at ${line}`
    case 'CSV_INVALID_CLOSING_QUOTE':
    case 'INVALID_OPENING_QUOTE':
      return `has a quotation mark inside a cell in ${line}; write it twice, and the cell in quotation marks`
    case 'CSV_MAX_RECORD_SIZE':
      return `has more than 100,000 characters in ${line}`
    default:
      return `is not a readable CSV file: ${message}`
  }
}

interface Columns<Name extends string> {
  /** the columns that a file may have */
  known: readonly Name[]
  /** which column a head means, where its name does not say it; null leaves it out */
  mapping?: Readonly<Record<string, Name | null>> | null | undefined
}

/**
 * What the heads of a file mean, in any case; undefined: the column is left out. Throws 422 if one is unknown
 * or is there twice.
 */
export function readHeads<Name extends string>(
  { heads, records }: CsvFile,
  { known, mapping }: Columns<Name>,
): (Name | undefined)[] {
  const most = Math.min(maxColumns, 2 * known.length)
  if (heads.length > most)
    throw unprocessable(faultAt('file', `has ${heads.length} columns; at most ${most} are read`, 'length'))
  const byHead = new Map<string, Name | null>([
    ...known.map(name => [name.toLowerCase(), name] as const),
    ...Object.entries(mapping ?? {}).map(([head, name]) => [head.trim().toLowerCase(), name] as const),
  ])
  const isEmpty = (i: number) => records.every(({ cells }) => !cells[i])
  const columns = heads.map((head, i) => (head === '' && isEmpty(i) ? null : byHead.get(head.toLowerCase())))
  const faults = heads.flatMap((head, i): Fault[] => {
    const column = columns[i]
    if (column === null || (column !== undefined && columns.indexOf(column) === i)) return []
    if (column !== undefined) return [headFault(`has the column ${column} twice.`, 'duplicate')]
    const guess = `did you mean ${nearestName(head, known)}?`
    return [headFault(`has an unknown column ${quoted(head)}; ${guess}`, 'unknown_reference')]
  })
  if (faults.length > 0) throw unprocessable(...faults)
  return columns.map(column => column ?? undefined)
}

const headFault = (problem: string, code: 'duplicate' | 'unknown_reference'): Fault => ({
  path: 'file',
  code,
  message: `file ${problem}`,
})

const quoted = (head: string) =>
  JSON.stringify(head.length > maxHeadLength ? `${head.slice(0, maxHeadLength)}…` : head)

/** The name that is most like a head, or that it shortens: expiry is expiryDate, qty quantity. */
function nearestName(head: string, known: readonly string[]): string {
  const name = head
    .slice(0, maxHeadLength)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
  const shortened = new RegExp(`^${[...name].join('.*')}`)
  const differenceOf = (column: string) =>
    name.length >= 3 && shortened.test(column.toLowerCase()) ? 0 : editDistance(name, column.toLowerCase())
  return known.toSorted((a, b) => differenceOf(a) - differenceOf(b))[0] as string
}

/** The cells of a record by what their columns mean, without empty ones. */
export const namedCells = <Name extends string>(
  columns: readonly (Name | undefined)[],
  { cells }: CsvRecord,
): Map<Name, string> =>
  new Map(columns.flatMap((name, i) => (name === undefined || !cells[i] ? [] : [[name, cells[i] as string]])))

/** The number that a cell has, or its text, which the check of the row then refuses. */
export const numberIn = (text: string): number | string =>
  Number.isFinite(Number(text)) ? Number(text) : text

/** Reads attributes written as `Colour: red | Grade: A`. */
export const attributesIn = (text: string): { name: string; description: string | null }[] =>
  text.split('|').flatMap(part => {
    const [name = '', ...description] = part.split(':')
    if (name.trim() === '') return []
    return [{ name: name.trim(), description: description.join(':').trim() || null }]
  })
