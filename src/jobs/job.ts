// What a job is: its visibility, its events, its locks and its moves between statuses. Spec 2.15, 4.14;
// decisions 2, 6.

import type { Actor } from '../access/actor.ts'
import type { Change } from '../consignments/consignment.ts'
import { type EventOrigin, emit, type NewEvent } from '../events/emit.ts'
import { empty, type Sql, sql, type Tx } from '../platform/database/db.ts'
import { notFound, wrongStatus } from '../platform/http/refusal.ts'
import { IntegerEnum, named, Type } from '../platform/http/schema.ts'
import { EventType } from '../vocabulary/events.ts'
import { JobStatus, type JobType } from '../vocabulary/jobs.ts'
import { isFinal, isOpen, jobStatusName } from './job-status.ts'

/**
 * The jobs an actor may see, as a condition on `job j`: those of the organisation, or only those of the
 * client that the actor belongs to.
 */
export const visibleJobs = (actor: Actor): Sql =>
  sql`j.organisation_id = ${actor.organisationId}
    ${actor.partnerId === null ? empty : sql`and j.client_id = ${actor.partnerId}`}`

/** The fields of a job that its events contain. */
export interface JobFacts {
  id: string
  jobNumber: string
  warehouseId: string
  clientId: string
  status: JobStatus
}

/** An event about a job. `previousStatus` is part of the payload; `changes` are only for the history. */
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

/** A job whose row this transaction has locked. */
export interface LockedJob extends JobFacts {
  organisationId: string
  priority: number
  /** null unless the job is a wave pick */
  wavePickStyle: number | null
  /** warehouse-local */
  dueDateTime: string | null
  reference: string | null
  description: string | null
  /** IANA time zone of the warehouse */
  timezoneId: string
}

/**
 * Locks a job of a type until the transaction ends. Throws 404 if the actor can see no such job. Lock order:
 * consignments, then jobs, then stock.
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

/**
 * Locks a job to change anything but its status. Throws 404 as `lockJob` does, and 400 unless the job is
 * open.
 */
export async function lockOpenJob(tx: Tx, actor: Actor, jobId: string, type: JobType): Promise<LockedJob> {
  const job = await lockJob(tx, actor, jobId, type)
  if (!isOpen(job.status))
    throw wrongStatus(
      `Job ${job.jobNumber} is ${jobStatusName(job.status)} and cannot change any more: create another one.`,
    )
  return job
}

/** The body of a request to move a job to another status. */
export const JobStatusChange = named('JobStatusChange', Type.Object({ status: IntegerEnum(JobStatus) }))

/** Throws 400 unless the job is ReadyToStart or InProgress, so that its work can be confirmed. */
export function requireStarted({ jobNumber, status }: JobFacts): void {
  if (status !== JobStatus.ReadyToStart && status !== JobStatus.InProgress)
    throw wrongStatus(
      status === JobStatus.Draft
        ? `Job ${jobNumber} is Draft: make it Ready to start first.`
        : `Job ${jobNumber} is ${jobStatusName(status)}: nothing more is confirmed for it.`,
    )
}

/**
 * Moves a locked job to another status and emits event 303. A job that ends frees its consignments for other
 * jobs.
 */
export async function moveJob(tx: Tx, source: EventOrigin, job: JobFacts, to: JobStatus): Promise<void> {
  const { organisationId } = source
  await tx.run(sql`
    update job set status = ${to} where organisation_id = ${organisationId} and id = ${job.id}`)
  if (isFinal(to))
    await tx.run(sql`
      update job_consignment set is_picking = false
      where organisation_id = ${organisationId} and job_id = ${job.id} and is_picking`)
  const changes = [{ field: 'status', from: job.status, to }]
  await emit(tx, source, [
    jobEvent(EventType.JobStatusUpdated, { ...job, status: to }, { previousStatus: job.status, changes }),
  ])
}
