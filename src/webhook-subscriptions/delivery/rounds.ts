// Going round all subscriptions: each claim goes on behind the one before, and whoever may have more is
// remembered. Spec 6.5.

import type { Database } from '../../platform/database/db.ts'
import { beginning, type Claimed, claim, type Position } from './claim.ts'
import { type Concurrency, firstAllowance } from './concurrency.ts'

// Claimed by one statement.
const maxAtOnce = 200

/** The rounds of one worker. */
export interface Rounds {
  /** Claims what is due next, as far as there is room. */
  claimNext(): Promise<Claimed[]>
  /** Whether the next claim would probably find something. Asked once the claimed deliveries are started. */
  isMoreDue(): boolean
  /** Notes that a subscription has answered. True: more may be due than it was allowed. */
  answered(subscriptionId: string): boolean
}

/** Begins the rounds of a worker. A claim holds for `leaseMs`, or until the worker dies. */
export function openRounds(
  database: Database,
  concurrency: Concurrency,
  workerId: string,
  leaseMs: number,
): Rounds {
  /** subscriptions that got all that they were allowed, so that more may wait */
  const unsatisfied = new Set<string>()
  let position: Position = beginning
  let isRoundUnfinished = false
  let isFull = false

  return {
    async claimNext() {
      const limit = Math.min(maxAtOnce, concurrency.room())
      isFull = limit === 0
      if (isFull) return []
      const startedAt = position
      const allowances = concurrency.allowances(performance.now())
      for (const id of unsatisfied) if (allowances[id] !== 0) unsatisfied.delete(id)
      const claimed = await claim(database, {
        position,
        limit,
        crowded: concurrency.crowded(),
        allowances,
        leaseSeconds: leaseMs / 1000,
        workerId,
      })
      for (const [id, { length }] of Map.groupBy(claimed, ({ subscriptionId }) => subscriptionId)) {
        if (length >= (allowances[id] ?? firstAllowance)) unsatisfied.add(id)
      }
      const last = claimed.length === limit ? claimed.reduce((a, b) => (isBefore(a, b) ? b : a)) : undefined
      position = last ? [last.organisationId, last.subscriptionId] : beginning
      isRoundUnfinished = last !== undefined || startedAt !== beginning
      return claimed
    },
    isMoreDue: () =>
      !isFull &&
      (isRoundUnfinished || [...unsatisfied].some(id => concurrency.allowance(id, performance.now()) > 0)),
    answered: subscriptionId => unsatisfied.delete(subscriptionId),
  }
}

const isBefore = (a: Claimed, b: Claimed) =>
  a.organisationId < b.organisationId ||
  (a.organisationId === b.organisationId && a.subscriptionId < b.subscriptionId)
