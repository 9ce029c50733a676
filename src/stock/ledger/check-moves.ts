// The rules of movements in the ledger, for the check of stock: what leaves one row enters another, and both
// lines of a move say so. Lines of earlier versions have no number of their move and are only added up.

import { type Sql, sql } from '../../platform/database/db.ts'
import { MovementCause, TransactionType } from '../../vocabulary/stock.ts'

export interface StockRule {
  /** the rule as a sentence */
  rule: string
  /** selects `organisation_id`, `id`, `stored` and `computed` of the rows that violate the rule */
  violations: Sql
}

const { Transfer, Hold, Pick } = TransactionType
const { Redescribed, SerialsCaptured } = MovementCause

const movementsBalance: StockRule = {
  rule: 'The lines of a transfer, hold or pick add up to zero for each product.',
  violations: sql`
    select t.organisation_id, t.movement_id as id, sum(t.quantity)::text as stored, '0' as computed
    from inventory_transaction t join warehouse_product p
      on p.organisation_id = t.organisation_id and p.id = t.warehouse_product_id
    where t.type in (${Transfer}, ${Hold}, ${Pick})
    group by t.organisation_id, t.movement_id, p.product_id
    having sum(t.quantity) <> 0 or sum(t.weight_kg) <> 0 or sum(t.volume_m3) <> 0`,
}

/** Of goods that only moved, got their serials or were described anew, both lines must be there. */
const movesHaveTwoHalves: StockRule = {
  rule: 'A move has at most one line that takes goods and one that gives them, of the same goods and cause.',
  violations: sql`
    select organisation_id, movement_id as id, concat_ws(' ', 'move', move_number, 'of', count(*), 'lines',
      sum(quantity), sum(weight_kg), sum(volume_m3)) as stored, 'one move' as computed
    from (
      select t.*, p.product_id from inventory_transaction t join warehouse_product p
        on p.organisation_id = t.organisation_id and p.id = t.warehouse_product_id
      where t.move_number is not null
    ) t
    group by organisation_id, movement_id, move_number
    having count(*) > 2
      or count(*) < 2 and bool_or(type in (${Transfer}, ${Hold}, ${Pick})
        or cause in (${Redescribed}, ${SerialsCaptured}))
      or count(*) = 2 and (sum(quantity) <> 0 or sum(weight_kg) <> 0 or sum(volume_m3) <> 0
        or bool_or(quantity = 0))
      or count(distinct (product_id, type, cause, cause_id, consignment_product_id, effective_utc,
        recorded_utc)) > 1`,
}

const movesAreNumbered: StockRule = {
  rule: 'The moves of a movement are numbered from 1, without gaps.',
  violations: sql`
    select organisation_id, movement_id as id, max(move_number)::text as stored,
      count(distinct move_number)::text as computed
    from inventory_transaction where move_number is not null
    group by organisation_id, movement_id having max(move_number) <> count(distinct move_number)`,
}

const causesNameTheirRecord: StockRule = {
  rule:
    'A line that a stock count caused names the line of the count; one of an undone dispatch names at most ' +
    'stock that the goods left and did not come back into.',
  violations: sql`
    select organisation_id, movement_id as id, concat_ws(' ', cause, cause_id) as stored,
      stock_count_line_id::text as computed
    from inventory_transaction t
    where move_number is not null and cause = ${MovementCause.Count} and cause_id is null
      or cause = ${MovementCause.Count} and cause_id is distinct from stock_count_line_id
      or cause_id is not null and cause <> ${MovementCause.Count} and not exists (
        select from inventory_transaction left_before
        where left_before.organisation_id = t.organisation_id and t.cause = ${MovementCause.DispatchUndone}
          and left_before.warehouse_product_id = t.cause_id and t.cause_id <> t.warehouse_product_id
          and left_before.type = t.type and left_before.quantity < 0
          and left_before.consignment_product_id = t.consignment_product_id)`,
}

const linesAreInOrder: StockRule = {
  rule: 'The lines of a stock row were recorded in their order.',
  violations: sql`
    select t.organisation_id, t.warehouse_product_id as id, t.recorded_utc::text as stored,
      before.recorded_utc::text as computed
    from inventory_transaction t join inventory_transaction before
      on before.organisation_id = t.organisation_id
        and before.warehouse_product_id = t.warehouse_product_id and before.version = t.version - 1
    where t.move_number is not null and before.recorded_utc > t.recorded_utc`,
}

export const moveRules: readonly StockRule[] = [
  movementsBalance,
  movesHaveTwoHalves,
  movesAreNumbered,
  causesNameTheirRecord,
  linesAreInOrder,
]
