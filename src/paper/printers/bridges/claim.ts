// A bridge claims print jobs by long polling. Each claim is also the bridge's heartbeat. Spec 4.15.

import { setTimeout as pause } from 'node:timers/promises'
import { endpoint } from '../../../access/endpoint.ts'
import type { Database } from '../../../platform/database/db.ts'
import { json } from '../../../platform/http/endpoint.ts'
import { tooManyAtOnce } from '../../../platform/http/refusal.ts'
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
/** One claim waits; another may begin before the service has noticed that the line of the first was cut. */
const maxWaiting = 2
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

export const claimPrintJobs = [
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
      'it waits; at most two claims of a bridge wait at a time, and a third gets 429. The bridge holds a ' +
      'job for 60 seconds from the claim and from each progress report.',
    body: Claim,
    bodyOptional: true,
    ownTransactions: true,
    response: json(Type.Object({ jobs: Type.Array(ClaimedPrintJob) })),
    async handle({ database, actor, params, body, signal, stopping }) {
      const bridge = await findActiveBridge(database.db, actor, params.printerBridgeId)
      const waitSeconds = body.waitSeconds ?? 0
      const timeout = waitSeconds === 0 ? AbortSignal.abort() : AbortSignal.timeout(waitSeconds * 1000)
      const waitEnded = AbortSignal.any([signal, stopping, timeout])
      const watch = watchQueue(database, bridge, waitEnded, waitSeconds > 0)
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

/** How many claims of each bridge wait in this process. */
const waitingClaims = new Map<string, number>()

/** Counts a waiting claim of a bridge. Refuses (429) one more than `maxWaiting`. */
function beginWaiting({ id }: BridgeKey): void {
  const waiting = waitingClaims.get(id) ?? 0
  if (waiting >= maxWaiting)
    throw tooManyAtOnce(`At most ${maxWaiting} claims of a printer bridge wait at a time.`)
  waitingClaims.set(id, waiting + 1)
}

function endWaiting({ id }: BridgeKey): void {
  const waiting = (waitingClaims.get(id) ?? 1) - 1
  if (waiting === 0) waitingClaims.delete(id)
  else waitingClaims.set(id, waiting)
}

/**
 * Watches the queue for a claim of a bridge, which may wait or returns at once. It holds no database
 * connection between two polls. Refuses (429) the third claim that waits for one bridge.
 */
function watchQueue(database: Database, bridge: BridgeKey, waitEnded: AbortSignal, mayWait: boolean) {
  if (mayWait) beginWaiting(bridge)
  let isHinted = false
  let wake = new AbortController()
  const stopListening = onHint(printJobHint(bridge.id), () => {
    isHinted = true
    wake.abort()
  })
  return {
    end() {
      stopListening()
      if (mayWait) endWaiting(bridge)
    },
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
