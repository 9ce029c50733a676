// What is to be done today, in numbers.

import type { Actor } from '../access/actor.ts'
import { hasRequiredScope } from '../access/scopes.ts'
import type { ConsignmentFilters } from '../consignments/list/filters.ts'
import { countConsignments } from '../consignments/list/find-in-order.ts'
import { shortLines } from '../floor/shortages.ts'
import { type Db, empty, join, raw, type Sql, sql } from '../platform/database/db.ts'
import { nullable, type Static, Type } from '../platform/http/schema.ts'
import { ConsignmentStatus, ConsignmentType } from '../vocabulary/consignments.ts'
import { readNotBilled } from './not-billed.ts'
import { type DashboardQuery, scopeFilters } from './scope.ts'

const keys = ['toReceive', 'toPick', 'toDispatch', 'late', 'linesShort', 'notBilled'] as const

export const DayFigure = Type.Object({
  key: Type.Enum([...keys]),
  n: Type.Integer({ description: 'How many consignments, or of linesShort how many lines.' }),
  amountExclTax: nullable(
    Type.Number({
      description:
        'Of notBilled: what the Complete consignments would be charged; null if they are too many.',
    }),
  ),
})
type DayFigure = Static<typeof DayFigure>

const { ReadyToReceive, ReadyToPick, ReadyToDispatch } = ConsignmentStatus

/** The figures of consignments, by what each counts. */
const consignmentFigures: Partial<Record<DayFigure['key'], ConsignmentFilters>> = {
  toReceive: { type: ConsignmentType.Inwards, status: ReadyToReceive },
  toPick: { type: ConsignmentType.Outwards, status: ReadyToPick },
  toDispatch: { status: ReadyToDispatch },
  late: { status: -1, work: { isLate: true } },
}

export async function readFigures(db: Db, actor: Actor, scope: DashboardQuery): Promise<DayFigure[]> {
  const filters = scopeFilters(actor, scope)
  if (filters === null) return []
  const counts: Sql[] = []
  if (hasRequiredScope(actor, 'consignment.read')) {
    for (const [key, own] of Object.entries(consignmentFigures))
      counts.push(countOf(key, countConsignments(actor, { ...filters, ...own })))
  }
  if (hasRequiredScope(actor, 'inventory.read') && actor.partnerKind !== 'carrier')
    counts.push(countOf('linesShort', sql`select count(*) from ${shortLinesIn(actor, scope)}`))
  const found = counts.length === 0 ? [] : await db.rows<DayFigure>(join(counts, ' union all '))
  const figures = found.map(({ key, n }) => ({ key, n, amountExclTax: null }))
  if (!hasRequiredScope(actor, 'financial.read')) return figures
  return [...figures, { key: 'notBilled', ...(await readNotBilled(db, actor, filters)) }]
}

const countOf = (key: string, counted: Sql): Sql =>
  sql`select ${raw(`'${key}'`)} as key, counted.count as n from (${counted}) counted`

const shortLinesIn = (
  actor: Actor,
  { WarehouseId, ClientId }: DashboardQuery,
): Sql => sql`${shortLines(actor)}
  ${WarehouseId === undefined ? empty : sql`and c.warehouse_id = ${WarehouseId}`}
  ${ClientId === undefined ? empty : sql`and c.client_id = ${ClientId}`}`
