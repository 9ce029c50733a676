// Stock balance: the stock of each product at the beginning and the end of a period, and the movements
// between. Spec 4.16.

import { empty, join, raw, type Sql, sql } from '../platform/database/db.ts'
import { TransactionType } from '../vocabulary/stock.ts'
import { figures } from './columns.ts'
import { clientFilter, period, productFilter, warehouseFilter } from './filters.ts'
import { report } from './report.ts'
import {
  clientColumns,
  clientValues,
  productColumns,
  productValues,
  type StockReportRequest,
  stockConditions,
  stockJoins,
  warehouseColumns,
  warehouseValues,
} from './stock.ts'

const { Adjustment, Receive, Dispatch } = TransactionType

/** The days of the period, if given. Without a first day, it begins with the month of the last one. */
interface Period {
  dateFrom?: string | undefined
  dateTo?: string | undefined
}

/** The first and the last day of the period in warehouse `w`. */
const firstDay = ({ dateFrom, dateTo }: Period): Sql =>
  dateFrom === undefined ? sql`date_trunc('month', ${lastDay(dateTo)})::date` : sql`${dateFrom}::date`
const lastDay = (dateTo: string | undefined): Sql =>
  dateTo === undefined ? sql`(now() at time zone w.timezone_id)::date` : sql`${dateTo}::date`

/** An instant before the period begins in any time zone, which lets the query use an index. */
function lowerBound({ dateFrom, dateTo }: Period): Sql {
  if (dateFrom !== undefined) return sql`(${dateFrom}::date - 1)::timestamptz`
  const end = dateTo === undefined ? sql`(now() - interval '1 day')` : sql`${dateTo}::date`
  return sql`(date_trunc('month', ${end}) - interval '1 day')::timestamptz`
}

/** The sums of quantity, weight and volume of the ledger lines that meet a condition. */
const sums = (name: string, condition: Sql, sign: Sql = empty): Sql[] =>
  ['quantity', 'weight_kg', 'volume_m3'].map(
    figure =>
      sql`coalesce(${sign}sum(${raw(figure)}) filter (where ${condition}), 0) as ${raw(`${name}_${figure}`)}`,
  )

/** The sums of the ledger lines since the period began, by product. */
const movements = (request: StockReportRequest, period: Period): Sql => sql`(
  select organisation_id, warehouse_id, partner_id, product_id, ${join([
    ...sums('since', sql`true`),
    ...sums('period', sql`is_in_period`),
    ...sums('received', sql`is_in_period and type = ${Receive}`),
    ...sums('dispatched', sql`is_in_period and type = ${Dispatch}`, sql`-`),
    ...sums('adjustment', sql`is_in_period and type = ${Adjustment}`),
  ])}
  from (
    select s.organisation_id, s.warehouse_id, s.partner_id, s.product_id, t.type, t.quantity, t.weight_kg,
      t.volume_m3, day.happened <= ${lastDay(period.dateTo)} as is_in_period
    from inventory_transaction t
    join warehouse_product s on s.organisation_id = t.organisation_id and s.id = t.warehouse_product_id
    join warehouse w on w.organisation_id = s.organisation_id and w.id = s.warehouse_id
    cross join lateral (select (t.effective_utc at time zone w.timezone_id)::date as happened) day
    where ${stockConditions(request)} and t.organisation_id = ${request.actor.organisationId}
      and t.quantity <> 0 and t.effective_utc >= ${lowerBound(period)}
      and day.happened >= ${firstDay(period)}
  ) t group by 1, 2, 3, 4)`

const columnGroups = ['opening', 'received', 'dispatched', 'adjustment', 'closing']

/** The columns of rows `s` for quantity, weight and volume of a name. */
const figureColumns = (name: string) => `s.${name}_quantity, s.${name}_weight_kg, s.${name}_volume_m3`

const orZero = (figure: string): Sql => sql`coalesce(${raw(figure)}, 0)`
const opening = (figure: string, onHand: string): Sql =>
  sql`${orZero(`n.${onHand}`)} - ${orZero(`m.since_${figure}`)}`

export const stockBalance = report({
  name: 'stock-balance',
  title: 'Stock balance',
  chapter: 'stock',
  description:
    'The stock of each product at the beginning and the end of a period, and what was received, dispatched ' +
    'and adjusted between. Days are those of each warehouse. What was recorded late counts on the day on ' +
    'which it happened.',
  partners: 'all',
  filters: {
    ...warehouseFilter,
    ...clientFilter,
    ...productFilter,
    ...period('Movements (default: the month of the last day, which by default is today)'),
  },
  columns: {
    ...warehouseColumns,
    ...clientColumns,
    ...productColumns,
    ...figures('opening', 'Opening'),
    ...figures('received', 'Received'),
    ...figures('dispatched', 'Dispatched'),
    ...figures('adjustment', 'Adjusted'),
    ...figures('closing', 'Closing'),
  },
  // The opening stock is the stock now without the movements since.
  rows: request => {
    const figureNames: [figure: string, onHand: string][] = [
      ['quantity', 'on_hand_quantity'],
      ['weight_kg', 'on_hand_weight_kg'],
      ['volume_m3', 'on_hand_volume_m3'],
    ]
    const values = figureNames.flatMap(([figure, onHand]) => [
      sql`${opening(figure, onHand)} as ${raw(`opening_${figure}`)}`,
      sql`${orZero(`m.received_${figure}`)} as ${raw(`received_${figure}`)}`,
      sql`${orZero(`m.dispatched_${figure}`)} as ${raw(`dispatched_${figure}`)}`,
      sql`${orZero(`m.adjustment_${figure}`)} as ${raw(`adjustment_${figure}`)}`,
      sql`${opening(figure, onHand)} + ${orZero(`m.period_${figure}`)} as ${raw(`closing_${figure}`)}`,
    ])
    return sql`
      select ${warehouseValues}, ${clientValues}, ${productValues},
        ${join(columnGroups.map(name => raw(figureColumns(name))))}
      from (
        select organisation_id, warehouse_id, partner_id, product_id, ${join(values)}
        from (
          select s.organisation_id, s.warehouse_id, s.partner_id, s.product_id,
            sum(s.on_hand_quantity) as on_hand_quantity, sum(s.on_hand_weight_kg) as on_hand_weight_kg,
            sum(s.on_hand_volume_m3) as on_hand_volume_m3
          from warehouse_product s where ${stockConditions(request)} and not s.is_depleted group by 1, 2, 3, 4
        ) n
        full join ${movements(request, request.filters)} m
          using (organisation_id, warehouse_id, partner_id, product_id)
      ) s ${stockJoins}
      where (s.opening_quantity, s.received_quantity, s.dispatched_quantity, s.adjustment_quantity,
        s.closing_quantity) <> (0, 0, 0, 0, 0)`
  },
  order: sql`warehouse_name, partner_name, partner_product_code, partner_product_id, warehouse_id`,
})
