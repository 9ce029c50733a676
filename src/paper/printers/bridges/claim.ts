// A bridge claims print jobs by long polling. Each claim is also the bridge's heartbeat. Spec 4.15.

import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../../platform/database/db.ts'
import { endpoint, json } from '../../../platform/http/endpoint.ts'
import { named, optional, ShortText, Type } from '../../../platform/http/schema.ts'
import { onHint } from '../../../platform/work/hints.ts'
import {
  type BridgeKey,
  ClaimedPrintJob,
  claimJobs,
  recordHeartbeat,
  returnJobs,
  selectHasWork,
} from '../../print-jobs/print-queue.ts'
import { printJobHint } from '../../print-jobs/submit.ts'
import { maxPrinters } from '../printer.ts'
import { findActiveBridge } from './bridge.ts'

const maxWaitSeconds = 25
const maxJobs = 8
// Hints reach other processes with a delay of up to a second and may get lost, so a waiting claim also polls.
const pollMs = 2_000

const Claim = named(
  'PrintJobClaim',
  Type.Object({
    waitSeconds: optional(Type.Integer({ minimum: 0, maximum: maxWaitSeconds, description: 'Default: 0.' })),
    maxJobs: optional(Type.Integer({ minimum: 1, maximum: maxJobs, description: 'Default: 8.' })),
    printers: optional(
      Type.Array(
        Type.Object({
          name: ShortText,
          isReachable: Type.Boolean(),
          reason: optional({ ...ShortText, description: 'Why it is not reachable: "out of paper".' }),
        }),
        { maxItems: maxPrinters },
      ),
    ),
  }),
)

export const claim = [
  endpoint({
    post: '/v1/printer-bridges/:printerBridgeId/claim',
    name: 'claimPrintJobs',
    partners: 'none',
    scope: 'print',
    extension: true,
    summary: 'Fetch print jobs as a printer bridge',
    description:
      'For the app of the bridge only. The request reports which printers the bridge can reach; the ' +
      'response has the next job of each printer that has none in progress. If there is nothing to print, ' +
      'it waits. The bridge holds a job for 60 seconds from the claim and from each progress report.',
    body: Claim,
    bodyOptional: true,
    ownTransactions: true,
    response: json(Type.Object({ jobs: Type.Array(ClaimedPrintJob) })),
    async handle({ database, actor, params, body, signal, stopping }) {
      const bridge = await findActiveBridge(database.db, actor, params.printerBridgeId)
      const waitSeconds = body.waitSeconds ?? 0
      const timeout = waitSeconds === 0 ? AbortSignal.abort() : AbortSignal.timeout(waitSeconds * 1000)
      const waitEnded = AbortSignal.any([signal, stopping, timeout])
      const watch = watchQueue(database, bridge, waitEnded)
      try {
        for (;;) {
          const jobs = await database.atomically(async tx => {
            // Both statements are sent in one round trip; the database runs them in this order.
            const [, claimed] = await Promise.all([
              recordHeartbeat(tx, bridge, body.printers ?? []),
              claimJobs(tx, bridge, body.maxJobs ?? maxJobs),
            ])
            return claimed
          })
          if (jobs.length > 0 && signal.aborted) {
            await database.inOneStatement(tx => returnJobs(tx, bridge, jobs))
            return { jobs: [] }
          }
          if (jobs.length > 0 || !(await watch.waitForWork())) return { jobs }
        }
      } finally {
        watch.end()
      }
    },
  }),
]

/** Watches the queue for a waiting bridge. It holds no database connection between two polls. */
function watchQueue(database: Database, bridge: BridgeKey, waitEnded: AbortSignal) {
  let isHinted = false
  let wake = new AbortController()
  const end = onHint(printJobHint, () => {
    isHinted = true
    wake.abort()
  })
  return {
    end,
    /** Returns true once there is work, or false when the wait ends. */
    async waitForWork(): Promise<boolean> {
      while (!waitEnded.aborted) {
        if (!isHinted)
          await pause(pollMs, undefined, { signal: AbortSignal.any([wake.signal, waitEnded]) }).catch(
            () => {},
          )
        if (waitEnded.aborted) break
        isHinted = false
        wake = new AbortController()
        const { hasWork } = await database.db.row<{ hasWork: boolean }>(selectHasWork(bridge))
        if (hasWork) return true
      }
      return false
    },
  }
}
