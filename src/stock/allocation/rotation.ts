// The order in which stock is used up: by the product's rotation method, its second one, and the day on which
// it was received. Pure. Spec 2.11.

import { RotationMethod, StockDepletionMethod } from '../../partners/enumerations.ts'
import type { StockIdentity } from '../ledger/stock-row.ts'

/** What of a row of stock rotation looks at. Dates are plain, YYYY-MM-DD. */
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

/** How a product is rotated: its own methods, or its client's. */
export interface RotationRules {
  rotationMethod: RotationMethod
  rotationMethodSecondary: RotationMethod
  stockDepletionMethod: StockDepletionMethod
}

const dates: Partial<Record<RotationMethod, keyof RotationFields>> = {
  [RotationMethod.ExpiryAscending]: 'expiryDate',
  [RotationMethod.ProductionDateAscending]: 'productionDate',
  [RotationMethod.BestBeforeDateAscending]: 'bestBeforeDate',
  [RotationMethod.SellByDateAscending]: 'sellByDate',
  [RotationMethod.PackagingDateAscending]: 'packagingDate',
  [RotationMethod.ReceivedDateAscending]: 'receivedDate',
}

/** What of a row a method looks at, and which way; null where it looks at nothing. */
export function rotationKeyOf(
  method: RotationMethod,
): { field: keyof RotationFields; isDescending: boolean } | null {
  if (method === RotationMethod.None) return null
  if (method === RotationMethod.Batch) return { field: 'batch', isDescending: false }
  // Dates follow each other in pairs: one method for each direction.
  const isDescending = method % 2 === 1
  return { field: dates[(isDescending ? method - 1 : method) as RotationMethod] ?? 'batch', isDescending }
}

/**
 * Compares two rows by the rotation of their product: below zero where `a` goes first. Rows that are equal in
 * it are one rotation group.
 */
export function compareRotation(rules: RotationRules, a: RotationFields, b: RotationFields): number {
  const received = compareTexts(a.receivedDate, b.receivedDate)
  return (
    compareBy(rules.rotationMethod, a, b) ||
    compareBy(rules.rotationMethodSecondary, a, b) ||
    (rules.stockDepletionMethod === StockDepletionMethod.LIFO ? -received : received)
  )
}

/** What is not known goes last, whichever way a date is looked at. */
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
