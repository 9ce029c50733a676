// Marks a schedule as exported by the calling connection, or a Draft as not exported. Spec 2.9, 4.10.

import { endpoint } from '../../access/endpoint.ts'
import { sql } from '../../platform/database/db.ts'
import { done } from '../../platform/http/endpoint.ts'
import { notFound, verificationFailed } from '../../platform/http/refusal.ts'
import { clearable, HttpUrl, named, Type, toStoredUrl } from '../../platform/http/schema.ts'
import { ScheduleStatus } from '../../vocabulary/billing.ts'
import { lockSchedule, visibleSchedules } from './schedule.ts'

export const markScheduleExported = [
  endpoint({
    post: '/v1/schedules/:partnerScheduleId/exported',
    name: 'markScheduleExported',
    partners: 'none',
    scope: 'financial',
    summary: 'Mark a schedule as exported by the calling connection',
    description:
      'The status does not change. May be repeated: an externalUrl replaces the previous one, and null ' +
      'clears it. A Draft can then be approved, but neither changed nor removed until the mark is removed.',
    body: named('ScheduleExport', Type.Object({ externalUrl: clearable(HttpUrl) })),
    bodyOptional: true,
    response: done,
    oneStatement: true,
    async handle({ tx, actor, params, body }) {
      // The lock orders this before or after a concurrent removal of the schedule.
      const marked = await tx.run(sql`
        insert into partner_schedule_export as x (organisation_id, partner_schedule_id,
          identity_connection_id, external_url)
        select s.organisation_id, s.id, ${actor.connectionId}, ${toStoredUrl(body.externalUrl)}
        from partner_schedule s where ${visibleSchedules(actor)} and s.id = ${params.partnerScheduleId}
          for key share
        on conflict on constraint partner_schedule_export_pkey
          do update set external_url = case when ${body.externalUrl !== undefined}
            then excluded.external_url else x.external_url end, exported_utc = now()`)
      if (marked === 0) throw notFound('Schedule')
    },
  }),
  endpoint({
    delete: '/v1/schedules/:partnerScheduleId/exported',
    name: 'unmarkScheduleExported',
    partners: 'none',
    scope: 'financial',
    extension: true,
    summary: 'Mark a Draft schedule as not exported, by any connection',
    description: 'It can be changed and removed again. Refused once it is Approved.',
    response: done,
    async handle({ tx, actor, params }) {
      const { organisationId, id, status, isExported } = await lockSchedule(
        tx,
        actor,
        params.partnerScheduleId,
      )
      if (status !== ScheduleStatus.Draft)
        throw verificationFailed('The schedule is Approved: credit what is wrong in it.')
      if (!isExported) throw notFound('Export')
      await tx.run(sql`
        delete from partner_schedule_export
        where organisation_id = ${organisationId} and partner_schedule_id = ${id}`)
    },
  }),
]
