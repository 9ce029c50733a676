// The server of the built-in database: finding a running one, starting and stopping one. Design 2.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, stat } from 'node:fs/promises'
import type { Socket } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { DATABASE, explain, type Log, SUPERUSER, surroundings } from './cluster.ts'
import { type DatabaseHome, nameFor } from './home.ts'
import { disarmLock, isRunning, isServer, killLeftOvers, readLock, signalProcess } from './lock.ts'

/**
 * A running server. `gone` resolves with the cause when it has ended; `stop` ends it if this process started
 * it, else only lets go.
 */
export interface DatabaseServer {
  owned: boolean
  gone: Promise<string>
  stop(): Promise<void>
}

export const PORT = 5432

/** How long another server may take to come up or to end before we give up on it. */
const PATIENCE_MS = 300_000
const SHUTDOWN_MS = 60_000

const MIB = 2 ** 20
// What the machine has, or the container where that is less.
const memoryMiB = Math.min(os.totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / MIB
/**
 * An eighth of the memory: the service and other programs live beside the database. Pages that nothing has
 * used yet cost nothing.
 */
const sharedBuffersMiB = Math.floor(Math.min(Math.max(memoryMiB / 8, 128), 1024))

const SETTINGS: Record<string, string> = {
  listen_addresses: '',
  port: String(PORT),
  unix_socket_permissions: '0700',
  max_connections: '200',
  shared_buffers: `${sharedBuffersMiB}MB`,
  huge_pages: 'off',
  // Parallel queries need /dev/shm, which is 64 MB in a container, and take the cores that requests need.
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  random_page_cost: '1.1',
  wal_compression: 'on',
  max_wal_size: '2GB',
  checkpoint_completion_target: '0.9',
  autovacuum_naptime: '15s',
  autovacuum_vacuum_scale_factor: '0.05',
  autovacuum_analyze_scale_factor: '0.05',
  autovacuum_vacuum_cost_limit: '1000',
  timezone: 'UTC',
  log_timezone: 'UTC',
  logging_collector: 'on',
  log_filename: 'postgresql-%a.log',
  log_rotation_age: '1d',
  log_truncate_on_rotation: 'on',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  // Refused rows are everyday business: no statements and no key values in the log.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
}

/**
 * The shell becomes the server and leaves a second shell behind, which reads a pipe from us. It ends when it
 * reads a line; if the pipe closes without one, our process is gone, and it shuts the server down. It is
 * detached from the server, which is disturbed by child processes that it did not start.
 */
const WATCHED = `( (trap "" HUP INT QUIT TERM; read -r released <&3 || kill -INT $$) >/dev/null 2>&1 & )
exec "$@" 3<&-`

/**
 * Finds the running server of this home, or starts one. Waits for a server that is just coming up or ending.
 * Throws an Error with the last lines of the server's log when none can be had; throws at once when `signal`
 * aborts.
 */
export async function obtainServer(
  home: DatabaseHome,
  settings: Record<string, string>,
  log: Log,
  signal: AbortSignal,
): Promise<DatabaseServer> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    signal.throwIfAborted()
    const seen = await findServer(home)
    if (typeof seen === 'number') return borrow(home, seen)
    if (seen === 'absent') {
      const started = await launch(home, settings, log, signal)
      if (started) return started
      await killLeftOvers(home)
    }
    if (Date.now() > deadline)
      throw explain(
        `Another PostgreSQL server holds ${home.data} and neither answers nor ends.`,
        await logTail(home, 0),
      )
    await sleep(20)
  }
}

/** Process id of a server to use, `busy` while one is coming up or ending, `absent` if there is none. */
async function findServer(home: DatabaseHome): Promise<number | 'busy' | 'absent'> {
  const lock = await readLock(home)
  if (!lock) return 'absent'
  const holds = await isServer(home, lock.pid)
  if (holds && lock.status !== 'ready') return 'busy'
  const owner = await askOwner(home)
  if (owner === 'busy') return 'busy'
  if (owner === 'absent') {
    if (holds) return 'busy'
    await disarmLock(home, path.join(home.data, 'postmaster.pid'))
    await disarmLock(home, path.join(home.socketFolder, `.s.PGSQL.${PORT}.lock`))
    return 'absent'
  }
  if (owner === undefined || !holds || (await isRunning(owner))) return lock.pid
  // Its owner is gone, so it is about to end: its watchman has told it, or was killed too.
  signalProcess(lock.pid, 'SIGINT')
  return 'busy'
}

/**
 * Asks the server on the socket for the process that started it; undefined: it runs, but nobody of ours
 * started it.
 */
