// Carries out stock commands: several of one kind in a shared transaction, or one alone. Spec 2.14.

import { setTimeout as pause } from 'node:timers/promises'
import type { Actor } from '../../access/actor.ts'
import type { Database, Tx } from '../../platform/database/db.ts'
import { isDatabaseUnavailable, OutcomeUnknown } from '../../platform/database/errors.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import { lockQueriedStock } from '../ledger/stock-lock.ts'
import { type CommandKind, Postponed } from './command-kind.ts'
import { claimOperations, type Operation, runOnce, settleOperations } from './operations.ts'

/** What is needed of a request to carry it out. */
export interface CommandRequest {
  actor: Actor
  operation: Operation
}

/** The response of a command, and whether it is the stored response of an earlier request. */
export interface CommandOutcome<Answer> {
  answer: Answer
  isReplayed: boolean
}

/**
 * What became of a request in a shared transaction: its response, its refusal, or that it is left to a later
 * transaction, perhaps one of its own.
 */
export type SharedOutcome<Answer> = { answer: Answer } | { refusal: Refusal } | 'later' | 'alone'

/** Carries out one request in an open transaction. If it ran before, returns the stored response. */
export const carryOutAlone = <Request extends CommandRequest, Answer>(
  tx: Tx,
  kind: CommandKind<Request, Answer>,
  request: Request,
): Promise<CommandOutcome<Answer>> =>
  runOnce(tx, request.actor, request.operation, async () => {
    const records = await kind.lockRecords(tx, [request], false)
    const locking = lockQueriedStock(tx, request.actor.organisationId, kind.targets(records))
    const [locked, found] = await Promise.all([locking, kind.read(tx, locking, records, [request])])
    const [answer] = await kind.write(tx, locked, found, [kind.plan(found, request)])
    return answer as Answer
  })

/**
 * Carries out requests of one organisation in one transaction. What is refused or postponed drops out alone.
 * Returns the outcomes in the order of the requests; throws if the transaction as a whole failed.
 */
export async function carryOutTogether<Request extends CommandRequest, Answer>(
  tx: Tx,
  kind: CommandKind<Request, Answer>,
  requests: readonly Request[],
): Promise<SharedOutcome<Answer>[]> {
  const { organisationId } = (requests[0] as Request).actor
  // Sent without waiting in between; the connection keeps the order.
  const [isNew, records] = await Promise.all([
    claimOperations(
      tx,
      organisationId,
      requests.map(({ operation, actor }) => ({ ...operation, connectionId: actor.connectionId })),
    ),
    kind.lockRecords(tx, requests, true),
  ])
  const locking = lockQueriedStock(tx, organisationId, kind.targets(records))
  const claimedRequests = requests.filter((_, n) => isNew[n])
  const [locked, found] = await Promise.all([locking, kind.read(tx, locking, records, claimedRequests)])
  const plans: { n: number; plan: unknown }[] = []
  // A known operation is answered by a transaction of its own, which waits for the one that does it.
  const outcomes = requests.map((request, n): SharedOutcome<Answer> => {
    if (!isNew[n]) return 'alone'
    try {
      plans.push({ n, plan: kind.plan(found, request) })
      return 'later'
    } catch (error) {
      if (error instanceof Postponed) return error.isAlone ? 'alone' : 'later'
      if (error instanceof Refusal) return { refusal: error }
      throw error
    }
  })
  if (plans.length > 0) {
    const answers = await kind.write(
      tx,
      locked,
      found,
      plans.map(({ plan }) => plan),
    )
    for (const [i, { n }] of plans.entries()) outcomes[n] = { answer: answers[i] as Answer }
  }
  const claimed = requests.flatMap(({ operation: { operationId } }, n) => {
    const outcome = outcomes[n] as SharedOutcome<Answer>
    const answer = typeof outcome === 'object' && 'answer' in outcome ? outcome.answer : null
    return operationId && isNew[n] ? [{ operationId, answer }] : []
  })
  await settleOperations(tx, organisationId, claimed)
  return outcomes
}

// A database that fails later than this is not tried again, as callers get a response within two seconds.
const maxFailureMs = 500
const retryAfterMs = 20

/**
 * Runs a transaction, and once more if its connection was lost before its commit, so that nothing of it took
 * effect. Deadlocks are retried by `atomically`.
 */
export async function inLastingTransaction<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  const began = performance.now()
  try {
    return await database.atomically(work)
  } catch (error) {
    const isLost = isDatabaseUnavailable(error) && !(error instanceof OutcomeUnknown)
    if (!isLost || performance.now() - began > maxFailureMs) throw error
  }
  await pause(retryAfterMs)
  return database.atomically(work)
}
