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

/** What moved stock: the types of the ledger that the API tells. */
export const InventoryMovementType = {
  Adjustment: 1,
  Transfer: 2,
  Receive: 3,
  Hold: 4,
  Pick: 5,
  Dispatch: 6,
} as const

/** Which stock a line may have, by how near the dates of it are. */
export const CriticalStockStatus = { CriticalStock: 1, NonCriticalStock: 2 } as const

/** Why stock is held. */
export const HoldKind = { General: 1, Quality: 2, Return: 3 } as const
export type HoldKind = (typeof HoldKind)[keyof typeof HoldKind]

/** How far a stock count is. */
export const StockCountStatus = { Draft: 1, InProgress: 2, Counted: 3, Approved: 4, Cancelled: 5 } as const
export type StockCountStatus = (typeof StockCountStatus)[keyof typeof StockCountStatus]

/** How far a line of a stock count is. */
export const StockCountLineStatus = { ToCount: 1, Counted: 2, Recount: 3, Approved: 4 } as const
export type StockCountLineStatus = (typeof StockCountLineStatus)[keyof typeof StockCountLineStatus]

/** How a fire of dangerous goods is fought: the digit of the emergency action code. ARF: resistant foam. */
export const HazchemFireCode = { I: 1, II: 2, III: 3, IV: 4, II_ARF: 5, III_ARF: 6 } as const
export type HazchemFireCode = (typeof HazchemFireCode)[keyof typeof HazchemFireCode]

/** What those who fight it wear and do: the letter of the code. Black: white on black, or in brackets. */
export const HazchemSafetyCode = {
  P: 1,
  R: 2,
  S: 3,
  S_Black: 4,
  T: 5,
  T_Black: 6,
  W: 7,
  X: 8,
  Y: 9,
  Y_Black: 10,
  Z: 11,
  Z_Black: 12,
} as const
export type HazchemSafetyCode = (typeof HazchemSafetyCode)[keyof typeof HazchemSafetyCode]

/** Why stock might be put away somewhere. */
export const PutAwayReason = { Pickface: 1, SameBatch: 2, FreeInZone: 3, Free: 4 } as const
