// Wave picks: create, read and change. Spec 2.15, 4.14.

import { endpoint } from '../../access/endpoint.ts'
import { ConsignmentSummary } from '../../consignments/consignments.ts'
import { changed, json } from '../../platform/http/endpoint.ts'
import {
  allOmittable,
  allOptional,
  IntegerEnum,
  LocalTime,
  named,
  nullable,
  type Static,
  Type,
  Uuid,
} from '../../platform/http/schema.ts'
import { JobPriority, JobStatus, JobType, WavePickStyle } from '../../vocabulary/jobs.ts'
import { lockOpenJob } from '../job.ts'
import { changeJob, createJob, jobChangeFields, newJobFields } from '../job-fields.ts'
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

const style = { style: IntegerEnum(WavePickStyle) }
const NewWavePick = named('NewWavePick', Type.Object({ ...newJobFields, ...allOptional(style) }))
const WavePickChange = named('WavePickChange', Type.Object({ ...allOmittable(style), ...jobChangeFields }))

export const wavePick = [
  endpoint({
    post: '/v1/jobs/wave-pick',
    name: 'createWavePick',
    canBeRehearsed: true,
    partners: 'none',
    scope: 'job',
    summary: 'Create a wave pick',
    description:
      'The job begins as a Draft without consignments. The default style is 1 ParallelPicking, the default ' +
      'priority 2 Normal.',
    body: NewWavePick,
    response: json(Type.Object({ jobId: Uuid })),
    async handle({ tx, actor, body, requestId }) {
      const fields = { ...body, style: body.style ?? WavePickStyle.ParallelPicking }
      const { id } = await createJob(tx, { ...actor, requestId }, JobType.WavePick, fields)
      return { jobId: id }
    },
  }),
  endpoint({
    get: '/v1/jobs/:jobId/wave-pick',
    name: 'getWavePick',
    partners: 'clients',
    scope: 'job.read',
    summary: 'Read a wave pick with its consignments',
    description: 'jobConsignments are in the order in which they were added, without Void ones.',
    response: json(WavePick),
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
    description: 'Absent fields stay as they are. The job must be a Draft, ReadyToStart or InProgress.',
    body: WavePickChange,
    response: changed,
    async handle({ tx, actor, params, body, requestId }) {
      const job = await lockOpenJob(tx, actor, params.jobId, JobType.WavePick)
      return changeJob(tx, { ...actor, requestId }, job, body)
    },
  }),
]
