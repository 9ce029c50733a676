// The printers that a bridge announces when it starts. It knows how to reach them, the service does not. Spec
// 2.16, 4.15.

import { type Sql, sql } from '../../platform/database/db.ts'
import { givenFields, updateFields } from '../../platform/database/write.ts'
import { changed, endpoint } from '../../platform/http/endpoint.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { validationFailed } from '../../platform/http/refusal.ts'
import { allOptional, named, optional, ShortText, type Static, Type } from '../../platform/http/schema.ts'
import { newId } from '../../platform/new-id.ts'
import { SetUpStatus } from '../../reference-data/enumerations.ts'
import { activeBridge, type OwnBridge } from './bridge.ts'
import { PrinterLanguage } from './enumerations.ts'
import { announcedFields, maxPrinters } from './printer.ts'

const { name, type, language, dotsPerMM, media } = announcedFields
const Announced = Type.Object({ name, type, language, ...allOptional({ dotsPerMM, media }) })
type Announced = Static<typeof Announced>

const Announcement = named(
  'AnnouncedPrinters',
  Type.Object({
    printers: Type.Array(Announced, { maxItems: maxPrinters }),
    version: optional({ ...ShortText, description: 'Of the program.' }),
  }),
)

export const announcedPrinters = [
  endpoint({
    put: '/v1/printer-bridges/:printerBridgeId/printers',
    name: 'announcePrinters',
    partners: 'none',
    scope: 'print',
    extension: true,
    isAdministration: true,
    summary: 'Announce printers as a printer bridge',
    description:
      'For the app of the bridge alone: all printers that it reaches. Those that the warehouse has by name ' +
      'become its own, others are created; what it does not name any more becomes inactive. One that a ' +
      'person has made inactive stays so.',
    body: Announcement,
    answer: changed,
    async handle({ tx, actor, params, body }) {
      refuseFaults(body.printers)
      const bridge = await activeBridge(tx, actor, params.printerBridgeId)
      let count = await tx.run(
        updateFields(
          'printer_bridge',
          ['version'],
          givenFields(body, ['version']),
          sql`organisation_id = ${bridge.organisationId} and id = ${bridge.id}`,
        ),
      )
      for (const statement of takingOver(bridge, body.printers)) count += await tx.run(statement)
      return count > 0
    },
  }),
]

/** Refuses (400) a name that is there twice, and a ZPL printer of which nobody knows how fine it prints. */
function refuseFaults(printers: readonly Announced[]): void {
  const names = printers.map(each => each.name.toLowerCase())
  const faults = printers.flatMap((each, i) => [
    ...(names.indexOf(each.name.toLowerCase()) < i
      ? [faultAt(`printers[${i}].name`, `is there twice: ${each.name}`, 'duplicate')]
      : []),
    ...(each.language === PrinterLanguage.Zpl && !each.dotsPerMM
      ? [faultAt(`printers[${i}].dotsPerMM`, 'is required with language 2 (Zpl)', 'required')]
      : []),
  ])
  if (faults.length > 0) throw validationFailed(...faults)
}

/** Takes over the printers that are there, adds those that are not, and lets go of the others. */
function takingOver(bridge: OwnBridge, printers: readonly Announced[]): Sql[] {
  const { organisationId, id, warehouseId } = bridge
  const rows = JSON.stringify(printers.map(each => ({ ...each, id: newId(), media: each.media ?? [] })))
  const announced = sql`json_to_recordset(${rows}) as r (id uuid, name text, type smallint,
    language smallint, "dotsPerMM" smallint, media text[])`
  const isOwn = sql`p.organisation_id = ${organisationId} and p.printer_bridge_id = ${id}`
  const said = sql`r.name, r.type, r.language, r."dotsPerMM", r.media`
  return [
    sql`
      update printer p set status = ${SetUpStatus.Inactive}, printer_bridge_id = null, is_default = false,
        is_reachable = false, reason = null
      where ${isOwn} and lower(p.name) not in (select lower(r.name) from ${announced})`,
    // A printer that nobody announced is inactive for that reason alone. Until the bridge says so, it is not
    // known to reach it.
    sql`
      update printer p set printer_bridge_id = ${id}, name = r.name, type = r.type, language = r.language,
        dots_per_mm = r."dotsPerMM", media = r.media, is_default = p.is_default and p.type = r.type,
        status = case when p.printer_bridge_id is null then ${SetUpStatus.Active} else p.status end,
        is_reachable = p.is_reachable and p.printer_bridge_id = ${id}
      from ${announced}
      where p.organisation_id = ${organisationId} and p.warehouse_id = ${warehouseId}
        and lower(p.name) = lower(r.name)
        and (p.printer_bridge_id, p.name, p.type, p.language, p.dots_per_mm, p.media)
          is distinct from (${id}::uuid, ${said})`,
    sql`
      insert into printer (organisation_id, id, warehouse_id, printer_bridge_id, name, type, language,
        dots_per_mm, media)
      select ${organisationId}::uuid, r.id, ${warehouseId}::uuid, ${id}::uuid, ${said} from ${announced}
      on conflict (organisation_id, warehouse_id, lower(name)) do nothing`,
  ]
}
