// What came or left with the lines of a consignment, line by line, as the ledger tells it. Spec 2.14.

import { endpoint } from '../access/endpoint.ts'
import { sql } from '../platform/database/db.ts'
import { jsonText } from '../platform/http/endpoint.ts'
import { notFound } from '../platform/http/refusal.ts'
import {
  allNullable,
  IntegerEnum,
  named,
  nullable,
  PlainDate,
  Type,
  UtcTime,
  Uuid,
} from '../platform/http/schema.ts'
import { MetricType } from '../vocabulary/partners.ts'
import { TransactionType } from '../vocabulary/stock.ts'
import { visibleConsignments } from './consignment.ts'

const AnyText = Type.String()
const Amount = Type.Number()

const Transaction = named(
  'ConsignmentProductTransaction',
  Type.Object({
    movementId: Uuid,
    inventoryReceiptId: nullable({ ...Uuid, description: 'The movement, if it is a receipt.' }),
    transactionType: IntegerEnum(TransactionType),
    effectiveUtc: UtcTime,
    quantity: { ...Amount, description: 'Positive for goods that came in, negative for goods that left.' },
    weightKG: Amount,
    volumeM3: Amount,
    warehouseProductId: Uuid,
    partnerProductId: Uuid,
    partnerProductCode: AnyText,
    partnerProductName: AnyText,
    warehouseLocationName: AnyText,
    ...allNullable({
      logisticUnitNumber: AnyText,
      ssccNumber: AnyText,
      batch: AnyText,
      bestBeforeDate: PlainDate,
      expiryDate: PlainDate,
      packagingDate: PlainDate,
      productionDate: PlainDate,
      sellByDate: PlainDate,
      reason: AnyText,
    }),
    attributes: Type.Array(Type.Object({ name: AnyText, description: nullable(AnyText) })),
    serials: Type.Array(AnyText),
  }),
)

const Conversion = named(
  'ConsignmentProductConversion',
  Type.Object({
    partnerProductId: Uuid,
    partnerProductCode: AnyText,
    quantity: { ...Amount, description: 'What came or left of the product, less what was taken back.' },
    metrics: Type.Array(
      Type.Object({
        metricType: IntegerEnum(MetricType),
        unitTypeId: nullable(Uuid),
        unitTypeName: nullable(AnyText),
        quantity: Amount,
      }),
      { description: 'The whole quantity in each unit of the product, with at most 4 decimal places.' },
    ),
  }),
)

const ProductInformation = named(
  'ConsignmentProductInformation',
  Type.Object({
    consignmentProducts: Type.Array(
      Type.Object({
        id: { ...Uuid, description: 'The line.' },
        transactions: Type.Array(Transaction),
        conversions: Type.Array(Conversion),
      }),
    ),
  }),
)

/** The lines of the ledger by which goods of a line `r` of the consignment came or left, the first first. */
const transactions = sql`
  select coalesce(json_agg(transaction_row order by t.recorded_utc, t.movement_id, t.warehouse_product_id,
    t.version), '[]')
  from inventory_transaction t
  join warehouse_product p on p.organisation_id = t.organisation_id and p.id = t.warehouse_product_id
  join product d on d.organisation_id = p.organisation_id and d.id = p.product_id
  join warehouse_location l on l.organisation_id = p.organisation_id and l.id = p.warehouse_location_id
  left join logistic_unit u on u.organisation_id = p.organisation_id and u.id = p.logistic_unit_id
  cross join lateral (
    select t.movement_id as "movementId",
      case when t.type = ${TransactionType.Receive} then t.movement_id end as "inventoryReceiptId",
      t.type as "transactionType", as_utc(t.effective_utc) as "effectiveUtc",
      trim_scale(t.quantity) as quantity, trim_scale(t.weight_kg) as "weightKG",
      trim_scale(t.volume_m3) as "volumeM3", p.id as "warehouseProductId",
      d.id as "partnerProductId", d.code as "partnerProductCode", d.name as "partnerProductName",
      l.name as "warehouseLocationName", u.logistic_unit_number as "logisticUnitNumber",
      u.sscc_number as "ssccNumber", p.batch, p.best_before_date as "bestBeforeDate",
      p.expiry_date as "expiryDate", p.packaging_date as "packagingDate",
      p.production_date as "productionDate", p.sell_by_date as "sellByDate", t.reason, (
        select coalesce(json_agg(json_build_object('name', y.name, 'description', a.description)
          order by y.name), '[]')
        from jsonb_to_recordset(p.attributes) as a ("productAttributeId" uuid, description text)
        join product_attribute y on y.organisation_id = p.organisation_id and y.id = a."productAttributeId"
      ) as attributes, array(
        select i.serial from inventory_transaction_item x
        join warehouse_product_item i
          on i.organisation_id = x.organisation_id and i.id = x.warehouse_product_item_id
        where x.organisation_id = t.organisation_id and x.warehouse_product_id = t.warehouse_product_id
          and x.version = t.version
        order by i.serial
      ) as serials
  ) transaction_row
  where t.organisation_id = r.organisation_id and t.consignment_id = r.consignment_id
    and t.consignment_product_id = r.id
    and t.type in (${TransactionType.Receive}, ${TransactionType.Dispatch})`

