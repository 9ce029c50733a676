// What the label of a pallet, or of any other logistic unit, tells, and what of it scanners read. Pure. GS1
// Logistic Label Guideline.

import { type Element, gs1Date, gtin14, isGs1Text } from './gs1.ts'

/** Where goods come from or go to. */
export interface Party {
  name: string
  /** the lines of its address */
  lines: readonly string[]
}

/** Goods on a unit that are alike. Dates are `YYYY-MM-DD`. */
export interface PalletContent {
  productCode: string
  productName: string
  gtin: string | null
  quantity: number
  unitName: string | null
  batch: string | null
  bestBeforeDate: string | null
  expiryDate: string | null
}

export interface PalletFacts {
  /** null for one that is announced and has no number yet */
  logisticUnitNumber: string | null
  ssccNumber: string | null
  referenceNumber: string | null
  clientName: string
  consignmentNumber: string | null
  consignmentReference: string | null
  from: Party | null
  to: Party | null
  contents: readonly PalletContent[]
}

const maxCountDigits = 8

/** What people call a unit: its number, or else its SSCC or reference. */
export const unitName = ({ logisticUnitNumber, ssccNumber, referenceNumber }: PalletFacts): string =>
  logisticUnitNumber ?? ssccNumber ?? referenceNumber ?? ''

/**
 * The contents as elements of GS1: the trade item, how many, best before, expiry and batch. None where GS1
 * cannot tell them: of several products or batches, without a GTIN, or in parts of a unit; and none on a unit
 * without an SSCC, whose contents they would be.
 */
export function contentElements({ ssccNumber, contents }: PalletFacts): Element[] {
  const [content] = contents
  if (ssccNumber === null || content === undefined || contents.length > 1) return []
  const gtin = gtin14(content.gtin)
  const count = String(content.quantity)
  const { batch } = content
  if (gtin === null || !/^[1-9][0-9]*$/.test(count) || count.length > maxCountDigits) return []
  if (batch !== null && !isGs1Text(batch)) return []
  const dated = (ai: '15' | '17', date: string | null): Element[] => {
    const value = date === null ? null : gs1Date(date)
    return value === null ? [] : [{ ai, value }]
  }
  return [
    { ai: '02', value: gtin },
    { ai: '37', value: count },
    ...dated('15', content.bestBeforeDate),
    ...dated('17', content.expiryDate),
    ...(batch === null ? [] : [{ ai: '10', value: batch } as const]),
  ]
}
