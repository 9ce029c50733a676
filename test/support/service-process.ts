// Runs the service as a separate process, for tests that really start, kill and stop it.

import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../bin/waybill.js', import.meta.url))

/** What a process printed and how it ended. */
export interface ProcessResult {
  code: number | null
  signal: NodeJS.Signals | null
  output: string
}

/** A running process of the command line. */
export interface RunningProcess {
  readonly child: ChildProcess
  /** Returns everything printed so far, including errors. */
  output(): string
  /**
   * Resolves with the first match in the output. Rejects with the whole output if the process ends without a
   * match, or prints none for two minutes.
   */
  line(pattern: RegExp): Promise<RegExpExecArray>
  ended: Promise<ProcessResult>
  /** Sends SIGKILL and waits until the process is gone. */
  kill(): Promise<void>
  /** Sends SIGTERM and waits until the process has stopped. */
  stop(): Promise<ProcessResult>
}

/** Overrides settings in the developer's environment. */
const neutralSettings = {
  DATABASE_URL: '',
  PGHOST: '',
  BASE_URL: '',
  AUTH_URL: '',
  ENCRYPTION_KEY: '',
  ROLES: '',
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'warn',
}

/**
 * Runs `waybill <args>` with these settings, with `input` on its standard input and `flags` for Node.js.
 * `program` is the bin/waybill.js of another version.
 */
export function run(
  args: string[],
  settings: Record<string, string> = {},
  input?: string | Buffer,
  flags: string[] = [],
  program = main,
): RunningProcess {
  const child = spawn(process.execPath, [...flags, program, ...args], {
    env: { ...process.env, NODE_OPTIONS: '', ...neutralSettings, ...settings },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.end(input)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', text => (output += `${text}\n`))
  let end: ProcessResult | undefined
  const ended = once(child, 'close').then(([code, signal]) => (end = { code, signal, output }))
  const report = (outcome: string) => `\`waybill ${args.join(' ')}\` ${outcome}:\n${output}`
  return {
    child,
    output: () => output,
    line: pattern =>
      until(
        async () => {
          const found = pattern.exec(output)
          if (found === null && end !== undefined)
            throw new Error(report(`ended (${end.code ?? end.signal})`))
          return found ?? undefined
        },
        () => {
          child.kill('SIGKILL')
          return report(`did not print ${pattern}`)
        },
        120_000,
      ),
    ended,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}

/** Runs a command with --json and returns its result. */
export async function json<T>(
  args: string[],
  settings: Record<string, string>,
  input?: string,
  program?: string,
): Promise<T> {
  const { code, output } = await run([...args, '--json'], settings, input, [], program).ended
  if (code !== 0) throw new Error(`\`waybill ${args.join(' ')}\` ended with ${code}:\n${output}`)
  return JSON.parse(output) as T
}

/** Starts the service and waits until it listens. */
export async function startServiceProcess(
  settings: Record<string, string>,
  program?: string,
): Promise<RunningProcess & { baseUrl: string }> {
  const running = run(['start'], settings, undefined, [], program)
  const [, baseUrl] = await running.line(/is ready at (\S+)/)
  return { ...running, baseUrl: (baseUrl as string).replace('localhost', '127.0.0.1') }
}

/** Sends SIGKILL to every process of the embedded database of a data folder. */
export function killDatabase(dataDir: string): void {
  let pids: string[] = []
  try {
    pids = execFileSync('pgrep', ['-f', `postgres.*${dataDir}`], { encoding: 'utf8' })
      .trim()
      .split('\n')
  } catch {
    // None is running.
  }
  for (const pid of pids) {
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // It has ended with the others.
    }
  }
}

/**
 * Calls `look` until it returns a value other than undefined and false. After `ms` fails with `message`: a limit
 * for what never comes, not for what comes late.
 */
export async function until<T>(
  look: () => Promise<T | undefined | false>,
  message: string | (() => string),
  ms = 120_000,
): Promise<T> {
  const end = Date.now() + ms
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    if (Date.now() > end) throw new Error(typeof message === 'string' ? message : message())
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

/**
 * Fails if `work` takes longer than `ms` in each of three attempts, and in each that begins within a minute; a
 * busy machine may stall in any of them. `work` gets the result of `prepare`, whose time does not count.
 */
export async function assertQuick<T>(
  ms: number,
  work: (prepared: T) => Promise<unknown>,
  prepare?: () => Promise<T>,
): Promise<void> {
  const times: number[] = []
  const begun = performance.now()
  while (times.length < 3 || performance.now() - begun < 60_000) {
    const prepared = (await prepare?.()) as T
    const start = performance.now()
    await work(prepared)
    times.push(performance.now() - start)
    if (Math.min(...times) < ms) return
  }
  assert.fail(`It took ${times.map(Math.round).join(', ')} ms.`)
}
