// The contents page of all background work.

import { startBackTests, startDeletingOldBackTests } from './billing/back-tests/run-back-tests.ts'
import { backTestLease } from './billing/back-tests/store-result.ts'
import { startProvingDrafts } from './billing/proofs/prove-drafts.ts'
import { runLease } from './billing/runs/billing-run.ts'
import { startBillingRuns } from './billing/runs/run-billing.ts'
import { startDeletingOldRequests } from './consignment-imports/delete-old-requests.ts'
import { startImportDownloads } from './consignment-imports/downloads/fetch-due-files.ts'
import { downloadLease } from './consignment-imports/downloads/lease-next.ts'
import { startImports } from './consignment-imports/process-imports.ts'
import { startFoldingConsignmentCounts } from './consignments/list/fold-counts.ts'
import { startDeletingOldEntries } from './events/feed/delete-old-entries.ts'
import { startNumberingEvents } from './events/feed/number-events.ts'
import { startOAuthCleanup } from './oauth/adapter.ts'
import { startKeyRotation } from './oauth/rotate-keys.ts'
import { startDeletingOldJobs, startExpiringJobs } from './paper/print-jobs/expire-jobs.ts'
import { startDeletingOldLimits } from './platform/limits/delete-old-limits.ts'
import { startReleasingClaims } from './platform/work/release-claims.ts'
import type { WorkLoop } from './platform/work/work-loop.ts'
import type { WorkerContext } from './platform/work/worker-context.ts'
import type { Config } from './process/config.ts'
import { startCheckpoints } from './stock/as-of/checkpoints.ts'
import { startDeletingOldOperations } from './stock/commands/delete-old-operations.ts'
import { startFoldingInventoryCounts } from './stock/inventory/list/fold-counts.ts'
import { startAnalyzingStock } from './stock/ledger/analyze-stock.ts'
import { startNightlyStockCheck } from './stock/ledger/nightly-check.ts'
import { deliveryLease } from './webhook-subscriptions/delivery/claim.ts'
import { startDeletingOldDeliveries } from './webhook-subscriptions/delivery/delete-old-deliveries.ts'
import { startDeliveries } from './webhook-subscriptions/delivery/deliver.ts'
import { startRecurrences } from './webhook-subscriptions/recurrence.ts'

/**
 * Starts a worker. `config` is the settings of the process; workers take those they need as parameters of
 * their own.
 */
export type StartWorker = (context: WorkerContext, config: Config) => WorkLoop

export const workers: readonly StartWorker[] = [
  (context, { poolSize }) => startImports(context, poolSize),
  context => startImportDownloads(context),
  context => startReleasingClaims(context, 'import-downloads', downloadLease),
  startFoldingConsignmentCounts,
  startFoldingInventoryCounts,
  startCheckpoints,
  startAnalyzingStock,
  startOAuthCleanup,
  startKeyRotation,
  startNightlyStockCheck,
  startBillingRuns,
  startProvingDrafts,
  context => startReleasingClaims(context, 'billing-runs', runLease),
  (context, { webhookRetrySeconds }) => startDeliveries(context, webhookRetrySeconds),
  context => startReleasingClaims(context, 'deliveries', deliveryLease),
  startRecurrences,
  startBackTests,
  context => startReleasingClaims(context, 'back-tests', backTestLease),
  startDeletingOldBackTests,
  startExpiringJobs,
  startNumberingEvents,
  startDeletingOldDeliveries,
  startDeletingOldEntries,
  startDeletingOldOperations,
  startDeletingOldRequests,
  startDeletingOldLimits,
  startDeletingOldJobs,
]
