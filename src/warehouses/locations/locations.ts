// Endpoints of the locations of a warehouse, which hold stock and may be pickfaces. Spec 2.14; decision 8.

import { v7 as uuidv7 } from 'uuid'
import type { Actor } from '../../access/actor.ts'
import { endpoint } from '../../access/endpoint.ts'
import { type Db, empty, type Sql, sql, type Tx } from '../../platform/database/db.ts'
import { refuseViolations } from '../../platform/database/errors.ts'
import { givenFields, insertInto, updateFields } from '../../platform/database/write.ts'
import { changed, created, json } from '../../platform/http/endpoint.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { pageOf, pageQuery, readPage, searchIn } from '../../platform/http/paging.ts'
import { duplicate, notFound, verificationFailed } from '../../platform/http/refusal.ts'
import {
  allClearable,
  allNullable,
  allOmittable,
  allOptional,
  Code,
  Count,
  Decimal,
  Integer,
  IntegerEnum,
  Name,
  named,
  nullable,
  Quantity,
  type Static,
  Type,
  Uuid,
  VolumeM3,
  WeightKG,
} from '../../platform/http/schema.ts'
import type { ValidationError } from '../../platform/http/validation.ts'
import { refuseCodeOfInactive } from '../../platform/unique-code.ts'
import { followLocationChange } from '../../stock/ledger/location-change.ts'
import { LocationType, WarehouseStatus } from '../../vocabulary/warehouses.ts'
import { requireWarehouse } from '../warehouse.ts'

/** The position of a location on the floor plan, in metres, and its capacity. */
export const floorPlanFields = {
  aisle: Code,
  bay: Code,
  level: Code,
  x: Decimal(3),
  y: Decimal(3),
  width: Decimal(3, { minimum: 0 }),
  depth: Decimal(3, { minimum: 0 }),
  maxWeightKG: WeightKG,
  maxVolumeM3: VolumeM3,
  maxUnits: Count,
}
const replenishmentFields = { minQuantity: Quantity, targetQuantity: Quantity }

const WarehouseLocation = named(
  'WarehouseLocation',
  Type.Object({
    id: Uuid,
    warehouseId: Uuid,
    name: Type.String(),
    type: IntegerEnum(LocationType),
    status: IntegerEnum(WarehouseStatus),
    warehouseZoneId: nullable(Uuid),
    warehouseZoneName: nullable(Type.String()),
    walkingOrder: nullable(Integer),
    isPickface: Type.Boolean(),
    partnerProductId: nullable(Uuid),
    partnerProductCode: nullable(Type.String()),
    partnerProductName: nullable(Type.String()),
    ...allNullable({ ...replenishmentFields, ...floorPlanFields }),
  }),
)

const requiredFields = {
  name: Name,
  type: IntegerEnum(LocationType),
  status: IntegerEnum(WarehouseStatus),
  isPickface: Type.Boolean(),
}
const optionalFields = {
  warehouseZoneId: Uuid,
  walkingOrder: Integer,
  partnerProductId: Uuid,
  ...replenishmentFields,
  ...floorPlanFields,
}
const fields = { ...requiredFields, ...optionalFields }

/** Checks that the replenishment target is not below the minimum. */
function findTargetFault(value: unknown): ValidationError[] {
  const { minQuantity, targetQuantity } = (value ?? {}) as Record<string, unknown>
  const isBelow =
    typeof minQuantity === 'number' && typeof targetQuantity === 'number' && targetQuantity < minQuantity
  return isBelow ? [{ path: '/targetQuantity', problem: targetBelowMinimum, code: 'range' }] : []
}
const targetBelowMinimum = 'must not be less than minQuantity'

const NewLocation = named(
  'NewWarehouseLocation',
  Type.Object({ ...allOptional(fields), name: fields.name, type: fields.type }, { rule: findTargetFault }),
)
const LocationChange = named(
  'WarehouseLocationChange',
  Type.Object(
    { ...allOmittable(requiredFields), ...allClearable(optionalFields) },
    { rule: findTargetFault },
  ),
)
type Body = Static<typeof NewLocation> | Static<typeof LocationChange>

