// Moving a wave pick to another status. Spec 2.15, 3; open-points 2.

import { emit } from '../../events/emit.ts'
import { EventType } from '../../events/event.ts'
import { sql } from '../../platform/database/db.ts'
import { changed, endpoint } from '../../platform/http/endpoint.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import { IntegerEnum, named, Type } from '../../platform/http/schema.ts'
import { JobStatus } from '../enumerations.ts'
import { jobEvent, lockWavePick } from '../job.ts'
import { isEnd, refusalOfMove } from '../job-status.ts'

export const wavePickStatus = [
  endpoint({
    put: '/v1/jobs/:jobId/wave-pick/status',
    name: 'setWavePickStatus',
    partners: 'none',
    scope: 'job',
    extension: true,
    summary: 'Move a wave pick to another status',
    description:
      'Draft, ReadyToStart and InProgress lead to each other, and each of them to Complete and to ' +
      'Cancelled, which are final and set the consignments free for other jobs.',
    body: named('JobStatusChange', Type.Object({ status: IntegerEnum(JobStatus) })),
    answer: changed,
    async handle({ tx, actor, params, body: { status }, requestId }) {
      const job = await lockWavePick(tx, actor, params.jobId)
      if (status === job.status) return false
      const refusal = refusalOfMove(job.status, status)
      if (refusal !== null) throw verificationFailed(refusal)
      await tx.run(
        sql`update job set status = ${status}
          where organisation_id = ${actor.organisationId} and id = ${job.id}`,
      )
      if (isEnd(status)) {
        await tx.run(sql`
          update job_consignment set is_picking = false
          where organisation_id = ${actor.organisationId} and job_id = ${job.id} and is_picking`)
      }
      const changes = [{ field: 'status', from: job.status, to: status }]
      const event = jobEvent(
        EventType.JobStatusUpdated,
        { ...job, status },
        { previousStatus: job.status, changes },
      )
      await emit(tx, { ...actor, requestId }, [event])
      return true
    },
  }),
]
