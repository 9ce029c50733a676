// The API's view of a row of stock and of the logistic unit that it is on. Spec 2.14.

import { type Sql, sql } from '../../platform/database/db.ts'
import {
  allNullable,
  Count,
  IntegerEnum,
  named,
  nullable,
  PlainDate,
  type Static,
  Type,
  Uuid,
} from '../../platform/http/schema.ts'
import { SerialTrackingMode } from '../../vocabulary/partners.ts'
import { HazchemFireCode, HazchemSafetyCode, HoldKind } from '../../vocabulary/stock.ts'
import { LocationType } from '../../vocabulary/warehouses.ts'
import { parseHazchem, unNumberOf } from './hazchem.ts'

const Text = Type.String()
const Figure = Type.Number()

const place = {
  warehouseLocationId: Uuid,
  warehouseLocationName: Text,
  warehouseLocationType: IntegerEnum(LocationType),
  warehouseId: Uuid,
  warehouseName: Text,
}

const figures = {
  availableQuantity: Figure,
  availableVolumeM3: Figure,
  availableWeightKG: Figure,
  onHandQuantity: Figure,
  onHandVolumeM3: Figure,
  onHandWeightKG: Figure,
}

/** A logistic unit with the sums of all stock on it. */
export const InventoryUnit = named(
  'InventoryLogisticUnit',
  Type.Object({
    warehouseLogisticUnitId: Uuid,
    partnerId: Uuid,
    partnerName: Text,
    logisticUnitNumber: Text,
    referenceNumber: nullable(Text),
    ssccNumber: nullable(Text),
    ...place,
    ...figures,
  }),
)

export const productFields = {
  warehouseProductId: Uuid,
  partnerId: Uuid,
  partnerName: Text,
  partnerProductId: Uuid,
  partnerProductCode: Text,
  partnerProductName: Text,
  isSerialRequired: Type.Boolean(),
  serialTrackingMode: IntegerEnum(SerialTrackingMode),
  isDangerousGood: Type.Boolean(),
  ...allNullable({
    dgUnNumber: Type.Integer(),
    dgHazchemFireCode: IntegerEnum(HazchemFireCode),
    dgHazchemSafetyCode: IntegerEnum(HazchemSafetyCode),
    dgHazchemEvacuate: Type.Boolean(),
    batch: Text,
    bestBeforeDate: PlainDate,
    expiryDate: PlainDate,
    packagingDate: PlainDate,
    productionDate: PlainDate,
    sellByDate: PlainDate,
  }),
  ...place,
  ...figures,
  attributes: Type.Array(
    Type.Object({ id: Uuid, productAttributeId: Uuid, name: Text, description: nullable(Text) }),
  ),
  allocatedQuantity: Figure,
  receivedDate: PlainDate,
  inventoryHoldId: nullable(Uuid),
  holdKind: nullable(IntegerEnum(HoldKind)),
  isQuarantined: Type.Boolean(),
  itemCount: { ...Count, description: 'How many items have a recorded serial.' },
}

/** A row of stock. */
export const InventoryProduct = named('InventoryProduct', Type.Object(productFields))
export type InventoryProduct = Static<typeof InventoryProduct>

/** The available part of a weight or volume of a row `s`. */
const availablePart = (column: Sql, places: number): Sql =>
  sql`case when s.on_hand_quantity = 0 then 0
    else round(${column} * s.available_quantity / s.on_hand_quantity, ${places}) end`

/** The available weight (kg) and volume (m³) of a row `s`. */
export const availableWeight: Sql = availablePart(sql`s.on_hand_weight_kg`, 4)
export const availableVolume: Sql = availablePart(sql`s.on_hand_volume_m3`, 6)

/** How many serials are in a row `s`. */
export const itemCount: Sql = sql`(select count(*) from warehouse_product_item i
  where i.organisation_id = s.organisation_id and i.warehouse_product_id = s.id)`

/** The joins that `productJson` needs, from a row of stock `s`. */
export const productJoins: Sql = sql`
  join product d on d.organisation_id = s.organisation_id and d.id = s.product_id
  join partner c on c.organisation_id = s.organisation_id and c.id = s.partner_id
  join warehouse w on w.organisation_id = s.organisation_id and w.id = s.warehouse_id
  join warehouse_location l on l.organisation_id = s.organisation_id and l.id = s.warehouse_location_id
  left join inventory_hold h on h.organisation_id = s.organisation_id and h.id = s.inventory_hold_id`

/** A row of stock as JSON. `toProduct` parses its texts about dangerous goods. */
export const productJson = (items: Sql = itemCount): Sql => sql`json_build_object(
  'warehouseProductId', s.id, 'partnerId', s.partner_id, 'partnerName', c.name,
  'partnerProductId', s.product_id, 'partnerProductCode', d.code, 'partnerProductName', d.name,
  'isSerialRequired', d.serial_tracking_mode <> ${SerialTrackingMode.None},
  'serialTrackingMode', d.serial_tracking_mode, 'isDangerousGood', d.is_dangerous_good,
  'dgUnNumber', d.dg_un_number, 'dgHazchemEac', d.dg_hazchem_eac,
  'batch', s.batch, 'bestBeforeDate', s.best_before_date, 'expiryDate', s.expiry_date,
  'packagingDate', s.packaging_date, 'productionDate', s.production_date, 'sellByDate', s.sell_by_date,
  'warehouseLocationId', l.id, 'warehouseLocationName', l.name, 'warehouseLocationType', l.type,
  'warehouseId', w.id, 'warehouseName', w.name,
  'availableQuantity', s.available_quantity, 'availableVolumeM3', ${availableVolume},
  'availableWeightKG', ${availableWeight}, 'onHandQuantity', s.on_hand_quantity,
  'onHandVolumeM3', s.on_hand_volume_m3, 'onHandWeightKG', s.on_hand_weight_kg,
  'attributes', case when s.attributes = '[]' then '[]' else (
    select json_agg(json_build_object('id', a.id, 'productAttributeId', a.id, 'name', a.name,
      'description', x.value ->> 'description') order by lower(a.name), a.id)
    from jsonb_array_elements(s.attributes) x join product_attribute a
      on a.organisation_id = s.organisation_id and a.id = (x.value ->> 'productAttributeId')::uuid
  ) end,
  'allocatedQuantity', s.allocated_quantity, 'receivedDate', s.received_date,
  'inventoryHoldId', s.inventory_hold_id, 'holdKind', h.kind, 'isQuarantined', s.is_quarantined,
  'itemCount', ${items})`

/** A row of stock as `productJson` returns it. */
export type StoredProduct = Omit<InventoryProduct, 'dgUnNumber'> & {
  dgUnNumber: string | null
  dgHazchemEac: string | null
}

/** Converts a row of stock to the API's view of it. */
export const toProduct = <P extends StoredProduct>({ dgHazchemEac, dgUnNumber, ...product }: P) => ({
  ...product,
  dgUnNumber: unNumberOf(dgUnNumber),
  ...parseHazchem(dgHazchemEac),
})
