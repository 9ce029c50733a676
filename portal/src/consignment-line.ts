// A line of a consignment as somebody corrects it, and what the service is asked to make of it.

import type { Schemas } from '../../client/src/waybill.ts'
import { serialsIn } from './serials.ts'

type Stored = Schemas['ConsignmentProduct']
type Line = Schemas['ConsignmentProductChange']

/** The form. Empty texts say nothing. */
export interface LineDraft {
  productCode: string
  /** the quantity or, of a line with serials, one serial a line */
  amount: string
  batch: string
  expiryDate: string
}

/** Whether the pieces of a line are announced one by one. */
export const hasSerials = ({ items }: Pick<Stored, 'items'>): boolean =>
  items.some(({ serial }) => serial !== null)

/** The form for a line; empty for a new one. */
export const draftOf = (line: Stored | undefined): LineDraft => ({
  productCode: line?.productCode ?? '',
  amount:
    line === undefined
      ? ''
      : hasSerials(line)
        ? line.items.map(({ serial }) => serial ?? '').join('\n')
        : String(line.expectedQuantity),
  batch: line?.batch ?? '',
  expiryDate: line?.expiryDate?.slice(0, 10) ?? '',
})

/** A local time as requests have it: the digits, without the letter of UTC that responses add. */
const digitsOf = (time: string | null) => time?.replace(/Z$/, '') ?? null

/** The items that the form says. Those that it leaves as they are keep their weights and volumes. */
function itemsOf(draft: LineDraft, line: Stored | undefined): Line['items'] {
  const amount = draft.amount.trim()
  if (line === undefined || !hasSerials(line))
    return line !== undefined && Number(amount) === line.expectedQuantity && line.items.length > 0
      ? line.items
      : [{ quantity: Number(amount) }]
  const known = new Map(line.items.map(item => [item.serial, item]))
  return serialsIn(amount).map(serial => known.get(serial) ?? { serial, quantity: 1 })
}

/** The line that the form makes of a stored one, or a new one. What the form has no field for stays. */
export function lineOf(draft: LineDraft, line: Stored | undefined): Line {
  const batch = draft.batch.trim() || null
  const isSameDay = draft.expiryDate === (line?.expiryDate?.slice(0, 10) ?? '')
  const expiryDate = isSameDay ? digitsOf(line?.expiryDate ?? null) : draft.expiryDate || null
  const said = { productCode: draft.productCode.trim(), items: itemsOf(draft, line) }
  if (line === undefined)
    return { ...said, ...(batch === null ? {} : { batch }), ...(expiryDate === null ? {} : { expiryDate }) }
  return {
    ...{ ...said, batch, expiryDate },
    goodsDescription: line.goodsDescription,
    bestBeforeDate: digitsOf(line.bestBeforeDate),
    packagingDate: digitsOf(line.packagingDate),
    productionDate: digitsOf(line.productionDate),
    sellByDate: digitsOf(line.sellByDate),
    packageTypeCode: line.packageTypeCode,
    logisticUnitSsccNumber: line.logisticUnitSsccNumber,
    logisticUnitReferenceNumber: line.logisticUnitReferenceNumber,
    isManualReconciliationRequired: line.isManualReconciliationRequired,
    criticalStockStatus: line.criticalStockStatus,
    attributes: line.attributes,
  }
}
