// The enumerations of custom apps, with the names of the specification. Open-points 8.
// Imports nothing, so that clients can share it.

export const GrantType = { AuthorisationCode: 1, ClientCredentials: 2 } as const
