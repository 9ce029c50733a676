// The enumerations of reports. Spec 4.16; open-points 2. This file imports nothing, so that clients can share
// it.

/** Which inwards consignments a summary lists, and which of their dates its period restricts. */
export const InwardSummaryMode = { DateEntered: 1, ActualReceivedDate: 2, NotYetReceived: 3 } as const

/** Which outwards consignments a summary lists, and which of their dates its period restricts. */
export const OutwardSummaryMode = { DateEntered: 1, ActualDispatchDate: 2, NotYetDispatched: 3 } as const

/** What is wrong with a pickface. */
export const PickfaceExceptionType = {
  NoProduct: 1,
  Empty: 2,
  BelowMin: 3,
  OtherProduct: 4,
  SeveralProducts: 5,
  NothingAvailable: 6,
  NoTarget: 7,
} as const

/** How full a pickface is. */
export const PickfaceReplenishmentStatus = { TargetReached: 1, BelowTarget: 2, BelowMin: 3 } as const
