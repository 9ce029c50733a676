// Returns: an inwards consignment for goods of an outwards one that come back. Spec 2.14; open-points 4.

import { type LockedConsignment, lockConsignment } from '../consignments/consignment.ts'
import {
  createConsignments,
  type ItemRow,
  type LineRow,
  type NoteRow,
} from '../consignments/create-consignment.ts'
import { type Db, sql } from '../platform/database/db.ts'
import { decimalText, divide, scale } from '../platform/decimal.ts'
import { collectFaults, type FaultCollector, type ReportFault } from '../platform/http/entry-faults.ts'
import { verificationFailed } from '../platform/http/refusal.ts'
import { Decimal, named, optional, type Static, Text, Type, Uuid } from '../platform/http/schema.ts'
import { newId } from '../platform/new-id.ts'
import { numberOf, repeatedSerials, Serials, serialFaults, toItems } from '../stock/commands/quantities.ts'
import { stockCommand } from '../stock/commands/stock-command.ts'
import { findProducts, type StockProduct } from '../stock/commands/stock-products.ts'
import type { MovementSource } from '../stock/ledger/movement.ts'
import { ConsignmentStatus, ConsignmentType } from '../vocabulary/consignments.ts'
import { TransactionType } from '../vocabulary/stock.ts'

const ReturnedLine = Type.Object({
  consignmentProductId: Uuid,
  quantity: Decimal(4, { exclusiveMinimum: 0 }),
  unitTypeId: optional({ ...Uuid, description: 'the unit of measure of quantity; items by default' }),
  serials: optional(Serials),
})
type ReturnedLine = Static<typeof ReturnedLine>

/** A dispatched line, with the quantities that were dispatched and that returns have already claimed. */
interface DispatchedLine
  extends Pick<
    LineRow,
    | 'id'
    | 'productCode'
    | 'batch'
    | 'bestBeforeDate'
    | 'expiryDate'
    | 'packagingDate'
    | 'productionDate'
    | 'sellByDate'
    | 'attributes'
  > {
  productId: string
  dispatchedQuantity: number
  dispatchedWeightKG: number
  dispatchedVolumeM3: number
  returnedQuantity: number
}

/**
 * Reads the dispatched lines of a consignment. Batch and dates are those of the dispatched goods, if all were
 * alike. The returned quantity is what returns have received and, until they are Complete, what they expect.
 */
const dispatchedLines = (db: Db, { organisationId, id }: LockedConsignment) =>
  db.rows<DispatchedLine>(sql`
    select r.id, r.product_id, r.product_code, r.attributes, r.dispatched_quantity, r.dispatched_weight_kg,
      r.dispatched_volume_m3, gone.batch, gone.best_before_date, gone.expiry_date, gone.packaging_date,
      gone.production_date, gone.sell_by_date, coalesce(back.quantity, 0) as returned_quantity
    from consignment_product r
    left join lateral (
      select
        case when min(p.batch) = max(p.batch) and count(p.batch) = count(*) then min(p.batch) end as batch,
        case when min(p.best_before_date) = max(p.best_before_date) then min(p.best_before_date) end
          as best_before_date,
        case when min(p.expiry_date) = max(p.expiry_date) then min(p.expiry_date) end as expiry_date,
        case when min(p.packaging_date) = max(p.packaging_date) then min(p.packaging_date) end
          as packaging_date,
        case when min(p.production_date) = max(p.production_date) then min(p.production_date) end
          as production_date,
        case when min(p.sell_by_date) = max(p.sell_by_date) then min(p.sell_by_date) end as sell_by_date
      from inventory_transaction t join warehouse_product p
        on p.organisation_id = t.organisation_id and p.id = t.warehouse_product_id
      where t.organisation_id = r.organisation_id and t.consignment_id = r.consignment_id
        and t.consignment_product_id = r.id and t.type = ${TransactionType.Dispatch}
    ) gone on true
    left join lateral (
      select sum(case when c.status in (${ConsignmentStatus.Complete}, ${ConsignmentStatus.Closed})
        then b.received_quantity else greatest(b.expected_quantity, b.received_quantity) end) as quantity
      from consignment_product b
      join consignment c on c.organisation_id = b.organisation_id and c.id = b.consignment_id
      where b.organisation_id = r.organisation_id and b.return_of_consignment_product_id = r.id
        and c.status <> ${ConsignmentStatus.Void}
    ) back on true
    where r.organisation_id = ${organisationId} and r.consignment_id = ${id} and r.product_id is not null
    order by r.ordinal`)

/** Adds a fault for each serial that was not dispatched with its line, or has already come back. */
async function refuseOtherSerials(
  db: Db,
  organisationId: string,
  lines: readonly ReturnedLine[],
  faults: FaultCollector,
): Promise<void> {
  const requested = lines.flatMap(({ consignmentProductId, serials }, n) =>
    (serials ?? []).map(serial => ({ n, consignmentProductId, serial })),
  )
  if (requested.length === 0) return
  const unknown = await db.rows<{ n: number; serial: string }>(sql`
    select g.n, g.serial
    from json_to_recordset(${JSON.stringify(requested)})
      as g (n integer, "consignmentProductId" uuid, serial text)
    where not exists (
      select from warehouse_product_item i where i.organisation_id = ${organisationId}
        and i.consignment_product_id = g."consignmentProductId" and i.serial = g.serial
        and i.warehouse_product_id is null)
    order by g.n, g.serial`)
  for (const { n, serial } of unknown)
    faults.add(
      `lines[${n}]`,
      `the serial ${serial} did not leave with this line, or is back already`,
      'state',
    )
}

