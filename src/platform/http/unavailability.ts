// Recognises temporary failures that are not caused by the request: the database is unreachable or too busy.
// Callers get 503 with Retry-After. Spec 7.

import {
  isDatabaseUnavailable,
  isLockConflict,
  OutcomeUnknown,
  sqlState,
  TemporarilyUnavailable,
} from '../database/errors.ts'
import { LimitsUnavailable } from '../limits/limits.ts'
import { outcomeUnknown, Refusal, unavailable } from './refusal.ts'

/**
 * Returns the 503 for an error that means that the database is unreachable or that the database or this
 * service is overloaded. Returns undefined for every other error.
 */
export function unavailabilityOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error.status === 503 ? error : undefined
  if (error instanceof LimitsUnavailable)
    return unavailable('It cannot be known how many requests were made. Try again shortly.', 1)
  if (error instanceof TemporarilyUnavailable) return unavailable(error.message, error.retryAfterSeconds)
  if (error instanceof OutcomeUnknown)
    return outcomeUnknown('The database became unavailable before the request was complete.')
  if (isDatabaseUnavailable(error)) return unavailable('The database is not available. Try again shortly.')
  if (sqlState(error) === '57014') return unavailable('The request took too long and was stopped.')
  if (isLockConflict(error)) return unavailable('The record is busy. Try again shortly.', 1)
  return undefined
}
