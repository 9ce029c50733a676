// Finds, starts and stops the server of the built-in database..

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, stat } from 'node:fs/promises'
import type { Socket } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type ClusterLog, databaseName, describeInitFailure, spawnOptions, superuser } from './cluster.ts'
import { type DatabaseHome, nameFor } from './home.ts'
import { disarmLock, isRunning, isServer, killOrphans, readLock, signalProcess } from './lock.ts'

export interface DatabaseServer {
  /** whether this process started it */
  isOwned: boolean
  /** resolves with the cause when the server has ended */
  gone: Promise<string>
  /** Ends the server if this process started it; otherwise only stops using it. */
  stop(): Promise<void>
}

export const socketPort = 5432

/** How long to wait for another server that is starting or stopping. */
const maxWaitMs = 300_000
const maxShutdownMs = 60_000

const mebibyte = 2 ** 20
// The memory of the machine, or of the container if that is less.
const memoryMiB = Math.min(os.totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / mebibyte
/**
 * An eighth of the memory, because the service and other programs need memory too. Pages that were never used
 * cost nothing.
 */
const sharedBuffersMiB = Math.floor(Math.min(Math.max(memoryMiB / 8, 128), 1024))

const fixedSettings: Record<string, string> = {
  listen_addresses: '',
  port: String(socketPort),
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
  // Violated constraints are normal, and their statements and key values must not appear in the log.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
}

/**
 * A shell script that becomes the server. It first starts a second shell, which reads a pipe from this
 * process and ends when it reads a line. If the pipe closes without one, this process is gone, and the second
 * shell shuts the server down. It is detached from the server, because PostgreSQL is disturbed by child
 * processes that it did not start itself.
 */
const serverScript = `( (trap "" HUP INT QUIT TERM; read -r released <&3 || kill -INT $$) >/dev/null 2>&1 & )
exec "$@" 3<&-`

/**
 * Finds the running server of this home, or starts one. Waits for a server that is starting or stopping.
 * Throws an Error with the last lines of the server's log if that fails. Throws at once when `signal` aborts.
 */
export async function obtainServer(
  home: DatabaseHome,
  settings: Record<string, string>,
  log: ClusterLog,
  signal: AbortSignal,
  onProgramStarted?: () => void,
): Promise<DatabaseServer> {
  const deadline = Date.now() + maxWaitMs
  for (;;) {
    signal.throwIfAborted()
    const runningServer = await findServer(home)
    if (typeof runningServer === 'number') return useExisting(home, runningServer)
    if (runningServer === 'absent') {
      const started = await launch(home, settings, log, signal, onProgramStarted)
      if (started) return started
      await killOrphans(home)
    }
    if (Date.now() > deadline)
      throw describeInitFailure(
        `Another PostgreSQL server holds ${home.data} and neither answers nor ends.`,
        await logTail(home, 0),
      )
    await sleep(20)
  }
}

/** Returns the process id of a usable server, `busy` while one is starting or stopping, or `absent`. */
async function findServer(home: DatabaseHome): Promise<number | 'busy' | 'absent'> {
  const lock = await readLock(home)
  if (!lock) return 'absent'
  const isLockHeld = await isServer(home, lock.pid)
  if (isLockHeld && lock.status !== 'ready') return 'busy'
  const owner = await askOwner(home)
  if (owner === 'busy') return 'busy'
  if (owner === 'absent') {
    if (isLockHeld) return 'busy'
    await disarmLock(home, path.join(home.data, 'postmaster.pid'))
    await disarmLock(home, path.join(home.socketFolder, `.s.PGSQL.${socketPort}.lock`))
    return 'absent'
  }
  if (owner === undefined || !isLockHeld || (await isRunning(owner))) return lock.pid
  // The process that started the server is gone, so the server should end. The watching shell may have been
  // killed as well.
  signalProcess(lock.pid, 'SIGINT')
  return 'busy'
}

/**
 * Asks the server on the socket for the id of the process that started it. Undefined if a server answers that
 * was not started by Waybill.
 */
async function askOwner(home: DatabaseHome): Promise<number | undefined | 'busy' | 'absent'> {
  const client = new pg.Client({
    host: home.socketFolder,
    port: socketPort,
    user: superuser,
    database: databaseName,
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
    // 57P..: the server is starting or stopping. Any other SQLSTATE, such as too many connections, means that
    // it is running.
    return /^(?!57P)[0-9][0-9A-Z]{4}$/.test(code) ? undefined : 'busy'
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Uses a server that another process started. */
async function useExisting(home: DatabaseHome, pid: number): Promise<DatabaseServer> {
  // The process of another container may be invisible; then the lock file alone has to do.
  const isVisible = await isServer(home, pid)
  const { promise: gone, resolve } = Promise.withResolvers<string>()
  const timer = setInterval(async () => {
    const lock = await readLock(home).catch(() => undefined)
    if (lock?.pid === pid && (!isVisible || (await isServer(home, pid)))) return
    clearInterval(timer)
    resolve('the process that ran it ended')
  }, 250).unref()
  return { isOwned: false, gone, stop: async () => clearInterval(timer) }
}

/**
 * Starts a server and waits until it takes connections, however long its recovery lasts. Returns undefined if
 * another server was faster, or has not quite ended yet.
 */
async function launch(
  home: DatabaseHome,
  settings: Record<string, string>,
  log: ClusterLog,
  signal: AbortSignal,
  onProgramStarted?: () => void,
): Promise<DatabaseServer | undefined> {
  const startedAt = Date.now()
  const own = {
    unix_socket_directories: `"${home.socketFolder.replaceAll('"', '""')}"`,
    log_directory: path.join(home.folder, 'log'),
    cluster_name: nameFor(home.data),
    'waybill.owner': String(process.pid),
  }
  const flags = Object.entries({ ...fixedSettings, ...settings, ...own }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const server = [path.join(home.bin, 'postgres'), '-D', home.data, ...flags]
  const child = spawn('/bin/sh', ['-c', serverScript, 'sh', ...server], {
    ...spawnOptions(home),
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  })
  const errors = child.stderr as Readable
  const errorOutput = errors.toArray()
  errorOutput.catch(() => undefined)
  // Not the standard input, because that is closed as soon as the server ends.
  const pipe = child.stdio[3] as Socket
  pipe.on('error', () => undefined)
  onProgramStarted?.()
  const gone = waitForEnd(child)
  let hasEnded = false
  gone.then(() => {
    hasEnded = true
    pipe.end('released\n')
  })
  for (let nextReport = startedAt + 10_000; !hasEnded; await sleep(10)) {
    const lock = await readLock(home)
    if (lock?.pid === child.pid && lock?.status === 'ready') break
    if (signal.aborted) child.kill('SIGINT')
    if (Date.now() < nextReport) continue
    nextReport += 10_000
    log.info('Waiting for PostgreSQL, which is still bringing its data in order after it was interrupted.')
  }
  if (!hasEnded) {
    // From now on the server writes to its own log, and must not keep this process alive.
    errors.destroy()
    child.unref()
    pipe.unref()
    return { isOwned: true, gone, stop: () => stopChild(child, gone) }
  }
  const output = Buffer.concat(await errorOutput).toString()
  signal.throwIfAborted()
  if (/lock file .* (already exists|is empty)|shared memory block .* in use/.test(output)) return undefined
  throw describeInitFailure(
    `PostgreSQL did not start (${await gone}).`,
    output + (await logTail(home, startedAt)),
  )
}

async function stopChild(child: ChildProcess, gone: Promise<string>): Promise<void> {
  child.ref()
  child.kill('SIGINT')
  const killTimer = setTimeout(() => child.kill('SIGQUIT'), maxShutdownMs)
  await gone
  clearTimeout(killTimer)
}

/** Waits for the end of a process and returns its cause. */
async function waitForEnd(child: ChildProcess): Promise<string> {
  try {
    const [code, signal] = await once(child, 'exit')
    return signal ? `signal ${signal}` : `exit code ${code}`
  } catch (error) {
    return String(error)
  }
}

/** Reads the newest log file, if it was written since `since` (Unix time in milliseconds). */
async function logTail(home: DatabaseHome, since: number): Promise<string> {
  const folder = path.join(home.folder, 'log')
  const names = await readdir(folder).catch(() => [])
  const files = await Promise.all(
    names.map(async name => ({ name, at: (await stat(path.join(folder, name))).mtimeMs })),
  )
  const newest = files.filter(({ at }) => at >= since).sort((a, b) => b.at - a.at)[0]
  return newest ? readFile(path.join(folder, newest.name), 'utf8') : ''
}
