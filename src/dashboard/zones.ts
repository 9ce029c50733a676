// How full the zones of the warehouses are.

import type { Actor } from '../access/actor.ts'
import { hasRequiredScope } from '../access/scopes.ts'
import { nilId } from '../consignments/list/filters.ts'
import { type Db, empty, sql } from '../platform/database/db.ts'
import { type Static, Type } from '../platform/http/schema.ts'
import { WarehouseStatus } from '../vocabulary/warehouses.ts'
import type { DashboardQuery } from './scope.ts'

export const Zone = Type.Object({
  name: Type.String(),
  warehouseName: Type.String(),
  locationCount: Type.Integer({ description: 'Its active locations.' }),
  occupiedCount: Type.Integer({ description: 'Those of them in which there is stock.' }),
})
type Zone = Static<typeof Zone>

const maxZones = 100

/** Reads the zones. Partners see none: how full a warehouse is, is not theirs to know. */
export async function readZones(db: Db, actor: Actor, { WarehouseId }: DashboardQuery): Promise<Zone[]> {
  if (!hasRequiredScope(actor, 'warehouse.read') || actor.partnerId !== null) return []
  return db.rows<Zone>(sql`
    select z.name, w.name as warehouse_name, counted.*
    from warehouse_zone z
    join warehouse w on w.organisation_id = z.organisation_id and w.id = z.warehouse_id
    cross join lateral (
      select count(*) as location_count, count(*) filter (where exists (
        select from inventory_listing s
        where s.organisation_id = l.organisation_id and s.warehouse_location_id = l.id
          and s.product_id = ${nilId} and not s.is_depleted)) as occupied_count
      from warehouse_location l
      where l.organisation_id = z.organisation_id and l.warehouse_zone_id = z.id
        and l.status = ${WarehouseStatus.Active}
    ) counted
    where z.organisation_id = ${actor.organisationId} and counted.location_count > 0
      ${WarehouseId === undefined ? empty : sql`and z.warehouse_id = ${WarehouseId}`}
    order by counted.occupied_count::numeric / counted.location_count desc, z.name, z.id limit ${maxZones}`)
}
