// The enumerations of consignments, with the names of the specification. Spec 2.2 to 2.4; open-points 2.
// This file imports nothing, so that clients can share it.

export const ConsignmentType = { PointToPoint: 0, Inwards: 1, Outwards: 2 } as const
export type ConsignmentType = (typeof ConsignmentType)[keyof typeof ConsignmentType]

export const ConsignmentStatus = {
  Void: -2,
  Complete: 0,
  Pending: 1,
  ReadyToPick: 2,
  ReadyToDispatch: 3,
  ReadyToReceive: 4,
  InProgress: 5,
  Closed: 6,
  InTransit: 7,
  Draft: 8,
} as const
export type ConsignmentStatus = (typeof ConsignmentStatus)[keyof typeof ConsignmentStatus]

/** The statuses to filter by: those of a consignment, and -1 for Open (all except Closed and Void). */
export const ConsignmentStatusFilter = { ...ConsignmentStatus, Open: -1 } as const

export const ConsignmentPriority = { Normal: 2, High: 3, Urgent: 4 } as const
export type ConsignmentPriority = (typeof ConsignmentPriority)[keyof typeof ConsignmentPriority]

export const ContainerSize = { TenFoot: 1, TwentyFoot: 2, FortyFoot: 3, FortyFiveFoot: 4 } as const
export const ContainerType = {
  GeneralPurpose: 1,
  GeneralPurposeHighCube: 2,
  Refrigerated: 3,
  RefrigeratedHighCube: 4,
  RefrigeratedNotOperating: 5,
  RefrigeratedNotOperatingHighCube: 6,
  OpenTop: 7,
  OpenTopHighCube: 8,
  FlatRack: 9,
  FlatRackHighCube: 10,
  Tank: 11,
  TankHighCube: 12,
} as const

export const TrackingStatus = {
  Unknown: 0,
  Printed: 1,
  Dispatched: 2,
  InTransit: 3,
  OutForDelivery: 4,
  Delivered: 5,
  PickupInStore: 6,
  AttemptedDelivery: 7,
  Exception: 8,
  AwaitingCollection: 9,
  Cancelled: 10,
  Manifested: 11,
} as const

export const EdiResult = { Success: 1, Failed: 2 } as const

/** The result for one consignment in a request to close several. */
export const CloseResult = { Closed: 1, NotModified: 2, Refused: 3 } as const
