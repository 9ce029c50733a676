// Assembles what a service consists of once its database is open: the server, the background work and the
// renderer.

import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { accessRules } from '../access/access-rules.ts'
import { apiDocument } from '../api/document.ts'
import { openOAuth } from '../oauth/oauth.ts'
import { limitPrintStorage } from '../paper/print-jobs/submit.ts'
import type { Closers } from '../platform/closing.ts'
import type { Database } from '../platform/database/db.ts'
import { isDatabaseUnavailable } from '../platform/database/errors.ts'
import { addApiReference } from '../platform/http/api-reference.ts'
import { drainOnClose } from '../platform/http/drain.ts'
import type { Lane } from '../platform/http/large-body.ts'
import { openServer } from '../platform/http/server.ts'
import { openLane } from '../platform/lane/lane.ts'
import type { RateLimits } from '../platform/limits/limits.ts'
import { createMetrics, type Metrics } from '../platform/metrics.ts'
import { type OutgoingHttp, openOutgoingHttp } from '../platform/outgoing/outgoing-http.ts'
import type { Presence } from '../platform/presence/presence.ts'
import { openRenderer, type Renderer } from '../platform/renderer/renderer.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { bridgeHints } from '../platform/work/hints.ts'
import type { WorkLoop } from '../platform/work/work-loop.ts'
import type { WorkerContext } from '../platform/work/worker-context.ts'
import { addPortal, readPortal } from '../portal/pages.ts'
import { tellEffects } from '../rehearsal/tell-effects.ts'
import { stopExportThread } from '../reports/export-thread.ts'
import { endpointsOf } from '../routes.ts'
import { workers } from '../workers.ts'
import type { Config } from './config.ts'
import { formats } from './formats.ts'
import type { LargeRequestsData } from './large-requests.ts'
import { addHealth, addMetrics, openMetricsServer } from './operations.ts'
import { measureQueues } from './queue-metrics.ts'
import { replicaWarning } from './replicas.ts'
import type { Store } from './store.ts'
import { version } from './version.ts'

// How long a stop waits for documents: less than for clients, who then still get a response.
const maxRenderingMs = 6_000

/** The opened parts of the service, from which others are made. */
export interface Opened {
  readonly config: Config
  readonly log: FastifyBaseLogger
  readonly store: Store
  readonly database: Database
  readonly secretBox: SecretBox
  readonly limits: RateLimits | undefined
  readonly presence: Presence
  readonly baseUrl: string
  readonly authUrl: string
  readonly closing: Closers
  /** whether `./waybill demo` runs it */
  readonly isDemo: boolean
  isStopping(): boolean
}

type Parts = Opened & { readonly metrics: Metrics; readonly outgoing: OutgoingHttp }

/** Opens the parts of the service and starts the background work. The server does not listen yet. */
export async function assemble(opened: Opened): Promise<FastifyInstance> {
  const { config, log, database, closing } = opened
  const metrics = createMetrics()
  metrics.gaugeBy('version', 'build_info', 'The version that runs; always 1.', () => ({ [version]: 1 }))
  measureDatabase(metrics, database)
  const outgoing = openOutgoingHttp({ allowPrivate: config.webhookAllowPrivate, ports: config.webhookPorts })
  closing.push(() => outgoing.close())
  const parts = { ...opened, metrics, outgoing }
  const app = await openApi(parts)
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
  return app
}

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

/**
 * Opens the HTTP server: health and metrics, and, if ROLES includes the API, also its reference and OAuth.
 */
async function openApi(parts: Parts): Promise<FastifyInstance> {
  const { config, log, database, secretBox, metrics, outgoing, limits, closing, isDemo } = parts
  const { baseUrl, authUrl } = parts
  const { corsOrigins, trustProxy } = config
  const oauth = await openOAuth({ database, secretBox, authUrl, baseUrl, limits, log, isDemo })
  closing.push(() => oauth.close())
  const portal = config.roles.api ? readPortal() : undefined
  const endpoints = endpointsOf({ secretBox, outgoing, authUrl, isDemo, portalBuild: portal?.build })
  const app = openServer({
    endpoints: config.roles.api ? endpoints : [],
    lane: openLargeRequests(parts),
    database,
    metrics,
    log,
    authenticate: oauth.authenticate,
    access: accessRules,
    tellEffects,
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
function startWorkers({ config, ...parts }: Parts): WorkLoop[] {
  const { database, log, secretBox, outgoing, metrics, presence } = parts
  const context: WorkerContext = { database, log, secretBox, outgoing, metrics, presence }
  measureQueues(context)
  return workers.map(start => start(context, config))
}
