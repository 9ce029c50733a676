// Stock rotation: compares stock rows by the product's primary and secondary rotation methods and by the
// received date. Pure. Spec 2.11.

import { RotationMethod, StockDepletionMethod } from '../../vocabulary/partners.ts'
import type { StockIdentity } from '../ledger/stock-identity.ts'

/** The fields of a stock row that rotation uses. Dates are YYYY-MM-DD. */
export type RotationFields = Pick<
  StockIdentity,
  | 'batch'
  | 'bestBeforeDate'
  | 'expiryDate'
  | 'packagingDate'
  | 'productionDate'
  | 'sellByDate'
  | 'receivedDate'
>

/** How a product is rotated: by its own methods, or by its client's. */
export interface RotationRules {
  rotationMethod: RotationMethod
  rotationMethodSecondary: RotationMethod
  stockDepletionMethod: StockDepletionMethod
}

const dateFieldByMethod: Partial<Record<RotationMethod, keyof RotationFields>> = {
  [RotationMethod.ExpiryAscending]: 'expiryDate',
  [RotationMethod.ProductionDateAscending]: 'productionDate',
  [RotationMethod.BestBeforeDateAscending]: 'bestBeforeDate',
  [RotationMethod.SellByDateAscending]: 'sellByDate',
  [RotationMethod.PackagingDateAscending]: 'packagingDate',
  [RotationMethod.ReceivedDateAscending]: 'receivedDate',
}

/** Returns the field that a method compares, and its direction; null if the method compares nothing. */
export function rotationKeyOf(
  method: RotationMethod,
): { field: keyof RotationFields; isDescending: boolean } | null {
  if (method === RotationMethod.None) return null
  if (method === RotationMethod.Batch) return { field: 'batch', isDescending: false }
  // The date methods are numbered in pairs: ascending is even, descending is odd.
  const isDescending = method % 2 === 1
  return {
    field: dateFieldByMethod[(isDescending ? method - 1 : method) as RotationMethod] ?? 'batch',
    isDescending,
  }
}

/**
 * Compares two rows by the rotation of their product; negative if `a` goes first. Equal rows form one
 * rotation group.
 */
export function compareRotation(rules: RotationRules, a: RotationFields, b: RotationFields): number {
  const received = compareTexts(a.receivedDate, b.receivedDate)
  return (
    compareBy(rules.rotationMethod, a, b) ||
    compareBy(rules.rotationMethodSecondary, a, b) ||
    (rules.stockDepletionMethod === StockDepletionMethod.LIFO ? -received : received)
  )
}

/** Unknown values go last, in either direction. */
function compareBy(method: RotationMethod, a: RotationFields, b: RotationFields): number {
  const rotated = rotationKeyOf(method)
  if (rotated === null) return 0
  const { field, isDescending } = rotated
  const [left, right] = [a[field], b[field]]
  if (left === right) return 0
  if (left === null) return 1
  if (right === null) return -1
  if (field === 'batch') return Buffer.compare(Buffer.from(left), Buffer.from(right))
  return isDescending ? compareTexts(right, left) : compareTexts(left, right)
}

const compareTexts = (a: string, b: string) => (a < b ? -1 : Number(a > b))
