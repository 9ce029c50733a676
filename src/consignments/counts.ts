// How many consignments a list has, by one of its fields. Without filters, or with those that only compare an
// id, a type or a status, the count table answers at any size. Decision 4.

import { endpoint } from '../access/endpoint.ts'
import { raw, sql } from '../platform/database/db.ts'
import { json } from '../platform/http/endpoint.ts'
import { reversedPeriods } from '../platform/http/reversed-periods.ts'
import { named, nullable, Type } from '../platform/http/schema.ts'
import { ConsignmentStatus, ConsignmentType } from '../vocabulary/consignments.ts'
import { countBy } from './list/count-by.ts'
import { nilId } from './list/filters.ts'
import { filterParameters, filtersFor } from './list/list-query.ts'

const fields = {
  Status: { column: 'status', names: ConsignmentStatus },
  Type: { column: 'type', names: ConsignmentType },
  ClientId: { column: 'client_id', table: 'partner' },
  CarrierId: { column: 'carrier_id', table: 'partner' },
  WarehouseId: { column: 'warehouse_id', table: 'warehouse' },
} as const

/** How many values are listed, those with the most consignments first. */
const maxCounts = 1_000

const ConsignmentCounts = named(
  'ConsignmentCounts',
  Type.Object({
    by: Type.Enum(Object.keys(fields) as (keyof typeof fields)[]),
    total: Type.Integer(),
    counts: Type.Array(
      Type.Object({
        value: Type.Unsafe<string | number | null>({
          type: ['string', 'integer', 'null'],
          description: 'An id, or the number of a status or type; null for none.',
        }),
        name: nullable(Type.String({ description: 'The name of the record, status or type.' })),
        n: Type.Integer({ description: 'How many consignments have the value.' }),
      }),
      { description: 'At most 1,000, the largest first.' },
    ),
  }),
)

const namesOf = (values: Readonly<Record<string, number>>) =>
  new Map(Object.entries(values).map(([name, value]) => [value, name]))

export const consignmentCounts = [
  endpoint({
    get: '/v1/consignments/counts',
    name: 'countConsignments',
    partners: 'all',
    scope: 'consignment.read',
    extension: true,
    summary: 'Count consignments by status, type, client, carrier or warehouse',
    description:
      'Counts what GET /v1/consignments lists with the same filters. A token that belongs to a partner ' +
      "counts only the partner's consignments.",
    query: Type.Object(
      {
        By: Type.Enum(Object.keys(fields) as (keyof typeof fields)[], {
          type: 'string',
          default: 'Status',
          description: 'The field whose values are counted.',
        }),
        ...filterParameters,
      },
      { rule: reversedPeriods(filterParameters) },
    ),
    response: json(ConsignmentCounts),
    async handle({ db, actor, query }) {
      const by = query.By
      const filters = filtersFor(actor, query)
      if (filters === null) return { by, total: 0, counts: [] }
      const field = fields[by]
      const grouped = countBy(actor, filters, field.column)
      const value = 'table' in field ? sql`nullif(coalesce(g.value, ${nilId}), ${nilId})` : sql`g.value`
      const rows = await db.rows<{
        total: number
        value: string | number | null
        name: string | null
        n: number
      }>(
        sql`
          select sum(g.n) over () as total, g.value, g.n,
            ${'table' in field ? sql`r.name` : sql`null`} as name
          from (select ${value} as value, g.n from (${grouped}) g) g
          ${
            'table' in field
              ? sql`left join ${raw(field.table)} r on r.organisation_id = ${actor.organisationId}
                  and r.id = g.value`
              : sql``
          }
          order by g.n desc, g.value limit ${maxCounts}`,
      )
      const names = 'names' in field ? namesOf(field.names) : undefined
      return {
        by,
        total: rows[0]?.total ?? 0,
        counts: rows.map(({ value, name, n }) => ({ value, name: names?.get(value as number) ?? name, n })),
      }
    },
  }),
]
