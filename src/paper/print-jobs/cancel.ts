// Cancels a print job before any of it is sent. Spec 2.16.

import { endpoint } from '../../access/endpoint.ts'
import { sql } from '../../platform/database/db.ts'
import { changed } from '../../platform/http/endpoint.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import { PrintJobPhase, PrintJobStatus } from '../../vocabulary/paper.ts'
import { lockPrintJob } from './lock-print-job.ts'
import { appendAction } from './print-job.ts'
import { notifyBridge } from './submit.ts'

const { Pending, InProgress, Cancelled } = PrintJobStatus

export const cancelPrintJob = [
  endpoint({
    put: '/v1/print-jobs/:printJobId/cancel',
    name: 'cancelPrintJob',
    partners: 'clients',
    scope: 'print',
    extension: true,
    summary: 'Cancel a print job',
    description: 'Possible until the job is sent to its printer. Later, or once it has ended: 400.',
    response: changed,
    async handle({ tx, actor, params }) {
      const { status, phase, printerBridgeId } = await lockPrintJob(tx, actor, params.printJobId)
      if (status === Cancelled) return false
      if (status === InProgress && phase >= PrintJobPhase.Sending)
        throw verificationFailed('The job is being sent to its printer and cannot be cancelled any more.')
      if (status !== Pending && status !== InProgress) throw verificationFailed('The job has ended already.')
      await tx.run(sql`
        update print_job j set status = ${Cancelled}, lease_number = j.lease_number + 1,
          finished_utc = now(), ${appendAction(sql`cancellations`)}
        from app_user u
        where u.organisation_id = j.organisation_id and u.id = ${actor.userId}
          and j.organisation_id = ${actor.organisationId} and j.id = ${params.printJobId}`)
      tx.afterCommit(() => notifyBridge(printerBridgeId))
      return true
    },
  }),
]
