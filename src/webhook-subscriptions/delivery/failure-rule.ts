// How often a delivery is tried, how long is waited between two attempts, and what fails a subscription.
// Pure. Spec 6.5; open-points 6.

import { DeliveryStatus } from '../enumerations.ts'

/** Attempts in all. When the last one fails the delivery is Failed, and its subscription with it. */
export const maxAttempts = 5

/** What an attempt makes of its delivery. A Failed delivery fails its subscription. */
export interface Verdict {
  status: typeof DeliveryStatus.Pending | typeof DeliveryStatus.Delivered | typeof DeliveryStatus.Failed
  /** seconds until the next attempt of a Pending delivery */
  delaySeconds: number
}

/**
 * What becomes of a delivery whose attempt has succeeded or failed after so many failed ones. `retrySeconds`
 * are the delays after the first, second … failure.
 */
export function verdictOf(
  failuresBefore: number,
  hasSucceeded: boolean,
  retrySeconds: readonly number[],
): Verdict {
  if (hasSucceeded) return { status: DeliveryStatus.Delivered, delaySeconds: 0 }
  if (failuresBefore + 1 >= maxAttempts) return { status: DeliveryStatus.Failed, delaySeconds: 0 }
  return { status: DeliveryStatus.Pending, delaySeconds: retrySeconds[failuresBefore] ?? 0 }
}

/** What a failed subscription shows as the reason. */
export const lastFailureOf = (deliveryId: string, error: string): string =>
  `Delivery ${deliveryId} failed ${maxAttempts} times, at last with: ${error}`
