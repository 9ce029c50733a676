// The bridge: fetches jobs from the service and brings each to its printer, once. What it does in which order
// is what keeps that promise; the README of this folder tells the story.

import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { inWords, JobLost, type Outcome, pause, type Reachability } from './driver.ts'
import { type Entry, type Journal, openJournal } from './journal.ts'
import { type ClaimedJob, openService, Phase, Result, type Service, ServiceError } from './service.ts'
import type { OwnPrinter, Settings } from './settings.ts'
import { lockState } from './state-lock.ts'

/** Times of the bridge, in milliseconds; tests compress them. */
export interface BridgeTimes {
  /** the longest that a claim waits for work; whole seconds */
  claimMs: number
  /** between two looks at printers that do nothing */
  lookMs: number
  /** between two words that hold a job; a third of a lease */
  renewMs: number
  /** how old the service's word that a job is being sent may be when the first byte goes */
  freshMs: number
  /** pauses while the service cannot be reached */
  backOffMs: [first: number, longest: number]
  /** how long an outcome is told that the service does not take, and remembered once it has */
  rememberedMs: number
}

const times: BridgeTimes = {
  claimMs: 25_000,
  lookMs: 5_000,
  renewMs: 20_000,
  freshMs: 30_000,
  backOffMs: [1_000, 30_000],
  rememberedMs: 24 * 3_600_000,
}

export interface BridgeOptions {
  version: string
  /** a line for people */
  say(line: string): void
  times?: Partial<BridgeTimes>
}

/** A bridge that works. */
export interface Bridge {
  /** Takes no more work, and waits for what printers are being sent. */
  stop(): Promise<void>
}

/** Starts a bridge. Throws where its state folder cannot be used; that the service is away it only says. */
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
    service: openService(settings),
    journal,
    printers: new Map(settings.printers.map(printer => [printer.name.toLowerCase(), printer])),
    lines: new Map(),
    tellings: new Set(),
    signal: stopping.signal,
    say: options.say,
    times: { ...times, ...options.times },
  }
  for (const entry of journal.entries()) inLine(context, entry.printerName, () => resume(context, entry))
  const loops = Promise.all([claimForEver(context, options.version), lookForEver(context)])
  return {
    async stop() {
      stopping.abort()
      await loops
      await Promise.all(context.lines.values())
      await Promise.all(context.tellings)
      await journal.close()
      await unlock()
    },
  }
}

interface Context {
  service: Service
  journal: Journal
  /** by name in small letters */
  printers: ReadonlyMap<string, OwnPrinter>
  /** what each printer is busy with, one thing after the other */
  lines: Map<string, Promise<void>>
  /** outcomes that the service is being told */
  tellings: Set<Promise<void>>
  signal: AbortSignal
  say(line: string): void
  times: BridgeTimes
  /** how printers were when they were last looked at */
  states?: Map<string, Reachability>
}

/** Does something for a printer when it has done what came before. */
function inLine({ lines, say }: Context, printerName: string, work: () => Promise<void>): void {
  const key = printerName.toLowerCase()
  const before = lines.get(key) ?? Promise.resolve()
  const done = before.then(work).catch(error => say(`${printerName}: ${inWords(error)}`))
  lines.set(key, done)
  done.then(() => {
    if (lines.get(key) === done) lines.delete(key)
  })
}

/** Announces the printers and then asks for work until the bridge stops. */
async function claimForEver(context: Context, version: string): Promise<void> {
  const { service, signal, say, times } = context
  let isAnnounced = false
  let failures = 0
  await lookAtAll(context)
  while (!signal.aborted) {
    try {
      if (!isAnnounced) {
        await service.announce([...context.printers.values()], version)
        isAnnounced = true
        say(`Works for ${context.printers.size} printers.`)
      }
      await claim(context, Math.floor(times.claimMs / 1000))
      if (failures > 0) say('The service can be reached again.')
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      // Somebody may have taken the printers away, or the bridge.
      if (error instanceof ServiceError) isAnnounced = false
      if (failures === 0) say(`The service cannot be asked for work: ${inWords(error)}`)
      await pause(backOff(times, failures++), signal)
    }
  }
}

/** Asks for work, and puts it in line. */
async function claim(context: Context, waitSeconds: number): Promise<void> {
  const jobs = await context.service.claim(context.states ?? new Map(), waitSeconds, context.signal)
  for (const job of jobs) {
    const held = hold(context, job)
    inLine(context, job.printerName, () => printClaimed(context, job).finally(held.release))
  }
}