// The API calls the column `productId` partnerProductId, to tell it from the products of stock.
const columnNames = [
  'name',
  'type',
  'status',
  'warehouseZoneId',
  'walkingOrder',
  'isPickface',
  'productId',
  'minQuantity',
  'targetQuantity',
  ...(Object.keys(floorPlanFields) as (keyof typeof floorPlanFields)[]),
] as const
const toRow = (body: Body) => ({ ...body, productId: body.partnerProductId })

const nameTakenMessage = (name: string | undefined) =>
  `The warehouse already has a location with the name ${name}`
const refusals = ({ name }: Body) => ({
  warehouse_location_name_key: () => duplicate('name', `${nameTakenMessage(name)}.`),
  warehouse_location_target_above_min: () =>
    verificationFailed(faultAt('targetQuantity', targetBelowMinimum, 'range')),
})

/** Refuses (409) a name that an inactive location of the warehouse has. */
const refuseNameOfInactive = (
  tx: Tx,
  actor: Actor,
  warehouseId: string,
  name: string | undefined,
  ownId?: string,
) =>
  refuseCodeOfInactive(tx, {
    table: 'warehouse_location',
    column: 'name',
    value: name,
    scope: sql`organisation_id = ${actor.organisationId} and warehouse_id = ${warehouseId}`,
    ...(ownId === undefined ? {} : { ownId }),
    inactiveStatus: WarehouseStatus.Inactive,
    activeStatus: WarehouseStatus.Active,
    takenMessage: nameTakenMessage(name),
    path: `/v1/warehouses/${warehouseId}/locations`,
  })

// A partner's token does not see the pickface settings of other clients' products.
const maySeeQuantities = (actor: Actor): Sql => sql`${actor.partnerId}::uuid is null or d.id is not null`

const columns = (actor: Actor): Sql => sql`l.id, l.warehouse_id, l.name, l.type, l.status,
  l.warehouse_zone_id, z.name as warehouse_zone_name, l.walking_order, l.is_pickface,
  d.id as partner_product_id, d.code as partner_product_code, d.name as partner_product_name,
  l.aisle, l.bay, l.level, l.x, l.y, l.width, l.depth, l.max_weight_kg as "maxWeightKG",
  l.max_volume_m3 as "maxVolumeM3", l.max_units,
  case when ${maySeeQuantities(actor)} then l.min_quantity end as min_quantity,
  case when ${maySeeQuantities(actor)} then l.target_quantity end as target_quantity`

const locationsWithNames = (actor: Actor): Sql => sql`warehouse_location l
  left join warehouse_zone z on z.organisation_id = l.organisation_id and z.id = l.warehouse_zone_id
  left join product d on d.organisation_id = l.organisation_id and d.id = l.product_id
    ${actor.partnerId === null ? empty : sql`and d.partner_id = ${actor.partnerId}`}`

/**
 * Refuses (400, Verification Failed) a zone that is not of this warehouse and a product that does not exist,
 * each by its field.
 */
async function verifyLocationReferences(
  db: Db,
  actor: Actor,
  warehouseId: string,
  body: Body,
): Promise<void> {
  const { warehouseZoneId, partnerProductId } = body
  if (!warehouseZoneId && !partnerProductId) return
  const exists = await db.row<{ zone: boolean; product: boolean }>(sql`
    select
      exists (
        select from warehouse_zone
        where organisation_id = ${actor.organisationId} and warehouse_id = ${warehouseId}
          and id = ${warehouseZoneId}
      ) as zone,
      exists (
        select from product where organisation_id = ${actor.organisationId} and id = ${partnerProductId}
      ) as product`)
  const faults = [
    ...(warehouseZoneId && !exists.zone
      ? [faultAt('warehouseZoneId', 'does not refer to a zone of this warehouse', 'unknown_reference')]
      : []),
    ...(partnerProductId && !exists.product
      ? [faultAt('partnerProductId', 'does not refer to a product', 'unknown_reference')]
      : []),
  ]
  if (faults.length > 0) throw verificationFailed(...faults)
}

