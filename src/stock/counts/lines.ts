// Lists the lines of a stock count in walking order. Spec 2.14.

import { endpoint } from '../../access/endpoint.ts'
import { empty, sql } from '../../platform/database/db.ts'
import { json } from '../../platform/http/endpoint.ts'
import { pageOf, pageQuery, readPage } from '../../platform/http/paging.ts'
import {
  allNullable,
  IntegerEnum,
  named,
  nullable,
  PlainDate,
  Type,
  UtcTime,
  Uuid,
} from '../../platform/http/schema.ts'
import { StockCountLineStatus } from '../../vocabulary/stock.ts'
import { bookQuantity, isBookVisible, joinLastCount } from './book-quantity.ts'
import { visibleCounts } from './stock-count.ts'

const Text = Type.String()

const Entry = Type.Object({
  round: Type.Integer(),
  countedQuantity: Type.Number(),
  countedUtc: UtcTime,
  countedByName: nullable(Text),
  serials: nullable(Type.Array(Text)),
})

const StockCountLine = named(
  'StockCountLine',
  Type.Object({
    stockCountLineId: Uuid,
    warehouseProductId: Uuid,
    status: IntegerEnum(StockCountLineStatus),
    round: Type.Integer({ description: 'The counting round, from 1.' }),
    isFound: Type.Boolean({ description: 'Whether the goods were found where none were expected.' }),
    isHeld: Type.Boolean(),
    partnerId: Uuid,
    partnerName: Text,
    partnerProductId: Uuid,
    partnerProductCode: Text,
    partnerProductName: Text,
    serialTrackingMode: Type.Integer(),
    warehouseLocationId: Uuid,
    warehouseLocationName: Text,
    walkingOrder: nullable(Type.Integer()),
    warehouseLogisticUnitId: nullable(Uuid),
    logisticUnitNumber: nullable(Text),
    ssccNumber: nullable(Text),
    ...allNullable({
      batch: Text,
      bestBeforeDate: PlainDate,
      expiryDate: PlainDate,
      packagingDate: PlainDate,
      productionDate: PlainDate,
      sellByDate: PlainDate,
    }),
    receivedDate: PlainDate,
    bookQuantity: nullable(Type.Number({ description: 'what should have been there when it was counted' })),
    countedQuantity: nullable(Type.Number()),
    varianceQuantity: nullable(Type.Number({ description: 'countedQuantity less bookQuantity' })),
    countedUtc: nullable(UtcTime),
    countedByName: nullable(Text),
    approvedUtc: nullable(UtcTime),
    approvedByName: nullable(Text),
    reason: nullable(Text),
    entries: Type.Array(Entry, { description: 'all counts of the line, latest first' }),
  }),
)

const entries = sql`(
  select coalesce(json_agg(json_build_object('round', x.round, 'countedQuantity', x.counted_quantity,
    'countedUtc', as_utc(x.counted_utc), 'countedByName', x.user_name, 'serials', x.serials)
    order by x.ordinal desc), '[]')
  from stock_count_entry x
  where x.organisation_id = l.organisation_id and x.stock_count_line_id = l.id and ${isBookVisible})`

const columns = sql`l.id as stock_count_line_id, l.warehouse_product_id, l.status, l.round, l.is_found,
  s.inventory_hold_id is not null as is_held, s.partner_id, p.name as partner_name,
  s.product_id as partner_product_id, d.code as partner_product_code, d.name as partner_product_name,
  d.serial_tracking_mode, s.warehouse_location_id, w.name as warehouse_location_name, w.walking_order,
  s.logistic_unit_id as warehouse_logistic_unit_id, g.logistic_unit_number, g.sscc_number, s.batch,
  s.best_before_date, s.expiry_date, s.packaging_date, s.production_date, s.sell_by_date, s.received_date,
  case when ${isBookVisible} then ${bookQuantity} end as book_quantity, e.counted_quantity,
  case when ${isBookVisible} then e.counted_quantity - ${bookQuantity} end as variance_quantity,
  e.counted_utc, e.user_name as counted_by_name, l.approved_utc, l.approved_by_name, l.reason,
  ${entries} as entries`

const lines = sql`stock_count c
  join stock_count_line l on l.organisation_id = c.organisation_id and l.stock_count_id = c.id
  join warehouse_product s on s.organisation_id = l.organisation_id and s.id = l.warehouse_product_id
  join partner p on p.organisation_id = s.organisation_id and p.id = s.partner_id
  join product d on d.organisation_id = s.organisation_id and d.id = s.product_id
  join warehouse_location w on w.organisation_id = s.organisation_id and w.id = s.warehouse_location_id
  left join logistic_unit g on g.organisation_id = s.organisation_id and g.id = s.logistic_unit_id
  ${joinLastCount}`

export const stockCountLines = [
  endpoint({
    get: '/v1/stock-counts/:stockCountId/lines',
    name: 'listStockCountLines',
    partners: 'clients',
    scope: 'inventory.read',
    extension: true,
    summary: 'List the lines of a stock count, in walking order',
    description:
      'bookQuantity is what should have been there at countedUtc, as far as is known now, including ' +
      'operations that were recorded later. In a blind count bookQuantity, varianceQuantity and the ' +
      'entries of earlier rounds are hidden until the count is Counted.',
    query: pageQuery({
      Status: Type.Optional(IntegerEnum(StockCountLineStatus)),
      WarehouseLocationId: Type.Optional(Uuid),
    }),
    response: json(pageOf('stockCountLines', StockCountLine)),
    handle({ db, actor, params, query: { Status, WarehouseLocationId, ...page } }) {
      const count = sql`${visibleCounts(actor)} and c.id = ${params.stockCountId}`
      return readPage(db, 'stockCountLines', page, {
        columns,
        from: sql`${lines} where ${count}
          ${Status === undefined ? empty : sql`and l.status = ${Status}`}
          ${
            WarehouseLocationId === undefined
              ? empty
              : sql`and s.warehouse_location_id = ${WarehouseLocationId}`
          }`,
        order: sql`w.walking_order nulls last, w.name, g.logistic_unit_number nulls first, d.code, l.id`,
        parent: { from: sql`stock_count c where ${count}`, noun: 'Stock count' },
      })
    },
  }),
]
