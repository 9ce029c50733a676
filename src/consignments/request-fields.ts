// The fields of the import request that a consignment keeps, each with its schema and where it is stored.
// Spec 2.3; open-points 1 (sizes).

import { raw, type Sql, sql } from '../platform/database/db.ts'
import { snakeCase } from '../platform/database/write.ts'
import { Code, Decimal, IntegerEnum, LocalTime, Text, type TSchema, Type } from '../platform/http/schema.ts'
import { Address } from './consignment.ts'
import { ConsignmentPriority, ContainerSize, ContainerType } from './enumerations.ts'

/** The carrier and the warehouse of `consignment c`. */
export const carrierAndWarehouse = sql`
  left join partner carrier on carrier.organisation_id = c.organisation_id and carrier.id = c.carrier_id
  left join warehouse on warehouse.organisation_id = c.organisation_id and warehouse.id = c.warehouse_id`

/** The ports of `consignment c`. */
export const ports = sql`
  left join shipping_port load_port on load_port.id = c.load_shipping_port_id
  left join shipping_port discharge_port on discharge_port.id = c.discharge_shipping_port_id`

/** What a code can be of. */
export type CodeOf = 'carrier' | 'warehouse' | 'shipping port'

/** Kept fields by the name that the API gives them. */
export type KeptFields = Readonly<Record<string, KeptField>>

/** A kept field. */
export interface KeptField {
  readonly schema: TSchema
  /** its column of `consignment` */
  readonly column: string
  /**
   * where the API has a code and the table an id: what the code is of, and its column in the tables of
   * `carrierAndWarehouse` and `ports`
   */
  readonly code?: { of: CodeOf; column: string }
  /** a wall-clock time */
  readonly isLocalTime?: true
  readonly isAddress?: true
}

const column = (name: string, schema: TSchema, more: Partial<KeptField> = {}): [string, KeptField] => [
  name,
  { schema, column: snakeCase(name), ...more },
]
const text = (name: string) => column(name, Text)
const time = (name: string, stored = snakeCase(name)) =>
  column(name, LocalTime, { isLocalTime: true, column: stored })
const address = (name: string) => column(name, Address, { isAddress: true })
const code = (name: string, id: string, of: CodeOf, from: string) =>
  column(name, Code, { column: id, code: { of, column: `${from}.code` } })

export const generalFields: KeptFields = Object.fromEntries([
  text('referenceNumber'),
  column('externalId', Type.String({ maxLength: 200 })),
  time('enteredDate', 'date_entered'),
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

export const priorityFields: KeptFields = Object.fromEntries([
  column('priority', IntegerEnum(ConsignmentPriority)),
])

export const routeFields: KeptFields = Object.fromEntries([
  code('carrierCode', 'carrier_id', 'carrier', 'carrier'),
  column('carrierReference', Text, { column: 'carrier_reference_number' }),
  text('carrierRunNumber'),
  column('carrierRunOrdinal', Type.Integer({ minimum: 0, maximum: 2147483647 })),
  code('warehouseCode', 'warehouse_id', 'warehouse', 'warehouse'),
  address('originAddress'),
  text('originAddressAttention'),
  address('destinationAddress'),
  text('destinationAddressAttention'),
  column('destinationAuthorityToLeave', Type.Boolean()),
  code('loadShippingPortCode', 'load_shipping_port_id', 'shipping port', 'load_port'),
  code('dischargeShippingPortCode', 'discharge_shipping_port_id', 'shipping port', 'discharge_port'),
])

export const containerFields: KeptFields = Object.fromEntries([
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

/** Fields under the names of the API, read from `consignment c` with `carrierAndWarehouse` and `ports`. */
export const columnsOf = (fields: KeptFields): Sql =>
  raw(
    Object.entries(fields)
      .map(([name, { column, code }]) => `${code?.column ?? `c.${column}`} as "${name}"`)
      .join(', '),
  )

/** The same as the JSON of an answer has them: local times end in Z, decimals have no idle zeros. */
export const jsonColumnsOf = (fields: KeptFields): Sql =>
  raw(
    Object.entries(fields)
      .map(([name, { column, code, isLocalTime, schema }]) => {
        const value = code?.column ?? `c.${column}`
        if (isLocalTime) return `as_local(${value}) as "${name}"`
        return `${'type' in schema && schema.type === 'number' ? `trim_scale(${value})` : value} as "${name}"`
      })
      .join(', '),
  )

/** The schemas of fields. */
export const schemasOf = (fields: KeptFields): Record<string, TSchema> =>
  Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]))
