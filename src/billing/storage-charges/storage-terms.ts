// Reads what the storage of some billed periods is evaluated from: their calendars and what happened to
// the stock from before the first of them, by as long as goods may be free.

import { type Db, sql } from '../../platform/database/db.ts'
import { RateMetric } from '../enumerations.ts'
import {
  type BilledDays,
  firstDayOf,
  type StorageTerms,
  storageRatesOf,
  type VersionDays,
} from './evaluate-storage.ts'
import { type Calendar, type Days, startOf } from './local-days.ts'
import { readCalendar } from './read-calendar.ts'
import { type CountedFigures, readStockHistory, type StorageAccount } from './read-stock-history.ts'
import type { HistorySpans, StockHistory } from './stock-history.ts'
import type { BilledPeriod } from './storage-account.ts'
import { type FrozenFacts, storageFactsOf } from './storage-facts.ts'

/** A period and the rules that it is billed by. */
export interface Billing {
  /** of its run */
  number: number
  period: BilledPeriod
  /** what was billed up to the day before; null: nothing was */
  previous: BilledDays | null
  timeZone: string
  versions: readonly VersionDays[]
}

/** The goods of some billings, and the days of each time zone. */
export interface StorageInputs {
  history: StockHistory
  calendars: ReadonlyMap<string, Calendar>
  /** for so many days before a day decides what is in store on it: goods may be free as long */
  freeDays: number
}

/** How many hours goods may be free by some versions: by charges, by products as they are now or were. */
async function longestFreeHours(
  db: Db,
  { organisationId, clientId }: StorageAccount,
  versions: readonly VersionDays[],
  frozenFacts: readonly FrozenFacts[],
): Promise<number> {
  const given = versions.flatMap(({ version }) =>
    storageRatesOf(version).flatMap(({ charges }) =>
      charges.map(({ content }) => content.storage?.freeHours),
    ),
  )
  const { ofProducts } = await db.row<{ ofProducts: number }>(sql`
    select coalesce(max(coalesce(p.free_storage_hours, k.free_storage_hours)), 0) as of_products
    from partner k left join product p on p.organisation_id = k.organisation_id and p.partner_id = k.id
    where k.organisation_id = ${organisationId} and k.id = ${clientId}`)
  let longest = 0
  for (const hours of given) longest = Math.max(longest, hours ?? ofProducts)
  for (const { products } of frozenFacts)
    for (const { freeStorageHours } of products.values())
      longest = Math.max(longest, Number(freeStorageHours))
  return longest
}

/** Whether charges of some versions are by weight, and by volume. */
function countedFigures(versions: readonly VersionDays[]): CountedFigures {
  const charges = versions.flatMap(({ version }) => storageRatesOf(version).flatMap(rate => rate.charges))
  const isMetric = (one: RateMetric) => charges.some(({ metric }) => metric === one)
  return { weight: isMetric(RateMetric.WeightKG), volume: isMetric(RateMetric.VolumeM3) }
}

/** Reads the goods of some billings as they were known at an instant. `frozenFacts` is what runs kept. */
export async function readStorageInputs(
  db: Db,
  at: StorageAccount,
  billings: readonly Billing[],
  frozenFacts: readonly FrozenFacts[],
  knownAt: string,
): Promise<StorageInputs> {
  const versions = billings.flatMap(billing => billing.versions)
  const freeHours = await longestFreeHours(db, at, versions, frozenFacts)
  const freeDays = freeHours === 0 ? 0 : Math.ceil(freeHours / 24) + 1
  const days: Days = {
    from:
      Math.min(...billings.map(one => firstDayOf({ ...one, billingPeriod: one.period.billingPeriod }))) -
      freeDays,
    to: Math.max(...billings.map(({ period }) => period.to)),
  }
  const calendars = new Map<string, Calendar>()
  for (const { timeZone } of billings)
    if (!calendars.has(timeZone)) calendars.set(timeZone, await readCalendar(db, timeZone, days))
  const each = [...calendars.values()]
  const history = await readStockHistory(db, at, {
    begins: Math.min(...each.map(calendar => startOf(calendar, days.from))),
    ends: Math.max(...each.map(calendar => startOf(calendar, days.to + 1))),
    knownAt,
    counted: countedFigures(versions),
  })
  return { history, calendars, freeDays }
}

/** The part of a history that decides a billing: from as many days before it as goods may be free. */
export const historyFor = (
  spans: HistorySpans,
  { freeDays }: Pick<StorageInputs, 'freeDays'>,
  terms: StorageTerms,
): StockHistory =>
  spans.between(
    startOf(terms.calendar, firstDayOf(terms) - freeDays),
    startOf(terms.calendar, terms.period.to + 1),
  )

/** A billing as it is evaluated, by what was known of products and locations. */
export const termsOf = (
  { warehouseId }: StorageAccount,
  { period, previous, timeZone, versions }: Billing,
  { calendars }: StorageInputs,
  facts: FrozenFacts,
): StorageTerms => ({
  warehouseId,
  period,
  billingPeriod: period.billingPeriod,
  previous,
  versions,
  facts: storageFactsOf(facts),
  calendar: calendars.get(timeZone) as Calendar,
})
