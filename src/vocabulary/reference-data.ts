// The enumerations of reference data, with the names of the specification. Spec 2.16; open-points 8.
// This file imports nothing, so that clients can share it.

export const DgStandard = {
  NewZealand_Ghs7: 1,
  Australia_Ghs7: 2,
  NewZealand_Dg2005: 3,
  Australia_AdgCode: 4,
} as const

/** The status of reference data. The status of partners has these numbers the other way round (spec 2.11). */
export const SetUpStatus = { Active: 1, Inactive: 2 } as const
