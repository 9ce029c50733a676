// The rows that planned commands of a shared transaction touch, and which of them a later command of it
// cannot be planned from.

import type { StockIdentity } from '../ledger/stock-identity.ts'
import { identityOf, type StockRow } from './read-stock-rows.ts'
import type { StockSelector } from './stock-selector.ts'

/** The stock that planned commands take from and put into. */
export class TouchedStock {
  readonly #taken = new Set<string>()
  readonly #filled = new Set<string>()
  readonly #freed = new Set<string>()
  readonly #units = new Set<string>()
  readonly #products = new Set<string>()

  /** Notes that goods are taken from a row. */
  take({ id, productId, logisticUnitId }: Pick<StockRow, 'id' | 'productId' | 'logisticUnitId'>): void {
    this.#taken.add(id)
    this.#products.add(productId)
    if (logisticUnitId !== null) this.#units.add(logisticUnitId)
  }

  /** Notes that goods are put into the row with this identity. */
  fill(identity: StockIdentity): void {
    this.#filled.add(keyOf(identity))
    this.#products.add(identity.productId)
    if (identity.logisticUnitId !== null) this.#units.add(identity.logisticUnitId)
  }

  /** Notes that goods in a row are no longer allocated. */
  free(id: string): void {
    this.#freed.add(id)
  }

  /** Whether goods are taken from a row. */
  isTaken(id: string): boolean {
    return this.#taken.has(id)
  }

  /** Whether a description of stock may match other rows by now, as goods of its product are moved. */
  mayMatchAnew(entries: readonly StockSelector[]): boolean {
    return entries.some(({ stock }) => stock && this.isProductTouched(stock.partnerProductId))
  }

  /** Whether goods of a product are taken or put anywhere. */
  isProductTouched(productId: string): boolean {
    return this.#products.has(productId.toLowerCase())
  }

  /**
   * Whether a row has to be read anew once the commands are written: goods come into it or become free in it,
   * or something about its unit changes. A command that tells when it happened (`isTimed`) needs to know when
   * goods were last taken.
   */
  isOutdated(row: StockRow, isTimed: boolean): boolean {
    return (
      (isTimed && this.#taken.has(row.id)) ||
      this.#freed.has(row.id) ||
      (row.logisticUnitId !== null && this.#units.has(row.logisticUnitId)) ||
      this.#filled.has(keyOf(row))
    )
  }
}

/**
 * A key that is equal for equal identities, in whatever order their fields are. The location tells the
 * warehouse, and the product its client.
 */
const keyOf = (identity: StockIdentity): string => {
  const { attributes, warehouseId: _, partnerId: __, ...rest } = identityOf(identity)
  return JSON.stringify([
    ...Object.values(rest),
    ...attributes.flatMap(({ productAttributeId, description }) => [productAttributeId, description]),
  ])
}
