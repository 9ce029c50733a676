// The texts of receiving.

import { quantity } from '../../../ui/numbers.ts'

export const receiveWords = {
  receive: 'Receive',
  receiveOf: (number: string) => `Receive ${number}`,
  consignment: 'Consignment',
  lines: 'Lines',
  allAsAnnounced: 'All as announced',
  comesBack: 'These goods have left. What of them comes back is received as a consignment of its own.',
  onlyInwards: 'Only goods of an Inwards consignment are received.',
  receivedDone: (number: string) => `Goods of ${number} are received`,
  product: 'Product',
  announced: 'Announced',
  received: 'Received',
  quantity: 'Quantity',
  place: 'Place',
  placeHint: 'Receiving',
  pallet: 'Pallet (SSCC)',
  batch: 'Batch',
  expiry: 'Expiry',
  serials: 'Serials',
  serialsHint: 'Scan or paste',
  damaged: 'Damaged',
  damagedReason: 'Damaged on arrival',
  of: (field: string, product: string) => `${field} of ${product}`,
  notAnnounced: 'not announced',
  unannounced: 'Unannounced product',
  add: 'Add',
  expectedAs: (value: number) => quantity(value),
} as const
