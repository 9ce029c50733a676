// The consignments of a wave pick: list, add and remove. Spec 2.15, 4.14; decision 8. Lock order:
// consignments by id, then the job.

import type { Actor } from '../../access/actor.ts'
import { endpoint } from '../../access/endpoint.ts'
import { makeReadyToPick } from '../../consignment-status/make-ready.ts'
import { lockConsignments } from '../../consignments/consignment.ts'
import { ConsignmentSummary, summaryColumns, summaryJoins } from '../../consignments/consignments.ts'
import { type EventOrigin, emit } from '../../events/emit.ts'
import type { LockedOutwardsConsignment } from '../../floor/picking/outwards-consignment.ts'
import { type Db, empty, sql, type Tx } from '../../platform/database/db.ts'
import { done, json } from '../../platform/http/endpoint.ts'
import type { Fault } from '../../platform/http/fault.ts'
import { notFound, verificationFailed } from '../../platform/http/refusal.ts'
import { named, Type, Uuid } from '../../platform/http/schema.ts'
import { takeFirstBatch } from '../../stock/allocation/outbound-lines.ts'
import { ConsignmentStatus } from '../../vocabulary/consignments.ts'
import { EventType } from '../../vocabulary/events.ts'
import { JobType } from '../../vocabulary/jobs.ts'
import { endJobIfNothingLeft } from '../end-job.ts'
import { jobEvent, type LockedJob, lockOpenJob, visibleJobs } from '../job.ts'
import { isStarted } from '../job-status.ts'
import { candidateFault, findAddingFault, type WaveCandidate } from './eligibility.ts'

const ConsignmentIds = named(
  'JobConsignmentIds',
  Type.Object({ consignmentIds: Type.Array(Uuid, { maxItems: 1_000 }) }),
)

/**
 * Reads a wave pick and its consignments in their order, in one statement. Throws 404 if the actor can see no
 * such job.
 */
export async function readWavePick(
  db: Db,
  actor: Actor,
  jobId: string,
  includeVoid: boolean,
): Promise<{ job: object; consignments: ConsignmentSummary[] }> {
  const rows = await db.rows<ConsignmentSummary & { job: object; isRow: boolean | null }>(sql`
    select jsonb_build_object('jobId', j.id, 'jobNumber', j.job_number,
      'warehouseId', j.warehouse_id, 'clientId', j.client_id,
      'type', j.type, 'status', j.status, 'priority', j.priority, 'wavePickStyle', j.wave_pick_style,
      'dueDateTime', as_local(j.due_date_time), 'reference', j.reference, 'description', j.description
    ) as job, listed.*
    from job j
    left join lateral (
      select true as is_row, ${summaryColumns}
      from job_consignment m
      join consignment c on c.organisation_id = m.organisation_id and c.id = m.consignment_id
      ${summaryJoins(actor)}
      where m.organisation_id = j.organisation_id and m.job_id = j.id
        ${includeVoid ? empty : sql`and c.status <> ${ConsignmentStatus.Void}`}
      order by m.position
    ) listed on true
    where ${visibleJobs(actor)} and j.id = ${jobId} and j.type = ${JobType.WavePick}`)
  const [first] = rows
  if (first === undefined) throw notFound('Job')
  return { job: first.job, consignments: rows.filter(row => row.isRow) }
}

/**
 * Locks consignments, and then the open job that they are added to or removed from. The returned facts cannot
 * change before the commit.
 */
async function lockMembers(tx: Tx, actor: Actor, jobId: string, ids: readonly string[]) {
  const { organisationId } = actor
  await tx.rows(sql`
    select id from consignment where organisation_id = ${organisationId} and id = any(${ids}::uuid[])
    order by id for no key update`)
  const job = await lockOpenJob(tx, actor, jobId, JobType.WavePick)
  const candidates = await tx.rows<WaveCandidate>(sql`
    select c.id, c.consignment_number, c.client_id, c.warehouse_id, c.type, c.status,
      (
        select o.job_number from job_consignment m
        join job o on o.organisation_id = m.organisation_id and o.id = m.job_id
        where m.organisation_id = c.organisation_id and m.consignment_id = c.id and m.is_picking
      ) as picked_by,
      exists (
        select from job_consignment m
        where m.organisation_id = c.organisation_id and m.job_id = ${jobId} and m.consignment_id = c.id
      ) as is_member
    from consignment c where c.organisation_id = ${organisationId} and c.id = any(${ids}::uuid[])`)
  return { job, byId: new Map(candidates.map(candidate => [candidate.id, candidate])) }
}

/**
 * Returns the consignments with these ids in their order. Throws 400 with a message for each unknown id, and
 * for each consignment in which `findFault` finds a fault.
 */
function requireCandidates(
  ids: readonly string[],
  byId: ReadonlyMap<string, WaveCandidate>,
  findFault: (candidate: WaveCandidate) => Fault | undefined,
): WaveCandidate[] {
  const candidates = ids.flatMap(id => byId.get(id) ?? [])
  const faults = ids.flatMap(id => {
    const candidate = byId.get(id)
    if (candidate === undefined) return candidateFault(id, 'does not exist', 'unknown_reference')
    return findFault(candidate) ?? []
  })
  if (faults.length > 0) throw verificationFailed(...faults)
  return candidates
}

const numbersOf = (consignments: readonly WaveCandidate[]) =>
  consignments.map(({ consignmentNumber }) => consignmentNumber)

