// Ends wave picks that have nothing left to pick because consignments left them or were picked by themselves.
// Spec 2.15.

import type { ConsignmentFacts } from '../consignments/consignment.ts'
import type { EventOrigin } from '../events/emit.ts'
import { sql, type Tx } from '../platform/database/db.ts'
import { JobStatus } from '../vocabulary/jobs.ts'
import { type JobFacts, moveJob } from './job.ts'
import { isStarted } from './job-status.ts'
import { hasOpenPicks } from './wave-pick/open-picks.ts'

/**
 * Locks the open wave that picks a locked consignment, if one does. Like all locks of jobs, this one must be
 * taken before stock is locked.
 */
export const lockOpenWaveOf = (
  tx: Tx,
  { organisationId, id }: Pick<ConsignmentFacts, 'organisationId' | 'id'>,
): Promise<JobFacts | undefined> =>
  tx.maybe<JobFacts>(sql`
    select j.id, j.job_number, j.warehouse_id, j.client_id, j.status
    from job_consignment m join job j on j.organisation_id = m.organisation_id and j.id = m.job_id
    where m.organisation_id = ${organisationId} and m.consignment_id = ${id} and m.is_picking
    for no key update of j`)

/**
 * Makes a locked wave that was started Complete if everything of its consignments is picked, and Cancelled if
 * no consignment is left in it.
 */
export async function endJobIfNothingLeft(tx: Tx, source: EventOrigin, job: JobFacts): Promise<void> {
  const { organisationId } = source
  if (!isStarted(job.status) || (await hasOpenPicks(tx, organisationId, job.id))) return
  const member = await tx.maybe(sql`
    select from job_consignment
    where organisation_id = ${organisationId} and job_id = ${job.id} and is_picking limit 1`)
  await moveJob(tx, source, job, member === undefined ? JobStatus.Cancelled : JobStatus.Complete)
}
