// The endpoint that receives goods for an inwards consignment. Spec 2.3 (rules for items), 2.14.

import type { Actor } from '../access/actor.ts'
import { type LockedConsignment, lockOpenConsignment } from '../consignments/consignment.ts'
import { consignmentStatusName } from '../consignments/consignment-status.ts'
import type { Tx } from '../platform/database/db.ts'
import { collectFaults, type FaultCollector, type ReportFault } from '../platform/http/entry-faults.ts'
import { verificationFailed, wrongStatus } from '../platform/http/refusal.ts'
import {
  Decimal,
  IntegerEnum,
  LocalTime,
  Name,
  named,
  optional,
  ShortText,
  type Static,
  Type,
  UtcTime,
  Uuid,
  VolumeM3,
  WeightKG,
} from '../platform/http/schema.ts'
import type { ValidationError } from '../platform/http/validation.ts'
import { parseLocalTime } from '../platform/local-time.ts'
import {
  type AttributeIds,
  descriptionFields,
  findOrCreateAttributes,
  resolveDescription,
} from '../stock/commands/goods-description.ts'
import { hasLocation, locationFields } from '../stock/commands/location-reference.ts'
import { maxSerials, numberOf, Serials, serialFaults, toItems } from '../stock/commands/quantities.ts'
import { stockCommand } from '../stock/commands/stock-command.ts'
import { findProducts, type StockProduct } from '../stock/commands/stock-products.ts'
import type { StockDescription } from '../stock/ledger/stock-identity.ts'
import { UnitReference } from '../stock/logistic-units/unit-references.ts'
import { ConsignmentStatus, ConsignmentType } from '../vocabulary/consignments.ts'
import { HoldKind } from '../vocabulary/stock.ts'
import {
  type ArrivalPlan,
  emitReceivedQuantities,
  planArrival,
  planOutstandingReceipts,
  recordReceiveTime,
  refuseRepeatedSerials,
  sumByLine,
} from './receiving/arrival.ts'
import {
  announcedDescription,
  announcedUnit,
  type InwardsLine,
  newUnannouncedLine,
  readInwardsLines,
} from './receiving/inwards-line.ts'
import { type Receipt, type ReceiptOutcome, receiveGoods } from './receiving/receive-goods.ts'
import { findReceivingPlace } from './receiving/receiving-place.ts'

const receiptTotal = 'of the whole receipt; by default its share of what was announced'

