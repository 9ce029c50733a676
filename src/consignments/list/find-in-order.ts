// Finds a page of consignments in another order than the newest first, or by what only open consignments are
// filtered by: when they are due, what they lack, their jobs and cities. One index has all open consignments
// by the time at which they are due, so the work grows with these, and not with all that there ever were.

import type { Actor } from '../../access/actor.ts'
import { empty, join, type Sql, sql } from '../../platform/database/db.ts'
import { contains } from '../../platform/http/paging.ts'
import { JobStatus } from '../../vocabulary/jobs.ts'
import { countedTotal } from './cells.ts'
import { dueDateTime, isLate, isPicking, joinClock, lineShortQuantity } from './due.ts'
import {
  type ConsignmentFilters,
  dateConditions,
  equalityConditions,
  nilId,
  ofPartner,
  type WorkFilters,
} from './filters.ts'
import { findSources } from './find-consignments.ts'
import { namedClients } from './named-clients.ts'

/** The orders of the list; `-` reverses them. */
export const consignmentOrders = ['entered', '-entered', 'due', '-due', 'number', '-number'] as const
export type ConsignmentOrder = (typeof consignmentOrders)[number]

const orders: Record<ConsignmentOrder, Sql> = {
  entered: sql`t.date_entered desc, t.number desc`,
  '-entered': sql`t.date_entered, t.number`,
  due: sql`${dueDateTime}, t.number`,
  '-due': sql`${dueDateTime} desc, t.number desc`,
  number: sql`t.number`,
  '-number': sql`t.number desc`,
}

type Row = { columns: Sql; joins: Sql }
type Page = { limit: number; offset: number }

/** The statement for a page in this order, in the form of `findConsignments`. */
export function findInOrder(
  actor: Actor,
  filters: ConsignmentFilters,
  order: ConsignmentOrder,
  page: Page,
  row: Row,
): Sql {
  if (order.endsWith('number') && filters.work === undefined)
    return findByNumber(actor, filters, order, page, row)
  const { limit, offset } = page
  const by = orders[order]
  const ranked = sql`select t.number, row_number() over (order by ${by}) as position
    from ${matchingConsignments(actor, filters, order.endsWith('due'))}`
  const counted = countedTotal(actor, filters)
  if (counted !== null)
    return readPositions(
      actor,
      sql`page as materialized (${ranked} order by ${by} limit ${limit} offset ${offset}::bigint)`,
      counted,
      row,
    )
  // What the count table cannot tell has to be found to be counted, so the page is taken from what was found.
  const ctes = sql`matching as materialized (${ranked}), page as (
    select number, position from matching
    where position > ${offset}::bigint and position <= ${offset + limit}::bigint)`
  return readPositions(actor, ctes, sql`select count(*) from matching`, row)
}

// So many rows are sorted faster than a list of all is walked for them.
const fewRows = 50_000

/**
 * By number. The few rows of rare filters are found like those of other lists, and sorted. Where many match,
 * the list is walked in its order until the page is full. Only one of the two is done, as the total says.
 */
function findByNumber(
  actor: Actor,
  filters: ConsignmentFilters,
  order: ConsignmentOrder,
  { limit, offset }: Page,
  row: Row,
): Sql {
  const { ctes, total, rows } = findSources(actor, filters, { limit: fewRows, isOldestFirst: false })
  const by = orders[order]
  const all = sql`(select total from counted)`
  const found = sql`
    select number from (${rows}) few where ${all} <= ${fewRows}
    union all
    (select t.number from ${matchingConsignments(actor, filters)} and ${all} > ${fewRows}
      order by ${by} limit ${offset + limit})`
  const page = sql`
    select number, row_number() over (order by ${by}) as position from (${found}) t
    order by ${by} limit ${limit} offset ${offset}::bigint`
  const counted = sql`counted as materialized (select ${total} as total)`
  return readPositions(
    actor,
    join([...ctes, counted, sql`page as materialized (${page})`]),
    sql`table counted`,
    row,
  )
}

/** Reads the rows of `page`, which the common table expressions define with their positions. */
const readPositions = ({ organisationId }: Actor, ctes: Sql, total: Sql, { columns, joins }: Row): Sql => sql`
  with ${ctes}
  select counted.total, listed.*
  from (${total}) as counted (total)
  left join lateral (
    select true as is_row, ${columns}
    from page join consignment c on c.organisation_id = ${organisationId} and c.number = page.number
      ${joins}
    order by page.position
  ) listed on true`

/**
 * The matching consignments `t`, as the part of a query after `from`. It reads the narrow listing unless a
 * filter or `needsRecord` asks for more. With a filter on what is late, there is a `clock` too.
 */
