// The built-in database: a PostgreSQL server in DATA_DIR, kept running while any process uses it..

import { setTimeout as sleep } from 'node:timers/promises'
import { type ClusterLog, databaseName, initialiseCluster, superuser } from './cluster.ts'
import { prepareHome } from './home.ts'
import { obtainServer, socketPort } from './server.ts'

/**
 * How `pg` reaches the database. `host` is the socket's folder; `port` and `ssl` override PGPORT and
 * PGSSLMODE. `isBuiltIn`: the server's processes run on this machine.
 */
export interface DatabaseConnection {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
  readonly ssl: false
  readonly isBuiltIn: true
}

/** A database in use by this process. */
export interface EmbeddedPostgres {
  readonly connection: DatabaseConnection
  /** sentences for the user, such as where the data is kept and why */
  readonly notes: string[]
  /**
   * Stops the server if this process started it; otherwise only stops using it. Never throws. A second call
   * waits for the first.
   */
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  dataDir: string
  log: ClusterLog
  /**
   * settings of PostgreSQL that override ours, such as `{ fsync: 'off' }` in tests; they have an effect if
   * this process starts the server
   */
  settings?: Record<string, string>
  /** called when a program has been started that takes a while, so that other work can be done meanwhile */
  onProgramStarted?: (() => void) | undefined
}

/** A server that ran this long did not fail for the same reason as the one before it. */
const stableMs = 60_000
const maxDelayMs = 30_000

/**
 * Opens the database of `dataDir`, creating it if it is missing. Uses the server that runs there, or else
 * starts one. The server ends with the process that started it, even if that is killed; another process that
 * still uses it then starts it again on the same socket, so that its pool only has to reconnect. The same
 * happens when the server itself dies. Throws an Error with advice for the user.
 */
export async function openEmbeddedPostgres({
  dataDir,
  log,
  settings = {},
  onProgramStarted,
}: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const home = await prepareHome(dataDir)
  await initialiseCluster(home, log, onProgramStarted)
  const ending = new AbortController()
  const aborted = new Promise<undefined>(resolve =>
    ending.signal.addEventListener('abort', () => resolve(undefined), { once: true }),
  )
  let server = await obtainServer(home, settings, log, ending.signal, onProgramStarted)

  const keepRunning = async () => {
    let failures = 0
    let since = performance.now()
    let problem = await Promise.race([server.gone, aborted])
    while (problem !== undefined && !ending.signal.aborted) {
      if (performance.now() - since > stableMs) failures = 0
      const delay = failures === 0 ? 0 : Math.min(maxDelayMs, 100 * 2 ** failures)
      log.warn(
        `PostgreSQL is not running (${problem}); starting it again${delay > 0 ? ` in ${delay} ms` : ''}.`,
      )
      failures++
      try {
        await sleep(delay, undefined, { ref: false, signal: ending.signal })
        since = performance.now()
        server = await obtainServer(home, settings, log, ending.signal)
        log.info(
          server.isOwned
            ? 'PostgreSQL is running again.'
            : 'PostgreSQL is running again, in another process.',
        )
        problem = await Promise.race([server.gone, aborted])
      } catch (error) {
        problem = error instanceof Error ? error.message : String(error)
      }
    }
  }
  const keeping = keepRunning()

  let stopping: Promise<void> | undefined
  const stop = async () => {
    ending.abort()
    await keeping
    await server.stop()
  }
  return {
    connection: {
      ...{ host: home.socketFolder, port: socketPort, user: superuser, database: databaseName },
      ...{ ssl: false, isBuiltIn: true },
    },
    notes: home.notes,
    stop: () => (stopping ??= stop()),
  }
}
