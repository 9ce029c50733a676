// A bridge asks for work, and waits for it where there is none. That it asks is how the service knows that it
// is there. Spec 4.15.

import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../platform/database/db.ts'
import { endpoint, json } from '../../platform/http/endpoint.ts'
import { named, optional, ShortText, Type } from '../../platform/http/schema.ts'
import { onHint } from '../../platform/work/hints.ts'
import { activeBridge } from './bridge.ts'
import { type BridgeKey, ClaimedPrintJob, claimJobs, giveBack, isWorkThere, noteSeen } from './print-queue.ts'
import { maxPrinters } from './printer.ts'
import { printJobHint } from './submit.ts'

const maxWaitSeconds = 25
const maxJobs = 8
// A hint is told to other processes once a second, and may get lost.
const lookEveryMs = 2_000

const Claim = named(
  'PrintJobClaim',
  Type.Object({
    waitSeconds: optional(
      Type.Integer({ minimum: 0, maximum: maxWaitSeconds, description: '0 unless said.' }),
    ),
    maxJobs: optional(Type.Integer({ minimum: 1, maximum: maxJobs, description: '8 unless said.' })),
    printers: optional(
      Type.Array(
        Type.Object({
          name: ShortText,
          isReachable: Type.Boolean(),
          reason: optional({ ...ShortText, description: 'Why it is not: "out of paper".' }),
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
      'For the app of the bridge alone. Says which of its printers it reaches, and gets the next job of ' +
      'each that has none in progress. Where there is nothing to print it waits. A job is held for 60 ' +
      'seconds from here and from each word on its progress.',
    body: Claim,
    bodyOptional: true,
    ownTransactions: true,
    answer: json(Type.Object({ jobs: Type.Array(ClaimedPrintJob) })),
    async handle({ database, actor, params, body, signal, stopping }) {
      const bridge = await activeBridge(database.db, actor, params.printerBridgeId)
      const waitSeconds = body.waitSeconds ?? 0
      const patience = waitSeconds === 0 ? AbortSignal.abort() : AbortSignal.timeout(waitSeconds * 1000)
      const ended = AbortSignal.any([signal, stopping, patience])
      const watch = watchFor(database, bridge, ended)
      try {
        for (;;) {
          const jobs = await database.atomically(async tx => {
            // Sent together, done one after the other.
            const [, claimed] = await Promise.all([
              noteSeen(tx, bridge, body.printers ?? []),
              claimJobs(tx, bridge, body.maxJobs ?? maxJobs),
            ])
            return claimed
          })
          if (jobs.length > 0 && signal.aborted) {
            await database.inOneStatement(tx => giveBack(tx, bridge, jobs))
            return { jobs: [] }
          }
          if (jobs.length > 0 || !(await watch.untilWork())) return { jobs }
        }
      } finally {
        watch.end()
      }
    },
  }),
]

/** Looks after a bridge that waits. It holds no connection between two looks. */
function watchFor(database: Database, bridge: BridgeKey, ended: AbortSignal) {
  let isHinted = false
  let wake = new AbortController()
  const end = onHint(printJobHint, () => {
    isHinted = true
    wake.abort()
  })
  return {
    end,
    /** Whether there is work before the wait ends. */
    async untilWork(): Promise<boolean> {
      while (!ended.aborted) {
        if (!isHinted)
          await pause(lookEveryMs, undefined, { signal: AbortSignal.any([wake.signal, ended]) }).catch(
            () => {},
          )
        if (ended.aborted) break
        isHinted = false
        wake = new AbortController()
        const { isThere } = await database.db.row<{ isThere: boolean }>(isWorkThere(bridge))
        if (isThere) return true
      }
      return false
    },
  }
}
