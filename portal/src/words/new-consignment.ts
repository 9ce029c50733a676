// The texts of the form for a new consignment.

import { ConsignmentType } from '../../../client/src/waybill.ts'
import { quantity } from '../../../ui/numbers.ts'
import { plural } from '../../../ui/plural.ts'

const types: Readonly<Record<number, string>> = {
  [ConsignmentType.Outwards]: 'Outwards',
  [ConsignmentType.Inwards]: 'Inwards',
  [ConsignmentType.PointToPoint]: 'Point to point',
}

const expected: Readonly<Record<number, string>> = {
  [ConsignmentType.Outwards]: 'Expected dispatch',
  [ConsignmentType.Inwards]: 'Expected arrival',
  [ConsignmentType.PointToPoint]: 'Expected delivery',
}

export const newConsignmentWords = {
  newConsignment: 'New consignment',
  consignments: 'Consignments',
  type: 'Type',
  typeOf: (type: number) => types[type] ?? '',
  client: 'Client',
  chooseClient: 'Choose a client',
  warehouse: 'Warehouse',
  carrier: 'Carrier',
  noCarrier: 'None yet',
  reference: 'Reference',
  expected: (type: number) => expected[type] ?? '',
  expectedHelp: 'Time of the warehouse',
  consignee: 'Consignee',
  origin: 'Origin',
  name: 'Name',
  streetAddress: 'Street address',
  city: 'City',
  postCode: 'Postcode',
  country: 'Country',
  countryHelp: 'Two letters, such as NZ',
  lines: 'Lines',
  product: 'Product',
  quantity: 'Quantity',
  free: 'Free',
  freeStock: 'Free stock',
  freeStockWhy: 'Once a client is chosen, what they have to send from the warehouse stands here.',
  findProduct: 'Find a product',
  nothingFree: 'Nothing is free.',
  nothingFreeYet: 'Of these, nothing is free. Find a product, or show more.',
  productsRead: (read: number, total: number) => `${quantity(read)} of ${plural(total, 'product')} looked at`,
  order: (code: string) => `Order ${code}`,
  unit: 'Unit',
  item: 'Items',
  pallet: 'Pallet',
  unitOf: (unit: string, items: number) => `${unit} of ${quantity(items)}`,
  batch: 'Batch',
  remove: 'Remove',
  ofLine: (field: string, line: number) => `${field} of line ${line}`,
  removeLine: (line: number) => `Remove line ${line}`,
  addLine: 'Add line',
  pasteLines: 'Paste lines',
  pasteHelp:
    'One line each: product, quantity and, if it matters, batch, separated by tabs, commas or spaces.',
  pasted: 'Lines',
  create: 'Create consignment',
  saveAsDraft: 'Save as draft',
  saveAndTryAgain: 'Save and try again',
  created: 'The consignment is created',
  creating: 'It is being created',
  waits: 'It waits: correct what is wrong and save it again.',
  openImport: 'Open import',
} as const
