// What came, as the receiver writes it down: one entry a line, and one for each product that nobody
// announced.

import type { Schemas } from '../../../../client/src/waybill.ts'
import { HoldKind } from '../../../../client/src/waybill.ts'
import { serialsIn } from '../../serials.ts'
import { receiveWords as words } from '../../words/receive.ts'
import type { Consignment } from './consignment.tsx'

/** What came of a line, or of a product that was not announced. Empty texts say nothing. */
export interface Arrival {
  key: string
  /** the line; undefined for what was not announced */
  lineId: string | undefined
  productId: string
  productCode: string
  productName: string
  expected: number
  received: number
  quantity: string
  place: string
  /** the SSCC of the pallet */
  pallet: string
  batch: string
  expiry: string
  /** separated by spaces, commas or lines */
  serials: string
  isDamaged: boolean
}

const nothing = { quantity: '', place: '', pallet: '', serials: '', isDamaged: false }

/** The lines of a consignment, with what has not come yet. */
export const arrivalsOf = ({ products }: Consignment): readonly Arrival[] =>
  products.map(line => ({
    ...nothing,
    key: line.id,
    lineId: line.id,
    productId: line.product?.id ?? '',
    productCode: line.productCode,
    productName: line.goodsDescription ?? line.product?.name ?? '',
    expected: line.expectedQuantity,
    received: line.receivedQuantity,
    pallet: line.logisticUnitSsccNumber ?? '',
    batch: line.batch ?? '',
    expiry: line.expiryDate?.slice(0, 10) ?? '',
  }))

/** A product that came without having been announced. */
export const unannounced = (product: { id: string; code: string; name: string }): Arrival => ({
  ...nothing,
  key: product.id,
  lineId: undefined,
  productId: product.id,
  productCode: product.code,
  productName: product.name,
  expected: 0,
  received: 0,
  batch: '',
  expiry: '',
})

type Receipt = NonNullable<NonNullable<Schemas['ConsignmentReceive']['receipts']>>[number]

/** The receipts of what has a quantity or serials. What is left empty is as announced. */
export const receiptsOf = (arrivals: readonly Arrival[]): Receipt[] =>
  arrivals.flatMap(arrival => {
    const serials = serialsIn(arrival.serials)
    if (arrival.quantity.trim() === '' && serials.length === 0) return []
    return [
      {
        ...(arrival.lineId === undefined
          ? { partnerProductId: arrival.productId }
          : { consignmentProductId: arrival.lineId }),
        ...(arrival.quantity.trim() === '' ? {} : { quantity: Number(arrival.quantity) }),
        ...(serials.length === 0 ? {} : { serials }),
        ...(arrival.place.trim() === '' ? {} : { locationName: arrival.place.trim() }),
        ...(arrival.pallet.trim() === '' ? {} : { logisticUnit: { ssccNumber: arrival.pallet.trim() } }),
        ...(arrival.batch.trim() === '' ? {} : { batch: arrival.batch.trim() }),
        ...(arrival.expiry === '' ? {} : { expiryDate: arrival.expiry }),
        ...(arrival.isDamaged ? { hold: { kind: HoldKind.Quality, reason: words.damagedReason } } : {}),
      },
    ]
  })
