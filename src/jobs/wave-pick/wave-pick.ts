// A wave pick: creating it, reading it, changing what it says. Spec 2.15, 4.14;
// open-points 1 (job number), 6.

import { v7 as uuidv7 } from 'uuid'
import type { Change } from '../../consignments/consignment.ts'
import { ConsignmentSummary } from '../../consignments/consignments.ts'
import { emit } from '../../events/emit.ts'
import { EventType } from '../../events/event.ts'
import { PartnerStatus, Relationship } from '../../partners/enumerations.ts'
import { sql, type Tx } from '../../platform/database/db.ts'
import { changedFields, updateFields } from '../../platform/database/write.ts'
import { changed, endpoint, json } from '../../platform/http/endpoint.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import {
  changeables,
  emptiables,
  IntegerEnum,
  LocalTime,
  named,
  nullable,
  optionals,
  type Static,
  Text,
  Type,
  Uuid,
} from '../../platform/http/schema.ts'
import { parseLocal } from '../../platform/local-time.ts'
import { JobPriority, JobStatus, JobType, WavePickStyle } from '../enumerations.ts'
import { jobEvent, lockOpenJob } from '../job.ts'
import { readWavePick } from './consignments.ts'

const WavePick = named(
  'WavePick',
  Type.Object({
    jobId: Uuid,
    jobNumber: Type.String(),
    warehouseId: Uuid,
    clientId: Uuid,
    type: IntegerEnum(JobType),
    status: IntegerEnum(JobStatus),
    priority: IntegerEnum(JobPriority),
    wavePickStyle: IntegerEnum(WavePickStyle),
    dueDateTime: nullable(LocalTime),
    reference: nullable(Type.String()),
    description: nullable(Type.String()),
    jobConsignments: Type.Array(ConsignmentSummary),
  }),
)

const required = { style: IntegerEnum(WavePickStyle), priority: IntegerEnum(JobPriority) }
const unrequired = { dueDateTime: LocalTime, reference: Text, description: Text }
const NewWavePick = named(
  'NewWavePick',
  Type.Object({ warehouseId: Uuid, clientId: Uuid, ...optionals({ ...required, ...unrequired }) }),
)
const WavePickChange = named(
  'WavePickChange',
  Type.Object({ ...changeables(required), ...emptiables(unrequired) }),
)
const columns = ['wavePickStyle', 'dueDateTime', 'priority', 'reference', 'description'] as const

/** What a body says, by column; a time is wall clock of the warehouse's zone. */
function storedFields(body: Static<typeof NewWavePick> | Static<typeof WavePickChange>, timezoneId: string) {
  const { style, dueDateTime, ...rest } = changedFields(body, [
    'style',
    'dueDateTime',
    'priority',
    'reference',
    'description',
  ])
  return {
    ...rest,
    ...(style === undefined ? {} : { wavePickStyle: style }),
    ...(dueDateTime === undefined
      ? {}
      : { dueDateTime: dueDateTime === null ? null : parseLocal(dueDateTime, timezoneId) }),
  }
}

/** The zone of the warehouse. 400 for an unknown warehouse or client and for an inactive client. */
async function verifyPlace(
  tx: Tx,
  organisationId: string,
  warehouseId: string,
  clientId: string,
): Promise<string> {
  const { timezoneId, clientStatus } = await tx.row<{
    timezoneId: string | null
    clientStatus: number | null
  }>(sql`
    select
      (select timezone_id from warehouse where organisation_id = ${organisationId} and id = ${warehouseId})
        as timezone_id,
      (
        select status from partner
        where organisation_id = ${organisationId} and id = ${clientId}
          and relationship = ${Relationship.Client}
      ) as client_status`)
  const faults = [
    ...(timezoneId === null ? ['warehouseId names no warehouse.'] : []),
    ...(clientStatus === null ? ['clientId names no client.'] : []),
    ...(clientStatus === PartnerStatus.Inactive ? ['clientId names a client that is inactive.'] : []),
  ]
  if (timezoneId === null || faults.length > 0) throw verificationFailed(...faults)
  return timezoneId
}

export const wavePick = [
  endpoint({
    post: '/v1/jobs/wave-pick',
    name: 'createWavePick',
    partners: 'none',
    scope: 'job',
    summary: 'Create a wave pick',
    description:
      'It begins as a Draft without consignments. style is 1 ParallelPicking and priority 2 Normal unless ' +
      'given.',
    body: NewWavePick,
    answer: json(Type.Object({ jobId: Uuid })),
    async handle({ tx, actor, body, requestId }) {
      const { organisationId } = actor
      const [warehouseId, clientId] = [body.warehouseId.toLowerCase(), body.clientId.toLowerCase()]
      const timezoneId = await verifyPlace(tx, organisationId, warehouseId, clientId)
      const stored = storedFields(body, timezoneId)
      const id = uuidv7()
      const { jobNumber } = await tx.row<{ jobNumber: string }>(sql`
        with counted as (
          update organisation set last_job_number = last_job_number + 1 where id = ${organisationId}
          returning last_job_number as n
        )
        insert into job (organisation_id, id, number, job_number, type, warehouse_id, client_id,
          wave_pick_style, priority, due_date_time, reference, description)
        select ${organisationId}, ${id}, n, 'WP-' || lpad(n::text, greatest(6, length(n::text)), '0'),
          ${JobType.WavePick}, ${warehouseId}, ${clientId},
          ${stored.wavePickStyle ?? WavePickStyle.ParallelPicking}, ${stored.priority ?? JobPriority.Normal},
          ${stored.dueDateTime}::timestamp, ${stored.reference}, ${stored.description}
        from counted returning job_number`)
      const job = { id, jobNumber, warehouseId, clientId, status: JobStatus.Draft }
      await emit(tx, { ...actor, requestId }, [jobEvent(EventType.JobCreated, job)])
      return { jobId: id }
    },
  }),
  endpoint({
    get: '/v1/jobs/:jobId/wave-pick',
    name: 'getWavePick',
    partners: 'clients',
    scope: 'job.read',
    summary: 'Read a wave pick with its consignments',
    description: 'jobConsignments are those without Void ones, in the order in which they were added.',
    answer: json(WavePick),
    async handle({ db, actor, params }) {
      const { job, consignments } = await readWavePick(db, actor, params.jobId, false)
      return { ...(job as Omit<Static<typeof WavePick>, 'jobConsignments'>), jobConsignments: consignments }
    },
  }),
  endpoint({
    put: '/v1/jobs/:jobId/wave-pick',
    name: 'updateWavePick',
    partners: 'none',
    scope: 'job',
    extension: true,
    summary: 'Change a wave pick',
    description:
      'Absent fields stay as they are. Only a Draft, ReadyToStart or InProgress one can be changed.',
    body: WavePickChange,
    answer: changed,
    async handle({ tx, actor, params, body, requestId }) {
      const job = await lockOpenJob(tx, actor, params.jobId, JobType.WavePick)
      const stored = storedFields(body, job.timezoneId)
      const where = sql`organisation_id = ${actor.organisationId} and id = ${job.id}`
      if ((await tx.run(updateFields('job', columns, stored, where))) === 0) return false
      const told = { ...stored, ...(stored.dueDateTime ? { dueDateTime: `${stored.dueDateTime}Z` } : {}) }
      const changes: Change[] = Object.entries(told)
        .map(([field, to]) => ({ field, from: job[field as (typeof columns)[number]], to }))
        .filter(({ from, to }) => from !== to)
      await emit(tx, { ...actor, requestId }, [jobEvent(EventType.JobUpdated, job, { changes })])
      return true
    },
  }),
]
