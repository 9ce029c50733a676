// The enumerations of stock, with the names of the specification. Spec 2.14; open-points 2. Imports nothing,
// so that clients can share it.

/** What a line of the ledger is. Allocation changes what is promised only, and is no type of the API. */
export const TransactionType = {
  Allocation: 0,
  Adjustment: 1,
  Transfer: 2,
  Receive: 3,
  Hold: 4,
  Pick: 5,
  Dispatch: 6,
} as const
export type TransactionType = (typeof TransactionType)[keyof typeof TransactionType]

/** Which stock a line may have, by how near the dates of it are. */
export const CriticalStockStatus = { CriticalStock: 1, NonCriticalStock: 2 } as const

/** Why stock is held. */
export const HoldKind = { General: 1, Quality: 2, Return: 3 } as const
export type HoldKind = (typeof HoldKind)[keyof typeof HoldKind]
