// Replenishments: jobs that move stock to pickfaces. They reserve nothing, so orders never wait for them.
// Spec 2.14, 2.15; decisions 1, 6.

import { endpoint } from '../../access/endpoint.ts'
import { sql } from '../../platform/database/db.ts'
import { changed, json } from '../../platform/http/endpoint.ts'
import { notFound } from '../../platform/http/refusal.ts'
import {
  Count,
  IntegerEnum,
  LocalTime,
  named,
  nullable,
  optional,
  type Static,
  Type,
  Uuid,
} from '../../platform/http/schema.ts'
import type { ValidationError } from '../../platform/http/validation.ts'
import { selectorFaults } from '../../stock/commands/stock-selector.ts'
import { JobPriority, JobStatus, JobType, ReplenishmentLineStatus } from '../../vocabulary/jobs.ts'
import { lockOpenJob, visibleJobs } from '../job.ts'
import { changeJob, createJob, jobChangeFields, newJobFields } from '../job-fields.ts'
import {
  planReplenishmentLines,
  RequestedReplenishmentLine,
  resolveRequestedLines,
  storeReplenishmentLines,
} from './plan-lines.ts'

const Replenishment = named(
  'Replenishment',
  Type.Object({
    jobId: Uuid,
    jobNumber: Type.String(),
    warehouseId: Uuid,
    clientId: Uuid,
    type: IntegerEnum(JobType),
    status: IntegerEnum(JobStatus),
    priority: IntegerEnum(JobPriority),
    dueDateTime: nullable(LocalTime),
    reference: nullable(Type.String()),
    description: nullable(Type.String()),
    lineCount: Count,
    openLineCount: Count,
  }),
)
type Replenishment = Static<typeof Replenishment>

const lineFaults = (value: unknown): ValidationError[] =>
  (Array.isArray(value) ? value : []).flatMap((entry: unknown, i) => selectorFaults(`[${i}]`, entry))

export const replenishment = [
  endpoint({
    post: '/v1/jobs/replenishment',
    name: 'createReplenishment',
    canBeRehearsed: true,
    partners: 'none',
    scope: 'job',
    extension: true,
    summary: 'Create a replenishment of pickfaces',
    description:
      'The job begins as a Draft. Without lines, it plans to fill each pickface of the client that has ' +
      'less than its minQuantity up to its targetQuantity, from free stock outside pickfaces, in the order ' +
      'of rotation. What other open replenishments bring is taken into account. Nothing is reserved.',
    body: named(
      'NewReplenishment',
      Type.Object({
        ...newJobFields,
        lines: optional(
          Type.Array(RequestedReplenishmentLine, { minItems: 1, maxItems: 1_000, rule: lineFaults }),
        ),
      }),
    ),
    response: json(Type.Object({ jobId: Uuid })),
    async handle({ tx, actor, body, requestId }) {
      const { organisationId } = actor
      const job = await createJob(tx, { ...actor, requestId }, JobType.Replenishment, body)
      const lines = body.lines
        ? await resolveRequestedLines(tx, organisationId, job, body.lines)
        : await planReplenishmentLines(tx, organisationId, job)
      await storeReplenishmentLines(tx, organisationId, job, lines)
      return { jobId: job.id }
    },
  }),
  endpoint({
    get: '/v1/jobs/:jobId/replenishment',
    name: 'getReplenishment',
    partners: 'clients',
    scope: 'job.read',
    extension: true,
    summary: 'Read a replenishment',
    response: json(Replenishment),
    async handle({ db, actor, params }) {
      const job = await db.maybe<Replenishment>(sql`
        select j.id as job_id, j.job_number, j.warehouse_id, j.client_id, j.type, j.status, j.priority,
          j.due_date_time, j.reference, j.description, count(r.id) as line_count,
          count(r.id) filter (where r.status = ${ReplenishmentLineStatus.Open}) as open_line_count
        from job j
        left join replenishment_line r on r.organisation_id = j.organisation_id and r.job_id = j.id
        where ${visibleJobs(actor)} and j.id = ${params.jobId} and j.type = ${JobType.Replenishment}
        group by j.organisation_id, j.id`)
      if (job === undefined) throw notFound('Job')
      return job
    },
  }),
  endpoint({
    put: '/v1/jobs/:jobId/replenishment',
    name: 'updateReplenishment',
    partners: 'none',
    scope: 'job',
    extension: true,
    summary: 'Change a replenishment',
    description: 'Absent fields stay as they are. The job must be a Draft, ReadyToStart or InProgress.',
    body: named('ReplenishmentChange', Type.Object(jobChangeFields)),
    response: changed,
    async handle({ tx, actor, params, body, requestId }) {
      const job = await lockOpenJob(tx, actor, params.jobId, JobType.Replenishment)
      return changeJob(tx, { ...actor, requestId }, job, body)
    },
  }),
]
