// Unbilled work: what was done and nobody pays for. Beyond the specification; open-points 7.

import { UnbilledKind } from '../billing/enumerations.ts'
import { type UnbilledWork, unbilledWork } from '../billing/unbilled-work.ts'
import { ConsignmentStatus } from '../consignments/enumerations.ts'
import { sql } from '../platform/database/db.ts'
import { verificationFailed } from '../platform/http/refusal.ts'
import { Type } from '../platform/http/schema.ts'
import { date, enumeration, id, maybe, maybes, quantity, text } from './columns.ts'
import { choice, clientFilter, otherFilter, period, warehouseFilter } from './filters.ts'
import { report } from './report.ts'

/** Rows are computed before the first is sent: so many are held at most. */
const maxRows = 200_000
const defaultCompleteDays = 7
/** Where no day is asked for, so many days back. */
const defaultDays = 92

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

export const unbilledWorkReport = report({
  name: 'unbilled-work',
  title: 'Unbilled work',
  chapter: 'operations',
  description:
    'What was done for clients and nobody pays for: work that no rate takes, freight that no rate prices, ' +
    'days on which goods lay in store and no rate or no bill charged them, service types that no charge ' +
    'names, charges that were left out by hand or come to 0.00, consignments that were charged by what was ' +
    'expected, and those that wait to be Closed. Open consignments are computed as they are now, Closed ' +
    'ones by what was frozen; days in store, told from date to dateTo, by what they were billed by, else ' +
    'by the card as it is now. Without dateFrom it looks back ' +
    `${defaultDays} days; of more than ${maxRows.toLocaleString('en')} rows it asks for a shorter period.`,
  partners: 'none',
  extension: true,
  filters: {
    ...clientFilter,
    ...warehouseFilter,
    ...period('Date of the charge or the day in store'),
    completeDays: otherFilter(
      'Complete for days',
      Type.Integer({
        ...{ minimum: 0, maximum: 10_000 },
        description: `A Complete consignment counts after so many days. Default ${defaultCompleteDays}.`,
      }),
    ),
    kind: choice('Kind', UnbilledKind),
  },
  columns: {
    ...maybes({ consignmentId: id, consignmentNumber: text('Consignment', 16) }),
    clientName: text('Client', 26),
    warehouseName: maybe(text('Warehouse', 22)),
    date: date('Date'),
    ...maybes({ dateTo: date('To'), status: enumeration('Status', ConsignmentStatus) }),
    kind: enumeration('Kind', UnbilledKind),
    ...maybes({ subject: text('Subject', 30), quantity: quantity('Quantity'), unit: text('Unit', 8) }),
    reason: text('Reason', 60),
    suggestion: text('Suggestion', 60),
  },
  async compute(db, { actor, filters }) {
    const found: UnbilledWork[] = []
    const question = {
      clientId: filters.partnerId,
      warehouseId: filters.warehouseId,
      dateFrom: filters.dateFrom ?? daysAgo(defaultDays),
      dateTo: filters.dateTo,
      completeDays: filters.completeDays ?? defaultCompleteDays,
    }
    for await (const some of unbilledWork(db, actor.organisationId, question)) {
      found.push(...some.filter(({ kind }) => filters.kind === undefined || kind === filters.kind))
      if (found.length > maxRows)
        throw verificationFailed(
          `There are more than ${maxRows.toLocaleString('en')} rows; ask for a shorter period or one client.`,
        )
    }
    return found
  },
  rows: ({ actor, computed }) => sql`
    select c.id as consignment_id, c.consignment_number, c.number as consignment_ordinal,
      k.name as client_name, w.name as warehouse_name, u.date, u.date_to, c.status, u.kind,
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
