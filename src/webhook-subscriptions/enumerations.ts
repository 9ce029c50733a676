// The enumerations of webhook subscriptions, with the names of the specification. Spec 3; open-points 2.
// Imports nothing, so that clients can share it.

export const SubscriptionStatus = { Active: 1, Failed: 2 } as const

/**
 * Why nothing is sent to a subscription, the first that applies: it has failed; its app or its user is
 * disabled; the user belongs to another partner than when it was made; app, role and consent no longer reach
 * the scope of its events.
 */
export const HeldReason = {
  SubscriptionFailed: 1,
  AppDisabled: 2,
  UserDisabled: 3,
  PartnerChanged: 4,
  ScopeLost: 5,
} as const

/**
 * Held is how a Pending delivery shows while nothing is sent to its subscription: it waits until the reason
 * is gone.
 */
export const DeliveryStatus = { Pending: 1, Delivered: 2, Failed: 3, Held: 4 } as const
