// The enumerations of organisations and their apps, with the names of the specification. Decision 8.
// Imports nothing, so that clients can share it.

export const GrantType = { AuthorisationCode: 1, ClientCredentials: 2 } as const

export const FullPalletAllocation = { WholeUnit: 1, LooseItems: 2 } as const

/** What an entry of the history of an organisation is about. */
export const AdministrationSubject = {
  Organisation: 'organisation',
  User: 'user',
  CustomApp: 'custom-app',
  SigningKey: 'signing-key',
  Printer: 'printer',
  PrinterBridge: 'printer-bridge',
} as const
export type AdministrationSubject = (typeof AdministrationSubject)[keyof typeof AdministrationSubject]

/** What these enumerations stand for, and those values whose name does not say it all. */
export const organisationDescriptions = {
  FullPalletAllocation: {
    values: FullPalletAllocation,
    description: 'What is allocated to a line that needs as much as a whole logistic unit contains.',
    meanings: { WholeUnit: 'The unit.', LooseItems: 'Its items, without the unit.' },
  },
  GrantType: {
    values: GrantType,
    description: 'How an app gets its tokens.',
    meanings: {
      AuthorisationCode: 'For the people who sign in to it.',
      ClientCredentials: 'For the organisation, with its id and secret.',
    },
  },
} as const
