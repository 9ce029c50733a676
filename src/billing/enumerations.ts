// The enumerations of charges and schedules, with the names of the specification. Spec 2.8, 2.9; open-points
// 2. Imports nothing, so that clients can share it.

export const ScheduleStatus = { Draft: 1, Approved: 2 } as const
export type ScheduleStatus = (typeof ScheduleStatus)[keyof typeof ScheduleStatus]

export const ScheduleTransactionStatus = { Pending: 1, Scheduled: 2, Void: 3 } as const

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
