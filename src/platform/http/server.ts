// The HTTP server with every endpoint on it: how requests come in, and what holds for all of them. Spec 1, 7,
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
import type { Actor } from './actor.ts'
import { type AdmissionOptions, admission } from './admission.ts'
import type { BodyLimits } from './body-budget.ts'
import { answerClientError, answerOddRequests } from './broken-http.ts'
import type { Endpoint } from './endpoint.ts'
import { answerError } from './error-answer.ts'
import { openEventStreams } from './event-stream.ts'
import type { Lane } from './large-body.ts'
import { parseQuery } from './read-request.ts'
import { receiveBodies } from './receive-body.ts'
import { Refusal, validationFailed } from './refusal.ts'
import { logRequests } from './request-log.ts'
import { requestLogger } from './request-logger.ts'
import { serveEndpoints } from './serve-endpoint.ts'
import { refuseUnknownAddresses } from './unknown-address.ts'
import { openValidation } from './validation.ts'

export interface ServerOptions extends AdmissionOptions {
  endpoints: readonly Endpoint[]
  database: Database
  metrics: Metrics
  log: FastifyBaseLogger
  /**
   * whose X-Forwarded-For is believed: nobody's, that of so many proxies in a row, or that of proxies at
   * these addresses and networks
   */
  trustProxy?: false | number | readonly string[]
  /** the application's own string formats */
  formats: Record<string, (text: string) => boolean>
  /** origins whose pages may call from a browser: none unless said; `*` is every one */
  corsOrigins?: readonly string[]
  /** bytes of request bodies in flight */
  bodyLimits?: BodyLimits
  /** where requests with large bodies are handled; here, unless said */
  lane?: Lane
  /** requests come from another server, which logs and counts them */
  isBehindAnother?: boolean
}

const mebibyte = 1_048_576
const requestIdForm = /^[\w.:-]{1,100}$/

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | undefined
  }
}

/** Makes the HTTP server with every endpoint on it. It does not listen yet. */
export function openServer(options: ServerOptions): FastifyInstance {
  const { endpoints, database, metrics } = options
  const app = openFastify(options)
  app.decorateRequest('actor', undefined)
  answerOddRequests(app.server)
  // Hooks that wait for nothing call back: a promise for each would be paid by every request.
  app.addHook('onRequest', (request, reply, done) => {
    addCommonHeaders(reply)
    const isWithoutHost = request.headers.host === undefined && request.raw.httpVersion === '1.1'
    done(isWithoutHost ? validationFailed('The request needs a Host header.') : undefined)
  })
  if (!options.isBehindAnother) logRequests(app, metrics)
  allowOrigins(app, options.corsOrigins ?? [])
  refuseUnknownAddresses(app)
  receiveBodies(app, { limits: options.bodyLimits, leavesLarge: options.lane !== undefined })
  app.setErrorHandler(async (error, _request, reply) => {
    // A moment later, when it is known whether what has come with the headers is HTTP at all: else there
    // would be two answers.
    await undefined
    return answerError(error, reply, metrics)
  })
  const stopping = whenStopping(app)
  const streams = openEventStreams(isValid(options), stopping)
  metrics.gauge('event_streams', 'Open streams of events.', () => streams.count)
  const validation = openValidation(options.formats)
  const admit = admission(options)
  serveEndpoints(app, endpoints, { database, admit, validation, lane: options.lane, streams, stopping })
  return app
}

/** Fires when a server begins to stop. */
function whenStopping(app: FastifyInstance): AbortSignal {
  const stop = new AbortController()
  app.addHook('preClose', done => {
    stop.abort()
    done()
  })
  return stop.signal
}

/** Whether the token of a header Authorization is valid yet. */
const isValid =
  ({ authenticate }: AdmissionOptions) =>
  async (authorization: string | undefined): Promise<boolean> => {
    try {
      await authenticate(authorization)
      return true
    } catch (error) {
      return !(error instanceof Refusal)
    }
  }

function openFastify({ log, metrics, trustProxy = false }: ServerOptions): FastifyInstance {
  return Fastify({
    loggerInstance: log,
    childLoggerFactory: requestLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: request => {
      const given = request.headers['x-request-id']
      return typeof given === 'string' && requestIdForm.test(given) ? given : randomUUID()
    },
    bodyLimit: mebibyte,
    // Counted from our end: what stands further left was written by the caller.
    trustProxy:
      typeof trustProxy === 'number'
        ? (_address: string, hop: number) => hop < trustProxy
        : trustProxy && [...trustProxy],
    // Slow clients: the whole request must have arrived after this long.
    requestTimeout: 60_000,
    keepAliveTimeout: 72_000,
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false, querystringParser: parseQuery },
    frameworkErrors: (error, _request, reply) => {
      // No hook runs for an address that cannot be read.
      addCommonHeaders(reply as FastifyReply)
      answerError(error, reply as FastifyReply, metrics)
    },
    clientErrorHandler: answerClientError,
    // Node would answer without a body; the hook in openServer refuses with one.
    http: { requireHostHeader: false },
  })
}

function addCommonHeaders(reply: FastifyReply): void {
  reply.header('x-request-id', reply.request.id)
  reply.header('x-content-type-options', 'nosniff')
  reply.header('cache-control', 'no-store')
}

/** Headers of answers that pages of other origins may read. */
const shown = [
  ...['etag', 'location', 'retry-after', 'ratelimit', 'ratelimit-policy'],
  ...['x-request-id', 'content-disposition', 'www-authenticate'],
]

/** Lets pages of these origins call from a browser. Without any, no answer has a header about it. */
function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return
  app.register(cors, {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: ['authorization', 'content-type', 'if-match', 'if-none-match', 'x-request-id'],
    exposedHeaders: shown,
    maxAge: 3_600,
    strictPreflight: false,
  })
}
