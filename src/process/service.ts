// Puts the service together from its settings, starts it and stops it.

import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { accessRules } from '../access/access-rules.ts'
import { perMinute } from '../access/limits.ts'
import { apiDocument } from '../api/document.ts'
import { openOAuth } from '../oauth/oauth.ts'
import { limitPrintStorage } from '../paper/print-jobs/submit.ts'
import type { Database } from '../platform/database/db.ts'
import { isDatabaseUnavailable } from '../platform/database/errors.ts'
import { openSession } from '../platform/database/session.ts'
import { addApiReference } from '../platform/http/api-reference.ts'
import { drainOnClose } from '../platform/http/drain.ts'
import type { Lane } from '../platform/http/large-body.ts'
import { openServer } from '../platform/http/server.ts'
import { openLane } from '../platform/lane/lane.ts'
import type { RateLimits } from '../platform/limits/limits.ts'
import { takePermits } from '../platform/limits/permits.ts'
import { createSharedLimits } from '../platform/limits/shared-limits.ts'
import { createMetrics, type Metrics } from '../platform/metrics.ts'
import { newId } from '../platform/new-id.ts'
import { openOutgoingHttp } from '../platform/outgoing/outgoing-http.ts'
import { openPresence, type Presence } from '../platform/presence/presence.ts'
import { openRenderer, type Renderer } from '../platform/renderer/renderer.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { bridgeHints } from '../platform/work/hints.ts'
import type { WorkLoop } from '../platform/work/work-loop.ts'
import type { WorkerContext } from '../platform/work/worker-context.ts'
import { addPortal, readPortal } from '../portal/pages.ts'
import { stopExportThread } from '../reports/export-thread.ts'
import { endpointsOf } from '../routes.ts'
import { workers } from '../workers.ts'
import type { Config } from './config.ts'
import { formats } from './formats.ts'
import { claimIssuer } from './issuer.ts'
import type { LargeRequestsData } from './large-requests.ts'
import { findPorts } from './listening.ts'
import { addHealth, addMetrics, openMetricsServer } from './operations.ts'
import { measureQueues } from './queue-metrics.ts'
import { replicaWarning } from './replicas.ts'
import { openStore, type Store } from './store.ts'
import { version } from './version.ts'

// How long a stop waits for documents: less than for clients, who then still get a response.
const maxRenderingMs = 6_000

/** A running service. */
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

/** Opens the service's log: lines of JSON without secrets, on standard output or another file descriptor. */
export const createLog = (config: Config, dest = 1): FastifyBaseLogger =>
  pino(
    {
      level: config.logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: ['req.headers.authorization'],
    },
    pino.destination({ dest, sync: true }),
  )

/**
 * Starts everything that ROLES demands, and listens. Throws if another service uses the same embedded
 * database. With `isDemo`, it is the service of `./waybill demo`.
 */
