// Decides whether to accept a request before its body is read: authentication, rate limit, and the
// application's rules of access.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RateLimits } from '../limits/limits.ts'
import type { AccessRules, AnyAccessRules } from './access-rules.ts'
import type { Caller } from './caller.ts'
import type { Endpoint } from './endpoint.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'
import { rateLimitExceeded, unsupportedMediaType } from './refusal.ts'
import { refuseUnlessRehearsed } from './rehearsal.ts'

export interface AdmissionOptions<Access, Actor extends Caller> {
  /** Returns the caller that the Authorization header identifies, or throws 401. */
  authenticate(authorization: string | undefined): Actor | Promise<Actor>
  /** who may call which endpoint */
  access: AccessRules<Access, Actor>
  /** counts the requests; default: there are no limits */
  limits?: RateLimits | undefined
}

/** Admits a request and sets its actor, or refuses it. Returns no promise if nothing has to be awaited. */
export type Admission = (
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<void> | void

export function createAdmission<Access, Actor extends Caller>(
  options: AdmissionOptions<Access, Actor>,
): Admission {
  const { authenticate, limits } = options
  const access: AnyAccessRules = options.access
  const setHeaders = limits && rateLimitHeaders(limits)
  /** Checks the rest once the request is counted. It is over the limit if `waitSeconds` is above 0. */
  function finishAdmission(
    endpoint: Endpoint,
    request: FastifyRequest,
    reply: FastifyReply,
    actor: Caller,
    waitSeconds: number,
  ): void {
    if (setHeaders !== undefined) {
      const personal = access.personalLimit(endpoint, actor)
      const owner = personal === undefined ? actor.organisationId : actor.userId
      setHeaders(reply, personal ?? endpoint.limit, owner, waitSeconds)
    }
    if (waitSeconds > 0) throw rateLimitExceeded(waitSeconds)
    access.check(endpoint, actor)
    refuseUnlessRehearsed(endpoint, request)
    const encoding = request.headers['content-encoding']
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity' && endpoint.method !== 'GET')
      throw unsupportedMediaType('Compressed request bodies are not accepted.')
  }
  function count(counted: RateLimits, endpoint: Endpoint, actor: Caller): number | Promise<number> {
    const personal = access.personalLimit(endpoint, actor)
    return personal === undefined
      ? counted.take(endpoint.limit, actor.organisationId)
      : counted.take(personal, actor.userId)
  }
  function admit(
    endpoint: Endpoint,
    request: FastifyRequest,
    reply: FastifyReply,
    actor: Caller,
  ): Promise<void> | void {
    request.actor = actor
    const wait = limits === undefined ? 0 : count(limits, endpoint, actor)
    if (!(wait instanceof Promise)) return finishAdmission(endpoint, request, reply, actor, wait)
    return wait.then(seconds => finishAdmission(endpoint, request, reply, actor, seconds))
  }
  return (endpoint, request, reply) => {
    const actor = authenticate(request.headers.authorization)
    if (!(actor instanceof Promise)) return admit(endpoint, request, reply, actor)
    return actor.then(authenticated => admit(endpoint, request, reply, authenticated))
  }
}
