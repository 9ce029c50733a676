// Runs a report: checks what is asked, and reads its rows from one snapshot while they are sent.

import type { Database, Db } from '../platform/database/db.ts'
import { type Sql, sql } from '../platform/database/db.ts'
import type { Actor } from '../platform/http/actor.ts'
import { faultAt } from '../platform/http/fault.ts'
import { verificationFailed } from '../platform/http/refusal.ts'
import { parseInstant } from '../platform/local-time.ts'
import { momentOf } from '../stock/as-of/moment.ts'
import { csvOf } from './csv.ts'
import { jsonOf } from './json.ts'
import { jsonRows, type Question, type Report } from './report.ts'

/** A question that was checked, with the names of the records that its filters name. */
export interface Checked {
  readonly question: Question
  readonly names: Readonly<Record<string, string>>
}

/**
 * Checks what somebody asks of a report. 400 for the id of what is no record of the organisation, or none
 * that the caller may see, or of another kind, and for instants of the future.
 */
export async function check(db: Db, report: Report, actor: Actor, body: object): Promise<Checked> {
  const given = Object.entries(body).filter(
    ([name, value]) => Object.hasOwn(report.filters, name) && value !== null,
  )
  const filters = Object.fromEntries(given)
  const names = await namesOf(db, report, actor, filters)
  const instantOf = (value: unknown) => (typeof value === 'string' ? parseInstant(value) : undefined)
  const [asOf, knownAt] = [instantOf(filters.asOfUtc), instantOf(filters.knownAtUtc)]
  const isPast = asOf !== undefined || knownAt !== undefined
  const moment = isPast ? await momentOf(db, actor.organisationId, { asOf, knownAt }) : null
  const question = { actor, filters, moment }
  const computed = await report.compute?.(db, question)
  return {
    question: { ...question, ...(computed === undefined ? {} : { computed: JSON.stringify(computed) }) },
    names,
  }
}

async function namesOf(
  db: Db,
  report: Report,
  actor: Actor,
  filters: Readonly<Record<string, unknown>>,
): Promise<Record<string, string>> {
  const asked = Object.entries(filters).flatMap(([name, value]): [string, Sql][] => {
    const nameOf = report.filters[name]?.nameOf
    return nameOf === undefined ? [] : [[name, nameOf(actor, value as string)]]
  })
  const found = await Promise.all(
    asked.map(async ([name, query]) => [name, await db.maybe<{ name: string }>(query)] as const),
  )
  const unknown = found.filter(([, row]) => row === undefined)
  if (unknown.length > 0)
    throw verificationFailed(
      ...unknown.map(([name]) => faultAt(name, 'names no record that there is', 'unknown_reference')),
    )
  return Object.fromEntries(found.map(([name, row]) => [name, row?.name ?? '']))
}

/** More rows than these take the thread of requests a tenth of a second, and memory that stays. */
const manyRows = 50_000

/**
 * Whether a report has many rows, by what the database expects. Where it is mistaken, the report is made all
 * the same.
 */
export async function isLong(db: Db, report: Report, question: Question): Promise<boolean> {
  const told = await db.row<{ 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }>(
    sql`explain (format json) ${jsonRows(report, question)}`,
  )
  return (told['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0) > manyRows
}

/** A report in pieces, as JSON or CSV. Its snapshot ends with it, and is cut when the signal fires. */
export async function* piecesOf(
  database: Database,
  report: Report,
  question: Question,
  { isCsv, signal }: { isCsv: boolean; signal: AbortSignal },
): AsyncGenerator<string> {
  const snapshot = await database.snapshot(signal)
  try {
    yield* (isCsv ? csvOf : jsonOf)(report, question, snapshot)
  } finally {
    await snapshot.close()
  }
}

/** What `make` makes in pieces, in one of the places for reports. Its signal fires when the place is lost. */
export async function* inPlace<T>(
  database: Database,
  { organisationId }: Actor,
  signal: AbortSignal,
  make: (signal: AbortSignal) => AsyncIterable<T>,
): AsyncGenerator<T> {
  const slot = await database.takeReadSlot(organisationId, signal)
  try {
    yield* slot.timeReader(make(slot.signal))
  } finally {
    slot.release()
  }
}

/** Who asks, where, and on which day of the organisation, for the names of files and what they tell. */
export interface Asking {
  organisationName: string
  userName: string
  timezoneId: string
  /** wall clock of the organisation */
  localNow: string
}

/** Reads it. */
export const askingOf = (db: Db, { organisationId, userId }: Actor): Promise<Asking> =>
  db.row(sql`
    select o.name as organisation_name, u.full_name as user_name, o.timezone_id,
      (now() at time zone o.timezone_id)::timestamp(0) as local_now
    from organisation o join app_user u on u.organisation_id = o.id and u.id = ${userId}
    where o.id = ${organisationId}`)

/** `stock-on-hand 2026-11-21.csv`: the organisation's day. */
export const fileName = ({ name }: Report, { localNow }: Asking, ending: string): string =>
  `${name} ${localNow.slice(0, 10)}.${ending}`