export function matchingConsignments(actor: Actor, filters: ConsignmentFilters, needsRecord = false): Sql {
  const { externalId, consignmentNumbers, searchText, work } = filters
  const { organisationId } = actor
  const isRecord =
    needsRecord || [externalId, consignmentNumbers, searchText, work].some(filter => filter !== undefined)
  return sql`
    ${isRecord ? sql`consignment t` : sql`consignment_listing t`}
    ${work?.isLate === undefined ? empty : joinClock(organisationId)}
    where t.organisation_id = ${organisationId}
    ${isRecord ? empty : sql`and t.identity_connection_id = ${nilId} and t.edi_status = 0`}
    ${externalId === undefined ? empty : sql`and t.external_id = ${externalId}`}
    ${consignmentNumbers === undefined ? empty : sql`and t.consignment_number = any(${consignmentNumbers})`}
    ${searchText === undefined ? empty : textCondition(actor, searchText)}
    ${needsRecord || work !== undefined ? sql`and t.status not in (-2, 6)` : empty}
    ${work === undefined ? empty : workConditions(actor, work)}
    ${equalityConditions(filters)} ${dateConditions(filters)}
    ${filters.ediStatus === undefined ? empty : markCondition(actor, filters.ediStatus)}`
}

/** A statement for how many consignments match, as `count`: from the count table if it can tell. */
export const countConsignments = (actor: Actor, filters: ConsignmentFilters): Sql =>
  countedTotal(actor, filters) ?? sql`select count(*) from ${matchingConsignments(actor, filters)}`

/** The consignments `t` that are late, with their `clock`, of those that an actor may see. */
export const lateConsignments = (actor: Actor): Sql =>
  matchingConsignments(actor, {
    ...ofPartner(actor),
    status: -1,
    work: { isLate: true },
  })

const textCondition = (actor: Actor, text: string): Sql => sql`and (
  ${contains(sql`t.search_text`, text)} or t.client_id in (${namedClients(actor, text)}))`

/** The consignments `t` to which the calling connection has given one of these marks. */
function markCondition({ organisationId, connectionId }: Actor, ediStatus: (number | null)[]): Sql {
  const marks = ediStatus.filter(status => status !== null)
  const mark = sql`select from consignment_listing m where m.organisation_id = ${organisationId}
    and m.number = t.number and m.identity_connection_id = ${connectionId}`
  return sql`and (exists (${mark} and m.edi_status = any(${marks}))
    ${ediStatus.includes(null) ? sql`or not exists (${mark})` : empty})`
}

/** No clock in the world is ahead of this one. The index of what is due needs such a bound. */
const earliestClock = sql`timezone('UTC', now()) + interval '14 hours'`

const isLacking = sql`(${isPicking} and exists (
  select from consignment_product q where q.organisation_id = t.organisation_id and q.consignment_id = t.id
    and ${lineShortQuantity} > 0))`

/**
 * Whether it is in a job that is not Cancelled. One scan of an index finds those of all open consignments;
 * looking for each by itself took most of the time of a list. `is true` keeps the planner from doing so.
 */
const isInJob = (organisationId: string): Sql => sql`(t.id in (
  select m.consignment_id from job_consignment m
  where m.organisation_id = ${organisationId}
    and m.consignment_id = any(array(
      select o.id from consignment o where o.organisation_id = ${organisationId} and o.status not in (-2, 6)))
    and m.job_id not in (
      select id from job
      where organisation_id = ${organisationId} and status = ${JobStatus.Cancelled})) is true)`

/** The condition, or its opposite; nothing if the filter is not set. */
const either = (wanted: boolean | undefined, condition: Sql): Sql[] =>
  wanted === undefined ? [] : [wanted ? condition : sql`not coalesce(${condition}, false)`]

const given = <T>(value: T | undefined, condition: (value: T) => Sql): Sql[] =>
  value === undefined ? [] : [condition(value)]

function workConditions({ organisationId }: Actor, work: WorkFilters): Sql {
  const conditions = [
    ...given(work.priority, priorities => sql`t.priority = any(${priorities})`),
    ...given(work.dueFrom, day => sql`${dueDateTime} >= ${day}::date`),
    ...given(work.dueTo, day => sql`${dueDateTime} < ${day}::date + 1`),
    ...(work.isLate === true ? [sql`${dueDateTime} < ${earliestClock}`] : []),
    ...either(work.isLate, isLate),
    ...either(work.isShort, isLacking),
    ...either(work.hasJob, isInJob(organisationId)),
    ...given(
      work.jobId,
      id => sql`t.id in (
        select consignment_id from job_consignment
        where organisation_id = ${organisationId} and job_id = ${id})`,
    ),
    ...given(
      work.city,
      city => sql`(lower(t.origin_address ->> 'city') = lower(${city})
        or lower(t.destination_address ->> 'city') = lower(${city}))`,
    ),
  ]
  return sql`and ${join(conditions, ' and ')}`
}
