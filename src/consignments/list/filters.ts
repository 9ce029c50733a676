// The filters of a list of consignments, their conditions in SQL, and the sources that a page is read from.
// Spec 4.2; open-points 4.

import { empty, type Sql, sql } from '../../platform/database/db.ts'
import { ConsignmentStatus, type ConsignmentType } from '../enumerations.ts'

/** The filters of a list of consignments; one that is undefined does not filter. */
export interface ConsignmentFilters {
  clientId?: string | undefined
  carrierId?: string | undefined
  warehouseId?: string | undefined
  type?: ConsignmentType | undefined
  /** -1: neither Closed nor Void */
  status?: ConsignmentStatus | -1 | undefined
  /** any of these, as the calling connection has set them; null: not set */
  ediStatus?: (number | null)[] | undefined
  /** first and last day of dateEntered, YYYY-MM-DD */
  dateFrom?: string | undefined
  dateTo?: string | undefined
  /** exactly this */
  externalId?: string | undefined
  /** any of these */
  consignmentNumbers?: string[] | undefined
  /** part of consignment number, reference, container number or client name */
  searchText?: string | undefined
}

/** The id in the listing for no connection, no carrier or no warehouse. */
export const nilId = '00000000-0000-0000-0000-000000000000'

/**
 * One source of a page: common table expressions, the number of its rows, and its newest rows, as many as the
 * page may need.
 */
export interface Source {
  ctes: Sql[]
  total: Sql
  rows: Sql
  /** how many newer rows `rows` leaves out; none by default */
  skipped?: Sql
}

const openStatuses = Object.values(ConsignmentStatus).filter(
  status => status !== ConsignmentStatus.Closed && status !== ConsignmentStatus.Void,
)

/** The equality filters that are set, the most selective first: the column, and the values it may have. */
export function equalityFilters({ clientId, carrierId, warehouseId, type, status }: ConsignmentFilters) {
  const given: [
    field: 'client' | 'carrier' | 'warehouse' | 'status' | 'type',
    values: (string | number)[] | undefined,
  ][] = [
    ['client', clientId === undefined ? undefined : [clientId]],
    ['carrier', carrierId === undefined ? undefined : [carrierId]],
    ['warehouse', warehouseId === undefined ? undefined : [warehouseId]],
    ['status', status === undefined ? undefined : status === -1 ? openStatuses : [status]],
    ['type', type === undefined ? undefined : [type]],
  ]
  return given.flatMap(([field, values]) => (values === undefined ? [] : [{ field, values }]))
}

const openOnly = sql`and t.status = any(${openStatuses})`

/**
 * The equality filters as conditions on `t`, which is the table of consignments, their listing or their
 * count: all have these columns. /
 */
export const equalityConditions = ({
  clientId,
  carrierId,
  warehouseId,
  type,
  status,
}: ConsignmentFilters): Sql => sql`
  ${clientId === undefined ? empty : sql`and t.client_id = ${clientId}`}
  ${carrierId === undefined ? empty : sql`and t.carrier_id = ${carrierId}`}
  ${warehouseId === undefined ? empty : sql`and t.warehouse_id = ${warehouseId}`}
  ${type === undefined ? empty : sql`and t.type = ${type}`}
  ${status === undefined ? empty : status === -1 ? openOnly : sql`and t.status = ${status}`}`

/** The days of dateEntered as conditions on `t`. */
export const dateConditions = ({ dateFrom, dateTo }: ConsignmentFilters): Sql => sql`
  ${dateFrom === undefined ? empty : sql`and t.date_entered >= ${dateFrom}::date`}
  ${dateTo === undefined ? empty : sql`and t.date_entered < ${dateTo}::date + 1`}`

/** Whether days are given. */
export const isDated = ({ dateFrom, dateTo }: ConsignmentFilters): boolean =>
  dateFrom !== undefined || dateTo !== undefined

/** Sorts `t` in the order of lists and limits it to so many rows. */
export const newestFirst = (limit: number | Sql): Sql =>
  sql`order by t.date_entered desc, t.number desc limit ${limit}`
