// The enumerations of charges and schedules, with the names of the specification. Spec 2.8, 2.9; decision
// 2. Imports nothing, so that clients can share it.

export const ScheduleStatus = { Draft: 1, Approved: 2 } as const
export type ScheduleStatus = (typeof ScheduleStatus)[keyof typeof ScheduleStatus]

export const ScheduleTransactionStatus = { Pending: 1, Scheduled: 2, Void: 3 } as const
export const SettableTransactionStatus = { Pending: 1, Void: 3 } as const
export const ScheduleExportFormat = { Json: 1, Csv: 2, Xero: 3, Myob: 4 } as const
export type ScheduleExportFormat = (typeof ScheduleExportFormat)[keyof typeof ScheduleExportFormat]

export const BillingRunStatus = { Pending: 1, Running: 2, Done: 3, Failed: 4, Unbundled: 5 } as const
export type BillingRunStatus = (typeof BillingRunStatus)[keyof typeof BillingRunStatus]
/** The steps of a run, in order. */
export const BillingRunStep = { Close: 1, Storage: 2, Periodic: 3, Schedule: 4, Approve: 5 } as const
export type BillingRunStep = (typeof BillingRunStep)[keyof typeof BillingRunStep]

export const ScheduleTransactionType = {
  AdhocCharge: 0,
  FreightCharge: 1,
  StorageCharge: 2,
  ActivityCharge: 3,
} as const

export const ChargeType = {
  ClientActivityAdhoc: 1,
  ClientActivityMetricRate: 2,
  ClientActivityProductRate: 3,
  ClientFreightAdhoc: 4,
  ClientFreightMetricRate: 5,
  ClientFreightProductRate: 6,
  CarrierFreightAdhoc: 7,
  CarrierFreightMetricRate: 8,
  CarrierFreightProductRate: 9,
} as const
export type ChargeType = (typeof ChargeType)[keyof typeof ChargeType]

export const ChargeApplication = { Rate: 1, Fee: 2 } as const
export type ChargeApplication = (typeof ChargeApplication)[keyof typeof ChargeApplication]

export const RateCardStatus = { Active: 1, Inactive: 2 } as const
export const RateCardVersionStatus = { Draft: 1, Approved: 2 } as const
export const RateCardBecause = { Own: 1, FallBack: 2 } as const
export type RateCardBecause = (typeof RateCardBecause)[keyof typeof RateCardBecause]

export const RateKind = { Activity: 1, ClientFreight: 2, CarrierFreight: 3, Storage: 4, Periodic: 5 } as const
export type RateKind = (typeof RateKind)[keyof typeof RateKind]

export const RateBasis = { Metric: 1, Product: 2 } as const
export type RateBasis = (typeof RateBasis)[keyof typeof RateBasis]

export const RateMetric = {
  Consignment: 1,
  Quantity: 2,
  WeightKG: 3,
  VolumeM3: 4,
  VirtualPallet: 5,
  UnitType: 6,
  TaskValue: 7,
  ConsumableValue: 8,
  Lines: 9,
  LogisticUnits: 10,
  Serials: 11,
  ChargeableWeightKG: 12,
  Locations: 13,
} as const
export type RateMetric = (typeof RateMetric)[keyof typeof RateMetric]

export const RateBreaks = { None: 0, Selective: 1, Progressive: 2 } as const
export const MetricRounding = { None: 0, Up: 1, Nearest: 2 } as const
export type MetricRounding = (typeof MetricRounding)[keyof typeof MetricRounding]

export const StorageCount = {
  Closing: 1,
  Opening: 2,
  Chronological: 3,
  PartThereof: 4,
  CumulativePartThereof: 5,
} as const
export const StorageMethod = {
  SumOfDays: 1,
  Average: 2,
  Maximum: 3,
  StartOfPeriod: 4,
  Anniversary: 5,
} as const
export const ReceiptsCharged = { None: 0, Full: 1, HalfAfterMid: 2, DaysLeft: 3 } as const
export const BillingPeriod = { Weekly: 1, Fortnightly: 2, HalfMonthly: 3, Monthly: 4, FourWeekly: 5 } as const
export type BillingPeriod = (typeof BillingPeriod)[keyof typeof BillingPeriod]

export const UnratedReason = {
  NoRateCard: 1,
  NoRate: 2,
  NothingMatches: 3,
  NotMeasured: 4,
  NoLocality: 5,
  Remainder: 6,
  NotPositive: 7,
} as const
export type UnratedReason = (typeof UnratedReason)[keyof typeof UnratedReason]

