// The contents page of everything that happens without a request.

import type { FastifyBaseLogger } from 'fastify'
import { startImportDownloads } from './consignment-imports/downloads.ts'
import { startImports } from './consignment-imports/process-imports.ts'
import { startFoldingCounts } from './consignments/list/fold-counts.ts'
import { sweepOAuthRecords } from './oauth/adapter.ts'
import { rotateSigningKeys } from './oauth/rotate-keys.ts'
import type { Database } from './platform/database/db.ts'
import type { Metrics } from './platform/metrics.ts'
import type { OutgoingHttp } from './platform/outgoing/outgoing-http.ts'
import type { SecretBox } from './platform/secret-box.ts'
import type { WorkLoop } from './platform/work/work-loop.ts'
import type { Config } from './process/config.ts'
import { deliver } from './webhook-subscriptions/delivery/deliver.ts'
import { forgetDeliveries } from './webhook-subscriptions/delivery/forget.ts'
import { recur } from './webhook-subscriptions/recurrence.ts'

/** What work loops work with. */
export interface Working {
  readonly database: Database
  readonly log: FastifyBaseLogger
  readonly config: Config
  readonly secretBox: SecretBox
  readonly outgoing: OutgoingHttp
  readonly metrics: Metrics
}

/** Starts one loop. */
export type Starter = (working: Working) => WorkLoop

export const workers: readonly Starter[] = [
  startImports,
  startImportDownloads,
  startFoldingCounts,
  sweepOAuthRecords,
  rotateSigningKeys,
  deliver,
  recur,
  forgetDeliveries,
]
