// Moving a wave pick to another status. Spec 2.15, 3; decision 2.

import type { Actor } from '../../access/actor.ts'
import { endpoint } from '../../access/endpoint.ts'
import { makeReadyToPick } from '../../consignment-status/make-ready.ts'
import type { EventOrigin } from '../../events/emit.ts'
import type { LockedOutwardsConsignment } from '../../floor/picking/outwards-consignment.ts'
import type { Tx } from '../../platform/database/db.ts'
import { changed } from '../../platform/http/endpoint.ts'
import type { Fault } from '../../platform/http/fault.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import { takeFirstBatch } from '../../stock/allocation/outbound-lines.ts'
import { changeAtDoor } from '../../stock/commands/change-at-door.ts'
import { ConsignmentStatus } from '../../vocabulary/consignments.ts'
import { JobStatus, JobType } from '../../vocabulary/jobs.ts'
import { JobStatusChange, type LockedJob, lockJob, moveJob } from '../job.ts'
import { jobStatusRefusal } from '../job-status.ts'
import { lockWavePick } from './lock-wave-pick.ts'

const { Draft, ReadyToStart, InProgress } = JobStatus

/** Whether picking can begin with a move, so that the effects of ReadyToStart must take place. */
const isStart = (from: JobStatus, to: JobStatus) =>
  to === ReadyToStart || (from === Draft && to === InProgress)

/** Locks the job. Also locks its consignments if picking may begin with the move. */
async function lockForMove(
  tx: Tx,
  actor: Actor,
  jobId: string,
  to: JobStatus,
): Promise<{ job: LockedJob; members: readonly LockedOutwardsConsignment[] }> {
  if (to === ReadyToStart || to === InProgress) return lockWavePick(tx, actor, jobId)
  return { job: await lockJob(tx, actor, jobId, JobType.WavePick), members: [] }
}

/**
 * Moves Pending consignments to ReadyToPick, as many as one transaction may handle. Returns whether those
 * were all. Throws 400 if one is a Draft.
 */
async function makeMembersReady(
  tx: Tx,
  source: EventOrigin,
  members: readonly LockedOutwardsConsignment[],
): Promise<boolean> {
  const drafts = members.filter(({ status }) => status === ConsignmentStatus.Draft)
  if (drafts.length > 0)
    throw verificationFailed(
      ...drafts.map(
        ({ consignmentNumber }): Fault => ({
          path: null,
          code: 'wrong_status',
          message: `Consignment ${consignmentNumber} is Draft: make it Pending or Ready to pick first.`,
        }),
      ),
    )
  const pending = members.filter(({ status }) => status === ConsignmentStatus.Pending)
  const batch = await takeFirstBatch(tx, source.organisationId, pending)
  await makeReadyToPick(tx, source, batch)
  return batch.length === pending.length
}

/** `unfinished`: the job has more consignments to make ready before it can be moved. */
type Outcome = 'moved' | 'unchanged' | 'unfinished'

async function move(tx: Tx, actor: Actor, requestId: string, jobId: string, to: JobStatus): Promise<Outcome> {
  const { job, members } = await lockForMove(tx, actor, jobId, to)
  if (to === job.status) return 'unchanged'
  const refusal = jobStatusRefusal(job.status, to)
  if (refusal !== null) throw verificationFailed(refusal)
  const source = { ...actor, requestId }
  if (isStart(job.status, to) && !(await makeMembersReady(tx, source, members))) return 'unfinished'
  await moveJob(tx, source, job, to)
  return 'moved'
}

export const wavePickStatus = [
  endpoint({
    put: '/v1/jobs/:jobId/wave-pick/status',
    name: 'setWavePickStatus',
    canBeRehearsed: true,
    partners: 'none',
    scope: 'job',
    extension: true,
    summary: 'Move a wave pick to another status',
    description:
      'An open job (Draft, ReadyToStart or InProgress) can be moved to any status, but a Draft not to ' +
      'Complete. Complete and Cancelled ' +
      'are final and free the consignments for other jobs. ReadyToStart, even if it is skipped, makes the ' +
      'Pending consignments of the job ReadyToPick and allocates stock to them in the order of their ' +
      'positions. It is refused if one of them is a Draft. When the job is Cancelled, allocated and picked ' +
      'stock stays as it is.',
    body: JobStatusChange,
    response: changed,
    ownTransactions: true,
    async handle(request) {
      const { actor, params, body, requestId } = request
      const { jobId } = params
      // A wave of very many lines is made ready in several transactions, so that others never wait long for
      // its stock. After an interruption between them, the caller repeats the request.
      for (;;) {
        const outcome = await changeAtDoor(request, { table: 'job', id: jobId }, tx =>
          move(tx, actor, requestId, jobId, body.status),
        )
        if (outcome !== 'unfinished') return outcome === 'moved'
      }
    },
  }),
]
