// What the ledger is told: the moves of which movements are made. Quantities are whole ten-thousandths of the
// product's stocked unit. Spec 2.14.

import type { TransactionType } from '../enumerations.ts'

/** One item, in ten-thousandths: what a serial counts as. */
export const oneItem = 10_000n

/** What particulars say of goods that were picked and went back, among the lines of picks. */
export const unpicked = 'Unpicked'

/** A change of what is promised of a row of stock to a line of a consignment. */
export interface AllocationChange {
  /** at the row that stock leaves, or at the one that it goes to */
  at: 'from' | 'to'
  consignmentId: string
  consignmentProductId: string
  /** the serial that is promised by name, which counts as one */
  itemId?: string | null
  isPicked: boolean
  isOverride?: boolean
  /** ten-thousandths, below zero where less is promised */
  quantity: bigint
}

/** A serial that comes into being, or comes back into stock. */
export interface NewSerial {
  serial: string
  /** its id, where the caller has to know it: that of the item, where the serial was in stock before */
  id?: string
  weightKG?: number | null
  volumeM3?: number | null
}

/**
 * One step of a movement: stock goes from a row to another, comes in (`from` is null) or leaves (`to` is
 * null). A step that changes nothing but what is promised has no quantity, and names its row as `to`.
 */
export interface StockMove {
  movementId: string
  type: TransactionType
  from: string | null
  to: string | null
  /** ten-thousandths, not below zero */
  quantity: bigint
  /**
   * Weight in kg and volume in m³ of what moves. Where they are not given, what leaves a row takes its part
   * of the row's, and what comes in has none.
   */
  weightKG?: number | null
  volumeM3?: number | null
  /** ids of the serials that move along */
  items?: readonly string[]
  /** ids of serials that leave stock with this move, though their goods stay: they are captured on release */
  retiredItems?: readonly string[]
  /** serials that are new in `to` */
  newSerials?: readonly NewSerial[]
  allocations?: readonly AllocationChange[]
  /** when it happened; now, where it is not said */
  occurredUtc?: string | null
  consignmentId?: string | null
  consignmentProductId?: string | null
  jobId?: string | null
  stockCountLineId?: string | null
  reason?: string | null
  particulars?: string | null
  /** on whose behalf, where moves of several requests are made together */
  source?: MovementSource
}

/** Who moves stock, for the ledger. */
export interface MovementSource {
  connectionId: string | null
  userId: string | null
  requestId: string | null
  operationId?: string | null
}

/** A movement as it was written. */
export interface PostedMovement {
  movementId: string
  /** when it counts as happened, as an instant of the API: never before what it takes had come */
  effectiveUtc: string
}
