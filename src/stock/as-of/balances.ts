// What rows of stock held at a moment: the sum of their lines that had happened by then and were written down
// by then, from the latest checkpoint on.

import { empty, raw, type Sql, sql } from '../../platform/database/db.ts'
import type { Moment } from './moment.ts'

// The figures of a row of stock, which checkpoints have too, and what they are called in the ledger.
const figures = {
  on_hand_quantity: 'quantity',
  allocated_quantity: 'allocated_quantity',
  on_hand_weight_kg: 'weight_kg',
  on_hand_volume_m3: 'volume_m3',
} as const
export type Figure = keyof typeof figures

/** All that a row of stock counts. */
export const allFigures = Object.keys(figures) as Figure[]

/** The lines of `inventory_transaction t` that belong to a moment, checkpoint or not. */
export const ofMoment = ({ asOf, knownAt }: Moment): Sql =>
  sql`t.effective_utc <= ${asOf}::timestamptz and t.recorded_utc <= ${knownAt}::timestamptz`

/**
 * The query of `warehouse_product_id` and the figures asked for, of every row that had lines, or of those in
 * `only`: a query of their ids as `id`. A row that a checkpoint left out for holding nothing is there only
 * with later lines.
 */
export function balancesAt(
  organisationId: string,
  moment: Moment,
  asked: readonly Figure[],
  only?: Sql,
): Sql {
  const { checkpoint } = moment
  const each = (text: (name: Figure) => string): Sql => raw(asked.map(text).join(', '))
  const rows = (id: Sql): Sql => (only === undefined ? empty : sql`join (${only}) o on o.id = ${id}`)
  const lines = sql`select t.warehouse_product_id, ${each(name => `t.${figures[name]}`)}
    from inventory_transaction t ${rows(sql`t.warehouse_product_id`)}
    where t.organisation_id = ${organisationId} and ${ofMoment(moment)}`
  const parts =
    checkpoint === null
      ? lines
      : sql`
        select r.warehouse_product_id, ${each(name => `r.${name}`)}
        from inventory_checkpoint_row r ${rows(sql`r.warehouse_product_id`)}
        where r.organisation_id = ${organisationId} and r.effective_utc = ${checkpoint}::timestamptz
        union all
        ${lines} and t.effective_utc > ${checkpoint}::timestamptz
        union all
        ${lines} and t.is_late
          and tstzrange(t.effective_utc, t.recorded_utc) @> ${checkpoint}::timestamptz`
  return sql`select warehouse_product_id, ${each(name => `sum(${name}) as ${name}`)}
    from (${parts}) part (warehouse_product_id, ${each(name => name)})
    group by warehouse_product_id`
}
