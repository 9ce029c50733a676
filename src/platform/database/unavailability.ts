// Errors that say nothing about the request, and pass: the database is away, or too busy. Callers get 503 with Retry-After. Spec 7.

import { Refusal, unavailable } from '../http/refusal.ts'
import { sqlState } from './errors.ts'

const connectionFaults = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ENOTFOUND', 'ETIMEDOUT', 'EAI_AGAIN'])

/** Whether an error says that the database is away, rather than that the statement was wrong. */
export function databaseAway(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  const state = sqlState(error)
  if (state !== undefined) return /^(08|57P0|53|58)/.test(state)
  if (typeof code === 'string' && connectionFaults.has(code)) return true
  return /connection terminated|timeout exceeded when trying to connect|connection error and is not queryable|Client was closed|Query read timeout/i.test(
    String(message),
  )
}

const busy = new Set(['40001', '40P01', '55P03'])

/** Whether an error says that others hold the records that a statement needs. */
export const recordsBusy = (error: unknown): boolean => busy.has(sqlState(error) ?? '')

/** The 503 that an error amounts to: the database is away, or it, or we, had too much to do. Undefined for every other error. */
export function unavailabilityOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error.status === 503 ? error : undefined
  if (databaseAway(error)) return unavailable('The database is not available. Try again shortly.')
  if (sqlState(error) === '57014') return unavailable('The request took too long and was stopped.')
  if (recordsBusy(error)) return unavailable('The record is busy. Try again shortly.', 1)
  return undefined
}
