// The enumerations of consignments, with the names of the specification. Spec 2.2 to 2.4; decision 2.
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

export const BulkResult = { Changed: 1, Unchanged: 2, Refused: 3 } as const
export type BulkResult = (typeof BulkResult)[keyof typeof BulkResult]
export const CloseResult = { Closed: 1, NotModified: 2, Refused: 3 } as const

const consignmentStatuses = {
  Void: 'Cancelled; it can no longer change.',
  Complete: 'Everything is received, delivered or done.',
  Pending: 'The initial status.',
  ReadyToPick: 'Outwards: stock is allocated.',
  ReadyToDispatch: 'Outwards: everything is picked.',
  ReadyToReceive: 'Inwards: receiving may begin.',
  InProgress: 'Point to point: in progress.',
  Closed: 'Billed; it cannot change unless it is reopened.',
  InTransit: 'Outwards: the goods have left the warehouse.',
  Draft: 'Not released yet.',
}

/** What these enumerations stand for, and those values whose name does not say it all. */
export const consignmentDescriptions = {
  ConsignmentType: {
    values: ConsignmentType,
    description: 'The direction in which the goods move.',
    meanings: {
      PointToPoint: 'From one address to another, without a warehouse.',
      Inwards: 'Into a warehouse.',
      Outwards: 'Out of a warehouse.',
    },
  },
  ConsignmentStatus: {
    values: ConsignmentStatus,
    description:
      'The status of a consignment. Inwards: Draft, Pending, ReadyToReceive, Complete, Closed. Outwards: ' +
      'Draft, Pending, ReadyToPick, ReadyToDispatch, InTransit, Complete, Closed. Point to point: Draft, ' +
      'Pending, InProgress, Complete, Closed.',
    meanings: consignmentStatuses,
  },
  ConsignmentStatusFilter: {
    values: ConsignmentStatusFilter,
    description: 'A status of consignments to filter by.',
    meanings: {
      ...consignmentStatuses,
      Open: 'Every status except Closed and Void.',
    },
  },
  BulkResult: {
    values: BulkResult,
    description: 'The result of an act on a consignment together with others.',
    meanings: {
      Unchanged: 'It was so already.',
      Refused: 'It was not changed; the messages say why.',
    },
  },
  CloseResult: {
    values: CloseResult,
    description: 'The result of closing a consignment together with others.',
    meanings: {
      NotModified: 'It was already Closed.',
      Refused: 'It was not changed; the messages say why.',
    },
  },
  ConsignmentPriority: {
    values: ConsignmentPriority,
    description: 'How urgent a consignment is.',
  },
  ContainerSize: {
    values: ContainerSize,
    description: 'Length of a shipping container.',
  },
  ContainerType: {
    values: ContainerType,
    description: 'Type of a shipping container.',
  },
  TrackingStatus: {
    values: TrackingStatus,
    description: 'The tracking status that the carrier reports.',
    meanings: {
      Printed: 'The label is printed.',
      AttemptedDelivery: 'Nobody was there to receive the goods.',
      Exception: 'Something went wrong; the details say what.',
    },
  },
  EdiResult: {
    values: EdiResult,
    description: 'Whether an integration processed an event successfully.',
  },
} as const
