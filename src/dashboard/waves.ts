// The wave picks that are being worked on.

import type { Actor } from '../access/actor.ts'
import { hasRequiredScope } from '../access/scopes.ts'
import { visibleJobs } from '../jobs/job.ts'
import { progress } from '../jobs/progress.ts'
import { type Db, empty, sql } from '../platform/database/db.ts'
import { LocalTime, nullable, type Static, Type, Uuid } from '../platform/http/schema.ts'
import { JobStatus, JobType } from '../vocabulary/jobs.ts'
import type { DashboardQuery } from './scope.ts'

export const Wave = Type.Object({
  jobId: Uuid,
  jobNumber: Type.String(),
  clientName: Type.String(),
  dueDateTime: nullable(LocalTime),
  lineCount: Type.Integer(),
  pickedCount: Type.Integer(),
})
type Wave = Static<typeof Wave>

const maxWaves = 20
const startedStatuses = [JobStatus.ReadyToStart, JobStatus.InProgress]

export async function readWaves(
  db: Db,
  actor: Actor,
  { WarehouseId, ClientId }: DashboardQuery,
): Promise<Wave[]> {
  if (!hasRequiredScope(actor, 'job.read') || actor.partnerKind === 'carrier') return []
  const waves = await db.rows<Omit<Wave, 'lineCount' | 'pickedCount'> & { progress: Wave }>(sql`
    select j.id as job_id, j.job_number, p.name as client_name, j.due_date_time, ${progress} as progress
    from job j join partner p on p.organisation_id = j.organisation_id and p.id = j.client_id
    where ${visibleJobs(actor)} and j.type = ${JobType.WavePick} and j.status = any(${startedStatuses})
      ${WarehouseId === undefined ? empty : sql`and j.warehouse_id = ${WarehouseId}`}
      ${ClientId === undefined ? empty : sql`and j.client_id = ${ClientId}`}
    order by j.priority desc, j.due_date_time nulls last, j.number limit ${maxWaves}`)
  return waves.map(({ progress: { lineCount, pickedCount }, ...wave }) => ({
    ...wave,
    lineCount,
    pickedCount,
  }))
}
