// The enumerations of stock, with the names of the specification. Spec 2.14; decision 2. This file imports
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

/** Why stock moved, where the type of its ledger line and its consignment do not say it. */
export const MovementCause = {
  None: 0,
  OpeningBalance: 1,
  Correction: 2,
  Count: 3,
  Redescribed: 4,
  SerialsCaptured: 5,
  DispatchUndone: 16,
  ReceiptUndone: 17,
  ShortPick: 18,
  Unpicked: 19,
  Override: 20,
} as const
export type MovementCause = (typeof MovementCause)[keyof typeof MovementCause]

/** The types of ledger lines in the reports of the API, which leave out allocations. */
export const InventoryMovementType = {
  Adjustment: 1,
  Transfer: 2,
  Receive: 3,
  Hold: 4,
  Pick: 5,
  Dispatch: 6,
} as const

export const CriticalStockStatus = { CriticalStock: 1, NonCriticalStock: 2 } as const

export const HoldKind = { General: 1, Quality: 2, Return: 3 } as const
export type HoldKind = (typeof HoldKind)[keyof typeof HoldKind]

export const StockCountStatus = { Draft: 1, InProgress: 2, Counted: 3, Approved: 4, Cancelled: 5 } as const
export type StockCountStatus = (typeof StockCountStatus)[keyof typeof StockCountStatus]

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

export const PutAwayReason = { Pickface: 1, SameBatch: 2, FreeInZone: 3, Free: 4 } as const

/** What these enumerations stand for, and those values whose name does not say it all. */
export const stockDescriptions = {
  CriticalStockStatus: {
    values: CriticalStockStatus,
    description: 'Which stock may be used, by its dates.',
    meanings: {
      CriticalStock: 'Only stock within the critical days before one of its dates, or past it.',
      NonCriticalStock: 'Only other stock.',
    },
  },
  InventoryTransactionType: {
    values: TransactionType,
    description: 'The type of a stock transaction.',
    meanings: {
      Allocation: 'Stock was allocated or deallocated; nothing moved.',
      Receive: 'Stock was received.',
      Hold: 'Stock was put on hold or released.',
      Pick: 'Stock was moved to where it leaves the warehouse.',
      Dispatch: 'Stock left the warehouse.',
    },
  },
  InventoryTransactionCause: {
    values: MovementCause,
    description: 'Why stock moved, where the type of the transaction and its consignment do not say it.',
    meanings: {
      None: 'As the type and the consignment say.',
      OpeningBalance: 'It was there when stock was first recorded.',
      Correction: 'A person corrected what is in stock.',
      Count: 'A stock count found more or less; causeId is its line.',
      Redescribed: 'Batch, dates or attributes of the goods were corrected.',
      SerialsCaptured: 'The goods got their serials after they were received.',
      DispatchUndone: 'Goods that had left are picked goods again.',
      ReceiptUndone: 'Goods that had been received are not in stock any more.',
      ShortPick: 'The goods were not where they should be picked.',
      Unpicked: 'Picked goods were put back.',
      Override: 'A person chose the goods against the rules.',
    },
  },
  HoldKind: {
    values: HoldKind,
    description: 'Why stock is on hold.',
    meanings: { Return: 'It was returned.' },
  },
  PutAwayReason: {
    values: PutAwayReason,
    description: 'Why a location is suggested for put-away.',
    meanings: {
      Pickface: 'It is the pickface of the product, and below its target.',
      SameBatch: 'It has stock of the same product and batch.',
      FreeInZone: 'It is free racking in a zone that has stock of the product.',
      Free: 'It is free racking.',
    },
  },
  StockCountStatus: {
    values: StockCountStatus,
    description: 'The status of a stock count.',
    meanings: {
      Draft: 'Not started.',
      InProgress: 'It is being counted.',
      Counted: 'Everything is counted; the results wait for approval.',
      Approved: 'Every line is approved; the count can no longer change.',
      Cancelled: 'Cancelled; approved lines remain.',
    },
  },
  StockCountLineStatus: {
    values: StockCountLineStatus,
    description: 'The status of a line of a stock count.',
    meanings: {
      ToCount: 'Not counted yet.',
      Recount: 'To be counted again.',
      Approved: 'Stock was corrected to match it.',
    },
  },
  HazchemFireCode: {
    values: HazchemFireCode,
    description: 'The means of fighting a fire: the digit of the Hazchem code.',
    meanings: {
      I: 'Coarse spray.',
      II: 'Fine spray.',
      III: 'Foam.',
      IV: 'Dry agent.',
      II_ARF: 'Alcohol-resistant foam; if there is none, fine spray.',
      III_ARF: 'Alcohol-resistant foam; if there is none, other foam.',
    },
  },
  HazchemSafetyCode: {
    values: HazchemSafetyCode,
    description:
      'What firefighters must wear and do: the letter of the Hazchem code. Black: the letter is white on ' +
      'black, or in brackets.',
  },
  InventoryMovementType: {
    values: InventoryMovementType,
    description: 'The type of a stock movement.',
  },
} as const
