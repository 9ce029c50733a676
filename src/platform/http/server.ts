// The HTTP server with all endpoints: how it receives requests, and what applies to all of them. Spec 1, 7,
// 8.

import { randomUUID } from 'node:crypto'
import cors from '@fastify/cors'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  LogController,
} from 'fastify'
import type { Database } from '../database/db.ts'
import type { Metrics } from '../metrics.ts'
import type { AnyAccessRules } from './access-rules.ts'
import { type AdmissionOptions, createAdmission } from './admission.ts'
import type { BodyLimits } from './body-budget.ts'
import type { Caller } from './caller.ts'
import type { Endpoint } from './endpoint.ts'
import { sendError } from './error-response.ts'
import { createEventStreams } from './event-stream.ts'
import type { Lane } from './large-body.ts'
import { parseQuery } from './read-request.ts'
import { receiveBodies } from './receive-body.ts'
import { Refusal, validationFailed } from './refusal.ts'
import type { TellEffects } from './rehearsal.ts'
import { logRequests } from './request-log.ts'
import { requestLogger } from './request-logger.ts'
import { serveEndpoints } from './serve-endpoint.ts'
import { refuseUnknownRoutes } from './unknown-route.ts'
import { handleUnusualRequests, respondToClientError } from './unparsed-requests.ts'
import { createValidation } from './validation.ts'

export interface ServerOptions<Access, Actor extends Caller> extends AdmissionOptions<Access, Actor> {
  endpoints: readonly Endpoint<Access>[]
  database: Database
  metrics: Metrics
  log: FastifyBaseLogger
  /**
   * which proxies' X-Forwarded-For is trusted: none, the last few in the chain (a number), or those at
   * certain addresses and networks
   */
  trustProxy?: false | number | readonly string[]
  /** the application's own string formats */
  formats: Record<string, (text: string) => boolean>
  /** origins whose pages may call the API from a browser; default none, `*` means all */
  corsOrigins?: readonly string[]
  /** limits on the bytes of request bodies in memory */
  bodyLimits?: BodyLimits
  /** handles requests with large bodies; default this thread */
  lane?: Lane
  /** tells what rehearsed acts do; default nothing */
  tellEffects?: TellEffects
  /** requests come from another server of this service, which logs and counts them */
  isBehindAnother?: boolean
}

const mebibyte = 1_048_576
const requestIdPattern = /^[\w.:-]{1,100}$/

declare module 'fastify' {
  interface FastifyRequest {
    actor: Caller | undefined
  }
}

/** Makes the HTTP server with every endpoint on it. It does not listen yet. */
export function openServer<Access, Actor extends Caller>(
  options: ServerOptions<Access, Actor>,
): FastifyInstance {
  const { endpoints, database, metrics } = options
  const access: AnyAccessRules = options.access
  const app = openFastify(options)
  app.decorateRequest('actor', undefined)
  handleUnusualRequests(app.server)
  // Synchronous hooks use the callback, because a promise would cost every request time.
  app.addHook('onRequest', (request, reply, done) => {
    addCommonHeaders(reply)
    const isWithoutHost = request.headers.host === undefined && request.raw.httpVersion === '1.1'
    done(isWithoutHost ? validationFailed('The request needs a Host header.') : undefined)
  })
  if (!options.isBehindAnother) logRequests(app, metrics)
  allowOrigins(app, options.corsOrigins ?? [])
  refuseUnknownRoutes(app)
  receiveBodies(app, { limits: options.bodyLimits, leaveLargeUnparsed: options.lane !== undefined })
  app.setErrorHandler(async (error, _request, reply) => {
    // Waits until the parser has seen what came with the headers: if that is not HTTP, another response has
    // already been sent.
    await undefined
    return sendError(error, reply, metrics)
  })
  const stopping = whenStopping(app)
  const streams = createEventStreams(tokenValidator(options), stopping)
  metrics.gauge('event_streams', 'Open event streams.', () => streams.count)
  const validation = createValidation(options.formats)
  const admit = createAdmission(options)
  const { lane, tellEffects: tell = async () => ({ effects: [], warnings: [] }) } = options
  serveEndpoints(app, endpoints, { database, admit, access, validation, lane, streams, stopping, tell })
  return app
}

/** Returns a signal that fires when the server begins to stop. */
function whenStopping(app: FastifyInstance): AbortSignal {
  const stop = new AbortController()
  app.addHook('preClose', done => {
    stop.abort()
    done()
  })
  return stop.signal
}

/** Returns a function that checks whether an Authorization header is still valid. */
const tokenValidator =
  ({ authenticate }: Pick<AdmissionOptions<never, Caller>, 'authenticate'>) =>
  async (authorization: string | undefined): Promise<boolean> => {
    try {
      await authenticate(authorization)
      return true
    } catch (error) {
      return !(error instanceof Refusal)
    }
  }

type FastifyOptions = Pick<ServerOptions<never, never>, 'log' | 'metrics' | 'trustProxy'>

function openFastify({ log, metrics, trustProxy = false }: FastifyOptions): FastifyInstance {
  return Fastify({
    loggerInstance: log,
    childLoggerFactory: requestLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: request => {
      const requestId = request.headers['x-request-id']
      return typeof requestId === 'string' && requestIdPattern.test(requestId) ? requestId : randomUUID()
    },
    bodyLimit: mebibyte,
    // Hops are counted from this server. Entries further left were written by the caller.
    trustProxy:
      typeof trustProxy === 'number'
        ? (_address: string, hop: number) => hop < trustProxy
        : trustProxy && [...trustProxy],
    // Limits slow clients: the whole request must arrive within this time.
    requestTimeout: 60_000,
    keepAliveTimeout: 72_000,
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false, querystringParser: parseQuery },
    frameworkErrors: (error, _request, reply) => {
      // Hooks do not run if the URL cannot be parsed.
      addCommonHeaders(reply as FastifyReply)
      sendError(error, reply as FastifyReply, metrics)
    },
    clientErrorHandler: respondToClientError,
    // Node would respond without a body; the hook in openServer refuses such requests with one.
    http: { requireHostHeader: false },
  })
}

function addCommonHeaders(reply: FastifyReply): void {
  reply.header('x-request-id', reply.request.id)
  reply.header('x-content-type-options', 'nosniff')
  reply.header('cache-control', 'no-store')
}

/** Response headers that pages of other origins may read. */
const exposedHeaders = [
  ...['etag', 'location', 'retry-after', 'ratelimit', 'ratelimit-policy'],
  ...['x-request-id', 'content-disposition', 'www-authenticate', 'ignored-fields', 'outcome'],
]

/** Lets pages of these origins call the API. Without any, responses have no CORS headers. */
function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return
  app.register(cors, {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: [
      'authorization',
      'content-type',
      'if-match',
      'if-none-match',
      'x-request-id',
      'waybill-rehearse',
    ],
    exposedHeaders,
    maxAge: 3_600,
    strictPreflight: false,
  })
}
