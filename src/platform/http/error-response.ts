// Converts errors to responses: a refusal as it is, a temporary failure as 503, and a defect as 500, which
// does not reveal its cause. Spec 7.

import type { FastifyReply } from 'fastify'
import { sqlState } from '../database/errors.ts'
import type { Metrics } from '../metrics.ts'
import { internalError, Refusal, tooLarge, unsupportedMediaType, validationFailed } from './refusal.ts'
import { unavailabilityOf } from './unavailability.ts'

/** Converts an error to a refusal; undefined for a defect of the service. */
function refusalFor(error: unknown): Refusal | undefined {
  const refusal = error instanceof Refusal ? error : unavailabilityOf(error)
  if (refusal !== undefined) return refusal
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return tooLarge('The request body is larger than this endpoint accepts.')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return unsupportedMediaType('The content type must be application/json.')
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return validationFailed('The request could not be read.')
  // PostgreSQL rejected a value. The schemas should have caught it, but it is still a fault of the input.
  if (sqlState(error)?.startsWith('22')) return validationFailed('A value in the request cannot be stored.')
  return undefined
}

/** Returns the refusal for an error, and whether the error is a defect of the service. */
export function describeError(error: unknown, requestId: string): { refusal: Refusal; isDefect: boolean } {
  const refusal = refusalFor(error)
  return {
    refusal: refusal ?? internalError(`The service failed. The request id is ${requestId}.`),
    isDefect: refusal === undefined || (sqlState(error)?.startsWith('22') ?? false),
  }
}

/** Whether work ended because nobody waits for its answer any more. */
const isOfDisconnect = (error: unknown, reply: FastifyReply) =>
  reply.raw.destroyed && (error as Partial<Error> | null)?.name === 'AbortError'

/** Sends the error response, and logs and counts defects. */
export function sendError(error: unknown, reply: FastifyReply, metrics: Metrics): FastifyReply {
  const requestId = reply.request.id
  const told = isOfDisconnect(error, reply) ? validationFailed('The client disconnected.') : error
  const { refusal, isDefect } = describeError(told, requestId)
  reply.request.refusalMessages = refusal.messages
  if (isDefect) {
    reply.log.error({ err: error }, 'unexpected error')
    metrics.count('unexpected_errors_total', 'Errors that are defects of the service.')
  }
  if (refusal.retryAfterSeconds !== undefined)
    reply.header('retry-after', String(Math.ceil(refusal.retryAfterSeconds)))
  return reply
    .headers({ ...refusal.headers })
    .code(refusal.status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(refusal.bodyFor(requestId))
}
