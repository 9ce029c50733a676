// The lines of an inwards consignment as receiving needs them: the expected and received quantities, and how
// the goods were announced. Spec 2.3.

import { type Db, type Sql, sql, type Tx } from '../../platform/database/db.ts'
import { divide, scale } from '../../platform/decimal.ts'
import { newId } from '../../platform/new-id.ts'
import { type AttributeIds, resolveAttributes } from '../../stock/commands/goods-description.ts'
import type { StockProduct } from '../../stock/commands/stock-products.ts'
import { oneItem } from '../../stock/ledger/movement.ts'
import type { StockDescription } from '../../stock/ledger/stock-identity.ts'
import type { UnitReference } from '../../stock/logistic-units/unit-references.ts'
import { TransactionType } from '../../vocabulary/stock.ts'

/** A line: the announced goods of one product, and how much of them was received. */
export interface InwardsLine {
  id: string
  consignmentId: string
  ordinal: number
  productId: string
  productCode: string
  /** ten-thousandths */
  expected: bigint
  received: bigint
  expectedWeightKG: number | null
  expectedVolumeM3: number | null
  batch: string | null
  bestBeforeDate: string | null
  expiryDate: string | null
  packagingDate: string | null
  productionDate: string | null
  sellByDate: string | null
  attributes: { name: string | null; description: string | null }[]
  logisticUnitSsccNumber: string | null
  logisticUnitReferenceNumber: string | null
  /** the dispatched line of which it returns goods */
  returnOfConsignmentProductId: string | null
  /** the goods were not announced, so the line is created with their receipt */
  isNew?: true
}

type LineRecord = Omit<InwardsLine, 'expected' | 'received'> & {
  expectedQuantity: number
  receivedQuantity: number
}

/** Reads the lines of consignments that have a product, in their order. */
export async function readInwardsLines(
  db: Db,
  organisationId: string,
  consignmentIds: readonly string[],
): Promise<InwardsLine[]> {
  const rows = await db.rows<LineRecord>(sql`
    select r.id, r.consignment_id, r.ordinal, r.product_id, r.product_code, r.expected_quantity,
      r.received_quantity, r.expected_weight_kg, r.expected_volume_m3, nullif(trim(r.batch), '') as batch,
      r.best_before_date::date, r.expiry_date::date, r.packaging_date::date, r.production_date::date,
      r.sell_by_date::date, coalesce(r.attributes, '[]') as attributes, r.logistic_unit_sscc_number,
      r.logistic_unit_reference_number, r.return_of_consignment_product_id
    from consignment_product r
    where r.organisation_id = ${organisationId} and r.consignment_id = any(${consignmentIds})
      and r.product_id is not null
    order by r.consignment_id, r.ordinal`)
  return rows.map(({ expectedQuantity, receivedQuantity, ...line }) => ({
    ...line,
    expected: scale(4, expectedQuantity),
    received: scale(4, receivedQuantity),
  }))
}

/** A new line for goods that were not announced. */
export const newUnannouncedLine = (
  consignmentId: string,
  product: StockProduct,
  ordinal: number,
): InwardsLine => ({
  id: newId(),
  consignmentId,
  ordinal,
  productId: product.id,
  productCode: product.code,
  expected: 0n,
  received: 0n,
  expectedWeightKG: null,
  expectedVolumeM3: null,
  batch: null,
  bestBeforeDate: null,
  expiryDate: null,
  packagingDate: null,
  productionDate: null,
  sellByDate: null,
  attributes: [],
  logisticUnitSsccNumber: null,
  logisticUnitReferenceNumber: null,
  returnOfConsignmentProductId: null,
  isNew: true,
})

/** Stores new lines. */
export async function insertUnannouncedLines(
  tx: Tx,
  organisationId: string,
  lines: readonly InwardsLine[],
): Promise<void> {
  if (lines.length === 0) return
  await tx.run(sql`
    insert into consignment_product (organisation_id, id, consignment_id, ordinal, product_id, product_code,
      expected_quantity, return_of_consignment_product_id)
    select ${organisationId}, id, "consignmentId", ordinal, "productId", "productCode", 0, "returnOf"
    from json_to_recordset(${JSON.stringify(
      lines.map(({ id, consignmentId, ordinal, productId, productCode, ...line }) => ({
        ...{ id, consignmentId, ordinal, productId, productCode },
        returnOf: line.returnOfConsignmentProductId,
      })),
    )}) as l (id uuid, "consignmentId" uuid, ordinal integer, "productId" uuid, "productCode" text,
      "returnOf" uuid)`)
}

