// Queues of CUPS by its own commands, where IPP is not wanted: on machines whose queues need a password, say.

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Driver, inWords, type Job, type Outcome, pause, type Steps } from './driver.ts'

/** Times, in milliseconds; tests compress them. */
export interface LpTimes {
  pollMs: number
  /** how long a queue may have a job before nobody waits for it any more */
  silenceMs: number
}

const times: LpTimes = { pollMs: 2_000, silenceMs: 600_000 }
const commandMs = 30_000

const runFile = promisify(execFile)
const env = { ...process.env, LC_ALL: 'C' }
const run = async (command: string, args: string[]): Promise<string> =>
  (await runFile(command, args, { env, timeout: commandMs })).stdout

/** The queues that CUPS has on this machine. */
export const listQueues = async (): Promise<string[]> =>
  (await run('lpstat', ['-e'])).split('\n').filter(line => line !== '')

/** The queue of this name. */
export function lpPrinter(queue: string, given: Partial<LpTimes> = {}): Driver {
  const { pollMs, silenceMs } = { ...times, ...given }

  async function look() {
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
      return { isReachable: false as const, reason: oneLine(inWords(error)) }
    }
  }

  /** Follows a job until the queue has it no more. */
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
        // The scheduler may be starting again.
      }
      if (performance.now() - began > silenceMs)
        return { kind: 'in doubt', message: `The queue still has ${requestId}.` }
      await pause(pollMs)
    }
  }

  async function print(job: Job, steps: Steps): Promise<Outcome> {
    const reachability = await look()
    if (!reachability.isReachable) return { kind: 'refused', message: reachability.reason }
    const folder = await mkdtemp(join(tmpdir(), 'waybill-bridge-'))
    try {
      const path = join(folder, 'job')
      await writeFile(path, job.content, { mode: 0o600 })
      await steps.sending()
      const said = await run('lp', [...argumentsOf(queue, job), '--', path]).catch((error: Error) => error)
      if (said instanceof Error) {
        // A command that ends by itself with an error has queued nothing.
        const { killed, code } = said as Error & { killed?: boolean; code?: unknown }
        const kind = killed !== true && typeof code === 'number' ? 'refused' : 'in doubt'
        return { kind, message: oneLine(said.message) }
      }
      const requestId = /request id is (\S+)/.exec(said)?.[1]
      if (requestId === undefined) return { kind: 'in doubt', message: `lp said: ${oneLine(said)}` }
      await steps.sent(requestId)
      return await follow(requestId)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  return { look, print, recall: follow }
}

/** What `lp` is told. Never through a shell: names of jobs come from anywhere. */
function argumentsOf(queue: string, { name, copies, media, orientation, contentType }: Job): string[] {
  const options = ['print-scaling=none']
  if (media !== null) options.push(`media=${media}`)
  if (orientation !== null) options.push(`orientation-requested=${orientation === 2 ? 4 : 3}`)
  if (contentType === 'application/zpl') options.push('raw')
  const title = name.replace(/\p{Cc}/gu, ' ')
  return ['-d', queue, '-n', String(copies), '-t', title, ...options.flatMap(option => ['-o', option])]
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 200)
