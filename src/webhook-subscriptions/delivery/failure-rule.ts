// How often a delivery is attempted, the delay between two attempts, and when a subscription fails. Pure.
// Spec 6.5; decision 6.

import { DeliveryStatus } from '../../vocabulary/webhooks.ts'

/** The number of attempts. When the last one fails, the delivery and its subscription become Failed. */
export const maxAttempts = 5

/** The state of a delivery after an attempt. A Failed delivery fails its subscription. */
export interface DeliveryState {
  status: typeof DeliveryStatus.Pending | typeof DeliveryStatus.Delivered | typeof DeliveryStatus.Failed
  /** seconds until the next attempt of a Pending delivery */
  delaySeconds: number
}

/**
 * The state of a delivery after an attempt that followed `failuresBefore` failed ones. `retrySeconds` are the
 * delays after the first, second, … failure.
 */
export function nextState(
  failuresBefore: number,
  hasSucceeded: boolean,
  retrySeconds: readonly number[],
): DeliveryState {
  if (hasSucceeded) return { status: DeliveryStatus.Delivered, delaySeconds: 0 }
  if (failuresBefore + 1 >= maxAttempts) return { status: DeliveryStatus.Failed, delaySeconds: 0 }
  return { status: DeliveryStatus.Pending, delaySeconds: retrySeconds[failuresBefore] ?? 0 }
}

/** The reason that a failed subscription shows. */
export const describeLastFailure = (deliveryId: string, error: string): string =>
  `Delivery ${deliveryId} failed ${maxAttempts} times, at last with: ${error}`
