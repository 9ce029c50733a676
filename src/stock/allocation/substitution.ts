// Which stock a line of a consignment may have: what may replace what it asks for, and what may not be sent
// at all. Pure; `candidates.ts` asks the database the same. Spec 2.11; open-points 2.

import { Substitution } from '../../partners/enumerations.ts'
import { CriticalStockStatus } from '../enumerations.ts'
import type { StockDescription } from '../ledger/stock-row.ts'

/** The fields by which a line may ask for certain stock, and by which it may be replaced. */
export const descriptionFields = [
  'batch',
  'bestBeforeDate',
  'expiryDate',
  'packagingDate',
  'productionDate',
  'sellByDate',
] as const
export type DescriptionField = (typeof descriptionFields)[number]
export type DateField = Exclude<DescriptionField, 'batch'>
export const dateFields = descriptionFields.filter((field): field is DateField => field !== 'batch')

/** What a line asks of its stock. Nulls ask nothing. */
export interface StockCriteria extends Readonly<Record<DescriptionField, string | null>> {
  /** whether other stock may be taken where there is none of what is asked */
  readonly substitutions: Readonly<Record<DescriptionField, Substitution>>
  readonly criticalStockStatus: number | null
  /** so many days before a date stock becomes critical; null: never by that date */
  readonly criticalDays: Readonly<Record<DateField, number | null>>
  /** attributes that the stock must have, at least */
  readonly attributes: readonly AttributeCriterion[]
  /** how the unit is named that the stock must be on; null where it may be on one or loose */
  readonly unitName: string | null
  /** its id; null where there is no such unit */
  readonly logisticUnitId: string | null
  /** the day that it is in the warehouse */
  readonly today: string
}

/** An attribute as a line asks for it; without a description, any value will do. */
export interface AttributeCriterion {
  name: string
  /** null: the organisation has no attribute of this name */
  productAttributeId: string | null
  description: string | null
}

/** What of a row of stock decides whether a line may have it. */
export interface OfferedStock extends StockDescription {
  logisticUnitId: string | null
  inventoryHoldId: string | null
  isQuarantined: boolean
  isLocationActive: boolean
  /** ten-thousandths */
  available: bigint
}

/** Whether stock is past its expiry date. On that day itself it is still good. */
export const isExpired = (expiryDate: string | null, today: string): boolean =>
  expiryDate !== null && expiryDate < today

/** Whether one of the dates that have a threshold is at most so many days away. */
export const isCritical = (
  { criticalDays, today }: Pick<StockCriteria, 'criticalDays' | 'today'>,
  stock: Pick<StockDescription, DateField>,
): boolean =>
  dateFields.some(field => {
    const [days, date] = [criticalDays[field], stock[field]]
    return days !== null && date !== null && date <= dayAfter(today, days)
  })

const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

/** Whether stock is of the batch, or has the date, that a line asks for. Batches are alike in any case. */
const isAsAsked = (asked: StockCriteria, field: DescriptionField, stock: StockDescription): boolean =>
  field === 'batch'
    ? asked.batch?.toLowerCase() === stock.batch?.toLowerCase()
    : asked[field] === stock[field]

/** How many of the wishes of a line, which may be replaced, the stock fulfils. */
export const preferencesMet = (asked: StockCriteria, stock: StockDescription): number =>
  descriptionFields.filter(
    field =>
      asked[field] !== null &&
      asked.substitutions[field] === Substitution.Allowed &&
      isAsAsked(asked, field, stock),
  ).length

/** Whether a line must have certain stock, which others could do without. */
export const requiresSpecificStock = (asked: StockCriteria): boolean =>
  asked.unitName !== null ||
  descriptionFields.some(
    field => asked[field] !== null && asked.substitutions[field] === Substitution.NotAllowed,
  )

const words: Record<DescriptionField, string> = {
  batch: 'batch',
  bestBeforeDate: 'best before date',
  expiryDate: 'expiry date',
  packagingDate: 'packaging date',
  productionDate: 'production date',
  sellByDate: 'sell by date',
}

/** Why nobody may have this stock now, as the end of a sentence; null where somebody may. */
export function unavailableReason(stock: OfferedStock): string | null {
  if (stock.inventoryHoldId !== null) return 'is on hold'
  if (stock.isQuarantined) return 'is in quarantine'
  if (!stock.isLocationActive) return 'is in a location that is Inactive'
  if (stock.available <= 0n) return 'is all promised to others'
  return null
}

/**
 * Why a line may not have stock of its product by what the stock is, as the end of a sentence; null where it
 * may. `hasSerial`: a serial that the line names lies in it.
 */
export function unsuitableReason(
  asked: StockCriteria,
  stock: Omit<OfferedStock, 'available'>,
  hasSerial = false,
): string | null {
  const isOnUnit = asked.logisticUnitId !== null && stock.logisticUnitId === asked.logisticUnitId
  if (asked.unitName !== null && !isOnUnit) return `is not on the logistic unit ${asked.unitName}`
  for (const field of descriptionFields) {
    if (asked[field] === null || asked.substitutions[field] === Substitution.Allowed) continue
    if (!isAsAsked(asked, field, stock)) return `is not of the ${words[field]} ${asked[field]}`
  }
  const missing = asked.attributes.find(attribute => !hasAttribute(stock, attribute))
  if (missing !== undefined)
    return `lacks ${missing.name}${missing.description === null ? '' : ` ${missing.description}`}`
  if (asked.criticalStockStatus === CriticalStockStatus.CriticalStock && !isCritical(asked, stock))
    return 'is not critical'
  if (asked.criticalStockStatus === CriticalStockStatus.NonCriticalStock && isCritical(asked, stock))
    return 'is critical'
  return isExpired(stock.expiryDate, asked.today) && !isNamed(asked, stock, hasSerial) ? 'has expired' : null
}

/** Whether a line names its batch, serial or unit, and this is it. */
const isNamed = (asked: StockCriteria, stock: Omit<OfferedStock, 'available'>, hasSerial: boolean) =>
  hasSerial || asked.unitName !== null || (asked.batch !== null && isAsAsked(asked, 'batch', stock))

const hasAttribute = (stock: StockDescription, { productAttributeId, description }: AttributeCriterion) =>
  stock.attributes.some(
    had =>
      had.productAttributeId === productAttributeId &&
      (description === null || had.description?.toLowerCase() === description.toLowerCase()),
  )
