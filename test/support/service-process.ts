// The service as a process of its own, for tests that start, kill and stop it for real.

import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../bin/waybill.js', import.meta.url))

/** What a process printed and how it ended. */
export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  output: string
}

/** A running process of the command line. */
export interface Running {
  readonly child: ChildProcess
  /** everything it has printed so far, errors included */
  output(): string
  /**
   * Resolves with the first line that matches; rejects with everything printed when it ends without one, or
   * prints none for a minute.
   */
  line(pattern: RegExp): Promise<RegExpExecArray>
  ended: Promise<Ended>
  /** SIGKILL, and waits until it is gone */
  kill(): Promise<void>
  /** SIGTERM, and waits until it has stopped by itself */
  stop(): Promise<Ended>
}

/** Settings that no test wants from the developer's environment. */
const clean = {
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
 * Runs `waybill <args>` with these settings, `input` on its standard input, and `flags` of Node.js; `program` is
 * the bin/waybill.js of another version.
 */
export function run(
  args: string[],
  settings: Record<string, string> = {},
  input?: string | Buffer,
  flags: string[] = [],
  program = main,
): Running {
  const child = spawn(process.execPath, [...flags, program, ...args], {
    env: { ...process.env, NODE_OPTIONS: '', ...clean, ...settings },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.end(input)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', text => (output += `${text}\n`))
  let end: Ended | undefined
  const ended = once(child, 'close').then(([code, signal]) => (end = { code, signal, output }))
  const said = (how: string) => `\`waybill ${args.join(' ')}\` ${how}:\n${output}`
  return {
    child,
    output: () => output,
    line: pattern =>
      until(
        async () => {
          const found = pattern.exec(output)
          if (found === null && end !== undefined) throw new Error(said(`ended (${end.code ?? end.signal})`))
          return found ?? undefined
        },
        () => {
          child.kill('SIGKILL')
          return said(`did not print ${pattern}`)
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

/** Runs a command to its end and returns its JSON. */
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
): Promise<Running & { baseUrl: string }> {
  const running = run(['start'], settings, undefined, [], program)
  const [, baseUrl] = await running.line(/is ready at (\S+)/)
  return { ...running, baseUrl: (baseUrl as string).replace('localhost', '127.0.0.1') }
}

/** SIGKILL for every process of the embedded database of a data folder. */
export function killDatabase(dataDir: string): void {
  let pids: string[] = []
  try {
    pids = execFileSync('pgrep', ['-f', `postgres.*${dataDir}`], { encoding: 'utf8' })
      .trim()
      .split('\n')
  } catch {
    // None is running at this moment.
  }
  for (const pid of pids) {
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // It went with the others.
    }
  }
}

/** Calls `look` until it answers something, at most for `ms`; then fails with what `otherwise` says. */
export async function until<T>(
  look: () => Promise<T | undefined | false>,
  otherwise: string | (() => string),
  ms = 30_000,
): Promise<T> {
  const end = Date.now() + ms
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    if (Date.now() > end) throw new Error(typeof otherwise === 'string' ? otherwise : otherwise())
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

/**
 * Fails when `work` takes longer than `ms` each of three times: once, a busy machine may stand still. It is
 * given what `prepare` returns, whose time does not count.
 */
export async function assertQuick<T>(
  ms: number,
  work: (prepared: T) => Promise<unknown>,
  prepare?: () => Promise<T>,
): Promise<void> {
  const times: number[] = []
  while (times.length < 3) {
    const prepared = (await prepare?.()) as T
    const start = performance.now()
    await work(prepared)
    times.push(performance.now() - start)
    if (Math.min(...times) < ms) return
  }
  assert.fail(`It took ${times.map(Math.round).join(', ')} ms.`)
}
