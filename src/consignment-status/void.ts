// The endpoint that voids a consignment. Decisions 3, 4.

import type { Actor } from '../access/actor.ts'
import { endpoint } from '../access/endpoint.ts'
import { requireDraftOrPending } from '../consignments/client-changes.ts'
import { type LockedConsignment, lockConsignment } from '../consignments/consignment.ts'
import { sql, type Tx } from '../platform/database/db.ts'
import { changed } from '../platform/http/endpoint.ts'
import { verificationFailed } from '../platform/http/refusal.ts'
import { changeAtDoor } from '../stock/commands/change-at-door.ts'
import { ScheduleTransactionStatus } from '../vocabulary/billing.ts'
import { ConsignmentStatus } from '../vocabulary/consignments.ts'
import { JobStatus } from '../vocabulary/jobs.ts'
import { changeStatus } from './change-status.ts'
import { readReason, StatusReason } from './status.ts'

/**
 * Throws 400 if a client's user wants to void a consignment that is neither Draft nor Pending, that is in a
 * wave pick which is in progress or Complete, or that was billed. Nobody can void a consignment after goods
 * were received or dispatched; `changeStatus` refuses that.
 */
async function requireUntouched(tx: Tx, actor: Actor, consignment: LockedConsignment): Promise<void> {
  if (actor.partnerKind !== 'client') return
  requireDraftOrPending(actor, consignment)
  const { organisationId, id, consignmentNumber } = consignment
  // Locking the jobs keeps them from starting before the consignment is void.
  const [jobs, billed] = await Promise.all([
    tx.rows<{ jobNumber: string; status: JobStatus }>(sql`
      select j.job_number, j.status from job_consignment m
      join job j on j.organisation_id = m.organisation_id and j.id = m.job_id
      where m.organisation_id = ${organisationId} and m.consignment_id = ${id}
      order by j.id for share of j`),
    tx.maybe(sql`
      select from schedule_transaction
      where organisation_id = ${organisationId} and consignment_id = ${id}
        and status <> ${ScheduleTransactionStatus.Void}
      limit 1`),
  ])
  const started = jobs.filter(
    ({ status }) => status === JobStatus.InProgress || status === JobStatus.Complete,
  )
  const faults = [
    ...started.map(({ jobNumber }) => `it was picked by job ${jobNumber}`),
    ...(billed === undefined ? [] : ['it was billed']),
  ]
  if (faults.length > 0)
    throw verificationFailed(
      ...faults.map(
        fault => `A token that belongs to a client cannot void consignment ${consignmentNumber}: ${fault}.`,
      ),
    )
}

export const voidConsignment = [
  endpoint({
    put: '/v1/consignments/:consignmentId/void',
    name: 'voidConsignment',
    canBeRehearsed: true,
    partners: 'clients',
    scope: 'consignment',
    extension: true,
    summary: 'Void a consignment',
    description:
      "A client's users may do this only while the consignment is Draft or Pending, not in a job that has " +
      'started, and not billed.',
    body: StatusReason,
    bodyOptional: true,
    response: changed,
    ownTransactions: true,
    handle(request) {
      const { actor, params, body, requestId } = request
      // What is allocated to it is released.
      return changeAtDoor(request, { table: 'consignment', id: params.consignmentId }, async tx => {
        const consignment = await lockConsignment(tx, actor, params.consignmentId)
        if (consignment.status === ConsignmentStatus.Void) return false
        await requireUntouched(tx, actor, consignment)
        return changeStatus(
          tx,
          { ...actor, requestId },
          consignment,
          ConsignmentStatus.Void,
          readReason(body),
        )
      })
    },
  }),
]
