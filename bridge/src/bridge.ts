// The bridge claims jobs from the service and prints each of them once. The order of the steps guarantees
// that; the README of this package explains it.

import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type BridgeTimings, backoffDelay, type Context, defaultTimings, enqueue } from './context.ts'
import { type DeliveryOutcome, LeaseLostError, messageOf, pause, type Reachability } from './driver.ts'
import { type Entry, type Journal, openJournal } from './journal.ts'
import { type ClaimedJob, createServiceClient, Phase, Result, ServiceError } from './service.ts'
import type { Settings } from './settings.ts'
import { lockState } from './state-lock.ts'

export interface BridgeOptions {
  version: string
  /** Logs a line for people. */
  log(line: string): void
  timings?: Partial<BridgeTimings>
}

/** A running bridge. */
export interface Bridge {
  /** Stops claiming jobs, and waits for those that are being sent. */
  stop(): Promise<void>
}

/**
 * Starts a bridge. Throws if its state folder cannot be used. An unreachable service is only logged, and
 * tried again.
 */
export async function startBridge(settings: Settings, options: BridgeOptions): Promise<Bridge> {
  await mkdir(settings.stateFolder, { recursive: true, mode: 0o700 })
  const unlock = await lockState(settings.stateFolder)
  let journal: Journal
  try {
    journal = await openJournal(join(settings.stateFolder, 'journal'))
  } catch (error) {
    await unlock()
    throw error
  }
  const stopping = new AbortController()
  const context: Context = {
    service: createServiceClient(settings),
    journal,
    printers: new Map(settings.printers.map(printer => [printer.name.toLowerCase(), printer])),
    queues: new Map(),
    reports: new Set(),
    signal: stopping.signal,
    log: options.log,
    timings: { ...defaultTimings, ...options.timings },
  }
  for (const entry of journal.entries()) enqueue(context, entry.printerName, () => resumeJob(context, entry))
  const loops = Promise.all([runClaimLoop(context, options.version), runProbeLoop(context)])
  return {
    async stop() {
      stopping.abort()
      await loops
      await Promise.all(context.queues.values())
      await Promise.all(context.reports)
      await journal.close()
      await unlock()
    },
  }
}

/** Announces the printers, then claims jobs until the bridge stops. */
async function runClaimLoop(context: Context, version: string): Promise<void> {
  const { service, signal, log, timings } = context
  let isAnnounced = false
  let failures = 0
  await probeAll(context)
  while (!signal.aborted) {
    try {
      if (!isAnnounced) {
        await service.announce([...context.printers.values()], version)
        isAnnounced = true
        log(`Works for ${context.printers.size} printers.`)
      }
      await claimJobs(context, Math.floor(timings.claimWaitMs / 1000))
      if (failures > 0) log('The service can be reached again.')
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      // The printers or the bridge may have been deactivated meanwhile.
      if (error instanceof ServiceError) isAnnounced = false
      if (failures === 0) log(`Cannot fetch print jobs from the service: ${messageOf(error)}`)
      await pause(backoffDelay(timings, failures++), signal)
    }
  }
}

/** Claims jobs and enqueues them. */
async function claimJobs(context: Context, waitSeconds: number): Promise<void> {
  const jobs = await context.service.claim(context.states ?? new Map(), waitSeconds, context.signal)
  for (const job of jobs) {
    const stopRenewing = startRenewingLease(context, job)
    enqueue(context, job.printerName, () => printClaimedJob(context, job).finally(stopRenewing))
  }
}

/** Probes idle printers, and reports a change of state to the service at once. */
async function runProbeLoop(context: Context): Promise<void> {
  const { signal, timings } = context
  for (;;) {
    await pause(timings.probeMs, signal)
    if (signal.aborted) return
    // If this claim fails, the next one reports the change.
    if (await probeAll(context)) await claimJobs(context, 0).catch(() => {})
  }
}