export async function startService(
  config: Config,
  log: FastifyBaseLogger = createLog(config),
  isDemo = false,
): Promise<Service> {
  const storeLog = { info: (text: string) => log.info(text), warn: (text: string) => log.warn(text) }
  const port = await findPorts(config)
  // maxStatementMs is a little longer than statement_timeout, which only commands may lift.
  const store = await openStore(config, storeLog, {
    maxStatementMs: 35_000,
    maxWaitMs: 30_000,
    onDroppedSettings: names => log.warn(droppedSettingsNote(names)),
  })
  const closing: Closing = [() => store.close()]
  let isStopping = false
  const stop = async () => {
    isStopping = true
    for (const close of closing.splice(0).reverse()) await close()
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
    const metrics = createMetrics()
    metrics.gaugeBy('version', 'build_info', 'The version that runs; always 1.', () => ({ [version]: 1 }))
    measureDatabase(metrics, database)
    const opened = { config, log, store, database, secretBox, metrics, limits, presence }
    const parts = { ...opened, baseUrl, authUrl, closing, isDemo }
    const app = await openApi({ ...parts, isStopping: () => isStopping })
    const bridge = await bridgeHints(database, error => {
      if (!isDatabaseUnavailable(error)) log.warn(`Hints between processes are interrupted: ${error.message}`)
    })
    closing.push(() => bridge.close())
    if (config.metricsPort !== undefined) closing.push(await openMetricsServer(metrics, config, log))
    closing.push(stopExportThread)
    limitPrintStorage(config.printStorageMiB)
    const loops = config.roles.worker ? startWorkers(parts) : []
    const renderer = openRendererOf(parts)
    // In parallel, because each waits for others: the API for its clients, the loops for webhook receivers.
    const stopWorking = () => [closeApi(app, renderer), ...loops.map(loop => loop.stop())]
    closing.push(async () => void (await Promise.all(stopWorking())))
    await app.listen({ host: config.host, port })
    return { baseUrl, authUrl, database, secretBox, notes, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const droppedSettingsNote = (names: readonly string[]) =>
  `A pooler on the way to the database drops ${names.join(', ')} of connections. They are set again where ` +
  'it matters; docs/production.md says how the pooler sets them itself.'

/** Functions that close the parts of the service, to be called in reverse order. */
type Closing = (() => Promise<void> | void)[]

/** Adds the gauges of the connections to the database, and of its outages. */
function measureDatabase(metrics: Metrics, database: Database): void {
  metrics.gaugeBy('state', 'database_connections', 'Connections of the pools, by state.', () => {
    const { busy, idle } = database.stats()
    return { busy, idle }
  })
  metrics.gauge(
    'database_connection_waiters',
    'Statements and transactions that wait for a connection.',
    () => database.stats().waiting,
  )
  metrics.gauge('database_away', '1 while the database does not respond or is read-only, else 0.', () =>
    Number(database.state().isUnavailable),
  )
  metrics.gauge(
    'database_replicas_asynchronous',
    '1 while the database has replicas and none is synchronous: a fail-over may lose imports; else 0.',
    async () => Number((await replicaWarning(database.db)) !== undefined),
  )
}

/** The opened parts of the service, from which others are made. */
interface Parts {
  readonly config: Config
  readonly log: FastifyBaseLogger
  readonly store: Store
  readonly database: Database
  readonly secretBox: SecretBox
  readonly metrics: Metrics
  readonly limits: RateLimits | undefined
  readonly presence: Presence
  readonly baseUrl: string
  readonly authUrl: string
  readonly closing: Closing
  /** whether `./waybill demo` runs it */
  readonly isDemo: boolean
}

/**
 * Opens the HTTP server: health and metrics, and, if ROLES includes the API, also its reference and OAuth.
 */
async function openApi(parts: Parts & { isStopping(): boolean }): Promise<FastifyInstance> {
  const { config, log, database, secretBox, metrics, limits, baseUrl, authUrl, closing, isDemo } = parts
  const { corsOrigins, trustProxy } = config
  const oauth = await openOAuth({ database, secretBox, authUrl, baseUrl, limits, log, isDemo })
  closing.push(() => oauth.close())
  const { webhookAllowPrivate, webhookPorts } = config
  const portal = config.roles.api ? readPortal() : undefined
  const endpoints = endpointsOf({
    ...{ secretBox, webhookAllowPrivate, webhookPorts, isDemo },
    portalBuild: portal?.build,
  })
  const app = openServer({
    endpoints: config.roles.api ? endpoints : [],
    lane: openLargeRequests(parts),
    database,
    metrics,
    log,
    authenticate: oauth.authenticate,
    access: accessRules,
    limits,
    corsOrigins,
    trustProxy,
    formats,
  })
  drainOnClose(app)
  addHealth(app, parts)
  if (config.metricsPort === undefined)
    addMetrics(app, metrics, { token: config.metricsToken, isLocalOnly: true })
  if (config.roles.api) {
    await oauth.mount(app)
    await addPortal(app, portal, log)
    addApiReference(app, () => apiDocument(endpoints, { version, baseUrl, authUrl }))
  }
  return app
}

/**
 * Opens the lane that handles requests with large bodies. It closes after the server and before the store.
 */
function openLargeRequests({ config, log, store, metrics, closing }: Parts): Lane {
  const { dataDir, encryptionKey, webhookAllowPrivate, webhookPorts } = config
  const { connection } = store
  const data: LargeRequestsData = { connection, dataDir, encryptionKey, webhookAllowPrivate, webhookPorts }
  const lane = openLane({ file: new URL('./large-requests.ts', import.meta.url), data, log, metrics })
  closing.push(() => lane.close())
  return lane
}

/** Opens the renderer. Its process starts with the first document or picture. */
function openRendererOf({ config, log, metrics, closing }: Parts): Renderer {
  const { documentProcesses: processes, documentFonts: fontsFolder } = config
  const renderer = openRenderer({ processes, data: { fontsFolder }, log }, metrics)
  closing.push(renderer.close)
  return renderer
}

/** Closes the server, and refuses documents in time for their clients to get that response. */
async function closeApi(app: FastifyInstance, renderer: Renderer): Promise<void> {
  const stopRendering = setTimeout(() => void renderer.stop(), maxRenderingMs)
  await app.close()
  clearTimeout(stopRendering)
}

/** Starts the background work. */
function startWorkers({ config, log, database, secretBox, metrics, presence, closing }: Parts): WorkLoop[] {
  const outgoing = openOutgoingHttp({ allowPrivate: config.webhookAllowPrivate, ports: config.webhookPorts })
  closing.push(() => outgoing.close())
  const context: WorkerContext = { database, log, secretBox, outgoing, metrics, presence }
  measureQueues(context)
  return workers.map(start => start(context, config))
}

/** Makes this process known to the others of its database, with which it shares the rate limits. */
async function joinProcesses({ roles, rateLimits }: Config, database: Database, closing: Closing) {
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
