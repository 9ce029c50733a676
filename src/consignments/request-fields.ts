// The fields of an import request that a consignment stores, each with its schema and column. They fall into
// four parts, each with an endpoint of its own. Spec 2.3; decisions 1, 4.

import { raw, type Sql, sql } from '../platform/database/db.ts'
import { snakeCase } from '../platform/database/write.ts'
import {
  Code,
  Decimal,
  IntegerEnum,
  LocalTime,
  Text,
  type TSchema,
  Type,
  Uuid,
} from '../platform/http/schema.ts'
import { ConsignmentPriority, ContainerSize, ContainerType } from '../vocabulary/consignments.ts'
import { Address } from '../warehouses/address.ts'

/** Joins the carrier and the warehouse of `consignment c`. */
export const carrierAndWarehouseJoins = sql`
  left join partner carrier on carrier.organisation_id = c.organisation_id and carrier.id = c.carrier_id
  left join warehouse on warehouse.organisation_id = c.organisation_id and warehouse.id = c.warehouse_id`

/** Joins the shipping ports of `consignment c`. */
export const portJoins = sql`
  left join shipping_port load_port on load_port.id = c.load_shipping_port_id
  left join shipping_port discharge_port on discharge_port.id = c.discharge_shipping_port_id`

/** The kind of record that a code identifies. */
export type CodeKind = 'carrier' | 'warehouse' | 'shipping port'

/** Fields by API name. */
export type RequestFields = Readonly<Record<string, RequestField>>

/** A field that a consignment stores. */
export interface RequestField {
  readonly schema: TSchema
  /** its column of `consignment` */
  readonly column: string
  /**
   * for a field that is a code in the API and an id in the table: the kind of record, and the column with its
   * code in the tables of `carrierAndWarehouseJoins` and `portJoins`
   */
  readonly code?: { kind: CodeKind; column: string }
  /** a wall-clock time */
  readonly isLocalTime?: true
  /** every consignment has a value, so the field cannot be emptied */
  readonly isRequired?: true
  readonly isAddress?: true
  /** the id of a location of the consignment's warehouse */
  readonly isLocation?: true
}

const column = (name: string, schema: TSchema, more: Partial<RequestField> = {}): [string, RequestField] => [
  name,
  { schema, column: snakeCase(name), ...more },
]
const text = (name: string) => column(name, Text)
const time = (name: string) => column(name, LocalTime, { isLocalTime: true })
const address = (name: string) => column(name, Address, { isAddress: true })
const location = (name: string) => column(name, Uuid, { isLocation: true })
const code = (name: string, id: string, kind: CodeKind, from: string) =>
  column(name, Code, { column: id, code: { kind, column: `${from}.code` } })

export const generalFields: RequestFields = Object.fromEntries([
  text('referenceNumber'),
  column('externalId', Type.String({ maxLength: 200 })),
  column('enteredDate', LocalTime, { isLocalTime: true, isRequired: true, column: 'date_entered' }),
  time('expectedArrivalDateTime'),
  time('expectedDispatchDateTime'),
  time('expectedDeliveryDateTime'),
  column('deliveryInstructions', Type.String({ maxLength: 1000 })),
  text('pickingInstructions'),
  text('receiversReference'),
  text('sendersReference'),
  text('poNumber'),
  text('soNumber'),
])

export const priorityFields: RequestFields = Object.fromEntries([
  column('priority', IntegerEnum(ConsignmentPriority), { isRequired: true }),
])

export const routeFields: RequestFields = Object.fromEntries([
  code('carrierCode', 'carrier_id', 'carrier', 'carrier'),
  column('carrierReference', Text, { column: 'carrier_reference_number' }),
  text('carrierRunNumber'),
  column('carrierRunOrdinal', Type.Integer({ minimum: 0, maximum: 2147483647 })),
  code('warehouseCode', 'warehouse_id', 'warehouse', 'warehouse'),
  address('originAddress'),
  text('originAddressAttention'),
  address('destinationAddress'),
  text('destinationAddressAttention'),
  column('destinationAuthorityToLeave', Type.Boolean(), { isRequired: true }),
  location('defaultReceiveLocationId'),
  location('defaultDispatchLocationId'),
  code('loadShippingPortCode', 'load_shipping_port_id', 'shipping port', 'load_port'),
  code('dischargeShippingPortCode', 'discharge_shipping_port_id', 'shipping port', 'discharge_port'),
])

export const containerFields: RequestFields = Object.fromEntries([
  text('containerNumber'),
  text('containerSealNumber'),
  column('containerSize', IntegerEnum(ContainerSize)),
  column('containerType', IntegerEnum(ContainerType)),
  column('containerTareWeightKG', Decimal(4, { minimum: 0 })),
  column('containerGrossWeightKG', Decimal(4, { minimum: 0 })),
  column('containerYardCode', Code),
  text('containerYardReference'),
  text('containerVesselName'),
  text('containerVoyage'),
])

/** The parts of a consignment that have an endpoint each, by the last segment of its path. */
export const parts = {
  general: generalFields,
  route: routeFields,
  container: containerFields,
  priority: priorityFields,
} as const
export type PartName = keyof typeof parts

/**
 * A select list of the fields under their API names. The query reads `consignment c` and joins
 * `carrierAndWarehouseJoins` and `portJoins`.
 */
export const columnsOf = (fields: RequestFields): Sql =>
  raw(
    Object.entries(fields)
      .map(([name, { column, code }]) => `${code?.column ?? `c.${column}`} as "${name}"`)
      .join(', '),
  )

/** The schemas of fields, by API name. */
export const schemasOf = (fields: RequestFields): Record<string, TSchema> =>
  Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]))