export const locations = [
  endpoint({
    get: '/v1/warehouses/:warehouseId/locations',
    name: 'listWarehouseLocations',
    partners: 'clients',
    scope: 'warehouse.read',
    extension: true,
    summary: 'List the locations of a warehouse',
    query: pageQuery({
      SearchText: searchIn('name'),
      Status: Type.Optional(IntegerEnum(WarehouseStatus)),
      Type: Type.Optional(IntegerEnum(LocationType)),
      WarehouseZoneId: Type.Optional({ ...Uuid, description: 'The zone that a location is in.' }),
      IsPickface: Type.Optional(Type.Boolean()),
    }),
    response: json(pageOf('locations', WarehouseLocation)),
    async handle({ db, actor, params, query }) {
      await requireWarehouse(db, actor, params.warehouseId)
      const { WarehouseZoneId: zoneId } = query
      return readPage(db, 'locations', query, {
        columns: columns(actor),
        from: sql`${locationsWithNames(actor)} where l.organisation_id = ${actor.organisationId}
          and l.warehouse_id = ${params.warehouseId}
          ${query.SearchText ? sql`and lower(l.name) like containing(${query.SearchText})` : empty}
          ${query.Status === undefined ? empty : sql`and l.status = ${query.Status}`}
          ${query.Type === undefined ? empty : sql`and l.type = ${query.Type}`}
          ${zoneId === undefined ? empty : sql`and l.warehouse_zone_id = ${zoneId}`}
          ${query.IsPickface === undefined ? empty : sql`and l.is_pickface = ${query.IsPickface}`}`,
        order: sql`lower(l.name), l.id`,
      })
    },
  }),
  endpoint({
    get: '/v1/warehouses/:warehouseId/locations/:warehouseLocationId',
    name: 'getWarehouseLocation',
    partners: 'clients',
    scope: 'warehouse.read',
    extension: true,
    summary: 'Read a location of a warehouse',
    response: json(WarehouseLocation),
    async handle({ db, actor, params }) {
      const location = await db.maybe<Static<typeof WarehouseLocation>>(sql`
        select ${columns(actor)} from ${locationsWithNames(actor)}
        where l.organisation_id = ${actor.organisationId} and l.warehouse_id = ${params.warehouseId}
          and l.id = ${params.warehouseLocationId}`)
      if (location === undefined) throw notFound('Warehouse location')
      return location
    },
  }),
  endpoint({
    post: '/v1/warehouses/:warehouseId/locations',
    name: 'createWarehouseLocation',
    partners: 'none',
    scope: 'warehouse',
    extension: true,
    summary: 'Create a location in a warehouse',
    body: NewLocation,
    response: created('warehouseLocationId', Type.Object({ warehouseLocationId: Uuid })),
    refuses: [409],
    async handle({ tx, actor, params, body }) {
      await requireWarehouse(tx, actor, params.warehouseId)
      await verifyLocationReferences(tx, actor, params.warehouseId, body)
      await refuseNameOfInactive(tx, actor, params.warehouseId, body.name)
      const id = uuidv7()
      const row = {
        organisationId: actor.organisationId,
        id,
        warehouseId: params.warehouseId,
        ...givenFields(toRow(body), columnNames),
      }
      await refuseViolations(tx.run(insertInto('warehouse_location', row)), refusals(body))
      return { warehouseLocationId: id }
    },
  }),
  endpoint({
    put: '/v1/warehouses/:warehouseId/locations/:warehouseLocationId',
    name: 'updateWarehouseLocation',
    partners: 'none',
    scope: 'warehouse',
    extension: true,
    summary: 'Change a location of a warehouse',
    description:
      'A location with stock in it cannot become Inactive, and one with allocated stock in it cannot ' +
      'become one of quarantine. One with goods in it cannot become the pickface of another product.',
    body: LocationChange,
    response: changed,
    refuses: [409],
    async handle({ tx, actor, params, body }) {
      const where = sql`organisation_id = ${actor.organisationId} and warehouse_id = ${params.warehouseId}
        and id = ${params.warehouseLocationId}`
      await followLocationChange(tx, { ...actor, ...params }, body)
      const location = await tx.maybe(sql`select 1 from warehouse_location where ${where} for no key update`)
      if (location === undefined) throw notFound('Warehouse location')
      await verifyLocationReferences(tx, actor, params.warehouseId, body)
      await refuseNameOfInactive(tx, actor, params.warehouseId, body.name, params.warehouseLocationId)
      return (
        (await refuseViolations(
          tx.run(updateFields('warehouse_location', columnNames, toRow(body), where)),
          refusals(body),
        )) > 0
      )
    },
  }),
]
