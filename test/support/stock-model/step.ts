// A step of a random walk through the commands of stock: a request, and what the model says will come of it.

import { type Identity, type Product, products, type Row, type StockModel } from './model.ts'

/** A request with the status that it has to be answered with. */
export interface Step {
  method: 'post' | 'put'
  path: string
  body: object
  status: number
  /** what it does to the model, where it is not refused */
  effect?: (answer: Record<string, unknown>) => void
}

/** What requests have to name. */
export interface Names {
  clientId: string
  warehouseId: string
  products: Record<Product, string>
  /** by the name of the location */
  places: ReadonlyMap<string, string>
  /** by the reference of the unit */
  units: Map<string, string>
  /** by their numbers in the model */
  holds: string[]
  /** the day on which everything is received, YYYY-MM-DD */
  day: string
}

/** Makes a step of chances; null where there is nothing to do it with. */
export type Act = (model: StockModel, names: Names, dice: Dice) => Step | null

/** Chances, each used once. When they are used up, the first of everything is taken. */
export class Dice {
  readonly #numbers: readonly number[]
  #at = 0

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers
  }

  upTo(count: number): number {
    return (this.#numbers[this.#at++] ?? 0) % count
  }

  /** True once in so many times. */
  once(inSo: number): boolean {
    return this.upTo(inSo) === inSo - 1
  }

  of<T>(list: readonly T[]): T | undefined {
    return list.length === 0 ? undefined : list[this.upTo(list.length)]
  }
}

/** A step that is done, or refused where it is not possible. */
export const step = (
  path: string,
  body: object,
  effect: NonNullable<Step['effect']> | null,
  { method = 'post', status = 200 }: { method?: Step['method']; status?: number } = {},
): Step => (effect === null ? { method, path, body, status: 400 } : { method, path, body, status, effect })

/** A row that has goods, or now and then one that had some. */
export function someRow(model: StockModel, dice: Dice, isMeant: (row: Row) => boolean = () => true) {
  const rows = dice.once(16) ? [...model.rows.values()].filter(({ id }) => id !== null) : model.live
  return dice.of(rows.filter(isMeant))
}

/** How much of something: all without a word, all, a little, some, or too much. */
export function someQuantity(dice: Dice, product: Product, most: number): number | undefined {
  const isCounted = products[product].tracking !== 'none'
  const kind = dice.upTo(8)
  const part = isCounted ? 1 + dice.upTo(Math.max(1, most)) : (1 + dice.upTo(Math.max(1, most * 4))) / 4
  if (kind < 2) return undefined
  if (kind < 4) return most > 0 ? most : undefined
  if (kind === 7 && dice.once(4)) return most + 1
  return Math.min(part, Math.max(most, 1))
}

/** Serials for a part of a row, and now and then wrong ones. */
export function someSerials(
  row: Row,
  quantity: number | undefined,
  dice: Dice,
  isMeant: (serial: string) => boolean = serial => !row.promises.some(one => one.serial === serial),
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

/** The fields of a row that it keeps when it is moved. */
export const sameAs = ({ product, location, unit, hold, batch }: Row): Identity => ({
  product,
  location,
  unit,
  hold,
  batch,
})
