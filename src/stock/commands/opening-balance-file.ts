// Reads opening balances from a CSV file. A line may be one serial, and attributes are written as
// `name: value | name: value`. Spec 2.14.

import { parse } from 'csv-parse/sync'
import { decimalText, roundTo } from '../../platform/decimal.ts'
import { editDistance } from '../../platform/edit-distance.ts'
import { type Fault, faultAt } from '../../platform/http/fault.ts'
import { maxFaults, Refusal, unprocessable } from '../../platform/http/refusal.ts'
import type { Static } from '../../platform/http/schema.ts'
import { createValidation } from '../../platform/http/validation.ts'
import { isValidSscc } from '../logistic-units/sscc.ts'
import { OpeningBalanceRow } from './opening-balances.ts'

/** The columns of the file, in the order of the template. */
export const openingBalanceColumns = [
  'clientCode',
  'productCode',
  'locationName',
  'ssccNumber',
  'referenceNumber',
  'batch',
  'bestBeforeDate',
  'expiryDate',
  'packagingDate',
  'productionDate',
  'sellByDate',
  'attributes',
  'receivedDate',
  'quantity',
  'weightKG',
  'volumeM3',
  'serial',
  'holdKind',
  'holdReason',
] as const

const numericColumns = new Set(['quantity', 'weightKG', 'volumeM3', 'holdKind'])
const maxLines = 50_000
/** As in a request with rows: lines with serials form fewer rows than there are lines. */
const maxRows = 5_000

/** The rows of a file, with the number of the first line of each. */
export interface OpeningBalanceFile {
  rows: Static<typeof OpeningBalanceRow>[]
  lines: number[]
}

/** Reads a file. Throws 422 with the faults of its lines if it has any. */
export function readOpeningBalanceFile(bytes: Buffer): OpeningBalanceFile {
  const records = parseRecords(bytes)
  if (records.length > maxLines)
    throw unprocessable(faultAt('file', 'must have at most 50,000 lines', 'length'))
  if (records.length === 0) throw unprocessable(faultAt('file', 'has no lines below its header', 'length'))
  const check = createValidation({ sscc: isValidSscc }).body(OpeningBalanceRow)
  const faults: Fault[] = []
  const groups = new Map<string, { row: Record<string, unknown>; line: number; serials: string[] }>()
  for (const { record, line } of records) {
    const { serial, ...row } = rowOf(record)
    const lineFaults = check({ ...row, ...(serial ? { serials: [serial] } : {}) })
    if (faults.length <= maxFaults) faults.push(...lineFaults.map(fault => toLineFault(line, fault)))
    // Lines that differ only in their serial form one row.
    const key = serial ? JSON.stringify(row) : `line ${line}`
    const group = groups.get(key) ?? { row, line, serials: [] }
    if (serial) group.serials.push(serial as string)
    groups.set(key, group)
  }
  if (faults.length > 0) throw unprocessable(...faults)
  const rowGroups = [...groups.values()]
  if (rowGroups.length > maxRows)
    throw unprocessable(
      faultAt(
        'file',
        'must have at most 5,000 rows; lines that differ only in their serial are one',
        'length',
      ),
    )
  return {
    rows: rowGroups.map(({ row: fields, serials }) => {
      const row = fields as Static<typeof OpeningBalanceRow>
      if (serials.length === 0) return row
      const times = (places: number, figure: number) =>
        Number(decimalText(places, roundTo(places, figure) * BigInt(serials.length)))
      return {
        ...row,
        serials,
        quantity: times(4, row.quantity),
        ...(row.weightKG == null ? {} : { weightKG: times(4, row.weightKG) }),
        ...(row.volumeM3 == null ? {} : { volumeM3: times(6, row.volumeM3) }),
      }
    }),
    lines: rowGroups.map(({ line }) => line),
  }
}

/** Converts a fault of a row to one that names the line, because the request body has no such field. */
const toLineFault = (line: number, { code, message }: Fault): Fault => ({
  path: null,
  code,
  message: `Line ${line} of the file: ${message}`,
})

function parseRecords(bytes: Buffer): { record: Record<string, string>; line: number }[] {
  try {
    const records: { record: Record<string, string>; info: { lines: number } }[] = parse(bytes, {
      bom: true,
      columns: readHead,
      info: true,
      skip_empty_lines: true,
      trim: true,
      max_record_size: 100_000,
    })
    return records.map(({ record, info }) => ({ record, line: info.lines }))
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw unprocessable(
      faultAt('file', `is not a readable CSV file: ${(error as Error).message}`, 'unprocessable'),
    )
  }
}

/** Heads above this length are no misspelt columns. */
const maxHeadLength = 40

/** The columns that the heads of a file mean, in any case. Throws 422 if one is unknown or is there twice. */
function readHead(heads: string[]): string[] {
  if (heads.length > 2 * openingBalanceColumns.length)
    throw unprocessable(
      faultAt(
        'file',
        `has ${heads.length} columns; the template has ${openingBalanceColumns.length}`,
        'length',
      ),
    )
  const columns = heads.map(head =>
    openingBalanceColumns.find(column => column.toLowerCase() === head.toLowerCase()),
  )
  const faults = heads.flatMap((head, i) => {
    const column = columns[i]
    if (column !== undefined && columns.indexOf(column) === i) return []
    const problem =
      column === undefined
        ? `has an unknown column ${quoted(head)}; did you mean ${nearestColumn(head)}?`
        : `has the column ${column} twice`
    const code = column === undefined ? 'unknown_reference' : 'duplicate'
    return [{ path: 'file', code, message: `file ${problem}${problem.endsWith('?') ? '' : '.'}` } as const]
  })
  if (faults.length > 0) throw unprocessable(...faults)
  return columns as string[]
}

const quoted = (head: string) =>
  JSON.stringify(head.length > maxHeadLength ? `${head.slice(0, maxHeadLength)}…` : head)

/** The column whose name is most like a head, or which it shortens: expiry is expiryDate, qty quantity. */
function nearestColumn(head: string): string {
  const name = head
    .slice(0, maxHeadLength)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
  const shortened = new RegExp(`^${[...name].join('.*')}`)
  const differenceOf = (column: string) =>
    name.length >= 3 && shortened.test(column.toLowerCase()) ? 0 : editDistance(name, column.toLowerCase())
  return openingBalanceColumns.toSorted((a, b) => differenceOf(a) - differenceOf(b))[0] as string
}

/** Converts a line to the fields of a row. Empty cells are omitted, and numbers are parsed. */
function rowOf(record: Record<string, string>): Record<string, unknown> {
  const entries = openingBalanceColumns.flatMap((column): [string, unknown][] => {
    const text = record[column]
    if (!text) return []
    if (column === 'attributes') return [[column, parseAttributes(text)]]
    return [[column, numericColumns.has(column) && Number.isFinite(Number(text)) ? Number(text) : text]]
  })
  return Object.fromEntries(entries)
}

/** Parses attributes written as `Colour: red | Grade: A`. */
const parseAttributes = (text: string): { name: string; description: string | null }[] =>
  text.split('|').flatMap(part => {
    const [name = '', ...description] = part.split(':')
    if (name.trim() === '') return []
    return [{ name: name.trim(), description: description.join(':').trim() || null }]
  })
