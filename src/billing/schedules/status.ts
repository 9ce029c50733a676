// Approving a schedule, and making it a Draft again. Spec 2.9, 3; open-points 7.

import { emit } from '../../events/emit.ts'
import { EventType } from '../../events/event.ts'
import { sql } from '../../platform/database/db.ts'
import { changed, endpoint } from '../../platform/http/endpoint.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import { IntegerEnum, named, Type } from '../../platform/http/schema.ts'
import { ScheduleStatus } from '../enumerations.ts'
import { lockSchedule, scheduleEvent } from './schedule.ts'

export const scheduleStatus = [
  endpoint({
    put: '/v1/schedules/:partnerScheduleId/status',
    name: 'setScheduleStatus',
    partners: 'none',
    scope: 'financial',
    extension: true,
    summary: 'Approve a schedule, or make it a Draft again',
    description: 'An Approved schedule that a connection has exported stays Approved.',
    body: named('ScheduleStatusChange', Type.Object({ status: IntegerEnum(ScheduleStatus) })),
    answer: changed,
    async handle({ tx, actor, params, body: { status }, requestId }) {
      const schedule = await lockSchedule(tx, actor, params.partnerScheduleId)
      if (schedule.status === status) return false
      const { organisationId, id } = schedule
      if (status === ScheduleStatus.Draft && schedule.isExported) {
        throw verificationFailed('The schedule cannot become a Draft again: it was exported.')
      }
      await tx.run(
        sql`update partner_schedule set status = ${status}
          where organisation_id = ${organisationId} and id = ${id}`,
      )
      const changes = [{ field: 'status', from: schedule.status, to: status }]
      await emit(tx, { ...actor, requestId }, [
        scheduleEvent(
          EventType.PartnerScheduleStatusUpdated,
          { ...schedule, status },
          { previousStatus: schedule.status, changes },
        ),
      ])
      return true
    },
  }),
]