const RequestedReceipt = Type.Object({
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
type RequestedReceipt = Static<typeof RequestedReceipt>

/** Faults in the fields that receipts must have, and in the number of serials of the request. */
function receiptFaults(value: unknown): ValidationError[] {
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

const body = {
  receipts: optional(Type.Array(RequestedReceipt, { minItems: 1, maxItems: 5_000, rule: receiptFaults })),
  all: optional({
    ...Type.Boolean(),
    description: 'receives everything outstanding as announced, instead of `receipts`',
  }),
  warehouseLocationId: optional({
    ...Uuid,
    description: 'where all goods go whose receipt does not name a place',
  }),
  locationName: optional({ ...ShortText, description: 'the same, by its name' }),
  receivedDateTime: optional(LocalTime),
}

const ReceiveResult = named(
  'ConsignmentReceiveResult',
  Type.Object({
    movementId: Uuid,
    effectiveUtc: UtcTime,
    consignmentProducts: Type.Array(
      Type.Object({
        consignmentProductId: Uuid,
        receivedQuantity: Type.Number({ description: 'received for the line so far' }),
        overQuantity: Type.Number(),
        shortQuantity: Type.Number(),
        warehouseProductIds: Type.Array(Uuid),
      }),
    ),
  }),
)

/**
 * Locks an inwards consignment for which goods may be received. Throws 404 if the actor cannot see it, and
 * 400 if goods cannot be received for it.
 */
export async function lockConsignmentToReceive(
  tx: Tx,
  actor: Actor,
  consignmentId: string,
): Promise<LockedConsignment> {
  const consignment = await lockOpenConsignment(tx, actor, consignmentId)
  const { type, status, consignmentNumber } = consignment
  if (type !== ConsignmentType.Inwards)
    throw verificationFailed(`Consignment ${consignmentNumber} is not Inwards: nothing is received for it.`)
  if (status !== ConsignmentStatus.ReadyToReceive)
    throw wrongStatus(
      `Consignment ${consignmentNumber} is ${consignmentStatusName(status)}; goods are received ` +
        'while it is ReadyToReceive.',
    )
  return consignment
}

/** The line of each receipt, undefined if it has a fault. Goods that were not announced get new lines. */
function linesFor(
  receipts: readonly RequestedReceipt[],
  lines: readonly InwardsLine[],
  products: ReadonlyMap<string, StockProduct>,
  { clientId }: LockedConsignment,
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
    const line = unannounced.get(product.id) ?? newUnannouncedLine(product, ++ordinal)
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

/** Converts the receipts of a request. Adds faults, and leaves out the receipts that have them. */
async function toReceipts(
  tx: Tx,
  arrival: ArrivalPlan,
  { receipts: given, place }: { receipts: readonly RequestedReceipt[]; place: Receipt['location'] },
  lines: readonly InwardsLine[],
  faults: FaultCollector,
): Promise<Receipt[]> {
  const { consignment } = arrival
  const { organisationId } = consignment
  const named = new Set(given.map(({ consignmentProductId }) => consignmentProductId))
  const namedLines = lines.filter(({ id }) => named.has(id))
  const products = await findProducts(tx, organisationId, [
    ...namedLines.map(({ productId }) => productId),
    ...given.flatMap(({ partnerProductId }) => partnerProductId ?? []),
  ])
  const attributeIds = await findOrCreateAttributes(tx, organisationId, [
    ...given.map(({ attributes }) => attributes),
    ...namedLines.map(({ attributes }) => attributes),
  ])
  const linesOfReceipts = linesFor(given, lines, products, consignment, faults)
  return given.flatMap((receipt, i) => {
    const line = linesOfReceipts[i]
    const product = products.get(line?.productId ?? '')
    if (line === undefined || product === undefined) return []
    return toReceipt(receipt, `receipts[${i}]`, line, product, arrival, place, attributeIds, faults) ?? []
  })
}

/** The totals of each line for which anything was received. */
function lineTotals(
  received: readonly ReceiptOutcome[],
): Static<typeof ReceiveResult>['consignmentProducts'] {
  const rows = new Map<InwardsLine, Set<string>>()
  for (const { receipt, warehouseProductId } of received)
    rows.set(receipt.line, (rows.get(receipt.line) ?? new Set()).add(warehouseProductId))
  return sumByLine(received.map(({ receipt }) => receipt)).map(({ line, quantity }) => {
    const total = line.received + quantity
    const over = total - line.expected
    return {
      consignmentProductId: line.id,
      receivedQuantity: numberOf(total),
      overQuantity: numberOf(over > 0n ? over : 0n),
      shortQuantity: numberOf(over < 0n ? -over : 0n),
      warehouseProductIds: [...(rows.get(line) ?? [])],
    }
  })
}

export const receiveConsignment = [
  stockCommand({
    post: '/v1/consignments/:consignmentId/receive',
    name: 'receiveConsignment',
    canBeRehearsed: true,
    scope: ['consignment', 'inventory'],
    summary: 'Receive goods of an inwards consignment',
    description:
      'Receives goods in full or in part, more or less than was expected, and goods that were not ' +
      'announced. Fields that a receipt leaves out are as announced for the line; null means none. With ' +
      'another batch than was announced, dates that are left out are null. Without a location, goods go to ' +
      'where their logistic unit stands, even if it is empty, or else to the receiving location of the ' +
      'consignment or the warehouse. Damaged goods can go straight to a hold, and returned goods do so ' +
      'unless hold is null. Serials that are not known yet can be recorded later, before the consignment ' +
      'becomes Complete. receivedDateTime (by default occurredUtc, or else now) sets the day on which the ' +
      'stock was received; it must not be in the future.',
    bodyName: 'ConsignmentReceive',
    body,
    files: true,
    answer: ReceiveResult,
    async run({ tx, actor, params, body: request, source, occurredUtc }) {
      const { receipts: requested, all } = request
      const consignment = await lockConsignmentToReceive(tx, actor, params.consignmentId)
      if ((requested ?? null) === null ? !all : all)
        throw verificationFailed({
          path: null,
          code: 'invalid',
          message: 'The body must have either receipts or all: true.',
        })
      const { organisationId, timezoneId } = consignment
      const receivedDateTime = request.receivedDateTime
        ? parseLocalTime(request.receivedDateTime, timezoneId)
        : null
      const arrival = await planArrival(tx, source, consignment, { occurredUtc, receivedDateTime })
      const lines = await readInwardsLines(tx, organisationId, consignment.id)
      const faults = collectFaults(requested ? 'paths' : 'words')
      const place = await findReceivingPlace(tx, consignment, request)
      const receipts = requested
        ? await toReceipts(tx, arrival, { receipts: requested, place }, lines, faults)
        : await planOutstandingReceipts(
            tx,
            arrival,
            lines,
            ({ ordinal, productCode }) => `Line ${ordinal + 1} (${productCode})`,
            place,
          )
      if (!requested && receipts.length === 0)
        throw verificationFailed('Nothing of the consignment is outstanding.')
      refuseRepeatedSerials(receipts, faults)
      const { movementId, effectiveUtc, received } = await receiveGoods(tx, arrival, receipts, faults)
      await recordReceiveTime(tx, arrival)
      await emitReceivedQuantities(
        tx,
        { ...actor, requestId: source.requestId },
        consignment,
        received.map(({ receipt }) => receipt),
      )
      return { movementId, effectiveUtc, consignmentProducts: lineTotals(received) }
    },
  }),
]
