// The list of consignments. Spec 2.2, 4.2; decision 4.

import type { Actor } from '../access/actor.ts'
import { endpoint } from '../access/endpoint.ts'
import { sql } from '../platform/database/db.ts'
import { json } from '../platform/http/endpoint.ts'
import { pageOf, pageQuery, searchIn } from '../platform/http/paging.ts'
import {
  Integer,
  IntegerEnum,
  LocalTime,
  named,
  nullable,
  PlainDate,
  type Static,
  Type,
  Uuid,
} from '../platform/http/schema.ts'
import { ConsignmentStatus, ConsignmentStatusFilter, ConsignmentType } from '../vocabulary/consignments.ts'
import { carrierAndWarehouseJoins } from './consignment-fields.ts'
import type { ConsignmentFilters } from './list/filters.ts'
import { findConsignments } from './list/find-consignments.ts'

const Text = Type.String()

export const ConsignmentSummary = named(
  'ConsignmentSummary',
  Type.Object({
    id: Uuid,
    consignmentNumber: Text,
    referenceNumber: nullable(Text),
    clientId: Uuid,
    clientName: Text,
    clientCode: Text,
    dateEntered: LocalTime,
    type: IntegerEnum(ConsignmentType),
    status: IntegerEnum(ConsignmentStatus),
    warehouseId: nullable(Uuid),
    warehouseCode: nullable(Text),
    warehouseName: nullable(Text),
    carrierId: nullable(Uuid),
    carrierName: nullable(Text),
    carrierCode: nullable(Text),
    carrierReferenceNumber: nullable(Text),
    carrierRunNumber: nullable(Text),
    carrierRunOrdinal: nullable(Integer),
    ediStatus: nullable(Integer),
  }),
)
export type ConsignmentSummary = Static<typeof ConsignmentSummary>

/** The columns of a summary. They need `summaryJoins`. */
export const summaryColumns = sql`c.id, c.consignment_number, c.reference_number,
  c.client_id, client.name as client_name, client.code as client_code,
  c.date_entered, c.type, c.status,
  c.warehouse_id, warehouse.code as warehouse_code, warehouse.name as warehouse_name,
  c.carrier_id, carrier.name as carrier_name, carrier.code as carrier_code,
  c.carrier_reference_number, c.carrier_run_number, c.carrier_run_ordinal, edi.edi_status`

/** The joins that a summary needs beside `consignment c`, with the EDI status for the calling connection. */
export const summaryJoins = (actor: Actor) => sql`
  join partner client on client.organisation_id = c.organisation_id and client.id = c.client_id
  ${carrierAndWarehouseJoins}
  left join consignment_edi edi on edi.organisation_id = c.organisation_id and edi.consignment_id = c.id
    and edi.identity_connection_id = ${actor.connectionId}`

const ediStatusPattern = '^(null|-?[0-9]{1,9})$'

const query = pageQuery({
  SearchText: searchIn('consignment number, reference number, container number and client name'),
  ClientId: Type.Optional(Uuid),
  CarrierId: Type.Optional(Uuid),
  WarehouseId: Type.Optional(Uuid),
  Type: Type.Optional(IntegerEnum(ConsignmentType)),
  Status: Type.Optional(IntegerEnum(ConsignmentStatusFilter)),
  EdiStatus: Type.Optional(
    Type.Array(Type.String({ pattern: ediStatusPattern, fault: 'must be a whole number or null' }), {
      maxItems: 50,
      description:
        'May be repeated to match any of the values, as the calling connection has set them. `null` ' +
        'matches consignments without one.',
    }),
  ),
  ExternalId: Type.Optional(Type.String({ maxLength: 200, description: 'The exact external id.' })),
  ConsignmentNumbers: Type.Optional(
    Type.String({ maxLength: 20_000, description: 'Exact numbers, separated by commas.' }),
  ),
  DateFrom: Type.Optional({ ...PlainDate, description: 'The first day of dateEntered.' }),
  DateTo: Type.Optional({ ...PlainDate, description: 'The last day of dateEntered.' }),
})
type Query = Static<typeof query>

/**
 * The numbers in a comma-separated list; undefined if there are none, as an empty filter filters nothing.
 */
function parseNumbers(list: string): string[] | undefined {
  const numbers = list
    .split(',')
    .map(number => number.trim().toUpperCase())
    .filter(number => number !== '')
  return numbers.length > 0 ? numbers : undefined
}

const filtersOf = (query: Query): ConsignmentFilters => ({
  clientId: query.ClientId,
  carrierId: query.CarrierId,
  warehouseId: query.WarehouseId,
  type: query.Type,
  status: query.Status,
  ediStatus: query.EdiStatus?.map(text => (text === 'null' ? null : Number(text))),
  dateFrom: query.DateFrom,
  dateTo: query.DateTo,
  externalId: query.ExternalId || undefined,
  consignmentNumbers: parseNumbers(query.ConsignmentNumbers ?? ''),
  searchText: query.SearchText || undefined,
})

/**
 * The filters for the caller: a token that belongs to a partner sees only the consignments of which that
 * partner is the client or the carrier. Returns null if nothing can match.
 */
function filtersFor(
  { partnerId, partnerKind }: Actor,
  filters: ConsignmentFilters,
): ConsignmentFilters | null {
  if (partnerId === null) return filters
  const field = partnerKind === 'client' ? 'clientId' : 'carrierId'
  if (filters[field] !== undefined && filters[field] !== partnerId) return null
  return { ...filters, [field]: partnerId }
}

export const consignments = [
  endpoint({
    get: '/v1/consignments',
    name: 'listConsignments',
    partners: 'all',
    scope: 'consignment.read',
    summary: 'List consignments',
    description:
      'Sorted by dateEntered, latest first, then by number, highest first. A token that belongs to a ' +
      "partner sees only the partner's consignments.",
    query,
    response: json(pageOf('consignments', ConsignmentSummary)),
    async handle({ db, actor, query }) {
      const filters = filtersFor(actor, filtersOf(query))
      const { PageIndex: index, PageSize: limit } = query
      if (filters === null) return { index, total: 0, consignments: [] }
      const page = { limit, offset: (index - 1) * limit }
      const row = { columns: summaryColumns, joins: summaryJoins(actor) }
      const rows = await db.rows<ConsignmentSummary & { total: number; isRow: boolean | null }>(
        findConsignments(actor, filters, page, row),
      )
      return { index, total: rows[0]?.total ?? 0, consignments: rows.filter(row => row.isRow) }
    },
  }),
]
