// The list of jobs of all types. Spec 2.15; decision 2.

import { endpoint } from '../access/endpoint.ts'
import { empty, sql } from '../platform/database/db.ts'
import { json } from '../platform/http/endpoint.ts'
import { contains, pageOf, pageQuery, readPage, searchIn } from '../platform/http/paging.ts'
import {
  allOmittable,
  IntegerEnum,
  LocalTime,
  named,
  nullable,
  type Static,
  Type,
  Uuid,
} from '../platform/http/schema.ts'
import { ConsignmentStatus } from '../vocabulary/consignments.ts'
import { JobPriority, JobStatus, JobStatusFilter, JobType, WavePickStyle } from '../vocabulary/jobs.ts'
import { visibleJobs } from './job.ts'
import { statusesOf } from './job-status.ts'
import { progress, progressFields } from './progress.ts'

const Text = Type.String()

/** A job as lists show it. */
const Job = named(
  'Job',
  Type.Object({
    jobId: Uuid,
    jobNumber: Text,
    type: IntegerEnum(JobType),
    status: IntegerEnum(JobStatus),
    priority: IntegerEnum(JobPriority),
    wavePickStyle: nullable(IntegerEnum(WavePickStyle)),
    warehouseId: Uuid,
    warehouseCode: Text,
    warehouseName: Text,
    clientId: Uuid,
    clientCode: Text,
    clientName: Text,
    dueDateTime: nullable(LocalTime),
    reference: nullable(Text),
    description: nullable(Text),
    consignmentCount: Type.Integer({ description: 'How many consignments the job has, without Void ones.' }),
    ...allOmittable(progressFields),
  }),
)

type JobRow = Static<typeof Job> & { progress?: object }

export const jobs = [
  endpoint({
    get: '/v1/jobs',
    name: 'listJobs',
    partners: 'clients',
    scope: 'job.read',
    extension: true,
    summary: 'List jobs, the latest first',
    description: 'Status -1 Open: Draft, ReadyToStart or InProgress; -2 Incomplete: any status but Complete.',
    query: pageQuery({
      SearchText: searchIn('job number and reference'),
      Type: Type.Optional(IntegerEnum(JobType)),
      Status: Type.Optional(IntegerEnum(JobStatusFilter)),
      WarehouseId: Type.Optional(Uuid),
      ClientId: Type.Optional(Uuid),
      Priority: Type.Optional(IntegerEnum(JobPriority)),
      Include: Type.Optional(
        Type.Array(Type.Enum(['progress']), {
          maxItems: 1,
          description: '`progress` adds how many lines each job has, and how many are picked and short.',
        }),
      ),
    }),
    response: json(pageOf('jobs', Job)),
    async handle({ db, actor, query }) {
      const page = await readPage<'jobs', JobRow>(db, 'jobs', query, {
        columns: sql`j.id as job_id, j.job_number, j.type, j.status, j.priority, j.wave_pick_style,
          j.warehouse_id, w.code as warehouse_code, w.name as warehouse_name,
          j.client_id, p.code as client_code, p.name as client_name,
          j.due_date_time, j.reference, j.description,
          (
            select count(*) from job_consignment m
            join consignment c on c.organisation_id = m.organisation_id and c.id = m.consignment_id
            where m.organisation_id = j.organisation_id and m.job_id = j.id
              and c.status <> ${ConsignmentStatus.Void}
          ) as consignment_count ${query.Include === undefined ? empty : sql`, ${progress} as progress`}`,
        from: sql`job j
          join warehouse w on w.organisation_id = j.organisation_id and w.id = j.warehouse_id
          join partner p on p.organisation_id = j.organisation_id and p.id = j.client_id
          where ${visibleJobs(actor)}
          ${query.SearchText ? sql`and ${contains(sql`j.search_text`, query.SearchText)}` : empty}
          ${query.Type === undefined ? empty : sql`and j.type = ${query.Type}`}
          ${query.Status === undefined ? empty : sql`and j.status = any(${statusesOf(query.Status)})`}
          ${query.WarehouseId === undefined ? empty : sql`and j.warehouse_id = ${query.WarehouseId}`}
          ${query.ClientId === undefined ? empty : sql`and j.client_id = ${query.ClientId}`}
          ${query.Priority === undefined ? empty : sql`and j.priority = ${query.Priority}`}`,
        order: sql`j.number desc, j.id`,
      })
      return { ...page, jobs: page.jobs.map(({ progress, ...job }) => ({ ...job, ...progress })) }
    },
  }),
]
