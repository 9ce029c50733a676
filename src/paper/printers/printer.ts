// What a printer is, and whether it can print. Spec 2.16, 4.15.

import type { Actor } from '../../access/actor.ts'
import { type Sql, sql } from '../../platform/database/db.ts'
import { IntegerEnum, Name, ShortText, Type } from '../../platform/http/schema.ts'
import { DotsPerMM, PrinterAvailability, PrinterLanguage, PrintType } from '../../vocabulary/paper.ts'
import { SetUpStatus } from '../../vocabulary/reference-data.ts'

/** What a printer prints: 1 labels, 2 documents. */
export type PrinterType = (typeof PrintType)[keyof typeof PrintType]

/** A printer that a job can be submitted to. */
export interface Printer {
  id: string
  name: string
  type: PrinterType
  warehouseId: string
  /** the format it accepts: 1 PDF, 2 ZPL */
  language: (typeof PrinterLanguage)[keyof typeof PrinterLanguage]
  /** the resolution in dots per millimetre; never null for a printer that accepts ZPL */
  dotsPerMM: number | null
  /** the media loaded, by IPP names such as iso_a4_210x297mm */
  media: string[]
}

/** The maximum number of printers of a bridge. */
export const maxPrinters = 200

/** The media loaded in a printer, by their IPP names. */
export const Media = Type.Array(ShortText, {
  maxItems: 50,
  uniqueItems: true,
  examples: [['iso_a4_210x297mm']],
})

/** The settings of a printer, entered by a user or announced by a bridge. */
export const printerSettings = {
  name: Name,
  type: IntegerEnum(PrintType),
  language: IntegerEnum(PrinterLanguage),
  dotsPerMM: IntegerEnum(DotsPerMM),
  media: Media,
}

/** Whether a bridge `b` is online: it has asked for work within the last minute. */
export const isBridgeOnline = sql`coalesce(b.last_seen_utc > now() - interval '60 seconds', false)`

/** Printers `p`, with their bridges `b` if they have one. */
export const printersWithBridges = sql`printer p
  left join printer_bridge b on b.organisation_id = p.organisation_id and b.id = p.printer_bridge_id`

/** Why printer `p` is offline, as a clause such as "it is inactive"; null if it is online. */
export const offlineReason = sql`case
  when p.status = ${SetUpStatus.Inactive} then 'it is inactive'
  when b.id is null then 'no printer bridge announces it'
  when b.status = ${SetUpStatus.Inactive} then 'its printer bridge ' || b.name || ' is inactive'
  when b.last_seen_utc is null then 'its printer bridge ' || b.name || ' has not been heard of yet'
  when not ${isBridgeOnline} then
    'its printer bridge ' || b.name || ' has not been heard of since '
      || to_char(b.last_seen_utc at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') || ' UTC'
  when not p.is_reachable then coalesce(p.reason, 'its printer bridge ' || b.name || ' does not reach it')
  end`

/** The PrinterAvailability of printer `p`. */
export const availability: Sql = sql`case when ${offlineReason} is null
  then ${PrinterAvailability.Online}::int else ${PrinterAvailability.Offline}::int end`

/** Joins bridge `b` to the app `a` that it signs in as. */
export const joinApp = sql`join custom_app a
  on a.organisation_id = b.organisation_id and a.id = b.custom_app_id`

/** Whether app `a` is the one that makes the request. */
export const isCallersApp = ({ clientId }: Actor): Sql => sql`a.client_id = ${clientId}`
