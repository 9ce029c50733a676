// The enumerations of stock, with the names of the specification. Spec 2.14; open-points 2. This file imports
// nothing, so that client code can share it.

/** The type of a ledger line. Allocation changes only the allocated quantity; it is internal to Waybill. */
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

/** The types of ledger lines in the reports of the API, which leave out allocations. */
export const InventoryMovementType = {
  Adjustment: 1,
  Transfer: 2,
  Receive: 3,
  Hold: 4,
  Pick: 5,
  Dispatch: 6,
} as const

/** Which stock a line may get, depending on how close the stock is to its expiry or other dates. */
export const CriticalStockStatus = { CriticalStock: 1, NonCriticalStock: 2 } as const

/** Why stock is held. */
export const HoldKind = { General: 1, Quality: 2, Return: 3 } as const
export type HoldKind = (typeof HoldKind)[keyof typeof HoldKind]

/** The status of a stock count. */
export const StockCountStatus = { Draft: 1, InProgress: 2, Counted: 3, Approved: 4, Cancelled: 5 } as const
export type StockCountStatus = (typeof StockCountStatus)[keyof typeof StockCountStatus]

/** The status of a line of a stock count. */
export const StockCountLineStatus = { ToCount: 1, Counted: 2, Recount: 3, Approved: 4 } as const
export type StockCountLineStatus = (typeof StockCountLineStatus)[keyof typeof StockCountLineStatus]

/** The digit of an emergency action code: what a fire is fought with. ARF: alcohol-resistant foam. */
export const HazchemFireCode = { I: 1, II: 2, III: 3, IV: 4, II_ARF: 5, III_ARF: 6 } as const
export type HazchemFireCode = (typeof HazchemFireCode)[keyof typeof HazchemFireCode]

/** The letter of an emergency action code: protection, containment. Black: white on black or in brackets. */
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

/** Why a location is suggested for putting stock away. */
export const PutAwayReason = { Pickface: 1, SameBatch: 2, FreeInZone: 3, Free: 4 } as const
