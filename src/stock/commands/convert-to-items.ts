// Converts quantities of entries from units of a product to items. Spec 2.12.

import type { Db } from '../../platform/database/db.ts'
import { collectFaults } from '../../platform/http/entry-faults.ts'
import { numberOf, toItems } from './quantities.ts'
import { readStockRowsById } from './read-stock-rows.ts'
import { findProducts } from './stock-products.ts'

/** The quantity of an entry as the client sent it. */
interface QuantityInput {
  quantity?: number | null | undefined
  unitTypeId?: string | null | undefined
}

/** Returns the product of an entry; undefined if the entry is to be left unchanged. */
type ProductIdOf<Entry> = (entry: Entry, n: number) => string | undefined

/**
 * Reads the products of entries and returns the entries with their quantities in items, as `toItemEntries`
 * does.
 */
export async function convertToItems<Entry extends QuantityInput>(
  db: Db,
  organisationId: string,
  entries: readonly Entry[],
  array: string | ((entry: number) => string),
  productIdOf: ProductIdOf<Entry>,
): Promise<Entry[]> {
  const products = await readProductsOfUnits(db, organisationId, entries, productIdOf)
  return toItemEntries(products, entries, array, productIdOf)
}

/** Reads the products of the entries whose quantity is in a unit. */
export const readProductsOfUnits = <Entry extends QuantityInput>(
  db: Db,
  organisationId: string,
  entries: readonly Entry[],
  productIdOf: ProductIdOf<Entry>,
): ReturnType<typeof findProducts> =>
  findProducts(
    db,
    organisationId,
    entries.flatMap((entry, n) => (entry.quantity && entry.unitTypeId ? (productIdOf(entry, n) ?? []) : [])),
  )

/**
 * Returns the entries with their quantities in items. Throws 400 with a fault for each quantity that cannot
 * be converted. `array` names the entries in these faults.
 */
export function toItemEntries<Entry extends QuantityInput>(
  products: Awaited<ReturnType<typeof findProducts>>,
  entries: readonly Entry[],
  array: string | ((entry: number) => string),
  productIdOf: ProductIdOf<Entry>,
): Entry[] {
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

/**
 * Returns a function that finds the product of an entry: that of the row of stock that it names, which may
 * stand in for another one, and otherwise that of its consignment line.
 */
export async function productOfRowOrLine(
  db: Db,
  organisationId: string,
  entries: readonly {
    warehouseProductId?: string | null | undefined
    unitTypeId?: string | null | undefined
  }[],
  lines: readonly { id: string; productId: string }[],
): Promise<
  (entry: {
    consignmentProductId: string
    warehouseProductId?: string | null | undefined
  }) => string | undefined
> {
  const rowIds = entries.flatMap(({ warehouseProductId, unitTypeId }) =>
    unitTypeId && warehouseProductId ? warehouseProductId : [],
  )
  const rows = await readStockRowsById(db, organisationId, [...new Set(rowIds)])
  const productOfLine = new Map(lines.map(({ id, productId }) => [id, productId]))
  return ({ consignmentProductId, warehouseProductId }) =>
    rows.get(warehouseProductId ?? '')?.productId ?? productOfLine.get(consignmentProductId)
}
