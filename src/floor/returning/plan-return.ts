// Plans the lines of a return from what left: one for each product, batch, dates and attributes of which all
// comes back or which the request names by batch or serials. Otherwise one line without what differs, and
// whoever receives the goods says what they are. Spec 2.14.

import type { ItemRow, LineRow } from '../../consignments/line-rows.ts'
import { decimalText, divide, scale, smaller } from '../../platform/decimal.ts'
import { collectFaults, type ReportFault } from '../../platform/http/entry-faults.ts'
import { Decimal, optional, ShortText, type Static, Type, Uuid } from '../../platform/http/schema.ts'
import { newId } from '../../platform/new-id.ts'
import { numberOf, repeatedSerials, Serials, serialFaults, toItems } from '../../stock/commands/quantities.ts'
import type { StockProduct } from '../../stock/commands/stock-products.ts'
import { oneItem } from '../../stock/ledger/movement.ts'
import {
  type GoodsDescription,
  returnableQuantity,
  type SentGoods,
  type SentLine,
  type SentProduct,
  type SentSerial,
} from './sent-goods.ts'

/** Goods of a line that come back, as a request names them. */
export const ReturnedLine = Type.Object({
  consignmentProductId: Uuid,
  partnerProductId: optional({
    ...Uuid,
    description: 'which product, if goods of several left with the line',
  }),
  quantity: Decimal(4, { exclusiveMinimum: 0 }),
  unitTypeId: optional({ ...Uuid, description: 'the unit of measure of quantity; items by default' }),
  batch: optional({ ...ShortText, description: 'which batch, if goods of several left with the line' }),
  serials: optional(Serials),
})
export type ReturnedLine = Static<typeof ReturnedLine>

/** What planning needs: what left, and the products of it. */
export interface SentStock {
  lines: ReadonlyMap<string, SentLine>
  products: ReadonlyMap<string, StockProduct>
  serialOf: (lineId: string, serial: string) => SentSerial | undefined
}

/** A part of the goods that come back, of one description. */
interface ReturnPart {
  line: SentLine
  product: SentProduct
  description: GoodsDescription
  /** ten-thousandths */
  quantity: bigint
  serials: string[]
  /** null if nobody weighed what left */
  weightKG: number | null
  volumeM3: number | null
}

/** Plans the lines of a return. Throws 400 with all faults if some of the goods cannot come back. */
export function planReturn(
  consignmentId: string,
  requested: readonly ReturnedLine[],
  facts: SentStock,
): { lines: LineRow[]; items: ItemRow[] } {
  const faults = collectFaults()
  const parts = requested.flatMap((entry, i) =>
    partsOf(entry, facts, (...fault) => faults.add(`lines[${i}]`, ...fault)),
  )
  const named = requested.map(({ consignmentProductId, serials }) => ({
    productId: consignmentProductId,
    serials: serials ?? [],
  }))
  for (const { entry, serial } of repeatedSerials(named))
    faults.add(`lines[${entry}]`, `the serial ${serial} is listed twice`, 'duplicate')
  faults.throwIfAny()
  const made = parts.map((part, ordinal) => toLineAndItems(consignmentId, ordinal, part))
  return { lines: made.map(({ line }) => line), items: made.flatMap(({ items }) => items) }
}

/** The parts of an entry, taken off what left; none if it has a fault. */
function partsOf(entry: ReturnedLine, facts: SentStock, refuse: ReportFault): ReturnPart[] {
  const line = facts.lines.get(entry.consignmentProductId)
  if (line === undefined) {
    refuse(`the consignment has no line ${entry.consignmentProductId}`, 'unknown_reference')
    return []
  }
  if (line.products.length === 0) {
    refuse(`nothing of ${line.productCode} left with this line`, 'not_here')
    return []
  }
  if (entry.serials?.length) return partsOfSerials(entry, line, facts, refuse)
  const candidates = selectGoods(entry, line, refuse)
  if (candidates === undefined) return []
  const quantity = quantityOf(entry, candidates, facts, refuse)
  return quantity === undefined ? [] : distribute(line, candidates, quantity)
}

/** Goods of one product that an entry may mean. */
interface Candidate {
  product: SentProduct
  goods: SentGoods[]
}

