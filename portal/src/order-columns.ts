// The columns of a spreadsheet of orders, as a person chooses what they mean: the heads of the file, and
// which field of an order each of them probably is.

import { ConsignmentType, type Schemas } from '../../client/src/waybill.ts'
import { fieldNames, type OrderField } from './words/upload.ts'

/** What each column means, by its head; null: it is left out. */
export type ColumnMapping = Readonly<Record<string, OrderField | null>>
export type UploadBody = Schemas['ConsignmentImportFile']

/** The beginning of a file: its heads, and what stands below the first of them. */
export interface FileStart {
  heads: readonly string[]
  examples: readonly string[]
}

/** So much of a file is enough for its heads and the row below. */
const startBytes = 65_536

/** Reads the beginning of a file: UTF-8, or else the code page of Windows. */
export async function startOf(file: Blob): Promise<FileStart> {
  const bytes = await file.slice(0, startBytes).arrayBuffer()
  const [heads = [], examples = []] = firstRows(textIn(bytes))
  return { heads, examples }
}

function textIn(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The cells of the first two rows, with the separator that the head has most of. */
export function firstRows(text: string): string[][] {
  const head = (text.match(/^[^\r\n]*/)?.[0] ?? '').replaceAll(/"[^"]*"/g, '')
  const count = (separator: string) => head.split(separator).length
  const separator = [',', ';', '\t'].reduce((best, other) => (count(other) > count(best) ? other : best))
  const rows: string[][] = [[]]
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}\\r\\n]*))(${separator}|\\r?\\n|$)`, 'y')
  while (rows.length < 3 && cell.lastIndex < text.length) {
    const [, quoted, plain = '', end] = cell.exec(text) ?? []
    if (end === undefined) break
    rows.at(-1)?.push((quoted?.replaceAll('""', '"') ?? plain).trim())
    if (end !== separator) rows.push([])
  }
  return rows.slice(0, 2)
}

/** What people also call a field. */
const synonyms: Partial<Record<OrderField, string>> = {
  referenceNumber: `order, order no, order nr, order number, order id, order ref, order reference, ref,
    ref no, reference, reference no, customer reference, document no`,
  productCode: `sku, product, product no, item, item code, item no, item number, code, article, article no,
    part no, part number, stock code`,
  quantity: 'qty, units, pieces, pcs, ordered, ordered qty, qty ordered, order qty',
  goodsDescription: 'description, product name, item name, product description, item description, goods',
  destinationName: `ship to, ship to name, deliver to, delivery name, consignee, customer, customer name,
    recipient, receiver, name, company`,
  destinationStreetAddress: `address, address 1, address line 1, street, street address, ship to address,
    delivery address`,
  destinationSuburb: 'suburb, address 2, address line 2, district',
  destinationCity: 'city, town, ship to city, delivery city',
  destinationState: 'state, region, province, county',
  destinationPostCode: 'post code, postal code, zip, zip code, ship to zip, ship to post code',
  destinationCountry: 'country, ship to country, country code',
  destinationPhone: 'phone, telephone, mobile, contact phone',
  destinationEmail: 'email, e mail, contact email',
  originName: 'supplier, supplier name, shipper, sender, vendor, from',
  expectedDispatchDateTime: 'ship date, ship by, ship on, dispatch date, despatch date, required date',
  expectedDeliveryDateTime: 'delivery date, deliver by, due, due date',
  expectedArrivalDateTime: 'eta, arrival, arrival date, expected, expected date',
  carrierCode: 'carrier, courier, shipping method',
  poNumber: 'po, po no, purchase order, purchase order no',
  soNumber: 'so, so no, sales order, sales order no',
  deliveryInstructions: 'instructions, delivery instruction, delivery notes',
  note: 'notes, comment, comments, remark, remarks',
  batch: 'lot, lot no, lot number, batch no, batch number',
  expiryDate: 'expiry, expires, expiration date, use by',
  bestBeforeDate: 'best before, bbd, bbe',
  serial: 'serial no, serial number, sn, imei',
  packageTypeCode: 'package, package type, uom, unit, unit of measure',
  weightKG: 'weight, kg',
  volumeM3: 'volume, cbm, m3',
  containerNumber: 'container, container no',
}

const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

const byName = new Map<string, OrderField>(
  (Object.keys(fieldNames) as OrderField[]).flatMap(field =>
    [field, fieldNames[field], ...(synonyms[field]?.split(',') ?? [])].map(
      name => [plain(name), field] as const,
    ),
  ),
)

/** What the columns probably mean, each field once. What was chosen for a head before stands. */
export function guessColumns(
  heads: readonly string[],
  type: number,
  chosen: ColumnMapping | undefined,
): ColumnMapping {
  const taken = new Set<OrderField>()
  return Object.fromEntries(
    heads.map(head => {
      const before = chosen?.[plain(head)]
      const field = before === undefined ? guessOf(head, type) : before
      if (field === null || taken.has(field)) return [head, null]
      taken.add(field)
      return [head, field]
    }),
  )
}

/** A head that does not say whose address it is means where goods inwards come from. */
function guessOf(head: string, type: number): OrderField | null {
  const field = byName.get(plain(head)) ?? null
  if (type !== ConsignmentType.Inwards || field === null || /ship|deliver|dest|consignee/i.test(head))
    return field
  return field.replace(/^destination(?!Authority|Address)/, 'origin') as OrderField
}

/** The choice in the form in which it is kept. */
export const keptColumns = (mapping: ColumnMapping): ColumnMapping =>
  Object.fromEntries(Object.entries(mapping).map(([head, field]) => [plain(head), field]))

/** The names of the fields that no order can lack and that no column is said to be. */
export const missingFields = (mapping: ColumnMapping): readonly string[] =>
  (['referenceNumber', 'productCode', 'quantity'] as const)
    .filter(field => !Object.values(mapping).includes(field))
    .map(field => fieldNames[field])
