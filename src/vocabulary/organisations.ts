// The enumerations of organisations and their apps, with the names of the specification. Open-points 8.
// Imports nothing, so that clients can share it.

export const GrantType = { AuthorisationCode: 1, ClientCredentials: 2 } as const

/**
 * What is allocated to a line that needs as much as a whole logistic unit holds: the unit, or loose items.
 */
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
