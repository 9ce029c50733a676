// The enumerations of webhook subscriptions, with the names of the specification. Spec 3; open-points 2.
// Imports nothing, so that clients can share it.

export const SubscriptionStatus = { Active: 1, Failed: 2 } as const

/**
 * Why nothing is sent to a subscription, the first reason that applies: the subscription has failed; its app
 * or its user is disabled; the user belongs to another partner than when the subscription was made; app, role
 * and consent no longer include the scope of its events.
 */
export const HeldReason = {
  SubscriptionFailed: 1,
  AppDisabled: 2,
  UserDisabled: 3,
  PartnerChanged: 4,
  ScopeLost: 5,
} as const

/**
 * A Pending delivery is shown as Held while nothing is sent to its subscription. It waits until the reason no
 * longer applies.
 */
export const DeliveryStatus = { Pending: 1, Delivered: 2, Failed: 3, Held: 4 } as const
