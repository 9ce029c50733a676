// Unbilled work: work that no charge bills. Not in the specification; decision 7.

import { type UnbilledWork, unbilledWork } from '../billing/unbilled-work.ts'
import { sql } from '../platform/database/db.ts'
import { Type } from '../platform/http/schema.ts'
import { UnbilledKind } from '../vocabulary/billing.ts'
import { ConsignmentStatus } from '../vocabulary/consignments.ts'
import { date, enumeration, id, nullableColumn, nullableColumns, quantity, text } from './columns.ts'
import { clientFilter, enumerationFilter, filter, period, warehouseFilter } from './filters.ts'
import { checkComputedRows, maxComputedRows, report } from './report.ts'

/** After how many days a Complete consignment counts as waiting to be Closed. */
const defaultCompleteDays = 7
/** How many days the report looks back without dateFrom. */
const defaultDays = 92

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

export const unbilledWorkReport = report({
  name: 'unbilled-work',
  title: 'Unbilled work',
  chapter: 'operations',
  description:
    'Work for clients that is not billed: work that no rate covers, freight that no rate prices, days in ' +
    'storage that no rate or no bill charged, service types that no charge names, charges that were ' +
    'excluded by hand or amount to 0.00, consignments that were charged by their expected quantities, and ' +
    'consignments that wait to be Closed. Open consignments are computed as they are now, Closed ones from ' +
    'the data frozen when they were Closed. Days in storage, from date to dateTo, are computed from what ' +
    'they were billed by, or else from the current rate card. Without dateFrom the report looks back ' +
    `${defaultDays} days. More than ${maxComputedRows.toLocaleString('en')} rows are refused: use a ` +
    'shorter period.',
  partners: 'none',
  extension: true,
  filters: {
    ...clientFilter,
    ...warehouseFilter,
    ...period('Date of the charge or the day in store'),
    completeDays: filter(
      'Complete for days',
      Type.Integer({
        ...{ minimum: 0, maximum: 10_000 },
        description:
          'After how many days a Complete consignment counts as waiting to be Closed. ' +
          `Default ${defaultCompleteDays}.`,
      }),
    ),
    kind: enumerationFilter('Kind', UnbilledKind),
  },
  columns: {
    ...nullableColumns({ consignmentId: id, consignmentNumber: text('Consignment', 16) }),
    clientId: id,
    clientName: text('Client', 26),
    warehouseName: nullableColumn(text('Warehouse', 22)),
    date: date('Date'),
    ...nullableColumns({ dateTo: date('To'), status: enumeration('Status', ConsignmentStatus) }),
    kind: enumeration('Kind', UnbilledKind),
    ...nullableColumns({
      subject: text('Subject', 30),
      quantity: quantity('Quantity'),
      unit: text('Unit', 8),
    }),
    reason: text('Reason', 60),
    suggestion: text('Suggestion', 60),
  },
  async compute(db, { actor, filters }, signal) {
    const rows: UnbilledWork[] = []
    const scope = {
      clientId: filters.partnerId,
      warehouseId: filters.warehouseId,
      dateFrom: filters.dateFrom ?? daysAgo(defaultDays),
      dateTo: filters.dateTo,
      completeDays: filters.completeDays ?? defaultCompleteDays,
    }
    for await (const batch of unbilledWork(db, actor.organisationId, scope)) {
      rows.push(...batch.filter(({ kind }) => filters.kind === undefined || kind === filters.kind))
      signal.throwIfAborted()
      checkComputedRows(rows.length, 'ask for a shorter period or one client')
    }
    return rows
  },
  rows: ({ actor, computed }) => sql`
    select c.id as consignment_id, c.consignment_number, c.number as consignment_ordinal,
      k.id as client_id, k.name as client_name, w.name as warehouse_name, u.date, u.date_to, c.status, u.kind,
      coalesce(p.code, u.subject) as subject, u.quantity, u.unit, u.reason, u.suggestion, u.ordinal
    from rows from (json_to_recordset(${computed ?? '[]'}::json) as ("consignmentId" uuid, "clientId" uuid,
        "warehouseId" uuid, "productId" uuid, date date, "dateTo" date, kind smallint, subject text,
        quantity numeric, unit text, reason text, suggestion text))
      with ordinality as u (consignment_id, client_id, warehouse_id, product_id, date, date_to, kind, subject,
        quantity, unit, reason, suggestion, ordinal)
    left join consignment c on c.organisation_id = ${actor.organisationId} and c.id = u.consignment_id
    join partner k on k.organisation_id = ${actor.organisationId}
      and k.id = coalesce(c.client_id, u.client_id)
    left join warehouse w on w.organisation_id = k.organisation_id
      and w.id = coalesce(c.warehouse_id, u.warehouse_id)
    left join product p on p.organisation_id = k.organisation_id and p.id = u.product_id`,
  order: sql`date, consignment_ordinal, ordinal`,
})
