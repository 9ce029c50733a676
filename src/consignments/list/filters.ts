// The filters of a list of consignments, their SQL conditions, and the type of the sources that make up a
// page. Spec 4.2; decision 4.

import type { Actor } from '../../access/actor.ts'
import { empty, join, raw, type Sql, sql } from '../../platform/database/db.ts'
import {
  type ConsignmentPriority,
  ConsignmentStatus,
  type ConsignmentType,
} from '../../vocabulary/consignments.ts'

/** One value, or several of which any may match; undefined means no filter. */
export type AnyOf<T> = T | readonly T[] | undefined

/** The filters of a list of consignments; undefined means no filter. */
export interface ConsignmentFilters {
  clientId?: AnyOf<string>
  carrierId?: AnyOf<string>
  warehouseId?: AnyOf<string>
  type?: AnyOf<ConsignmentType>
  /** -1 for all except Closed and Void */
  status?: AnyOf<ConsignmentStatus | -1>
  /** any of these, as the calling connection has set them; null for not set */
  ediStatus?: (number | null)[] | undefined
  /** first and last day of dateEntered, YYYY-MM-DD */
  dateFrom?: string | undefined
  dateTo?: string | undefined
  /** exact match */
  externalId?: string | undefined
  /** any of these */
  consignmentNumbers?: string[] | undefined
  /** part of consignment number, reference, container number or client name */
  searchText?: string | undefined
  /** filters that need open statuses */
  work?: WorkFilters | undefined
}

/** The filter that a token of a partner always has: only what the partner is the client or carrier of. */
export const ofPartner = ({ partnerId, partnerKind }: Actor): ConsignmentFilters =>
  partnerId === null ? {} : { [partnerKind === 'client' ? 'clientId' : 'carrierId']: partnerId }

/** What only consignments that are neither Closed nor Void are filtered by. At least one is set. */
export interface WorkFilters {
  priority?: readonly ConsignmentPriority[] | undefined
  /** first and last day on which the consignment is due, YYYY-MM-DD */
  dueFrom?: string | undefined
  dueTo?: string | undefined
  isLate?: boolean | undefined
  isShort?: boolean | undefined
  hasJob?: boolean | undefined
  jobId?: string | undefined
  /** the city of either address, in upper or lower case */
  city?: string | undefined
}

/** The id that the listing uses for no connection, no carrier or no warehouse. */
export const nilId = '00000000-0000-0000-0000-000000000000'

/**
 * One source of a page: its common table expressions, the total number of its rows, and its newest rows, as
 * many as the page may need.
 */
export interface PageSource {
  ctes: Sql[]
  total: Sql
  rows: Sql
  /** the number of newer rows that `rows` leaves out; 0 by default */
  skipped?: Sql
}

export const openConsignmentStatuses: readonly ConsignmentStatus[] = Object.values(ConsignmentStatus).filter(
  status => status !== ConsignmentStatus.Closed && status !== ConsignmentStatus.Void,
)

const valuesOf = <T>(filter: AnyOf<T>): T[] => (filter === undefined ? [] : ([filter].flat() as T[]))

/** Whether a filter has more than one value. */
export const isSeveral = <T>(filter: AnyOf<T>): boolean => valuesOf(filter).length > 1

/** The statuses that a filter selects, with those that -1 stands for. */
export const selectedStatuses = (status: ConsignmentFilters['status']): ConsignmentStatus[] => [
  ...new Set(valuesOf(status).flatMap(value => (value === -1 ? openConsignmentStatuses : [value]))),
]

/** The equality filters that are set, most selective first: the field, and the values that it may have. */
export function equalityFilters({ clientId, carrierId, warehouseId, type, status }: ConsignmentFilters) {
  const filters: [
    field: 'client' | 'carrier' | 'warehouse' | 'status' | 'type',
    column: 'client_id' | 'carrier_id' | 'warehouse_id' | 'status' | 'type',
    values: (string | number)[],
  ][] = [
    ['client', 'client_id', valuesOf(clientId)],
    ['carrier', 'carrier_id', valuesOf(carrierId)],
    ['warehouse', 'warehouse_id', valuesOf(warehouseId)],
    ['status', 'status', selectedStatuses(status)],
    ['type', 'type', valuesOf(type)],
  ]
  return filters.flatMap(([field, column, values]) =>
    values.length === 0 ? [] : [{ field, column, values }],
  )
}

/**
 * The equality filters as SQL conditions on `t`, which is the table of consignments, of their listing or of
 * their count. All of them have these columns.
 */
export function equalityConditions(filters: ConsignmentFilters): Sql {
  const conditions = equalityFilters(filters).map(({ column, values }) =>
    values.length === 1
      ? sql`and t.${raw(column)} = ${values[0]}`
      : sql`and t.${raw(column)} = any(${values})`,
  )
  return conditions.length === 0 ? empty : join(conditions, ' ')
}

/** The date filters as SQL conditions on `t`. */
export const dateConditions = ({ dateFrom, dateTo }: ConsignmentFilters): Sql => sql`
  ${dateFrom === undefined ? empty : sql`and t.date_entered >= ${dateFrom}::date`}
  ${dateTo === undefined ? empty : sql`and t.date_entered < ${dateTo}::date + 1`}`

export const isDated = ({ dateFrom, dateTo }: ConsignmentFilters): boolean =>
  dateFrom !== undefined || dateTo !== undefined

/** Sorts `t` in list order and limits the number of rows. */
export const newestFirst = (limit: number | Sql): Sql =>
  sql`order by t.date_entered desc, t.number desc limit ${limit}`

/** The rows that the sources of a page must give: so many from the newest on, or from the oldest. */
export interface Reach {
  limit: number
  isOldestFirst: boolean
}

/** What is reached where only a total is asked for. */
export const nothing: Reach = { limit: 0, isOldestFirst: false }

/** Sorts `t` in the order of the page and limits the number of rows. */
export const firstOf = ({ limit, isOldestFirst }: Reach): Sql =>
  isOldestFirst ? sql`order by t.date_entered, t.number limit ${limit}` : newestFirst(limit)
