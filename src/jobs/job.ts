// What a job is: what its events say, and how it is locked before it changes. Spec 2.15, 4.14; open-points 2,
// 6.

import type { Change } from '../consignments/consignment.ts'
import { type EventSource, emit, type NewEvent } from '../events/emit.ts'
import { EventType } from '../events/event.ts'
import { empty, type Sql, sql, type Tx } from '../platform/database/db.ts'
import type { Actor } from '../platform/http/actor.ts'
import { notFound, verificationFailed } from '../platform/http/refusal.ts'
import { IntegerEnum, named, Type } from '../platform/http/schema.ts'
import { JobStatus, type JobType } from './enumerations.ts'
import { isEnd, isOpen, statusName } from './job-status.ts'

/**
 * The jobs an actor may see, as a condition on `job j`: the organisation's, or those of the client that its
 * token belongs to.
 */
export const visibleJobs = (actor: Actor): Sql =>
  sql`j.organisation_id = ${actor.organisationId}
    ${actor.partnerId === null ? empty : sql`and j.client_id = ${actor.partnerId}`}`

/** The fields of a job that its events tell. */
export interface JobFacts {
  id: string
  jobNumber: string
  warehouseId: string
  clientId: string
  status: JobStatus
}

/** An event about a job as it is now. `previousStatus` is told; `changes` are for the history. */
export const jobEvent = (
  type: EventType,
  { id, jobNumber, warehouseId, clientId, status }: JobFacts,
  { changes, ...more }: { changes?: Change[]; previousStatus?: JobStatus } = {},
): NewEvent => ({
  type,
  subjectId: id,
  data: { jobId: id, jobNumber, warehouseId, clientId, status, ...more },
  clientId,
  changes: changes ?? null,
})

/** A job whose row this transaction holds. */
export interface LockedJob extends JobFacts {
  organisationId: string
  priority: number
  /** null for jobs that are no wave picks */
  wavePickStyle: number | null
  /** warehouse-local */
  dueDateTime: string | null
  reference: string | null
  description: string | null
  /** IANA time zone of the warehouse */
  timezoneId: string
}

/**
 * Locks a job of a type until the transaction ends. 404 when there is none that this actor may see.
 * Consignments are locked before jobs, never after; stock after them.
 */
export async function lockJob(tx: Tx, actor: Actor, jobId: string, type: JobType): Promise<LockedJob> {
  const job = await tx.maybe<LockedJob>(sql`
    select j.organisation_id, j.id, j.job_number, j.warehouse_id, j.client_id, j.status, j.priority,
      j.wave_pick_style, j.due_date_time, j.reference, j.description, w.timezone_id
    from job j join warehouse w on w.organisation_id = j.organisation_id and w.id = j.warehouse_id
    where ${visibleJobs(actor)} and j.id = ${jobId} and j.type = ${type}
    for no key update of j`)
  if (job === undefined) throw notFound('Job')
  return job
}

/** The same for everything that changes the job beside its status: only an open one can be changed (400). */
export async function lockOpenJob(tx: Tx, actor: Actor, jobId: string, type: JobType): Promise<LockedJob> {
  const job = await lockJob(tx, actor, jobId, type)
  if (!isOpen(job.status))
    throw verificationFailed(`Job ${job.jobNumber} is ${statusName(job.status)}; it cannot change any more.`)
  return job
}

/** What a request to move a job says. */
export const JobStatusChange = named('JobStatusChange', Type.Object({ status: IntegerEnum(JobStatus) }))

/** Throws 400 unless work of a job can be confirmed: it is ReadyToStart or InProgress. */
export function requireStarted({ jobNumber, status }: JobFacts): void {
  if (status !== JobStatus.ReadyToStart && status !== JobStatus.InProgress)
    throw verificationFailed(`Job ${jobNumber} is ${statusName(status)}, not ReadyToStart or InProgress.`)
}

/**
 * Moves a locked job to another status and tells of it (303). One that ends sets its consignments free for
 * other jobs.
 */
export async function moveJob(tx: Tx, source: EventSource, job: JobFacts, to: JobStatus): Promise<void> {
  const { organisationId } = source
  await tx.run(sql`
    update job set status = ${to} where organisation_id = ${organisationId} and id = ${job.id}`)
  if (isEnd(to))
    await tx.run(sql`
      update job_consignment set is_picking = false
      where organisation_id = ${organisationId} and job_id = ${job.id} and is_picking`)
  const changes = [{ field: 'status', from: job.status, to }]
  await emit(tx, source, [
    jobEvent(EventType.JobStatusUpdated, { ...job, status: to }, { previousStatus: job.status, changes }),
  ])
}
