// Locks a wave pick with the consignments that it picks. Lock order: consignments by id, then the job, then
// stock.

import type { Actor } from '../../access/actor.ts'
import { type LockedConsignment, lockConsignments } from '../../consignments/consignment.ts'
import type { LockedOutwardsConsignment } from '../../floor/picking/outwards-consignment.ts'
import { sql, type Tx } from '../../platform/database/db.ts'
import { TransactionRestart } from '../../platform/database/errors.ts'
import { JobType } from '../../vocabulary/jobs.ts'
import { type LockedJob, lockJob } from '../job.ts'

/**
 * Locks a wave pick and the consignments that it picks, and returns them in the order of their positions.
 * Throws 404 if the actor can see no such job. Restarts the transaction if a consignment was added meanwhile.
 */
export async function lockWavePick(
  tx: Tx,
  actor: Actor,
  jobId: string,
): Promise<{ job: LockedJob; members: LockedOutwardsConsignment[] }> {
  const { organisationId } = actor
  const readIds = async () =>
    (
      await tx.rows<{ id: string }>(sql`
        select consignment_id as id from job_consignment
        where organisation_id = ${organisationId} and job_id = ${jobId} and is_picking
        order by position`)
    ).map(({ id }) => id)
  const locked = await lockConsignments(tx, organisationId, await readIds())
  const job = await lockJob(tx, actor, jobId, JobType.WavePick)
  const byId = new Map(locked.map(consignment => [consignment.id, consignment]))
  const members = (await readIds()).map(id => {
    const member = byId.get(id)
    if (member === undefined) throw new TransactionRestart()
    return member
  })
  return {
    job,
    members: members.filter((member): member is LockedOutwardsConsignment => leavesFrom(member, job)),
  }
}

const leavesFrom = ({ warehouseId }: LockedConsignment, job: LockedJob) => warehouseId === job.warehouseId
