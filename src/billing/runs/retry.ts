// Retries a billing run at once: a failed one, or one whose schedule was removed. Decision 7.

import { endpoint } from '../../access/endpoint.ts'
import { sql } from '../../platform/database/db.ts'
import { changed } from '../../platform/http/endpoint.ts'
import { notFound, verificationFailed } from '../../platform/http/refusal.ts'
import { hint } from '../../platform/work/hints.ts'
import { BillingRunStatus } from '../../vocabulary/billing.ts'

export const retryBillingRun = [
  endpoint({
    post: '/v1/billing-runs/:billingRunId/retry',
    name: 'retryBillingRun',
    partners: 'none',
    scope: 'financial',
    extension: true,
    summary: 'Retry a billing run now',
    description:
      'A failed run continues with the step that failed, and an Unbundled one makes its schedule again, of ' +
      'what is Pending up to the end of its period. 304 if it is pending or running; refused if it is done.',
    response: changed,
    async handle({ tx, actor, params }) {
      const where = sql`organisation_id = ${actor.organisationId} and id = ${params.billingRunId}`
      const run = await tx.maybe<{ status: number }>(
        sql`select status from billing_run where ${where} for update`,
      )
      if (run === undefined) throw notFound('Billing run')
      if (run.status === BillingRunStatus.Done)
        throw verificationFailed('The run is done: its period is billed.')
      const retriable: number[] = [BillingRunStatus.Failed, BillingRunStatus.Unbundled]
      if (!retriable.includes(run.status)) return false
      await tx.run(sql`
        update billing_run set status = ${BillingRunStatus.Pending}, due_utc = now() where ${where}`)
      tx.afterCommit(() => hint('billing-runs'))
      return true
    },
  }),
]
