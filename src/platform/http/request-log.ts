// Logs one line and counts one metric for each request. The line of a refused request has the caller and the
// error messages.

import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../metrics.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** the messages of the error response, if the request was refused */
    refusalMessages: readonly string[] | undefined
  }
  // A method of pino, which is behind every logger here.
  interface FastifyBaseLogger {
    isLevelEnabled(level: string): boolean
  }
}

function levelOf(status: number): 'debug' | 'info' | 'warn' | 'error' {
  // 503 is not a defect: the database is unreachable or the record is locked.
  if (status === 503) return 'warn'
  if (status >= 500) return 'error'
  return status >= 400 ? 'info' : 'debug'
}

/** How many error messages a log line lists. */
const maxMessages = 10

/** Logs and counts every request when its response has been sent. */
export function logRequests(app: FastifyInstance, metrics: Metrics): void {
  app.decorateRequest('refusalMessages', undefined)
  app.addHook('onResponse', (request, reply, done) => {
    done()
    const route = request.routeOptions.url ?? 'unknown'
    metrics.request(request.method, route, reply.statusCode, reply.elapsedTime / 1000)
    const level = levelOf(reply.statusCode)
    if (!request.log.isLevelEnabled(level)) return
    request.log[level](
      {
        method: request.method,
        route,
        // The query is left out because it may contain personal data.
        path: request.url.replace(/\?.*/s, ''),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        organisationId: request.actor?.organisationId,
        connectionId: request.actor?.connectionId,
        address: request.ip,
        messages: request.refusalMessages?.slice(0, maxMessages),
      },
      'request',
    )
  })
}
