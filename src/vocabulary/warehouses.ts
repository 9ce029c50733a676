// The enumerations of warehouses, with the names of the specification. Spec 2.13, 2.14; decision 2.
// Imports nothing, so that clients can share it.

export const WarehouseStatus = { Active: 1, Inactive: 2 } as const
export const AddressType = { Warehouse: 1, Origin: 2, Consignee: 3, Adhoc: 4 } as const
export const LocationType = { Racking: 1, Bulk: 2, Quarantine: 3, Transitional: 4 } as const

/** What these enumerations stand for, and those values whose name does not say it all. */
export const warehouseDescriptions = {
  WarehouseStatus: {
    values: WarehouseStatus,
    description: 'Whether new records can refer to it.',
    meanings: { Inactive: 'Kept for existing records; new records cannot refer to it.' },
  },
  AddressType: {
    values: AddressType,
    description: 'The purpose of an address.',
  },
  LocationType: {
    values: LocationType,
    description: 'The purpose of a location.',
    meanings: {
      Quarantine: 'Its stock is on hand but not available.',
    },
  },
} as const
