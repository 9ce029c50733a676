// Receives the bodies of requests within the budget of bytes in flight, and parses them.

import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type BodyLimits, type BodyShare, largeBytes, openBodyBudget } from './body-budget.ts'
import { GrowingBytes, LargeBody } from './large-body.ts'
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

/**
 * Collects the bytes of a body. Throws 413 above the endpoint's limit, and 503 above the budget. A large one
 * is put together as it comes where it is left unread: to do that at its end takes longer than others should
 * wait.
 */
async function collect(
  request: FastifyRequest,
  share: BodyShare | undefined,
  payload: Readable,
  leavesLarge: boolean,
): Promise<Buffer | LargeBody> {
  const limit = request.routeOptions.bodyLimit ?? largeBytes
  const stated = Number(request.headers['content-length'] ?? 0)
  const over = () => tooLarge('The request body is larger than this endpoint accepts.')
  if (stated > limit) throw over()
  const chunks: Buffer[] = []
  let large: GrowingBytes | undefined
  let received = 0
  const complete = Promise.withResolvers<void>()
  const take = (chunk: Buffer) => {
    received += chunk.length
    if (received > limit) complete.reject(over())
    else if (share?.add(chunk.length) === false) complete.reject(overfull())
    else if (large !== undefined) large.add(chunk)
    else chunks.push(chunk)
    if (leavesLarge && large === undefined && received > largeBytes) {
      large = new GrowingBytes(limit)
      for (const earlier of chunks.splice(0)) large.add(earlier)
    }
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
  if (large !== undefined) return new LargeBody(large.end())
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, received)
}

export interface ReceivingOptions {
  limits: BodyLimits | undefined
  /** whether large bodies are left unread, for somebody else to read */
  leavesLarge: boolean
}

/**
 * Makes the server receive JSON bodies. Every request of somebody who was let in has a share of the budget
 * until its response is over.
 */
export function receiveBodies(app: FastifyInstance, { limits, leavesLarge }: ReceivingOptions): void {
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
    const body = await collect(request, share, payload, leavesLarge)
    const isLarge = body instanceof LargeBody || body.length > largeBytes
    if (isLarge && (await share?.turn()) === false) throw notWhole()
    if (body instanceof LargeBody) return body
    const { value, faults } = readJson(body)
    request.storageFaults = faults
    return value
  })
}
