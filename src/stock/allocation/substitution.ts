// Decides which stock a consignment line may have: what may substitute for its criteria, and what must not be
// sent at all. Pure; `stock-criteria.ts` expresses the same rules in SQL. Spec 2.11; decision 2.

import { Substitution } from '../../vocabulary/partners.ts'
import { CriticalStockStatus } from '../../vocabulary/stock.ts'
import { type AttributeCriterion, hasAttribute } from '../commands/requested-attributes.ts'
import {
  type DescriptionField,
  descriptionFieldNames,
  descriptionNouns,
  type StockDescription,
} from '../ledger/stock-identity.ts'

type DateField = Exclude<DescriptionField, 'batch'>
export const dateFieldNames = descriptionFieldNames.filter((field): field is DateField => field !== 'batch')

/** The criteria of a line for its stock. A null is not a criterion. */
export interface StockCriteria extends Readonly<Record<DescriptionField, string | null>> {
  /** whether other stock may be taken if none meets the criterion */
  readonly substitutions: Readonly<Record<DescriptionField, Substitution>>
  readonly criticalStockStatus: number | null
  /** how many days before a date stock becomes critical; null if it never does by that date */
  readonly criticalDays: Readonly<Record<DateField, number | null>>
  /** attributes that the stock must have; it may have more */
  readonly attributes: readonly AttributeCriterion[]
  /** the SSCC and reference of the unit that the stock must be on; null if it may be on any unit or loose */
  readonly unitName: string | null
  /** the id of that unit; null if no such unit exists */
  readonly logisticUnitId: string | null
  /** today's date in the warehouse, YYYY-MM-DD */
  readonly today: string
}

/** The facts of a stock row that decide whether a line may have it. */
export interface OfferedStock extends StockDescription {
  logisticUnitId: string | null
  inventoryHoldId: string | null
  isQuarantined: boolean
  isLocationActive: boolean
  /** ten-thousandths */
  available: bigint
}

/** Returns whether stock is past its expiry date. On the expiry date itself it is still good. */
export const isExpired = (expiryDate: string | null, today: string): boolean =>
  expiryDate !== null && expiryDate < today

/** Returns whether stock is critical: whether any of its dates is within the threshold for that date. */
export const isCritical = (
  { criticalDays, today }: Pick<StockCriteria, 'criticalDays' | 'today'>,
  stock: Pick<StockDescription, DateField>,
): boolean =>
  dateFieldNames.some(field => {
    const [days, date] = [criticalDays[field], stock[field]]
    return days !== null && date !== null && date <= dayAfter(today, days)
  })

const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

/** Returns whether stock has the batch or date that a line asks for. Batches are compared ignoring case. */
const matchesCriterion = (
  criteria: StockCriteria,
  field: DescriptionField,
  stock: StockDescription,
): boolean =>
  field === 'batch'
    ? criteria.batch?.toLowerCase() === stock.batch?.toLowerCase()
    : criteria[field] === stock[field]

/** Returns how many preferences of a line the stock meets: criteria for which substitutes are allowed. */
export const countMetPreferences = (criteria: StockCriteria, stock: StockDescription): number =>
  descriptionFieldNames.filter(
    field =>
      criteria[field] !== null &&
      criteria.substitutions[field] === Substitution.Allowed &&
      matchesCriterion(criteria, field, stock),
  ).length

/** Returns whether a line requires specific stock, by unit or by a criterion without substitutes. */
export const requiresSpecificStock = (criteria: StockCriteria): boolean =>
  criteria.unitName !== null ||
  descriptionFieldNames.some(
    field => criteria[field] !== null && criteria.substitutions[field] === Substitution.NotAllowed,
  )

/** Returns why this stock is unavailable to every line, as the end of a sentence; null if it is available. */
export function unavailableReason(stock: OfferedStock): string | null {
  if (stock.inventoryHoldId !== null) return 'is on hold'
  if (stock.isQuarantined) return 'is in quarantine'
  if (!stock.isLocationActive) return 'is in a location that is Inactive'
  if (stock.available <= 0n) return 'is all allocated to others'
  return null
}

/**
 * Returns why stock of its product is unsuitable for a line, as the end of a sentence; null if it is
 * suitable. `hasSerial` tells that the row contains a serial that the line requests.
 */
export function unsuitableReason(
  criteria: StockCriteria,
  stock: Omit<OfferedStock, 'available'>,
  hasSerial = false,
): string | null {
  const isOnUnit = criteria.logisticUnitId !== null && stock.logisticUnitId === criteria.logisticUnitId
  if (criteria.unitName !== null && !isOnUnit) return `is not on the logistic unit ${criteria.unitName}`
  for (const field of descriptionFieldNames) {
    if (criteria[field] === null || criteria.substitutions[field] === Substitution.Allowed) continue
    if (!matchesCriterion(criteria, field, stock))
      return `is not of the ${descriptionNouns[field]} ${criteria[field]}`
  }
  const missing = criteria.attributes.find(attribute => !hasAttribute(stock, attribute))
  if (missing !== undefined)
    return `lacks ${missing.name}${missing.description === null ? '' : ` ${missing.description}`}`
  if (criteria.criticalStockStatus === CriticalStockStatus.CriticalStock && !isCritical(criteria, stock))
    return 'is not critical'
  if (criteria.criticalStockStatus === CriticalStockStatus.NonCriticalStock && isCritical(criteria, stock))
    return 'is critical'
  return isExpired(stock.expiryDate, criteria.today) && !isNamedExplicitly(criteria, stock, hasSerial)
    ? 'has expired'
    : null
}

/** Returns whether the line requests this very batch, serial or unit. */
const isNamedExplicitly = (
  criteria: StockCriteria,
  stock: Omit<OfferedStock, 'available'>,
  hasSerial: boolean,
) =>
  hasSerial ||
  criteria.unitName !== null ||
  (criteria.batch !== null && matchesCriterion(criteria, 'batch', stock))
