// The enumerations of charges and schedules, with the names of the specification. Spec 2.8, 2.9; open-points
// 2. Imports nothing, so that clients can share it.

export const ScheduleStatus = { Draft: 1, Approved: 2 } as const
export type ScheduleStatus = (typeof ScheduleStatus)[keyof typeof ScheduleStatus]

export const ScheduleTransactionStatus = { Pending: 1, Scheduled: 2, Void: 3 } as const
/** The statuses that a user can give to a transaction without a consignment. */
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

/** Types below 7 are between the organisation and a client, the others between it and a carrier. */
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
/** Why a rate card applies to a partner: its own card, or the fall-back of the organisation. */
export const RateCardBecause = { Own: 1, FallBack: 2 } as const
export type RateCardBecause = (typeof RateCardBecause)[keyof typeof RateCardBecause]

/**
 * What a rate prices. A carrier's card has CarrierFreight rates only; a client's card has all other kinds.
 */
export const RateKind = { Activity: 1, ClientFreight: 2, CarrierFreight: 3, Storage: 4, Periodic: 5 } as const
export type RateKind = (typeof RateKind)[keyof typeof RateKind]

/** Whether a rate prices a consignment as a whole, or its lines by product. */
export const RateBasis = { Metric: 1, Product: 2 } as const
export type RateBasis = (typeof RateBasis)[keyof typeof RateBasis]

/** The measure that a rate charge multiplies by its rate. */
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

/** How the stock of a day is counted. */
export const StorageCount = {
  Closing: 1,
  Opening: 2,
  Chronological: 3,
  PartThereof: 4,
  CumulativePartThereof: 5,
} as const
/** How the daily counts of a period are combined into one quantity. */
export const StorageMethod = {
  SumOfDays: 1,
  Average: 2,
  Maximum: 3,
  StartOfPeriod: 4,
  Anniversary: 5,
} as const
/** The part of a period that is charged for stock received during it. */
export const ReceiptsCharged = { None: 0, Full: 1, HalfAfterMid: 2, DaysLeft: 3 } as const
export const BillingPeriod = { Weekly: 1, Fortnightly: 2, HalfMonthly: 3, Monthly: 4, FourWeekly: 5 } as const
export type BillingPeriod = (typeof BillingPeriod)[keyof typeof BillingPeriod]

/** Why no rate charges a part of a consignment. */
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

/** The kinds of chargeable parts of a consignment. */
export const ChargePartKind = { Consignment: 1, Line: 2, Task: 3, Consumable: 4, Freight: 5 } as const
export type ChargePartKind = (typeof ChargePartKind)[keyof typeof ChargePartKind]

/** The kinds of work that the unbilled-work report lists. */
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

/** The outcome of a rate charge when a consignment was rated. */
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

/** Why no adjusting transaction is raised for a difference that a back-test found. */
export const AdjustmentSkipped = { Reopened: 1, Adjusted: 2 } as const
export type AdjustmentSkipped = (typeof AdjustmentSkipped)[keyof typeof AdjustmentSkipped]
