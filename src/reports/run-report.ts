// Runs a report: checks the request, and reads the rows from one snapshot while they are sent.

import type { Actor } from '../access/actor.ts'
import type { Database, Db } from '../platform/database/db.ts'
import { type Sql, sql } from '../platform/database/db.ts'
import { faultAt } from '../platform/http/fault.ts'
import { verificationFailed } from '../platform/http/refusal.ts'
import { parseInstant } from '../platform/local-time.ts'
import { resolveAsOf } from '../stock/as-of/as-of.ts'
import { csvChunks } from './csv.ts'
import { jsonChunks } from './json.ts'
import { jsonRows, type Report, type ReportRequest } from './report.ts'

/** A request that passed its checks. */
export interface CheckedRequest {
  readonly request: ReportRequest
  /** the names of the records that the filters refer to, by filter */
  readonly names: Readonly<Record<string, string>>
}

/**
 * Checks the body of a report request, and computes the rows that SQL alone cannot read. 400 for the id of a
 * record that does not exist, is of another kind or that the caller may not see, and for an instant in the
 * future. The signal fires when the client disconnects, which ends the computation.
 */
export async function checkRequest(
  database: Database,
  report: Report,
  actor: Actor,
  body: object,
  signal: AbortSignal,
): Promise<CheckedRequest> {
  const { db } = database
  const fields = Object.entries(body).filter(
    ([name, value]) => Object.hasOwn(report.filters, name) && value !== null,
  )
  const filters = Object.fromEntries(fields)
  const names = await readNames(db, report, actor, filters)
  const instantOf = (value: unknown) => (typeof value === 'string' ? parseInstant(value) : undefined)
  const [asOf, knownAt] = [instantOf(filters.asOfUtc), instantOf(filters.knownAtUtc)]
  const isPast = asOf !== undefined || knownAt !== undefined
  const moment = isPast ? await resolveAsOf(db, actor.organisationId, { asOf, knownAt }) : null
  const request = { actor, filters, moment }
  if (report.compute === undefined) return { request, names }
  // Computing reads as much as a long report does, so it takes one of the same slots.
  const slot = await database.takeReadSlot(actor.organisationId, signal)
  try {
    const computed = JSON.stringify(await report.compute(db, request, slot.signal))
    return { request: { ...request, computed }, names }
  } finally {
    slot.release()
  }
}

async function readNames(
  db: Db,
  report: Report,
  actor: Actor,
  filters: Readonly<Record<string, unknown>>,
): Promise<Record<string, string>> {
  const queries = Object.entries(filters).flatMap(([name, value]): [string, Sql][] => {
    const nameOf = report.filters[name]?.nameOf
    return nameOf === undefined ? [] : [[name, nameOf(actor, value as string)]]
  })
  const found = await Promise.all(
    queries.map(async ([name, query]) => [name, await db.maybe<{ name: string }>(query)] as const),
  )
  const unknown = found.filter(([, row]) => row === undefined)
  if (unknown.length > 0)
    throw verificationFailed(
      ...unknown.map(([name]) =>
        faultAt(
          name,
          `does not refer to a ${report.filters[name]?.label.toLowerCase()}`,
          'unknown_reference',
        ),
      ),
    )
  return Object.fromEntries(found.map(([name, row]) => [name, row?.name ?? '']))
}

/** More rows than this would occupy the main thread for a tenth of a second and grow its heap for good. */
const maxRowsInMainThread = 50_000

/**
 * Whether a report has many rows, by the planner's estimate. A wrong estimate only affects which thread makes
 * the report.
 */
export async function hasManyRows(db: Db, report: Report, request: ReportRequest): Promise<boolean> {
  const explained = await db.row<{ 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }>(
    sql`explain (format json) ${jsonRows(report, request)}`,
  )
  return (explained['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0) > maxRowsInMainThread
}

/**
 * A report as chunks of JSON or CSV. Its snapshot is closed when the iteration ends, and cut off when the
 * signal fires.
 */
export async function* reportChunks(
  database: Database,
  report: Report,
  request: ReportRequest,
  { isCsv, signal }: { isCsv: boolean; signal: AbortSignal },
): AsyncGenerator<string> {
  const snapshot = await database.snapshot(signal)
  try {
    yield* (isCsv ? csvChunks : jsonChunks)(report, request, snapshot)
  } finally {
    await snapshot.close()
  }
}

/**
 * The chunks that `make` yields while it holds one of the few slots for long reads. Its signal fires when the
 * slot is lost.
 */
export async function* withReadSlot<T>(
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

/** What file names and the last sheet of Excel show of the caller. */
export interface ReportContext {
  organisationName: string
  userName: string
  timezoneId: string
  /** wall clock of the organisation */
  localNow: string
}

/** Reads the context of an actor's report. */
export const readContext = (db: Db, { organisationId, userId }: Actor): Promise<ReportContext> =>
  db.row(sql`
    select o.name as organisation_name, u.full_name as user_name, o.timezone_id,
      (now() at time zone o.timezone_id)::timestamp(0) as local_now
    from organisation o join app_user u on u.organisation_id = o.id and u.id = ${userId}
    where o.id = ${organisationId}`)

/** The name of a report's file, such as `stock-on-hand 2026-11-21.csv`, with the organisation's date. */
export const fileName = ({ name }: Report, { localNow }: ReportContext, extension: string): string =>
  `${name} ${localNow.slice(0, 10)}.${extension}`
