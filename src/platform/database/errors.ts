// What an error of the database says: its SQLSTATE and the constraint that was violated.

import pg from 'pg'

/** The SQLSTATE of a database error, or undefined for any other. */
export const sqlState = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError ? error.code : undefined

/** The named constraint that a statement violated, or undefined. */
export const violatedConstraint = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError ? error.constraint : undefined

/**
 * Awaits a statement; the violation of a constraint that `refusals` names is thrown as the error made there.
 *
 *     await refuseViolations(tx.run(sql`insert …`), { partner_code_key: () => conflict('…') })
 */
export async function refuseViolations<T>(
  statement: Promise<T>,
  refusals: Record<string, () => Error>,
): Promise<T> {
  try {
    return await statement
  } catch (error) {
    const refusal = refusals[violatedConstraint(error) ?? '']
    throw refusal ? refusal() : error
  }
}

// Messages of the driver that have no code.
const driverFaults = [
  'connection terminated',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'connection error and is not queryable',
  'client was closed',
  'query read timeout',
]
const connectionFaults = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EAI_AGAIN',
])

// Lost connections, a server that starts or stops or has no room, and one that takes no writes: a replica
// that is about to be promoted, or a primary that no longer is one.
const awayStates = /^(08|57P0|53|58|25006|55000)/

/** Whether an error says that the database is away, rather than that the statement was wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  const state = sqlState(error)
  if (state !== undefined) return awayStates.test(state)
  if (typeof code === 'string' && connectionFaults.has(code)) return true
  const text = String(message).toLowerCase()
  return driverFaults.some(fault => text.includes(fault))
}

/**
 * Thrown in a transaction that finds, with its locks held, that it needs others: what it had read before is
 * no longer so. The transaction is undone and tried again like one that met a deadlock.
 */
export class TransactionRestart extends Error {}

/** Thrown where something is not possible at the moment: callers may ask again later. */
export class TemporarilyUnavailable extends Error {
  readonly retryAfterSeconds: number
  constructor(message: string, retryAfterSeconds: number) {
    super(message)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Whether a transaction that failed so may succeed when it is tried again. */
export const isRetryable = (error: unknown): boolean =>
  error instanceof TransactionRestart || ['40001', '40P01'].includes(sqlState(error) ?? '')

/** Whether an error says that others hold the records that a statement needs. */
export const isLockConflict = (error: unknown): boolean => isRetryable(error) || sqlState(error) === '55P03'
