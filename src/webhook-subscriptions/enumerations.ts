// The enumerations of webhook subscriptions, with the names of the specification. Spec 3; open-points 2.
// Imports nothing, so that clients can share it.

export const SubscriptionStatus = { Active: 1, Failed: 2 } as const

/**
 * Held is how a Pending delivery shows while nothing is sent to its subscription: it waits until that is
 * reactivated, or its app enabled.
 */
export const DeliveryStatus = { Pending: 1, Delivered: 2, Failed: 3, Held: 4 } as const
