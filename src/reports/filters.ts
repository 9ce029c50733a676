// What reports are narrowed by: the fields of their bodies, and whether the records that these name exist for
// the caller. Spec 4.16.

import { ScheduleStatus } from '../billing/enumerations.ts'
import { ConsignmentStatusFilter, ConsignmentType } from '../consignments/enumerations.ts'
import { Relationship } from '../partners/enumerations.ts'
import { empty, type Sql, sql } from '../platform/database/db.ts'
import type { Actor } from '../platform/http/actor.ts'
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
import type { Finding } from '../platform/http/validation.ts'
import { visibleCounts } from '../stock/stock-counts/stock-count.ts'

/** A filter of a report. */
export interface Filter<S extends TSchema = TSchema> {
  /** in words */
  readonly label: string
  readonly schema: S
  /**
   * there where the value is the id of a record: a query of that record's name, which has no row for what is
   * none, or none that the caller may name
   */
  readonly nameOf?: (actor: Actor, id: string) => Sql
}
export type Filters = Readonly<Record<string, Filter>>

/** What was asked, by the names of filters; what is absent does not narrow. */
export type Asked<F extends Filters> = { readonly [K in keyof F]?: Static<F[K]['schema']> }

const filter = <S extends TSchema>(label: string, schema: S): Filter<S> => ({ label, schema })

const record = (label: string, nameOf: (actor: Actor, id: string) => Sql, description?: string) => ({
  ...filter(label, description === undefined ? Uuid : { ...Uuid, description }),
  nameOf,
})

/** A record of the organisation alone. */
const ofOrganisation = (label: string, table: Sql) =>
  record(
    label,
    ({ organisationId }, id) => sql`
    select name from ${table} where organisation_id = ${organisationId} and id = ${id}`,
  )

/** A partner that a consignment of a partner's own person names is one that this person knows. */
const sharesConsignment = ({ partnerId }: Actor): Sql => sql`exists (
  select from consignment_listing c
  where c.organisation_id = p.organisation_id and ${partnerId}::uuid in (c.client_id, c.carrier_id)
    and p.id in (c.client_id, c.carrier_id))`

const partner = (label: string, relationship: number | undefined, isKnown: (actor: Actor) => Sql) =>
  record(
    label,
    (actor, id) => sql`
    select p.name from partner p where p.organisation_id = ${actor.organisationId} and p.id = ${id}
      ${relationship === undefined ? empty : sql`and p.relationship = ${relationship}`}
      ${actor.partnerId === null ? empty : sql`and (p.id = ${actor.partnerId} or ${isKnown(actor)})`}`,
  )

const nobodyElse = () => sql`false`

const product = record(
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

/** A day from which on, or to which. */
const day = (label: string, description: string) => filter(label, { ...PlainDate, description })

/** Days, both included. */
export const period = (of: string) => ({
  dateFrom: day('From', `${of}: this day or later.`),
  dateTo: day('To', `${of}: this day or earlier.`),
})

export const warehouseFilter = { warehouseId: ofOrganisation('Warehouse', sql`warehouse`) }
export const zoneFilter = { warehouseZoneId: ofOrganisation('Zone', sql`warehouse_zone`) }
export const locationFilter = { warehouseLocationId: ofOrganisation('Location', sql`warehouse_location`) }
export const clientFilter = { partnerId: partner('Client', Relationship.Client, nobodyElse) }
export const productFilter = { partnerProductId: product }
export const stockCountFilter = {
  stockCountId: record(
    'Stock count',
    (actor, id) => sql`
    select c.stock_count_number as name from stock_count c where ${visibleCounts(actor)} and c.id = ${id}`,
  ),
}
export const consumableTypeFilter = { consumableTypeId: ofOrganisation('Consumable', sql`consumable_type`) }
export const taskTypeFilter = { taskTypeId: ofOrganisation('Task', sql`task_type`) }
export const accountFilters = {
  costCentreId: ofOrganisation('Cost centre', sql`cost_centre`),
  revenueAccountId: ofOrganisation('Revenue account', sql`revenue_account`),
}
export const partnerFilter = { partnerId: partner('Partner', undefined, nobodyElse) }
export const clientPartnerFilter = { clientPartnerId: partner('Client', Relationship.Client, nobodyElse) }
export const carrierPartnerFilter = { carrierPartnerId: partner('Carrier', Relationship.Carrier, nobodyElse) }

/** Stock as it was: what had happened by one instant, as far as it was written down by another. */
export const momentFilters = {
  asOfUtc: filter('As of', {
    ...UtcTime,
    description: 'Stock as it was: what had happened by then. Default now.',
  }),
  knownAtUtc: filter('Known at', {
    ...UtcTime,
    description: 'As far as it was written down by then. Default now.',
  }),
}

/** The filters of most reports of stock. */
export const stockFilters = { ...warehouseFilter, ...clientFilter, ...productFilter, ...momentFilters }

/** The filters of most reports of consignments; `of` says what the dates are about. */
export const consignmentFilters = (of = 'Entered') => ({
  ...warehouseFilter,
  partnerId: partner('Client', Relationship.Client, sharesConsignment),
  ...productFilter,
  ...period(of),
  consignmentType: filter('Type', IntegerEnum(ConsignmentType)),
  status: filter('Status', {
    ...IntegerEnum(ConsignmentStatusFilter),
    description: 'Void consignments are there only when asked for.',
  }),
  carrierId: partner('Carrier', Relationship.Carrier, sharesConsignment),
})

/** A choice among the values of an enumeration. */
export const choice = <const V extends Readonly<Record<string, number>>>(
  label: string,
  values: V,
  description?: string,
) => filter(label, description === undefined ? IntegerEnum(values) : { ...IntegerEnum(values), description })

/** Yes, no, or not asked. */
export const yesOrNo = (label: string, description: string) => filter(label, Type.Boolean({ description }))

/** A filter of a kind of its own. */
export const otherFilter = filter

/** Dates that are the wrong way round. */
function disordered(body: unknown): Finding[] {
  const pairs = [
    ['dateFrom', 'dateTo'],
    ['scheduleDateFrom', 'scheduleDateTo'],
  ] as const
  const given = body as Record<string, unknown>
  return pairs.flatMap(([from, to]) =>
    typeof given?.[from] === 'string' && typeof given[to] === 'string' && given[from] > given[to]
      ? [{ path: `/${to}`, problem: `must not be before ${from}`, code: 'range' as const }]
      : [],
  )
}

/** The body that filters make: all may be left out, and null is absent. */
export const bodyOf = (filters: Filters) =>
  Type.Object(
    Object.fromEntries(Object.entries(filters).map(([name, { schema }]) => [name, optional(schema)])),
    { rule: disordered },
  )

/** The filters of the summaries of consignments, beside their mode. */
export const summaryFilters = {
  ...warehouseFilter,
  partnerId: partner('Client', Relationship.Client, sharesConsignment),
  ...period('By the mode'),
}

/** The filters of schedules. */
export const scheduleFilters = {
  scheduleDateFrom: day('Schedule from', 'Schedules of this day or later.'),
  scheduleDateTo: day('Schedule to', 'Schedules of this day or earlier.'),
  scheduleStatus: choice('Schedule status', ScheduleStatus),
  partnerRelationship: choice('Relationship', Relationship),
  ...partnerFilter,
}
