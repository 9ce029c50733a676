// Requests an export of a schedule by hand. Decision 6.

import { endpoint } from '../../access/endpoint.ts'
import { emit } from '../../events/emit.ts'
import { done } from '../../platform/http/endpoint.ts'
import { EventType } from '../../vocabulary/events.ts'
import { lockSchedule, scheduleEvent } from './schedule.ts'

export const triggerScheduleAction = [
  endpoint({
    post: '/v1/schedules/:partnerScheduleId/trigger-action',
    name: 'triggerScheduleAction',
    partners: 'none',
    scope: 'financial',
    extension: true,
    summary: 'Request an export of a schedule by hand',
    description:
      'Subscribers of PartnerScheduleConnectionActionManualTrigger (206) are notified, and report back ' +
      'with POST …/exported. Possible in every status, and repeatedly.',
    response: done,
    async handle({ tx, actor, params, requestId }) {
      const schedule = await lockSchedule(tx, actor, params.partnerScheduleId)
      await emit(tx, { ...actor, requestId }, [
        scheduleEvent(EventType.PartnerScheduleConnectionActionManualTrigger, schedule),
      ])
    },
  }),
]
