// Finds the versions of rate cards that are in force for the storage of clients, and on which days.

import { type Db, sql } from '../../platform/database/db.ts'
import { Relationship } from '../../vocabulary/partners.ts'
import { versionInForce } from '../rate-cards/in-force.ts'
import { loadVersions } from '../rate-cards/version-cache.ts'
import type { VersionDays } from './charged-periods.ts'
import { type Days, dateOf, dayOf } from './local-days.ts'

/** The id of a version and the days on which it is in force. */
export interface VersionIdDays extends Days {
  rateCardVersionId: string
  because: number
}

/** Loads the versions for some days. */
export async function loadVersionDays(
  db: Db,
  organisationId: string,
  days: readonly VersionIdDays[],
): Promise<VersionDays[]> {
  const ids = days.map(({ rateCardVersionId }) => rateCardVersionId)
  const versions = await loadVersions(db, organisationId, ids)
  return days.map(({ from, to, because, rateCardVersionId }) => {
    const version = versions.get(rateCardVersionId)
    if (version === undefined) throw new Error(`There is no version ${rateCardVersionId} of a rate card.`)
    return { from, to, because, version }
  })
}

interface VersionRow {
  clientId: string
  firstDay: string
  lastDay: string
  id: string
  because: number
}

/**
 * Reads the versions in force for clients on each of some days, as approved now, by client. The version can
 * change only on a day on which some version takes effect, so only those days are looked up.
 */
export async function versionsOfClients(
  db: Db,
  organisationId: string,
  clientIds: readonly string[],
  { from, to }: Days,
): Promise<Map<string, VersionDays[]>> {
  const rows = await db.rows<VersionRow>(sql`
    select c.client_id, d.first_day, d.last_day, f.id, f.because
    from unnest(${clientIds}::uuid[]) c (client_id)
    cross join (
      select e.first_day,
        coalesce(lead(e.first_day) over (order by e.first_day) - 1, ${dateOf(to)}::date) as last_day
      from (
        select ${dateOf(from)}::date as first_day
        union
        select effective_from from rate_card_version
        where organisation_id = ${organisationId} and effective_from > ${dateOf(from)}::date
          and effective_from <= ${dateOf(to)}::date
      ) e
    ) d
    cross join lateral ${versionInForce({
      organisation: sql`${organisationId}`,
      relationship: sql`${Relationship.Client}`,
      partner: sql`c.client_id`,
      date: sql`d.first_day`,
    })} f
    order by c.client_id, d.first_day`)
  const days: (VersionIdDays & { clientId: string })[] = []
  for (const { clientId, firstDay, lastDay, id, because } of rows) {
    const [first, last] = [dayOf(firstDay), dayOf(lastDay)]
    const latest = days.at(-1)
    const continues =
      latest?.clientId === clientId && latest.rateCardVersionId === id && latest.to === first - 1
    if (latest !== undefined && continues) latest.to = last
    else days.push({ clientId, from: first, to: last, rateCardVersionId: id, because })
  }
  const loaded = await loadVersionDays(db, organisationId, days)
  const found = new Map<string, VersionDays[]>(clientIds.map(clientId => [clientId, []]))
  for (const [n, { clientId }] of days.entries()) found.get(clientId)?.push(loaded[n] as VersionDays)
  return found
}

/** Reads the versions in force for one client on each of some days. */
export const versionsInForce = async (
  db: Db,
  organisationId: string,
  clientId: string,
  days: Days,
): Promise<VersionDays[]> =>
  (await versionsOfClients(db, organisationId, [clientId], days)).get(clientId) ?? []
