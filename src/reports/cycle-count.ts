// Cycle counts: the lines of stock counts, with the expected and the counted quantity. Spec 4.16, 2.14.

import { empty, sql } from '../platform/database/db.ts'
import { bookQuantity, isBookVisible, joinLastCount } from '../stock/counts/book-quantity.ts'
import { visibleCounts } from '../stock/counts/stock-count.ts'
import { StockCountStatus } from '../vocabulary/stock.ts'
import {
  count,
  enumeration,
  instant,
  nullableColumn,
  nullableColumns,
  quantity,
  rate,
  text,
} from './columns.ts'
import { between, equal } from './conditions.ts'
import {
  booleanFilter,
  clientFilter,
  enumerationFilter,
  period,
  productFilter,
  stockCountFilter,
  warehouseFilter,
  zoneFilter,
} from './filters.ts'
import { report } from './report.ts'
import {
  batchAndDateColumns,
  batchAndDateValues,
  clientColumns,
  clientValues,
  locationColumns,
  locationJoins,
  locationValues,
  productColumns,
  productValues,
  stockConditions,
  stockJoins,
  unitColumns,
  unitValues,
  warehouseColumns,
  warehouseValues,
} from './stock.ts'

export const cycleCount = report({
  name: 'cycle-count',
  title: 'Stock counts',
  chapter: 'operations',
  description:
    'The lines of stock counts, with the expected and the counted quantity. The expected quantity of a ' +
    'blind count is hidden while the count is open. The dates are those on which counts were created.',
  partners: 'all',
  filters: {
    ...warehouseFilter,
    ...zoneFilter,
    ...clientFilter,
    ...productFilter,
    ...stockCountFilter,
    status: enumerationFilter('Status', StockCountStatus),
    isVariance: booleanFilter('Variance', 'Whether the counted quantity differs from the expected one.'),
    ...period('Created'),
  },
  columns: {
    stockCountNumber: text('Count', 12),
    status: enumeration('Status', StockCountStatus),
    ...warehouseColumns,
    ...locationColumns,
    ...clientColumns,
    ...productColumns,
    ...batchAndDateColumns,
    ...unitColumns,
    rounds: count('Rounds'),
    ...nullableColumns({
      bookQuantity: quantity('Expected'),
      countedQuantity: quantity('Counted'),
      varianceQuantity: quantity('Variance'),
      variancePercent: rate('Variance %'),
      countedUtc: instant('Counted'),
      countedBy: text('Counted by', 20),
      approvedUtc: instant('Approved'),
      approvedBy: text('Approved by', 20),
    }),
    reason: nullableColumn(text('Reason', 24)),
  },
  rows: request => {
    const { status, stockCountId, isVariance, dateFrom, dateTo } = request.filters
    const variance = sql`q.counted_quantity - q.book_quantity`
    return sql`
      select q.*, ${variance} as variance_quantity,
        round((${variance}) / nullif(q.book_quantity, 0) * 100, 2) as variance_percent
      from (
        select c.stock_count_number, c.number, c.status, ${warehouseValues}, ${locationValues},
          ${clientValues}, ${productValues}, ${batchAndDateValues}, ${unitValues}, i.round as rounds,
          b.book_quantity, b.counted_quantity, b.counted_utc, b.user_name as counted_by, i.approved_utc,
          i.approved_by_name as approved_by, i.reason, l.walking_order, i.id as line_id
        from stock_count c
        join stock_count_line i
          on i.organisation_id = c.organisation_id and i.stock_count_id = c.id
        join warehouse_product s on s.organisation_id = i.organisation_id and s.id = i.warehouse_product_id
        ${stockJoins} ${locationJoins}
        cross join lateral (
          select e.*, case when ${isBookVisible} then ${bookQuantity} end as book_quantity
          from (select i.*) l ${joinLastCount}
        ) b (counted_quantity, counted_utc, serials, user_id, user_name, book_quantity)
        where ${visibleCounts(request.actor)} and ${stockConditions(request)} ${equal(sql`c.status`, status)}
          ${equal(sql`c.id`, stockCountId)}
          ${between(sql`(c.created_utc at time zone w.timezone_id)::date`, dateFrom, dateTo)}
      ) q
      where true ${
        isVariance === undefined ? empty : sql`and coalesce(${variance} <> 0, false) = ${isVariance}`
      }`
  },
  order: sql`number desc, walking_order nulls last, warehouse_location_name, partner_product_code, line_id`,
})
