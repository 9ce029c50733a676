// The contents of the label of a pallet or any other logistic unit, and the GS1 elements in its barcodes.
// Pure. GS1 Logistic Label Guideline.

import { type Gs1Element, gs1Date, gtin14, isGs1Text } from './gs1.ts'

/** Where goods come from or go to. */
export interface Party {
  name: string
  /** the lines of its address */
  lines: readonly string[]
}

/** Goods of one product, batch and dates on a unit. Dates are `YYYY-MM-DD`. */
export interface PalletGoods {
  productCode: string
  productName: string
  gtin: string | null
  quantity: number
  unitName: string | null
  batch: string | null
  bestBeforeDate: string | null
  expiryDate: string | null
  /** "UN 1263 Class 3"; null if it is not dangerous */
  dangerousGoods: string | null
}

export interface PalletData {
  /** null for an announced unit, which has no number yet */
  logisticUnitNumber: string | null
  ssccNumber: string | null
  referenceNumber: string | null
  clientName: string
  consignmentNumber: string | null
  consignmentReference: string | null
  from: Party | null
  to: Party | null
  contents: readonly PalletGoods[]
}

const maxCountDigits = 8

/** Returns the name of a unit for people: its number, otherwise its SSCC or reference. */
export const displayNameOf = ({ logisticUnitNumber, ssccNumber, referenceNumber }: PalletData): string =>
  logisticUnitNumber ?? ssccNumber ?? referenceNumber ?? ''

/**
 * Returns the contents as GS1 elements: trade item, count, best before, expiry and batch. Empty if GS1 cannot
 * express them (several products or batches, no GTIN, a fractional quantity) or the unit has no SSCC.
 */
export function contentElements({ ssccNumber, contents }: PalletData): Gs1Element[] {
  const [content] = contents
  if (ssccNumber === null || content === undefined || contents.length > 1) return []
  const gtin = gtin14(content.gtin)
  const count = String(content.quantity)
  const { batch } = content
  if (gtin === null || !/^[1-9][0-9]*$/.test(count) || count.length > maxCountDigits) return []
  if (batch !== null && !isGs1Text(batch)) return []
  const dateElement = (ai: '15' | '17', date: string | null): Gs1Element[] => {
    const value = date === null ? null : gs1Date(date)
    return value === null ? [] : [{ ai, value }]
  }
  return [
    { ai: '02', value: gtin },
    { ai: '37', value: count },
    ...dateElement('15', content.bestBeforeDate),
    ...dateElement('17', content.expiryDate),
    ...(batch === null ? [] : [{ ai: '10', value: batch } as const]),
  ]
}