/** Makes a line of a return, with its items; undefined if it has a fault. */
function toReturnLine(
  given: ReturnedLine,
  line: DispatchedLine,
  product: StockProduct,
  consignmentId: string,
  ordinal: number,
  refuse: ReportFault,
): { line: LineRow; items: ItemRow[] } | undefined {
  const quantity = toItems(product, given, refuse)
  if (quantity === undefined) return undefined
  const serials = given.serials ?? []
  for (const problem of serialFaults(product, quantity, serials, { mayOmit: true })) refuse(...problem)
  const left = scale(4, line.dispatchedQuantity) - scale(4, line.returnedQuantity)
  if (quantity > left) {
    refuse(
      `only ${numberOf(left)} of ${line.dispatchedQuantity} of ${line.productCode} that were ` +
        'dispatched have not come back',
      'state',
    )
    return undefined
  }
  line.returnedQuantity += Number(decimalText(4, quantity))
  const part = (places: 4 | 6, whole: number) =>
    Number(decimalText(places, divide(scale(places, whole) * quantity, scale(4, line.dispatchedQuantity))))
  const { productId, productCode, batch, bestBeforeDate, expiryDate, packagingDate, productionDate } = line
  const id = newId()
  const expectedQuantity = Number(decimalText(4, quantity))
  return {
    line: {
      ...{
        id,
        consignmentId,
        ordinal,
        productId,
        productCode,
        batch,
        bestBeforeDate,
        expiryDate,
        packagingDate,
      },
      ...{ productionDate, sellByDate: line.sellByDate, attributes: line.attributes, expectedQuantity },
      returnOfConsignmentProductId: line.id,
      weightKG: part(4, line.dispatchedWeightKG),
      volumeM3: part(6, line.dispatchedVolumeM3),
    },
    items:
      serials.length > 0
        ? serials.map((serial, k) => ({ consignmentProductId: id, ordinal: k, serial, quantity: 1 }))
        : [{ consignmentProductId: id, ordinal: 0, quantity: expectedQuantity }],
  }
}

/** Makes the lines of a return. Throws 400 with all faults if some of the goods cannot come back. */
async function toReturnLines(
  db: Db,
  outwards: LockedConsignment,
  consignmentId: string,
  lines: readonly ReturnedLine[],
): Promise<{ lines: LineRow[]; items: ItemRow[] }> {
  const { organisationId } = outwards
  const faults = collectFaults()
  const dispatched = new Map((await dispatchedLines(db, outwards)).map(line => [line.id, line]))
  const products = await findProducts(
    db,
    organisationId,
    [...dispatched.values()].map(({ productId }) => productId),
  )
  const made = lines.flatMap((given, i) => {
    const refuse: ReportFault = (...fault) => faults.add(`lines[${i}]`, ...fault)
    const line = dispatched.get(given.consignmentProductId)
    const product = products.get(line?.productId ?? '')
    if (line && product) return toReturnLine(given, line, product, consignmentId, i, refuse) ?? []
    refuse(`the consignment has no line ${given.consignmentProductId}`, 'unknown_reference')
    return []
  })
  const serialsByLine = lines.map(({ consignmentProductId, serials }) => ({
    productId: dispatched.get(consignmentProductId)?.productId ?? '',
    serials: serials ?? [],
  }))
  for (const { entry, serial } of repeatedSerials(serialsByLine))
    faults.add(`lines[${entry}]`, `the serial ${serial} is named twice`, 'duplicate')
  await refuseOtherSerials(db, organisationId, lines, faults)
  faults.throwIfAny()
  return { lines: made.map(({ line }) => line), items: made.flatMap(({ items }) => items) }
}

/** A note with the reason of the return, if there is one. */
const reasonNote = (
  consignmentId: string,
  reason: string | null | undefined,
  { userId }: MovementSource,
): NoteRow[] =>
  reason && userId
    ? [{ id: newId(), consignmentId, note: reason, displayOnPrintOut: false, createdBy: userId }]
    : []

export const returns = [
  stockCommand({
    post: '/v1/consignments/:consignmentId/returns',
    name: 'createConsignmentReturn',
    scope: ['consignment', 'inventory'],
    summary: 'Announce a return of dispatched goods',
    description:
      'Creates a Pending inwards consignment for the same client and warehouse, with the reason as a note. ' +
      'Its goods go into a hold when they are received. No more can be returned than was dispatched.',
    bodyName: 'ConsignmentReturn',
    body: { lines: Type.Array(ReturnedLine, { minItems: 1, maxItems: 1_000 }), reason: optional(Text) },
    files: true,
    answer: named('ConsignmentReturnResult', Type.Object({ consignmentId: Uuid })),
    creates: 'consignmentId',
    createdUnder: '/v1/consignments',
    async run({ tx, actor, params, body, source }) {
      const outwards = await lockConsignment(tx, actor, params.consignmentId)
      if (outwards.type !== ConsignmentType.Outwards)
        throw verificationFailed(
          `Consignment ${outwards.consignmentNumber} is not Outwards: nothing of it can come back.`,
        )
      const { organisationId, clientId, warehouseId, referenceNumber, localNow } = outwards
      const id = newId()
      const { lines, items } = await toReturnLines(tx, outwards, id, body.lines)
      await createConsignments(tx, organisationId, [
        {
          consignment: {
            ...{ id, clientId, warehouseId, referenceNumber, returnOfConsignmentId: outwards.id },
            type: ConsignmentType.Inwards,
            status: ConsignmentStatus.Pending,
            dateEntered: localNow,
            destinationAuthorityToLeave: false,
          },
          ...{ lines, items, serviceTypes: [], tasks: [], attachments: [] },
          notes: reasonNote(id, body.reason, source),
          source: { ...actor, requestId: source.requestId },
        },
      ])
      return { consignmentId: id }
    },
  }),
]
