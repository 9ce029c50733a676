// The driver for CUPS queues through the commands lp and lpstat, for machines on which IPP is not possible,
// for example because the queues need a password.

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type DeliverySteps, type Driver, type Job, messageOf, type Outcome, pause } from './driver.ts'

/** Timings in milliseconds. */
export interface LpTimings {
  /** the interval between queries for a job */
  pollMs: number
  /** the maximum time to wait for the end of a job */
  silenceMs: number
}

const defaultTimings: LpTimings = { pollMs: 2_000, silenceMs: 600_000 }
const commandTimeoutMs = 30_000

const runFile = promisify(execFile)
const run = async (command: string, args: string[]): Promise<string> => {
  const env = { ...process.env, LC_ALL: 'C' }
  return (await runFile(command, args, { env, timeout: commandTimeoutMs })).stdout
}

/** Returns the names of the CUPS queues on this machine. */
export const listQueues = async (): Promise<string[]> =>
  (await run('lpstat', ['-e'])).split('\n').filter(line => line !== '')

/** Creates the driver of a queue. */
export function lpPrinter(queue: string, given: Partial<LpTimings> = {}): Driver {
  const { pollMs, silenceMs } = { ...defaultTimings, ...given }

  async function probe() {
    try {
      const [state, accepting] = await Promise.all([
        run('lpstat', ['-p', queue]),
        run('lpstat', ['-a', queue]),
      ])
      if (!/\b(is idle|now printing)\b/.test(state))
        return { isReachable: false as const, reason: oneLine(state) }
      if (!/ accepting requests/.test(accepting) || / not accepting/.test(accepting))
        return { isReachable: false as const, reason: oneLine(accepting) }
      return { isReachable: true as const }
    } catch (error) {
      return { isReachable: false as const, reason: oneLine(messageOf(error)) }
    }
  }

  /** Polls a queue until a job has ended. */
  async function follow(requestId: string): Promise<Outcome> {
    const began = performance.now()
    const isPending = async () =>
      (await run('lpstat', ['-W', 'not-completed', '-o', queue]))
        .split('\n')
        .some(line => line.startsWith(`${requestId} `))
    const ended = async () =>
      outcomeIn(await run('lpstat', ['-l', '-W', 'completed', '-o', queue]), requestId)
    for (;;) {
      try {
        const outcome = (await ended()) ?? ((await isPending()) ? 'pending' : await ended())
        if (outcome === undefined)
          return { kind: 'in doubt', message: `The queue has forgotten ${requestId}.` }
        if (outcome !== 'pending') return outcome
      } catch {
        // The scheduler may be restarting.
      }
      if (performance.now() - began > silenceMs)
        return { kind: 'in doubt', message: `The queue still has ${requestId}.` }
      await pause(pollMs)
    }
  }

  async function print(job: Job, steps: DeliverySteps): Promise<Outcome> {
    const reachability = await probe()
    if (!reachability.isReachable) return { kind: 'refused', message: reachability.reason }
    const folder = await mkdtemp(join(tmpdir(), 'waybill-bridge-'))
    try {
      const path = join(folder, 'job')
      await writeFile(path, job.content, { mode: 0o600 })
      await steps.beginSending()
      const output = await run('lp', [...argumentsOf(queue, job), '--', path]).catch((error: Error) => error)
      if (output instanceof Error) {
        // If the command was not killed but exits with an error, it has queued nothing.
        const { killed, code } = output as Error & { killed?: boolean; code?: unknown }
        const kind = killed !== true && typeof code === 'number' ? 'refused' : 'in doubt'
        return { kind, message: oneLine(output.message) }
      }
      const requestId = /request id is (\S+)/.exec(output)?.[1]
      if (requestId === undefined) return { kind: 'in doubt', message: `lp said: ${oneLine(output)}` }
      await steps.finishSending(requestId)
      return await follow(requestId)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  return { probe, print, findOutcome: follow }
}

/**
 * Finds how a job has ended in the long list of ended jobs; undefined if it is not in the list. The list has
 * cancelled and aborted jobs too, and tells them apart by their job-state-reasons (`Alerts`).
 */
function outcomeIn(list: string, requestId: string): Outcome | 'pending' | undefined {
  const lines = list.split('\n')
  const first = lines.findIndex(line => line.startsWith(`${requestId} `))
  if (first < 0) return undefined
  const length = lines.slice(first + 1).findIndex(line => !/^\s/.test(line))
  const details = lines.slice(first + 1, length < 0 ? undefined : first + 1 + length)
  const reasons = details.map(line => /^\s+Alerts: (.*)/.exec(line)?.[1]).find(text => text !== undefined)
  // A job that is cancelled while it is printed is in the list before it has ended.
  if (reasons?.includes('processing-to-stop-point')) return 'pending'
  if (reasons?.includes('job-completed')) return { kind: 'printed' }
  if (reasons?.includes('cancel'))
    return { kind: 'failed', message: oneLine(`It was cancelled in the queue: ${reasons}.`) }
  if (/abort|-error\b/.test(reasons ?? ''))
    return { kind: 'failed', message: oneLine(`The queue gave it up: ${reasons}.`) }
  const said = reasons === undefined ? '' : `: ${reasons}`
  return { kind: 'in doubt', message: oneLine(`The queue has ended ${requestId}, not saying how${said}.`) }
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
