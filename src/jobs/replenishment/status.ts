// Moving a replenishment to another status. Spec 2.15, 3; decision 2.

import { endpoint } from '../../access/endpoint.ts'
import { sql } from '../../platform/database/db.ts'
import { changed } from '../../platform/http/endpoint.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import { JobType, ReplenishmentLineStatus } from '../../vocabulary/jobs.ts'
import { JobStatusChange, lockJob, moveJob } from '../job.ts'
import { isFinal, jobStatusRefusal } from '../job-status.ts'

const { Open, Short, Cancelled } = ReplenishmentLineStatus

export const replenishmentStatus = [
  endpoint({
    put: '/v1/jobs/:jobId/replenishment/status',
    name: 'setReplenishmentStatus',
    canBeRehearsed: true,
    partners: 'none',
    scope: 'job',
    extension: true,
    summary: 'Move a replenishment to another status',
    description:
      'An open job (Draft, ReadyToStart or InProgress) can be moved to any status, but a Draft not to ' +
      'Complete. Complete and Cancelled ' +
      'are final: lines that are still open become Short if some of their goods were moved, and Cancelled ' +
      'if none were.',
    body: JobStatusChange,
    response: changed,
    async handle({ tx, actor, params, body: { status }, requestId }) {
      const job = await lockJob(tx, actor, params.jobId, JobType.Replenishment)
      if (status === job.status) return false
      const refusal = jobStatusRefusal(job.status, status)
      if (refusal !== null) throw verificationFailed(refusal)
      if (isFinal(status))
        await tx.run(sql`
          update replenishment_line
          set status = case when moved_quantity > 0 then ${Short}::smallint else ${Cancelled}::smallint end
          where organisation_id = ${actor.organisationId} and job_id = ${job.id} and status = ${Open}`)
      await moveJob(tx, { ...actor, requestId }, job, status)
      return true
    },
  }),
]
