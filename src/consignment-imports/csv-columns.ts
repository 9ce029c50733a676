// The columns of a spreadsheet of orders: where an import has what each of them says, and how its cells are
// read. Spec 2.3; decision 5.

import { importedFields } from '../consignments/consignment-fields.ts'
import type { TSchema } from '../platform/http/schema.ts'
import { attributesIn, numberIn } from '../uploads/csv-file.ts'
import { ConsignmentType } from '../vocabulary/consignments.ts'
import { addressFieldNames, addressFields } from '../warehouses/address.ts'
import { ImportItem, ImportLine } from './import-request.ts'

type Address = 'originAddress' | 'destinationAddress'
type OwnName = Exclude<keyof typeof importedFields, Address | 'warehouseCode'>
type AddressName = `${'origin' | 'destination'}${Capitalize<keyof typeof addressFields>}`
type LineName = Exclude<keyof typeof ImportLine.properties, 'items'>
type ItemName = keyof typeof ImportItem.properties
export type CsvColumnName = OwnName | AddressName | 'serviceTypeCodes' | 'note' | LineName | ItemName

export interface CsvColumn {
  /** what the rows of an order say together, or what a row says of a line or of an item of it */
  of: 'order' | 'line' | 'item'
  /** its path in the request, from the order, the line or the item */
  path: string
  read(text: string): unknown
}

interface CellSchema {
  type?: string | string[]
  enumeration?: Readonly<Record<string, number>>
}

const [yes, no] = [
  ['true', 'yes', 'y', '1'],
  ['false', 'no', 'n', '0'],
]

/** Reads a cell as its schema wants it. What cannot be read stays a text, which the check then refuses. */
function reader(schema: TSchema): (text: string) => unknown {
  const { type, enumeration } = schema as CellSchema
  const types = [type].flat()
  if (enumeration !== undefined) {
    const byName = new Map(Object.entries(enumeration).map(([name, value]) => [name.toLowerCase(), value]))
    return text => byName.get(text.replaceAll(' ', '').toLowerCase()) ?? numberIn(text)
  }
  if (types.includes('number') || types.includes('integer')) return numberIn
  if (types.includes('boolean'))
    return text => (yes.includes(text.toLowerCase()) ? true : no.includes(text.toLowerCase()) ? false : text)
  return text => text
}

const fieldsOf = (of: CsvColumn['of'], schemas: Record<string, TSchema>): [string, CsvColumn][] =>
  Object.entries(schemas).map(([name, schema]) => [name, { of, path: name, read: reader(schema) }])

const addressColumns = (address: Address): [string, CsvColumn][] =>
  addressFieldNames.map(field => [
    `${address.replace('Address', '')}${field.charAt(0).toUpperCase()}${field.slice(1)}`,
    { of: 'order', path: `${address}.${field}`, read: reader(addressFields[field]) },
  ])

const {
  originAddress: _origin,
  destinationAddress: _destination,
  warehouseCode: _,
  ...ownFields
} = importedFields
const { items: _items, attributes: _attributes, ...lineFields } = ImportLine.properties

/** Every column that a spreadsheet may have. Its client and warehouse are told beside it. */
export const csvColumns = Object.fromEntries([
  ...Object.entries(ownFields).map(([name, { schema }]): [string, CsvColumn] => [
    name,
    { of: 'order', path: name, read: reader(schema) },
  ]),
  ...addressColumns('originAddress'),
  ...addressColumns('destinationAddress'),
  ['serviceTypeCodes', { of: 'order', path: 'serviceTypeCodes', read: codesIn }],
  ['note', { of: 'order', path: 'notes', read: (note: string) => [{ note }] }],
  ...fieldsOf('line', lineFields),
  ['attributes', { of: 'line', path: 'attributes', read: attributesIn }],
  ...fieldsOf('item', ImportItem.properties),
]) as Readonly<Record<CsvColumnName, CsvColumn>>

export const csvColumnNames = Object.keys(csvColumns) as CsvColumnName[]

/** The codes in a cell, between bars: `EXP | LIFT`. */
function codesIn(text: string): string[] {
  return text
    .split('|')
    .map(code => code.trim())
    .filter(code => code !== '')
}

const route = (place: 'origin' | 'destination'): CsvColumnName[] => [
  ...([`${place}Name`, `${place}StreetAddress`, `${place}Suburb`, `${place}City`] as const),
  ...([`${place}State`, `${place}PostCode`, `${place}Country`, `${place}Phone`] as const),
]
const lines: CsvColumnName[] = ['productCode', 'quantity', 'packageTypeCode', 'batch']

/** The columns of the template of a type: what most of its orders say. */
export const templateColumns: Readonly<Record<ConsignmentType, readonly CsvColumnName[]>> = {
  [ConsignmentType.Outwards]: [
    ...(['referenceNumber', 'poNumber', 'expectedDispatchDateTime', 'carrierCode'] as const),
    ...route('destination'),
    ...(['deliveryInstructions', 'note'] as const),
    ...lines,
  ],
  [ConsignmentType.Inwards]: [
    ...(['referenceNumber', 'poNumber', 'expectedArrivalDateTime', 'carrierCode'] as const),
    ...(['originName', 'containerNumber', 'note'] as const),
    ...lines,
    ...(['bestBeforeDate', 'expiryDate', 'serial'] as const),
  ],
  [ConsignmentType.PointToPoint]: [
    ...(['referenceNumber', 'poNumber', 'expectedDeliveryDateTime', 'carrierCode'] as const),
    ...[...route('origin'), ...route('destination')],
    ...(['deliveryInstructions', 'note'] as const),
    ...lines,
  ],
}