/** The goods that the product and batch of an entry select; undefined if there are none. */
function selectGoods(
  { partnerProductId, batch }: ReturnedLine,
  line: SentLine,
  refuse: ReportFault,
): Candidate[] | undefined {
  const products = line.products.filter(({ productId }) => productId === (partnerProductId ?? productId))
  if (products.length === 0) {
    refuse(
      `the product ${partnerProductId} did not leave with this line, but ${listCodes(line.products)} did`,
      'unknown_reference',
    )
    return undefined
  }
  const name = batch?.trim().toLowerCase()
  const candidates = products.flatMap(product => {
    const goods = product.goods.filter(sent => !name || sent.batch?.toLowerCase() === name)
    return goods.length === 0 ? [] : [{ product, goods }]
  })
  if (candidates.length > 0) return candidates
  const sent = [...new Set(products.flatMap(({ goods }) => goods.map(part => part.batch ?? 'no batch')))]
  refuse(
    `the batch ${batch} did not leave with this line; what left is of ${sent.join(' and ')}`,
    'unknown_reference',
  )
  return undefined
}

const listCodes = (products: readonly SentProduct[]) =>
  products.map(({ productCode }) => productCode).join(' and ')

/** The quantity of an entry in items; undefined if it cannot be told or is more than can come back. */
function quantityOf(
  entry: ReturnedLine,
  candidates: readonly Candidate[],
  { products }: SentStock,
  refuse: ReportFault,
): bigint | undefined {
  const [first] = candidates as [Candidate, ...Candidate[]]
  const isOne = candidates.length === 1
  const product = products.get(first.product.productId) as StockProduct
  const quantity =
    isOne || !entry.unitTypeId ? toItems(isOne ? product : { ...product, chain: [] }, entry, refuse) : 0n
  if (quantity === undefined) return undefined
  const left = candidates.reduce((sum, candidate) => sum + leftOfCandidate(candidate), 0n)
  const total = candidates.reduce((sum, { goods }) => sum + sumOf(goods, 'quantity'), 0n)
  const codes = listCodes(candidates.map(candidate => candidate.product))
  if (quantity > left) {
    refuse(
      `only ${numberOf(left)} of the ${numberOf(total)} ${codes} that left can still be returned`,
      'insufficient_stock',
    )
    return undefined
  }
  if (isOne || (!entry.unitTypeId && quantity === left)) return quantity
  refuse(`${codes} left with this line: say which of them comes back, by partnerProductId`, 'ambiguous')
  return undefined
}

const sumOf = (goods: readonly SentGoods[], field: 'quantity' | 'remaining') =>
  goods.reduce((sum, sent) => sum + sent[field], 0n)

const leftOfCandidate = ({ product, goods }: Candidate) =>
  smaller(returnableQuantity(product), sumOf(goods, 'remaining'))

/** Splits a quantity into parts of one description each, and takes them off what left. */
function distribute(line: SentLine, candidates: readonly Candidate[], quantity: bigint): ReturnPart[] {
  const isAll = quantity === candidates.reduce((sum, candidate) => sum + leftOfCandidate(candidate), 0n)
  return candidates.flatMap(({ product, goods }): ReturnPart[] => {
    const remaining = goods.filter(sent => sent.remaining > 0n)
    const isKnown = product.unnamed === 0n || product.goods.length === 1
    const ofProduct = candidates.length === 1 ? quantity : leftOfCandidate({ product, goods })
    if (isKnown && remaining.length === 1)
      return [takeNamed(line, product, remaining[0] as SentGoods, ofProduct)]
    if (isKnown && isAll) return remaining.map(sent => takeNamed(line, product, sent, sent.remaining))
    return ofProduct === 0n ? [] : [takeUnnamed(line, product, goods, ofProduct)]
  })
}

/** Takes a part off goods of one description. */
function takeNamed(
  line: SentLine,
  product: SentProduct,
  goods: SentGoods,
  quantity: bigint,
  serials: string[] = [],
): ReturnPart {
  const measures = shareOf(goods, goods.quantity - goods.remaining, quantity)
  goods.remaining -= quantity
  return { line, product, description: goods, quantity, serials, ...measures }
}

/** Takes a part off goods of which only what they have in common is known. */
function takeUnnamed(
  line: SentLine,
  product: SentProduct,
  goods: readonly SentGoods[],
  quantity: bigint,
): ReturnPart {
  const whole = {
    quantity: sumOf(product.goods, 'quantity'),
    weightKG: sumOfMeasure(4, product.goods, 'weightKG'),
    volumeM3: sumOfMeasure(6, product.goods, 'volumeM3'),
  }
  const measures = shareOf(whole, whole.quantity - returnableQuantity(product), quantity)
  product.unnamed += quantity
  return { line, product, description: commonDescription(goods), quantity, serials: [], ...measures }
}

const sumOfMeasure = (places: 4 | 6, goods: readonly SentGoods[], field: 'weightKG' | 'volumeM3') =>
  Number(
    decimalText(
      places,
      goods.reduce((sum, sent) => sum + scale(places, sent[field]), 0n),
    ),
  )

