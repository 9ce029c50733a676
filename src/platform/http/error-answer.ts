// How an error becomes the response: a refusal as it says, what passes by as 503, a defect as 500 that tells
// nothing of its cause. Spec 7.

import type { FastifyReply } from 'fastify'
import { sqlState } from '../database/errors.ts'
import type { Metrics } from '../metrics.ts'
import { internalError, Refusal, tooLarge, unsupportedMediaType, validationFailed } from './refusal.ts'
import { unavailabilityOf } from './unavailability.ts'

/** The refusal that an error amounts to; undefined for a defect of ours. */
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
  // The schemas should have caught it; the caller must still learn that it was the input.
  if (sqlState(error)?.startsWith('22')) return validationFailed('A value in the request cannot be stored.')
  return undefined
}

/** What a caller is told of an error; `isDefect` where it is one of ours. */
export function describeError(error: unknown, requestId: string): { told: Refusal; isDefect: boolean } {
  const refusal = refusalFor(error)
  return {
    told: refusal ?? internalError(`The service failed. The request id is ${requestId}.`),
    isDefect: refusal === undefined || (sqlState(error)?.startsWith('22') ?? false),
  }
}

/** Answers with the error body; logs and counts what is a defect. */
export function answerError(error: unknown, reply: FastifyReply, metrics: Metrics): FastifyReply {
  const requestId = reply.request.id
  const { told, isDefect } = describeError(error, requestId)
  reply.request.refusalMessages = told.messages
  if (isDefect) {
    reply.log.error({ err: error }, 'unexpected error')
    metrics.count('unexpected_errors_total', 'Errors that are defects of the service.')
  }
  if (told.retryAfterSeconds !== undefined)
    reply.header('retry-after', String(Math.ceil(told.retryAfterSeconds)))
  return reply
    .headers({ ...told.headers })
    .code(told.status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(told.bodyFor(requestId))
}
