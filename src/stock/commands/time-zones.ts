// The time zones of warehouses.

import { type Db, sql } from '../../platform/database/db.ts'

/** Reads the time zones of warehouses of an organisation, by warehouse id. */
export async function timeZonesOf(
  db: Db,
  organisationId: string,
  warehouseIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.rows<{ id: string; timezoneId: string }>(sql`
    select id, timezone_id from warehouse
    where organisation_id = ${organisationId} and id = any(${[...new Set(warehouseIds)]})`)
  return new Map(rows.map(({ id, timezoneId }) => [id, timezoneId]))
}
