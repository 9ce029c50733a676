// The fields of a consignment that requests set: one line describes each of them, and the request schemas,
// the columns of an import's insert, its planning and every change follow from it. A new plain field needs a
// line here, its column in a migration, and a line in the select of consignment_detail. The fields fall into
// four parts, each with an endpoint of its own. Spec 2.3; decisions 1, 4.

import { raw, type Sql, sql } from '../platform/database/db.ts'
import { snakeCase } from '../platform/database/write.ts'
import {
  Code,
  Decimal,
  IntegerEnum,
  LocalTime,
  type Static,
  Text,
  type TSchema,
  Type,
  Uuid,
} from '../platform/http/schema.ts'
import { parseLocalTime } from '../platform/local-time.ts'
import { ConsignmentPriority, ContainerSize, ContainerType } from '../vocabulary/consignments.ts'
import { Address, type AddressInput, toStoredAddress } from '../warehouses/address.ts'

/** Joins the carrier and the warehouse of `consignment c`. */
export const carrierAndWarehouseJoins = sql`
  left join partner carrier on carrier.organisation_id = c.organisation_id and carrier.id = c.carrier_id
  left join warehouse on warehouse.organisation_id = c.organisation_id and warehouse.id = c.warehouse_id`

/** Joins the shipping ports of `consignment c`. */
export const portJoins = sql`
  left join shipping_port load_port on load_port.id = c.load_shipping_port_id
  left join shipping_port discharge_port on discharge_port.id = c.discharge_shipping_port_id`

export type CodeKind = 'carrier' | 'warehouse' | 'shipping port'

export interface ConsignmentField {
  readonly schema: TSchema
  readonly sqlType: 'boolean' | 'integer' | 'jsonb' | 'numeric' | 'smallint' | 'text' | 'timestamp' | 'uuid'
  /** its name in a row, and in snake case its column, where it is not the name in the API */
  readonly storedAs?: string
  /**
   * for a field that is a code in the API and an id in the table: the kind of record, and the column with its
   * code in the tables of `carrierAndWarehouseJoins` and `portJoins`
   */
  readonly code?: { readonly kind: CodeKind; readonly column: string }
  /** a wall-clock time */
  readonly isLocalTime?: true
  readonly isAddress?: true
  /** the id of a location of the consignment's warehouse */
  readonly isLocation?: true
  /** every consignment has a value, so the field cannot be emptied */
  readonly isRequired?: true
  /** only a change takes it, no import */
  readonly isSetLater?: true
}

/** Fields by API name. */
export type ConsignmentFields = Readonly<Record<string, ConsignmentField>>

const text = { schema: Text, sqlType: 'text' } as const
const time = { schema: LocalTime, sqlType: 'timestamp', isLocalTime: true } as const
const weight = { schema: Decimal(4, { minimum: 0 }), sqlType: 'numeric' } as const
const address = { schema: Address, sqlType: 'jsonb', isAddress: true } as const
const location = { schema: Uuid, sqlType: 'uuid', isLocation: true, isSetLater: true } as const
const codeOf = <const Id extends string>(kind: CodeKind, storedAs: Id, table: string) =>
  ({ schema: Code, sqlType: 'uuid', storedAs, code: { kind, column: `${table}.code` } }) as const

const generalFields = {
  referenceNumber: text,
  externalId: { schema: Type.String({ maxLength: 200 }), sqlType: 'text' },
  enteredDate: { ...time, storedAs: 'dateEntered', isRequired: true },
  expectedArrivalDateTime: time,
  expectedDispatchDateTime: time,
  expectedDeliveryDateTime: time,
  deliveryInstructions: { schema: Type.String({ maxLength: 1000 }), sqlType: 'text' },
  pickingInstructions: text,
  receiversReference: text,
  sendersReference: text,
  poNumber: text,
  soNumber: text,
} as const satisfies ConsignmentFields

const routeFields = {
  carrierCode: codeOf('carrier', 'carrierId', 'carrier'),
  carrierReference: { ...text, storedAs: 'carrierReferenceNumber' },
  carrierRunNumber: { ...text, isSetLater: true },
  carrierRunOrdinal: {
    ...{ schema: Type.Integer({ minimum: 0, maximum: 2147483647 }), sqlType: 'integer', isSetLater: true },
  },
  warehouseCode: codeOf('warehouse', 'warehouseId', 'warehouse'),
  originAddress: address,
  originAddressAttention: text,
  destinationAddress: address,
  destinationAddressAttention: text,
  destinationAuthorityToLeave: { schema: Type.Boolean(), sqlType: 'boolean', isRequired: true },
  defaultReceiveLocationId: location,
  defaultDispatchLocationId: location,
  loadShippingPortCode: codeOf('shipping port', 'loadShippingPortId', 'load_port'),
  dischargeShippingPortCode: codeOf('shipping port', 'dischargeShippingPortId', 'discharge_port'),
} as const satisfies ConsignmentFields

