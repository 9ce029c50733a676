// Imports become consignments: claimed in batches of one organisation and processed as a set, inside the
// transaction that claims them. A worker that dies lets go of its batch with its connection; another takes it
// over at once, and the effect is there exactly once. Spec 3; design 6.

import { type Database, type Sql, sql, type Tx } from '../platform/database/db.ts'
import { isDatabaseUnavailable } from '../platform/database/errors.ts'
import { onHint } from '../platform/work/hints.ts'
import { startWorkLoop, type WorkLoop } from '../platform/work/work-loop.ts'
import type { WorkerContext } from '../platform/work/worker-context.ts'
import { toFetchStatus } from './downloads/stored-downloads.ts'
import { describeFailure, isTransient } from './failure.ts'
import { type ClaimedImport, importColumns, processClaimed, sourceOf } from './process-claimed.ts'
import { sendToReconciliation } from './waiting/reconciliation.ts'

/** Imports of one batch, and the bytes of requests after which it takes no more. */
const batchSize = 100
const batchBytes = 4 * 1_048_576
/** An import that fails so often is left to a person. */
const maxAttempts = 3
/**
 * So many organisations are served side by side, where half of the connections are enough: one that is held
 * up must not hold up the others.
 */
const maxLanes = 4

/**
 * Holds due imports of an organisation, the longest due first; those that another worker holds are passed
 * over.
 */
const claim = (tx: Tx, organisationId: string): Promise<ClaimedImport[]> =>
  tx.rows<ClaimedImport>(sql`
    select ${importColumns} from (
      select *, sum(pg_column_size(request)) over (order by due_utc, id) - pg_column_size(request)
        as bytes_before
      from (
        select * from consignment_import
        where organisation_id = ${organisationId} and due_utc <= now() and download_status <> ${toFetchStatus}
        order by due_utc limit ${batchSize} for update skip locked
      ) due
    ) measured
    where bytes_before < ${batchBytes} order by due_utc, id`)

/** Holds one import if `condition` holds for it. */
const claimOne = (tx: Tx, organisationId: string, id: string, condition: Sql, lock = sql`for update`) =>
  tx.maybe<ClaimedImport>(sql`
    select ${importColumns} from consignment_import where organisation_id = ${organisationId} and id = ${id}
      and ${condition} ${lock}`)

/** One batch of an organisation. Returns how many imports it claimed. */
async function processBatch(context: WorkerContext, organisationId: string): Promise<number> {
  const { database, log } = context
  let claimed: ClaimedImport[] = []
  try {
    return await database.atomically(async tx => {
      claimed = await claim(tx, organisationId)
      if (claimed.length > 0) await processClaimed(tx, organisationId, claimed)
      return claimed.length
    })
  } catch (error) {
    if (claimed.length === 0 || isTransient(error)) throw error
    log.warn(
      { err: error, organisationId, imports: claimed.length },
      'a batch of imports failed and is tried one by one',
    )
    for (const { id } of claimed) await processAlone(context, organisationId, id)
    return claimed.length
  }
}

const stillDue = sql`due_utc <= now() and download_status <> ${toFetchStatus}`

/**
 * An import whose batch failed. Its failures are counted apart from what they undo; the last one leaves it
 * waiting.
 */
async function processAlone(
  { database, log }: WorkerContext,
  organisationId: string,
  id: string,
): Promise<void> {
  try {
    await database.atomically(async tx => {
      const one = await claimOne(tx, organisationId, id, stillDue, sql`for update skip locked`)
      if (one !== undefined) await processClaimed(tx, organisationId, [one])
    })
  } catch (error) {
    if (isTransient(error)) throw error
    log.error({ err: error, organisationId, importId: id }, 'an import failed')
    await database.atomically(async tx => {
      const attempts = await tx.maybe<{ attempts: number }>(sql`
        update consignment_import set attempts = attempts + 1, due_utc = now()
          + attempts * interval '1 second'
        where organisation_id = ${organisationId} and id = ${id} and ${stillDue} returning attempts`)
      if ((attempts?.attempts ?? 0) < maxAttempts) return
      const one = await claimOne(tx, organisationId, id, sql`true`)
      if (one === undefined) return
      const reasons = [
        { kind: 'processing' as const, code: null, path: null, message: describeFailure(error) },
      ]
      const source = sourceOf(organisationId, one)
      await sendToReconciliation(tx, organisationId, [
        { ...one, clientCode: one.request.clientCode, carrierId: null, reasons, source },
      ])
    })
  }
}

/** The organisations of one look for work. */
const maxOrganisations = 100

const beginning = '00000000-0000-0000-0000-000000000000'

/**
 * Organisations after this one that have imports due, each once. The index is skipped through, so that a long
 * queue costs no more than a short one.
 */
const organisationsWithWork = (database: Database, after: string) =>
  database.db.rows<{ organisationId: string }>(sql`
    with recursive due (organisation_id) as (
      (select organisation_id from consignment_import
        where due_utc is not null and organisation_id > ${after} order by organisation_id limit 1)
      union all
      select (select organisation_id from consignment_import where due_utc is not null
        and organisation_id > due.organisation_id
        order by organisation_id limit 1)
      from due where due.organisation_id is not null
    )
    select organisation_id from due where organisation_id is not null limit ${maxOrganisations}`)

/** Going round the organisations with imports due. */
export interface RoundRobin {
  /** organisations whose batch is under way in this process */
  readonly busyOrganisations: Set<string>
  /** where the next look goes on: after this organisation */
  after: string
}

/** Rounds at their beginning. */
export const newRoundRobin = (): RoundRobin => ({ busyOrganisations: new Set(), after: beginning })

/**
 * One batch of every organisation that has imports due, so that nobody waits behind another's long queue; of
 * some of them where they are many, the next time of those behind. Passes over those whose batch is under
 * way elsewhere in this process, and throws what stopped an organisation only after all have had their turn.
 * True: there may be more.
 */
export async function processDueImports(
  context: WorkerContext,
  stopping?: AbortSignal,
  rounds = newRoundRobin(),
): Promise<boolean> {
  const { busyOrganisations } = rounds
  let count = 0
  const failures: unknown[] = []
  const due = await organisationsWithWork(context.database, rounds.after)
  const last = due.length === maxOrganisations ? due.at(-1)?.organisationId : undefined
  rounds.after = last ?? beginning
  for (const { organisationId } of due) {
    if (stopping?.aborted) break
    if (busyOrganisations.has(organisationId)) continue
    busyOrganisations.add(organisationId)
    try {
      count += await processBatch(context, organisationId)
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error
      failures.push(error)
    } finally {
      busyOrganisations.delete(organisationId)
    }
  }
  if (failures.length > 1)
    throw new AggregateError(
      failures,
      `The imports of ${failures.length} organisations could not be processed.`,
    )
  if (failures.length > 0) throw failures[0]
  return count > 0 || last !== undefined
}

/** Processes imports as they come, on at most half of the `poolSize` connections that write. */
export function startImports(context: WorkerContext, poolSize: number): WorkLoop {
  const rounds = newRoundRobin()
  const start = () =>
    startWorkLoop({
      name: 'imports',
      log: context.log,
      pollMs: 250,
      step: stopping => processDueImports(context, stopping, rounds),
    })
  // The others are for what comes while the first is held up; hints would only have them look for what it
  // already has.
  const first = start()
  const others = Array.from({ length: Math.min(maxLanes, poolSize >> 1) - 1 }, start)
  const forget = onHint('imports', first.wake)
  return {
    ...first,
    async stop() {
      forget()
      await Promise.all([first, ...others].map(loop => loop.stop()))
    },
  }
}
