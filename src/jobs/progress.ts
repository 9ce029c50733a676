// How far the work of a job is: its lines, and when it was begun. Spec 2.15.

import { type Sql, sql } from '../platform/database/db.ts'
import { nullable, Type, UtcTime } from '../platform/http/schema.ts'
import { ConsignmentStatus } from '../vocabulary/consignments.ts'
import { EventType } from '../vocabulary/events.ts'
import { JobStatus, ReplenishmentLineStatus } from '../vocabulary/jobs.ts'

/** The fields that `Include=progress` adds to a job. */
export const progressFields = {
  lineCount: Type.Integer({ description: 'The lines of its consignments, without Void ones, or its own.' }),
  pickedCount: Type.Integer({ description: 'The lines of which everything is picked, or moved.' }),
  shortCount: Type.Integer({ description: 'The lines for which there is too little stock.' }),
  startedUtc: nullable({ ...UtcTime, description: 'When it first became InProgress.' }),
}

const { Void, ReadyToPick, ReadyToDispatch } = ConsignmentStatus
const isShort = sql`q.expected_quantity > q.allocated_quantity + q.picked_quantity + q.dispatched_quantity
  and c.status in (${ReadyToPick}, ${ReadyToDispatch})`

/** The progress of job `j` as one JSON value, which is read only for the jobs of the page. */
export const progress: Sql = sql`(
  select jsonb_build_object('lineCount', waves.line_count + moves.line_count,
    'pickedCount', waves.picked_count + moves.picked_count,
    'shortCount', waves.short_count + moves.short_count,
    'startedUtc', to_char(started.utc at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from (
    select count(*) as line_count,
      count(*) filter (where q.picked_quantity + q.dispatched_quantity >= q.expected_quantity)
        as picked_count,
      count(*) filter (where ${isShort}) as short_count
    from job_consignment m
    join consignment c on c.organisation_id = m.organisation_id and c.id = m.consignment_id
    join consignment_product q on q.organisation_id = c.organisation_id and q.consignment_id = c.id
    where m.organisation_id = j.organisation_id and m.job_id = j.id and c.status <> ${Void}
  ) waves, (
    select count(*) as line_count,
      count(*) filter (where r.status = ${ReplenishmentLineStatus.Done}) as picked_count,
      count(*) filter (where r.status = ${ReplenishmentLineStatus.Short}) as short_count
    from replenishment_line r where r.organisation_id = j.organisation_id and r.job_id = j.id
  ) moves, (
    select min(e.created_utc) as utc from event e
    where e.organisation_id = j.organisation_id and e.subject_id = j.id
      and e.type = ${EventType.JobStatusUpdated} and e.data ->> 'status' = ${String(JobStatus.InProgress)}
  ) started)`
