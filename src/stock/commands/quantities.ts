// Quantities and serials in the entries of commands. Spec 2.12, 2.14; decision 1.

import { exactItems } from '../../partners/convert-quantity.ts'
import { decimalText } from '../../platform/decimal.ts'
import type { FieldFault, ReportFault } from '../../platform/http/entry-faults.ts'
import { Code, Decimal, optional, Type, Uuid } from '../../platform/http/schema.ts'
import { SerialTrackingMode } from '../../vocabulary/partners.ts'
import type { StockProduct } from './stock-products.ts'

/** How many serials one request may list. */
export const maxSerials = 50_000

export const Serials = Type.Array(Code, { maxItems: maxSerials })

/** The fields of a quantity, which is in items of the product unless a unit is given. */
export const quantityFields = {
  quantity: Decimal(4, { exclusiveMinimum: 0 }),
  unitTypeId: optional({ ...Uuid, description: 'The unit of quantity; default items.' }),
}

/** Converts a quantity in ten-thousandths to a number of items, for messages and responses. */
export const numberOf = (quantity: bigint): number => Number(decimalText(4, quantity))

/** The largest quantity that a JSON number holds exactly, in ten-thousandths. */
const maxQuantity = 999_999_999_999_999n

/**
 * Converts the quantity of an entry to items, in ten-thousandths. Returns undefined and reports a fault to
 * `refuse` if the product lacks the unit, the result is not exact to four decimal places, or it is too large.
 */
export function toItems(
  { code, chain }: Pick<StockProduct, 'code' | 'chain'>,
  { quantity, unitTypeId }: { quantity: number; unitTypeId?: string | null | undefined },
  refuse: ReportFault,
): bigint | undefined {
  const items = exactItems(chain, unitTypeId ?? null, quantity)
  if (items === 'unknown')
    refuse(`the unit ${unitTypeId} is none of the product ${code}`, 'unknown_reference')
  else if (items === 'inexact')
    refuse(
      `${quantity} of this unit of ${code} is not a number of items with at most 4 decimal places`,
      'range',
    )
  else if (items > maxQuantity)
    refuse(`${quantity} of this unit of ${code} is more than can be held`, 'range')
  else return items
  return undefined
}

/** The sentence that tells how many serials goods need. */
export const serialsNeeded = (code: string, needed: number, given: number): string =>
  `${needed} ${code} need ${needed} ${needed === 1 ? 'serial' : 'serials'}; ` +
  `${given} ${given === 1 ? 'was' : 'were'} scanned`

/**
 * Checks the serials of an entry that brings in or moves goods. A product with full capture needs one serial
 * for each item; with `mayOmit`, an entry may also list none. Other products must not have serials here.
 */
export function serialFaults(
  { code, serialTrackingMode }: Pick<StockProduct, 'code' | 'serialTrackingMode'>,
  quantity: bigint,
  serials: readonly string[],
  { mayOmit = false }: { mayOmit?: boolean } = {},
): FieldFault[] {
  if (serialTrackingMode === SerialTrackingMode.None)
    return serials.length === 0 ? [] : [[`${code} has no serials`, 'serial_not_taken']]
  if (serialTrackingMode === SerialTrackingMode.ReleaseCapture)
    return serials.length === 0
      ? []
      : [[`serials of ${code} are scanned when it is picked`, 'serial_not_taken']]
  if (serials.length === 0 && mayOmit) return []
  const needed = numberOf(quantity)
  if (serials.length === needed) return []
  return [[serialsNeeded(code, needed, serials.length), 'serial_required']]
}

/** Finds serials that are listed more than once for one product, with the index of the repeating entry. */
export function repeatedSerials(
  entries: readonly { productId: string; serials: readonly string[] }[],
): { entry: number; serial: string }[] {
  const seen = new Map<string, Set<string>>()
  return entries.flatMap(({ productId, serials }, entry) => {
    const serialsOfProduct = seen.get(productId) ?? new Set()
    seen.set(productId, serialsOfProduct)
    return serials.flatMap(serial => {
      if (serialsOfProduct.has(serial)) return [{ entry, serial }]
      serialsOfProduct.add(serial)
      return []
    })
  })
}
