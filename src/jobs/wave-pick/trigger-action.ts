// Requests an export of a wave pick by hand. Decision 6.

import { endpoint } from '../../access/endpoint.ts'
import { emit } from '../../events/emit.ts'
import { done } from '../../platform/http/endpoint.ts'
import { EventType } from '../../vocabulary/events.ts'
import { JobType } from '../../vocabulary/jobs.ts'
import { jobEvent, lockJob } from '../job.ts'

export const triggerWavePickAction = [
  endpoint({
    post: '/v1/jobs/:jobId/wave-pick/trigger-action',
    name: 'triggerWavePickAction',
    partners: 'none',
    scope: 'job',
    extension: true,
    summary: 'Ask for an export of a wave pick by hand',
    description:
      'Notifies the subscribers of JobConnectionActionManualTrigger (304). It is possible in every status ' +
      'and can be repeated.',
    response: done,
    async handle({ tx, actor, params, requestId }) {
      const job = await lockJob(tx, actor, params.jobId, JobType.WavePick)
      await emit(tx, { ...actor, requestId }, [jobEvent(EventType.JobConnectionActionManualTrigger, job)])
    },
  }),
]