async function askOwner(home: DatabaseHome): Promise<number | undefined | 'busy' | 'absent'> {
  const client = new pg.Client({
    host: home.socketFolder,
    port: PORT,
    user: SUPERUSER,
    database: DATABASE,
    ssl: false,
    connectionTimeoutMillis: 5000,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ owner: string | null }>(
      `select current_setting('waybill.owner', true) as owner`,
    )
    return Number(rows[0]?.owner) || undefined
  } catch (error) {
    const code = String(error instanceof Error && 'code' in error ? error.code : undefined)
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return 'absent'
    // 57P..: starting or stopping. Another answer of the server, such as too many connections, still means
    // that it runs.
    return /^(?!57P)[0-9][0-9A-Z]{4}$/.test(code) ? undefined : 'busy'
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Uses a server that another process started. */
async function borrow(home: DatabaseHome, pid: number): Promise<DatabaseServer> {
  // In another container the process may be invisible; then the lock file alone tells.
  const visible = await isServer(home, pid)
  const { promise: gone, resolve } = Promise.withResolvers<string>()
  const timer = setInterval(async () => {
    const lock = await readLock(home).catch(() => undefined)
    if (lock?.pid === pid && (!visible || (await isServer(home, pid)))) return
    clearInterval(timer)
    resolve('the process that ran it ended')
  }, 250).unref()
  return { owned: false, gone, stop: async () => clearInterval(timer) }
}

/**
 * Starts a server and waits until it takes connections, however long its recovery lasts. Undefined: another
 * server was faster, or has not quite ended.
 */
async function launch(
  home: DatabaseHome,
  settings: Record<string, string>,
  log: Log,
  signal: AbortSignal,
): Promise<DatabaseServer | undefined> {
  const began = Date.now()
  const own = {
    unix_socket_directories: `"${home.socketFolder.replaceAll('"', '""')}"`,
    log_directory: path.join(home.folder, 'log'),
    cluster_name: nameFor(home.data),
    'waybill.owner': String(process.pid),
  }
  const flags = Object.entries({ ...SETTINGS, ...settings, ...own }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const server = [path.join(home.bin, 'postgres'), '-D', home.data, ...flags]
  const child = spawn('/bin/sh', ['-c', WATCHED, 'sh', ...server], {
    ...surroundings(home),
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  })
  const errors = child.stderr as Readable
  const output = errors.toArray()
  output.catch(() => undefined)
  // Not the standard input: that is closed, without a word, as soon as the server ends.
  const pipe = child.stdio[3] as Socket
  pipe.on('error', () => undefined)
  const gone = ended(child)
  let over = false
  gone.then(() => {
    over = true
    pipe.end('released\n')
  })
  for (let nextNews = began + 10_000; !over; await sleep(10)) {
    const lock = await readLock(home)
    if (lock?.pid === child.pid && lock?.status === 'ready') break
    if (signal.aborted) child.kill('SIGINT')
    if (Date.now() < nextNews) continue
    nextNews += 10_000
    log.info('Waiting for PostgreSQL, which is still bringing its data in order after it was interrupted.')
  }
  if (!over) {
    // From here on the server writes to its own log, and must not keep our process from ending.
    errors.destroy()
    child.unref()
    pipe.unref()
    return { owned: true, gone, stop: () => stopChild(child, gone) }
  }
  const said = Buffer.concat(await output).toString()
  signal.throwIfAborted()
  if (/lock file .* (already exists|is empty)|shared memory block .* in use/.test(said)) return undefined
  throw explain(`PostgreSQL did not start (${await gone}).`, said + (await logTail(home, began)))
}

async function stopChild(child: ChildProcess, gone: Promise<string>): Promise<void> {
  child.ref()
  child.kill('SIGINT')
  const impatience = setTimeout(() => child.kill('SIGQUIT'), SHUTDOWN_MS)
  await gone
  clearTimeout(impatience)
}

async function ended(child: ChildProcess): Promise<string> {
  try {
    const [code, signal] = await once(child, 'exit')
    return signal ? `signal ${signal}` : `exit code ${code}`
  } catch (error) {
    return String(error)
  }
}

/** Last lines of the newest log file, if it was written since `since` (milliseconds). */
async function logTail(home: DatabaseHome, since: number): Promise<string> {
  const folder = path.join(home.folder, 'log')
  const names = await readdir(folder).catch(() => [])
  const files = await Promise.all(
    names.map(async name => ({ name, at: (await stat(path.join(folder, name))).mtimeMs })),
  )
  const newest = files.filter(({ at }) => at >= since).sort((a, b) => b.at - a.at)[0]
  return newest ? readFile(path.join(folder, newest.name), 'utf8') : ''
}