/** Looks at printers that do nothing, and tells the service at once when one has changed. */
async function lookForEver(context: Context): Promise<void> {
  const { signal, times } = context
  for (;;) {
    await pause(times.lookMs, signal)
    if (signal.aborted) return
    // A change that cannot be told now is told by the next claim.
    if (await lookAtAll(context)) await claim(context, 0).catch(() => {})
  }
}

/** Looks at each printer that does nothing. Returns whether one has changed. */
async function lookAtAll(context: Context): Promise<boolean> {
  const before = context.states ?? new Map<string, Reachability>()
  const looked = await Promise.all(
    [...context.printers].map(async ([key, { name, driver }]) => {
      const known = before.get(name)
      // Many printers take one connection at a time.
      return [name, context.lines.has(key) && known !== undefined ? known : await driver.look()] as const
    }),
  )
  context.states = new Map(looked)
  let hasChanged = false
  for (const [name, state] of looked) {
    if (JSON.stringify(state) === JSON.stringify(before.get(name))) continue
    hasChanged = true
    context.say(state.isReachable ? `${name} is ready.` : `${name} cannot print: ${state.reason}`)
  }
  return hasChanged
}

const backOff = ({ backOffMs: [first, longest] }: BridgeTimes, failures: number): number =>
  Math.min(longest, first * 2 ** failures) * (0.5 + Math.random() / 2)

type Held = Pick<ClaimedJob, 'printJobId' | 'leaseNumber'> & { phase?: number; isLost?: boolean }

/** Says from time to time that a job is still worked on, so that nobody else is given it. */
function hold({ service, times }: Context, job: Held) {
  const timer = setInterval(() => {
    service.progress(job, { phase: job.phase ?? Phase.Claimed }).catch(error => {
      if (isLost(error)) job.isLost = true
    })
  }, times.renewMs)
  return { release: () => clearInterval(timer) }
}

/** Whether the service says that a job is not the bridge's any more. */
const isLost = (error: unknown): boolean => error instanceof ServiceError && [404, 409].includes(error.status)

/** Brings a job to its printer, and tells what came of it. */
async function printClaimed(context: Context, job: ClaimedJob & Held): Promise<void> {
  const { journal, signal, say } = context
  const { printJobId, leaseNumber, printerName } = job
  const before = earlierOutcome(journal, job)
  if (before !== undefined) return tellInTheEnd(context, entryOf(job), before)
  // Until something is sent, the job goes back by itself.
  if (signal.aborted || job.isLost) return
  const entry = entryOf(job)
  let outcome: Outcome
  try {
    outcome = await bring(context, job, entry)
  } catch (error) {
    if (error instanceof JobLost || isLost(error)) {
      say(`${printerName}: ${job.name} is no longer to be printed.`)
      return journal.remove({ printJobId, leaseNumber })
    }
    outcome = { kind: 'refused', message: inWords(error) }
  }
  say(`${printerName}: ${job.name}: ${outcome.kind}${outcome.message ? `, ${outcome.message}` : ''}`)
  await tellInTheEnd(context, entry, outcome)
}

const entryOf = ({ printJobId, leaseNumber, printerName }: ClaimedJob): Entry => ({
  printJobId,
  leaseNumber,
  printerName,
  since: Date.now(),
  step: 'claimed',
})

/**
 * What became of a job that the service gives out once more although the bridge has sent it under this lease
 * or a later one: its database was restored, or has lost what it last knew.
 */
function earlierOutcome(journal: Journal, { printJobId, leaseNumber }: ClaimedJob): Outcome | undefined {
  const earlier = journal
    .entries()
    .filter(entry => entry.printJobId === printJobId && entry.leaseNumber >= leaseNumber)
    .filter(({ step, outcome }) => step !== 'claimed' && outcome?.kind !== 'refused')
  if (earlier.length === 0) return undefined
  return earlier.find(({ outcome }) => outcome !== undefined)?.outcome ?? cutOff
}

const cutOff: Outcome = { kind: 'in doubt', message: 'The bridge was ended while it was sent.' }