/**
 * The weight and volume of a part, as differences of running sums, so that the parts add up to the whole. The
 * ledger records what nobody weighed as 0, and a return announces no weight of it.
 */
function shareOf(
  whole: { quantity: bigint; weightKG: number; volumeM3: number },
  before: bigint,
  quantity: bigint,
): { weightKG: number | null; volumeM3: number | null } {
  const share = (places: 4 | 6, amount: number) => {
    if (amount === 0) return null
    const upTo = (part: bigint) => divide(scale(places, amount) * part, whole.quantity)
    return Number(decimalText(places, upTo(before + quantity) - upTo(before)))
  }
  return { weightKG: share(4, whole.weightKG), volumeM3: share(6, whole.volumeM3) }
}

/** The description of goods with the batch, dates and attributes that all of them have. */
function commonDescription(goods: readonly SentGoods[]): GoodsDescription {
  const [first] = goods as [SentGoods, ...SentGoods[]]
  const shared = <Field extends keyof GoodsDescription>(field: Field, none: GoodsDescription[Field]) =>
    goods.every(sent => JSON.stringify(sent[field]) === JSON.stringify(first[field])) ? first[field] : none
  return {
    productId: first.productId,
    batch: shared('batch', null),
    bestBeforeDate: shared('bestBeforeDate', null),
    expiryDate: shared('expiryDate', null),
    packagingDate: shared('packagingDate', null),
    productionDate: shared('productionDate', null),
    sellByDate: shared('sellByDate', null),
    attributes: shared('attributes', []),
  }
}

/** The parts of an entry that names serials: those of one description together. */
function partsOfSerials(
  entry: ReturnedLine,
  line: SentLine,
  { products, serialOf }: SentStock,
  refuse: ReportFault,
): ReturnPart[] {
  const serials = [...new Set(entry.serials ?? [])]
  const found = serials.map(serial => serialOf(line.id, serial))
  const [first] = found.filter(item => item !== undefined)
  const product = products.get((first?.goods ?? (line.products[0] as SentProduct)).productId) as StockProduct
  const quantity = toItems(product, entry, refuse)
  if (quantity === undefined) return []
  const problems = serialFaults(product, quantity, entry.serials ?? [])
  for (const problem of problems) refuse(...problem)
  for (const [i, item] of found.entries()) {
    if (item === undefined)
      refuse(
        `the serial ${serials[i]} did not leave with this line, or was already returned`,
        'serial_unknown',
      )
    else if (item.openReturn)
      refuse(`the serial ${item.serial} is announced on ${item.openReturn}`, 'duplicate')
  }
  if (problems.length > 0 || found.some(item => item === undefined || item.openReturn)) return []
  const byGoods = Map.groupBy(found as SentSerial[], ({ goods }) => goods)
  return [...byGoods].flatMap(([goods, items]): ReturnPart[] => {
    const part = BigInt(items.length) * oneItem
    const ofProduct = line.products.find(({ productId }) => productId === goods.productId) as SentProduct
    const left = leftOfCandidate({ product: ofProduct, goods: [goods] })
    if (part <= left)
      return [
        takeNamed(
          line,
          ofProduct,
          goods,
          part,
          items.map(({ serial }) => serial),
        ),
      ]
    refuse(
      `only ${numberOf(left)} of the ${numberOf(goods.quantity)} ${goods.productCode} that left can ` +
        'still be returned',
      'insufficient_stock',
    )
    return []
  })
}

/** The rows of a line of the return, with its items. */
function toLineAndItems(
  consignmentId: string,
  ordinal: number,
  { line, product, description, quantity, serials, weightKG, volumeM3 }: ReturnPart,
): { line: LineRow; items: ItemRow[] } {
  const id = newId()
  const expectedQuantity = numberOf(quantity)
  const { productId, batch, bestBeforeDate, expiryDate, packagingDate, productionDate } = description
  const item = { consignmentProductId: id, ordinal: 0, quantity: expectedQuantity }
  return {
    line: {
      ...{ id, consignmentId, ordinal, productId, productCode: product.productCode },
      ...{ batch, bestBeforeDate, expiryDate, packagingDate, productionDate },
      ...{ sellByDate: description.sellByDate, attributes: description.attributes },
      ...{ expectedQuantity, weightKG, volumeM3, returnOfConsignmentProductId: line.id },
    },
    items:
      serials.length === 0
        ? [item]
        : serials.map((serial, n) => ({ ...item, ordinal: n, serial, quantity: 1 })),
  }
}
