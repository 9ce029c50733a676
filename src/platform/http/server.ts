// The life of a request: token to actor, rate limit, scope, body, validation, transaction, handler, answer.
// Spec 1, 7, 8.

import fastJsonStringify from 'fast-json-stringify'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Database } from '../database/db.ts'
import { sqlState } from '../database/errors.ts'
import type { Metrics } from '../metrics.ts'
import { newId } from '../new-id.ts'
import type { Actor } from './actor.ts'
import { answerClientError, answerOddRequests } from './broken-http.ts'
import type { Endpoint } from './endpoint.ts'
import { contentDisposition } from './files.ts'
import { SlidingWindow } from './rate-limit.ts'
import {
  forbidden,
  Refusal,
  rateLimitExceeded,
  tooLarge,
  unsupportedMediaType,
  validationFailed,
} from './refusal.ts'
import { readJson } from './request-body.ts'
import { reaches } from './scopes.ts'
import { unavailabilityOf } from './unavailability.ts'
import { isUuid, openValidation } from './validation.ts'

export interface ServerOptions {
  endpoints: readonly Endpoint[]
  database: Database
  metrics: Metrics
  log: FastifyBaseLogger
  /** Turns the Authorization header into the caller, or throws 401. */
  authenticate(authorization: string | undefined): Actor | Promise<Actor>
  /** whether the limits of section 8 apply */
  rateLimits: boolean
  /**
   * whose X-Forwarded-For is believed: nobody's, that of so many proxies in a row, or that of proxies at
   * these addresses and networks
   */
  trustProxy?: false | number | readonly string[]
  /** the application's own string formats */
  formats: Record<string, (text: string) => boolean>
}

const minute = 60_000
const mebibyte = 1_048_576
const requestIdForm = /^[\w.:-]{1,100}$/

declare module 'fastify' {
  // pino's, which every log of ours is
  interface FastifyBaseLogger {
    isLevelEnabled(level: string): boolean
  }
  interface FastifyRequest {
    actor: Actor | undefined
    /** what of the body cannot be stored, to be told with its other faults */
    storageFaults: string[] | undefined
  }
}

/** Makes the HTTP server with every endpoint on it. It does not listen yet. */
export function openServer(options: ServerOptions): FastifyInstance {
  const { trustProxy = false } = options
  const app = Fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: request => {
      const given = request.headers['x-request-id']
      return typeof given === 'string' && requestIdForm.test(given) ? given : newId()
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
      answerError(error, reply as FastifyReply, options)
    },
    clientErrorHandler: answerClientError,
    // Node would answer without a body; the hook below refuses with one.
    http: { requireHostHeader: false },
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer) => {
      const { value, faults } = readJson(bytes)
      request.storageFaults = faults
      return value
    },
  )
  app.decorateRequest('actor', undefined)
  app.decorateRequest('storageFaults', undefined)
  answerOddRequests(app.server)
  app.addHook('onRequest', async (request, reply) => {
    addCommonHeaders(reply)
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
      throw validationFailed('The request needs a Host header.')
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    options.metrics.request(request.method, route, reply.statusCode, reply.elapsedTime / 1000)
    // 503 is not a defect: the database is away, or somebody holds the record.
    const level =
      reply.statusCode === 503
        ? 'warn'
        : reply.statusCode >= 500
          ? 'error'
          : reply.statusCode >= 400
            ? 'info'
            : 'debug'
    if (!request.log.isLevelEnabled(level)) return
    request.log[level](
      {
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        organisationId: request.actor?.organisationId,
        connectionId: request.actor?.connectionId,
      },
      'request',
    )
  })
  app.setNotFoundHandler(() => {
    throw new Refusal(404, 'Not Found', ['There is no endpoint at this address with this method.'])
  })
  app.setErrorHandler((error, _request, reply) => answerError(error, reply, options))

  const admit = admission(options)
  const validation = openValidation(options.formats)
  for (const endpoint of options.endpoints) addEndpoint(app, endpoint, options, admit, validation)
  return app
}

function addCommonHeaders(reply: FastifyReply): void {
  reply.header('x-request-id', reply.request.id)
  reply.header('x-content-type-options', 'nosniff')
  reply.header('cache-control', 'no-store')
}

/** Repeated names become arrays, as `EdiStatus=1&EdiStatus=null` needs. */
function parseQuery(text: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null)
  for (const [key, value] of new URLSearchParams(text)) {
    const earlier = query[key]
    if (Array.isArray(earlier)) earlier.push(value)
    else query[key] = earlier === undefined ? value : [earlier, value]
  }
  return query
}

/** What happens before the body is read: who is it, are there too many requests, may they. */
function admission(options: ServerOptions) {
  const standard = new SlidingWindow(3_000, minute)
  const reports = new SlidingWindow(150, minute)
  return async (endpoint: Endpoint, request: FastifyRequest): Promise<void> => {
    const actor = await options.authenticate(request.headers.authorization)
    request.actor = actor
    if (options.rateLimits) {
      const wait = (endpoint.path.startsWith('/v1/reports/') ? reports : standard).take(
        actor.organisationId,
        performance.now(),
      )
      if (wait > 0) throw rateLimitExceeded(wait)
    }
    if (!reaches(actor, endpoint.scope)) {
      const wanted = [endpoint.scope].flat().join(' or ')
      throw forbidden(`The token needs the scope ${wanted}.`)
    }
    const encoding = request.headers['content-encoding']
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity' && endpoint.method !== 'GET')
      throw unsupportedMediaType('Compressed request bodies are not accepted.')
  }
}

