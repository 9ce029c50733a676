// Stock balance: what there was of a product at the beginning of a period, what came and went, and what there
// was at its end. Spec 4.16.

import { empty, join, raw, type Sql, sql } from '../platform/database/db.ts'
import { TransactionType } from '../stock/enumerations.ts'
import { figures, quantity } from './columns.ts'
import { clientFilter, period, productFilter, warehouseFilter } from './filters.ts'
import { report } from './report.ts'
import {
  type AskedStock,
  clientColumns,
  clientValues,
  productColumns,
  productValues,
  stockConditions,
  stockNames,
  warehouseColumns,
  warehouseValues,
} from './stock.ts'

const { Adjustment, Receive, Dispatch } = TransactionType

/** The days of the period in a warehouse `w`. */
const fromDay = (dateFrom: string | undefined): Sql =>
  dateFrom === undefined
    ? sql`date_trunc('month', now() at time zone w.timezone_id)::date`
    : sql`${dateFrom}::date`
const toDay = (dateTo: string | undefined): Sql =>
  dateTo === undefined ? sql`(now() at time zone w.timezone_id)::date` : sql`${dateTo}::date`

/** An instant before the period begins anywhere. */
const noLater = (dateFrom: string | undefined): Sql =>
  dateFrom === undefined
    ? sql`date_trunc('month', now() - interval '1 day') - interval '1 day'`
    : sql`(${dateFrom}::date - 1)::timestamptz`

/** The three figures of lines `t` under a name, of those that meet a condition. */
const sums = (name: string, condition: Sql, sign: Sql = empty): Sql[] =>
  ['quantity', 'weight_kg', 'volume_m3'].map(
    figure =>
      sql`coalesce(${sign}sum(${raw(figure)}) filter (where ${condition}), 0) as ${raw(`${name}_${figure}`)}`,
  )

/** The lines of the ledger since the period began, with the day that each happened on, by product. */
const movements = (asked: AskedStock, dateFrom: string | undefined, dateTo: string | undefined): Sql => sql`(
  select organisation_id, warehouse_id, partner_id, product_id, ${join([
    ...sums('since', sql`true`),
    ...sums('period', sql`is_in_period`),
    ...sums('received', sql`is_in_period and type = ${Receive}`),
    ...sums('dispatched', sql`is_in_period and type = ${Dispatch}`, sql`-`),
    ...sums('adjustment', sql`is_in_period and type = ${Adjustment}`),
  ])}
  from (
    select s.organisation_id, s.warehouse_id, s.partner_id, s.product_id, t.type, t.quantity, t.weight_kg,
      t.volume_m3, day.happened <= ${toDay(dateTo)} as is_in_period
    from inventory_transaction t
    join warehouse_product s on s.organisation_id = t.organisation_id and s.id = t.warehouse_product_id
    join warehouse w on w.organisation_id = s.organisation_id and w.id = s.warehouse_id
    cross join lateral (select (t.effective_utc at time zone w.timezone_id)::date as happened) day
    where ${stockConditions(asked)} and t.organisation_id = ${asked.actor.organisationId} and t.quantity <> 0
      and t.effective_utc >= ${noLater(dateFrom)} and day.happened >= ${fromDay(dateFrom)}
  ) t group by 1, 2, 3, 4)`

/** The three figures of a name, of rows `s`. */
const threeOf = (name: string) => `s.${name}_quantity, s.${name}_weight_kg, s.${name}_volume_m3`

const zeroed = (figure: string): Sql => sql`coalesce(${raw(figure)}, 0)`
const opening = (figure: string, onHand: string): Sql =>
  sql`${zeroed(`n.${onHand}`)} - ${zeroed(`m.since_${figure}`)}`

export const stockBalance = report({
  name: 'stock-balance',
  title: 'Stock balance',
  chapter: 'stock',
  description:
    'Products over a period, by the days of each warehouse: what there was before it, what was received, ' +
    'dispatched and adjusted, and what there was at its end. What was recorded late counts on the day that ' +
    'it happened.',
  partners: 'all',
  filters: {
    ...warehouseFilter,
    ...clientFilter,
    ...productFilter,
    ...period('Default the first of this month, and today'),
  },
  columns: {
    ...warehouseColumns,
    ...clientColumns,
    ...productColumns,
    ...figures('opening', 'Opening'),
    ...figures('received', 'Received'),
    ...figures('dispatched', 'Dispatched'),
    adjustmentQuantity: quantity('Adjusted'),
    ...figures('closing', 'Closing'),
  },
  // What there was is what there is, less what happened since.
  rows: asked => {
    const { dateFrom, dateTo } = asked.filters
    const of: [string, string][] = [
      ['quantity', 'on_hand_quantity'],
      ['weight_kg', 'on_hand_weight_kg'],
      ['volume_m3', 'on_hand_volume_m3'],
    ]
    const values = of.flatMap(([figure, onHand]) => [
      sql`${opening(figure, onHand)} as ${raw(`opening_${figure}`)}`,
      sql`${zeroed(`m.received_${figure}`)} as ${raw(`received_${figure}`)}`,
      sql`${zeroed(`m.dispatched_${figure}`)} as ${raw(`dispatched_${figure}`)}`,
      sql`${opening(figure, onHand)} + ${zeroed(`m.period_${figure}`)} as ${raw(`closing_${figure}`)}`,
    ])
    return sql`
      select ${warehouseValues}, ${clientValues}, ${productValues}, s.adjustment_quantity,
        ${join(['opening', 'received', 'dispatched', 'closing'].map(name => raw(threeOf(name))))}
      from (
        select organisation_id, warehouse_id, partner_id, product_id, ${join(values)},
          ${zeroed('m.adjustment_quantity')} as adjustment_quantity
        from (
          select s.organisation_id, s.warehouse_id, s.partner_id, s.product_id,
            sum(s.on_hand_quantity) as on_hand_quantity, sum(s.on_hand_weight_kg) as on_hand_weight_kg,
            sum(s.on_hand_volume_m3) as on_hand_volume_m3
          from warehouse_product s where ${stockConditions(asked)} and not s.is_depleted group by 1, 2, 3, 4
        ) n
        full join ${movements(asked, dateFrom, dateTo)} m
          using (organisation_id, warehouse_id, partner_id, product_id)
      ) s ${stockNames}
      where (s.opening_quantity, s.received_quantity, s.dispatched_quantity, s.adjustment_quantity,
        s.closing_quantity) <> (0, 0, 0, 0, 0)`
  },
  order: sql`warehouse_name, partner_name, partner_product_code, partner_product_id, warehouse_id`,
})
