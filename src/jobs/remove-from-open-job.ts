// Takes a Void consignment out of the job that picks it.

import type { ConsignmentFacts } from '../consignments/consignment.ts'
import { type EventOrigin, emit } from '../events/emit.ts'
import { sql, type Tx } from '../platform/database/db.ts'
import { EventType } from '../vocabulary/events.ts'
import { endJobIfNothingLeft, lockOpenWaveOf } from './end-job.ts'
import { jobEvent } from './job.ts'

/**
 * Takes a locked consignment out of the picking of its open job and emits event 302 for the job. The
 * consignment stays listed in the job. A started job with nothing left to pick ends.
 */
export async function removeFromOpenJob(
  tx: Tx,
  source: EventOrigin,
  consignment: ConsignmentFacts,
): Promise<void> {
  const { organisationId, id, consignmentNumber } = consignment
  const job = await lockOpenWaveOf(tx, consignment)
  if (job === undefined) return
  const left = await tx.run(sql`
    update job_consignment set is_picking = false
    where organisation_id = ${organisationId} and consignment_id = ${id} and is_picking`)
  // The job may have ended while its lock was waited for.
  if (left === 0) return
  const changes = [{ field: 'consignments', from: [consignmentNumber], to: [] }]
  await emit(tx, source, [jobEvent(EventType.JobUpdated, job, { changes })])
  await endJobIfNothingLeft(tx, source, job)
}
