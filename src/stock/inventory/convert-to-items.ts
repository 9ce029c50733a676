// Quantities that entries give in units of a product, as items of it. Spec 2.12.

import type { Db } from '../../platform/database/db.ts'
import { collectFaults } from '../../platform/http/entry-faults.ts'
import { numberOf, toItems } from './quantities.ts'
import { findProducts } from './stock-products.ts'

/** How much an entry is about, as it is given. */
interface QuantityInput {
  quantity?: number | null | undefined
  unitTypeId?: string | null | undefined
}

/**
 * The entries with their quantities in items. `productIdOf` says which product's units an entry means;
 * undefined where that is not known, and then the entry stays as it is. Throws 400 with a sentence for each
 * quantity that is no number of items.
 */
export async function convertToItems<Entry extends QuantityInput>(
  db: Db,
  organisationId: string,
  entries: readonly Entry[],
  array: string | ((entry: number) => string),
  productIdOf: (entry: Entry, n: number) => string | undefined,
): Promise<Entry[]> {
  const ids = entries.flatMap((entry, n) =>
    entry.quantity && entry.unitTypeId ? (productIdOf(entry, n) ?? []) : [],
  )
  const products = await findProducts(db, organisationId, ids)
  const faults = collectFaults()
  const nameOf = typeof array === 'string' ? (n: number) => `${array}[${n}]` : array
  const converted = entries.map((entry, n) => {
    const { quantity, unitTypeId } = entry
    const product = products.get(productIdOf(entry, n) ?? '')
    if (!quantity || !unitTypeId || product === undefined) return entry
    const items = toItems(product, { quantity, unitTypeId }, (...fault) => faults.add(nameOf(n), ...fault))
    return items === undefined ? entry : { ...entry, quantity: numberOf(items), unitTypeId: null }
  })
  faults.throwIfAny()
  return converted
}

/** The product of the line that an entry names, among lines of a consignment. */
export const productOfLine =
  (lines: readonly { id: string; productId: string }[]) =>
  ({ consignmentProductId }: { consignmentProductId: string }): string | undefined =>
    lines.find(({ id }) => id === consignmentProductId.toLowerCase())?.productId
