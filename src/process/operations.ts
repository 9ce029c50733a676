// Endpoints for operating the service: liveness, readiness and metrics.

import { createHash, timingSafeEqual } from 'node:crypto'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Database } from '../platform/database/db.ts'
import { isFromThisMachine } from '../platform/http/from-this-machine.ts'
import { forbidden, internalError, Refusal, unauthorised, unavailable } from '../platform/http/refusal.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Config } from './config.ts'

/** What liveness and readiness depend on. */
export interface HealthParts {
  database: Database
  isStopping(): boolean
}

/**
 * Adds liveness and readiness. Ready means started and not stopping. It does not depend on the database:
 * otherwise a load balancer would drop all processes during an outage, and callers would get its error page
 * instead of our 503 with Retry-After. `?verbose` reports the state of the database. Some load balancers
 * check health with HEAD.
 */
export function addHealth(app: FastifyInstance, { database, isStopping }: HealthParts): void {
  const alsoHead = { exposeHeadRoute: true }
  app.get('/health/live', alsoHead, async () => ({ status: 'ok' }))
  app.get<{ Querystring: { verbose?: string } }>('/health/ready', alsoHead, async ({ query }) => {
    if (isStopping()) throw unavailable('The service is stopping.')
    if (query.verbose === undefined || query.verbose === 'false') return { status: 'ok' }
    const { isUnavailable, sinceUtc } = database.state()
    return { status: 'ok', database: isUnavailable ? 'away' : 'up', sinceUtc }
  })
}

/** Who may read metrics. */
export interface MetricsAccess {
  /** the required token; none if undefined */
  token: string | undefined
  /** whether, without a token, only programs on this machine may read them */
  isLocalOnly: boolean
}

/**
 * Adds /metrics. It refuses a wrong token (401), and callers on other machines if they are not allowed (403).
 */
export function addMetrics(app: FastifyInstance, metrics: Metrics, access: MetricsAccess): void {
  app.get('/metrics', async (request, reply) => {
    if (access.token !== undefined) {
      if (!isToken(request.headers.authorization, access.token))
        throw unauthorised('The metrics need the token of the setting METRICS_TOKEN.')
    } else if (access.isLocalOnly && !isFromThisMachine(request.raw)) {
      throw forbidden(
        'Metrics are for programs on this machine, unless METRICS_TOKEN or METRICS_PORT is set.',
      )
    }
    const { contentType, body } = await metrics.text()
    return reply.header('content-type', contentType).send(body)
  })
}

/** Serves only metrics, on their own port. Returns a function that stops this. */
export async function openMetricsServer(
  metrics: Metrics,
  { host, metricsPort, metricsToken }: Pick<Config, 'host' | 'metricsPort' | 'metricsToken'>,
  log: FastifyBaseLogger,
): Promise<() => Promise<void>> {
  const logController = new LogController({ disableRequestLogging: true })
  const app = Fastify({ loggerInstance: log, logController, exposeHeadRoutes: false })
  app.setErrorHandler((error, _request, reply) => {
    const refusal = error instanceof Refusal ? error : internalError('There are no metrics.')
    if (refusal !== error) log.error({ err: error }, 'metrics could not be collected')
    return reply.code(refusal.status).send(refusal.body)
  })
  addMetrics(app, metrics, { token: metricsToken, isLocalOnly: false })
  await app.listen({ host, port: metricsPort ?? 0 })
  return () => app.close()
}

const digest = (text: string) => createHash('sha256').update(text).digest()

const isToken = (authorization: string | undefined, token: string): boolean =>
  timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`))
