// What `Include=figures` adds to a row of the list: where the goods go, when they are due, and how much they
// are.

import type { Actor } from '../../access/actor.ts'
import { hasRequiredScope } from '../../access/scopes.ts'
import { type Sql, sql } from '../../platform/database/db.ts'
import { IntegerEnum, LocalTime, nullable, Type, Uuid } from '../../platform/http/schema.ts'
import { ConsignmentPriority } from '../../vocabulary/consignments.ts'
import { JobStatus } from '../../vocabulary/jobs.ts'
import { dueDateTime, isLate, isPicking, lineShortQuantity } from './due.ts'

const Text = nullable(Type.String())
const Time = nullable(LocalTime)
const sum = 'Sum of what is expected on the lines that say it; null if none does.'

/** The fields that figures add. */
export const figureFields = {
  priority: IntegerEnum(ConsignmentPriority),
  originName: Text,
  originCity: Text,
  destinationName: Text,
  destinationCity: Text,
  expectedArrivalDateTime: Time,
  expectedDispatchDateTime: Time,
  expectedDeliveryDateTime: Time,
  actualReceiveDateTime: Time,
  actualDispatchDateTime: Time,
  dueDateTime: nullable({
    ...LocalTime,
    description:
      'Expected arrival (inwards), dispatch or else delivery (outwards), delivery (point to point), on the ' +
      'wall clock of the warehouse.',
  }),
  isLate: Type.Boolean({ description: 'It was due, and the step that was due is not done.' }),
  lineCount: Type.Integer({ description: 'How many lines it has.' }),
  quantity: Type.Number({ description: 'What is expected, over all lines.' }),
  weightKG: nullable(Type.Number({ description: sum })),
  volumeM3: nullable(Type.Number({ description: sum })),
  shortQuantity: Type.Number({
    description: 'What its lines lack while it is ReadyToPick or ReadyToDispatch, otherwise 0.',
  }),
  containerNumber: Text,
  poNumber: Text,
  jobs: Type.Array(Type.Object({ jobId: Uuid, jobNumber: Type.String() }), {
    description: 'The jobs that it is in, without Cancelled ones.',
  }),
}

/** The columns of the figures of consignment `c`. They need `figureJoins`. */
export const figureColumns = sql`figures.*`

/** Joins the figures of consignment `c` with its `warehouse`. Jobs are shown to those who may list them. */
export const figureJoins = (actor: Actor): Sql => {
  const showsJobs = actor.partnerKind !== 'carrier' && hasRequiredScope(actor, 'job.read')
  return sql`
  join organisation on organisation.id = c.organisation_id
  cross join lateral (
    select t.priority, t.origin_address ->> 'name' as origin_name, t.origin_address ->> 'city' as origin_city,
      t.destination_address ->> 'name' as destination_name,
      t.destination_address ->> 'city' as destination_city,
      t.expected_arrival_date_time, t.expected_dispatch_date_time, t.expected_delivery_date_time,
      t.actual_receive_date_time, t.actual_dispatch_date_time, ${dueDateTime} as due_date_time,
      coalesce(${isLate}, false) as is_late, lines.*, t.container_number, t.po_number, waves.jobs
    from (select c.*) t
    cross join (
      select timezone(coalesce(warehouse.timezone_id, organisation.timezone_id), now()) as local_now
    ) clock
    cross join lateral (
      select count(*) as line_count, coalesce(sum(q.expected_quantity), 0) as quantity,
        sum(q.expected_weight_kg) as weight_kg, sum(q.expected_volume_m3) as volume_m3,
        coalesce(sum(${lineShortQuantity}) filter (where ${isPicking}), 0) as short_quantity
      from consignment_product q where q.organisation_id = t.organisation_id and q.consignment_id = t.id
    ) lines
    cross join lateral (
      select coalesce(jsonb_agg(jsonb_build_object('jobId', j.id, 'jobNumber', j.job_number)
        order by j.number), '[]') as jobs
      from job_consignment m join job j on j.organisation_id = m.organisation_id and j.id = m.job_id
      where m.organisation_id = t.organisation_id and m.consignment_id = t.id
        and j.status <> ${JobStatus.Cancelled} and ${showsJobs}
        and (${actor.partnerId}::uuid is null or j.client_id = ${actor.partnerId})
    ) waves
  ) figures`
}
