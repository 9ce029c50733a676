// What came, as the receiver writes it down: one entry a line, and one for each product that nobody
// announced.

import type { Schemas } from '../../../../client/src/waybill.ts'
import { HoldKind } from '../../../../client/src/waybill.ts'
import { serialsIn } from '../../serials.ts'
import { type GoodsDate, goodsDates } from '../../words/goods-dates.ts'
import { receiveWords as words } from '../../words/receive.ts'
import type { Consignment } from './consignment.tsx'

/**
 * What came of a line, or of a product that was not announced. Empty texts say nothing. What came on several
 * pallets, or of several batches, has a part for each.
 */
export interface Arrival extends Record<GoodsDate, string> {
  key: string
  part: number
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
  /** separated by spaces, commas or lines */
  serials: string
  isDamaged: boolean
}

const nothing = { part: 1, quantity: '', place: '', pallet: '', batch: '', serials: '', isDamaged: false }

const datesOf = (dateOf: (name: GoodsDate) => string | null | undefined) =>
  Object.fromEntries(goodsDates.map(name => [name, dateOf(name)?.slice(0, 10) ?? ''])) as Record<
    GoodsDate,
    string
  >

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
    ...datesOf(name => line[name]),
  }))

/** A product that came without having been announced. */
export const unannounced = (product: { id: string; code: string; name: string }): Arrival => ({
  ...{ ...nothing, ...datesOf(() => null) },
  key: product.id,
  lineId: undefined,
  productId: product.id,
  productCode: product.code,
  productName: product.name,
  expected: 0,
  received: 0,
})

/** The arrivals with another part of one of them, after its last. It begins without quantity and pallet. */
export function withPart(arrivals: readonly Arrival[], of: Arrival): readonly Arrival[] {
  const isSame = ({ lineId, productId }: Arrival) => lineId === of.lineId && productId === of.productId
  const last = arrivals.findLastIndex(isSame)
  const part = arrivals.filter(isSame).length + 1
  const other = { ...of, part, key: `${of.key} ${part}`, quantity: '', pallet: '', serials: '' }
  return arrivals.toSpliced(last + 1, 0, { ...other, isDamaged: false })
}

/** What the fields of an arrival are called after. */
export const nameOf = ({ productCode, part }: Arrival) => words.part(productCode, part)

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
        ...Object.fromEntries(
          goodsDates.flatMap(name => (arrival[name] === '' ? [] : [[name, arrival[name]]])),
        ),
        ...(arrival.isDamaged ? { hold: { kind: HoldKind.Quality, reason: words.damagedReason } } : {}),
      },
    ]
  })
