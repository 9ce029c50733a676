// The input of the report model: the bare tables of an organisation, and simple functions that sum, group and
// sort their rows. It shares no SQL with the reports.

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

/** The tables, with access to rows by id. */
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

  /** Returns the row with an id, or an empty row if there is none. */
  find(name: TableName, id: unknown): Row {
    return this.#byId.get(`${name} ${id}`) ?? {}
  }
}

/** Loads all tables. */
export async function loadTables(table: (name: string) => Promise<Row[]>): Promise<Tables> {
  const loaded = await Promise.all(tableNames.map(async name => [name, await table(name)] as const))
  return new Tables(new Map(loaded))
}

/** Rounds a number to six places, which removes the inexactness of doubles. */
export const removeFloatNoise = (value: number): number => Number(value.toFixed(6))

export const sum = (rows: readonly Row[], value: (row: Row) => number | null | undefined): number =>
  removeFloatNoise(rows.reduce((total, row) => total + (value(row) ?? 0), 0))

/** Like `sum`, but null if no row has a value. */
export const sumOrNull = (rows: readonly Row[], value: (row: Row) => number | null): number | null =>
  rows.some(row => value(row) !== null) ? sum(rows, value) : null

/** Groups rows that are equal in the values of `key`. */
export function groupBy(rows: readonly Row[], key: (row: Row) => unknown): Row[][] {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const name = JSON.stringify(key(row))
    groups.set(name, [...(groups.get(name) ?? []), row])
  }
  return [...groups.values()]
}

/** Sorts rows by these values; nulls come last. */
export const sortBy = (rows: readonly Row[], ...values: ((row: Row) => unknown)[]): Row[] =>
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

/** Removes the fields that only sorting needs; their names begin with an underscore. */
export const withoutOrderFields = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !name.startsWith('_')))

export const dayMs = 86_400_000
/** Returns the number of days from one day to another. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayMs

/** Returns the local time of an instant in a time zone. */
export const localOf = (instant: string | Date, zone: string): string =>
  `${localTimeAt(new Date(instant), zone)}Z`
export const dayOf = (instant: string | Date, zone: string): string => localOf(instant, zone).slice(0, 10)

/** Formats a stored local time as the API returns it. */
export const formatLocalTime = (local: string | null | undefined): string | null =>
  local == null ? null : `${local.slice(0, 19)}Z`
/** Formats a stored instant as the API returns it. */
export const formatUtc = (instant: string | null | undefined): string | null =>
  instant == null ? null : new Date(instant).toISOString()

/** Converts a stored instant to microseconds. */
export const microsOf = (instant: string): number =>
  Date.parse(instant) * 1000 + Number((/\.(\d+)/.exec(instant)?.[1] ?? '').padEnd(6, '0').slice(3, 6))

/** Whether a day is in the period of the filters. */
export const isInPeriod = (day: string | null, filters: Filters, from = 'dateFrom', to = 'dateTo'): boolean =>
  (filters[from] === undefined || (day !== null && day >= (filters[from] as string))) &&
  (filters[to] === undefined || (day !== null && day <= (filters[to] as string)))

/** Whether a value matches a filter; an absent filter matches everything. */
export const matchesFilter = (filters: Filters, name: string, value: unknown): boolean =>
  filters[name] === undefined || filters[name] === value
