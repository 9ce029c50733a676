// The step of a billing run that raises storage. Decision 7.

import { sql } from '../../platform/database/db.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'
import { BillingRunStep } from '../../vocabulary/billing.ts'
import { Relationship } from '../../vocabulary/partners.ts'
import { billStorage, listClientWarehouses } from '../storage/bill-storage.ts'
import { type BillingRun, completeStep } from './billing-run.ts'
import type { RunRule } from './run-rule.ts'

/**
 * Raises the storage of a client in each warehouse where it had goods in the period, or where earlier days
 * are to be corrected, with one transaction per warehouse. Storage that was raised before is not raised
 * again, so the step may be repeated safely. The run remembers whether it raised storage.
 */
export async function raiseStorageOfRun(
  { database }: Pick<WorkerContext, 'database'>,
  run: BillingRun,
  rule: RunRule,
  stopping: AbortSignal,
): Promise<BillingRunStep | null> {
  const { organisationId, partnerId: clientId, periodFrom, periodTo } = run
  if (rule.raisesStorage && run.relationship === Relationship.Client) {
    const days = { periodFrom, periodTo, billingPeriod: rule.period }
    for (const { warehouseId } of await listClientWarehouses(database.db, organisationId, {
      clientId,
      periodFrom,
    })) {
      if (stopping.aborted) return BillingRunStep.Storage
      await billStorage(database, { organisationId, clientId, warehouseId, ...days })
    }
  }
  return completeStep(database, run, BillingRunStep.Periodic, async tx => {
    await tx.run(sql`update billing_run set raised_storage = ${rule.raisesStorage}
      where organisation_id = ${organisationId} and id = ${run.id}`)
  })
}
