// Puts the service together from its settings, starts it and stops it.

import type { FastifyBaseLogger } from 'fastify'
import { perMinute } from '../access/limits.ts'
import { type Closers, closeEverything } from '../platform/closing.ts'
import type { Database } from '../platform/database/db.ts'
import { openSession } from '../platform/database/session.ts'
import { takePermits } from '../platform/limits/permits.ts'
import { createSharedLimits } from '../platform/limits/shared-limits.ts'
import { newId } from '../platform/new-id.ts'
import { openPresence } from '../platform/presence/presence.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import type { Config } from './config.ts'
import { claimIssuer } from './issuer.ts'
import { findPorts } from './listening.ts'
import { replicaWarning } from './replicas.ts'
import { openStore } from './store.ts'

export interface Service {
  readonly baseUrl: string
  readonly authUrl: string
  readonly database: Database
  readonly secretBox: SecretBox
  /** sentences for the user, such as where the data is kept */
  readonly notes: readonly string[]
  /** Finishes the running work, claims no more, and closes everything. */
  stop(): Promise<void>
}

/**
 * Starts everything that ROLES demands, and listens. Throws if another service uses the same embedded
 * database. With `isDemo`, it is the service of `./waybill demo`.
 */
export async function startService(config: Config, log: FastifyBaseLogger, isDemo = false): Promise<Service> {
  const port = await findPorts(config)
  // maxStatementMs is a little longer than statement_timeout, which only commands may lift.
  const storeLog = { info: (text: string) => log.info(text), warn: (text: string) => log.warn(text) }
  const { promise: databaseStarts, resolve: onProgramStarted } = Promise.withResolvers<void>()
  const opening = openStore(config, storeLog, {
    maxStatementMs: 35_000,
    maxWaitMs: 30_000,
    onDroppedSettings: names => log.warn(droppedSettingsNote(names)),
    onProgramStarted,
  })
  // Loading the rest keeps this thread busy for most of the start, and PostgreSQL starts meanwhile.
  await Promise.race([databaseStarts, opening])
  const { assemble } = await import('./assemble.ts')
  const store = await opening
  const closing: Closers = [() => store.close()]
  let isStopping = false
  const stop = async () => {
    isStopping = true
    await closeEverything(closing)
  }
  try {
    const { database, notes } = store
    const secretBox = await store.openSecrets()
    const warning = await replicaWarning(database.db)
    if (warning !== undefined) log.warn(warning)
    if (config.databaseUrl === undefined) closing.push(await claimDataDir(database, config.dataDir))
    const baseUrl = config.baseUrl ?? `http://localhost:${port}`
    const authUrl = config.authUrl ?? baseUrl
    const { limits, presence } = await joinProcesses(config, database, closing)
    if (config.roles.api) await claimIssuer(database, presence.id, authUrl)
    const opened = { config, log, store, database, secretBox, limits, presence, baseUrl, authUrl, isDemo }
    const app = await assemble({ ...opened, closing, isStopping: () => isStopping })
    await app.listen({ host: config.host, port })
    return { baseUrl, authUrl, database, secretBox, notes, stop }
  } catch (error) {
    await stop().catch(() => {})
    throw error
  }
}

const droppedSettingsNote = (names: readonly string[]) =>
  `A pooler on the way to the database drops ${names.join(', ')} of connections. They are set again where ` +
  'it matters; docs/production.md says how the pooler sets them itself.'

/** Makes this process known to the others of its database, with which it shares the rate limits. */
async function joinProcesses({ roles, rateLimits }: Config, database: Database, closing: Closers) {
  const session = openSession(database)
  closing.push(() => session.close())
  const id = newId()
  const limits =
    roles.api && rateLimits
      ? createSharedLimits(perMinute, (number, requests) => takePermits(session, id, number, requests))
      : undefined
  const presence = await openPresence(session, id, roles, limits)
  closing.push(() => presence.close())
  if (limits !== undefined) closing.push(() => limits.close())
  return { limits, presence }
}

const serviceLock = 77_017_002

/**
 * Holds an advisory lock in the database while the process lives, so that a data folder has only one service.
 * The lock is released with its connection, even if the process is killed. Returns a function that releases
 * it.
 */
async function claimDataDir(database: Database, dataDir: string): Promise<() => Promise<void>> {
  let isOpen = true
  let client = await database.openConnection()
  const tryLock = async () =>
    (await client.query('select pg_try_advisory_lock($1) as mine', [serviceLock])).rows[0].mine as boolean
  // A service that was killed a moment ago keeps its lock until the server notices that its connection is
  // gone.
  for (let attempt = 0; !(await tryLock()); attempt++) {
    if (attempt === 10) {
      await client.end()
      throw new Error(
        `Another Waybill service is running on ${dataDir}. Stop it first, or give this one its own DATA_DIR.`,
      )
    }
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  // All other processes of this data folder are dead, even if they were alive a moment ago.
  await client.query('delete from service_process')
  // When the database restarts, the lock is lost with its connection. It is taken again as soon as the old
  // connection has released it.
  let isHeld = true
  let isBusy = false
  const renew = setInterval(async () => {
    if (isBusy) return
    isBusy = true
    try {
      if (isHeld) await client.query('select 1')
      else isHeld = await tryLock()
    } catch {
      isHeld = false
      client.end().catch(() => {})
      client = await database.openConnection().catch(() => client)
      if (!isOpen) client.end().catch(() => {})
    } finally {
      isBusy = false
    }
  }, 1_000)
  renew.unref()
  return async () => {
    isOpen = false
    clearInterval(renew)
    await client.end().catch(() => {})
  }
}
