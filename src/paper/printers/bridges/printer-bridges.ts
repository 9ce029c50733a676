// Printer bridges: the programs that reach the printers of a warehouse. Spec 4.15; decision 8.

import { type Endpoint, endpoint } from '../../../access/endpoint.ts'
import { requireScope } from '../../../access/scopes.ts'
import { createCustomApp } from '../../../custom-apps/create-app.ts'
import { empty, sql } from '../../../platform/database/db.ts'
import { refuseViolations } from '../../../platform/database/errors.ts'
import { insertInto, updateFields } from '../../../platform/database/write.ts'
import { changed, created, json } from '../../../platform/http/endpoint.ts'
import { faultAt } from '../../../platform/http/fault.ts'
import { pageOf, pageQuery, readPage, searchIn } from '../../../platform/http/paging.ts'
import { duplicate, notFound, verificationFailed } from '../../../platform/http/refusal.ts'
import {
  allOmittable,
  IntegerEnum,
  Name,
  named,
  nullable,
  type Static,
  Type,
  UtcTime,
  Uuid,
} from '../../../platform/http/schema.ts'
import { newId } from '../../../platform/new-id.ts'
import type { SecretBox } from '../../../platform/secret-box.ts'
import { GrantType } from '../../../vocabulary/organisations.ts'
import { SetUpStatus } from '../../../vocabulary/reference-data.ts'
import { isBridgeOnline } from '../printer.ts'

const PrinterBridge = named(
  'PrinterBridge',
  Type.Object({
    id: Uuid,
    name: Type.String(),
    warehouseId: Uuid,
    customAppId: { ...Uuid, description: 'The custom app that the bridge signs in as.' },
    clientId: Type.String(),
    version: nullable(Type.String()),
    lastSeenUtc: nullable(UtcTime),
    isOnline: Type.Boolean({ description: 'Whether the bridge has asked for work within the last minute.' }),
    status: IntegerEnum(SetUpStatus),
  }),
)

const fields = { name: Name, status: IntegerEnum(SetUpStatus) }
const columns = sql`b.id, b.name, b.warehouse_id, b.custom_app_id, a.client_id, b.version, b.last_seen_utc,
  ${isBridgeOnline} as is_online, b.status`
const bridges = sql`printer_bridge b
  join custom_app a on a.organisation_id = b.organisation_id and a.id = b.custom_app_id`

const refusals = (name: string | undefined) => ({
  printer_bridge_name_key: () => duplicate('name', `A printer bridge with the name ${name} already exists.`),
  printer_bridge_warehouse_fkey: () =>
    verificationFailed(faultAt('warehouseId', 'does not refer to a warehouse', 'unknown_reference')),
})

/** The endpoints of printer bridges; `secretBox` encrypts the secrets of their apps. */
export const printerBridges = ({ secretBox }: { secretBox: SecretBox }): Endpoint[] => [
  endpoint({
    get: '/v1/printer-bridges',
    name: 'listPrinterBridges',
    partners: 'none',
    scope: 'warehouse.read',
    extension: true,
    summary: 'List printer bridges',
    query: pageQuery({
      SearchText: searchIn('name'),
      WarehouseId: Type.Optional(Uuid),
      Status: Type.Optional(IntegerEnum(SetUpStatus)),
    }),
    response: json(pageOf('printerBridges', PrinterBridge)),
    handle: ({ db, actor, query }) =>
      readPage(db, 'printerBridges', query, {
        columns,
        from: sql`${bridges} where b.organisation_id = ${actor.organisationId}
          ${query.SearchText ? sql`and lower(b.name) like containing(${query.SearchText})` : empty}
          ${query.WarehouseId === undefined ? empty : sql`and b.warehouse_id = ${query.WarehouseId}`}
          ${query.Status === undefined ? empty : sql`and b.status = ${query.Status}`}`,
        order: sql`b.name, b.id`,
      }),
  }),
  endpoint({
    get: '/v1/printer-bridges/:printerBridgeId',
    name: 'getPrinterBridge',
    partners: 'none',
    scope: 'warehouse.read',
    extension: true,
    summary: 'Read a printer bridge',
    response: json(PrinterBridge),
    async handle({ db, actor, params }) {
      const bridge = await db.maybe<Static<typeof PrinterBridge>>(sql`
        select ${columns} from ${bridges}
        where b.organisation_id = ${actor.organisationId} and b.id = ${params.printerBridgeId}`)
      if (bridge === undefined) throw notFound('Printer bridge')
      return bridge
    },
  }),
  endpoint({
    post: '/v1/printer-bridges',
    name: 'createPrinterBridge',
    partners: 'none',
    scope: 'organisation',
    extension: true,
    summary: 'Create a printer bridge',
    description:
      'Creates the custom app that the bridge signs in as, with only the scope `print`. This response is ' +
      'the only one that contains the secret. The token needs the scope `warehouse` too.',
    body: named('NewPrinterBridge', Type.Object({ name: Name, warehouseId: Uuid })),
    response: created(
      'printerBridgeId',
      named(
        'PrinterBridgeCredentials',
        Type.Object({ printerBridgeId: Uuid, clientId: Type.String(), clientSecret: Type.String() }),
      ),
    ),
    refuses: [409],
    async handle({ tx, actor, body }) {
      requireScope(actor, 'warehouse')
      const { organisationId, userId } = actor
      const { name, warehouseId } = body
      const app = { organisationId, userId, name: appName(name), grantType: GrantType.ClientCredentials }
      const { customAppId, ...credentials } = await createCustomApp(tx, secretBox, {
        ...app,
        scopes: ['print'],
      })
      const printerBridgeId = newId()
      const bridge = { organisationId, id: printerBridgeId, name, warehouseId, customAppId }
      await refuseViolations(tx.run(insertInto('printer_bridge', bridge)), refusals(name))
      return { printerBridgeId, ...credentials }
    },
  }),
  endpoint({
    put: '/v1/printer-bridges/:printerBridgeId',
    name: 'updatePrinterBridge',
    partners: 'none',
    scope: 'warehouse',
    extension: true,
    isAdministration: true,
    summary: 'Rename, deactivate or reactivate a printer bridge',
    body: named('PrinterBridgeChange', Type.Object(allOmittable(fields))),
    response: changed,
    refuses: [409],
    async handle({ tx, actor, params, body }) {
      const where = sql`organisation_id = ${actor.organisationId} and id = ${params.printerBridgeId}`
      const bridge = await tx.maybe(sql`select from printer_bridge where ${where} for no key update`)
      if (bridge === undefined) throw notFound('Printer bridge')
      const update = updateFields('printer_bridge', Object.keys(fields), body, where)
      return (await refuseViolations(tx.run(update), refusals(body.name))) > 0
    },
  }),
]

/** The name of the custom app of a bridge. */
const appName = (name: string) => `Printer bridge ${name}`.slice(0, 200)
