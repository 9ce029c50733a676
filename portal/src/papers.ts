// The papers of a consignment: which its type has, and how each is printed.

import { ConsignmentType, PrintType } from '../../client/src/waybill.ts'
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

/** The papers of a type of consignment that a person may have. */
export const papersFor = (me: Me, type: number): readonly Paper[] =>
  papersOf(type).filter(paper => kindOf(me) !== 'carrier' || !notOfCarriers.includes(paper))

/** The papers that a type of consignment has, the one that is mostly printed first. */
export const papersOf = (type: number): readonly Paper[] => [
  ...(type === ConsignmentType.Outwards ? (['picking-list-pdf', 'dispatch-confirmation-pdf'] as const) : []),
  ...(type === ConsignmentType.Inwards ? (['receipt-confirmation-pdf'] as const) : []),
  'detail-pdf',
  'dg-declaration-pdf',
  'pallet-labels',
]

/** What a printer must print for it. */
export const printTypeOf = (paper: Paper): number =>
  paper === 'pallet-labels' ? PrintType.Label : PrintType.Document
