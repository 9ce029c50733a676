// The enumerations of webhook subscriptions, with the names of the specification. Spec 3; decision 2.
// Imports nothing, so that clients can share it.

export const SubscriptionStatus = { Active: 1, Failed: 2 } as const

export const HeldReason = {
  SubscriptionFailed: 1,
  AppDisabled: 2,
  UserDisabled: 3,
  PartnerChanged: 4,
  ScopeLost: 5,
} as const

export const DeliveryStatus = { Pending: 1, Delivered: 2, Failed: 3, Held: 4 } as const

/** What these enumerations stand for, and those values whose name does not say it all. */
export const webhookDescriptions = {
  SubscriptionStatus: {
    values: SubscriptionStatus,
    description: 'Whether events are sent to a subscription.',
    meanings: {
      Failed: 'Too many deliveries failed; nothing is sent until it is reactivated.',
    },
  },
  HeldReason: {
    values: HeldReason,
    description: 'Why nothing is sent to a subscription: the first reason that applies.',
    meanings: {
      SubscriptionFailed: 'Too many deliveries failed.',
      AppDisabled: 'The app that created it is disabled.',
      UserDisabled: 'The user who created it is disabled.',
      PartnerChanged: 'The user belongs to another partner than when it was created.',
      ScopeLost: 'App, role and consent no longer include the scope of its events.',
    },
  },
  DeliveryStatus: {
    values: DeliveryStatus,
    description: 'The status of a delivery.',
    meanings: {
      Pending: 'Scheduled to be sent, or to be retried.',
      Delivered: 'The receiver responded with 2xx.',
      Failed: 'No more attempts are made; it can be replayed.',
      Held: 'Waits until the reason why nothing is sent to the subscription no longer applies.',
    },
  },
} as const
