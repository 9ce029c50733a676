// The zones of a warehouse. Spec 2.14; open-points 8.

import { v7 as uuidv7 } from 'uuid'
import { empty, sql } from '../platform/database/db.ts'
import { refuseViolations } from '../platform/database/errors.ts'
import { givenFields, insertInto, updateFields } from '../platform/database/write.ts'
import { changed, created, endpoint, json } from '../platform/http/endpoint.ts'
import { pageOf, pageQuery, readPage, searchIn } from '../platform/http/paging.ts'
import { conflict, notFound } from '../platform/http/refusal.ts'
import {
  Code,
  changeables,
  emptiables,
  IntegerEnum,
  Name,
  named,
  nullable,
  optionals,
  type Static,
  Type,
  Uuid,
} from '../platform/http/schema.ts'
import { WarehouseStatus } from './enumerations.ts'
import { requireWarehouse } from './warehouse.ts'

/** A zone of a warehouse. */
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

const required = { name: Name, status: IntegerEnum(WarehouseStatus) }
const unrequired = { code: Code }
const fields = { ...required, ...unrequired }
const fieldNames = Object.keys(fields) as (keyof typeof fields)[]

const NewZone = named('NewWarehouseZone', Type.Object({ ...optionals(fields), name: fields.name }))
const ZoneChange = named(
  'WarehouseZoneChange',
  Type.Object({ ...changeables(required), ...emptiables(unrequired) }),
)

const columns = sql`z.id, z.warehouse_id, z.name, z.code, z.status`

const refusals = ({ name, code }: { name?: string; code?: string | null }) => ({
  warehouse_zone_name_key: () => conflict(`The warehouse has a zone with the name ${name} already.`),
  warehouse_zone_code_key: () => conflict(`The warehouse has a zone with the code ${code} already.`),
})

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
    answer: json(pageOf('zones', WarehouseZone)),
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
    answer: json(WarehouseZone),
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
    answer: created('warehouseZoneId', Type.Object({ warehouseZoneId: Uuid })),
    refuses: [409],
    async handle({ tx, actor, params, body }) {
      await requireWarehouse(tx, actor, params.warehouseId)
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
    answer: changed,
    refuses: [409],
    async handle({ tx, actor, params, body }) {
      const where = sql`organisation_id = ${actor.organisationId} and warehouse_id = ${params.warehouseId}
        and id = ${params.warehouseZoneId}`
      const zone = await tx.maybe(sql`select 1 from warehouse_zone where ${where} for no key update`)
      if (zone === undefined) throw notFound('Warehouse zone')
      return (
        (await refuseViolations(
          tx.run(updateFields('warehouse_zone', fieldNames, body, where)),
          refusals(body),
        )) > 0
      )
    },
  }),
]
