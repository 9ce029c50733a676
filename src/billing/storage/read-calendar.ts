// Reads when the local days of a time zone begin. The database computes it, because it also converts instants
// to local dates, and the two must agree.

import { type Db, sql } from '../../platform/database/db.ts'
import { type Days, dateOf, type LocalCalendar } from './local-days.ts'

/**
 * Reads the calendar of some days. A day begins with the first instant of its date, even if the clock skips
 * midnight or shows it twice.
 */
export async function readCalendar(db: Db, timeZone: string, { from, to }: Days): Promise<LocalCalendar> {
  const { starts } = await db.row<{ starts: number[] }>(sql`
    select array_agg(extract(epoch from s.start)::float8 * 1000000 order by d.date) as starts
    from (
      select generate_series(${dateOf(from)}::date, ${dateOf(to + 1)}::date, interval '1 day')::date as date
    ) d
    cross join lateral (
      select min(m.start) as start
      from (select d.date::timestamp at time zone ${timeZone} as midnight) one
      cross join lateral (
        values (midnight), (midnight - interval '30 minutes'), (midnight - interval '1 hour')
      ) m (start)
      where (m.start at time zone ${timeZone})::date = d.date
    ) s`)
  return { first: from, starts }
}

/** The beginning of a day (microseconds) as text for the database. */
export const instantText = (microseconds: number): string => new Date(microseconds / 1_000).toISOString()

/** The last microsecond before the beginning of a day, as text for the database. */
export const instantBefore = (microseconds: number): string =>
  `${new Date(microseconds / 1_000 - 1_000).toISOString().slice(0, 19)}.999999Z`
