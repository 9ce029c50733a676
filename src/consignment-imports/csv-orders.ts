// Reads the orders in a spreadsheet. Rows with one reference number are one order; each of them is a line, or
// a further serial of one. What is wrong is told by row and column. Spec 2.3; decision 5.

import type { ErrorCode, Fault } from '../platform/http/fault.ts'
import { unprocessable } from '../platform/http/refusal.ts'
import { namedCells, readCsv, readHeads } from '../uploads/csv-file.ts'
import { type CsvColumnName, csvColumnNames, csvColumns } from './csv-columns.ts'
import type { ImportRequest } from './import-request.ts'
import { requestFaults } from './request-faults.ts'

const maxRows = 5_000
const required = ['referenceNumber', 'productCode', 'quantity'] as const

/** What is wrong with an order, or what its import would wait for. */
export interface CsvProblem {
  row: number
  /** the head of the column */
  column: string
  code: ErrorCode
  /** a sentence that begins with the row */
  message: string
}

export interface CsvOrder {
  rows: readonly number[]
  referenceNumber: string | null
  /** what POST checks; it would refuse it if there are problems */
  request: ImportRequest
  problems: CsvProblem[]
  /** The problem of what stands at this path of the request. `message` may begin with the path. */
  problemAt(path: string | null, code: ErrorCode, message: string): CsvProblem
}

/** What is told beside the spreadsheet. */
export interface AboutOrders extends Pick<ImportRequest, 'consignmentType' | 'clientCode' | 'warehouseCode'> {
  mapping: Readonly<Record<string, CsvColumnName | null>> | null
}

type Cells = ReadonlyMap<CsvColumnName, string>
interface Row {
  row: number
  cells: Cells
}

/** The orders of a spreadsheet. Throws 422 for what is wrong with all of it. */
export async function readOrders(
  bytes: Uint8Array,
  { mapping, ...about }: AboutOrders,
): Promise<{ rowCount: number; orders: CsvOrder[] }> {
  const file = readCsv(bytes, { maxRows, problem: 'must have at most 5,000 rows' })
  const columns = readHeads(file, { known: csvColumnNames, mapping })
  const missing = required.filter(name => !columns.includes(name))
  if (missing.length > 0)
    throw unprocessable(
      ...missing.map(name => ({
        ...{ path: 'file', code: 'required' as const, message: `file has no column for ${name}.` },
      })),
    )
  const headOf = (name: CsvColumnName) => file.heads[columns.indexOf(name)] ?? name
  const groups = Map.groupBy(
    file.records.map(record => ({ row: record.row, cells: namedCells(columns, record) })),
    ({ row, cells }) => cells.get('referenceNumber') ?? row,
  )
  const orders: CsvOrder[] = []
  for (const rows of groups.values()) {
    const order = assemble(rows, about, headOf)
    for (const { path, code, message } of await requestFaults(order.request))
      order.problems.push(order.problemAt(path, code, message))
    order.problems.sort((a, b) => a.row - b.row)
    orders.push(order)
  }
  return { rowCount: file.records.length, orders }
}

/** Puts the rows of an order together. Its problems are what they say differently. */
function assemble(
  rows: readonly Row[],
  about: Omit<AboutOrders, 'mapping'>,
  headOf: (name: CsvColumnName) => string,
): CsvOrder {
  const { fields, told, differing } = orderFields(rows)
  const { products, rowsOfItems } = linesOf(rows)
  const first = (rows[0] as Row).row
  const problem = (row: number, name: CsvColumnName, code: ErrorCode, rest: string): CsvProblem => ({
    ...{ row, column: headOf(name), code, message: `Row ${row}: ${rest}` },
  })
  const referenceNumber = rows[0]?.cells.get('referenceNumber') ?? null
  const isNameless = referenceNumber === null
  return {
    rows: rows.map(({ row }) => row),
    referenceNumber,
    request: { ...about, ...fields, products } as ImportRequest,
    problems: [
      ...(isNameless
        ? [problem(first, 'referenceNumber', 'required', `${headOf('referenceNumber')} is required.`)]
        : []),
      ...differing.map(({ row, name, toldIn }) =>
        problem(row, name, 'conflict', `${headOf(name)} is not as in row ${toldIn} of the same order.`),
      ),
    ],
    problemAt(path, code, message) {
      const { name, row } = placeOf(path ?? '', told, rowsOfItems)
      const rest = path !== null && message.startsWith(path) ? message.slice(path.length) : undefined
      const sentence = rest === undefined ? message : `${headOf(name)}${rest}`
      return problem(row ?? first, name, code, sentence)
    },
  }
}

/** What the rows of an order say of all of it: the fields, which row told each, and where rows differ. */
function orderFields(rows: readonly Row[]) {
  const fields: Record<string, unknown> = {}
  const told = new Map<CsvColumnName, { row: number; text: string }>()
  const differing: { row: number; name: CsvColumnName; toldIn: number }[] = []
  for (const { row, cells } of rows)
    for (const [name, text] of cells) {
      const { of, path, read } = csvColumns[name]
      if (of !== 'order') continue
      const before = told.get(name)
      if (before !== undefined) {
        if (before.text !== text) differing.push({ row, name, toldIn: before.row })
        continue
      }
      told.set(name, { row, text })
      const [field = '', part] = path.split('.')
      fields[field] = part === undefined ? read(text) : { ...(fields[field] ?? {}), [part]: read(text) }
    }
  return { fields, told, differing }
}

/** The lines of an order. Rows that differ only in their serial are items of one line. */
function linesOf(rows: readonly Row[]) {
  const products: { items: object[] }[] = []
  const rowsOfItems: number[][] = []
  const withSerials = new Map<string, number>()
  for (const { row, cells } of rows) {
    const valuesOf = (part: 'line' | 'item') =>
      Object.fromEntries(
        [...cells].flatMap(([name, text]) => {
          const { of, path, read } = csvColumns[name]
          return of === part ? [[path, read(text)]] : []
        }),
      )
    const line = valuesOf('line')
    const key = cells.has('serial') ? JSON.stringify(line) : undefined
    const earlier = key === undefined ? undefined : withSerials.get(key)
    const n = earlier ?? products.length
    if (key !== undefined) withSerials.set(key, n)
    if (earlier === undefined) products.push({ ...line, items: [] })
    products[n]?.items.push(valuesOf('item'))
    rowsOfItems[n] = [...(rowsOfItems[n] ?? []), row]
  }
  return { products, rowsOfItems }
}

const linePath = /^products\[(\d+)\](?:\.items(?:\[(\d+)\])?)?(?:\.([^.[]+).*)?$/

/** Which cell says what stands at a path of the request. */
function placeOf(
  path: string,
  told: ReadonlyMap<CsvColumnName, { row: number }>,
  rowsOfItems: readonly (readonly number[])[],
): { name: CsvColumnName; row: number | undefined } {
  const [isOfLine, line, item = 0, field = 'quantity'] = path.match(linePath) ?? []
  const place = isOfLine === undefined ? path.replace(/\[\d+\].*$/, '') : field
  const name =
    csvColumnNames.find(
      column =>
        csvColumns[column].path === place && (csvColumns[column].of === 'order') !== Boolean(isOfLine),
    ) ?? 'referenceNumber'
  return { name, row: isOfLine ? rowsOfItems[Number(line)]?.[Number(item)] : told.get(name)?.row }
}

/** A problem as a fault of the request. It has no path, because the body has no such field. */
export const toFault = ({ code, message }: CsvProblem): Fault => ({ path: null, code, message })
