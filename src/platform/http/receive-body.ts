// Receives the bodies of requests within the budget of bytes in flight, and parses them.

import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type BodyLimits, type BodyShare, largeBytes, openBodyBudget } from './body-budget.ts'
import { tooLarge, unavailable, validationFailed } from './refusal.ts'
import { readJson } from './request-body.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** what of the body cannot be stored, to be told with its other faults */
    storageFaults: string[] | undefined
    bodyShare: BodyShare | undefined
  }
}

const overfull = () =>
  unavailable('Too many bytes of request bodies are under way. Try again when some are answered.', 5)

const notWhole = () => validationFailed('The request body did not arrive whole.')

/** Collects the bytes of a body. Throws 413 above the endpoint's limit, and 503 above the budget. */
async function collect(
  request: FastifyRequest,
  share: BodyShare | undefined,
  payload: Readable,
): Promise<Buffer> {
  const limit = request.routeOptions.bodyLimit ?? largeBytes
  const stated = Number(request.headers['content-length'] ?? 0)
  const over = () => tooLarge('The request body is larger than this endpoint accepts.')
  if (stated > limit) throw over()
  const chunks: Buffer[] = []
  let received = 0
  const complete = Promise.withResolvers<void>()
  const take = (chunk: Buffer) => {
    received += chunk.length
    if (received > limit) complete.reject(over())
    else if (share?.add(chunk.length) === false) complete.reject(overfull())
    else chunks.push(chunk)
  }
  const fail = () => complete.reject(notWhole())
  payload.on('data', take).once('end', complete.resolve).once('error', fail).once('close', fail)
  try {
    await complete.promise
  } finally {
    payload.off('data', take).off('end', complete.resolve).off('error', fail).off('close', fail)
    // What still comes of a body that is refused is thrown away.
    payload.on('error', () => {}).resume()
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, received)
}

/**
 * Makes the server receive JSON bodies. Every request of somebody who was let in has a share of the budget
 * until its response is over.
 */
export function receiveBodies(app: FastifyInstance, limits?: BodyLimits): void {
  const shareFor = openBodyBudget(limits)
  app.decorateRequest('storageFaults', undefined)
  app.decorateRequest('bodyShare', undefined)
  app.addHook('preParsing', async (request, reply) => {
    const organisationId = request.actor?.organisationId
    if (organisationId === undefined || request.method === 'GET' || request.method === 'HEAD') return
    const share = shareFor(organisationId)
    request.bodyShare = share
    reply.raw.once('finish', share.release).once('close', share.release)
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: Readable) => {
    const { bodyShare: share } = request
    const bytes = await collect(request, share, payload)
    if (bytes.length > largeBytes && (await share?.turn()) === false) throw notWhole()
    const { value, faults } = readJson(bytes)
    request.storageFaults = faults
    return value
  })
}
