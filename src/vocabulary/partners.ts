// The enumerations of partners and their products, with the names of the specification. Spec 2.11, 2.12;
// open-points 2. This file imports nothing, so that clients can share it.

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

/** How a quantity is counted: in single items, in virtual pallets, or in units of a unit type. */
export const MetricType = { Item: 1, VirtualPallet: 2, UnitType: 3 } as const

/**
 * The form of a conversion's result. Compound gives the whole quantity in every unit. Cascade gives whole
 * units from the largest down, and the remainder in items.
 */
export const MetricResolution = { Compound: 1, Cascade: 2 } as const
export type MetricResolution = (typeof MetricResolution)[keyof typeof MetricResolution]

/** The most hours without charge for storage: ten years. A bill reads the ledger from that long before. */
export const maxFreeStorageHours = 87_600
