// The API's view of a line of the ledger. Spec 2.14.

import { sql } from '../../platform/database/db.ts'
import { allNullable, IntegerEnum, named, nullable, Type, UtcTime, Uuid } from '../../platform/http/schema.ts'
import { MovementCause, TransactionType } from '../../vocabulary/stock.ts'

const Text = Type.String()

/** The other side of a movement: where the stock came from or went to. */
const OtherPlace = named(
  'InventoryTransactionPlace',
  Type.Object({
    warehouseProductId: Uuid,
    warehouseLocationId: Uuid,
    warehouseLocationName: Text,
    logisticUnitNumber: nullable(Text),
    quantity: Type.Number(),
  }),
)

export const ledgerLineFields = {
  movementId: Uuid,
  moveNumber: nullable({
    ...Type.Integer(),
    description:
      'The number of the move in its movement, from 1. Both lines of a move have it: that of the row which ' +
      'the goods left, and that of the row which they went to. Null where nothing moved, and for lines of ' +
      'earlier versions.',
  }),
  warehouseProductId: Uuid,
  version: { ...Type.Integer(), description: 'The number of the line in its row of stock, from 1.' },
  transactionType: IntegerEnum(TransactionType),
  cause: IntegerEnum(MovementCause),
  causeId: nullable({
    ...Uuid,
    description:
      'The line of the stock count that caused it; for an undone dispatch, the stock that the goods left, ' +
      'if they came back into other stock because their unit stands elsewhere.',
  }),
  quantity: Type.Number(),
  allocatedQuantity: Type.Number(),
  weightKG: Type.Number(),
  volumeM3: Type.Number(),
  effectiveUtc: { ...UtcTime, description: 'When the movement takes effect in the stock history.' },
  occurredUtc: nullable({
    ...UtcTime,
    description:
      'When it happened according to the caller, if that differs from effectiveUtc, because stock cannot ' +
      'leave before it came in.',
  }),
  recordedUtc: { ...UtcTime, description: 'When it was recorded.' },
  isLate: Type.Boolean({ description: 'Whether it was recorded later than it happened.' }),
  ...allNullable({
    consignmentId: Uuid,
    consignmentNumber: Text,
    consignmentProductId: Uuid,
    jobId: Uuid,
    jobNumber: Text,
    stockCountLineId: Uuid,
    operationId: Uuid,
    reason: Text,
    particulars: Text,
    userId: Uuid,
    userFullName: Text,
    appName: Text,
    requestId: Text,
  }),
  warehouseLocationId: Uuid,
  warehouseLocationName: Text,
  logisticUnitNumber: nullable(Text),
  otherPlaces: Type.Array(OtherPlace, {
    description:
      'Where the move took the product from or brought it to. For lines without moveNumber, where the ' +
      'movement did; at most 100 places.',
  }),
}

/** The columns of a line `t`; they need `ledgerLineJoins`. */
export const ledgerLineColumns = sql`t.movement_id, t.move_number, t.warehouse_product_id, t.version,
  t.type as transaction_type, t.cause, t.cause_id, t.quantity, t.allocated_quantity, t.weight_kg,
  t.volume_m3, t.effective_utc,
  t.occurred_utc, t.recorded_utc, t.is_late, t.consignment_id, o.consignment_number,
  t.consignment_product_id, t.job_id, j.job_number, t.stock_count_line_id, t.operation_id, t.reason,
  t.particulars, t.user_id,
  t.user_name as user_full_name, t.app_name, t.request_id,
  l.id as warehouse_location_id, l.name as warehouse_location_name, u.logistic_unit_number,
  coalesce((
    select json_agg(other) from (
      select p.id as "warehouseProductId", m.id as "warehouseLocationId", m.name as "warehouseLocationName",
        n.logistic_unit_number as "logisticUnitNumber", sum(x.quantity) as quantity
      from (
        select o.* from inventory_transaction o
        where o.organisation_id = t.organisation_id and o.movement_id = t.movement_id
          and o.move_number = t.move_number
        union all
        select o.* from inventory_transaction o
        where o.organisation_id = t.organisation_id and o.movement_id = t.movement_id
          and t.move_number is null and t.quantity <> 0
      ) x
      join warehouse_product p on p.organisation_id = x.organisation_id and p.id = x.warehouse_product_id
      join warehouse_location m on m.organisation_id = p.organisation_id and m.id = p.warehouse_location_id
      left join logistic_unit n on n.organisation_id = p.organisation_id and n.id = p.logistic_unit_id
      where p.product_id = s.product_id and p.id <> s.id and sign(x.quantity) = -sign(t.quantity)
        and t.quantity <> 0
      group by 1, 2, 3, 4 order by m.name, p.id limit 100
    ) other
  ), '[]') as other_places`

/** The joins that `ledgerLineColumns` needs, from `inventory_transaction t` and its row of stock `s`. */
export const ledgerLineJoins = sql`
  join warehouse_location l on l.organisation_id = s.organisation_id and l.id = s.warehouse_location_id
  left join logistic_unit u on u.organisation_id = s.organisation_id and u.id = s.logistic_unit_id
  left join consignment o on o.organisation_id = t.organisation_id and o.id = t.consignment_id
  left join job j on j.organisation_id = t.organisation_id and j.id = t.job_id`
