// Claims in rounds over all subscriptions: each claim continues after the previous one, and remembers which
// subscriptions may have more due deliveries. Spec 6.5.

import type { Database } from '../../platform/database/db.ts'
import { type ClaimedDelivery, claimDeliveries, firstPosition, type ScanPosition } from './claim.ts'
import { type Concurrency, firstAllowance } from './concurrency.ts'

// How many deliveries one statement claims.
const maxAtOnce = 200

/** The rounds of one worker. */
export interface Rounds {
  /** Claims the next due deliveries, as many as the limits on concurrency allow. */
  claimNext(): Promise<ClaimedDelivery[]>
  /** Whether the next claim would probably find deliveries. Call it once those claimed have been started. */
  isMoreDue(): boolean
  /** Notes that a delivery has ended. Returns true if more may be due than its subscription was allowed. */
  ended(subscriptionId: string): boolean
}

/** Begins the rounds of a worker. Its claims last for `leaseMs`, or until the worker dies. */
export function createRounds(
  database: Database,
  concurrency: Concurrency,
  workerId: string,
  leaseMs: number,
): Rounds {
  /** subscriptions that got as many deliveries as they were allowed, and may have more */
  const unsatisfied = new Set<string>()
  let position: ScanPosition = firstPosition
  let isRoundUnfinished = false
  let isAtLimit = false

  return {
    async claimNext() {
      const limit = Math.min(maxAtOnce, concurrency.claimLimit())
      isAtLimit = limit === 0
      if (isAtLimit) return []
      const startedAt = position
      const allowances = concurrency.allowances(performance.now())
      for (const id of unsatisfied) if (allowances[id] !== 0) unsatisfied.delete(id)
      const claimed = await claimDeliveries(database, {
        position,
        limit,
        saturatedOrganisations: concurrency.saturatedOrganisations(),
        allowances,
        leaseSeconds: leaseMs / 1000,
        workerId,
      })
      for (const [id, { length }] of Map.groupBy(claimed, ({ subscriptionId }) => subscriptionId)) {
        if (length >= (allowances[id] ?? firstAllowance)) unsatisfied.add(id)
      }
      const last = claimed.length === limit ? claimed.reduce((a, b) => (isBefore(a, b) ? b : a)) : undefined
      position = last ? [last.organisationId, last.subscriptionId] : firstPosition
      isRoundUnfinished = last !== undefined || startedAt !== firstPosition
      return claimed
    },
    isMoreDue: () =>
      !isAtLimit &&
      (isRoundUnfinished || [...unsatisfied].some(id => concurrency.allowance(id, performance.now()) > 0)),
    ended: subscriptionId => unsatisfied.delete(subscriptionId),
  }
}

const isBefore = (a: ClaimedDelivery, b: ClaimedDelivery) =>
  a.organisationId < b.organisationId ||
  (a.organisationId === b.organisationId && a.subscriptionId < b.subscriptionId)
