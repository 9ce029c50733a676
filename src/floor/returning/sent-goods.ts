// What left with the lines of an outwards consignment and has not come back, as the ledger tells it: which
// product, batch, dates and attributes, net of dispatches that were undone. Spec 2.14.

import { type Db, sql } from '../../platform/database/db.ts'
import { scale, smaller } from '../../platform/decimal.ts'
import { ConsignmentStatus } from '../../vocabulary/consignments.ts'
import { TransactionType } from '../../vocabulary/stock.ts'

/** How goods are described: their product, batch, dates and attributes. */
export interface GoodsDescription {
  productId: string
  batch: string | null
  bestBeforeDate: string | null
  expiryDate: string | null
  packagingDate: string | null
  productionDate: string | null
  sellByDate: string | null
  attributes: { name: string; description: string | null }[]
}

/** Goods of one description that left with a line. Quantities are ten-thousandths. */
export interface SentGoods extends GoodsDescription {
  productCode: string
  quantity: bigint
  weightKG: number
  volumeM3: number
  /** what has not come back, and is not announced to come back */
  remaining: bigint
}

/** The goods of one product that left with a line. */
export interface SentProduct {
  productId: string
  productCode: string
  goods: SentGoods[]
  /** ten-thousandths that came back, or are announced, and are not known to be of any of `goods` */
  unnamed: bigint
}

/** What left with a line, by product. */
export interface SentLine {
  id: string
  productCode: string
  products: SentProduct[]
}

/** What can still come back of a product of a line, in ten-thousandths. */
export const returnableQuantity = ({ goods, unnamed }: SentProduct): bigint =>
  goods.reduce((sum, { remaining }) => sum + remaining, 0n) - unnamed

/** The columns that describe the goods of a row of stock `p`. Attributes are sorted by name. */
const descriptionOfRow = sql`p.product_id, p.batch, p.best_before_date, p.expiry_date, p.packaging_date,
  p.production_date, p.sell_by_date, case when p.attributes = '[]' then '[]' else (
    select jsonb_agg(jsonb_build_object('name', t.name, 'description', a.description) order by t.name)
    from jsonb_to_recordset(p.attributes) as a ("productAttributeId" uuid, description text)
    join product_attribute t on t.organisation_id = p.organisation_id and t.id = a."productAttributeId"
  ) end as attributes`

/** A key that is equal for goods of equal descriptions. */
const keyOf = (goods: GoodsDescription): string =>
  JSON.stringify([
    goods.productId,
    goods.batch,
    goods.bestBeforeDate,
    goods.expiryDate,
    goods.packagingDate,
    goods.productionDate,
    goods.sellByDate,
    goods.attributes.map(({ name, description }) => [name, description ?? null]),
  ])

interface SentRow extends Omit<SentGoods, 'quantity' | 'remaining'> {
  lineId: string
  quantity: number
}

/** What left with each line, net of dispatches that were undone. */
const readSent = (db: Db, organisationId: string, consignmentId: string) =>
  db.rows<SentRow>(sql`
    select gone.*, d.code as product_code
    from (
      select t.consignment_product_id as line_id, ${descriptionOfRow}, -sum(t.quantity) as quantity,
        -sum(t.weight_kg) as weight_kg, -sum(t.volume_m3) as volume_m3
      from inventory_transaction t
      join warehouse_product p
        on p.organisation_id = t.organisation_id and p.id = t.warehouse_product_id
      where t.organisation_id = ${organisationId} and t.consignment_id = ${consignmentId}
        and t.type = ${TransactionType.Dispatch}
      group by t.consignment_product_id, p.organisation_id, p.product_id, p.batch, p.best_before_date,
        p.expiry_date, p.packaging_date, p.production_date, p.sell_by_date, p.attributes
      having sum(t.quantity) < 0
    ) gone
    join product d on d.organisation_id = ${organisationId} and d.id = gone.product_id
    order by gone.product_id, gone.batch, gone.expiry_date, gone.best_before_date, gone.attributes`)

/** What came back of each line with its returns, and what their open lines still announce. */
const readClaimed = (db: Db, organisationId: string, consignmentId: string) =>
  db.rows<GoodsDescription & { lineId: string; quantity: number }>(sql`
    with back as (
      select b.*, c.status in (${ConsignmentStatus.Complete}, ${ConsignmentStatus.Closed}) as is_over
      from consignment c
      join consignment_product b on b.organisation_id = c.organisation_id and b.consignment_id = c.id
      where c.organisation_id = ${organisationId} and c.return_of_consignment_id = ${consignmentId}
        and c.status <> ${ConsignmentStatus.Void} and b.return_of_consignment_product_id is not null
    )
    select b.return_of_consignment_product_id as line_id, ${descriptionOfRow}, sum(t.quantity) as quantity
    from back b
    join inventory_transaction t
      on t.organisation_id = b.organisation_id and t.consignment_id = b.consignment_id
        and t.consignment_product_id = b.id and t.type = ${TransactionType.Receive}
    join warehouse_product p on p.organisation_id = t.organisation_id and p.id = t.warehouse_product_id
    group by b.return_of_consignment_product_id, p.organisation_id, p.id
    having sum(t.quantity) > 0
    union all
    select b.return_of_consignment_product_id, b.product_id, b.batch, b.best_before_date::date,
      b.expiry_date::date, b.packaging_date::date, b.production_date::date, b.sell_by_date::date,
      coalesce(b.attributes, '[]'), b.expected_quantity - b.received_quantity
    from back b where not b.is_over and b.expected_quantity > b.received_quantity`)