/** What came or left with a line `r`, by product, in the units of the product: largest first, items last. */
const conversions = sql`
  select coalesce(json_agg(conversion_row order by d.code), '[]')
  from (
    select p.product_id, abs(sum(t.quantity)) as quantity
    from inventory_transaction t
    join warehouse_product p on p.organisation_id = t.organisation_id and p.id = t.warehouse_product_id
    where t.organisation_id = r.organisation_id and t.consignment_id = r.consignment_id
      and t.consignment_product_id = r.id
      and t.type in (${TransactionType.Receive}, ${TransactionType.Dispatch})
    group by p.product_id having sum(t.quantity) <> 0
  ) moved
  join product d on d.organisation_id = r.organisation_id and d.id = moved.product_id
  cross join lateral (
    select d.id as "partnerProductId", d.code as "partnerProductCode",
      trim_scale(moved.quantity) as quantity, (
        select json_agg(json_build_object('metricType', m.type, 'unitTypeId', m.unit_type_id, 'unitTypeName',
          y.name, 'quantity', trim_scale(round(moved.quantity / m.items, 4)))
          order by m.items desc, m.type desc)
        from (
          select c.input_metric_type as type, c.input_unit_type_id as unit_type_id,
            c.item_conversion_rate as items
          from product_unit_conversion c
          where c.organisation_id = d.organisation_id and c.product_id = d.id
          union all
          select ${MetricType.Item}, null, 1
        ) m
        left join unit_type y on y.organisation_id = d.organisation_id and y.id = m.unit_type_id
      ) as metrics
  ) conversion_row`

export const productInformation = [
  endpoint({
    get: '/v1/consignments/:consignmentId/product-information',
    name: 'getConsignmentProductInformation',
    partners: 'clients',
    scope: 'consignment.read',
    extension: true,
    summary: 'Read what came or left with each line of a consignment',
    description:
      'For each line, the receipts or dispatches of its goods with their batch, dates, logistic unit, SSCC ' +
      'and serials, including those that were taken back, and the sums of each product in its units of ' +
      'measure. The products are those that were moved, which may stand in for the ordered one.',
    response: jsonText(ProductInformation),
    async handle({ db, actor, params }) {
      const found = await db.maybe<{ information: string }>(sql`
        select json_build_object('consignmentProducts', (
          select coalesce(json_agg(json_build_object('id', r.id, 'transactions', (${transactions}),
            'conversions', (${conversions})) order by r.ordinal), '[]')
          from consignment_product r
          where r.organisation_id = c.organisation_id and r.consignment_id = c.id
        ))::text as information
        from consignment c where ${visibleConsignments(actor)} and c.id = ${params.consignmentId}`)
      if (found === undefined) throw notFound('Consignment')
      return found.information
    },
  }),
]