/** The batch, dates and attributes with which the goods of a line were announced. */
export const announcedDescription = (line: InwardsLine, attributeIds: AttributeIds): StockDescription => ({
  batch: line.batch,
  bestBeforeDate: line.bestBeforeDate,
  expiryDate: line.expiryDate,
  packagingDate: line.packagingDate,
  productionDate: line.productionDate,
  sellByDate: line.sellByDate,
  // If an announcement repeats an attribute, the first value counts.
  attributes: resolveAttributes(line.attributes, attributeIds, () => {}),
})

/** The logistic unit on which the goods of a line were announced; null if they are loose. */
export function announcedUnit(line: InwardsLine): UnitReference | null {
  const { logisticUnitSsccNumber: ssccNumber, logisticUnitReferenceNumber: referenceNumber } = line
  return ssccNumber || referenceNumber
    ? { ...(ssccNumber ? { ssccNumber } : {}), ...(referenceNumber ? { referenceNumber } : {}) }
    : null
}

/** A subquery of the lines of consignments whose goods have serials, with the number of these. */
export const serialCounts = (organisationId: string, consignmentIds: readonly string[]): Sql => sql`(
  select t.consignment_product_id as line_id, sum(sign(t.quantity)) as serial_count
  from inventory_transaction t
  join inventory_transaction_item x on x.organisation_id = t.organisation_id
    and x.warehouse_product_id = t.warehouse_product_id and x.version = t.version
  where t.organisation_id = ${organisationId} and t.consignment_id = any(${consignmentIds})
    and t.type = ${TransactionType.Receive}
  group by t.consignment_product_id)`

/** An announced serial, with its own weight and volume if they are known. */
export interface AnnouncedSerial {
  serial: string
  weightKG: number | null
  volumeM3: number | null
}

/** The announced serials of lines that have not been received for them, in their order, by line id. */
export async function readOutstandingSerials(
  db: Db,
  organisationId: string,
  lineIds: readonly string[],
): Promise<Map<string, AnnouncedSerial[]>> {
  const rows = await db.rows<AnnouncedSerial & { lineId: string }>(sql`
    select i.consignment_product_id as line_id, i.serial, i.weight_kg, i.volume_m3
    from consignment_product_item i
    join consignment_product r on r.organisation_id = i.organisation_id and r.id = i.consignment_product_id
    where i.organisation_id = ${organisationId} and i.consignment_product_id = any(${lineIds})
      and i.serial is not null and not exists (
        select from warehouse_product_item w
        join inventory_transaction_item x on x.organisation_id = w.organisation_id
          and x.warehouse_product_item_id = w.id
        join inventory_transaction t on t.organisation_id = x.organisation_id
          and t.warehouse_product_id = x.warehouse_product_id and t.version = x.version
        where w.organisation_id = i.organisation_id and w.product_id = r.product_id and w.serial = i.serial
          and t.type = ${TransactionType.Receive} and t.consignment_product_id = i.consignment_product_id
        having sum(sign(t.quantity)) > 0
      )
    order by i.consignment_product_id, i.ordinal`)
  const found = new Map<string, AnnouncedSerial[]>()
  for (const { lineId, ...serial } of rows) {
    const ofLine = found.get(lineId) ?? []
    ofLine.push(serial)
    found.set(lineId, ofLine)
  }
  return found
}

/**
 * The weight (kg) or volume (m³) of goods for which the request gives none: their share of what was announced
 * for the line, otherwise the product's figure for each item. The shares of a line that arrives in several
 * receipts add up to its total. `quantity` is in ten-thousandths; the result has `places` decimal places.
 */
export function estimateMeasure(
  places: 4 | 6,
  { expected, received }: Pick<InwardsLine, 'expected' | 'received'>,
  ofLine: number | null,
  ofItem: number | null,
  quantity: bigint,
): bigint {
  const of = (amount: bigint) => {
    if (ofLine !== null && expected > 0n) return divide(scale(places, ofLine) * amount, expected)
    return ofItem === null ? 0n : divide(scale(places, ofItem) * amount, oneItem)
  }
  return of(received + quantity) - of(received)
}
