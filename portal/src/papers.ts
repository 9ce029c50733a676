// The papers of a consignment: which it has, and how each is printed.

import { ConsignmentStatus, ConsignmentType, PrintType } from '../../client/src/waybill.ts'
import type { Got } from './api.ts'
import { kindOf, type Me } from './me.ts'

/** A paper, by the last part of its path. */
export type Paper =
  | 'detail-pdf'
  | 'picking-list-pdf'
  | 'dispatch-confirmation-pdf'
  | 'receipt-confirmation-pdf'
  | 'dg-declaration-pdf'
  | 'pallet-labels'

/** What stays in the warehouse and with its clients. */
const notOfCarriers: readonly Paper[] = ['picking-list-pdf', 'receipt-confirmation-pdf', 'pallet-labels']

type Consignment = Pick<Got<'/v1/consignments/{consignmentId}'>, 'type' | 'status' | 'products'>

/** The papers of a consignment that a person may have. */
export const papersFor = (me: Me, consignment: Consignment): readonly Paper[] =>
  papersOf(consignment).filter(paper => kindOf(me) !== 'carrier' || !notOfCarriers.includes(paper))

/** The papers that a consignment has, the one that is mostly printed first. */
export const papersOf = (consignment: Consignment): readonly Paper[] => [
  ...plainPapersOf(consignment.type),
  ...(mayHavePallets(consignment) ? (['pallet-labels'] as const) : []),
]

/** Whether goods of it may be on pallets. Before goods come or are allocated, only announced ones are. */
function mayHavePallets({ type, status, products }: Consignment): boolean {
  if (status === ConsignmentStatus.Void) return false
  return products.some(line =>
    type === ConsignmentType.Outwards
      ? line.allocatedQuantity > 0 || line.pickedQuantity > 0 || line.dispatchedQuantity > 0
      : line.receivedQuantity > 0 ||
        line.logisticUnitSsccNumber !== null ||
        line.logisticUnitReferenceNumber !== null,
  )
}

const plainPapersOf = (type: number): readonly Paper[] => [
  ...(type === ConsignmentType.Outwards ? (['picking-list-pdf', 'dispatch-confirmation-pdf'] as const) : []),
  ...(type === ConsignmentType.Inwards ? (['receipt-confirmation-pdf'] as const) : []),
  'detail-pdf',
  'dg-declaration-pdf',
]

/** What a printer must print for it. */
export const printTypeOf = (paper: Paper): number =>
  paper === 'pallet-labels' ? PrintType.Label : PrintType.Document
