// Quantities and serials as entries of commands give them. Spec 2.12, 2.14; open-points 1 (quantities).

import { exactItems } from '../../partners/convert-quantity.ts'
import { SerialTrackingMode } from '../../partners/enumerations.ts'
import { decimalText } from '../../platform/decimal.ts'
import type { Problem, ReportFault } from '../../platform/http/entry-faults.ts'
import { Code, Decimal, optional, Type, Uuid } from '../../platform/http/schema.ts'
import type { StockProduct } from './stock-products.ts'

/** At most so many serials in one request. */
export const maxSerials = 50_000

export const Serials = Type.Array(Code, { maxItems: maxSerials })

/** How much, in items of the product or in one of its units. */
export const quantityFields = {
  quantity: Decimal(4, { exclusiveMinimum: 0 }),
  unitTypeId: optional({ ...Uuid, description: 'the unit that quantity is in; items, where it is left out' }),
}

/** The number of a quantity, for sentences and answers. */
export const numberOf = (quantity: bigint): number => Number(decimalText(4, quantity))

const maxQuantity = 999_999_999_999_999n

/**
 * A quantity in items, in ten-thousandths. Undefined where it is none that can be held; `refuse` is told why,
 * as the end of a sentence.
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
    refuse(`${quantity} of this unit of ${code} is no number of items with at most 4 decimal places`, 'range')
  else if (items > maxQuantity)
    refuse(`${quantity} of this unit of ${code} is more than can be held`, 'range')
  else return items
  return undefined
}

/**
 * What is wrong with the serials of an entry that moves goods in or about. Goods that
 * are fully captured need as many as are moved, save where they came without (`mayLack`) or are moved whole.
 */
export function serialFaults(
  { code, serialTrackingMode }: Pick<StockProduct, 'code' | 'serialTrackingMode'>,
  quantity: bigint,
  serials: readonly string[],
  { mayOmit: mayLack = false }: { mayOmit?: boolean } = {},
): Problem[] {
  if (serialTrackingMode === SerialTrackingMode.None)
    return serials.length === 0 ? [] : [[`the product ${code} takes no serials`, 'invalid']]
  if (serialTrackingMode === SerialTrackingMode.ReleaseCapture)
    return serials.length === 0
      ? []
      : [[`serials of the product ${code} are captured when it is picked`, 'invalid']]
  if (serials.length === 0 && mayLack) return []
  const needed = numberOf(quantity)
  if (serials.length === needed) return []
  return [[`${needed} of ${code} need as many serials, not ${serials.length}`, 'invalid']]
}

/** The serials that entries name more than once for one product, with the entry that does it again. */
export function repeatedSerials(
  entries: readonly { productId: string; serials: readonly string[] }[],
): { entry: number; serial: string }[] {
  const seen = new Map<string, Set<string>>()
  return entries.flatMap(({ productId, serials }, entry) => {
    const known = seen.get(productId) ?? new Set()
    seen.set(productId, known)
    return serials.flatMap(serial => {
      if (known.has(serial)) return [{ entry, serial }]
      known.add(serial)
      return []
    })
  })
}
