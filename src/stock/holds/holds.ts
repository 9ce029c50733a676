// Holds: stock that must not be used, and why. Spec 2.14.

import type { Actor } from '../../access/actor.ts'
import { endpoint } from '../../access/endpoint.ts'
import { empty, sql } from '../../platform/database/db.ts'
import { updateFields } from '../../platform/database/write.ts'
import { changed, json } from '../../platform/http/endpoint.ts'
import { pageOf, pageQuery, readPage } from '../../platform/http/paging.ts'
import { notFound } from '../../platform/http/refusal.ts'
import {
  clearable,
  IntegerEnum,
  Name,
  named,
  nullable,
  optional,
  PlainDate,
  ShortText,
  type Static,
  Type,
  UtcTime,
  Uuid,
} from '../../platform/http/schema.ts'
import type { ValidationError } from '../../platform/http/validation.ts'
import { HoldKind } from '../../vocabulary/stock.ts'
import { partFields } from '../commands/plan-take.ts'
import { stockCommand } from '../commands/stock-command.ts'
import { selectorFaults, stockFields } from '../commands/stock-selector.ts'
import { holdKind } from './hold-kind.ts'
import { holdStock } from './hold-stock.ts'

const holdFields = {
  id: Uuid,
  kind: IntegerEnum(HoldKind),
  reason: Type.String(),
  reference: nullable(Type.String()),
  consignmentProductId: nullable(Uuid),
  createdUtc: UtcTime,
  createdByName: nullable(Type.String()),
  releasedUtc: nullable(UtcTime),
  heldQuantity: Type.Number({ description: 'The quantity on hold now.' }),
}
const InventoryHold = named('InventoryHold', Type.Object(holdFields))
const HeldProduct = Type.Object({
  warehouseProductId: Uuid,
  partnerId: Uuid,
  partnerProductId: Uuid,
  partnerProductCode: Type.String(),
  partnerProductName: Type.String(),
  batch: nullable(Type.String()),
  expiryDate: nullable(PlainDate),
  warehouseId: Uuid,
  warehouseLocationId: Uuid,
  warehouseLocationName: Type.String(),
  logisticUnitNumber: nullable(Type.String()),
  onHandQuantity: Type.Number(),
})
const InventoryHoldDetail = named(
  'InventoryHoldDetail',
  Type.Object({ ...holdFields, products: Type.Array(HeldProduct, { description: 'At most 1,000.' }) }),
)

/** A token that belongs to a client sees the holds that its goods are or were in, and only its own goods. */
const ownGoods = ({ partnerId }: Actor) => (partnerId ? sql`and p.partner_id = ${partnerId}` : empty)
const stockIn = sql`warehouse_product p where p.organisation_id = h.organisation_id
  and p.inventory_hold_id = h.id`
const visibleHolds = (actor: Actor) => sql`h.organisation_id = ${actor.organisationId}
  ${actor.partnerId ? sql`and exists (select from ${stockIn} ${ownGoods(actor)})` : empty}`

const columns = (actor: Actor) => sql`h.id, h.kind, h.reason, h.reference, h.consignment_product_id,
  h.created_utc, h.created_by_name, h.released_utc,
  coalesce((select sum(p.on_hand_quantity) from ${stockIn} ${ownGoods(actor)}), 0) as held_quantity`

/** The fault of a hold that does not select its stock in exactly one way. */
function holdFaults(value: unknown): ValidationError[] {
  const { stock, where } = (value ?? {}) as { stock?: unknown; where?: unknown }
  if (Boolean(stock) === Boolean(where)) return [{ path: '', problem: 'must name either stock or where' }]
  return []
}

/** Faults of entries that do not select either a row or a whole unit. */
export function holdEntryFaults(value: unknown): ValidationError[] {
  return (Array.isArray(value) ? value : []).flatMap((entry: unknown, i) => {
    const { logisticUnitId, ...rest } = (entry ?? {}) as Record<string, unknown>
    if (!logisticUnitId) return selectorFaults(`[${i}]`, rest)
    const hasOtherFields = rest.warehouseProductId || rest.stock || rest.quantity || rest.serials
    return hasOtherFields
      ? [
          {
            path: `[${i}]`,
            problem: 'selects a whole logistic unit, so its other fields must be left out',
          },
        ]
      : []
  })
}

/** An entry of a hold or of its release. */
export const HeldStockEntry = Type.Object({
  ...stockFields,
  ...partFields,
  logisticUnitId: optional({ ...Uuid, description: 'A whole logistic unit with everything on it.' }),
})

const HoldCriteria = Type.Object({
  warehouseId: Uuid,
  partnerProductId: optional(Uuid),
  batch: optional(ShortText),
  expiryTo: optional({ ...PlainDate, description: 'Stock that expires on this day or earlier.' }),
})

