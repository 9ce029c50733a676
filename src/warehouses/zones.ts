// Endpoints of the zones of a warehouse. Spec 2.14; decision 8.

import { v7 as uuidv7 } from 'uuid'
import type { Actor } from '../access/actor.ts'
import { endpoint } from '../access/endpoint.ts'
import { empty, sql, type Tx } from '../platform/database/db.ts'
import { refuseViolations } from '../platform/database/errors.ts'
import { givenFields, insertInto, updateFields } from '../platform/database/write.ts'
import { changed, created, json } from '../platform/http/endpoint.ts'
import { pageOf, pageQuery, readPage, searchIn } from '../platform/http/paging.ts'
import { duplicate, notFound } from '../platform/http/refusal.ts'
import {
  allClearable,
  allOmittable,
  allOptional,
  Code,
  IntegerEnum,
  Name,
  named,
  nullable,
  type Static,
  Type,
  Uuid,
} from '../platform/http/schema.ts'
import { refuseCodeOfInactive } from '../platform/unique-code.ts'
import { WarehouseStatus } from '../vocabulary/warehouses.ts'
import { requireWarehouse } from './warehouse.ts'

const WarehouseZone = named(
  'WarehouseZone',
  Type.Object({
    id: Uuid,
    warehouseId: Uuid,
    name: Type.String(),
    code: nullable(Type.String()),
    status: IntegerEnum(WarehouseStatus),
  }),
)

const requiredFields = { name: Name, status: IntegerEnum(WarehouseStatus) }
const optionalFields = { code: Code }
const fields = { ...requiredFields, ...optionalFields }
const fieldNames = Object.keys(fields) as (keyof typeof fields)[]

const NewZone = named('NewWarehouseZone', Type.Object({ ...allOptional(fields), name: fields.name }))
const ZoneChange = named(
  'WarehouseZoneChange',
  Type.Object({ ...allOmittable(requiredFields), ...allClearable(optionalFields) }),
)

const columns = sql`z.id, z.warehouse_id, z.name, z.code, z.status`

type UniqueFields = { name?: string; code?: string | null }
const keyTakenMessage = (key: keyof UniqueFields, value: string | null | undefined) =>
  `The warehouse already has a zone with the ${key} ${value}`
const refusals = ({ name, code }: UniqueFields) => ({
  warehouse_zone_name_key: () => duplicate('name', `${keyTakenMessage('name', name)}.`),
  warehouse_zone_code_key: () => duplicate('code', `${keyTakenMessage('code', code)}.`),
})

/** Refuses (409) a name or a code that an inactive zone of the warehouse has. */
async function refuseKeysOfInactive(
  tx: Tx,
  actor: Actor,
  warehouseId: string,
  body: UniqueFields,
  ownId?: string,
) {
  for (const key of ['name', 'code'] as const)
    await refuseCodeOfInactive(tx, {
      table: 'warehouse_zone',
      column: key,
      value: body[key],
      scope: sql`organisation_id = ${actor.organisationId} and warehouse_id = ${warehouseId}`,
      ...(ownId === undefined ? {} : { ownId }),
      inactiveStatus: WarehouseStatus.Inactive,
      activeStatus: WarehouseStatus.Active,
      takenMessage: keyTakenMessage(key, body[key]),
      path: `/v1/warehouses/${warehouseId}/zones`,
    })
}

export const zones = [
  endpoint({
    get: '/v1/warehouses/:warehouseId/zones',
    name: 'listWarehouseZones',
    partners: 'clients',
    scope: 'warehouse.read',
    extension: true,
    summary: 'List the zones of a warehouse',
    query: pageQuery({
      SearchText: searchIn('name and code'),
      Status: Type.Optional(IntegerEnum(WarehouseStatus)),
    }),
    response: json(pageOf('zones', WarehouseZone)),
    async handle({ db, actor, params, query }) {
      await requireWarehouse(db, actor, params.warehouseId)
      return readPage(db, 'zones', query, {
        columns,
        from: sql`warehouse_zone z where z.organisation_id = ${actor.organisationId}
          and z.warehouse_id = ${params.warehouseId}
          ${
            query.SearchText
              ? sql`and lower(z.name || E'\n' || coalesce(z.code, '')) like containing(${query.SearchText})`
              : empty
          }
          ${query.Status === undefined ? empty : sql`and z.status = ${query.Status}`}`,
        order: sql`z.name, z.id`,
      })
    },
  }),
  endpoint({
    get: '/v1/warehouses/:warehouseId/zones/:warehouseZoneId',
    name: 'getWarehouseZone',
    partners: 'clients',
    scope: 'warehouse.read',
    extension: true,
    summary: 'Read a zone of a warehouse',
    response: json(WarehouseZone),
    async handle({ db, actor, params }) {
      const zone = await db.maybe<Static<typeof WarehouseZone>>(sql`
        select ${columns} from warehouse_zone z
        where z.organisation_id = ${actor.organisationId} and z.warehouse_id = ${params.warehouseId}
          and z.id = ${params.warehouseZoneId}`)
      if (zone === undefined) throw notFound('Warehouse zone')
      return zone
    },
  }),
  endpoint({
    post: '/v1/warehouses/:warehouseId/zones',
    name: 'createWarehouseZone',
    partners: 'none',
    scope: 'warehouse',
    extension: true,
    summary: 'Create a zone in a warehouse',
    body: NewZone,
    response: created('warehouseZoneId', Type.Object({ warehouseZoneId: Uuid })),
    refuses: [409],
    async handle({ tx, actor, params, body }) {
      await requireWarehouse(tx, actor, params.warehouseId)
      await refuseKeysOfInactive(tx, actor, params.warehouseId, body)
      const id = uuidv7()
      const row = {
        organisationId: actor.organisationId,
        id,
        warehouseId: params.warehouseId,
        ...givenFields(body, fieldNames),
      }
      await refuseViolations(tx.run(insertInto('warehouse_zone', row)), refusals(body))
      return { warehouseZoneId: id }
    },
  }),
  endpoint({
    put: '/v1/warehouses/:warehouseId/zones/:warehouseZoneId',
    name: 'updateWarehouseZone',
    partners: 'none',
    scope: 'warehouse',
    extension: true,
    summary: 'Change a zone of a warehouse',
    body: ZoneChange,
    response: changed,
    refuses: [409],
    async handle({ tx, actor, params, body }) {
      const where = sql`organisation_id = ${actor.organisationId} and warehouse_id = ${params.warehouseId}
        and id = ${params.warehouseZoneId}`
      const zone = await tx.maybe(sql`select 1 from warehouse_zone where ${where} for no key update`)
      if (zone === undefined) throw notFound('Warehouse zone')
      await refuseKeysOfInactive(tx, actor, params.warehouseId, body, params.warehouseZoneId)
      return (
        (await refuseViolations(
          tx.run(updateFields('warehouse_zone', fieldNames, body, where)),
          refusals(body),
        )) > 0
      )
    },
  }),
]
