// The fields that jobs of all types share: creating a job and changing its fields. Spec 2.15, 4.14;
// decisions 1, 6.

import { v7 as uuidv7 } from 'uuid'
import type { Change } from '../consignments/consignment.ts'
import { type EventOrigin, emit } from '../events/emit.ts'
import { sql, type Tx } from '../platform/database/db.ts'
import { changedFields, updateFields } from '../platform/database/write.ts'
import { faultAt } from '../platform/http/fault.ts'
import { verificationFailed } from '../platform/http/refusal.ts'
import {
  allClearable,
  allOmittable,
  allOptional,
  IntegerEnum,
  LocalTime,
  Text,
  Uuid,
} from '../platform/http/schema.ts'
import { parseLocalTime } from '../platform/local-time.ts'
import { EventType } from '../vocabulary/events.ts'
import { JobPriority, JobStatus, JobType } from '../vocabulary/jobs.ts'
import { PartnerStatus, Relationship } from '../vocabulary/partners.ts'
import { type JobFacts, jobEvent, type LockedJob } from './job.ts'

const requiredFields = { priority: IntegerEnum(JobPriority) }
const nullableFields = { dueDateTime: LocalTime, reference: Text, description: Text }

/** The body fields of a new job of any type. */
export const newJobFields = {
  warehouseId: Uuid,
  clientId: Uuid,
  ...allOptional({ ...requiredFields, ...nullableFields }),
}
/** The body fields that change a job of any type. */
export const jobChangeFields = { ...allOmittable(requiredFields), ...allClearable(nullableFields) }

/** The fields of a body that are stored. Only wave picks have `style`. */
interface JobBody {
  style?: number | null
  dueDateTime?: string | null
  priority?: number | null
  reference?: string | null
  description?: string | null
}
const columns = ['wavePickStyle', 'dueDateTime', 'priority', 'reference', 'description'] as const

/** The fields of a body as column values. Times become wall clock of the warehouse's zone. */
function toColumnValues(body: JobBody, timezoneId: string) {
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
      : { dueDateTime: dueDateTime === null ? null : parseLocalTime(dueDateTime, timezoneId) }),
  }
}

/**
 * Returns the time zone of the warehouse. Throws 400 for an unknown warehouse or client and for an inactive
 * client.
 */
async function requireWarehouseAndClient(
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
    ...(timezoneId === null
      ? [faultAt('warehouseId', 'does not refer to a warehouse', 'unknown_reference')]
      : []),
    ...(clientStatus === null
      ? [faultAt('clientId', 'does not refer to a client', 'unknown_reference')]
      : []),
    ...(clientStatus === PartnerStatus.Inactive
      ? [faultAt('clientId', 'refers to an inactive client: activate it first', 'wrong_status')]
      : []),
  ]
  if (timezoneId === null || faults.length > 0) throw verificationFailed(...faults)
  return timezoneId
}

const prefixes: Record<JobType, string> = { [JobType.WavePick]: 'WP', [JobType.Replenishment]: 'RP' }

/**
 * Creates a Draft job and emits event 301. Jobs of all types share one number sequence. Throws 400 for an
 * unknown warehouse or client and for an inactive client.
 */
export async function createJob(
  tx: Tx,
  source: EventOrigin,
  type: JobType,
  body: JobBody & { warehouseId: string; clientId: string },
): Promise<JobFacts> {
  const { organisationId } = source
  const { warehouseId, clientId } = body
  const stored = toColumnValues(
    body,
    await requireWarehouseAndClient(tx, organisationId, warehouseId, clientId),
  )
  const id = uuidv7()
  const { jobNumber } = await tx.row<{ jobNumber: string }>(sql`
    with counted as (
      update organisation set last_job_number = last_job_number + 1 where id = ${organisationId}
      returning last_job_number as n
    )
    insert into job (organisation_id, id, number, job_number, type, warehouse_id, client_id,
      wave_pick_style, priority, due_date_time, reference, description)
    select ${organisationId}, ${id}, n,
      ${prefixes[type]} || '-' || lpad(n::text, greatest(6, length(n::text)), '0'),
      ${type}, ${warehouseId}, ${clientId}, ${stored.wavePickStyle ?? null}::smallint,
      ${stored.priority ?? JobPriority.Normal}, ${stored.dueDateTime}::timestamp, ${stored.reference},
      ${stored.description}
    from counted returning job_number`)
  const job = { id, jobNumber, warehouseId, clientId, status: JobStatus.Draft }
  await emit(tx, source, [jobEvent(EventType.JobCreated, job)])
  return job
}

/** Changes fields of a locked job and emits event 302. Returns whether anything changed. */
export async function changeJob(
  tx: Tx,
  source: EventOrigin,
  job: LockedJob,
  body: JobBody,
): Promise<boolean> {
  const stored = toColumnValues(body, job.timezoneId)
  const where = sql`organisation_id = ${job.organisationId} and id = ${job.id}`
  if ((await tx.run(updateFields('job', columns, stored, where))) === 0) return false
  const apiValues = { ...stored, ...(stored.dueDateTime ? { dueDateTime: `${stored.dueDateTime}Z` } : {}) }
  const changes: Change[] = Object.entries(apiValues)
    .map(([field, to]) => ({ field, from: job[field as (typeof columns)[number]], to }))
    .filter(({ from, to }) => from !== to)
  await emit(tx, source, [jobEvent(EventType.JobUpdated, job, { changes })])
  return true
}
