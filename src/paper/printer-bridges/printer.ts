// What a printer is, and whether something can be printed on it. Spec 2.16, 4.15.

import { type Sql, sql } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { IntegerEnum, Name, ShortText, Type } from '../../platform/http/schema.ts'
import { SetUpStatus } from '../../reference-data/enumerations.ts'
import { DotsPerMM, PrintType } from '../enumerations.ts'
import { PrinterAvailability, PrinterLanguage } from './enumerations.ts'

/** What goes through a printer: 1 labels, 2 documents. */
export type PrinterType = (typeof PrintType)[keyof typeof PrintType]

/** A printer that something may be printed on. */
export interface Printer {
  id: string
  name: string
  type: PrinterType
  warehouseId: string
  /** what it is sent: 1 PDF, 2 ZPL */
  language: (typeof PrinterLanguage)[keyof typeof PrinterLanguage]
  /** how fine it prints; known of every printer that takes ZPL */
  dotsPerMM: number | null
  /** what is in it, by the names of IPP such as iso_a4_210x297mm */
  media: string[]
}

/** The most printers that a bridge may have. */
export const maxPrinters = 200

/** What is in a printer, by the names of IPP. */
export const Media = Type.Array(ShortText, {
  maxItems: 50,
  uniqueItems: true,
  examples: [['iso_a4_210x297mm']],
})

/** What is said of a printer by whoever sets it up: a person, or the bridge that announces it. */
export const announcedFields = {
  name: Name,
  type: IntegerEnum(PrintType),
  language: IntegerEnum(PrinterLanguage),
  dotsPerMM: IntegerEnum(DotsPerMM),
  media: Media,
}

/** Whether a bridge `b` is there: it has asked for work within the last minute. */
export const isHeardOf = sql`coalesce(b.last_seen_utc > now() - interval '60 seconds', false)`

/** Printers `p` with their bridges `b`, which some have not. */
export const printersWithBridges = sql`printer p
  left join printer_bridge b on b.organisation_id = p.organisation_id and b.id = p.printer_bridge_id`

/** Why nothing can be printed on `p`, in words that go on a sentence about it; null: something can. */
export const offlineReason = sql`case
  when p.status = ${SetUpStatus.Inactive} then 'it is inactive'
  when b.id is null then 'no printer bridge announces it'
  when b.status = ${SetUpStatus.Inactive} then 'its printer bridge ' || b.name || ' is inactive'
  when b.last_seen_utc is null then 'its printer bridge ' || b.name || ' has not been heard of yet'
  when not ${isHeardOf} then
    'its printer bridge ' || b.name || ' has not been heard of since '
      || to_char(b.last_seen_utc at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') || ' UTC'
  when not p.is_reachable then coalesce(p.reason, 'its printer bridge ' || b.name || ' does not reach it')
  end`

/** Online or Offline, by the reason. */
export const availability: Sql = sql`case when ${offlineReason} is null
  then ${PrinterAvailability.Online}::int else ${PrinterAvailability.Offline}::int end`

/** Joins a bridge `b` with the app `a` that it signs in as. */
export const joinApp = sql`join custom_app a
  on a.organisation_id = b.organisation_id and a.id = b.custom_app_id`

/** Whether an app `a` is the actor's. */
export const isAppOf = ({ clientId }: Actor): Sql => sql`a.client_id = ${clientId}`
