// What of the goods that left may come back, and what a return announces.

import { dateFields, keyOfLook, type Look, type Product, plain, round4, round6 } from './goods.ts'
import type { Notebook } from './notebook.ts'
import { cameFor, goneOf, isDone, type Line, Status } from './orders.ts'

/** Goods of one product and look that left with a line. */
export interface Sent {
  product: Product
  look: Look
  quantity: number
  weight: number
  volume: number
  /** what neither came back nor is announced to */
  remaining: number
}

/** What left with a line of one product. */
export interface SentProduct {
  product: Product
  goods: Sent[]
  /** what came back, or is announced, and is of none of the goods that left */
  unnamed: number
}

export const leftOf = ({ goods, unnamed }: SentProduct): number =>
  round4(goods.reduce((sum, { remaining }) => sum + remaining, 0) - unnamed)

/** What left with a line and has not come back. */
export function sentWith(notebook: Notebook, line: Line): SentProduct[] {
  const sent: SentProduct[] = []
  for (const { identity, quantity, weight, volume } of goneOf(line)) {
    const { product, look } = identity
    const ofProduct = sent.find(known => known.product === product) ?? { product, goods: [], unnamed: 0 }
    if (!sent.includes(ofProduct)) sent.push(ofProduct)
    const goods = ofProduct.goods.find(known => keyOfLook(known.look) === keyOfLook(look))
    if (goods === undefined)
      ofProduct.goods.push({ product, look, quantity, weight, volume, remaining: quantity })
    else {
      goods.quantity = round4(goods.quantity + quantity)
      goods.remaining = goods.quantity
      goods.weight = round4(goods.weight + weight)
      goods.volume = round6(goods.volume + volume)
    }
  }
  for (const back of notebook.lines.filter(({ returnOf }) => returnOf === line)) {
    const { status } = back.consignment
    if (status === Status.Void) continue
    for (const [look, quantity] of cameLooking(back)) claim(sent, back.product, look, quantity)
    const open = round4(back.expected - cameFor(back).quantity)
    if (!isDone(status) && open > 0) claim(sent, back.product, keyOfLook(back.look), open)
  }
  return sent
}

/** What came for a line, by how it looks. */
function cameLooking({ arrivals }: Line): [look: string, quantity: number][] {
  const groups = Map.groupBy(arrivals, ({ identity }) => keyOfLook(identity.look))
  return [...groups].flatMap(([look, all]) => {
    const quantity = round4(all.reduce((sum, arrival) => sum + arrival.quantity, 0))
    return quantity > 0 ? [[look, quantity] as [string, number]] : []
  })
}

function claim(sent: readonly SentProduct[], product: Product, look: string, quantity: number): void {
  const ofProduct = sent.find(known => known.product === product)
  if (ofProduct === undefined) return
  const goods = ofProduct.goods.find(known => keyOfLook(known.look) === look)
  const part = goods === undefined ? 0 : Math.min(goods.remaining, quantity)
  if (goods) goods.remaining = round4(goods.remaining - part)
  ofProduct.unnamed = round4(ofProduct.unnamed + quantity - part)
}

/** A line that a return should have. */
export interface ReturnLine {
  of: Line
  product: Product
  look: Look
  quantity: number
  /** null if nobody weighed what left */
  weight: number | null
  volume: number | null
  serials: readonly string[]
}

/** The part of some goods, so that parts that are taken one after the other add up to all of them. */
function share(
  whole: { quantity: number; weight: number; volume: number },
  before: number,
  quantity: number,
) {
  const of = (amount: number, round: (value: number) => number) => {
    if (amount === 0) return null
    const upTo = (part: number) => round((amount * part) / whole.quantity)
    return round(upTo(before + quantity) - upTo(before))
  }
  return { weight: of(whole.weight, round4), volume: of(whole.volume, round6) }
}

export function takeSent(of: Line, goods: Sent, quantity: number, serials: readonly string[]): ReturnLine {
  const measures = share(goods, round4(goods.quantity - goods.remaining), quantity)
  goods.remaining = round4(goods.remaining - quantity)
  return { of, product: goods.product, look: goods.look, quantity, serials, ...measures }
}

/** What is the same of all of these goods. */
export function sharedLook(goods: readonly Sent[]): Look {
  const [first] = goods as [Sent, ...Sent[]]
  const isShared = (of: (look: Look) => unknown) =>
    goods.every(({ look }) => JSON.stringify(of(look)) === JSON.stringify(of(first.look)))
  const dates = dateFields.map(field => [field, isShared(look => look[field]) ? first.look[field] : null])
  return {
    ...plain,
    ...Object.fromEntries(dates),
    batch: isShared(({ batch }) => batch) ? first.look.batch : null,
    attributes: isShared(({ attributes }) => attributes) ? first.look.attributes : {},
  }
}

/**
 * The lines of a return of a quantity of one product: one for each look where it is known what comes back,
 * else one with what all of the goods have in common.
 */
export function planReturn(
  of: Line,
  sent: SentProduct,
  goods: readonly Sent[],
  quantity: number,
): ReturnLine[] {
  const remaining = goods.filter(known => known.remaining > 0)
  const isKnown = sent.unnamed === 0 || sent.goods.length === 1
  const most = Math.min(leftOf(sent), round4(remaining.reduce((sum, known) => sum + known.remaining, 0)))
  const [first] = remaining
  if (isKnown && remaining.length === 1 && first) return [takeSent(of, first, quantity, [])]
  if (isKnown && quantity === most) return remaining.map(known => takeSent(of, known, known.remaining, []))
  const whole = {
    quantity: sent.goods.reduce((sum, known) => sum + known.quantity, 0),
    weight: sent.goods.reduce((sum, known) => sum + known.weight, 0),
    volume: sent.goods.reduce((sum, known) => sum + known.volume, 0),
  }
  const measures = share(whole, round4(whole.quantity - leftOf(sent)), quantity)
  sent.unnamed = round4(sent.unnamed + quantity)
  return [{ of, product: sent.product, look: sharedLook(goods), quantity, serials: [], ...measures }]
}
