// Reads a consignment with all of its records. Requests that arrive while others are being read share a
// statement, whichever organisation they are of: starting the many parts of its plan is more than half of the
// cost of reading a single consignment.

import type { Actor } from '../../access/actor.ts'
import { type Db, sql } from '../../platform/database/db.ts'
import { batchCalls } from '../../platform/work/batch-calls.ts'
import { isOfPartner, visibleConsignments } from '../consignment.ts'

interface DetailRequest {
  db: Db
  actor: Actor
  consignmentId: string
}

/** The JSON of a consignment; undefined if this actor cannot see it. */
type Detail = string | undefined

/** The outcome for one consignment of a group: null if it has to be read alone. */
type Outcome = Detail | null

// A consignment with more lines, items and notes takes long to read, whatever the plan costs, and others
// should not wait for it.
const maxBatchedRecords = 50
const maxBatchSize = 8

const readBatched = batchCalls<DetailRequest, Outcome>({
  // A transaction has a handle of its own, so its reads are never batched with others.
  key: ({ db }) => db,
  maxConcurrent: 4,
  maxCount: maxBatchSize,
  maxWeight: maxBatchSize,
  weight: () => 1,
  runBatch: async group =>
    group.length === 1 ? [await readAlone(group[0] as DetailRequest)] : readShared(group),
})

/** Returns the JSON of a consignment for its GET response; undefined if this actor cannot see it. */
export async function readDetail(db: Db, actor: Actor, consignmentId: string): Promise<Detail> {
  const request = { db, actor, consignmentId }
  const outcome = await readBatched(request)
  return outcome === null ? readAlone(request) : outcome
}

async function readAlone({ db, actor, consignmentId }: DetailRequest): Promise<Detail> {
  const found = await db.maybe<{ detail: string }>(sql`
    select c.detail::text as detail
    from consignment_detail(${actor.organisationId}, ${consignmentId}, ${actor.connectionId},
      ${actor.partnerId}) c
    where ${visibleConsignments(actor)}`)
  return found?.detail
}

async function readShared(group: readonly DetailRequest[]): Promise<Outcome[]> {
  const requests = group.map(({ actor, consignmentId }, place) => ({
    place,
    organisation: actor.organisationId,
    consignment: consignmentId,
    connection: actor.connectionId,
    partner: actor.partnerId,
  }))
  // `offset 0` makes PostgreSQL look up each consignment by its keys, however many rows the planner expects.
  const rows = await (group[0] as DetailRequest).db.rows<{ place: number; detail: string | null }>(sql`
    select a.place, c.detail::text as detail
    from json_to_recordset(${JSON.stringify(requests)})
      as a (place integer, organisation uuid, consignment uuid, connection uuid, partner uuid)
    cross join lateral (
      select exists (
        select from (
          select 1 from consignment_product r
          left join consignment_product_item i
            on i.organisation_id = r.organisation_id and i.consignment_product_id = r.id
          where r.organisation_id = a.organisation and r.consignment_id = a.consignment
          union all
          select 1 from consignment_note n
          where n.organisation_id = a.organisation and n.consignment_id = a.consignment
        ) part
        offset ${maxBatchedRecords}
      ) as is_large
      offset 0
    ) size
    left join lateral (
      select * from consignment_detail(a.organisation, a.consignment, a.connection, a.partner)
      where not size.is_large
      offset 0
    ) c on true
    where size.is_large
      or (c.id is not null and (a.partner is null or ${isOfPartner(sql`a.partner`)}))`)
  const outcomes = new Array<Outcome>(group.length)
  for (const { place, detail } of rows) outcomes[place] = detail
  return outcomes
}
