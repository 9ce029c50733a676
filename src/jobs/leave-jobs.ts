// Takes a Void consignment out of the job that picks it. Open-points 4 (Void).

import type { ConsignmentFacts } from '../consignments/consignment.ts'
import { type EventSource, emit } from '../events/emit.ts'
import { sql, type Tx } from '../platform/database/db.ts'
import { EventType } from '../vocabulary/events.ts'
import { type JobFacts, jobEvent } from './job.ts'

/**
 * Takes a locked consignment out of the picking of its open job and emits event 302 for the job. The
 * consignment stays listed in the job.
 */
export async function leaveJobs(
  tx: Tx,
  source: EventSource,
  { organisationId, id, consignmentNumber }: ConsignmentFacts,
): Promise<void> {
  const jobs = await tx.rows<JobFacts>(sql`
    with freed as (
      update job_consignment set is_picking = false
      where organisation_id = ${organisationId} and consignment_id = ${id} and is_picking
      returning job_id
    )
    select j.id, j.job_number, j.warehouse_id, j.client_id, j.status
    from job j where j.organisation_id = ${organisationId} and j.id in (select job_id from freed)`)
  const changes = [{ field: 'consignments', from: [consignmentNumber], to: [] }]
  await emit(
    tx,
    source,
    jobs.map(job => jobEvent(EventType.JobUpdated, job, { changes })),
  )
}
