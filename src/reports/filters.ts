// The filters of reports: the fields of their request bodies, and which records the caller may filter by.
// Spec 4.16.

import type { Actor } from '../access/actor.ts'
import { empty, type Sql, sql } from '../platform/database/db.ts'
import { reversedPeriods } from '../platform/http/reversed-periods.ts'
import {
  IntegerEnum,
  optional,
  PlainDate,
  type Static,
  type TSchema,
  Type,
  UtcTime,
  Uuid,
} from '../platform/http/schema.ts'
import { visibleCounts } from '../stock/counts/stock-count.ts'
import { ScheduleStatus } from '../vocabulary/billing.ts'
import { ConsignmentStatusFilter, ConsignmentType } from '../vocabulary/consignments.ts'
import { Relationship } from '../vocabulary/partners.ts'

/** A filter of a report. */
export interface Filter<S extends TSchema = TSchema> {
  /** its name in words, for the portal and the last sheet of Excel */
  readonly label: string
  readonly schema: S
  /**
   * For the id of a record: the query of the record's name. It has no row if the record does not exist or the
   * caller may not see it.
   */
  readonly nameOf?: (actor: Actor, id: string) => Sql
}
export type Filters = Readonly<Record<string, Filter>>

/** The values of a request's filters, by name. An absent filter does not restrict the rows. */
export type FilterValues<F extends Filters> = { readonly [K in keyof F]?: Static<F[K]['schema']> }

/** A filter whose value is of any type but the id of a record. */
export const filter = <S extends TSchema>(label: string, schema: S): Filter<S> => ({ label, schema })

const recordFilter = (label: string, nameOf: (actor: Actor, id: string) => Sql, description?: string) => ({
  ...filter(label, description === undefined ? Uuid : { ...Uuid, description }),
  nameOf,
})

/** A filter by the id of a record that all users of the organisation, partners' too, may see. */
const organisationRecordFilter = (label: string, table: Sql) =>
  recordFilter(
    label,
    ({ organisationId }, id) => sql`
    select name from ${table} where organisation_id = ${organisationId} and id = ${id}`,
  )

/** Whether partner `p` and the caller's own partner are client and carrier of one consignment. */
const sharesConsignment = ({ partnerId }: Actor): Sql => sql`exists (
  select from consignment_listing c
  where c.organisation_id = p.organisation_id and ${partnerId}::uuid in (c.client_id, c.carrier_id)
    and p.id in (c.client_id, c.carrier_id))`

/**
 * A filter by the id of a partner. A partner's user may filter by their own partner, and by partners for
 * which `isVisible` holds.
 */
const partnerFilterFor = (
  label: string,
  relationship: number | undefined,
  isVisible: (actor: Actor) => Sql,
) =>
  recordFilter(
    label,
    (actor, id) => sql`
    select p.name from partner p where p.organisation_id = ${actor.organisationId} and p.id = ${id}
      ${relationship === undefined ? empty : sql`and p.relationship = ${relationship}`}
      ${actor.partnerId === null ? empty : sql`and (p.id = ${actor.partnerId} or ${isVisible(actor)})`}`,
  )

const noOtherPartner = () => sql`false`

const product = recordFilter(
  'Product',
  (actor, id) => sql`
  select d.name from product d where d.organisation_id = ${actor.organisationId} and d.id = ${id}
    ${
      actor.partnerId === null
        ? empty
        : sql`and (d.partner_id = ${actor.partnerId} or exists (
            select from consignment_product r
            join consignment c on c.organisation_id = r.organisation_id and c.id = r.consignment_id
            where r.organisation_id = d.organisation_id and r.product_id = d.id
              and c.carrier_id = ${actor.partnerId}))`
    }`,
)

/** The first or the last day of a period. */
const day = (label: string, description: string) => filter(label, { ...PlainDate, description })

/** The first and the last day of a period. `dateName` names the date that they restrict. */
export const period = (dateName: string) => ({
  dateFrom: day('From', `${dateName}: this day or later.`),
  dateTo: day('To', `${dateName}: this day or earlier.`),
})

