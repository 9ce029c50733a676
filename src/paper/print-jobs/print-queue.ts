// The print job table as a queue: first in, first out for each printer, one job at a time. A claim starts a
// numbered lease, and a bridge whose lease has ended can no longer change the job.

import { type Sql, sql, type Tx } from '../../platform/database/db.ts'
import { IntegerEnum, named, nullable, type Static, Type, Uuid } from '../../platform/http/schema.ts'
import { Orientation, PrintJobPhase, PrintJobStatus } from '../../vocabulary/paper.ts'
import { SetUpStatus } from '../../vocabulary/reference-data.ts'

const { Pending, InProgress } = PrintJobStatus

/** How long a bridge holds a job without reporting progress. */
const leaseSeconds = 60

/** The end of a lease that starts or is renewed now. */
export const leaseEnd = sql`now() + ${leaseSeconds}::int * interval '1 second'`

/** Identifies a bridge. */
export interface BridgeKey {
  organisationId: string
  id: string
}

/** A job that a bridge has claimed. The bridge downloads its bytes separately. */
export const ClaimedPrintJob = named(
  'ClaimedPrintJob',
  Type.Object({
    printJobId: Uuid,
    leaseNumber: Type.Integer({ description: 'Must accompany every progress report on the job.' }),
    printerName: Type.String(),
    name: Type.String(),
    contentType: Type.String(),
    sha256: Type.String({ description: 'SHA-256 of the content, in base64.' }),
    copies: Type.Integer({ description: 'How often to send it; 1 for ZPL, which contains its copies.' }),
    orientation: nullable(IntegerEnum(Orientation)),
    media: nullable(Type.String()),
  }),
)
export type ClaimedPrintJob = Static<typeof ClaimedPrintJob>

/** The state of a printer, as its bridge reports it with each claim. */
export interface ReportedPrinter {
  name: string
  isReachable: boolean
  reason?: string | null
}

/**
 * For each printer `p` of the bridge, the job `next` that can be claimed now. A printer has one job at a
 * time, and no job overtakes another: while the first waits after a refusal, the jobs behind it wait too.
 */
const nextJobs = ({ organisationId, id }: BridgeKey): Sql => sql`printer p
  cross join lateral (
    select j.organisation_id, j.id, j.created_utc, j.due_utc from print_job j
    where j.organisation_id = p.organisation_id and j.printer_id = p.id and j.status = ${Pending}
      and j.expires_utc > now()
    order by j.created_utc, j.id limit 1
  ) next
  where p.organisation_id = ${organisationId} and p.printer_bridge_id = ${id}
    and p.status = ${SetUpStatus.Active} and p.is_reachable and next.due_utc <= now()
    and not exists (
      select from print_job j
      where j.organisation_id = p.organisation_id and j.printer_id = p.id and j.status = ${InProgress})`

/** Selects `has_work`: whether a claim would find a job. Waiting claims poll it. */
export const selectHasWork = (bridge: BridgeKey): Sql =>
  sql`select exists (select from ${nextJobs(bridge)}) as has_work`

/** Records that a bridge is alive, and the states that it reports for its printers. */
export async function recordHeartbeat(
  tx: Tx,
  { organisationId, id }: BridgeKey,
  printers: readonly ReportedPrinter[],
): Promise<void> {
  // This row lock also serialises the claims of one bridge, so each sees what the one before has taken.
  const heartbeat = tx.run(sql`
    update printer_bridge set last_seen_utc = now() where organisation_id = ${organisationId} and id = ${id}`)
  const states = printers.length > 0 && recordPrinterStates(tx, { organisationId, id }, printers)
  await Promise.all([heartbeat, states])
}

const recordPrinterStates = (
  tx: Tx,
  { organisationId, id }: BridgeKey,
  printers: readonly ReportedPrinter[],
): Promise<number> =>
  tx.run(sql`
    update printer p
    set is_reachable = r."isReachable", reason = case when not r."isReachable" then r.reason end
    from json_to_recordset(${JSON.stringify(printers)})
      as r (name text, "isReachable" boolean, reason text)
    where p.organisation_id = ${organisationId} and p.printer_bridge_id = ${id}
      and lower(p.name) = lower(r.name)
      and (p.is_reachable, p.reason)
        is distinct from (r."isReachable", case when not r."isReachable" then r.reason end)`)

/**
 * Claims the next jobs for a bridge, at most `max`. Must run in the transaction of `recordHeartbeat` and be
 * sent after it.
 */
export const claimJobs = (tx: Tx, bridge: BridgeKey, max: number): Promise<ClaimedPrintJob[]> =>
  tx.rows(sql`
    update print_job j set status = ${InProgress}, phase = ${PrintJobPhase.Claimed},
      lease_number = j.lease_number + 1, printer_bridge_id = ${bridge.id}, due_utc = ${leaseEnd}
    from (
      select next.organisation_id, next.id, p.name as printer_name from ${nextJobs(bridge)}
      order by next.created_utc, next.id limit ${max}
    ) taken
    where j.organisation_id = taken.organisation_id and j.id = taken.id and j.status = ${Pending}
    returning j.id as print_job_id, j.lease_number, taken.printer_name, j.name, j.content_type,
      encode(j.content_sha256, 'base64') as sha256,
      case when j.content_type = 'application/zpl' then 1 else j.copies end as copies, j.orientation,
      j.media`)

/** The assignments that return a job to the queue and end its lease. */
export const requeueFields = sql`status = ${Pending}, phase = ${PrintJobPhase.Waiting},
  lease_number = lease_number + 1`

/** Returns jobs to the queue that were claimed for a request whose client had already disconnected. */
export const returnJobs = (
  tx: Tx,
  { organisationId }: BridgeKey,
  jobs: readonly ClaimedPrintJob[],
): Promise<number> =>
  tx.run(sql`
    update print_job j set ${requeueFields}, due_utc = now()
    from json_to_recordset(${JSON.stringify(jobs)}) as r ("printJobId" uuid, "leaseNumber" int)
    where j.organisation_id = ${organisationId} and j.id = r."printJobId"
      and j.lease_number = r."leaseNumber" and j.status = ${InProgress}`)

/** How many attempts a job records at most. */
const maxAttempts = 100

/**
 * The assignment that appends an attempt, ending now, to a `print_job`. The first attempt and the latest are
 * kept, because a printer may refuse a job every minute for days.
 */
export const addAttempt = (result: Sql, phase: Sql, message: string | null): Sql => sql`
  attempts = case when jsonb_array_length(attempts) < ${maxAttempts} then attempts else attempts - 1 end
    || jsonb_build_array(jsonb_build_object(
      'atUtc', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'printerName', (select p.name from printer p
        where p.organisation_id = print_job.organisation_id and p.id = print_job.printer_id),
      'result', ${result}, 'phase', ${phase}, 'message', ${message}::text))`
