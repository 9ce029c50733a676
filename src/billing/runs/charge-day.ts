// The day to which the work of a consignment belongs.

import { type Sql, sql } from '../../platform/database/db.ts'
import { ConsignmentType } from '../../vocabulary/consignments.ts'
import { statusChangedAt } from '../status-changed-at.ts'

/**
 * The local day of the work of a Complete consignment `c`, whose organisation is `o` and whose warehouse is
 * `w`; if that is not recorded, the day on which it became Complete.
 */
export const chargeDay: Sql = sql`coalesce(
  case c.type
    when ${ConsignmentType.Inwards} then c.actual_receive_date_time
    when ${ConsignmentType.Outwards} then c.actual_dispatch_date_time
    else c.date_entered end,
  ${statusChangedAt})::date`