async function addToJob(tx: Tx, job: LockedJob, ids: readonly string[]): Promise<void> {
  await tx.run(sql`
    insert into job_consignment (organisation_id, job_id, consignment_id, position)
    select ${job.organisationId}, ${job.id}, added.id, last.position + added.ordinal
    from unnest(${ids}::uuid[]) with ordinality as added (id, ordinal),
      (select coalesce(max(position), 0) as position from job_consignment
        where organisation_id = ${job.organisationId} and job_id = ${job.id}) last`)
}

/**
 * Makes the consignments that were added to a started job ready to be picked. Throws 400 if one is a Draft,
 * or if they have more lines than can be allocated at once.
 */
async function makeAddedReady(tx: Tx, source: EventOrigin, ids: readonly string[]): Promise<void> {
  const locked = await lockConsignments(tx, source.organisationId, ids)
  const byId = new Map(locked.map(consignment => [consignment.id, consignment]))
  // In the order in which they were added; they were found to leave from the job's warehouse.
  const added = ids.flatMap(id => (byId.get(id) ?? []) as LockedOutwardsConsignment | [])
  const drafts = added.filter(({ status }) => status === ConsignmentStatus.Draft)
  if (drafts.length > 0)
    throw verificationFailed(
      ...drafts.map(({ consignmentNumber }) =>
        candidateFault(
          consignmentNumber,
          'is Draft and the job has started: release it for picking first, by making it Pending',
          'wrong_status',
        ),
      ),
    )
  const pending = added.filter(({ status }) => status === ConsignmentStatus.Pending)
  const batch = await takeFirstBatch(tx, source.organisationId, pending)
  if (batch.length < pending.length)
    throw verificationFailed({
      path: 'consignmentIds',
      code: 'length',
      message: 'These consignments have too many lines to be allocated at once: add fewer of them.',
    })
  await makeReadyToPick(tx, source, batch)
}

async function remove(tx: Tx, job: LockedJob, ids: readonly string[]): Promise<void> {
  await tx.run(sql`
    delete from job_consignment
    where organisation_id = ${job.organisationId} and job_id = ${job.id}
      and consignment_id = any(${ids}::uuid[])`)
}

export const wavePickConsignments = [
  endpoint({
    get: '/v1/jobs/:jobId/wave-pick/consignments',
    name: 'listWavePickConsignments',
    partners: 'clients',
    scope: 'job.read',
    summary: 'List the consignments of a wave pick',
    description: 'In the order in which they were added.',
    query: Type.Object({
      IncludeVoid: Type.Optional(
        Type.Boolean({ description: 'Whether to include Void consignments, which are not picked.' }),
      ),
    }),
    response: json(
      named('WavePickConsignments', Type.Object({ consignments: Type.Array(ConsignmentSummary) })),
    ),
    async handle({ db, actor, params, query }) {
      const { consignments } = await readWavePick(db, actor, params.jobId, query.IncludeVoid ?? false)
      return { consignments }
    },
  }),
  endpoint({
    post: '/v1/jobs/:jobId/wave-pick/consignments/add',
    name: 'addWavePickConsignments',
    canBeRehearsed: true,
    partners: 'none',
    scope: 'job',
    summary: 'Add consignments to a wave pick',
    description:
      'Adds all of the consignments or none. Each must be Outwards, belong to the client and the warehouse ' +
      'of the job, be in no open job, and not be Void, Closed or dispatched. The job must be open. If it ' +
      'is ReadyToStart or InProgress, Pending consignments become ReadyToPick and get stock, and a Draft ' +
      'is refused.',
    body: ConsignmentIds,
    response: done,
    async handle({ tx, actor, params, body, requestId }) {
      const ids = [...new Set(body.consignmentIds)]
      const { job, byId } = await lockMembers(tx, actor, params.jobId, ids)
      const added = requireCandidates(ids, byId, candidate => findAddingFault(job, candidate))
      if (added.length === 0) return
      await addToJob(tx, job, ids)
      if (isStarted(job.status)) await makeAddedReady(tx, { ...actor, requestId }, ids)
      const changes = [{ field: 'consignments', from: [], to: numbersOf(added) }]
      await emit(tx, { ...actor, requestId }, [jobEvent(EventType.JobUpdated, job, { changes })])
    },
  }),
  endpoint({
    post: '/v1/jobs/:jobId/wave-pick/consignments/remove',
    name: 'removeWavePickConsignments',
    canBeRehearsed: true,
    partners: 'none',
    scope: 'job',
    summary: 'Remove consignments from a wave pick',
    description:
      'Removes all of the consignments or none. Each must be in the job, and the job must be open. They ' +
      'can then be added to other jobs. A started job with nothing left to pick becomes Complete, and ' +
      'Cancelled if it has no consignments left.',
    body: ConsignmentIds,
    response: done,
    async handle({ tx, actor, params, body, requestId }) {
      const ids = [...new Set(body.consignmentIds)]
      const { job, byId } = await lockMembers(tx, actor, params.jobId, ids)
      const removed = requireCandidates(ids, byId, ({ isMember, consignmentNumber }) =>
        isMember
          ? undefined
          : candidateFault(consignmentNumber, `is not in job ${job.jobNumber}: leave it out`, 'conflict'),
      )
      if (removed.length === 0) return
      await remove(tx, job, ids)
      const changes = [{ field: 'consignments', from: numbersOf(removed), to: [] }]
      await emit(tx, { ...actor, requestId }, [jobEvent(EventType.JobUpdated, job, { changes })])
      await endJobIfNothingLeft(tx, { ...actor, requestId }, job)
    },
  }),
]
