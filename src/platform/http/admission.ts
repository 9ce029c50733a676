// Decides whether to accept a request before its body is read: authentication, rate limit, scope and partner.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../../access/actor.ts'
import { refusePartner } from '../../access/partner-access.ts'
import { requireScope } from '../../access/scopes.ts'
import { openLimitsInMemory, type RateLimits } from '../limits/limits.ts'
import type { Endpoint } from './endpoint.ts'
import { setRateLimitHeaders } from './rate-limit-headers.ts'
import { rateLimitExceeded, unsupportedMediaType } from './refusal.ts'

export interface AdmissionOptions {
  /** Returns the caller that the Authorization header identifies, or throws 401. */
  authenticate(authorization: string | undefined): Actor | Promise<Actor>
  /** whether the limits of section 8 apply */
  rateLimits: boolean
  /** counts the requests; default in the memory of this process */
  limits?: RateLimits | undefined
}

/** Admits a request and sets its actor, or refuses it. Returns no promise if nothing has to be awaited. */
export type Admission = (
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<void> | void

/** Creates the admission of requests. */
export function openAdmission({
  authenticate,
  rateLimits,
  limits = openLimitsInMemory(),
}: AdmissionOptions): Admission {
  /** Checks the rest once the request is counted. It is over the limit if `waitSeconds` is above 0. */
  function finishAdmission(
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
    if (!(wait instanceof Promise)) return finishAdmission(endpoint, request, reply, actor, wait)
    return wait.then(seconds => finishAdmission(endpoint, request, reply, actor, seconds))
  }
  return (endpoint, request, reply) => {
    const actor = authenticate(request.headers.authorization)
    if (!(actor instanceof Promise)) return admit(endpoint, request, reply, actor)
    return actor.then(authenticated => admit(endpoint, request, reply, authenticated))
  }
}