export const inventoryHolds = [
  stockCommand({
    post: '/v1/inventory/holds',
    name: 'holdStock',
    canBeRehearsed: true,
    scope: 'inventory',
    summary: 'Put stock on hold',
    description:
      'Holds rows, parts of rows and whole logistic units, or all stock of a warehouse that meets `where`. ' +
      'Allocated stock is not held but returned as allocatedQuantity. With releaseAllocations it is taken ' +
      'away from its lines, which become short. Picked stock is never held.',
    bodyName: 'NewInventoryHold',
    body: {
      kind: IntegerEnum(HoldKind),
      reason: Name,
      reference: optional(ShortText),
      stock: optional(Type.Array(HeldStockEntry, { minItems: 1, maxItems: 1_000, rule: holdEntryFaults })),
      where: optional(HoldCriteria),
      releaseAllocations: optional(Type.Boolean()),
    },
    rule: holdFaults,
    answer: named(
      'InventoryHeld',
      Type.Object({
        inventoryHoldId: Uuid,
        movementId: Uuid,
        effectiveUtc: UtcTime,
        heldQuantity: Type.Number(),
        allocatedQuantity: Type.Number({ description: 'How much is not held because it is allocated.' }),
        warehouseProductIds: Type.Array(Uuid),
      }),
    ),
    creates: 'inventoryHoldId',
    kind: holdKind,
    run: ({ tx, actor, body, requestId, source, occurredUtc }) =>
      holdStock(tx, { ...actor, requestId, source, occurredUtc }, body),
  }),
  endpoint({
    get: '/v1/inventory/holds',
    name: 'listInventoryHolds',
    partners: 'clients',
    scope: 'inventory.read',
    extension: true,
    summary: 'List holds, the newest first',
    query: pageQuery({
      Kind: Type.Optional(IntegerEnum(HoldKind)),
      IsOpen: Type.Optional(Type.Boolean()),
      PartnerId: Type.Optional(Uuid),
      WarehouseId: Type.Optional(Uuid),
      PartnerProductId: Type.Optional(Uuid),
    }),
    response: json(pageOf('holds', InventoryHold)),
    handle({ db, actor, query }) {
      const { Kind, IsOpen, PartnerId, WarehouseId, PartnerProductId } = query
      const hasStockFilter = PartnerId || WarehouseId || PartnerProductId
      return readPage(db, 'holds', query, {
        columns: columns(actor),
        from: sql`inventory_hold h where ${visibleHolds(actor)}
          ${Kind === undefined ? empty : sql`and h.kind = ${Kind}`}
          ${IsOpen === undefined ? empty : sql`and (h.released_utc is null) = ${IsOpen}`}
          ${
            hasStockFilter
              ? sql`and exists (select from ${stockIn} ${ownGoods(actor)}
                ${PartnerId ? sql`and p.partner_id = ${PartnerId}` : empty}
                ${WarehouseId ? sql`and p.warehouse_id = ${WarehouseId}` : empty}
                ${PartnerProductId ? sql`and p.product_id = ${PartnerProductId}` : empty})`
              : empty
          }`,
        order: sql`h.created_utc desc, h.id`,
      })
    },
  }),
  endpoint({
    get: '/v1/inventory/holds/:inventoryHoldId',
    name: 'getInventoryHold',
    partners: 'clients',
    scope: 'inventory.read',
    extension: true,
    summary: 'Read a hold with the stock in it',
    response: json(InventoryHoldDetail),
    async handle({ db, actor, params }) {
      const hold = await db.maybe<Static<typeof InventoryHoldDetail>>(sql`
        select ${columns(actor)}, (
          select coalesce(jsonb_agg(to_jsonb(held) order by held."partnerProductCode",
            held."warehouseProductId"),
            '[]') from (
            select p.id as "warehouseProductId", p.partner_id as "partnerId",
              p.product_id as "partnerProductId",
              d.code as "partnerProductCode", d.name as "partnerProductName", p.batch,
              p.expiry_date as "expiryDate", p.warehouse_id as "warehouseId",
              p.warehouse_location_id as "warehouseLocationId", l.name as "warehouseLocationName",
              g.logistic_unit_number as "logisticUnitNumber", p.on_hand_quantity as "onHandQuantity"
            from warehouse_product p
            join product d on d.organisation_id = p.organisation_id and d.id = p.product_id
            join warehouse_location l on l.organisation_id = p.organisation_id
              and l.id = p.warehouse_location_id
            left join logistic_unit g on g.organisation_id = p.organisation_id and g.id = p.logistic_unit_id
            where p.organisation_id = h.organisation_id and p.inventory_hold_id = h.id
              and not p.is_depleted ${ownGoods(actor)}
            order by d.code, p.id limit 1000
          ) held) as products
        from inventory_hold h where ${visibleHolds(actor)} and h.id = ${params.inventoryHoldId}`)
      if (hold === undefined) throw notFound('Hold')
      return hold
    },
  }),
  endpoint({
    put: '/v1/inventory/holds/:inventoryHoldId',
    name: 'updateInventoryHold',
    partners: 'none',
    scope: 'inventory',
    extension: true,
    summary: 'Change the reason or the reference of a hold',
    body: named(
      'InventoryHoldChange',
      Type.Object({ reason: Type.Optional(Name), reference: clearable(ShortText) }),
    ),
    response: changed,
    async handle({ tx, actor, params, body }) {
      const where = sql`organisation_id = ${actor.organisationId} and id = ${params.inventoryHoldId}`
      const hold = await tx.maybe(sql`select 1 from inventory_hold where ${where} for no key update`)
      if (hold === undefined) throw notFound('Hold')
      return (await tx.run(updateFields('inventory_hold', ['reason', 'reference'], body, where))) > 0
    },
  }),
]
