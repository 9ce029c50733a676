// The endpoints with which users manage printers. Spec 2.16; decision 8.

import type { Actor } from '../../access/actor.ts'
import { endpoint } from '../../access/endpoint.ts'
import { empty, type Sql, sql, type Tx } from '../../platform/database/db.ts'
import { refuseViolations } from '../../platform/database/errors.ts'
import { givenFields, insertInto, updateFields } from '../../platform/database/write.ts'
import { changed, created, json } from '../../platform/http/endpoint.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { pageOf, pageQuery, readPage, searchIn } from '../../platform/http/paging.ts'
import { duplicate, notFound, validationFailed, verificationFailed } from '../../platform/http/refusal.ts'
import {
  allClearable,
  allOmittable,
  allOptional,
  IntegerEnum,
  named,
  nullable,
  type Static,
  Type,
  Uuid,
} from '../../platform/http/schema.ts'
import { newId } from '../../platform/new-id.ts'
import { refuseCodeOfInactive } from '../../platform/unique-code.ts'
import { DotsPerMM, PrinterAvailability, PrinterLanguage, PrintType } from '../../vocabulary/paper.ts'
import { SetUpStatus } from '../../vocabulary/reference-data.ts'
import { availability, offlineReason, printerSettings, printersWithBridges } from './printer.ts'

const { dotsPerMM, ...otherAnnouncedFields } = printerSettings
const requiredFields = {
  ...otherAnnouncedFields,
  isDefault: Type.Boolean({
    description: 'Whether this is the default printer of its warehouse for its type.',
  }),
  keepMinutes: Type.Integer({
    minimum: 1,
    maximum: 10_080,
    description: 'Minutes that a job waits before it is given up. Default: 60.',
  }),
  status: IntegerEnum(SetUpStatus),
}
const nullableFields = { dotsPerMM }
const fields = { ...requiredFields, ...nullableFields }
const fieldNames = Object.keys(fields) as (keyof typeof fields)[]

const PrinterDetail = named(
  'PrinterDetail',
  Type.Object({
    id: Uuid,
    name: Type.String(),
    type: IntegerEnum(PrintType),
    warehouseId: Uuid,
    printerBridgeId: nullable({ ...Uuid, description: 'The bridge that announced the printer.' }),
    language: IntegerEnum(PrinterLanguage),
    dotsPerMM: nullable(IntegerEnum(DotsPerMM)),
    media: Type.Array(Type.String()),
    isDefault: Type.Boolean(),
    keepMinutes: Type.Integer(),
    status: IntegerEnum(SetUpStatus),
    availability: IntegerEnum(PrinterAvailability),
    reason: nullable(Type.String({ description: 'Why the printer is offline.' })),
  }),
)

const columns = sql`p.id, p.name, p.type, p.warehouse_id, p.printer_bridge_id, p.language, p.dots_per_mm,
  p.media, p.is_default, p.keep_minutes, p.status, ${availability} as availability,
  ${offlineReason} as reason`

const taken = (name: string | undefined) => `The warehouse already has a printer with the name ${name}`
const refusals = (name: string | undefined) => ({
  printer_name_key: () => duplicate('name', `${taken(name)}.`),
  printer_warehouse_fkey: () =>
    verificationFailed(faultAt('warehouseId', 'does not refer to a warehouse', 'unknown_reference')),
  printer_zpl: () => validationFailed(faultAt('dotsPerMM', 'is required with language 2 (Zpl)', 'required')),
  printer_default: () =>
    verificationFailed(faultAt('isDefault', 'cannot be true of an inactive printer', 'state')),
})

const refuseNameOfInactive = (
  tx: Tx,
  actor: Actor,
  warehouseId: string,
  name: string | undefined,
  own: { ownId?: string } = {},
) =>
  refuseCodeOfInactive(tx, {
    table: 'printer',
    column: 'name',
    value: name,
    scope: sql`organisation_id = ${actor.organisationId} and warehouse_id = ${warehouseId}`,
    ...own,
    inactiveStatus: SetUpStatus.Inactive,
    activeStatus: SetUpStatus.Active,
    takenMessage: taken(name),
    path: '/v1/printers',
  })

/** Unsets the previous default, because a warehouse has one default printer of each type. */
const clearDefault = (tx: Tx, where: Sql) => tx.run(sql`update printer set is_default = false where ${where}`)

