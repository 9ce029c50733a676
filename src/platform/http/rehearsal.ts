// Rehearsals: what a request would do is found by doing it, in a transaction that is rolled back. So its
// refusals, its figures and its answer are those of the act itself.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Database, type Db, sql, type Tx } from '../database/db.ts'
import type { Caller } from './caller.ts'
import type { Endpoint } from './endpoint.ts'
import { validationFailed } from './refusal.ts'
import type { Serialise } from './send-response.ts'

/** Something that an act does, or that its caller should know before it is done. */
export interface Effect {
  kind: string
  /** a sentence without its subject: "reserve 72 items on 1 line" */
  text: string
  data: Readonly<Record<string, unknown>>
}

/** What an act does. */
export interface Effects {
  effects: Effect[]
  warnings: Effect[]
}

/** An act that has been carried out and will be rolled back. */
export interface RehearsedAct {
  actor: Caller
  /** the ids in its path */
  params: Readonly<Record<string, string>>
  /** what was noted of its writes, in their order */
  notes: readonly object[]
}

/** Tells what an act did, reading in its transaction. */
export type TellEffects = (db: Db, act: RehearsedAct) => Promise<Effects>

const header = 'waybill-rehearse'

/** The header for the API document. */
export const rehearsalHeader = ({ canBeRehearsed }: Endpoint): Record<string, unknown>[] =>
  canBeRehearsed
    ? [
        {
          name: 'Waybill-Rehearse',
          in: 'header',
          required: false,
          description:
            'Returns 200 with what the request would do, as `x-rehearsal` describes it, and changes ' +
            'nothing. What would be refused is refused.',
          schema: { type: 'string', enum: ['true'] },
        },
      ]
    : []

export const isRehearsal = ({ headers }: FastifyRequest): boolean => headers[header] !== undefined

/** Whoever asks what an act would do must never find that it was done: throws 400 unless it is rehearsed. */
export function refuseUnlessRehearsed(endpoint: Endpoint, request: FastifyRequest): void {
  const value = request.headers[header]
  if (value === undefined || (value === 'true' && endpoint.canBeRehearsed)) return
  throw validationFailed({
    path: null,
    code: 'not_rehearsed',
    message: endpoint.canBeRehearsed
      ? 'The header Waybill-Rehearse can only be true.'
      : 'This request cannot be rehearsed.',
  })
}

/** Thrown to roll back an act that was carried out; it carries what is told of it. */
class RolledBack extends Error {
  readonly outcome: { value: unknown; told: Effects }
  constructor(value: unknown, told: Effects) {
    super('A rehearsal is rolled back.')
    this.outcome = { value, told }
  }
}

/** Thrown when the transactions of an act would together hold their locks for too long. */
class TooLong extends Error {}

// An act of many transactions gives its locks back after each, its rehearsal only at the end. Others wait for
// a lock for three seconds.
const maxMs = 2_000

/**
 * Carries out an act, tells what it did, and rolls it back. What was kept for after its commit is not done.
 * Like every transaction, it waits for a lock for at most three seconds. Throws 400 if the act has many
 * transactions and they take too long.
 */
export async function rehearse(
  database: Database,
  act: (database: Database) => Promise<unknown>,
  { tell, ...facts }: Omit<RehearsedAct, 'notes'> & { tell: TellEffects },
): Promise<{ value: unknown; told: Effects }> {
  try {
    return await database.atomically(async tx => {
      const notes: object[] = []
      const value = await act(withSavepoints(database, tx, notes))
      // What a commit would check.
      await tx.run(sql`set constraints all immediate`)
      throw new RolledBack(value, await tell(tx, { ...facts, notes }))
    })
  } catch (error) {
    if (error instanceof RolledBack) return error.outcome
    if (error instanceof TooLong)
      throw validationFailed({
        path: null,
        code: 'not_rehearsed',
        message: 'This takes too long to be rehearsed. Rehearse it with fewer records.',
      })
    throw error
  }
}

/**
 * The database for an act that is rehearsed: its transactions, one after the other, are savepoints of `tx`,
 * and it reads what it has written. One that fails leaves neither changes nor notes.
 */
function withSavepoints(database: Database, tx: Tx, notes: object[]): Database {
  let lastBeginsBefore = Number.POSITIVE_INFINITY
  const atomically: Database['atomically'] = async work => {
    const now = performance.now()
    if (now > lastBeginsBefore) throw new TooLong()
    lastBeginsBefore = Math.min(lastBeginsBefore, now + maxMs)
    let isEnded = false
    const noted = notes.length
    const open = () => {
      if (isEnded) throw new Error('A statement after the end of its transaction.')
      return tx
    }
    await tx.run(sql`savepoint act`)
    try {
      const result = await work({
        rows: query => open().rows(query),
        maybe: query => open().maybe(query),
        row: query => open().row(query),
        run: query => open().run(query),
        afterCommit: () => {},
        note: written => void notes.push(written),
      })
      isEnded = true
      await tx.run(sql`release savepoint act`)
      return result
    } catch (error) {
      isEnded = true
      notes.length = noted
      await tx.run(sql`rollback to savepoint act`)
      throw error
    }
  }
  return { ...database, db: tx, isRehearsed: true, atomically, inOneStatement: atomically }
}

/** Sends what is told of an act, with the status and the answer that the act itself would have had. */
export function sendRehearsal(
  reply: FastifyReply,
  endpoint: Endpoint,
  { value, told }: { value: unknown; told: Effects },
  serialise: Serialise | undefined,
): FastifyReply {
  const { kind, status } = endpoint.response
  const isUnchanged = kind === 'changed' && (value === false || value === null)
  const outcome = isUnchanged ? 304 : kind === 'status' ? value : status
  const { effects, warnings } = isUnchanged ? { effects: [], warnings: [] } : told
  const result = serialise === undefined || isUnchanged ? null : JSON.parse(serialise(value))
  return reply.send({ outcome, effects, warnings, result })
}
