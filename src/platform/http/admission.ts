// What happens before the body of a request is read: who is it, are there too many requests, may they.

import type { FastifyRequest } from 'fastify'
import type { Actor } from './actor.ts'
import type { Endpoint, Limit } from './endpoint.ts'
import { refusePartner } from './partner-access.ts'
import { SlidingWindow } from './rate-limit.ts'
import { rateLimitExceeded, unsupportedMediaType } from './refusal.ts'
import { requireReach } from './scopes.ts'

export interface AdmissionOptions {
  /** Turns the Authorization header into the caller, or throws 401. */
  authenticate(authorization: string | undefined): Actor | Promise<Actor>
  /** whether the limits of section 8 apply */
  rateLimits: boolean
}

/** Lets a request in and notes its actor, or refuses it; without a promise where the token is known. */
export type Admission = (endpoint: Endpoint, request: FastifyRequest) => Promise<void> | void

const minute = 60_000

/** Opens the windows of the rate limits, and with them the admission of requests. */
export function admission(options: AdmissionOptions): Admission {
  const windows: Readonly<Record<Limit, SlidingWindow>> = {
    standard: new SlidingWindow(3_000, minute),
    reports: new SlidingWindow(150, minute),
  }
  function admit(endpoint: Endpoint, request: FastifyRequest, actor: Actor): void {
    request.actor = actor
    if (options.rateLimits) {
      const wait = windows[endpoint.limit].take(actor.organisationId, performance.now())
      if (wait > 0) throw rateLimitExceeded(wait)
    }
    requireReach(actor, endpoint.scope)
    refusePartner(endpoint, actor)
    const encoding = request.headers['content-encoding']
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity' && endpoint.method !== 'GET')
      throw unsupportedMediaType('Compressed request bodies are not accepted.')
  }
  return (endpoint, request) => {
    const actor = options.authenticate(request.headers.authorization)
    if (!(actor instanceof Promise)) return admit(endpoint, request, actor)
    return actor.then(known => admit(endpoint, request, known))
  }
}