export const printers = [
  endpoint({
    get: '/v1/printers',
    name: 'listPrinters',
    partners: 'none',
    scope: 'warehouse.read',
    extension: true,
    summary: 'List printers',
    query: pageQuery({
      SearchText: searchIn('name'),
      WarehouseId: Type.Optional(Uuid),
      PrinterBridgeId: Type.Optional(Uuid),
      PrintType: Type.Optional(IntegerEnum(PrintType)),
      Status: Type.Optional(IntegerEnum(SetUpStatus)),
    }),
    response: json(pageOf('printers', PrinterDetail)),
    handle: ({ db, actor, query }) =>
      readPage(db, 'printers', query, {
        columns,
        from: sql`${printersWithBridges} where p.organisation_id = ${actor.organisationId}
          ${query.SearchText ? sql`and lower(p.name) like containing(${query.SearchText})` : empty}
          ${query.WarehouseId === undefined ? empty : sql`and p.warehouse_id = ${query.WarehouseId}`}
          ${
            query.PrinterBridgeId === undefined
              ? empty
              : sql`and p.printer_bridge_id = ${query.PrinterBridgeId}`
          }
          ${query.PrintType === undefined ? empty : sql`and p.type = ${query.PrintType}`}
          ${query.Status === undefined ? empty : sql`and p.status = ${query.Status}`}`,
        order: sql`p.name, p.id`,
      }),
  }),
  endpoint({
    get: '/v1/printers/:printerId',
    name: 'getPrinter',
    partners: 'none',
    scope: 'warehouse.read',
    extension: true,
    summary: 'Read a printer',
    response: json(PrinterDetail),
    async handle({ db, actor, params }) {
      const printer = await db.maybe<Static<typeof PrinterDetail>>(sql`
        select ${columns} from ${printersWithBridges}
        where p.organisation_id = ${actor.organisationId} and p.id = ${params.printerId}`)
      if (printer === undefined) throw notFound('Printer')
      return printer
    },
  }),
  endpoint({
    post: '/v1/printers',
    name: 'createPrinter',
    partners: 'none',
    scope: 'warehouse',
    extension: true,
    isAdministration: true,
    summary: 'Create a printer',
    description:
      'The printer is offline until a printer bridge announces its name. Bridges create the printers that ' +
      'they announce, so this endpoint is only needed to set up a printer in advance.',
    body: named(
      'NewPrinter',
      Type.Object({ ...allOptional(fields), name: fields.name, type: fields.type, warehouseId: Uuid }),
    ),
    response: created('printerId', Type.Object({ printerId: Uuid })),
    refuses: [409],
    async handle({ tx, actor, body }) {
      const { organisationId } = actor
      await refuseNameOfInactive(tx, actor, body.warehouseId, body.name)
      if (body.isDefault)
        await clearDefault(
          tx,
          sql`organisation_id = ${organisationId} and warehouse_id = ${body.warehouseId}
            and type = ${body.type} and is_default`,
        )
      const printerId = newId()
      const row = {
        organisationId,
        id: printerId,
        warehouseId: body.warehouseId,
        ...givenFields(body, fieldNames),
      }
      await refuseViolations(tx.run(insertInto('printer', row)), refusals(body.name))
      return { printerId }
    },
  }),
  endpoint({
    put: '/v1/printers/:printerId',
    name: 'updatePrinter',
    partners: 'none',
    scope: 'warehouse',
    extension: true,
    isAdministration: true,
    summary: 'Change, deactivate or reactivate a printer',
    description:
      'The bridge sets name, type, language, dotsPerMM and media again each time it starts; to change them ' +
      'permanently, edit its configuration file. A deactivated printer is no longer the default.',
    body: named(
      'PrinterChange',
      Type.Object({ ...allOmittable(requiredFields), ...allClearable(nullableFields) }),
    ),
    response: changed,
    refuses: [409],
    async handle({ tx, actor, params, body }) {
      const { organisationId } = actor
      const where = sql`organisation_id = ${organisationId} and id = ${params.printerId}`
      const printer = await tx.maybe<{ warehouseId: string; type: number }>(sql`
        select warehouse_id, type from printer where ${where} for no key update`)
      if (printer === undefined) throw notFound('Printer')
      await refuseNameOfInactive(tx, actor, printer.warehouseId, body.name, { ownId: params.printerId })
      const losesDefault = body.status === SetUpStatus.Inactive && body.isDefault === undefined
      const change = { ...body, ...(losesDefault ? { isDefault: false } : {}) }
      if (change.isDefault !== false && (change.isDefault || body.type !== undefined))
        await clearDefault(
          tx,
          sql`organisation_id = ${organisationId} and warehouse_id = ${printer.warehouseId} and is_default
            and type = ${body.type ?? printer.type} and id <> ${params.printerId}
            and (${change.isDefault === true} or exists (
              select from printer where ${where} and is_default))`,
        )
      const update = updateFields('printer', fieldNames, change, where)
      return (await refuseViolations(tx.run(update), refusals(body.name))) > 0
    },
  }),
]
