// Receiving goods for an inwards consignment. Spec 2.3 (rules for items), 2.14.

import type { Tx } from '../platform/database/db.ts'
import type { Actor } from '../platform/http/actor.ts'
import { collectFaults, type FaultCollector, type ReportFault } from '../platform/http/entry-faults.ts'
import { verificationFailed } from '../platform/http/refusal.ts'
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
import type { Finding } from '../platform/http/validation.ts'
import { parseLocalTime } from '../platform/local-time.ts'
import { HoldKind } from '../stock/enumerations.ts'
import {
  type AttributeIds,
  descriptionFields,
  findAttributes,
  resolveDescription,
} from '../stock/inventory/goods-description.ts'
import { locationFields } from '../stock/inventory/location-reference.ts'
import { maxSerials, numberOf, Serials, serialFaults, toItems } from '../stock/inventory/quantities.ts'
import { stockCommand } from '../stock/inventory/stock-command.ts'
import { findProducts, type StockProduct } from '../stock/inventory/stock-products.ts'
import { UnitReference } from '../stock/logistic-units/unit-references.ts'
import { type LockedConsignment, lockOpenConsignment } from './consignment.ts'
import { statusName } from './consignment-status.ts'
import { ConsignmentStatus, ConsignmentType } from './enumerations.ts'
import {
  type ArrivalPlan,
  emitReceivedQuantities,
  markReceived,
  planArrival,
  receiptsOfOutstanding,
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

const RequestedReceipt = Type.Object({
  consignmentProductId: optional(Uuid),
  partnerProductId: optional({ ...Uuid, description: 'goods that nobody announced: they get a line' }),
  quantity: optional({
    ...Decimal(4, { exclusiveMinimum: 0 }),
    description: 'as many as there are serials, where it is left out',
  }),
  unitTypeId: optional({ ...Uuid, description: 'the unit that quantity is in; items, where it is left out' }),
  serials: optional(Serials),
  weightKG: optional({ ...WeightKG, description: 'of all of it; its part of what was announced by default' }),
  volumeM3: optional({ ...VolumeM3, description: 'of all of it; its part of what was announced by default' }),
  ...descriptionFields,
  ...locationFields,
  logisticUnit: optional(UnitReference),
  hold: optional(Type.Object({ kind: IntegerEnum(HoldKind), reason: Name, reference: optional(ShortText) })),
})
type RequestedReceipt = Static<typeof RequestedReceipt>

/** What a receipt must name, and how many serials a request may have. */
function receiptFaults(value: unknown): Finding[] {
  const faults: Finding[] = []
  let serials = 0
  for (const [i, entry] of (Array.isArray(value) ? value : []).entries()) {
    const given = (entry ?? {}) as Record<string, unknown>
    if (Boolean(given.consignmentProductId) === Boolean(given.partnerProductId))
      faults.push({ path: `/${i}`, problem: 'must have either consignmentProductId or partnerProductId' })
    const count = Array.isArray(given.serials) ? given.serials.length : 0
    if ((given.quantity ?? null) === null && (count === 0 || given.unitTypeId))
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
    description: 'all that is outstanding, as it was announced, in place of receipts',
  }),
  receivedDateTime: optional(LocalTime),
}

const Answer = named(
  'ConsignmentReceiveResult',
  Type.Object({
    movementId: Uuid,
    effectiveUtc: UtcTime,
    consignmentProducts: Type.Array(
      Type.Object({
        consignmentProductId: Uuid,
        receivedQuantity: Type.Number({ description: 'of the line until now' }),
        overQuantity: Type.Number(),
        shortQuantity: Type.Number(),
        warehouseProductIds: Type.Array(Uuid),
      }),
    ),
  }),
)

/** Locks an inwards consignment that goods may be received for. 404, or 400 where they may not. */
export async function lockReceivable(
  tx: Tx,
  actor: Actor,
  consignmentId: string,
): Promise<LockedConsignment> {
  const consignment = await lockOpenConsignment(tx, actor, consignmentId)
  const { type, status, consignmentNumber } = consignment
  if (type !== ConsignmentType.Inwards)
    throw verificationFailed(`Consignment ${consignmentNumber} is not Inwards: nothing is received for it.`)
  if (status !== ConsignmentStatus.ReadyToReceive)
    throw verificationFailed(
      `Consignment ${consignmentNumber} is ${statusName(status)}; goods are received while it is ` +
        `ReadyToReceive.`,
    )
  return consignment
}

/**
 * The line that each receipt is for, undefined where there is none; goods that nobody announced get lines.
 */
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
      const line = byId.get(consignmentProductId.toLowerCase())
      if (line === undefined)
        faults.add(name, `the consignment has no line ${consignmentProductId}`, 'unknown_reference')
      return line
    }
    const product = products.get(partnerProductId?.toLowerCase() ?? '')
    if (product?.partnerId !== clientId) {
      faults.add(name, `the client has no product with the id ${partnerProductId}`, 'unknown_reference')
      return undefined
    }
    const line = unannounced.get(product.id) ?? newUnannouncedLine(product, ++ordinal)
    unannounced.set(product.id, line)
    return line
  })
}

