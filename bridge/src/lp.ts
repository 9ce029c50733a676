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
const env = { ...process.env, LC_ALL: 'C' }
const run = async (command: string, args: string[]): Promise<string> =>
  (await runFile(command, args, { env, timeout: commandTimeoutMs })).stdout

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
    const has = async (which: string) =>
      (await run('lpstat', ['-W', which, '-o', queue]))
        .split('\n')
        .some(line => line.startsWith(`${requestId} `))
    for (;;) {
      try {
        if (await has('completed')) return { kind: 'printed' }
        if (!(await has('not-completed')) && !(await has('completed')))
          return { kind: 'in doubt', message: `The queue has forgotten ${requestId}.` }
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