type Serialise = (value: unknown) => string

function addEndpoint(
  app: FastifyInstance,
  endpoint: Endpoint,
  options: ServerOptions,
  admit: (endpoint: Endpoint, request: FastifyRequest) => Promise<void>,
  validation: ReturnType<typeof openValidation>,
): void {
  const read = requestReader(endpoint, validation)
  let serialise: Serialise | undefined
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    ...(endpoint.files ? { bodyLimit: 40 * mebibyte } : {}),
    onRequest: request => admit(endpoint, request),
    async handler(request, reply) {
      const { faults, ...input } = read(request)
      if (endpoint.bodyFaults !== undefined) faults.push(...(await endpoint.bodyFaults(input.body)))
      if (faults.length > 0) throw validationFailed(...faults)
      const value = await handle(endpoint, options.database, {
        actor: request.actor,
        requestId: request.id,
        ...input,
      })
      const { schema, isText } = endpoint.answer
      if (schema !== undefined && !isText) serialise ??= fastJsonStringify(schema as object) as Serialise
      return answer(reply, endpoint, value, serialise)
    },
  })
}

/**
 * Calls the handler with what it may do with the database: read, write in a transaction, or begin
 * transactions itself.
 */
function handle(endpoint: Endpoint, database: Database, context: object): Promise<unknown> {
  const call = endpoint.handle as (context: object) => Promise<unknown>
  if (endpoint.method === 'GET') return call({ db: database.db, ...context })
  if (endpoint.ownTransactions) return call({ database, ...context })
  const inTransaction = endpoint.oneStatement ? database.inOneStatement : database.atomically
  return inTransaction(tx => call({ tx, ...context }))
}

/** Reads path, query and body, and finds all their faults. */
function requestReader(endpoint: Endpoint, validation: ReturnType<typeof openValidation>) {
  const checkQuery = endpoint.query === undefined ? undefined : validation.query(endpoint.query)
  const checkBody = endpoint.body === undefined ? undefined : validation.body(endpoint.body)
  return (request: FastifyRequest) => {
    const faults: string[] = []
    const params = { ...(request.params as Record<string, string>) }
    for (const [name, value] of Object.entries(params)) {
      if (isUuid(value)) params[name] = value.toLowerCase()
      else faults.push(`${name} must be a uuid.`)
    }
    // A token that belongs to a partner sees that partner only. Spec 4.12.
    const partnerId = request.actor?.partnerId
    if (partnerId && 'partnerId' in params) params.partnerId = partnerId
    let query: Record<string, unknown> = {}
    if (checkQuery !== undefined) {
      const checked = checkQuery(request.query as Record<string, string | string[]>)
      query = checked.query
      faults.push(...checked.faults)
    }
    let body: unknown
    faults.push(...(request.storageFaults ?? []))
    if (checkBody !== undefined) {
      body = request.body ?? (endpoint.bodyOptional ? {} : undefined)
      faults.push(...(body === undefined ? ['The request needs a JSON body.'] : checkBody(body)))
    }
    return { params, query, body, faults }
  }
}

function answer(
  reply: FastifyReply,
  endpoint: Endpoint,
  value: unknown,
  serialise: Serialise | undefined,
): FastifyReply {
  const { kind, status, idName, isText } = endpoint.answer
  switch (kind) {
    case 'empty':
      return reply.code(status).send()
    case 'changed':
      return reply.code(value === true ? 200 : 304).send()
    case 'status':
      return reply.code(value as number).send()
    case 'file': {
      const { fileName, contentType, bytes } = value as {
        fileName: string
        contentType: string
        bytes: Buffer
      }
      return reply
        .header('content-type', contentType)
        .header('content-disposition', contentDisposition(fileName))
        .header('content-security-policy', "default-src 'none'; sandbox")
        .send(bytes)
    }
    default: {
      if (kind === 'created' && idName !== undefined) {
        reply.header(
          'location',
          `${reply.request.url.split('?')[0]}/${(value as Record<string, string>)[idName]}`,
        )
      }
      return reply
        .code(status)
        .header('content-type', 'application/json; charset=utf-8')
        .send(isText ? value : (serialise as Serialise)(value))
    }
  }
}

/** The refusal that an error amounts to; undefined for a defect of ours. */
function refusalFor(error: unknown): Refusal | undefined {
  const refusal = error instanceof Refusal ? error : unavailabilityOf(error)
  if (refusal !== undefined) return refusal
  const state = sqlState(error)
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return tooLarge('The request body is larger than this endpoint accepts.')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return unsupportedMediaType('The content type must be application/json.')
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return validationFailed('The request could not be read.')
  // The schemas should have caught it; the caller must still learn that it was the input.
  if (state?.startsWith('22')) return validationFailed('A value in the request cannot be stored.')
  return undefined
}

function answerError(
  error: unknown,
  reply: FastifyReply,
  options: Pick<ServerOptions, 'metrics'>,
): FastifyReply {
  const refusal = refusalFor(error)
  if (refusal === undefined || (sqlState(error)?.startsWith('22') ?? false)) {
    reply.log.error({ err: error }, 'unexpected error')
    options.metrics.count('unexpected_errors_total', 'Errors that are defects of the service.')
  }
  const { status, body, retryAfterSeconds } =
    refusal ??
    new Refusal(500, 'Internal Error', [`The service failed. The request id is ${reply.request.id}.`])
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(Math.ceil(retryAfterSeconds)))
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(body)
}