/** A receipt as it is to be carried out; undefined where its quantity cannot be. */
function receiptOf(
  given: RequestedReceipt,
  name: string,
  line: InwardsLine,
  product: StockProduct,
  { defaultHold, consignment }: ArrivalPlan,
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
  // Goods may come without serials that are known later: what is Complete has them all.
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
      announcedDescription(line, attributeIds),
      { timezoneId, attributeIds },
      refuse,
    ),
    location: { warehouseLocationId: given.warehouseLocationId, locationName: given.locationName },
    unit,
    isUnitAnnounced:
      given.logisticUnit === undefined ||
      (announcedOn !== null && Boolean(unit?.ssccNumber) && unit?.ssccNumber === announcedOn.ssccNumber),
    hold: given.hold === undefined ? defaultHold : given.hold,
  }
}

/** The receipts of a request. Faults are noted, and what they are about is left out. */
async function receiptsOf(
  tx: Tx,
  arrival: ArrivalPlan,
  given: readonly RequestedReceipt[],
  lines: readonly InwardsLine[],
  faults: FaultCollector,
): Promise<Receipt[]> {
  const { consignment } = arrival
  const { organisationId } = consignment
  const named = new Set(given.map(({ consignmentProductId }) => consignmentProductId?.toLowerCase()))
  const asked = lines.filter(({ id }) => named.has(id))
  const products = await findProducts(tx, organisationId, [
    ...asked.map(({ productId }) => productId),
    ...given.flatMap(({ partnerProductId }) => partnerProductId?.toLowerCase() ?? []),
  ])
  const attributeIds = await findAttributes(tx, organisationId, [
    ...given.map(({ attributes }) => attributes),
    ...asked.map(({ attributes }) => attributes),
  ])
  const linesOfReceipts = linesFor(given, lines, products, consignment, faults)
  return given.flatMap((receipt, i) => {
    const line = linesOfReceipts[i]
    const product = products.get(line?.productId ?? '')
    if (line === undefined || product === undefined) return []
    return receiptOf(receipt, `receipts[${i}]`, line, product, arrival, attributeIds, faults) ?? []
  })
}

/** What has come for each line that anything came for. */
function linesIn(received: readonly ReceiptOutcome[]): Static<typeof Answer>['consignmentProducts'] {
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

export const receive = [
  stockCommand({
    post: '/v1/consignments/:consignmentId/receive',
    name: 'receiveConsignment',
    scope: ['consignment', 'inventory'],
    summary: 'Receive goods of an inwards consignment',
    description:
      'In full or in part, more or less than was expected, and goods that nobody announced. What a receipt ' +
      'leaves out is as the line was announced; null says that there is none. Without a place, goods go to ' +
      'where their logistic unit stands, else to the receiving location of the consignment or the ' +
      'warehouse. Damaged goods go straight to a hold; so do those of a return, unless hold is null. ' +
      'Serials that are not known yet are given later, before the consignment becomes Complete. ' +
      'receivedDateTime (default: occurredUtc, else now) says on which day stock was received.',
    bodyName: 'ConsignmentReceive',
    body,
    files: true,
    answer: Answer,
    async run({ tx, actor, params, body: asked, source, occurredUtc }) {
      const { receipts: given, all } = asked
      const consignment = await lockReceivable(tx, actor, params.consignmentId)
      if ((given ?? null) === null ? !all : all)
        throw verificationFailed({
          path: null,
          code: 'invalid',
          message: 'The body must have either receipts or all: true.',
        })
      const { organisationId, timezoneId } = consignment
      const receivedDateTime = asked.receivedDateTime
        ? parseLocalTime(asked.receivedDateTime, timezoneId)
        : null
      const arrival = await planArrival(tx, source, consignment, { occurredUtc, receivedDateTime })
      const lines = await readInwardsLines(tx, organisationId, consignment.id)
      const faults = collectFaults(given ? 'paths' : 'words')
      const receipts = given
        ? await receiptsOf(tx, arrival, given, lines, faults)
        : await receiptsOfOutstanding(
            tx,
            arrival,
            lines,
            ({ ordinal, productCode }) => `Line ${ordinal + 1} (${productCode})`,
          )
      if (!given && receipts.length === 0)
        throw verificationFailed('Nothing of the consignment is outstanding.')
      refuseRepeatedSerials(receipts, faults)
      const { movementId, effectiveUtc, received } = await receiveGoods(tx, arrival, receipts, faults)
      await markReceived(tx, arrival)
      await emitReceivedQuantities(
        tx,
        { ...actor, requestId: source.requestId },
        consignment,
        received.map(({ receipt }) => receipt),
      )
      return { movementId, effectiveUtc, consignmentProducts: linesIn(received) }
    },
  }),
]
