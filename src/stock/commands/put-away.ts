// Suggests locations for putting stock away. Spec 2.14.

import { endpoint } from '../../access/endpoint.ts'
import { sql } from '../../platform/database/db.ts'
import { json } from '../../platform/http/endpoint.ts'
import { notFound } from '../../platform/http/refusal.ts'
import { Integer, IntegerEnum, named, nullable, type Static, Type, Uuid } from '../../platform/http/schema.ts'
import { PutAwayReason } from '../../vocabulary/stock.ts'
import { LocationType, WarehouseStatus } from '../../vocabulary/warehouses.ts'

const maxSuggestions = 5

const PutAway = named(
  'PutAway',
  Type.Object({
    locations: Type.Array(
      Type.Object({
        warehouseLocationId: Uuid,
        warehouseLocationName: Type.String(),
        warehouseLocationType: IntegerEnum(LocationType),
        warehouseZoneId: nullable(Uuid),
        walkingOrder: nullable(Integer),
        reason: IntegerEnum(PutAwayReason),
        onHandQuantity: Type.Number({ description: 'How much of the product is there now.' }),
        wantedQuantity: nullable(
          Type.Number({ description: 'How much a pick face needs to reach its target.' }),
        ),
        exceeds: Type.Array(Type.Enum(['maxWeightKG', 'maxVolumeM3', 'maxUnits']), {
          description: 'The limits of the location that the whole stock would exceed.',
        }),
      }),
    ),
  }),
)
type Suggestion = Static<typeof PutAway>['locations'][number]

/** The weight, volume and units in location `l` now. */
const load = sql`(
  select coalesce(sum(p.on_hand_weight_kg), 0) as weight_kg,
    coalesce(sum(p.on_hand_volume_m3), 0) as volume_m3, count(distinct p.logistic_unit_id) as units
  from warehouse_product p
  where p.organisation_id = l.organisation_id and p.warehouse_location_id = l.id and not p.is_depleted
) load`

/** The limits that location `l` would exceed with all of stock `s`. */
const exceeds = sql`array_remove(array[
  case when load.weight_kg + s.on_hand_weight_kg > l.max_weight_kg then 'maxWeightKG' end,
  case when load.volume_m3 + s.on_hand_volume_m3 > l.max_volume_m3 then 'maxVolumeM3' end,
  case when s.logistic_unit_id is not null and load.units >= l.max_units then 'maxUnits' end
], null)`

/** How much of stock `p` in warehouse `w` can be picked: what is neither held, allocated nor expired. */
const pickable = sql`coalesce(sum(p.available_quantity) filter (
  where p.expiry_date is null or p.expiry_date >= (now() at time zone w.timezone_id)::date), 0)`

export const putAwayStock = [
  endpoint({
    get: '/v1/inventory/:warehouseProductId/put-away',
    name: 'getPutAway',
    partners: 'none',
    scope: 'inventory.read',
    extension: true,
    summary: 'Suggest where to put stock away',
    description:
      'Up to five active locations of the warehouse, in this order: the pick face of the product, if it ' +
      'has less available than its target, where held, allocated and expired stock does not count (not ' +
      'for held stock); locations with the same product and batch; empty racking ' +
      'in a zone of the product; other empty racking. Each kind is in walking order. A location is ' +
      'suggested even if the stock would exceed its limits.',
    response: json(PutAway),
    async handle({ db, actor: { organisationId }, params }) {
      const stock = await db.maybe(sql`
        select from warehouse_product
        where organisation_id = ${organisationId} and id = ${params.warehouseProductId}`)
      if (stock === undefined) throw notFound('Stock')
      const { Pickface, SameBatch, FreeInZone, Free } = PutAwayReason
      const locations = await db.rows<Suggestion>(sql`
        with stock as materialized (
          select * from warehouse_product
          where organisation_id = ${organisationId} and id = ${params.warehouseProductId}
        ), own as materialized (
          -- the locations of the warehouse that hold the product
          select p.warehouse_location_id, sum(p.on_hand_quantity) as quantity,
            ${pickable} as available,
            bool_or(p.batch is not distinct from s.batch and p.inventory_hold_id is null) as is_same
          from stock s join warehouse_product p on p.organisation_id = s.organisation_id
            and p.warehouse_id = s.warehouse_id and p.product_id = s.product_id and not p.is_depleted
          join warehouse w on w.organisation_id = s.organisation_id and w.id = s.warehouse_id
          group by p.warehouse_location_id
        ), zone as materialized (
          select l.warehouse_zone_id as id
          from stock s join warehouse_location l on l.organisation_id = s.organisation_id
            and l.warehouse_id = s.warehouse_id
          where l.warehouse_zone_id is not null and l.type in (${LocationType.Racking}, ${LocationType.Bulk})
            and ((l.is_pickface and l.product_id = s.product_id)
              or l.id in (select warehouse_location_id from own))
        ), place as (
          select l.*, coalesce(o.quantity, 0) as quantity, coalesce(o.available, 0) as available, case
            when l.is_pickface and l.product_id = s.product_id and s.inventory_hold_id is null
              and coalesce(o.available, 0) < coalesce(l.target_quantity, l.min_quantity) then ${Pickface}::int
            when l.type in (${LocationType.Racking}, ${LocationType.Bulk}) and o.is_same
              and (not l.is_pickface or l.target_quantity is null) then ${SameBatch}::int
            when l.type = ${LocationType.Racking} and not l.is_pickface and not exists (
                select from warehouse_product p where p.organisation_id = l.organisation_id
                  and p.warehouse_location_id = l.id and not p.is_depleted)
              then case when l.warehouse_zone_id in (select id from zone) then ${FreeInZone}::int
                else ${Free}::int end
          end as reason
          from stock s
          join warehouse_location l on l.organisation_id = s.organisation_id
            and l.warehouse_id = s.warehouse_id and l.id <> s.warehouse_location_id
            and l.status = ${WarehouseStatus.Active}
            and (not l.is_pickface or l.product_id is null or l.product_id = s.product_id)
          left join own o on o.warehouse_location_id = l.id
        )
        select l.id as warehouse_location_id, l.name as warehouse_location_name,
          l.type as warehouse_location_type, l.warehouse_zone_id, l.walking_order, l.reason,
          l.quantity as on_hand_quantity,
          case when l.reason = ${Pickface}::int then coalesce(l.target_quantity, l.min_quantity) - l.available
            end as wanted_quantity,
          ${exceeds} as exceeds
        from (
          select * from place where reason is not null
          order by reason, walking_order nulls last, name, id limit ${maxSuggestions}
        ) l
        cross join stock s
        cross join lateral ${load}
        order by l.reason, l.walking_order nulls last, l.name, l.id`)
      return { locations }
    },
  }),
]
