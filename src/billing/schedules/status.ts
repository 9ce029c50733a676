// The endpoint that approves a schedule, or makes it a Draft again. Spec 2.9, 3; decision 7.

import { endpoint } from '../../access/endpoint.ts'
import { changed } from '../../platform/http/endpoint.ts'
import { IntegerEnum, named, Type } from '../../platform/http/schema.ts'
import { ScheduleStatus } from '../../vocabulary/billing.ts'
import { lockSchedule } from './schedule.ts'
import { setScheduleStatus } from './set-schedule-status.ts'

export const scheduleStatus = [
  endpoint({
    put: '/v1/schedules/:partnerScheduleId/status',
    name: 'setScheduleStatus',
    canBeRehearsed: true,
    partners: 'none',
    scope: 'financial',
    extension: true,
    summary: 'Approve a schedule, or make it a Draft again',
    description: 'An Approved schedule cannot become a Draft again once a connection has exported it.',
    body: named('ScheduleStatusChange', Type.Object({ status: IntegerEnum(ScheduleStatus) })),
    response: changed,
    async handle({ tx, actor, params, body: { status }, requestId }) {
      const schedule = await lockSchedule(tx, actor, params.partnerScheduleId)
      return setScheduleStatus(tx, { ...actor, requestId }, schedule, status)
    },
  }),
]
