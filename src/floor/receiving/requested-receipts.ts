// The receipts of a request to receive goods: what they say, and what follows from the lines that they are
// for. Spec 2.3, 2.14.

import type { LockedConsignment } from '../../consignments/consignment.ts'
import type { FaultCollector, ReportFault } from '../../platform/http/entry-faults.ts'
import {
  Decimal,
  IntegerEnum,
  Name,
  optional,
  ShortText,
  type Static,
  Type,
  Uuid,
  VolumeM3,
  WeightKG,
} from '../../platform/http/schema.ts'
import type { ValidationError } from '../../platform/http/validation.ts'
import {
  type AttributeIds,
  descriptionFields,
  resolveDescription,
} from '../../stock/commands/goods-description.ts'
import { hasLocation, locationFields } from '../../stock/commands/location-reference.ts'
import { maxSerials, Serials, serialFaults, toItems } from '../../stock/commands/quantities.ts'
import type { StockProduct } from '../../stock/commands/stock-products.ts'
import type { StockDescription } from '../../stock/ledger/stock-identity.ts'
import { UnitReference } from '../../stock/logistic-units/unit-references.ts'
import { HoldKind } from '../../vocabulary/stock.ts'
import type { ArrivalPlan } from './arrival.ts'
import { announcedDescription, announcedUnit, type InwardsLine, newUnannouncedLine } from './inwards-line.ts'
import type { Receipt } from './receipt.ts'
import type { ReceivingFacts } from './receiving-facts.ts'

const receiptTotal = 'of the whole receipt; by default its share of what was announced'

export const RequestedReceipt = Type.Object({
  consignmentProductId: optional(Uuid),
  partnerProductId: optional({
    ...Uuid,
    description: 'for goods that were not announced, which get a new line',
  }),
  quantity: optional({
    ...Decimal(4, { exclusiveMinimum: 0 }),
    description: 'the number of serials by default',
  }),
  unitTypeId: optional({ ...Uuid, description: 'the unit of measure of quantity; items by default' }),
  serials: optional(Serials),
  weightKG: optional({ ...WeightKG, description: receiptTotal }),
  volumeM3: optional({ ...VolumeM3, description: receiptTotal }),
  ...descriptionFields,
  ...locationFields,
  logisticUnit: optional(UnitReference),
  hold: optional(Type.Object({ kind: IntegerEnum(HoldKind), reason: Name, reference: optional(ShortText) })),
})
export type RequestedReceipt = Static<typeof RequestedReceipt>

/** Faults in the fields that receipts must have, and in the number of serials of the request. */
export function receiptFaults(value: unknown): ValidationError[] {
  const faults: ValidationError[] = []
  let serials = 0
  for (const [i, entry] of (Array.isArray(value) ? value : []).entries()) {
    const receipt = (entry ?? {}) as Record<string, unknown>
    if (Boolean(receipt.consignmentProductId) === Boolean(receipt.partnerProductId))
      faults.push({ path: `/${i}`, problem: 'must have either consignmentProductId or partnerProductId' })
    const count = Array.isArray(receipt.serials) ? receipt.serials.length : 0
    if ((receipt.quantity ?? null) === null && (count === 0 || receipt.unitTypeId))
      faults.push({
        path: `/${i}/quantity`,
        problem: 'is required where there are no serials',
        code: 'required',
      })
    serials += count
  }
  if (serials > maxSerials)
    faults.push({
      path: '',
      problem: `must have at most ${maxSerials.toLocaleString('en-GB')} serials in all`,
      code: 'length',
    })
  return faults
}

/** The line of each receipt, undefined if it has a fault. Goods that were not announced get new lines. */
function linesFor(
  receipts: readonly RequestedReceipt[],
  lines: readonly InwardsLine[],
  products: ReadonlyMap<string, StockProduct>,
  { id, clientId }: LockedConsignment,
  faults: FaultCollector,
): (InwardsLine | undefined)[] {
  const byId = new Map(lines.map(line => [line.id, line]))
  const unannounced = new Map(
    lines.filter(({ expected }) => expected === 0n).map(line => [line.productId, line]),
  )
  let ordinal = lines.at(-1)?.ordinal ?? -1
  return receipts.map(({ consignmentProductId, partnerProductId }, i) => {
    const name = `receipts[${i}]`
    if (consignmentProductId) {
      const line = byId.get(consignmentProductId)
      if (line === undefined)
        faults.add(name, `the consignment has no line ${consignmentProductId}`, 'unknown_reference')
      return line
    }
    const product = products.get(partnerProductId ?? '')
    if (product?.partnerId !== clientId) {
      faults.add(name, `the client has no product with the id ${partnerProductId}`, 'unknown_reference')
      return undefined
    }
    const line = unannounced.get(product.id) ?? newUnannouncedLine(id, product, ++ordinal)
    unannounced.set(product.id, line)
    return line
  })
}

