// Reads the inputs for evaluating the storage of some periods: their calendars and the stock history, which
// begins before the first period by the longest time that goods may be free.

import { type Db, sql } from '../../platform/database/db.ts'
import { RateMetric } from '../../vocabulary/billing.ts'
import { type BilledDays, firstDayOf, storageRatesOf, type VersionDays } from './charged-periods.ts'
import type { StorageTerms } from './evaluate-storage.ts'
import { type Days, type LocalCalendar, startOf } from './local-days.ts'
import { readCalendar } from './read-calendar.ts'
import { type NeededFigures, readStockHistory, type StorageAccount } from './read-stock-history.ts'
import type { HistorySpans, StockHistory } from './stock-history.ts'
import type { BilledPeriod } from './storage-account.ts'
import { type FrozenFacts, storageFactsOf } from './storage-facts.ts'

/** A period and the rules by which it is billed. */
export interface Billing {
  /** the number of its run */
  number: number
  /** the number of the rules */
  evaluatorVersion: number
  period: BilledPeriod
  /** the period billed up to the day before; null if there is none */
  previous: BilledDays | null
  timeZone: string
  versions: readonly VersionDays[]
}

/** The stock history of some billings, and the calendars of their time zones. */
export interface StorageInputs {
  history: StockHistory
  calendars: ReadonlyMap<string, LocalCalendar>
  /** the number of days before a period that affect it, because goods may be free that long */
  freeDays: number
}

/**
 * The longest time in hours that goods may be free by charges, and by the current or frozen facts of
 * products.
 */
async function longestFreeHours(
  db: Db,
  { organisationId, clientId }: StorageAccount,
  versions: readonly VersionDays[],
  frozenFacts: readonly FrozenFacts[],
): Promise<number> {
  const ofCharges = versions.flatMap(({ version }) =>
    storageRatesOf(version).flatMap(({ charges }) =>
      charges.map(({ content }) => content.storage?.freeHours),
    ),
  )
  const { ofProducts } = await db.row<{ ofProducts: number }>(sql`
    select coalesce(max(coalesce(p.free_storage_hours, k.free_storage_hours)), 0) as of_products
    from partner k left join product p on p.organisation_id = k.organisation_id and p.partner_id = k.id
    where k.organisation_id = ${organisationId} and k.id = ${clientId}`)
  let longest = 0
  for (const hours of ofCharges) longest = Math.max(longest, hours ?? ofProducts)
  for (const { products } of frozenFacts)
    for (const { freeStorageHours } of products.values())
      longest = Math.max(longest, Number(freeStorageHours))
  return longest
}

/** Whether any charge of some versions depends on weight, or on volume. */
function neededFigures(versions: readonly VersionDays[]): NeededFigures {
  const charges = versions.flatMap(({ version }) => storageRatesOf(version).flatMap(rate => rate.charges))
  const hasMetric = (sought: RateMetric) => charges.some(({ metric }) => metric === sought)
  return { weight: hasMetric(RateMetric.WeightKG), volume: hasMetric(RateMetric.VolumeM3) }
}

/** Reads the inputs of some billings as known at an instant. `frozenFacts` are those of their runs. */
export async function readStorageInputs(
  db: Db,
  account: StorageAccount,
  billings: readonly Billing[],
  frozenFacts: readonly FrozenFacts[],
  knownAt: string,
): Promise<StorageInputs> {
  const versions = billings.flatMap(billing => billing.versions)
  const freeHours = await longestFreeHours(db, account, versions, frozenFacts)
  const freeDays = freeHours === 0 ? 0 : Math.ceil(freeHours / 24) + 1
  const days: Days = {
    from:
      Math.min(
        ...billings.map(billing => firstDayOf({ ...billing, billingPeriod: billing.period.billingPeriod })),
      ) - freeDays,
    to: Math.max(...billings.map(({ period }) => period.to)),
  }
  const calendars = new Map<string, LocalCalendar>()
  for (const { timeZone } of billings)
    if (!calendars.has(timeZone)) calendars.set(timeZone, await readCalendar(db, timeZone, days))
  const allCalendars = [...calendars.values()]
  const history = await readStockHistory(db, account, {
    begins: Math.min(...allCalendars.map(calendar => startOf(calendar, days.from))),
    ends: Math.max(...allCalendars.map(calendar => startOf(calendar, days.to + 1))),
    knownAt,
    needed: neededFigures(versions),
  })
  return { history, calendars, freeDays }
}

/** The part of a history that affects a billing: from its first day less the free days to its end. */
export const historyFor = (
  spans: HistorySpans,
  { freeDays }: Pick<StorageInputs, 'freeDays'>,
  terms: StorageTerms,
): StockHistory =>
  spans.between(
    startOf(terms.calendar, firstDayOf(terms) - freeDays),
    startOf(terms.calendar, terms.period.to + 1),
  )

/** The terms on which a billing is evaluated with the given facts. */
export const termsOf = (
  { warehouseId }: StorageAccount,
  { evaluatorVersion, period, previous, timeZone, versions }: Billing,
  { calendars }: StorageInputs,
  facts: FrozenFacts,
): StorageTerms => ({
  evaluatorVersion,
  warehouseId,
  period,
  billingPeriod: period.billingPeriod,
  previous,
  versions,
  facts: storageFactsOf(facts),
  calendar: calendars.get(timeZone) as LocalCalendar,
})
