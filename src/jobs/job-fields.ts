// What is said of a job of any kind: creating it and changing what it says. Spec 2.15, 4.14; open-points 1
// (job number), 6.

import { v7 as uuidv7 } from 'uuid'
import type { Change } from '../consignments/consignment.ts'
import { type EventSource, emit } from '../events/emit.ts'
import { EventType } from '../events/event.ts'
import { PartnerStatus, Relationship } from '../partners/enumerations.ts'
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
import { JobPriority, JobStatus, JobType } from './enumerations.ts'
import { type JobFacts, jobEvent, type LockedJob } from './job.ts'

const required = { priority: IntegerEnum(JobPriority) }
const unrequired = { dueDateTime: LocalTime, reference: Text, description: Text }

/** The fields of a new job of any kind. */
export const newJobFields = {
  warehouseId: Uuid,
  clientId: Uuid,
  ...allOptional({ ...required, ...unrequired }),
}
/** The fields of a job of any kind that can be changed. */
export const jobChangeFields = { ...allOmittable(required), ...allClearable(unrequired) }

/** What a body may say of a job. `style` is a wave pick's. */
interface JobBody {
  style?: number | null
  dueDateTime?: string | null
  priority?: number | null
  reference?: string | null
  description?: string | null
}
const columns = ['wavePickStyle', 'dueDateTime', 'priority', 'reference', 'description'] as const

/** What a body says, by column; a time is wall clock of the warehouse's zone. */
function storedFields(body: JobBody, timezoneId: string) {
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
    ...(timezoneId === null ? [faultAt('warehouseId', 'names no warehouse', 'unknown_reference')] : []),
    ...(clientStatus === null ? [faultAt('clientId', 'names no client', 'unknown_reference')] : []),
    ...(clientStatus === PartnerStatus.Inactive
      ? [faultAt('clientId', 'names a client that is inactive', 'state')]
      : []),
  ]
  if (timezoneId === null || faults.length > 0) throw verificationFailed(...faults)
  return timezoneId
}

const prefixes: Record<JobType, string> = { [JobType.WavePick]: 'WP', [JobType.Replenishment]: 'RP' }

/**
 * Creates a Draft job and tells of it (301). Jobs of all kinds are counted together. 400 for an unknown
 * warehouse or client and for an inactive client.
 */
export async function createJob(
  tx: Tx,
  source: EventSource,
  type: JobType,
  body: JobBody & { warehouseId: string; clientId: string },
): Promise<JobFacts> {
  const { organisationId } = source
  const [warehouseId, clientId] = [body.warehouseId.toLowerCase(), body.clientId.toLowerCase()]
  const stored = storedFields(body, await verifyPlace(tx, organisationId, warehouseId, clientId))
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

/** Changes what a locked job says and tells of it (302). Returns whether anything changed. */
export async function changeJob(
  tx: Tx,
  source: EventSource,
  job: LockedJob,
  body: JobBody,
): Promise<boolean> {
  const stored = storedFields(body, job.timezoneId)
  const where = sql`organisation_id = ${job.organisationId} and id = ${job.id}`
  if ((await tx.run(updateFields('job', columns, stored, where))) === 0) return false
  const told = { ...stored, ...(stored.dueDateTime ? { dueDateTime: `${stored.dueDateTime}Z` } : {}) }
  const changes: Change[] = Object.entries(told)
    .map(([field, to]) => ({ field, from: job[field as (typeof columns)[number]], to }))
    .filter(({ from, to }) => from !== to)
  await emit(tx, source, [jobEvent(EventType.JobUpdated, job, { changes })])
  return true
}