const containerFields = {
  containerNumber: text,
  containerSealNumber: text,
  containerSize: { schema: IntegerEnum(ContainerSize), sqlType: 'smallint' },
  containerType: { schema: IntegerEnum(ContainerType), sqlType: 'smallint' },
  containerTareWeightKG: weight,
  containerGrossWeightKG: weight,
  containerYardCode: { schema: Code, sqlType: 'text' },
  containerYardReference: text,
  containerVesselName: text,
  containerVoyage: text,
} as const satisfies ConsignmentFields

const priorityFields = {
  priority: {
    ...{ schema: IntegerEnum(ConsignmentPriority), sqlType: 'smallint' },
    ...{ isRequired: true, isSetLater: true },
  },
} as const satisfies ConsignmentFields

/** The parts of a consignment that have an endpoint each, by the last segment of its path. */
export const parts = {
  general: generalFields,
  route: routeFields,
  container: containerFields,
  priority: priorityFields,
} as const
export type PartName = keyof typeof parts

const allFields = { ...generalFields, ...routeFields, ...containerFields, ...priorityFields }
type AllFields = typeof allFields

/** The names of a field in the API and in a row of consignments. */
export const storedName = (name: string, { storedAs = name }: ConsignmentField): string => storedAs
type StoredName<Name extends keyof AllFields> = AllFields[Name] extends { storedAs: infer Stored }
  ? Stored & string
  : Name

type ImportedName = {
  [Name in keyof AllFields]: AllFields[Name] extends { isSetLater: true } ? never : Name
}[keyof AllFields]
type RequiredName = {
  [Name in ImportedName]: AllFields[Name] extends { isRequired: true } ? Name : never
}[ImportedName]
type StoredValue<Field extends ConsignmentField> = Field extends { code: object }
  ? string
  : Static<Field['schema']>

/**
 * What a new consignment stores of these fields, under their names in a row: codes as ids, and times as
 * wall-clock times of its warehouse, `YYYY-MM-DDTHH:MM:SS`.
 */
export type ImportedColumns = {
  [Name in RequiredName as StoredName<Name>]: StoredValue<AllFields[Name]>
} & {
  [Name in Exclude<ImportedName, RequiredName> as StoredName<Name>]?:
    | StoredValue<AllFields[Name]>
    | null
    | undefined
}

const importedEntries = Object.entries<ConsignmentField>(allFields).filter(([, field]) => !field.isSetLater)

/** The fields that an import takes, by API name. */
export const importedFields = Object.fromEntries(importedEntries) as Pick<AllFields, ImportedName>

/** The SQL types of `ImportedColumns`. */
export const importedColumnTypes = Object.fromEntries(
  importedEntries.map(([name, field]) => [storedName(name, field), field.sqlType]),
) as Record<keyof ImportedColumns, string>

/** The schemas of fields, by API name. */
export const fieldSchemas = <Fields extends ConsignmentFields>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])) as {
    -readonly [Name in keyof Fields]: Fields[Name]['schema']
  }

/**
 * A select list of fields under their API names. The query reads `consignment c` and joins
 * `carrierAndWarehouseJoins` and `portJoins`.
 */
export const selectList = (fields: ConsignmentFields): Sql =>
  raw(
    Object.entries(fields)
      .map(([name, field]) => {
        const column = field.code?.column ?? `c.${snakeCase(storedName(name, field))}`
        return `${column} as "${name}"`
      })
      .join(', '),
  )

/**
 * Converts the value of a request to what is stored: an empty text to null, and a time to the wall clock of
 * the zone.
 */
export function toStoredValue(field: ConsignmentField, value: unknown, timezoneId: string): unknown {
  if (value === undefined || value === null || value === '') return null
  if (field.isLocalTime) return parseLocalTime(value as string, timezoneId)
  if (field.isAddress) return toStoredAddress(value as AddressInput)
  return value
}
