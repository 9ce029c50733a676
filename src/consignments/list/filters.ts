// The filters of a list of consignments, their SQL conditions, and the type of the sources that make up a
// page. Spec 4.2; decision 4.

import { empty, type Sql, sql } from '../../platform/database/db.ts'
import { ConsignmentStatus, type ConsignmentType } from '../../vocabulary/consignments.ts'

/** The filters of a list of consignments; undefined means no filter. */
export interface ConsignmentFilters {
  clientId?: string | undefined
  carrierId?: string | undefined
  warehouseId?: string | undefined
  type?: ConsignmentType | undefined
  /** -1 for all except Closed and Void */
  status?: ConsignmentStatus | -1 | undefined
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

const openStatuses = Object.values(ConsignmentStatus).filter(
  status => status !== ConsignmentStatus.Closed && status !== ConsignmentStatus.Void,
)

/** The equality filters that are set, most selective first: the field, and the values that it may have. */
export function equalityFilters({ clientId, carrierId, warehouseId, type, status }: ConsignmentFilters) {
  const filters: [
    field: 'client' | 'carrier' | 'warehouse' | 'status' | 'type',
    values: (string | number)[] | undefined,
  ][] = [
    ['client', clientId === undefined ? undefined : [clientId]],
    ['carrier', carrierId === undefined ? undefined : [carrierId]],
    ['warehouse', warehouseId === undefined ? undefined : [warehouseId]],
    ['status', status === undefined ? undefined : status === -1 ? openStatuses : [status]],
    ['type', type === undefined ? undefined : [type]],
  ]
  return filters.flatMap(([field, values]) => (values === undefined ? [] : [{ field, values }]))
}

const openOnly = sql`and t.status = any(${openStatuses})`

/**
 * The equality filters as SQL conditions on `t`, which is the table of consignments, of their listing or of
 * their count. All of them have these columns.
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

/** The date filters as SQL conditions on `t`. */
export const dateConditions = ({ dateFrom, dateTo }: ConsignmentFilters): Sql => sql`
  ${dateFrom === undefined ? empty : sql`and t.date_entered >= ${dateFrom}::date`}
  ${dateTo === undefined ? empty : sql`and t.date_entered < ${dateTo}::date + 1`}`

export const isDated = ({ dateFrom, dateTo }: ConsignmentFilters): boolean =>
  dateFrom !== undefined || dateTo !== undefined

/** Sorts `t` in list order and limits the number of rows. */
export const newestFirst = (limit: number | Sql): Sql =>
  sql`order by t.date_entered desc, t.number desc limit ${limit}`
