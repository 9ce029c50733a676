// The input of the ledger: movements and the moves that they consist of. Quantities are whole ten-thousandths
// of the product's stocked unit. Spec 2.14.

import { MovementCause, type TransactionType } from '../../vocabulary/stock.ts'

/** The quantity of one item, or one serial, in ten-thousandths. */
export const oneItem = 10_000n

/** What moves of goods that are put back say: the cause decides, the text is for people. */
export const unpickedFields = { cause: MovementCause.Unpicked, particulars: 'Unpicked' } as const

/**
 * What moves of goods say that a person chose against the rules and that leave: an undone dispatch needs it.
 */
export const overrideFields = { cause: MovementCause.Override, particulars: 'Override' } as const

/** A change of how much of a stock row is allocated to a consignment line. */
export interface AllocationChange {
  /** whether the allocation is on the row that the stock leaves or on the one that it goes to */
  at: 'from' | 'to'
  consignmentId: string
  consignmentProductId: string
  /** the serial, if the allocation is for a named one; its quantity is one item */
  itemId?: string | null
  isPicked: boolean
  isOverride?: boolean
  /** ten-thousandths; negative if less is allocated */
  quantity: bigint
}

/** A serial that is new, or that comes back into stock. */
export interface NewSerial {
  serial: string
  /** set if the caller must know the id; if the serial was in stock before, the id of its item */
  id?: string
  weightKG?: number | null
  volumeM3?: number | null
}

/**
 * One step of a movement: stock goes from one row to another, comes in (`from` is null) or leaves (`to` is
 * null). A step that only changes allocations has quantity 0 and names its row as `to`.
 */
export interface StockMove {
  movementId: string
  type: TransactionType
  /** by default what the type says */
  cause?: MovementCause
  /** the line of the stock count that caused it, or the row that goods left and did not come back into */
  causeId?: string | null
  from: string | null
  to: string | null
  /** ten-thousandths, not negative */
  quantity: bigint
  /**
   * Weight in kg and volume in m³ of the goods. By default, goods that leave a row take a proportional part
   * of the row's weight and volume, and goods that come in have none.
   */
  weightKG?: number | null
  volumeM3?: number | null
  /** ids of the serials that move with the goods */
  items?: readonly string[]
  /** ids of serials, captured on release, that leave stock although their goods stay */
  retiredItems?: readonly string[]
  /** serials that come into stock in `to` */
  newSerials?: readonly NewSerial[]
  allocations?: readonly AllocationChange[]
  /** when it happened; defaults to now */
  occurredUtc?: string | null
  consignmentId?: string | null
  consignmentProductId?: string | null
  jobId?: string | null
  stockCountLineId?: string | null
  reason?: string | null
  particulars?: string | null
  /** who made this move, if moves of several requests are posted together */
  source?: MovementSource
}

/** Who moves stock, as recorded in the ledger. */
export interface MovementSource {
  connectionId: string | null
  userId: string | null
  requestId: string | null
  operationId?: string | null
}

/** The common source of moves that each have a source of their own. */
export const noSharedSource: MovementSource = { connectionId: null, userId: null, requestId: null }

/** A movement that has been written to the ledger. */
export interface PostedMovement {
  movementId: string
  /** the instant at which it counts as happened, in API format; never before the goods had come in */
  effectiveUtc: string
}
