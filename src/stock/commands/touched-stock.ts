// The rows that planned commands of a shared transaction touch, and which of them a later command of it
// cannot be planned from.

import type { StockIdentity } from '../ledger/stock-identity.ts'
import { identityOf, type StockRow } from './read-stock-rows.ts'

/** The stock that planned commands take from and put into. */
export class TouchedStock {
  readonly #taken = new Set<string>()
  readonly #filled = new Set<string>()
  readonly #units = new Set<string>()

  /** Notes that goods are taken from a row. */
  take({ id, logisticUnitId }: Pick<StockRow, 'id' | 'logisticUnitId'>): void {
    this.#taken.add(id)
    if (logisticUnitId !== null) this.#units.add(logisticUnitId)
  }

  /** Notes that goods are put into the row with this identity. */
  fill(identity: StockIdentity): void {
    this.#filled.add(keyOf(identity))
    if (identity.logisticUnitId !== null) this.#units.add(identity.logisticUnitId)
  }

  /**
   * Whether a row has to be read anew once the commands are written: goods come into it, or something about
   * its unit changes. A command that tells when it happened (`isTimed`) needs to know when goods were last
   * taken.
   */
  isOutdated(row: StockRow, isTimed: boolean): boolean {
    return (
      (isTimed && this.#taken.has(row.id)) ||
      (row.logisticUnitId !== null && this.#units.has(row.logisticUnitId)) ||
      this.#filled.has(keyOf(identityOf(row)))
    )
  }
}

const keyOf = (identity: StockIdentity) => JSON.stringify(identity)
