// The list of consignments. Spec 2.2, 4.2; decision 4.

import type { Actor } from '../access/actor.ts'
import { endpoint } from '../access/endpoint.ts'
import { sql } from '../platform/database/db.ts'
import { json } from '../platform/http/endpoint.ts'
import { pageOf, pageQuery } from '../platform/http/paging.ts'
import {
  allOmittable,
  Integer,
  IntegerEnum,
  LocalTime,
  named,
  nullable,
  type Static,
  Type,
  Uuid,
} from '../platform/http/schema.ts'
import { ConsignmentStatus, ConsignmentType } from '../vocabulary/consignments.ts'
import { carrierAndWarehouseJoins } from './consignment-fields.ts'
import { figureColumns, figureFields, figureJoins } from './list/figures.ts'
import { findConsignments } from './list/find-consignments.ts'
import { consignmentOrders, findInOrder } from './list/find-in-order.ts'
import { filterParameters, filtersFor, requireOpenStatuses } from './list/list-query.ts'

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

/** A row of the list. */
const ListedConsignment = named(
  'ListedConsignment',
  Type.Object({ ...ConsignmentSummary.properties, ...allOmittable(figureFields) }),
)

const query = pageQuery({
  ...filterParameters,
  Include: Type.Optional(
    Type.Array(Type.Enum(['figures']), {
      maxItems: 1,
      description:
        '`figures` adds to each row its priority, addresses and times, whether it is late, and what is ' +
        'expected, what is short and in which jobs it is.',
    }),
  ),
  Sort: Type.Optional(
    Type.Enum([...consignmentOrders], {
      type: 'string',
      description:
        '`entered`: the newest first (the default). `due`: soonest due first, only with open statuses. ' +
        '`number`: ascending. `-` reverses them.',
    }),
  ),
})

export const consignments = [
  endpoint({
    get: '/v1/consignments',
    name: 'listConsignments',
    partners: 'all',
    scope: 'consignment.read',
    summary: 'List consignments',
    description:
      'Sorted by dateEntered, latest first, then by number, highest first, unless Sort says otherwise. A ' +
      "token that belongs to a partner sees only the partner's consignments.",
    query,
    response: json(pageOf('consignments', ListedConsignment)),
    async handle({ db, actor, query }) {
      const filters = filtersFor(actor, query)
      const { PageIndex: index, PageSize: limit, Sort: order = 'entered' } = query
      if (filters === null) return { index, total: 0, consignments: [] }
      if (order.endsWith('due')) requireOpenStatuses(filters)
      const page = { limit, offset: (index - 1) * limit }
      const row =
        query.Include === undefined
          ? { columns: summaryColumns, joins: summaryJoins(actor) }
          : {
              columns: sql`${summaryColumns}, ${figureColumns}`,
              joins: sql`${summaryJoins(actor)} ${figureJoins(actor)}`,
            }
      const rows = await db.rows<Static<typeof ListedConsignment> & { total: number; isRow: boolean | null }>(
        order.endsWith('entered') && filters.work === undefined
          ? findConsignments(actor, filters, page, row, order === '-entered')
          : findInOrder(actor, filters, order, page, row),
      )
      return { index, total: rows[0]?.total ?? 0, consignments: rows.filter(row => row.isRow) }
    },
  }),
]
