// A bridge announces its printers when it starts. Only the bridge knows their network addresses. Spec 2.16,
// 4.15.

import { endpoint } from '../../../access/endpoint.ts'
import { type Sql, sql } from '../../../platform/database/db.ts'
import { givenFields, updateFields } from '../../../platform/database/write.ts'
import { changed } from '../../../platform/http/endpoint.ts'
import { faultAt } from '../../../platform/http/fault.ts'
import { validationFailed } from '../../../platform/http/refusal.ts'
import { allOptional, named, optional, ShortText, type Static, Type } from '../../../platform/http/schema.ts'
import { newId } from '../../../platform/new-id.ts'
import { PrinterLanguage } from '../../../vocabulary/paper.ts'
import { SetUpStatus } from '../../../vocabulary/reference-data.ts'
import { maxPrinters, printerSettings } from '../printer.ts'
import { type CallingBridge, findActiveBridge } from './bridge.ts'

const { name, type, language, dotsPerMM, media } = printerSettings
const AnnouncedPrinter = Type.Object({ name, type, language, ...allOptional({ dotsPerMM, media }) })
type AnnouncedPrinter = Static<typeof AnnouncedPrinter>

const Announcement = named(
  'AnnouncedPrinters',
  Type.Object({
    printers: Type.Array(AnnouncedPrinter, { maxItems: maxPrinters }),
    version: optional({ ...ShortText, description: 'The version of the bridge program.' }),
  }),
)

export const announcePrinters = [
  endpoint({
    put: '/v1/printer-bridges/:printerBridgeId/printers',
    name: 'announcePrinters',
    partners: 'none',
    scope: 'print',
    extension: true,
    isAdministration: true,
    summary: 'Announce printers as a printer bridge',
    description:
      'For the app of the bridge only. Lists all printers of the bridge. It takes over printers of the ' +
      'warehouse with the same names, and the others are created. Its printers that are no longer listed ' +
      'become inactive. A printer that a user has deactivated stays inactive.',
    body: Announcement,
    response: changed,
    async handle({ tx, actor, params, body }) {
      refuseFaults(body.printers)
      const bridge = await findActiveBridge(tx, actor, params.printerBridgeId)
      let count = await tx.run(
        updateFields(
          'printer_bridge',
          ['version'],
          givenFields(body, ['version']),
          sql`organisation_id = ${bridge.organisationId} and id = ${bridge.id}`,
        ),
      )
      for (const statement of announcementStatements(bridge, body.printers)) count += await tx.run(statement)
      return count > 0
    },
  }),
]

/** Refuses (400) duplicate names, and ZPL printers without a resolution. */
function refuseFaults(printers: readonly AnnouncedPrinter[]): void {
  const names = printers.map(printer => printer.name.toLowerCase())
  const faults = printers.flatMap((printer, i) => [
    ...(names.indexOf(printer.name.toLowerCase()) < i
      ? [faultAt(`printers[${i}].name`, `is listed twice: ${printer.name}`, 'duplicate')]
      : []),
    ...(printer.language === PrinterLanguage.Zpl && !printer.dotsPerMM
      ? [faultAt(`printers[${i}].dotsPerMM`, 'is required with language 2 (Zpl)', 'required')]
      : []),
  ])
  if (faults.length > 0) throw validationFailed(...faults)
}

/** Statements that release printers no longer announced, take over known ones and create new ones. */
function announcementStatements(bridge: CallingBridge, printers: readonly AnnouncedPrinter[]): Sql[] {
  const { organisationId, id, warehouseId } = bridge
  const rows = JSON.stringify(
    printers.map(printer => ({ ...printer, id: newId(), media: printer.media ?? [] })),
  )
  const announced = sql`json_to_recordset(${rows}) as r (id uuid, name text, type smallint,
    language smallint, "dotsPerMM" smallint, media text[])`
  const isOwn = sql`p.organisation_id = ${organisationId} and p.printer_bridge_id = ${id}`
  const announcedColumns = sql`r.name, r.type, r.language, r."dotsPerMM", r.media`
  return [
    sql`
      update printer p set status = ${SetUpStatus.Inactive}, printer_bridge_id = null, is_default = false,
        is_reachable = false, reason = null
      where ${isOwn} and lower(p.name) not in (select lower(r.name) from ${announced})`,
    // A printer without a bridge was inactive only for lack of one, so it becomes active. It counts as
    // unreachable until its new bridge reports that it can reach it.
    sql`
      update printer p set printer_bridge_id = ${id}, name = r.name, type = r.type, language = r.language,
        dots_per_mm = r."dotsPerMM", media = r.media, is_default = p.is_default and p.type = r.type,
        status = case when p.printer_bridge_id is null then ${SetUpStatus.Active} else p.status end,
        is_reachable = p.is_reachable and p.printer_bridge_id = ${id}
      from ${announced}
      where p.organisation_id = ${organisationId} and p.warehouse_id = ${warehouseId}
        and lower(p.name) = lower(r.name)
        and (p.printer_bridge_id, p.name, p.type, p.language, p.dots_per_mm, p.media)
          is distinct from (${id}::uuid, ${announcedColumns})`,
    sql`
      insert into printer (organisation_id, id, warehouse_id, printer_bridge_id, name, type, language,
        dots_per_mm, media)
      select ${organisationId}::uuid, r.id, ${warehouseId}::uuid, ${id}::uuid, ${announcedColumns}
      from ${announced}
      on conflict (organisation_id, warehouse_id, lower(name)) do nothing`,
  ]
}