export const ChargePartKind = { Consignment: 1, Line: 2, Task: 3, Consumable: 4, Freight: 5 } as const
export type ChargePartKind = (typeof ChargePartKind)[keyof typeof ChargePartKind]

export const UnbilledKind = {
  Line: 1,
  Task: 2,
  Consumable: 3,
  Freight: 4,
  StorageDay: 5,
  ServiceType: 6,
  NotClosed: 7,
  Excluded: 8,
  ZeroAmount: 9,
  ByExpected: 10,
} as const
export type UnbilledKind = (typeof UnbilledKind)[keyof typeof UnbilledKind]

export const RateChargeOutcome = {
  Taken: 1,
  Free: 2,
  NoMatch: 3,
  NothingTaken: 4,
  NotReached: 5,
  LostResolution: 6,
} as const
export type RateChargeOutcome = (typeof RateChargeOutcome)[keyof typeof RateChargeOutcome]

export const BackTestStatus = { Pending: 1, Running: 2, Done: 3, Failed: 4, Cancelled: 5 } as const

export const AdjustmentSkipped = { Reopened: 1, Adjusted: 2 } as const
export type AdjustmentSkipped = (typeof AdjustmentSkipped)[keyof typeof AdjustmentSkipped]

/** What these enumerations stand for, and those values whose name does not say it all. */
export const billingDescriptions = {
  ChargeType: {
    values: ChargeType,
    description:
      'What is charged, and how it is calculated. Types below 7 are between the organisation and a client, ' +
      'the others between the organisation and a carrier.',
  },
  ChargeApplication: {
    values: ChargeApplication,
    description: 'Whether an amount is multiplied.',
    meanings: {
      Rate: 'Rate times metric, plus the base.',
      Fee: 'The amount itself, once.',
    },
  },
  ScheduleStatus: {
    values: ScheduleStatus,
    description: 'The status of a schedule.',
    meanings: {
      Draft: 'Can still change.',
      Approved: 'Final, ready to be exported.',
    },
  },
  ScheduleExportFormat: {
    values: ScheduleExportFormat,
    description: 'The format that a schedule is exported in.',
    meanings: {
      Json: 'For programs.',
      Csv: 'For spreadsheets.',
      Xero: 'For Xero, which imports it as a sales invoice.',
      Myob: 'For MYOB AccountRight, which imports it as a professional sale.',
    },
  },
  ScheduleTransactionStatus: {
    values: ScheduleTransactionStatus,
    description: 'The status of a transaction.',
    meanings: {
      Pending: 'Not on a schedule yet.',
      Scheduled: 'On a schedule.',
      Void: 'Not billed, but kept.',
    },
  },
  SettableTransactionStatus: {
    values: SettableTransactionStatus,
    description: 'The statuses that a transaction without a consignment can be set to.',
    meanings: { Pending: 'To be billed after all.', Void: 'Not to be billed.' },
  },
  BillingRunStatus: {
    values: BillingRunStatus,
    description: 'The status of a billing run.',
    meanings: {
      Pending: 'Not started, or returned by a worker.',
      Running: 'A worker is processing it.',
      Done: 'The period is billed.',
      Failed: 'It could not continue; it is retried every hour.',
      Unbundled: 'Its schedule was removed; when it is retried, it makes the schedule again.',
    },
  },
  BillingRunStep: {
    values: BillingRunStep,
    description: 'The next step of a billing run.',
    meanings: {
      Close: 'Closing Complete consignments.',
      Storage: 'Raising the storage charges of the period.',
      Periodic: 'Raising periodic fees and top-ups to a minimum spend.',
      Schedule: 'Creating schedules.',
      Approve: 'Approving schedules, if the billing rule says so.',
    },
  },
  ScheduleTransactionType: {
    values: ScheduleTransactionType,
    description: 'What a transaction bills.',
  },
  RateCardStatus: {
    values: RateCardStatus,
    description: 'Whether a rate card applies.',
  },
  RateCardVersionStatus: {
    values: RateCardVersionStatus,
    description: 'The status of a version of a rate card.',
    meanings: {
      Draft: 'Can still change; nothing is charged by it.',
      Approved: 'Applies from its start date, and never changes.',
    },
  },
  RateCardBecause: {
    values: RateCardBecause,
    description: 'Why a rate card applies to a partner.',
    meanings: {
      Own: "It is the partner's own card.",
      FallBack: 'The partner has no card that applies, and this is the card for all such partners.',
    },
  },
  RateKind: {
    values: RateKind,
    description:
      "What a rate prices. CarrierFreight is used on carriers' cards, the others on clients' cards.",
    meanings: {
      Activity: 'Work on a consignment.',
      ClientFreight: 'What the client pays for freight.',
      CarrierFreight: 'What the carrier charges for freight.',
      Storage: 'Storage of stock, per day.',
      Periodic: 'A fee per billing period.',
    },
  },
  RateBasis: {
    values: RateBasis,
    description: 'Whether the charges of a rate can select lines by product.',
    meanings: {
      Metric: 'No: each charge applies to all lines together.',
      Product: 'Yes: each charge applies to its matching lines together.',
    },
  },
  RateMetric: {
    values: RateMetric,
    description: 'What a charge is multiplied by.',
    meanings: {
      Consignment: 'Always 1.',
      VirtualPallet: "Pallets, calculated from the products' unit conversions.",
      UnitType: "Units of a unit type, calculated from the products' unit conversions.",
      TaskValue: 'The value of a task; for hours, use a task whose value is hours.',
      ConsumableValue: 'The value of a consumable.',
      ChargeableWeightKG: 'The greater of the weight and the volumetric weight.',
      Locations: 'Storage only: locations in use.',
    },
  },
  RateBreaks: {
    values: RateBreaks,
    description: 'How a quantity is priced by bands of rates.',
    meanings: {
      Selective: 'The whole quantity at the rate of the band that it falls into.',
      Progressive: 'The part of the quantity in each band at the rate of that band.',
    },
  },
  MetricRounding: {
    values: MetricRounding,
    description: 'How a metric is rounded to a multiple of roundTo.',
  },
  StorageCount: {
    values: StorageCount,
    description: 'Which stock of a day is charged.',
    meanings: {
      Chronological: 'The highest balance of the day.',
      PartThereof: 'The stock at the start of the day, plus receipts of the day.',
      CumulativePartThereof: 'The stock at the start of the period, plus receipts since then.',
    },
  },
  StorageMethod: {
    values: StorageMethod,
    description: 'How the days of a period become one quantity.',
    meanings: {
      StartOfPeriod: 'The stock at the start, plus receipts as receiptsCharged says.',
      Anniversary: 'Each receipt has its own periods, which start on the day of the receipt.',
    },
  },
  ReceiptsCharged: {
    values: ReceiptsCharged,
    description: 'How much of a period is charged for stock that is received during it.',
    meanings: {
      HalfAfterMid: 'The whole period if received in its first half, otherwise half of it.',
    },
  },
  ChargePartKind: {
    values: ChargePartKind,
    description: 'A part of a consignment that can be charged.',
  },
  UnratedReason: {
    values: UnratedReason,
    description: 'Why work is not charged.',
    meanings: {
      NoRateCard: 'No rate card applies to the client.',
      NoRate: 'The card has no rate for this work.',
      NothingMatches: 'No charge of any rate matches it.',
      NotMeasured: 'A charge matches, but the weight, volume or unit to measure is unknown.',
      NoLocality: 'The origin or destination is in no locality.',
      Remainder: 'It is the remainder after whole units.',
      NotPositive: 'Its quantity is 0 or less.',
    },
  },
  UnbilledKind: {
    values: UnbilledKind,
    description: 'What is not billed.',
    meanings: {
      StorageDay: 'Days on which goods were stored.',
      ServiceType: 'A service type that no charge refers to.',
      NotClosed: 'A Complete consignment that is waiting to be Closed.',
      Excluded: 'A charge that a user excluded.',
      ZeroAmount: 'A charge of 0.00.',
      ByExpected:
        'A consignment charged by expected quantities, because nothing was received or dispatched here.',
    },
  },
  RateChargeOutcome: {
    values: RateChargeOutcome,
    description: 'The outcome of a charge of a rate.',
    meanings: {
      Taken: 'It is charged.',
      Free: 'It applies to its parts, but costs nothing.',
      NoMatch: 'It does not apply to the consignment.',
      NothingTaken: 'It applies to the consignment, but none of the remaining parts matched it.',
      NotReached: 'The charges before it left no parts.',
      LostResolution: 'Another freight rate took precedence.',
    },
  },
  BackTestStatus: {
    values: BackTestStatus,
    description: 'The status of a back-test.',
    meanings: {
      Failed: 'It could not be run; `failure` says why.',
    },
  },
  AdjustmentSkipped: {
    values: AdjustmentSkipped,
    description: 'Why a difference of a back-test is not billed.',
    meanings: {
      Reopened: 'The consignment was reopened in the meantime; it is billed again when it is Closed.',
      Adjusted: 'It was adjusted in the meantime.',
    },
  },
  BillingPeriod: {
    values: BillingPeriod,
    description: 'How often something is billed.',
  },
} as const
