// Freezes what consignments were charged by that were Closed by a version of the service that froze nothing,
// so that rate cards can be tried on them. No card charged them: their charges, which somebody entered, stay
// as they are, and nothing of them is charged anew. Open-points 7.

import { ConsignmentStatus } from '../../consignments/enumerations.ts'
import { nilId } from '../../consignments/list/filters.ts'
import { type Database, type Sql, sql, type Tx } from '../../platform/database/db.ts'
import { startWorkLoop, type WorkLoop } from '../../platform/work/work-loop.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'
import { noEvaluator } from '../rate-cards/evaluate.ts'
import { readSubjects } from './charge-inputs.ts'
import { freezeInputs, readSources } from './freeze-charges.ts'

/** So many consignments are looked at in a step, and so many of them frozen in a transaction at most. */
const lookedAt = 2_000
const frozenAtOnce = 200
/** While processes of two versions serve one database, the older one goes on closing. */
const betweenWalksMs = 3_600_000

// As a literal, so that what is planned does not depend on it.
const closed: Sql = sql`${ConsignmentStatus.Closed}::smallint`

/** Where a walk through all consignments has come to. */
interface Position {
  organisationId: string
  number: number
}

interface Found {
  /** null: the walk has come to its end */
  last: Position | null
  ids: { organisationId: string; id: string }[]
}

const start: Position = { organisationId: nilId, number: 0 }

/** Looks at the consignments behind a position for those that are Closed with nothing frozen. */
const look = ({ db }: Database, { organisationId, number }: Position): Promise<Found> =>
  db.row<Found>(sql`
    with seen as materialized (
      select organisation_id, number, status from consignment_listing
      where identity_connection_id = ${nilId} and (organisation_id, number) > (${organisationId}, ${number})
      order by organisation_id, number limit ${lookedAt}
    )
    select (
        select json_build_object('organisationId', organisation_id, 'number', number) from seen
        order by organisation_id desc, number desc limit 1
      ) as last, (
        select coalesce(json_agg(json_build_object('organisationId', c.organisation_id, 'id', c.id)), '[]')
        from seen
        join consignment c on c.organisation_id = seen.organisation_id and c.number = seen.number
        where seen.status = ${closed} and not exists (
          select from charge_input i
          where i.organisation_id = c.organisation_id and i.consignment_id = c.id
        )
      ) as ids`)

/**
 * Freezes those of the consignments that are Closed and have nothing frozen now that they are locked. Those
 * that somebody else holds are left for the next walk: a lock is the claim, and ends with whoever has it.
 */
async function freezeSome(tx: Tx, organisationId: string, ids: readonly string[]): Promise<number> {
  const locked = await tx.rows<{ id: string }>(sql`
    select id from consignment
    where organisation_id = ${organisationId} and id = any(${ids}) and status = ${closed}
    order by id for no key update skip locked`)
  const lockedIds = locked.map(({ id }) => id)
  const where = sql`c.organisation_id = ${organisationId} and c.id = any(${lockedIds})`
  const [subjects, sources] = await Promise.all([
    readSubjects(tx, { where, closingDate: sql`c.closed_transaction_date` }),
    readSources(tx, organisationId, lockedIds),
  ])
  const withoutCard = {
    ...{ clientCard: null, carrierCard: null, originLocalityIds: [], destinationLocalityIds: [] },
  }
  const unfrozen = subjects
    .filter(({ closings }) => closings === 0)
    .map(subject => ({ subject: { ...subject, ...withoutCard }, sources: sources.get(subject.id) }))
  await freezeInputs(tx, organisationId, unfrozen, noEvaluator)
  return unfrozen.length
}

/** Freezes what a step of the walk finds. Returns where it has come to, and how many were frozen. */
export async function backfillBatch(
  database: Database,
  position: Position = start,
): Promise<{ last: Position | null; frozen: number }> {
  const { last, ids } = await look(database, position)
  let frozen = 0
  for (const [organisationId, its] of Map.groupBy(ids, one => one.organisationId)) {
    for (let at = 0; at < its.length; at += frozenAtOnce) {
      const some = its.slice(at, at + frozenAtOnce).map(({ id }) => id)
      frozen += await database.atomically(tx => freezeSome(tx, organisationId, some))
    }
  }
  return { last, frozen }
}

/** Starts the loop, which walks through all consignments once at its start and every hour. */
export function startInputBackfill({ database, log }: WorkerContext): WorkLoop {
  let position = start
  return startWorkLoop({
    name: 'inputs of earlier closings',
    log,
    pollMs: betweenWalksMs,
    async step() {
      const { last } = await backfillBatch(database, position)
      position = last ?? start
      return last !== null
    },
  })
}
