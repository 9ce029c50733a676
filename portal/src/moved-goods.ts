// What came or left with the lines of a consignment and is still there or gone, from what the ledger says.

import type { Schemas } from '../../client/src/waybill.ts'

type Information = Schemas['ConsignmentProductInformation']
type Movement = Schemas['ConsignmentProductTransaction']

/** Goods of a line: those in a row of stock, or those of a product. */
export interface MovedGoods {
  key: string
  consignmentProductId: string
  warehouseProductId: string
  partnerProductId: string
  productCode: string
  place: string
  quantity: number
  batches: readonly string[]
  serials: readonly string[]
}

/** The serials of movements that were not undone by later ones. */
function serialsOf(movements: readonly Movement[]): string[] {
  const counts = new Map<string, number>()
  for (const { quantity, serials } of movements)
    for (const serial of serials) counts.set(serial, (counts.get(serial) ?? 0) + Math.sign(quantity))
  return [...counts].filter(([, count]) => count !== 0).map(([serial]) => serial)
}

/** Sums in whole ten-thousandths, so that no rest of a fraction stays. */
const sumOf = (movements: readonly Movement[]) =>
  Math.round(movements.reduce((sum, { quantity }) => sum + quantity * 10_000, 0)) / 10_000

/** The goods of all lines, one for each row of stock or each product; without those that were taken back. */
function goodsBy(
  { consignmentProducts }: Information,
  keyOf: (movement: Movement) => string,
): readonly MovedGoods[] {
  return consignmentProducts.flatMap(({ id, transactions }) =>
    [...Map.groupBy(transactions, keyOf)].flatMap(([key, movements]) => {
      const [first] = movements as [Movement]
      const batches = new Set(movements.flatMap(({ batch }) => (batch === null ? [] : [batch])))
      const goods = {
        ...{ key: `${id} ${key}`, consignmentProductId: id, batches: [...batches] },
        ...{ warehouseProductId: first.warehouseProductId, partnerProductId: first.partnerProductId },
        ...{ productCode: first.partnerProductCode, place: first.warehouseLocationName },
        ...{ quantity: Math.abs(sumOf(movements)), serials: serialsOf(movements) },
      }
      return goods.quantity === 0 ? [] : [goods]
    }),
  )
}

/** What was received, by row of stock. Goods of two lines in one row are taken back together. */
export function receivedGoods(information: Information): readonly MovedGoods[] {
  const goods = goodsBy(information, ({ warehouseProductId }) => warehouseProductId)
  return [...Map.groupBy(goods, ({ warehouseProductId }) => warehouseProductId).values()].map(inRow => ({
    ...(inRow[0] as MovedGoods),
    quantity: Math.round(inRow.reduce((sum, { quantity }) => sum + quantity * 10_000, 0)) / 10_000,
    serials: inRow.flatMap(({ serials }) => serials),
  }))
}

/** What left with each line, by product. */
export const sentGoods = (information: Information): readonly MovedGoods[] =>
  goodsBy(information, ({ partnerProductId }) => partnerProductId)
