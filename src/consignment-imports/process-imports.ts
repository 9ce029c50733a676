// Turns imports into consignments. They are claimed in batches of one organisation and processed as a set in
// the transaction that claims them. If a worker dies, its connection closes and releases the batch; another
// worker takes it over at once, and the effect happens exactly once. Spec 3.

import { type Database, type Sql, sql, type Tx } from '../platform/database/db.ts'
import { isDatabaseUnavailable } from '../platform/database/errors.ts'
import { onHint } from '../platform/work/hints.ts'
import { startWorkLoop, type WorkLoop } from '../platform/work/work-loop.ts'
import type { WorkerContext } from '../platform/work/worker-context.ts'
import { sendToReconciliation } from '../waiting-imports/reconciliation.ts'
import { toFetchStatus } from './downloads/stored-downloads.ts'
import { describeImportFailure, isTransient } from './failure.ts'
import { type ClaimedImport, importColumns, importSource, processClaimed } from './process-claimed.ts'

/**
 * The maximum number of imports in a batch, and the size of requests in bytes after which none is added.
 */
const batchSize = 100
const batchBytes = 4 * 1_048_576
/** After this many failures, an import waits for a user. */
const maxAttempts = 3
/**
 * The maximum number of organisations that are served in parallel, so that one which is held up does not hold
 * up the others. They use at most half of the connections.
 */
const maxLoops = 4

/** Locks due imports of an organisation, longest due first. Skips imports that another worker has locked. */
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

/** Locks one import if it fulfils `condition`. */
const claimOne = (tx: Tx, organisationId: string, id: string, condition: Sql, lock = sql`for update`) =>
  tx.maybe<ClaimedImport>(sql`
    select ${importColumns} from consignment_import where organisation_id = ${organisationId} and id = ${id}
      and ${condition} ${lock}`)

/** Processes one batch of an organisation. Returns how many imports it claimed. */
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
      'a batch of imports failed; its imports are retried one by one',
    )
    for (const { id } of claimed) await processAlone(context, organisationId, id)
    return claimed.length
  }
}

const stillDue = sql`due_utc <= now() and download_status <> ${toFetchStatus}`

/**
 * Processes one import after its batch failed. Failures are counted in a transaction of their own, because
 * the failed one is rolled back. After the last attempt, the import waits for reconciliation.
 */
async function processAlone(
  { database, log }: WorkerContext,
  organisationId: string,
  id: string,
): Promise<void> {
  try {
    await database.atomically(async tx => {
      const claimed = await claimOne(tx, organisationId, id, stillDue, sql`for update skip locked`)
      if (claimed !== undefined) await processClaimed(tx, organisationId, [claimed])
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
      const claimed = await claimOne(tx, organisationId, id, sql`true`)
      if (claimed === undefined) return
      const reasons = [
        { kind: 'processing' as const, code: null, path: null, message: describeImportFailure(error) },
      ]
      const source = importSource(organisationId, claimed)
      await sendToReconciliation(tx, organisationId, [
        { ...claimed, clientCode: claimed.request.clientCode, carrierId: null, reasons, source },
      ])
    })
  }
}

const maxOrganisations = 100

const firstId = '00000000-0000-0000-0000-000000000000'

/**
 * The organisations after this one that have imports in the queue, each once. The query reads one index entry
 * for each organisation (a skip scan), so that a long queue costs no more than a short one.
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

/** The state of going round the organisations with imports due. */
export interface RoundRobin {
  /** organisations with a batch in progress in this process */
  readonly busyOrganisations: Set<string>
  /** the next search continues after this organisation */
  after: string
}

export const newRoundRobin = (): RoundRobin => ({ busyOrganisations: new Set(), after: firstId })

/**
 * Processes one batch of every organisation that has imports due, so that none waits behind another's long
 * queue. If there are many organisations, each call serves the next part of them. Skips organisations with a
 * batch in progress elsewhere in this process. Errors of organisations are thrown only after all have had
 * their turn. Returns true if there may be more to do.
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
  rounds.after = last ?? firstId
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

/** Processes imports as they arrive, on at most half of the `poolSize` connections that write. */
export function startImports(context: WorkerContext, poolSize: number): WorkLoop {
  const rounds = newRoundRobin()
  const start = () =>
    startWorkLoop({
      name: 'imports',
      log: context.log,
      pollMs: 250,
      step: stopping => processDueImports(context, stopping, rounds),
    })
  // The other loops serve imports that arrive while the first loop is held up. They are not woken by hints,
  // because they would only look for work that the first loop already has.
  const first = start()
  const others = Array.from({ length: Math.min(maxLoops, poolSize >> 1) - 1 }, start)
  const forget = onHint('imports', first.wake)
  return {
    ...first,
    async stop() {
      forget()
      await Promise.all([first, ...others].map(loop => loop.stop()))
    },
  }
}
