// What the model of reports computes from: the bare tables of an organisation, and the plain means to sum,
// group and sort them. It shares no SQL with the reports.

import { localTimeAt } from '../../../src/platform/local-time.ts'
import type { Row } from '../given-reports.ts'

export type Filters = Readonly<Record<string, unknown>>

export const tableNames = [
  ...['warehouse', 'warehouse_zone', 'warehouse_location', 'partner', 'product', 'product_attribute'],
  ...['warehouse_product', 'warehouse_product_item', 'inventory_transaction', 'inventory_transaction_item'],
  ...['inventory_allocation', 'inventory_hold', 'logistic_unit', 'consignment', 'consignment_product'],
  ...[
    'consignment_product_item',
    'consignment_consumable',
    'consumable_type',
    'consignment_task',
    'task_type',
  ],
  ...['consignment_tracking', 'consignment_pod', 'consignment_charge', 'schedule_transaction'],
  ...['partner_schedule', 'partner_schedule_export', 'stock_count', 'stock_count_line', 'stock_count_entry'],
  ...['job', 'job_consignment', 'package_type', 'app_user'],
] as const
export type TableName = (typeof tableNames)[number]

/** The tables, and their rows by id. */
export class Tables {
  readonly #tables: ReadonlyMap<TableName, Row[]>
  readonly #byId = new Map<string, Row>()

  constructor(tables: ReadonlyMap<TableName, Row[]>) {
    this.#tables = tables
    for (const [name, rows] of tables) for (const row of rows) this.#byId.set(`${name} ${row.id}`, row)
  }

  all(name: TableName): Row[] {
    return this.#tables.get(name) ?? []
  }

  /** The row of an id; an empty one where there is none. */
  of(name: TableName, id: unknown): Row {
    return this.#byId.get(`${name} ${id}`) ?? {}
  }
}

/** Loads them. */
export async function loadTables(table: (name: string) => Promise<Row[]>): Promise<Tables> {
  const loaded = await Promise.all(tableNames.map(async name => [name, await table(name)] as const))
  return new Tables(new Map(loaded))
}

/** A number without what doubles add to it. */
export const exact = (value: number): number => Number(value.toFixed(6))

export const sum = (rows: readonly Row[], value: (row: Row) => number | null | undefined): number =>
  exact(rows.reduce((total, row) => total + (value(row) ?? 0), 0))

/** The same, null where no row has a value. */
export const sumOrNull = (rows: readonly Row[], value: (row: Row) => number | null): number | null =>
  rows.some(row => value(row) !== null) ? sum(rows, value) : null

/** Rows that are equal in some values, together. */
export function grouped(rows: readonly Row[], key: (row: Row) => unknown): Row[][] {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const name = JSON.stringify(key(row))
    groups.set(name, [...(groups.get(name) ?? []), row])
  }
  return [...groups.values()]
}

/** Rows in the order of some values; what is not known goes last. */
export const sorted = (rows: readonly Row[], ...values: ((row: Row) => unknown)[]): Row[] =>
  rows.toSorted((a, b) => {
    for (const value of values) {
      const [left, right] = [value(a) ?? null, value(b) ?? null]
      if (left === right) continue
      if (left === null) return 1
      if (right === null) return -1
      return (left as string) < (right as string) ? -1 : 1
    }
    return 0
  })

/** A row without the fields that only its order needs, whose names begin with an underscore. */
export const shown = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !name.startsWith('_')))

export const dayMs = 86_400_000
/** Days from one day to another. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayMs

/** The wall clock of an instant, and its day. */
export const localOf = (instant: string | Date, zone: string): string =>
  `${localTimeAt(new Date(instant), zone)}Z`
export const dayOf = (instant: string | Date, zone: string): string => localOf(instant, zone).slice(0, 10)

/** A stored wall-clock time as it is told. */
export const told = (local: string | null | undefined): string | null =>
  local == null ? null : `${local.slice(0, 19)}Z`
/** A stored instant as it is told. */
export const utc = (instant: string | null | undefined): string | null =>
  instant == null ? null : new Date(instant).toISOString()

/** A stored instant in microseconds. */
export const microsOf = (instant: string): number =>
  Date.parse(instant) * 1000 + Number((/\.(\d+)/.exec(instant)?.[1] ?? '').padEnd(6, '0').slice(3, 6))

/** Whether a day lies in the period of the filters. */
export const isInPeriod = (day: string | null, filters: Filters, from = 'dateFrom', to = 'dateTo'): boolean =>
  (filters[from] === undefined || (day !== null && day >= (filters[from] as string))) &&
  (filters[to] === undefined || (day !== null && day <= (filters[to] as string)))

/** Whether a value is what a filter wants, where it is given. */
export const fits = (filters: Filters, name: string, value: unknown): boolean =>
  filters[name] === undefined || filters[name] === value