/**
 * What a receipt does not say about its goods: as announced, but the dates of a batch are not those of
 * another one.
 */
function defaultDescription(
  given: RequestedReceipt,
  line: InwardsLine,
  attributeIds: AttributeIds,
): StockDescription {
  const announced = announcedDescription(line, attributeIds)
  const batch = given.batch?.trim()
  if (!batch || announced.batch === null || batch.toLowerCase() === announced.batch.toLowerCase())
    return announced
  return {
    batch,
    attributes: announced.attributes,
    ...{
      bestBeforeDate: null,
      expiryDate: null,
      packagingDate: null,
      productionDate: null,
      sellByDate: null,
    },
  }
}

/** Converts a requested receipt; undefined if its quantity has a fault. */
function toReceipt(
  given: RequestedReceipt,
  name: string,
  line: InwardsLine,
  product: StockProduct,
  { defaultHold, consignment }: ArrivalPlan,
  place: Receipt['location'],
  attributeIds: AttributeIds,
  faults: FaultCollector,
): Receipt | undefined {
  const refuse: ReportFault = (...fault) => faults.add(name, ...fault)
  const serials = given.serials ?? []
  const quantity = toItems(
    product,
    { quantity: given.quantity ?? serials.length, unitTypeId: given.unitTypeId },
    refuse,
  )
  if (quantity === undefined) return undefined
  // Goods may arrive before their serials are known. They need all of them before the consignment is
  // Complete.
  for (const problem of serialFaults(product, quantity, serials, { mayOmit: true })) refuse(...problem)
  const { timezoneId } = consignment
  const announcedOn = announcedUnit(line)
  const unit = given.logisticUnit === undefined ? announcedOn : given.logisticUnit
  return {
    name,
    line,
    product,
    quantity,
    serials: serials.map(serial => ({ serial })),
    weightKG: given.weightKG ?? null,
    volumeM3: given.volumeM3 ?? null,
    description: resolveDescription(
      given,
      defaultDescription(given, line, attributeIds),
      { timezoneId, attributeIds },
      refuse,
    ),
    location: hasLocation({ warehouseId: consignment.warehouseId, ...given })
      ? { warehouseLocationId: given.warehouseLocationId, locationName: given.locationName }
      : place,
    unit,
    isUnitAnnounced:
      given.logisticUnit === undefined ||
      (announcedOn !== null && Boolean(unit?.ssccNumber) && unit?.ssccNumber === announcedOn.ssccNumber),
    hold: given.hold === undefined ? defaultHold : given.hold,
  }
}

/** The lines that receipts name. */
export function namedLines(
  lines: readonly InwardsLine[],
  receipts: readonly RequestedReceipt[],
): InwardsLine[] {
  const named = new Set(receipts.map(({ consignmentProductId }) => consignmentProductId))
  return lines.filter(({ id }) => named.has(id))
}

/** Converts the receipts of a request. Adds faults, and leaves out the receipts that have them. */
export function toReceipts(
  arrival: ArrivalPlan,
  { receipts: given, place }: { receipts: readonly RequestedReceipt[]; place: Receipt['location'] },
  lines: readonly InwardsLine[],
  { products, attributeIds }: ReceivingFacts,
  faults: FaultCollector,
): Receipt[] {
  const linesOfReceipts = linesFor(given, lines, products, arrival.consignment, faults)
  return given.flatMap((receipt, i) => {
    const line = linesOfReceipts[i]
    const product = products.get(line?.productId ?? '')
    if (line === undefined || product === undefined) return []
    return toReceipt(receipt, `receipts[${i}]`, line, product, arrival, place, attributeIds, faults) ?? []
  })
}
