// Freezes the charge inputs of consignments that were Closed by an older version of the service, which froze
// none, so that rate cards can be tested on them. Their charges were entered by hand and stay unchanged; no
// rate card charges them. Open-points 7.

import { nilId } from '../../consignments/list/filters.ts'
import { type Database, type Sql, sql, type Tx } from '../../platform/database/db.ts'
import { isDatabaseUnavailable } from '../../platform/database/errors.ts'
import { startWorkLoop, type WorkLoop } from '../../platform/work/work-loop.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'
import { ConsignmentStatus } from '../../vocabulary/consignments.ts'
import { noEvaluator } from '../evaluator/evaluate.ts'
import { readSubjects } from './charge-inputs.ts'
import { freezeInputs, readSources } from './freeze-charges.ts'

/** How many consignments one step examines. */
const scanBatchSize = 2_000
/** How many consignments one transaction freezes at most. */
const freezeBatchSize = 200
/** The scan is repeated because an older process on the same database keeps closing consignments. */
const scanIntervalMs = 3_600_000

// A literal, so that the plan of a statement does not depend on a parameter.
const closed: Sql = sql`${ConsignmentStatus.Closed}::smallint`

/** The position of the scan through all consignments. */
interface ScanPosition {
  organisationId: string
  number: number
}

interface ScanResult {
  /** where the next step continues; null at the end of the scan */
  last: ScanPosition | null
  ids: { organisationId: string; id: string }[]
}

const start: ScanPosition = { organisationId: nilId, number: 0 }

/** Finds Closed consignments without frozen inputs among those after a position. */
const scan = ({ db }: Database, { organisationId, number }: ScanPosition): Promise<ScanResult> =>
  db.row<ScanResult>(sql`
    with scanned as materialized (
      select organisation_id, number, status from consignment_listing
      where identity_connection_id = ${nilId} and (organisation_id, number) > (${organisationId}, ${number})
      order by organisation_id, number limit ${scanBatchSize}
    )
    select (
        select json_build_object('organisationId', organisation_id, 'number', number) from scanned
        order by organisation_id desc, number desc limit 1
      ) as last, (
        select coalesce(json_agg(json_build_object('organisationId', c.organisation_id, 'id', c.id)), '[]')
        from scanned
        join consignment c on c.organisation_id = scanned.organisation_id and c.number = scanned.number
        where scanned.status = ${closed} and not exists (
          select from charge_input i
          where i.organisation_id = c.organisation_id and i.consignment_id = c.id
        )
      ) as ids`)

/**
 * Freezes those of the consignments that, once locked, are still Closed and without frozen inputs. Returns
 * how many. Consignments locked by another transaction are left for the next scan: the row lock serves as the
 * claim, and ends with its transaction.
 */
async function freezeLocked(tx: Tx, organisationId: string, ids: readonly string[]): Promise<number> {
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
    clientCard: null,
    carrierCard: null,
    originLocalityIds: [],
    destinationLocalityIds: [],
  }
  const toFreeze = subjects
    .filter(({ closings }) => closings === 0)
    .map(subject => ({ subject: { ...subject, ...withoutCard }, sources: sources.get(subject.id) }))
  await freezeInputs(tx, organisationId, toFreeze, noEvaluator)
  return toFreeze.length
}

type Context = Pick<WorkerContext, 'database' | 'log'>

/**
 * Freezes consignments in one transaction. If that fails, freezes each by itself, so that one that cannot be
 * frozen keeps no other from it; those that fail are logged, and tried again by the next scan.
 */
async function freezeBatch(
  { database, log }: Context,
  organisationId: string,
  ids: string[],
): Promise<number> {
  const freeze = (some: string[]) => database.atomically(tx => freezeLocked(tx, organisationId, some))
  try {
    return await freeze(ids)
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
  }
  let frozen = 0
  for (const id of ids) {
    try {
      frozen += await freeze([id])
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error
      const about = { err: error, organisationId, consignmentId: id }
      log.error(about, 'the inputs of a consignment that was Closed earlier could not be frozen')
    }
  }
  return frozen
}

/** Does one step of the scan. Returns where the next one continues, and how many consignments were frozen. */
export async function backfillBatch(
  context: Context,
  position: ScanPosition = start,
): Promise<{ last: ScanPosition | null; frozen: number }> {
  const { last, ids } = await scan(context.database, position)
  let frozen = 0
  for (const [organisationId, found] of Map.groupBy(ids, row => row.organisationId)) {
    for (let at = 0; at < found.length; at += freezeBatchSize) {
      const batch = found.slice(at, at + freezeBatchSize).map(({ id }) => id)
      frozen += await freezeBatch(context, organisationId, batch)
    }
  }
  return { last, frozen }
}

/** Starts the loop that scans all consignments at its start and every hour. */
export function startInputBackfill(context: WorkerContext): WorkLoop {
  let position = start
  return startWorkLoop({
    name: 'inputs of earlier closings',
    log: context.log,
    pollMs: scanIntervalMs,
    async step() {
      const { last } = await backfillBatch(context, position)
      position = last ?? start
      return last !== null
    },
  })
}
