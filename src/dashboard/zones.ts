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
  const active = sql`warehouse_location l
    where l.organisation_id = ${actor.organisationId} and l.status = ${WarehouseStatus.Active}
      ${WarehouseId === undefined ? empty : sql`and l.warehouse_id = ${WarehouseId}`}`
  return db.rows<Zone>(sql`
    select z.name, w.name as warehouse_name, located.n as location_count,
      coalesce(occupied.n, 0) as occupied_count
    from warehouse_zone z
    join warehouse w on w.organisation_id = z.organisation_id and w.id = z.warehouse_id
    join (select l.warehouse_zone_id, count(*) as n from ${active} group by 1) located
      on located.warehouse_zone_id = z.id
    left join (
      select l.warehouse_zone_id, count(*) as n from ${active} and exists (
        select from inventory_listing s
        where s.organisation_id = l.organisation_id and s.warehouse_location_id = l.id
          and s.product_id = ${nilId} and not s.is_depleted)
      group by 1
    ) occupied on occupied.warehouse_zone_id = z.id
    where z.organisation_id = ${actor.organisationId}
      ${WarehouseId === undefined ? empty : sql`and z.warehouse_id = ${WarehouseId}`}
    order by coalesce(occupied.n, 0)::numeric / located.n desc, z.name, z.id limit ${maxZones}`)
}
