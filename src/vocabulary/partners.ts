// The enumerations of partners and their products, with the names of the specification. Spec 2.11, 2.12;
// decision 2. This file imports nothing, so that clients can share it.

export const Relationship = { Client: 1, Carrier: 2 } as const
export const PartnerStatus = { Inactive: 1, Active: 2 } as const
export const FreightResolution = { LeastExpensive: 0, MostExpensive: 1, Compounding: 2 } as const
export const FreightWarningType = { None: 0, Value: 1, Margin: 2 } as const
export const RotationMethod = {
  None: 0,
  Batch: 1,
  ExpiryAscending: 2,
  ExpiryDescending: 3,
  ProductionDateAscending: 4,
  ProductionDateDescending: 5,
  BestBeforeDateAscending: 6,
  BestBeforeDateDescending: 7,
  SellByDateAscending: 8,
  SellByDateDescending: 9,
  PackagingDateAscending: 10,
  PackagingDateDescending: 11,
  ReceivedDateAscending: 12,
  ReceivedDateDescending: 13,
} as const
export type RotationMethod = (typeof RotationMethod)[keyof typeof RotationMethod]
/** Among stock that is equal in rotation, whether the first or the last received goes first. */
export const StockDepletionMethod = { FIFO: 1, LIFO: 2 } as const
export type StockDepletionMethod = (typeof StockDepletionMethod)[keyof typeof StockDepletionMethod]
export const AttributeUsage = { Hidden: 1, Optional: 2, Required: 3 } as const
export const Substitution = { Allowed: 1, NotAllowed: 2 } as const
export type Substitution = (typeof Substitution)[keyof typeof Substitution]

export const ProductStatus = { Active: 1, Inactive: 2 } as const
export const SerialTrackingMode = { None: 1, FullCapture: 2, ReleaseCapture: 3 } as const
export const PackagingGroup = { I: 1, II: 2, III: 3 } as const

export const MetricType = { Item: 1, VirtualPallet: 2, UnitType: 3 } as const

export const MetricResolution = { Compound: 1, Cascade: 2 } as const
export type MetricResolution = (typeof MetricResolution)[keyof typeof MetricResolution]

/** The most hours without charge for storage: ten years. A bill reads the ledger from that long before. */
export const maxFreeStorageHours = 87_600

/** What these enumerations stand for, and those values whose name does not say it all. */
export const partnerDescriptions = {
  Relationship: {
    values: Relationship,
    description: 'What a partner is to the organisation.',
    meanings: {
      Client: 'Its goods are stored and shipped.',
      Carrier: 'It moves goods.',
    },
  },
  PartnerStatus: {
    values: PartnerStatus,
    description: 'Whether new records can refer to the partner.',
    meanings: { Inactive: 'Kept for existing records; new records cannot refer to it.' },
  },
  FreightResolution: {
    values: FreightResolution,
    description: 'Which freight rate applies if several match.',
    meanings: {
      Compounding: 'All of them.',
    },
  },
  FreightWarningType: {
    values: FreightWarningType,
    description: 'When the price of freight causes a warning.',
    meanings: {
      Value: 'It earns less than a certain amount.',
      Margin: 'It earns less than a certain percentage of the charge.',
    },
  },
  RotationMethod: {
    values: RotationMethod,
    description: 'Which stock is picked first.',
  },
  StockDepletionMethod: {
    values: StockDepletionMethod,
    description: 'Which stock is used first if the rotation method does not decide, by the day of receipt.',
  },
  AttributeUsage: {
    values: AttributeUsage,
    description: 'Whether goods are distinguished by a date or batch.',
  },
  Substitution: {
    values: Substitution,
    description: 'Whether other stock may be used instead of the requested stock.',
  },
  ProductStatus: {
    values: ProductStatus,
    description: 'Whether new records can refer to the product.',
    meanings: { Inactive: 'Kept for existing records; new records cannot refer to it.' },
  },
  SerialTrackingMode: {
    values: SerialTrackingMode,
    description: 'When the serial numbers of items are captured.',
    meanings: {
      FullCapture: 'When they are received and when they are dispatched.',
      ReleaseCapture: 'When they are dispatched.',
    },
  },
  PackagingGroup: {
    values: PackagingGroup,
    description: 'Packing group of dangerous goods.',
    meanings: {
      I: 'Great danger.',
      II: 'Medium danger.',
      III: 'Minor danger.',
    },
  },
  MetricType: {
    values: MetricType,
    description: 'The unit of a quantity.',
    meanings: {
      Item: 'Single items.',
      UnitType: 'Units of a unit type.',
    },
  },
  MetricResolution: {
    values: MetricResolution,
    description: 'How the result of a conversion is expressed.',
    meanings: {
      Compound: 'The whole quantity in each unit.',
      Cascade: 'Whole units from the largest to the smallest, and the remainder in items.',
    },
  },
} as const
