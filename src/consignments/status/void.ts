// Voiding a consignment. Open-points 3 (a client's people), 4.

import { ScheduleTransactionStatus } from '../../billing/enumerations.ts'
import { JobStatus } from '../../jobs/enumerations.ts'
import { sql, type Tx } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { changed, endpoint } from '../../platform/http/endpoint.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import { requireDraftOrPending } from '../client-changes.ts'
import { type LockedConsignment, lockConsignment } from '../consignment.ts'
import { ConsignmentStatus } from '../enumerations.ts'
import { changeStatus } from './change-status.ts'
import { Reason, reasonOf } from './status.ts'

/**
 * Throws 400 when a client's person wants to void a consignment that is neither Draft nor Pending, that a
 * wave pick in progress or Complete has picked, or for which anything is billed. One that was received or
 * dispatched cannot be voided by anybody; changeStatus refuses that. /
 */
async function requireUntouched(tx: Tx, actor: Actor, consignment: LockedConsignment): Promise<void> {
  if (actor.partnerKind !== 'client') return
  requireDraftOrPending(actor, consignment)
  const { organisationId, id, consignmentNumber } = consignment
  // The jobs are locked, so that none begins before the consignment is void.
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
  const began = jobs.filter(({ status }) => status === JobStatus.InProgress || status === JobStatus.Complete)
  const faults = [
    ...began.map(({ jobNumber }) => `it was picked by job ${jobNumber}`),
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
    partners: 'clients',
    scope: 'consignment',
    extension: true,
    summary: 'Void a consignment',
    description:
      'People of the client may while the consignment is Draft or Pending, and nothing of it is picked or ' +
      'billed.',
    body: Reason,
    bodyOptional: true,
    answer: changed,
    async handle({ tx, actor, params, body, requestId }) {
      const consignment = await lockConsignment(tx, actor, params.consignmentId)
      if (consignment.status === ConsignmentStatus.Void) return false
      await requireUntouched(tx, actor, consignment)
      return changeStatus(tx, { ...actor, requestId }, consignment, ConsignmentStatus.Void, reasonOf(body))
    },
  }),
]
