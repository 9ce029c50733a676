// Reading a consignment whole. Those that are asked for while others are being read share a statement,
// whoever's they are: to start the many parts of its plan is more than half of what reading a single one
// costs.

import { type Db, sql } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { batchCalls } from '../../platform/work/batch-calls.ts'
import { isOfPartner, visibleConsignments } from '../consignment.ts'

interface Asked {
  db: Db
  actor: Actor
  consignmentId: string
}

/** The JSON of a consignment; undefined where this actor sees none. */
type Detail = string | undefined

/** What became of one in a group: null where it is to be read alone. */
type Outcome = Detail | null

// One with more lines, items of them and notes takes long, and starting the plan is the least of it: nobody
// should wait for it.
const maxPartsShared = 50
const maxShared = 8

const gather = batchCalls<Asked, Outcome>({
  // A transaction reads for itself.
  key: ({ db }) => db,
  maxConcurrent: 4,
  maxCount: maxShared,
  maxWeight: maxShared,
  weight: () => 1,
  runBatch: async group => (group.length === 1 ? [await readAlone(group[0] as Asked)] : readShared(group)),
})

/** Returns the JSON of a consignment as its GET answers it; undefined where this actor sees none. */
export async function readDetail(db: Db, actor: Actor, consignmentId: string): Promise<Detail> {
  const asked = { db, actor, consignmentId }
  const outcome = await gather(asked)
  return outcome === null ? readAlone(asked) : outcome
}

async function readAlone({ db, actor, consignmentId }: Asked): Promise<Detail> {
  const found = await db.maybe<{ detail: string }>(sql`
    select c.detail::text as detail
    from consignment_detail(${actor.organisationId}, ${consignmentId}, ${actor.connectionId}) c
    where ${visibleConsignments(actor)}`)
  return found?.detail
}

async function readShared(group: readonly Asked[]): Promise<Outcome[]> {
  const asked = group.map(({ actor, consignmentId }, place) => ({
    place,
    organisation: actor.organisationId,
    consignment: consignmentId,
    connection: actor.connectionId,
    partner: actor.partnerId,
  }))
  // `offset 0` has each of them looked up by its keys, however many the planner expects.
  const rows = await (group[0] as Asked).db.rows<{ place: number; detail: string | null }>(sql`
    select a.place, c.detail::text as detail
    from json_to_recordset(${JSON.stringify(asked)})
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
        offset ${maxPartsShared}
      ) as is_large
      offset 0
    ) size
    left join lateral (
      select * from consignment_detail(a.organisation, a.consignment, a.connection)
      where not size.is_large
      offset 0
    ) c on true
    where size.is_large
      or (c.id is not null and (a.partner is null or ${isOfPartner(sql`a.partner`)}))`)
  const outcomes = new Array<Outcome>(group.length)
  for (const { place, detail } of rows) outcomes[place] = detail
  return outcomes
}
