// What those who run the service look at: whether it lives, whether it is ready, and its metrics.

import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Database } from '../platform/database/db.ts'
import { forbidden, internalError, Refusal, unauthorised, unavailable } from '../platform/http/refusal.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Config } from './config.ts'

/** What liveness and readiness have to know. */
export interface HealthParts {
  database: Database
  isStopping(): boolean
}

/**
 * Adds liveness and readiness. Ready means started and not stopping: it does not ask the database, or a
 * balancer would drop every process at once when that is away, and callers would get its page in place of
 * our 503 with Retry-After. `?verbose` tells of the database. Some load balancers ask for health with HEAD.
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

/** Who may have metrics. */
export interface MetricsRule {
  /** what has to be sent; undefined: nothing */
  token: string | undefined
  /** whether, without a token, only programs on this machine get them */
  isLocalOnly: boolean
}

/** Adds /metrics. Throws 401 without the right token, and 403 for what is not of this machine. */
export function addMetrics(app: FastifyInstance, metrics: Metrics, rule: MetricsRule): void {
  app.get('/metrics', async (request, reply) => {
    if (rule.token !== undefined) {
      if (!isToken(request.headers.authorization, rule.token))
        throw unauthorised('The metrics need the token of the setting METRICS_TOKEN.')
    } else if (rule.isLocalOnly && !isFromThisMachine(request.raw)) {
      throw forbidden(
        'Metrics are for programs on this machine, unless METRICS_TOKEN or METRICS_PORT is set.',
      )
    }
    const { contentType, body } = await metrics.text()
    return reply.header('content-type', contentType).send(body)
  })
}

/** Serves nothing but metrics, on a port of their own. Returns what ends it. */
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

// Any of them says that somebody else asks through a proxy, which may run on this machine.
const forwardingHeader = /^(forwarded|via|x-forwarded-.+|x-real-ip|x-client-ip|true-client-ip|cf-.+)$/

/**
 * Whether a program on this machine asks for itself: over loopback, through no proxy, and by a name of this
 * machine, so that no page in a browser can ask by a name of its own that leads here.
 */
export function isFromThisMachine({ socket, headers }: IncomingMessage): boolean {
  const { remoteAddress = '' } = socket
  if (!ipaddr.isValid(remoteAddress) || ipaddr.process(remoteAddress).range() !== 'loopback') return false
  if (Object.keys(headers).some(name => forwardingHeader.test(name))) return false
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i.test(headers.host ?? '')
}
