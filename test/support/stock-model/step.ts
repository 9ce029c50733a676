// A step of a random walk through the stock commands: a request, and the effect that the model expects.

import { type Identity, type Product, products, type Row, type StockModel } from './model.ts'

/** A request with its expected HTTP status. */
export interface Step {
  method: 'post' | 'put'
  path: string
  body: object
  status: number
  /** changes the model, if the request is not refused */
  effect?: (answer: Record<string, unknown>) => void
}

/** The ids that requests need. */
export interface ServiceIds {
  clientId: string
  warehouseId: string
  products: Record<Product, string>
  /** by location name */
  locationIds: ReadonlyMap<string, string>
  /** by unit reference */
  units: Map<string, string>
  /** by hold index in the model */
  holds: string[]
  /** the day on which everything is received, YYYY-MM-DD */
  day: string
}

/** Creates a random step; null if the model has nothing to apply it to. */
export type Act = (model: StockModel, names: ServiceIds, dice: Dice) => Step | null

/** A source of random decisions. When its numbers are used up, it always picks the first option. */
export class Dice {
  readonly #numbers: readonly number[]
  #at = 0

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers
  }

  upTo(count: number): number {
    return (this.#numbers[this.#at++] ?? 0) % count
  }

  /** Returns true with a probability of 1 in `outOf`. */
  once(outOf: number): boolean {
    return this.upTo(outOf) === outOf - 1
  }

  pickFrom<T>(list: readonly T[]): T | undefined {
    return list.length === 0 ? undefined : list[this.upTo(list.length)]
  }
}

/** Creates a step that is expected to succeed, or to be refused if `effect` is null. */
export const step = (
  path: string,
  body: object,
  effect: NonNullable<Step['effect']> | null,
  { method = 'post', status = 200 }: { method?: Step['method']; status?: number } = {},
): Step => (effect === null ? { method, path, body, status: 400 } : { method, path, body, status, effect })

/** Picks a row that has stock, or now and then a depleted one. */
export function someRow(model: StockModel, dice: Dice, isEligible: (row: Row) => boolean = () => true) {
  const rows = dice.once(16) ? [...model.rows.values()].filter(({ id }) => id !== null) : model.live
  return dice.pickFrom(rows.filter(isEligible))
}

/** Picks a quantity: undefined (all), all, a part, or too much. */
export function someQuantity(dice: Dice, product: Product, most: number): number | undefined {
  const isCounted = products[product].tracking !== 'none'
  const kind = dice.upTo(8)
  const part = isCounted ? 1 + dice.upTo(Math.max(1, most)) : (1 + dice.upTo(Math.max(1, most * 4))) / 4
  if (kind < 2) return undefined
  if (kind < 4) return most > 0 ? most : undefined
  if (kind === 7 && dice.once(4)) return most + 1
  return Math.min(part, Math.max(most, 1))
}

/** Picks serials for a part of a row, and now and then wrong ones. */
export function someSerials(
  row: Row,
  quantity: number | undefined,
  dice: Dice,
  isMeant: (serial: string) => boolean = serial =>
    !row.allocations.some(allocation => allocation.serial === serial),
): string[] | undefined {
  if (products[row.product].tracking !== 'full') return dice.once(50) ? ['NONE'] : undefined
  if (quantity === undefined) return undefined
  const all = [...row.serials]
  const meant = dice.once(10) ? all : all.filter(isMeant)
  const count = dice.once(20) ? quantity + 1 : quantity
  const at = dice.upTo(Math.max(1, meant.length))
  const serials = [...meant.slice(at), ...meant.slice(0, at)].slice(0, count)
  return serials.length > 1 && dice.once(12) ? [...serials.slice(1), serials[1] as string] : serials
}

/** Returns the identity of a row. */
export const identityOf = ({ product, location, unit, hold, batch }: Row): Identity => ({
  product,
  location,
  unit,
  hold,
  batch,
})
