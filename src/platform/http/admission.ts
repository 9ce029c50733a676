// What happens before the body of a request is read: who is it, are there too many requests, may they.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { openLimitsInMemory, type RateLimits } from '../limits/limits.ts'
import type { Actor } from './actor.ts'
import type { Endpoint } from './endpoint.ts'
import { refusePartner } from './partner-access.ts'
import { setRateLimitHeaders } from './rate-limit-headers.ts'
import { rateLimitExceeded, unsupportedMediaType } from './refusal.ts'
import { requireScope } from './scopes.ts'

export interface AdmissionOptions {
  /** Turns the Authorization header into the caller, or throws 401. */
  authenticate(authorization: string | undefined): Actor | Promise<Actor>
  /** whether the limits of section 8 apply */
  rateLimits: boolean
  /** who counts for them; by default this process alone, in memory */
  limits?: RateLimits | undefined
}

/** Lets a request in and notes its actor, or refuses it; without a promise where the token is known. */
export type Admission = (
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<void> | void

/** The admission of requests. */
export function admission({
  authenticate,
  rateLimits,
  limits = openLimitsInMemory(),
}: AdmissionOptions): Admission {
  function admitCounted(
    endpoint: Endpoint,
    request: FastifyRequest,
    reply: FastifyReply,
    actor: Actor,
    waitSeconds: number,
  ): void {
    if (rateLimits) {
      const left = limits.left(endpoint.limit, actor.organisationId)
      setRateLimitHeaders(reply, endpoint.limit, left, waitSeconds)
    }
    if (waitSeconds > 0) throw rateLimitExceeded(waitSeconds)
    requireScope(actor, endpoint.scope)
    refusePartner(endpoint, actor)
    const encoding = request.headers['content-encoding']
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity' && endpoint.method !== 'GET')
      throw unsupportedMediaType('Compressed request bodies are not accepted.')
  }
  function admit(
    endpoint: Endpoint,
    request: FastifyRequest,
    reply: FastifyReply,
    actor: Actor,
  ): Promise<void> | void {
    request.actor = actor
    const wait = rateLimits ? limits.take(endpoint.limit, actor.organisationId) : 0
    if (!(wait instanceof Promise)) return admitCounted(endpoint, request, reply, actor, wait)
    return wait.then(seconds => admitCounted(endpoint, request, reply, actor, seconds))
  }
  return (endpoint, request, reply) => {
    const actor = authenticate(request.headers.authorization)
    if (!(actor instanceof Promise)) return admit(endpoint, request, reply, actor)
    return actor.then(known => admit(endpoint, request, reply, known))
  }
}
