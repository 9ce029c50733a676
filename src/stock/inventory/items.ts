// The serials in a row of stock. Spec 2.14, 4.13.

import { endpoint } from '../../access/endpoint.ts'
import { sql } from '../../platform/database/db.ts'
import { json } from '../../platform/http/endpoint.ts'
import { pageOf, pageQuery, readPage } from '../../platform/http/paging.ts'
import { named, type Static, Type, Uuid } from '../../platform/http/schema.ts'
import { stockOf } from './inventory.ts'

const Figure = Type.Number()

/** An item with a serial. */
const InventoryItem = named(
  'InventoryItem',
  Type.Object({
    warehouseProductItemId: Uuid,
    serial: Type.String(),
    availableQuantity: Figure,
    availableVolumeM3: Figure,
    availableWeightKG: Figure,
    transferableQuantity: Figure,
    transferableVolumeM3: Figure,
    transferableWeightKG: Figure,
    onHandQuantity: Figure,
    onHandVolumeM3: Figure,
    onHandWeightKG: Figure,
  }),
)

interface StoredItem {
  warehouseProductItemId: string
  serial: string
  isAvailable: boolean
  isTransferable: boolean
  weightKG: number
  volumeM3: number
}

/**
 * The columns of an item. An item with a weight and volume of its own has these; the others share the rest of
 * the row's weight and volume equally. An item is not available if it is allocated by name, or if nothing in
 * the row is available.
 */
const columns = sql`i.id as warehouse_product_item_id, i.serial,
  not i.is_allocated and i.available_quantity > 0 as is_available,
  not i.is_allocated and i.on_hand_quantity > i.allocated_quantity as is_transferable,
  case when i.has_own then i.weight_kg
    else round((i.on_hand_weight_kg - i.own_weight_kg) / (i.on_hand_quantity - i.own), 4) end as weight_kg,
  case when i.has_own then i.volume_m3
    else round((i.on_hand_volume_m3 - i.own_volume_m3) / (i.on_hand_quantity - i.own), 6) end as volume_m3`

function toItem({
  isAvailable,
  isTransferable,
  weightKG,
  volumeM3,
  ...item
}: StoredItem): Static<typeof InventoryItem> {
  const [available, transferable] = [isAvailable ? 1 : 0, isTransferable ? 1 : 0]
  return {
    ...item,
    availableQuantity: available,
    availableVolumeM3: available * volumeM3,
    availableWeightKG: available * weightKG,
    transferableQuantity: transferable,
    transferableVolumeM3: transferable * volumeM3,
    transferableWeightKG: transferable * weightKG,
    onHandQuantity: 1,
    onHandVolumeM3: volumeM3,
    onHandWeightKG: weightKG,
  }
}

export const stockRowSerials = [
  endpoint({
    get: '/v1/inventory/:warehouseProductId/items',
    name: 'listInventoryItems',
    partners: 'clients',
    scope: 'inventory.read',
    summary: 'List the serials in a row of stock',
    description:
      'Sorted by serial. An item is available unless it is allocated by its serial or nothing in the row ' +
      'is available. It is transferable unless it or the whole row is allocated.',
    query: pageQuery({}),
    response: json(pageOf('items', InventoryItem)),
    async handle({ db, actor, params, query }) {
      const stock = stockOf(actor, params.warehouseProductId)
      const page = await readPage<'items', StoredItem>(db, 'items', query, {
        parent: stock,
        columns,
        from: sql`(
          select i.*, s.on_hand_quantity, s.allocated_quantity, s.available_quantity, s.on_hand_weight_kg,
            s.on_hand_volume_m3, i.weight_kg is not null and i.volume_m3 is not null as has_own,
            own.n as own, own.weight_kg as own_weight_kg, own.volume_m3 as own_volume_m3,
            exists (
              select from inventory_allocation a
              where a.organisation_id = i.organisation_id and a.warehouse_product_item_id = i.id
            ) as is_allocated
          from (select s.* from ${stock.from}) s
          join warehouse_product_item i
            on i.organisation_id = s.organisation_id and i.warehouse_product_id = s.id
          cross join lateral (
            select count(*) as n, coalesce(sum(o.weight_kg), 0) as weight_kg,
              coalesce(sum(o.volume_m3), 0) as volume_m3
            from warehouse_product_item o
            where o.organisation_id = s.organisation_id and o.warehouse_product_id = s.id
              and o.weight_kg is not null and o.volume_m3 is not null
          ) own
        ) i`,
        order: sql`i.serial, i.id`,
      })
      return { ...page, items: page.items.map(toItem) }
    },
  }),
]
