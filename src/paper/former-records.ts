// Records as they were when goods came or left. A paper that is printed again later tells the names, the
// hazards and the numbers of then.

import { type Sql, sql } from '../platform/database/db.ts'
import { ConsignmentStatus, ConsignmentType } from '../vocabulary/consignments.ts'
import { TransactionType } from '../vocabulary/stock.ts'

const { InTransit, Complete, Closed } = ConsignmentStatus

/** No moment: records as they are now. */
export const now: Sql = sql`null::timestamptz`

/** The row of a table under this alias as it was at a moment, to be joined laterally. */
export const rowAt = (alias: Sql, moment: Sql): Sql =>
  sql`jsonb_populate_record(${alias}, former_record_at(${alias}.organisation_id, ${alias}.id, ${moment}))`

/** What `movedUtc` reads of a consignment, as expressions. */
interface ConsignmentColumns {
  organisationId: Sql
  id: Sql
  type: Sql
  status: Sql
  /** when it left, for one whose goods the ledger does not know */
  dispatchedUtc: Sql
}

/**
 * When the last goods of a consignment were recorded as received, or as dispatched if it has left; null
 * before that.
 */
export const movedUtc = ({ organisationId, id, type, status, dispatchedUtc }: ConsignmentColumns): Sql => {
  const lastMovement = (movement: TransactionType): Sql => sql`(
    select max(t.recorded_utc) from inventory_transaction t
    where t.organisation_id = ${organisationId} and t.consignment_id = ${id} and t.type = ${movement}
    having sum(t.quantity) <> 0)`
  return sql`case
    when ${type} = ${ConsignmentType.Inwards} then ${lastMovement(TransactionType.Receive)}
    when ${status} = any(${[InTransit, Complete, Closed]})
      then coalesce(${lastMovement(TransactionType.Dispatch)}, ${dispatchedUtc})
    end`
}
