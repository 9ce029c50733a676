// A new consignment as somebody fills it in, and the import that it becomes.

import { ConsignmentType, type Schemas } from '../../client/src/waybill.ts'

type ImportRequest = Schemas['ConsignmentImportRequest']

/** A line of the form. */
export interface DraftLine {
  key: number
  productCode: string
  quantity: string
  /** the unit of the quantity: the id of a unit type or the number of a metric; empty: the product's own */
  unit: string
  batch: string
}

/** The parts of an address that the form has. */
export const addressParts = ['name', 'streetAddress', 'city', 'postCode', 'country'] as const

/** The form. Empty texts say nothing. */
export interface Draft {
  type: number
  clientCode: string
  warehouseCode: string
  carrierCode: string
  referenceNumber: string
  expected: string
  address: Readonly<Record<(typeof addressParts)[number], string>>
  lines: readonly DraftLine[]
}

/** What a copy takes from a consignment. */
type Copied = Schemas['ConsignmentDetail']

let lastKey = 0

export const emptyLine = (): DraftLine => ({
  ...{ key: ++lastKey, productCode: '', quantity: '', unit: '', batch: '' },
})

/** A form with what another consignment says, but its times and references, which were its own. */
export function copyOf(original: Copied): Draft {
  const { type, clientCode, warehouseCode, carrierCode, products } = original
  const address = type === ConsignmentType.Inwards ? original.originAddress : original.destinationAddress
  return {
    ...{ type, clientCode, warehouseCode: warehouseCode ?? '', carrierCode: carrierCode ?? '' },
    ...{ referenceNumber: '', expected: '' },
    address: Object.fromEntries(addressParts.map(part => [part, address?.[part] ?? ''])) as Draft['address'],
    lines: products.map(({ productCode, expectedQuantity, batch }) => ({
      ...emptyLine(),
      productCode,
      quantity: String(expectedQuantity),
      batch: batch ?? '',
    })),
  }
}

/** The lines in a pasted text: product, quantity and batch, between tabs, semicolons, commas or spaces. */
export function linesIn(text: string): DraftLine[] {
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)
    .map(line => {
      const parts = line.split(/\t|;|,/).map(part => part.trim())
      const [productCode = '', quantity = '', batch = ''] = parts.length > 1 ? parts : line.split(/\s+/)
      return { ...emptyLine(), productCode, quantity, batch }
    })
}

const isFilled = ({ productCode, quantity, batch }: DraftLine) => `${productCode}${quantity}${batch}` !== ''

/** The lines that the import has: those that say anything, or the first one. */
export const linesOf = ({ lines }: Draft): readonly DraftLine[] =>
  lines.some(isFilled) ? lines.filter(isFilled) : lines.slice(0, 1)

/** Where the address of the form belongs. Point to point has both ends; the form asks for where it goes. */
export const addressField = (type: number) =>
  type === ConsignmentType.Inwards ? ('originAddress' as const) : ('destinationAddress' as const)

/** The field of the time that the form asks for. */
export const expectedField = (type: number) =>
  type === ConsignmentType.Outwards
    ? ('expectedDispatchDateTime' as const)
    : type === ConsignmentType.Inwards
      ? ('expectedArrivalDateTime' as const)
      : ('expectedDeliveryDateTime' as const)

/** The import. The same key makes no second consignment, however often it is sent. */
export function requestOf(draft: Draft, idempotencyKey: string): ImportRequest {
  const { type, clientCode, warehouseCode, carrierCode, referenceNumber, expected, address } = draft
  const filled = Object.fromEntries(Object.entries(address).filter(([, value]) => value.trim() !== ''))
  return {
    idempotencyKey,
    consignmentType: type as ImportRequest['consignmentType'],
    clientCode,
    ...(warehouseCode === '' ? {} : { warehouseCode }),
    ...(carrierCode === '' ? {} : { carrierCode }),
    ...(referenceNumber.trim() === '' ? {} : { referenceNumber: referenceNumber.trim() }),
    ...(expected === '' ? {} : { [expectedField(type)]: `${expected}:00` }),
    ...(Object.keys(filled).length === 0 ? {} : { [addressField(type)]: filled }),
    products: linesOf(draft).map(({ productCode, quantity, batch }) => ({
      productCode: productCode.trim(),
      items: [{ quantity: Number(quantity) }],
      ...(batch.trim() === '' ? {} : { batch: batch.trim() }),
    })),
  }
}
