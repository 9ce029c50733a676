// What it takes to receive goods: the receipts, where and when they arrive, and how much they weigh. Spec
// 2.3, 2.14.

import type { LockedConsignment } from '../../consignments/consignment.ts'
import { decimalText, scale } from '../../platform/decimal.ts'
import type { HoldInput } from '../../stock/commands/create-holds.ts'
import type { LocationReference } from '../../stock/commands/location-reference.ts'
import type { StockProduct } from '../../stock/commands/stock-products.ts'
import { type MovementSource, type NewSerial, oneItem, type StockMove } from '../../stock/ledger/movement.ts'
import type { StockDescription } from '../../stock/ledger/stock-identity.ts'
import type { UnitReference } from '../../stock/logistic-units/unit-references.ts'
import { TransactionType } from '../../vocabulary/stock.ts'
import { estimateMeasure, type InwardsLine } from './inwards-line.ts'

/** Goods of one line that are received together. */
export interface Receipt {
  /** its name in messages, such as `receipts[2]` */
  name: string
  line: InwardsLine
  product: StockProduct
  /** ten-thousandths */
  quantity: bigint
  serials: readonly NewSerial[]
  /** of the whole receipt, if the request gives it */
  weightKG: number | null
  volumeM3: number | null
  description: StockDescription
  /** the target; empty for the default location or the location of the unit */
  location: Omit<LocationReference, 'warehouseId'>
  unit: UnitReference | null
  /** the unit was announced, so it is created if it does not exist */
  isUnitAnnounced: boolean
  hold: Omit<HoldInput, 'consignmentProductId'> | null
}

/** When, where and by whom goods are received. */
export interface Arrival {
  source: MovementSource
  consignment: LockedConsignment & { warehouseId: string }
  defaultLocationId: string
  /** the day on which the stock is received, in the warehouse's time zone */
  receivedDate: string
  /** the instant for the ledger; null for now */
  occurredUtc: string | null
  /** the dispatched consignment of which goods come back; null if the consignment is no return */
  returnOfConsignmentId: string | null
}

/** The ledger movements of the receipts. */
export function toMoves(
  { consignment, occurredUtc, source }: Arrival,
  movementId: string,
  receipts: readonly Receipt[],
  rows: readonly string[],
): StockMove[] {
  // The weights of several receipts for one line have to add up, so each counts what came before it.
  const receivedSoFar = new Map<InwardsLine, bigint>()
  return receipts.map((receipt, i) => {
    const { line, quantity, serials } = receipt
    const received = receivedSoFar.get(line) ?? line.received
    receivedSoFar.set(line, received + quantity)
    return {
      movementId,
      type: TransactionType.Receive,
      from: null,
      to: rows[i] as string,
      quantity,
      weightKG: measureReceipt(4, receipt, received),
      volumeM3: measureReceipt(6, receipt, received),
      newSerials: serials,
      occurredUtc,
      source,
      consignmentId: consignment.id,
      consignmentProductId: line.id,
    }
  })
}

/**
 * Weight in kg (four places) or volume in m³ (six) of a receipt: the figure of the request, otherwise the sum
 * of its serials' own figures and, for the other goods, their share of what was announced.
 */
function measureReceipt(places: 4 | 6, receipt: Receipt, received: bigint): number {
  const { line, product, quantity, serials } = receipt
  const [requested, ofLine, ofItem] =
    places === 4
      ? [receipt.weightKG, line.expectedWeightKG, product.weightKG]
      : [receipt.volumeM3, line.expectedVolumeM3, product.volumeM3]
  if (requested !== null) return requested
  // The announced total of a line already includes the figures of its serials.
  const isWhole = received === 0n && quantity === line.expected
  const ownAmounts = isWhole
    ? []
    : serials.flatMap(({ weightKG, volumeM3 }) => (places === 4 ? weightKG : volumeM3) ?? [])
  const otherQuantity = quantity - BigInt(ownAmounts.length) * oneItem
  const amount =
    ownAmounts.reduce((sum, value) => sum + scale(places, value), 0n) +
    estimateMeasure(places, { expected: line.expected, received }, ofLine, ofItem, otherQuantity)
  return Number(decimalText(places, amount))
}
