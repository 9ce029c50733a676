// The table of print jobs as a queue: first in, first out at each printer, one job at a time, under a lease
// with a number. What a bridge does not hold any more it cannot change.

import { type Sql, sql, type Tx } from '../../platform/database/db.ts'
import { IntegerEnum, named, nullable, type Static, Type, Uuid } from '../../platform/http/schema.ts'
import { SetUpStatus } from '../../reference-data/enumerations.ts'
import { Orientation } from '../enumerations.ts'
import { PrintJobPhase, PrintJobStatus } from './enumerations.ts'

const { Pending, InProgress } = PrintJobStatus

/** How long a bridge holds a job that it does not speak of. */
const leaseSeconds = 60

/** The end of a lease that begins now. */
export const leaseEnd = sql`now() + ${leaseSeconds}::int * interval '1 second'`

/** A bridge of an organisation. */
export interface BridgeKey {
  organisationId: string
  id: string
}

/** A job that a bridge has been given. Its bytes are fetched by themselves. */
export const ClaimedPrintJob = named(
  'ClaimedPrintJob',
  Type.Object({
    printJobId: Uuid,
    leaseNumber: Type.Integer({ description: 'Goes with everything that is said of the job.' }),
    printerName: Type.String(),
    name: Type.String(),
    contentType: Type.String(),
    sha256: Type.String({ description: 'Of the bytes, in base64.' }),
    copies: Type.Integer(),
    orientation: nullable(IntegerEnum(Orientation)),
    media: nullable(Type.String()),
  }),
)
export type ClaimedPrintJob = Static<typeof ClaimedPrintJob>

/** What a bridge says of a printer each time it asks for work. */
export interface ReportedPrinter {
  name: string
  isReachable: boolean
  reason?: string | null
}

/**
 * The next job `next` of each printer `p` of the bridge that can be given out now. A printer has one at a
 * time, and none overtakes another: while the first waits after a refusal, so do those behind it.
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

/** Whether a claim would find something: what a bridge that waits is looked after by. */
export const isWorkThere = (bridge: BridgeKey): Sql =>
  sql`select exists (select from ${nextJobs(bridge)}) as is_there`

/** Notes that a bridge is there, and what it says of its printers. */
export async function noteSeen(
  tx: Tx,
  { organisationId, id }: BridgeKey,
  printers: readonly ReportedPrinter[],
): Promise<void> {
  // Also the lock by which claims of one bridge come one after the other, each seeing what was taken before.
  const seen = tx.run(sql`
    update printer_bridge set last_seen_utc = now() where organisation_id = ${organisationId} and id = ${id}`)
  const told = printers.length > 0 && noteStates(tx, { organisationId, id }, printers)
  await Promise.all([seen, told])
}

const noteStates = (
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

/** Gives a bridge its next jobs, at most `max`. To be sent behind `noteSeen`, in its transaction. */
export const claimJobs = (tx: Tx, bridge: BridgeKey, max: number): Promise<ClaimedPrintJob[]> =>
  tx.rows(sql`
    update print_job j set status = ${InProgress}, phase = ${PrintJobPhase.Claimed},
      lease_number = j.lease_number + 1, printer_bridge_id = ${bridge.id}, due_utc = ${leaseEnd}
    from (
      select next.organisation_id, next.id, p.name as printer_name from ${nextJobs(bridge)}
      order by next.created_utc, next.id limit ${max}
    ) taken
    where j.organisation_id = taken.organisation_id and j.id = taken.id and j.status = ${Pending}
    returning j.id as print_job_id, j.lease_number, taken.printer_name, j.name, j.content_type, j.sha256,
      j.copies, j.orientation, j.media`)

/** What a job becomes that goes back into the queue, whoever held it. */
export const backInQueue = sql`status = ${Pending}, phase = ${PrintJobPhase.Waiting},
  lease_number = lease_number + 1`

/** Puts jobs back that were claimed for a bridge which did not wait for the answer. */
export const giveBack = (
  tx: Tx,
  { organisationId }: BridgeKey,
  jobs: readonly ClaimedPrintJob[],
): Promise<number> =>
  tx.run(sql`
    update print_job j set ${backInQueue}, due_utc = now()
    from json_to_recordset(${JSON.stringify(jobs)}) as r ("printJobId" uuid, "leaseNumber" int)
    where j.organisation_id = ${organisationId} and j.id = r."printJobId"
      and j.lease_number = r."leaseNumber" and j.status = ${InProgress}`)
