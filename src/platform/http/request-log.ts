// One line of the log and one count of the metrics for each request. Of one that was refused the log says why
// and who asked.

import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../metrics.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** what the caller was told when the request was refused */
    refusalMessages: readonly string[] | undefined
  }
  // pino's, which every log of ours is
  interface FastifyBaseLogger {
    isLevelEnabled(level: string): boolean
  }
}

function levelOf(status: number): 'debug' | 'info' | 'warn' | 'error' {
  // 503 is not a defect: the database is away, or somebody holds the record.
  if (status === 503) return 'warn'
  if (status >= 500) return 'error'
  return status >= 400 ? 'info' : 'debug'
}

/** A request with a hundred faults does not need a hundred sentences in the log. */
const maxMessages = 10

/** Logs and counts every request that was answered. */
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
        // Without the query, which may name people.
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