/** The part in which bytes go to the printer. Throws only where none has gone. */
async function bring(context: Context, job: ClaimedJob & Held, entry: Entry): Promise<Outcome> {
  const { service, journal, signal, say } = context
  const printer = context.printers.get(job.printerName.toLowerCase())
  if (printer === undefined) throw new Error(`The bridge has no printer ${job.printerName}.`)
  const [content] = await Promise.all([service.content(job, signal), journal.write(entry)])
  if (createHash('sha256').update(content).digest('base64') !== job.sha256)
    throw new Error('What came from the service is damaged.')
  let mayBeSent = false
  try {
    return await printer.driver.print(
      { ...job, content },
      {
        async sending() {
          await announceSending(context, job)
          await journal.write(Object.assign(entry, { step: 'sending' }))
          mayBeSent = true
        },
        async sent(reference) {
          // The printer has it whether that can be written down or not.
          await journal
            .write(Object.assign(entry, { step: 'sent', reference }))
            .catch(error => say(`The journal: ${inWords(error)}`))
          job.phase = Phase.Sent
          service.progress(job, { phase: Phase.Sent }).catch(() => {})
        },
      },
    )
  } catch (error) {
    if (!mayBeSent) throw error
    return { kind: 'in doubt', message: inWords(error) }
  }
}

/** Has the service write down that a job may be on paper from here on. Throws where it must not be sent. */
async function announceSending({ service, signal, times }: Context, job: ClaimedJob & Held): Promise<void> {
  for (let failures = 0; ; failures++) {
    if (job.isLost) throw new JobLost()
    if (signal.aborted) throw new Error('The bridge was stopped.')
    const asked = performance.now()
    try {
      await service.progress(job, { phase: Phase.Sending })
      job.phase = Phase.Sending
      // A word that took long may be about a lease that has ended since.
      if (performance.now() - asked < times.freshMs) return
    } catch (error) {
      if (isLost(error)) throw new JobLost()
      await pause(backOff(times, failures), signal)
    }
  }
}

/** Goes on with what was under way when the bridge was ended. */
async function resume(context: Context, entry: Entry): Promise<void> {
  const { printers, times } = context
  if (entry.isTold || Date.now() - entry.since > times.rememberedMs) return forgetOld(context)
  if (entry.outcome !== undefined) return tellInTheEnd(context, entry, entry.outcome)
  if (entry.step === 'claimed')
    return tellInTheEnd(context, entry, {
      kind: 'refused',
      message: 'The bridge was ended before anything was sent.',
    })
  const driver = printers.get(entry.printerName.toLowerCase())?.driver
  if (entry.step === 'sending' || driver === undefined) return tellInTheEnd(context, entry, cutOff)
  const held = hold(context, Object.assign({ phase: Phase.Sent }, entry))
  try {
    await tellInTheEnd(context, entry, await driver.recall(entry.reference ?? ''))
  } finally {
    held.release()
  }
}

/** Writes down what came of a job; the service is told beside what the printer does next. */
async function tellInTheEnd(context: Context, entry: Entry, outcome: Outcome): Promise<void> {
  const { journal, say, tellings } = context
  await journal
    .write(Object.assign(entry, { step: 'ended', outcome }))
    .catch(error => say(`The journal: ${inWords(error)}`))
  const telling = tell(context, entry, outcome)
    .catch(error => say(`The journal: ${inWords(error)}`))
    .finally(() => tellings.delete(telling))
  tellings.add(telling)
}

/** Tells the service what came of a job, until it knows. A bridge that stops goes on when it starts again. */
async function tell(context: Context, entry: Entry, outcome: Outcome): Promise<void> {
  const { service, journal, signal, say, times } = context
  const { kind, message } = outcome
  const progress = {
    phase: kind === 'printed' ? Phase.Sent : kind === 'refused' ? Phase.Claimed : Phase.Sending,
    result: kind === 'printed' ? Result.Success : Result.Failed,
    ...(message === undefined ? {} : { message: message.slice(0, 1_000) }),
    isRetryable: kind === 'refused',
    isInDoubt: kind === 'in doubt',
  }
  for (let failures = 0; Date.now() - entry.since < times.rememberedMs; failures++) {
    try {
      await service.progress(entry, progress)
      break
    } catch (error) {
      if (isLost(error)) {
        say(`${entry.printerName}: what came of ${entry.printJobId} is no longer asked for.`)
        break
      }
      if (signal.aborted) return
      await pause(backOff(times, failures), signal)
    }
  }
  await journal.write(Object.assign(entry, { isTold: true }))
  await forgetOld(context)
}

/** Forgets what is told and old. */
async function forgetOld({ journal, times }: Context): Promise<void> {
  const now = Date.now()
  for (const entry of journal.entries())
    if (entry.step === 'ended' && now - entry.since > times.rememberedMs) await journal.remove(entry)
}