export const warehouseFilter = { warehouseId: organisationRecordFilter('Warehouse', sql`warehouse`) }
export const zoneFilter = { warehouseZoneId: organisationRecordFilter('Zone', sql`warehouse_zone`) }
export const locationFilter = {
  warehouseLocationId: organisationRecordFilter('Location', sql`warehouse_location`),
}
export const clientFilter = { partnerId: partnerFilterFor('Client', Relationship.Client, noOtherPartner) }
export const productFilter = { partnerProductId: product }
export const stockCountFilter = {
  stockCountId: recordFilter(
    'Stock count',
    (actor, id) => sql`
    select c.stock_count_number as name from stock_count c where ${visibleCounts(actor)} and c.id = ${id}`,
  ),
}
export const consumableTypeFilter = {
  consumableTypeId: organisationRecordFilter('Consumable', sql`consumable_type`),
}
export const taskTypeFilter = { taskTypeId: organisationRecordFilter('Task', sql`task_type`) }
export const accountFilters = {
  costCentreId: organisationRecordFilter('Cost centre', sql`cost_centre`),
  revenueAccountId: organisationRecordFilter('Revenue account', sql`revenue_account`),
}
export const partnerFilter = { partnerId: partnerFilterFor('Partner', undefined, noOtherPartner) }
export const clientPartnerFilter = {
  clientPartnerId: partnerFilterFor('Client', Relationship.Client, noOtherPartner),
}
export const carrierPartnerFilter = {
  carrierPartnerId: partnerFilterFor('Carrier', Relationship.Carrier, noOtherPartner),
}

/**
 * The moment for stock in the past: what had happened by `asOfUtc`, as far as it was recorded by
 * `knownAtUtc`.
 */
export const momentFilters = {
  asOfUtc: filter('As of', {
    ...UtcTime,
    description: 'Shows stock as it was at this instant. Default now.',
  }),
  knownAtUtc: filter('Known at', {
    ...UtcTime,
    description: 'Ignores what was recorded after this instant. Default now.',
  }),
}

/** The filters of most stock reports. */
export const stockFilters = { ...warehouseFilter, ...clientFilter, ...productFilter, ...momentFilters }

/** The filters of most consignment reports. `dateName` names the date that the period restricts. */
export const consignmentFilters = (dateName = 'Entered') => ({
  ...warehouseFilter,
  partnerId: partnerFilterFor('Client', Relationship.Client, sharesConsignment),
  ...productFilter,
  ...period(dateName),
  consignmentType: filter('Type', IntegerEnum(ConsignmentType)),
  status: filter('Status', {
    ...IntegerEnum(ConsignmentStatusFilter),
    description: 'Void consignments are left out unless this is -2 Void.',
  }),
  carrierId: partnerFilterFor('Carrier', Relationship.Carrier, sharesConsignment),
})

/** A filter by a value of an enumeration. */
export const enumerationFilter = <const V extends Readonly<Record<string, number>>>(
  label: string,
  values: V,
  description?: string,
) => filter(label, description === undefined ? IntegerEnum(values) : { ...IntegerEnum(values), description })

/** A filter by a boolean. */
export const booleanFilter = (label: string, description: string) =>
  filter(label, Type.Boolean({ description }))

/** The schema of a request body with these filters. All are optional; null is the same as absent. */
export function bodySchema(filters: Filters) {
  const fields = Object.fromEntries(
    Object.entries(filters).map(([name, { schema }]) => [name, optional(schema)]),
  )
  return Type.Object(fields, { rule: reversedPeriods(fields) })
}

/** The filters of both consignment summaries, without their mode. */
export const summaryFilters = {
  ...warehouseFilter,
  partnerId: partnerFilterFor('Client', Relationship.Client, sharesConsignment),
  ...period('The date that the mode selects'),
}

/** The filters of reports about schedules. */
export const scheduleFilters = {
  scheduleDateFrom: day('Schedule from', 'Schedules dated this day or later.'),
  scheduleDateTo: day('Schedule to', 'Schedules dated this day or earlier.'),
  scheduleStatus: enumerationFilter('Schedule status', ScheduleStatus),
  partnerRelationship: enumerationFilter('Relationship', Relationship),
  ...partnerFilter,
}
