// Endpoints of logistic units: pallets, cages and cartons with a number of their own. Spec 2.14.

import type { Actor } from '../../access/actor.ts'
import { endpoint } from '../../access/endpoint.ts'
import { type Db, empty, sql } from '../../platform/database/db.ts'
import { refuseViolations } from '../../platform/database/errors.ts'
import { updateFields } from '../../platform/database/write.ts'
import { changed, created, json } from '../../platform/http/endpoint.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { contains, pageOf, pageQuery, readPage, searchIn } from '../../platform/http/paging.ts'
import { duplicate, notFound, verificationFailed } from '../../platform/http/refusal.ts'
import {
  clearable,
  named,
  nullable,
  optional,
  ShortText,
  type Static,
  Type,
  UtcTime,
  Uuid,
} from '../../platform/http/schema.ts'
import { Relationship } from '../../vocabulary/partners.ts'
import { WarehouseStatus } from '../../vocabulary/warehouses.ts'
import { isEmptyUnit, leftWithId } from './left-with.ts'
import { createUnits, Sscc } from './unit-references.ts'

const LogisticUnit = named(
  'LogisticUnit',
  Type.Object({
    id: Uuid,
    logisticUnitNumber: Type.String(),
    partnerId: Uuid,
    partnerName: Type.String(),
    ssccNumber: nullable(Type.String()),
    referenceNumber: nullable(Type.String()),
    warehouseId: Uuid,
    warehouseName: Type.String(),
    warehouseLocationId: Uuid,
    warehouseLocationName: Type.String(),
    isEmpty: Type.Boolean(),
    leftWith: nullable({
      ...Type.Object({ consignmentId: Uuid, consignmentNumber: Type.String() }),
      description:
        'The consignment with which it left, from the location that it is told in; null while it is here.',
    }),
    createdUtc: UtcTime,
  }),
)

const columns = sql`u.id, u.logistic_unit_number, u.partner_id, p.name as partner_name, u.sscc_number,
  u.reference_number, u.warehouse_id, w.name as warehouse_name, u.warehouse_location_id,
  l.name as warehouse_location_name, ${isEmptyUnit} as is_empty, (
    select json_build_object('consignmentId', c.id, 'consignmentNumber', c.consignment_number)
    from consignment c where c.organisation_id = u.organisation_id and c.id = ${leftWithId}
  ) as left_with, u.created_utc`
const tables = sql`logistic_unit u
  join partner p on p.organisation_id = u.organisation_id and p.id = u.partner_id
  join warehouse w on w.organisation_id = u.organisation_id and w.id = u.warehouse_id
  join warehouse_location l on l.organisation_id = u.organisation_id and l.id = u.warehouse_location_id`
const visibleUnits = ({ organisationId, partnerId }: Actor) => sql`u.organisation_id = ${organisationId}
  ${partnerId ? sql`and u.partner_id = ${partnerId}` : empty}`

const identifiers = {
  ssccNumber: Sscc,
  referenceNumber: ShortText,
}
const NewUnit = named(
  'NewLogisticUnit',
  Type.Object({
    logisticUnitId: optional({ ...Uuid, description: 'an id chosen by the caller; by default a new one' }),
    partnerId: Uuid,
    warehouseId: Uuid,
    warehouseLocationId: Uuid,
    ssccNumber: optional(identifiers.ssccNumber),
    referenceNumber: optional(identifiers.referenceNumber),
    generateSscc: optional({
      ...Type.Boolean(),
      description: 'whether to generate an SSCC with the client’s gs1CompanyPrefix',
    }),
  }),
)

const refusals = {
  logistic_unit_pkey: () => duplicate('id', 'A logistic unit with this id already exists.'),
  logistic_unit_sscc_key: () => duplicate('ssccNumber', 'A logistic unit with this SSCC already exists.'),
  logistic_unit_reference_key: () =>
    duplicate('referenceNumber', 'The client already has a logistic unit with this reference.'),
}

/** Refuses (400) an unknown client or location. Returns the client's GS1 company prefix, if it has one. */
async function verifyReferences(
  db: Db,
  { organisationId }: Actor,
  body: Static<typeof NewUnit>,
): Promise<string | null> {
  const known = await db.row<{ isClient: boolean; prefix: string | null; isLocationKnown: boolean }>(sql`
    select p.id is not null as is_client, p.gs1_company_prefix as prefix, exists (
      select from warehouse_location l where l.organisation_id = ${organisationId}
        and l.warehouse_id = ${body.warehouseId} and l.id = ${body.warehouseLocationId}
        and l.status = ${WarehouseStatus.Active}) as is_location_known
    from (select) x left join partner p on p.organisation_id = ${organisationId}
      and p.id = ${body.partnerId} and p.relationship = ${Relationship.Client}`)
  const faults = [
    ...(known.isClient ? [] : [faultAt('partnerId', 'does not refer to a client', 'unknown_reference')]),
    ...(known.isLocationKnown
      ? []
      : [
          faultAt(
            'warehouseLocationId',
            'does not refer to an active location of the warehouse',
            'unknown_reference',
          ),
        ]),
    ...(known.isClient && body.generateSscc && known.prefix === null
      ? [
          faultAt(
            'generateSscc',
            'needs a client with a gs1CompanyPrefix: set it, or give an SSCC',
            'required',
          ),
        ]
      : []),
  ]
  if (faults.length > 0) throw verificationFailed(...faults)
  return known.prefix
}

