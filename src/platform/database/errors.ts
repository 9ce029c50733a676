// What an error from the database means: its SQLSTATE, the violated constraint, and whether to retry.

import pg from 'pg'

/** The SQLSTATE of a database error, or undefined for any other. */
export const sqlState = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError ? error.code : undefined

/** The name of the constraint that a statement violated, or undefined. */
export const violatedConstraint = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError ? error.constraint : undefined

/**
 * Awaits a statement. If it violates a constraint that `refusals` names, throws the error made there instead.
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

// Parts of messages of the driver's errors, which have no code.
const driverMessages = [
  'connection terminated',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'connection error and is not queryable',
  'client was closed',
  'query read timeout',
]
const connectionErrorCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EAI_AGAIN',
])

// Lost connections; a server that starts, stops or has no room; and one that takes no writes: a replica that
// is about to be promoted, or a former primary.
const unavailableStates = /^(08|57P0|53|58|25006|55000)/

/**
 * Thrown if the connection was lost before it was known whether a commit, or a statement alone, took effect.
 */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super(`The outcome is unknown: ${(cause as Error).message}`, { cause })
  }
}

// Refusals of a server or pooler that executed nothing.
const notExecutedStates = /^(53|57P03|25006|55000)/
const notExecutedMessage = 'query_wait_timeout'

/**
 * Converts the error of a commit, or of a statement that commits by itself, to OutcomeUnknown if the database
 * may nevertheless have carried it out.
 */
export function asOutcome(error: unknown): unknown {
  if (!isDatabaseUnavailable(error) || notExecutedStates.test(sqlState(error) ?? '')) return error
  return String((error as Error).message).includes(notExecutedMessage) ? error : new OutcomeUnknown(error)
}

/** Whether an error means that the database is unavailable, rather than that the statement was wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof OutcomeUnknown) return true
  const { code, message } = error as { code?: unknown; message?: unknown }
  const state = sqlState(error)
  if (state !== undefined) return unavailableStates.test(state)
  if (typeof code === 'string' && connectionErrorCodes.has(code)) return true
  const text = String(message).toLowerCase()
  return driverMessages.some(part => text.includes(part))
}

/**
 * Thrown in a transaction that finds, once it holds its locks, that it would have needed others, because what
 * it read before has changed. The transaction is rolled back and retried like one that met a deadlock.
 */
export class TransactionRestart extends Error {}

/** Thrown if something is not possible at the moment; callers may retry later. */
export class TemporarilyUnavailable extends Error {
  readonly retryAfterSeconds: number
  constructor(message: string, retryAfterSeconds: number) {
    super(message)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Whether a transaction that failed with this error may succeed when it is retried. */
export const isRetryable = (error: unknown): boolean =>
  error instanceof TransactionRestart || ['40001', '40P01'].includes(sqlState(error) ?? '')

/** Whether an error means that other transactions hold locks on the records that a statement needs. */
export const isLockConflict = (error: unknown): boolean => isRetryable(error) || sqlState(error) === '55P03'
