// Marks a schedule as exported by the calling connection. Spec 2.9, 4.10.

import { sql } from '../../platform/database/db.ts'
import { done, endpoint } from '../../platform/http/endpoint.ts'
import { notFound } from '../../platform/http/refusal.ts'
import { clearable, HttpUrl, named, Type, toStoredUrl } from '../../platform/http/schema.ts'
import { visibleSchedules } from './schedule.ts'

export const exported = [
  endpoint({
    post: '/v1/schedules/:partnerScheduleId/exported',
    name: 'markScheduleExported',
    partners: 'none',
    scope: 'financial',
    summary: 'Mark a schedule as exported by the calling connection',
    description: 'The status does not change. May be repeated: an externalUrl replaces the previous one.',
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
          do update set external_url = coalesce(excluded.external_url, x.external_url), exported_utc = now()`)
      if (marked === 0) throw notFound('Schedule')
    },
  }),
]
