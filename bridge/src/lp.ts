// The driver for CUPS queues through the commands lp and lpstat, for machines on which IPP is not possible,
// for example because the queues need a password.

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  type DeliveryOutcome,
  type DeliverySteps,
  type Driver,
  type Job,
  messageOf,
  pause,
  type Reachability,
} from './driver.ts'

/** Timings in milliseconds. */
export interface LpTimings {
  /** the interval between queries for a job */
  pollMs: number
  /** the maximum time to wait for the end of a job */
  stallTimeoutMs: number
}

const defaultTimings: LpTimings = { pollMs: 2_000, stallTimeoutMs: 600_000 }
const commandTimeoutMs = 30_000

const runFile = promisify(execFile)
const run = async (command: string, args: string[]): Promise<string> => {
  const env = { ...process.env, LC_ALL: 'C' }
  return (await runFile(command, args, { env, timeout: commandTimeoutMs })).stdout
}

/** Returns the names of the CUPS queues on this machine. */
export const listQueues = async (): Promise<string[]> =>
  (await run('lpstat', ['-e'])).split('\n').filter(line => line !== '')

/** A CUPS queue. */
interface Queue extends LpTimings {
  readonly name: string
}

/** Creates the driver of a queue. */
export function lpPrinter(name: string, timings: Partial<LpTimings> = {}): Driver {
  const queue: Queue = { ...defaultTimings, ...timings, name }
  return {
    probe: () => probe(queue),
    print: (job, steps) => print(queue, job, steps),
    findOutcome: requestId => awaitOutcome(queue, requestId),
  }
}

async function probe({ name }: Queue): Promise<Reachability> {
  try {
    const [state, accepting] = await Promise.all([run('lpstat', ['-p', name]), run('lpstat', ['-a', name])])
    if (!/\b(is idle|now printing)\b/.test(state)) return { isReachable: false, reason: oneLine(state) }
    if (!/ accepting requests/.test(accepting) || / not accepting/.test(accepting))
      return { isReachable: false, reason: oneLine(accepting) }
    return { isReachable: true }
  } catch (error) {
    return { isReachable: false, reason: oneLine(messageOf(error)) }
  }
}

async function print(queue: Queue, job: Job, steps: DeliverySteps): Promise<DeliveryOutcome> {
  const reachability = await probe(queue)
  if (!reachability.isReachable) return { kind: 'refused', message: reachability.reason }
  const folder = await mkdtemp(join(tmpdir(), 'waybill-bridge-'))
  try {
    const path = join(folder, 'job')
    await writeFile(path, job.content, { mode: 0o600 })
    await steps.beginSending()
    const output = await run('lp', [...argumentsOf(queue.name, job), '--', path]).catch(
      (error: Error) => error,
    )
    if (output instanceof Error) {
      // If the command was not killed but exits with an error, it has queued nothing.
      const { killed, code } = output as Error & { killed?: boolean; code?: unknown }
      const kind = killed !== true && typeof code === 'number' ? 'refused' : 'in doubt'
      return { kind, message: oneLine(output.message) }
    }
    const requestId = /request id is (\S+)/.exec(output)?.[1]
    if (requestId === undefined) return { kind: 'in doubt', message: `lp printed: ${oneLine(output)}` }
    await steps.finishSending(requestId)
    return await awaitOutcome(queue, requestId)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Polls a queue until a job has ended. */
async function awaitOutcome(
  { name, pollMs, stallTimeoutMs }: Queue,
  requestId: string,
): Promise<DeliveryOutcome> {
  const began = performance.now()
  for (;;) {
    try {
      const outcome = await findOutcome(name, requestId)
      if (outcome === undefined)
        return { kind: 'in doubt', message: `The queue no longer knows ${requestId}.` }
      if (outcome !== 'pending') return outcome
    } catch {
      // The scheduler may be restarting.
    }
    if (performance.now() - began > stallTimeoutMs)
      return { kind: 'in doubt', message: `The queue still has ${requestId}.` }
    await pause(pollMs)
  }
}

/** Finds a job among the ended and the waiting ones; undefined if the queue no longer knows it. */
async function findOutcome(
  queueName: string,
  requestId: string,
): Promise<DeliveryOutcome | 'pending' | undefined> {
  const findEnded = async () =>
    outcomeIn(await run('lpstat', ['-l', '-W', 'completed', '-o', queueName]), requestId)
  const outcome = await findEnded()
  if (outcome !== undefined) return outcome
  const waiting = await run('lpstat', ['-W', 'not-completed', '-o', queueName])
  if (waiting.split('\n').some(line => line.startsWith(`${requestId} `))) return 'pending'
  // It may have ended between the two queries.
  return findEnded()
}

/**
 * Finds how a job has ended in the long list of ended jobs; undefined if it is not in the list. The list has
 * cancelled and aborted jobs too, and tells them apart by their job-state-reasons (`Alerts`).
 */
function outcomeIn(list: string, requestId: string): DeliveryOutcome | 'pending' | undefined {
  const lines = list.split('\n')
  const first = lines.findIndex(line => line.startsWith(`${requestId} `))
  if (first < 0) return undefined
  const length = lines.slice(first + 1).findIndex(line => !/^\s/.test(line))
  const detailLines = lines.slice(first + 1, length < 0 ? undefined : first + 1 + length)
  const reasons = detailLines.map(line => /^\s+Alerts: (.*)/.exec(line)?.[1]).find(text => text !== undefined)
  // A job that is cancelled while it is printed is in the list before it has ended.
  if (reasons?.includes('processing-to-stop-point')) return 'pending'
  if (reasons?.includes('job-completed')) return { kind: 'printed' }
  if (reasons?.includes('cancel'))
    return { kind: 'failed', message: oneLine(`It was cancelled in the queue: ${reasons}.`) }
  if (/abort|-error\b/.test(reasons ?? ''))
    return { kind: 'failed', message: oneLine(`The queue aborted it: ${reasons}.`) }
  const details = reasons === undefined ? '' : `: ${reasons}`
  return {
    kind: 'in doubt',
    message: oneLine(`The queue has ended ${requestId} without saying how${details}.`),
  }
}

/** Returns the arguments of `lp`. They never pass through a shell, because job names can contain anything. */
function argumentsOf(queue: string, { name, copies, media, orientation, contentType }: Job): string[] {
  const options = ['print-scaling=none']
  if (media !== null) options.push(`media=${media}`)
  if (orientation !== null) options.push(`orientation-requested=${orientation === 2 ? 4 : 3}`)
  if (contentType === 'application/zpl') options.push('raw')
  const title = name.replace(/\p{Cc}/gu, ' ')
  return ['-d', queue, '-n', String(copies), '-t', title, ...options.flatMap(option => ['-o', option])]
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 200)