/** Probes all idle printers. Returns whether the state of one has changed. */
async function probeAll(context: Context): Promise<boolean> {
  const previous = context.states ?? new Map<string, Reachability>()
  const entries = await Promise.all(
    [...context.printers].map(async ([key, { name, driver }]) => {
      const lastState = previous.get(name)
      // A busy printer is not states, because many accept only one connection at a time.
      return [
        name,
        context.queues.has(key) && lastState !== undefined ? lastState : await driver.probe(),
      ] as const
    }),
  )
  context.states = new Map(entries)
  let hasChanged = false
  for (const [name, state] of entries) {
    if (JSON.stringify(state) === JSON.stringify(previous.get(name))) continue
    hasChanged = true
    context.log(state.isReachable ? `${name} is ready.` : `${name} cannot print: ${state.reason}`)
  }
  return hasChanged
}

type Lease = Pick<ClaimedJob, 'printJobId' | 'leaseNumber'> & { phase?: number; isLost?: boolean }

/** Renews a lease regularly until the returned function is called. */
function startRenewingLease({ service, timings }: Context, job: Lease): () => void {
  const timer = setInterval(() => {
    service.progress(job, { phase: job.phase ?? Phase.Claimed }).catch(error => {
      if (isLeaseLost(error)) job.isLost = true
    })
  }, timings.renewLeaseMs)
  return () => clearInterval(timer)
}

/** Whether the response of the service means that the bridge no longer holds a job. */
const isLeaseLost = (error: unknown): boolean =>
  error instanceof ServiceError && [404, 409].includes(error.status)

/** Prints a claimed job and reports its outcome. */
async function printClaimedJob(context: Context, job: ClaimedJob & Lease): Promise<void> {
  const { journal, signal, log } = context
  const { printJobId, leaseNumber, printerName } = job
  const earlier = findEarlierOutcome(journal, job)
  if (earlier !== undefined) return recordOutcome(context, createEntry(job), earlier)
  // Nothing was sent, so the service puts the job back into its queue when the lease ends.
  if (signal.aborted || job.isLost) return
  const entry = createEntry(job)
  let outcome: DeliveryOutcome
  try {
    outcome = await deliver(context, job, entry)
  } catch (error) {
    if (error instanceof LeaseLostError || isLeaseLost(error)) {
      log(`${printerName}: ${job.name} must not be printed any more.`)
      return journal.remove({ printJobId, leaseNumber })
    }
    outcome = { kind: 'refused', message: messageOf(error) }
  }
  log(`${printerName}: ${job.name}: ${outcome.kind}${outcome.message ? `, ${outcome.message}` : ''}`)
  await recordOutcome(context, entry, outcome)
}

const createEntry = ({ printJobId, leaseNumber, printerName }: ClaimedJob): Entry => ({
  printJobId,
  leaseNumber,
  printerName,
  since: Date.now(),
  step: 'claimed',
})

/**
 * Returns the outcome of a job that the service offers again although the bridge has already sent it under
 * this or a later lease. That happens if the database of the service was restored or has lost its latest
 * changes.
 */
function findEarlierOutcome(
  journal: Journal,
  { printJobId, leaseNumber }: ClaimedJob,
): DeliveryOutcome | undefined {
  const earlier = journal
    .entries()
    .filter(entry => entry.printJobId === printJobId && entry.leaseNumber >= leaseNumber)
    .filter(({ step, outcome }) => step !== 'claimed' && outcome?.kind !== 'refused')
  if (earlier.length === 0) return undefined
  return earlier.find(({ outcome }) => outcome !== undefined)?.outcome ?? interruptedOutcome
}

const interruptedOutcome: DeliveryOutcome = {
  kind: 'in doubt',
  message: 'The bridge was stopped while sending it.',
}

/** Downloads a job and sends it to its printer. Throws only if nothing was sent. */
async function deliver(context: Context, job: ClaimedJob & Lease, entry: Entry): Promise<DeliveryOutcome> {
  const { service, journal, signal, log } = context
  const printer = context.printers.get(job.printerName.toLowerCase())
  if (printer === undefined) throw new Error(`The bridge has no printer ${job.printerName}.`)
  const [content] = await Promise.all([service.content(job, signal), journal.write(entry)])
  if (createHash('sha256').update(content).digest('base64') !== job.sha256)
    throw new Error('The content from the service is damaged.')
  let mayBeSent = false
  try {
    return await printer.driver.print(
      { ...job, content },
      {
        async beginSending() {
          await reportSending(context, job)
          await journal.write(Object.assign(entry, { step: 'sending' }))
          mayBeSent = true
        },
        async finishSending(reference) {
          // The printer has the job even if the journal cannot be written.
          await journal
            .write(Object.assign(entry, { step: 'sent', reference }))
            .catch(error => log(`The journal: ${messageOf(error)}`))
          job.phase = Phase.Sent
          service.progress(job, { phase: Phase.Sent }).catch(() => {})
        },
      },
    )
  } catch (error) {
    if (!mayBeSent) throw error
    return { kind: 'in doubt', message: messageOf(error) }
  }
}

