// The enumerations of organisations and their apps, with the names of the specification. Open-points 8.
// Imports nothing, so that clients can share it.

export const GrantType = { AuthorisationCode: 1, ClientCredentials: 2 } as const

/**
 * What a line is given that asks for as much as a whole logistic unit holds: the unit, or the items off it.
 */
export const FullPalletAllocation = { WholeUnit: 1, LooseItems: 2 } as const

/** What the history of an organisation is about. */
export const AdministrationSubject = {
  Organisation: 'organisation',
  User: 'user',
  CustomApp: 'custom-app',
  SigningKey: 'signing-key',
  Printer: 'printer',
  PrinterBridge: 'printer-bridge',
} as const
export type AdministrationSubject = (typeof AdministrationSubject)[keyof typeof AdministrationSubject]
