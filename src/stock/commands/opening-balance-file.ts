// Reads opening balances from a CSV file. A line may be one serial, and attributes are written as
// `name: value | name: value`. Spec 2.14.

import { decimalText, roundTo } from '../../platform/decimal.ts'
import { type Fault, faultAt } from '../../platform/http/fault.ts'
import { maxFaults, unprocessable } from '../../platform/http/refusal.ts'
import type { Static } from '../../platform/http/schema.ts'
import { createValidation } from '../../platform/http/validation.ts'
import { attributesIn, namedCells, numberIn, readCsv, readHeads } from '../../uploads/csv-file.ts'
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
type Column = (typeof openingBalanceColumns)[number]

const numericColumns = new Set<Column>(['quantity', 'weightKG', 'volumeM3', 'holdKind'])
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
  const file = readCsv(bytes, { maxRows: maxLines, problem: 'must have at most 50,000 lines' })
  const columns = readHeads(file, { known: openingBalanceColumns })
  const check = createValidation({ sscc: isValidSscc }).body(OpeningBalanceRow)
  const faults: Fault[] = []
  const groups = new Map<string, { row: Record<string, unknown>; line: number; serials: string[] }>()
  for (const record of file.records) {
    const line = record.row
    const { serial, ...row } = rowOf(namedCells(columns, record))
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

/** Converts a line to the fields of a row. Empty cells are omitted, and numbers are parsed. */
function rowOf(cells: ReadonlyMap<Column, string>): Record<string, unknown> {
  const read = (column: Column, text: string) =>
    column === 'attributes' ? attributesIn(text) : numericColumns.has(column) ? numberIn(text) : text
  return Object.fromEntries([...cells].map(([column, text]) => [column, read(column, text)]))
}