export const logisticUnits = [
  endpoint({
    get: '/v1/logistic-units',
    name: 'listLogisticUnits',
    partners: 'clients',
    scope: 'inventory.read',
    extension: true,
    summary: 'List logistic units, the newest first',
    query: pageQuery({
      SearchText: searchIn('number, SSCC and reference'),
      PartnerId: Type.Optional(Uuid),
      WarehouseId: Type.Optional(Uuid),
      WarehouseLocationId: Type.Optional(Uuid),
      IsEmpty: Type.Optional(Type.Boolean()),
    }),
    response: json(pageOf('logisticUnits', LogisticUnit)),
    handle({ db, actor, query }) {
      const { SearchText, PartnerId, WarehouseId, WarehouseLocationId, IsEmpty } = query
      return readPage(db, 'logisticUnits', query, {
        columns,
        from: sql`${tables} where ${visibleUnits(actor)}
          ${SearchText ? sql`and ${contains(sql`u.search_text`, SearchText)}` : empty}
          ${PartnerId ? sql`and u.partner_id = ${PartnerId}` : empty}
          ${WarehouseId ? sql`and u.warehouse_id = ${WarehouseId}` : empty}
          ${WarehouseLocationId ? sql`and u.warehouse_location_id = ${WarehouseLocationId}` : empty}
          ${IsEmpty === undefined ? empty : sql`and ${isEmptyUnit} = ${IsEmpty}`}`,
        order: sql`u.number desc, u.id`,
      })
    },
  }),
  endpoint({
    get: '/v1/logistic-units/:logisticUnitId',
    name: 'getLogisticUnit',
    partners: 'clients',
    scope: 'inventory.read',
    extension: true,
    summary: 'Read a logistic unit',
    response: json(LogisticUnit),
    async handle({ db, actor, params }) {
      const unit = await db.maybe<Static<typeof LogisticUnit>>(sql`
        select ${columns} from ${tables} where ${visibleUnits(actor)} and u.id = ${params.logisticUnitId}`)
      if (unit === undefined) throw notFound('Logistic unit')
      return unit
    },
  }),
  endpoint({
    post: '/v1/logistic-units',
    name: 'createLogisticUnit',
    partners: 'none',
    scope: 'inventory',
    extension: true,
    summary: 'Create an empty logistic unit',
    body: NewUnit,
    response: created(
      'logisticUnitId',
      Type.Object({ logisticUnitId: Uuid, logisticUnitNumber: Type.String() }),
    ),
    refuses: [409],
    async handle({ tx, actor, body }) {
      const { organisationId } = actor
      const gs1CompanyPrefix = await verifyReferences(tx, actor, body)
      const { partnerId, warehouseId, warehouseLocationId, ...unit } = body
      const place = { partnerId, warehouseId, warehouseLocationId, gs1CompanyPrefix }
      const [id = ''] = await refuseViolations(createUnits(tx, actor, [{ unit, ...place }]), refusals)
      const { logisticUnitNumber } = await tx.row<{ logisticUnitNumber: string }>(sql`
        select logistic_unit_number from logistic_unit where organisation_id = ${organisationId}
          and id = ${id}`)
      return { logisticUnitId: id, logisticUnitNumber }
    },
  }),
  endpoint({
    put: '/v1/logistic-units/:logisticUnitId',
    name: 'updateLogisticUnit',
    partners: 'none',
    scope: 'inventory',
    extension: true,
    summary: 'Change the SSCC or the reference of a logistic unit',
    body: named(
      'LogisticUnitChange',
      Type.Object({
        ssccNumber: optional(identifiers.ssccNumber),
        referenceNumber: clearable(identifiers.referenceNumber),
      }),
    ),
    response: changed,
    refuses: [409],
    async handle({ tx, actor, params, body }) {
      const where = sql`organisation_id = ${actor.organisationId} and id = ${params.logisticUnitId}`
      const unit = await tx.maybe(sql`select 1 from logistic_unit where ${where} for no key update`)
      if (unit === undefined) throw notFound('Logistic unit')
      const update = updateFields('logistic_unit', ['ssccNumber', 'referenceNumber'], body, where)
      return (await refuseViolations(tx.run(update), refusals)) > 0
    },
  }),
]
