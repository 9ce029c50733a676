// Product transactions: the lines of the ledger, without allocations. Spec 4.16, 2.14.

import { empty, sql } from '../platform/database/db.ts'
import { InventoryMovementType, MovementCause, TransactionType } from '../vocabulary/stock.ts'
import {
  count,
  enumeration,
  flag,
  id,
  instant,
  localTime,
  nullableColumns,
  quantity,
  text,
} from './columns.ts'
import { clientFilter, period, productFilter, warehouseFilter } from './filters.ts'
import { report } from './report.ts'
import {
  batchAndDateColumns,
  batchAndDateValues,
  locationJoins,
  stockConditions,
  stockJoins,
} from './stock.ts'

export const productTransactionDetail = report({
  name: 'product-transaction-detail',
  title: 'Product transactions',
  chapter: 'operations',
  description:
    'The lines of the stock ledger: what entered or left a location. The dates are days on which it ' +
    'happened; isLate marks lines that were recorded later.',
  partners: 'all',
  filters: { ...warehouseFilter, ...clientFilter, ...productFilter, ...period('Happened') },
  columns: {
    transactionDateTime: localTime('Happened'),
    recordedUtc: instant('Recorded'),
    transactionType: enumeration('Transaction', InventoryMovementType),
    ...nullableColumns({
      consignmentNumber: text('Consignment', 16),
      referenceNumber: text('Reference', 18),
      jobNumber: text('Job', 12),
    }),
    warehouseName: text('Warehouse', 22),
    partnerName: text('Client', 26),
    partnerProductCode: text('Product', 18),
    partnerProductName: text('Description', 40),
    ...batchAndDateColumns,
    locationName: text('Location', 14),
    ...nullableColumns({ logisticUnitNumber: text('Logistic unit', 14), ssccNumber: text('SSCC', 20) }),
    quantity: quantity('Quantity'),
    weightKG: quantity('kg'),
    volumeM3: quantity('m³'),
    ...nullableColumns({ reason: text('Reason', 24), userName: text('By', 20) }),
    isLate: flag('Late'),
    // Both lines of a move have its number, which counts within the movement.
    movementId: id,
    ...nullableColumns({ moveNumber: count('Move') }),
    cause: enumeration('Cause', MovementCause),
    ...nullableColumns({ causeId: id }),
  },
  rows: request => {
    const { dateFrom, dateTo } = request.filters
    return sql`
      select t.effective_utc at time zone w.timezone_id as transaction_date_time, t.recorded_utc,
        t.type as transaction_type, c.consignment_number, c.reference_number, j.job_number,
        w.name as warehouse_name, p.name as partner_name, d.code as partner_product_code,
        d.name as partner_product_name, ${batchAndDateValues}, l.name as location_name,
        u.logistic_unit_number, u.sscc_number, t.quantity, t.weight_kg, t.volume_m3, t.reason,
        t.user_name, t.is_late, t.movement_id, t.move_number, t.cause, t.cause_id, t.effective_utc,
        t.warehouse_product_id, t.version
      from inventory_transaction t
      join warehouse_product s on s.organisation_id = t.organisation_id and s.id = t.warehouse_product_id
      ${stockJoins} ${locationJoins}
      left join consignment c on c.organisation_id = t.organisation_id and c.id = t.consignment_id
      left join job j on j.organisation_id = t.organisation_id and j.id = t.job_id
      where ${stockConditions(request)} and t.organisation_id = ${request.actor.organisationId}
        and t.type <> ${TransactionType.Allocation}
        ${
          dateFrom === undefined
            ? empty
            : sql`and t.effective_utc >= (${dateFrom}::date - 1)::timestamptz
                and (t.effective_utc at time zone w.timezone_id)::date >= ${dateFrom}::date`
        }
        ${
          dateTo === undefined
            ? empty
            : sql`and t.effective_utc < (${dateTo}::date + 2)::timestamptz
                and (t.effective_utc at time zone w.timezone_id)::date <= ${dateTo}::date`
        }`
  },
  order: sql`effective_utc, movement_id, warehouse_product_id, version`,
})