/**
 * Reads what left with each line of a consignment, by line id, and how much of it has not come back. Lines of
 * which nothing left have no products.
 */
export async function readSentLines(
  db: Db,
  organisationId: string,
  consignmentId: string,
): Promise<Map<string, SentLine>> {
  const [lines, sent, claimed] = await Promise.all([
    db.rows<Pick<SentLine, 'id' | 'productCode'>>(sql`
      select id, product_code from consignment_product
      where organisation_id = ${organisationId} and consignment_id = ${consignmentId} order by ordinal`),
    readSent(db, organisationId, consignmentId),
    readClaimed(db, organisationId, consignmentId),
  ])
  const byLine = new Map(lines.map(line => [line.id, { ...line, products: [] as SentProduct[] }]))
  for (const { lineId, ...row } of sent) {
    const quantity = scale(4, row.quantity)
    const goods = { ...row, quantity, remaining: quantity }
    const line = byLine.get(lineId)
    const { productId, productCode } = goods
    const product = line?.products.find(known => known.productId === productId)
    if (product) product.goods.push(goods)
    else line?.products.push({ productId, productCode, goods: [goods], unnamed: 0n })
  }
  for (const { lineId, quantity, ...description } of claimed)
    takeFromSent(byLine.get(lineId)?.products ?? [], description, scale(4, quantity))
  return byLine
}

/** Takes a quantity off the goods of its description, and what does not fit there off their product. */
function takeFromSent(
  products: readonly SentProduct[],
  description: GoodsDescription,
  quantity: bigint,
): void {
  const product = products.find(({ productId }) => productId === description.productId)
  if (product === undefined) return
  const key = keyOf(description)
  const goods = product.goods.find(sent => keyOf(sent) === key)
  const part = goods === undefined ? 0n : smaller(goods.remaining, quantity)
  if (goods) goods.remaining -= part
  product.unnamed += quantity - part
}

/** A serial that left with a line and is not back in stock. */
export interface SentSerial {
  serial: string
  /** the goods that it was one of when it left */
  goods: SentGoods
  /** an open return that announces it */
  openReturn: string | null
}

/** Reads which of these serials left with their line and are not back, by line id and serial. */
export async function readSentSerials(
  db: Db,
  organisationId: string,
  lines: ReadonlyMap<string, SentLine>,
  requested: readonly { lineId: string; serial: string }[],
): Promise<(lineId: string, serial: string) => SentSerial | undefined> {
  if (requested.length === 0) return () => undefined
  const rows = await db.rows<
    GoodsDescription & { lineId: string; serial: string; openReturn: string | null }
  >(
    sql`
    select distinct on (i.id) i.consignment_product_id as line_id, i.serial, ${descriptionOfRow}, (
      select c.consignment_number from consignment_product b
      join consignment_product_item x
        on x.organisation_id = b.organisation_id and x.consignment_product_id = b.id
      join consignment c on c.organisation_id = b.organisation_id and c.id = b.consignment_id
      where b.organisation_id = i.organisation_id
        and b.return_of_consignment_product_id = i.consignment_product_id and x.serial = i.serial
        and c.status not in (${ConsignmentStatus.Complete}, ${ConsignmentStatus.Closed},
          ${ConsignmentStatus.Void})
      limit 1) as open_return
    from json_to_recordset(${JSON.stringify(requested)}) as g ("lineId" uuid, serial text)
    join warehouse_product_item i on i.organisation_id = ${organisationId}
      and i.consignment_product_id = g."lineId" and i.serial = g.serial and i.warehouse_product_id is null
    join inventory_transaction_item x
      on x.organisation_id = i.organisation_id and x.warehouse_product_item_id = i.id
    join inventory_transaction t on t.organisation_id = x.organisation_id
      and t.warehouse_product_id = x.warehouse_product_id and t.version = x.version
      and t.type = ${TransactionType.Dispatch} and t.quantity < 0
      and t.consignment_product_id = i.consignment_product_id
    join warehouse_product p on p.organisation_id = t.organisation_id and p.id = t.warehouse_product_id
    order by i.id, t.recorded_utc desc, t.version desc`,
  )
  const found = new Map(
    rows.flatMap(({ lineId, serial, openReturn, ...description }): [string, SentSerial][] => {
      const key = keyOf(description)
      const goods = lines
        .get(lineId)
        ?.products.flatMap(product => product.goods)
        .find(sent => keyOf(sent) === key)
      return goods ? [[`${lineId} ${serial}`, { serial, goods, openReturn }]] : []
    }),
  )
  return (lineId, serial) => found.get(`${lineId} ${serial}`)
}
