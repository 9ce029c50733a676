// What the parts of a running bridge share: its journal, its printers with their queues, and its timings.

import { messageOf, type Reachability } from './driver.ts'
import type { Journal } from './journal.ts'
import type { Service } from './service.ts'
import type { ConfiguredPrinter } from './settings.ts'

/** The timings of the bridge in milliseconds. */
export interface BridgeTimings {
  /** the maximum wait of a claim; whole seconds */
  claimWaitMs: number
  /** the interval between probes of idle printers */
  probeMs: number
  /** the interval between renewals of a lease; a third of its duration */
  renewLeaseMs: number
  /** the maximum time that the service may take to acknowledge Sending before the first byte is sent */
  maxAcknowledgementMs: number
  /** the delays while the service is unreachable */
  backoffMs: [first: number, max: number]
  /** how long an outcome is reported to an unreachable service, and kept in the journal */
  retentionMs: number
}

export const defaultTimings: BridgeTimings = {
  claimWaitMs: 25_000,
  probeMs: 5_000,
  renewLeaseMs: 20_000,
  maxAcknowledgementMs: 30_000,
  backoffMs: [1_000, 30_000],
  retentionMs: 24 * 3_600_000,
}

export interface Context {
  service: Service
  journal: Journal
  /** by name in lower case */
  printers: ReadonlyMap<string, ConfiguredPrinter>
  /** the end of the queue of each busy printer, by name in lower case */
  queues: Map<string, Promise<void>>
  /** outcomes that are being reported to the service */
  reports: Set<Promise<void>>
  signal: AbortSignal
  log(line: string): void
  timings: BridgeTimings
  /** the results of the last probes, by name */
  states?: Map<string, Reachability>
}

/** Does some work for a printer after all work queued before. */
export function enqueue({ queues, log }: Context, printerName: string, work: () => Promise<void>): void {
  const key = printerName.toLowerCase()
  const previous = queues.get(key) ?? Promise.resolve()
  const done = previous.then(work).catch(error => log(`${printerName}: ${messageOf(error)}`))
  queues.set(key, done)
  done.then(() => {
    if (queues.get(key) === done) queues.delete(key)
  })
}

/** Returns a delay with jitter after a number of failures, in milliseconds. */
export const backoffDelay = ({ backoffMs: [first, max] }: BridgeTimings, failures: number): number =>
  Math.min(max, first * 2 ** failures) * (0.5 + Math.random() / 2)
