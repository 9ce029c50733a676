// The enumerations of reference data, with the names of the specification. Spec 2.16; decision 8.
// This file imports nothing, so that clients can share it.

export const DgStandard = {
  NewZealand_Ghs7: 1,
  Australia_Ghs7: 2,
  NewZealand_Dg2005: 3,
  Australia_AdgCode: 4,
} as const

/** The status of reference data. The status of partners has these numbers the other way round (spec 2.11). */
export const SetUpStatus = { Active: 1, Inactive: 2 } as const

/** What these enumerations stand for, and those values whose name does not say it all. */
export const referenceDataDescriptions = {
  SetUpStatus: {
    values: SetUpStatus,
    description: 'Whether new records can refer to it.',
    meanings: { Inactive: 'Kept for existing records; new records cannot refer to it.' },
  },
  DgStandard: {
    values: DgStandard,
    description: 'The standard that classifies dangerous goods.',
    meanings: {
      NewZealand_Ghs7: 'New Zealand, GHS revision 7.',
      Australia_Ghs7: 'Australia, GHS revision 7.',
      NewZealand_Dg2005: 'New Zealand, Land Transport Rule: Dangerous Goods 2005.',
      Australia_AdgCode: 'Australia, the Australian Dangerous Goods Code.',
    },
  },
} as const