/** Reports to the service that a job may be on paper from now on. Throws if it must not be sent. */
async function reportSending({ service, signal, timings }: Context, job: ClaimedJob & Lease): Promise<void> {
  for (let failures = 0; ; failures++) {
    if (job.isLost) throw new LeaseLostError()
    if (signal.aborted) throw new Error('The bridge was stopped.')
    const reportedAt = performance.now()
    try {
      await service.progress(job, { phase: Phase.Sending })
      job.phase = Phase.Sending
      // After a slow acknowledgement the lease may have ended, so Sending is reported again.
      if (performance.now() - reportedAt < timings.maxAcknowledgementMs) return
    } catch (error) {
      if (isLeaseLost(error)) throw new LeaseLostError()
      await pause(backoffDelay(timings, failures), signal)
    }
  }
}

/** Continues with a job that was unfinished when the bridge ended. */
async function resumeJob(context: Context, entry: Entry): Promise<void> {
  const { printers, timings } = context
  if (entry.isReported || Date.now() - entry.since > timings.retentionMs) return removeOldEntries(context)
  if (entry.outcome !== undefined) return recordOutcome(context, entry, entry.outcome)
  if (entry.step === 'claimed')
    return recordOutcome(context, entry, {
      kind: 'refused',
      message: 'The bridge was stopped before anything was sent.',
    })
  const driver = printers.get(entry.printerName.toLowerCase())?.driver
  if (entry.step === 'sending' || driver === undefined)
    return recordOutcome(context, entry, interruptedOutcome)
  const stopRenewing = startRenewingLease(context, Object.assign({ phase: Phase.Sent }, entry))
  try {
    await recordOutcome(context, entry, await driver.findOutcome(entry.reference ?? ''))
  } finally {
    stopRenewing()
  }
}

/**
 * Records an outcome in the journal. Reports it in the background, so that the printer's next job can begin.
 */
async function recordOutcome(context: Context, entry: Entry, outcome: DeliveryOutcome): Promise<void> {
  const { journal, log, reports } = context
  await journal
    .write(Object.assign(entry, { step: 'ended', outcome }))
    .catch(error => log(`The journal: ${messageOf(error)}`))
  const report = reportOutcome(context, entry, outcome)
    .catch(error => log(`The journal: ${messageOf(error)}`))
    .finally(() => reports.delete(report))
  reports.add(report)
}

/**
 * Reports an outcome to the service until it is accepted. A stopped bridge continues when it starts again.
 */
async function reportOutcome(context: Context, entry: Entry, outcome: DeliveryOutcome): Promise<void> {
  const { service, journal, signal, log, timings } = context
  const { kind, message } = outcome
  const progress = {
    phase: kind === 'printed' ? Phase.Sent : kind === 'refused' ? Phase.Claimed : Phase.Sending,
    result: kind === 'printed' ? Result.Success : Result.Failed,
    ...(message === undefined ? {} : { message: message.slice(0, 1_000) }),
    isRetryable: kind === 'refused',
    isInDoubt: kind === 'in doubt',
  }
  for (let failures = 0; Date.now() - entry.since < timings.retentionMs; failures++) {
    try {
      await service.progress(entry, progress)
      break
    } catch (error) {
      if (isLeaseLost(error)) {
        log(`${entry.printerName}: the service no longer accepts the result of job ${entry.printJobId}.`)
        break
      }
      if (signal.aborted) return
      await pause(backoffDelay(timings, failures), signal)
    }
  }
  await journal.write(Object.assign(entry, { isReported: true }))
  await removeOldEntries(context)
}

/** Removes ended jobs from the journal after the retention time. */
async function removeOldEntries({ journal, timings }: Context): Promise<void> {
  const now = Date.now()
  for (const entry of journal.entries())
    if (entry.step === 'ended' && now - entry.since > timings.retentionMs) await journal.remove(entry)
}
