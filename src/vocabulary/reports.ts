// The enumerations of reports. Spec 4.16; decision 2. This file imports nothing, so that clients can share
// it.

export const InwardSummaryMode = { DateEntered: 1, ActualReceivedDate: 2, NotYetReceived: 3 } as const

export const OutwardSummaryMode = { DateEntered: 1, ActualDispatchDate: 2, NotYetDispatched: 3 } as const

export const PickfaceExceptionType = {
  NoProduct: 1,
  Empty: 2,
  BelowMin: 3,
  OtherProduct: 4,
  SeveralProducts: 5,
  NothingAvailable: 6,
  NoTarget: 7,
} as const

export const PickfaceReplenishmentStatus = { TargetReached: 1, BelowTarget: 2, BelowMin: 3 } as const

/** What these enumerations stand for, and those values whose name does not say it all. */
export const reportDescriptions = {
  InwardSummaryMode: {
    values: InwardSummaryMode,
    description: 'Which inwards consignments a summary lists.',
    meanings: {
      DateEntered: 'All, by the day of entry.',
      ActualReceivedDate: 'Received ones, by the day of receipt.',
      NotYetReceived: 'Those that are not Complete, by the expected day of receipt.',
    },
  },
  OutwardSummaryMode: {
    values: OutwardSummaryMode,
    description: 'Which outwards consignments a summary lists.',
    meanings: {
      DateEntered: 'All, by the day of entry.',
      ActualDispatchDate: 'Dispatched ones, by the day of dispatch.',
      NotYetDispatched: 'Those that have not left, by the expected day of dispatch.',
    },
  },
  PickfaceExceptionType: {
    values: PickfaceExceptionType,
    description: 'What is wrong with a pickface.',
    meanings: {
      NoProduct: 'It has no product.',
      Empty: 'It has no stock.',
      BelowMin: 'Less of its product is available than its minimum.',
      OtherProduct: 'It has stock of another product.',
      SeveralProducts: 'It has stock of several products.',
      NothingAvailable: 'All its stock is on hold, quarantined or expired.',
      NoTarget: 'It has no target quantity.',
    },
  },
  PickfaceReplenishmentStatus: {
    values: PickfaceReplenishmentStatus,
    description: 'How full a pickface is, by the available quantity of its product.',
  },
} as const
