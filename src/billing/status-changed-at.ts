// When consignments got their status, by their events.

import { type Db, type Sql, sql } from '../platform/database/db.ts'
import { EventType } from '../vocabulary/events.ts'

/**
 * When consignment `c` got its status, or when it was entered if that is not recorded: in the local time of
 * its warehouse `w`, or else of organisation `o`.
 */
export const statusChangedAt: Sql = sql`coalesce((
    select max(e.created_utc) at time zone coalesce(w.timezone_id, o.timezone_id) from event e
    where e.organisation_id = c.organisation_id and e.subject_id = c.id
      and e.type in (${EventType.ConsignmentStatusUpdated}, ${EventType.ConsignmentCreated})
  ), c.date_entered)`

/** Reads for how many local days consignments have had their status, by id. */
export async function readDaysInStatus(
  db: Db,
  organisationId: string,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.rows<{ id: string; days: number }>(sql`
    select c.id,
      (now() at time zone coalesce(w.timezone_id, o.timezone_id))::date - (${statusChangedAt})::date as days
    from consignment c
    join organisation o on o.id = c.organisation_id
    left join warehouse w on w.organisation_id = c.organisation_id and w.id = c.warehouse_id
    where c.organisation_id = ${organisationId} and c.id = any(${ids})`)
  return new Map(rows.map(({ id, days }) => [id, days]))
}
