// Benchmarks of several processes consist of one file that starts itself again in other roles. A role serves
// on a port, which it prints with `announcePort`.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { pino } from 'pino'
import { compactHeap } from '../src/process/compact-heap.ts'
import type { Config } from '../src/process/config.ts'
import { startService } from '../src/process/service.ts'

/** A process in another role. */
export interface Role {
  readonly port: number
  readonly pid: number
  stop(): Promise<void>
}

/**
 * Runs `file` with the role as its argument. With PROFILE=<role>, its CPU profile is written to the folder
 * PROFILE_DIR (default: the context folder).
 */
export async function startRole(file: string, role: string, settings: Record<string, string>): Promise<Role> {
  const profile =
    process.env.PROFILE === role ? ['--cpu-prof', `--cpu-prof-dir=${process.env.PROFILE_DIR ?? '.'}`] : []
  // As ./waybill starts it.
  const helpers = Math.min(4, availableParallelism())
  const flags = readFileSync(new URL('../bin/v8-flags', import.meta.url), 'utf8').match(/^--.*$/gm) ?? []
  const child = spawn(process.execPath, [...flags, `--v8-pool-size=${helpers}`, ...profile, file, role], {
    env: { MALLOC_TRIM_THRESHOLD_: '131072', ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const text of createInterface({ input: child.stdout })) {
    const port = /^listening (\d+)/.exec(text)?.[1]
    if (port === undefined) continue
    const stop = async () => {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    }
    return { port: Number(port), pid: child.pid as number, stop }
  }
  throw new Error(`${role} did not start.`)
}

/** Prints the port for the process that started this one. Ends on SIGTERM. */
export function announcePort(port: number): void {
  process.on('SIGTERM', () => process.exit(0))
  console.log(`listening ${port}`)
}

/** Runs the service with the roles of the settings, like `./waybill start`. */
export async function serveWaybill(config: Config): Promise<void> {
  const { baseUrl } = await startService(config, pino({ level: 'warn' }, pino.destination(2)))
  compactHeap()
  announcePort(Number(new URL(baseUrl).port))
}

/** Gets an access token with client credentials. */
export async function tokenFor(
  port: number,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
): Promise<string> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  })
  const answer = await fetch(`http://localhost:${port}/connect/token`, { method: 'POST', body: form })
  return ((await answer.json()) as { access_token: string }).access_token
}
