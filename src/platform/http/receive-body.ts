// Receives the bodies of requests within the budget of bytes in flight, and parses them.

import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { releaseMemory } from '../release-memory.ts'
import { type BodyLimits, type BodyShare, createBodyBudget, largeBytes } from './body-budget.ts'
import type { Fault } from './fault.ts'
import { GrowingBuffer, LargeBody } from './large-body.ts'
import { type Refusal, tooLarge, unavailable, validationFailed } from './refusal.ts'
import { readJson } from './request-body.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** the parts of the body that cannot be stored, reported together with its other faults */
    storageFaults: Fault[] | undefined
    /** the body as received, if it can be stored as it is */
    bodyText: string | undefined
    bodyShare: BodyShare | undefined
  }
  interface FastifyContextConfig {
    /** a body above this many bytes is large; default `largeBytes` */
    largeBodyBytes?: number
  }
  interface FastifyInstance {
    /** Returns a share of the budget for a request of an organisation. */
    bodyShareFor(organisationId: string): BodyShare
  }
}

const largeFrom = ({ routeOptions }: FastifyRequest) => routeOptions.config.largeBodyBytes ?? largeBytes

const overBudget = () => unavailable('Too many request bodies are being processed. Try again shortly.', 5)

const overLimit = () => tooLarge('The request body is larger than this endpoint accepts.')

const incomplete = () => validationFailed('The request body was incomplete.')

/**
 * Continues reading only after other connections had a turn. A connection with megabytes ready to read would
 * otherwise deliver two chunks at a time.
 */
function yieldToOthers(payload: Readable): void {
  payload.pause()
  setImmediate(() => payload.resume())
}

/**
 * Collects the bytes of a body. Throws 413 above the endpoint's limit, and 503 above the budget. If large
 * bodies are left unparsed, the chunks of a large body are joined as they arrive: joining them at the end
 * would block other requests for too long.
 */
const collect = (
  request: FastifyRequest,
  share: BodyShare | undefined,
  payload: Readable,
  leaveLargeUnparsed: boolean,
): Promise<Buffer | LargeBody> =>
  new Promise((resolve, reject) => {
    const limit = request.routeOptions.bodyLimit ?? largeBytes
    const declared = Number(request.headers['content-length'] ?? 0)
    let chunks: Buffer[] = []
    let large: GrowingBuffer | undefined
    let received = 0
    let isSettled = false
    // The rest of a refused body is discarded. The refusal is created only if it is used, because every body
    // also emits `close`.
    const refuse = (refusal: () => Refusal) => {
      if (isSettled) return
      isSettled = true
      chunks = []
      large = undefined
      reject(refusal())
    }
    const keep = (chunk: Buffer) => {
      if (large !== undefined) {
        large.add(chunk)
        yieldToOthers(payload)
        // The stream is not done with the chunk yet.
        setImmediate(() => releaseMemory(chunk))
        return
      }
      chunks.push(chunk)
      if (!leaveLargeUnparsed || received <= largeFrom(request)) return
      large = new GrowingBuffer(limit)
      for (const earlier of chunks.splice(0)) large.add(earlier)
    }
    const fail = () => refuse(incomplete)
    if (declared > limit) return refuse(overLimit)
    payload
      .on('data', (chunk: Buffer) => {
        if (isSettled) return
        received += chunk.length
        if (received > limit) refuse(overLimit)
        else if (share?.add(chunk.length) === false) refuse(overBudget)
        else keep(chunk)
      })
      .on('end', () => {
        if (isSettled) return
        isSettled = true
        if (large !== undefined) resolve(new LargeBody(large.end()))
        else resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, received))
      })
      .on('error', fail)
      .on('close', fail)
  })

export interface ReceivingOptions {
  limits: BodyLimits | undefined
  /** whether large bodies are left unparsed, for the lane */
  leaveLargeUnparsed: boolean
}

/**
 * Makes the server receive JSON bodies. Every authenticated request holds a share of the budget until its
 * response has been sent.
 */
export function receiveBodies(app: FastifyInstance, { limits, leaveLargeUnparsed }: ReceivingOptions): void {
  const shareFor = createBodyBudget(limits)
  app.decorate('bodyShareFor', shareFor)
  app.decorateRequest('storageFaults', undefined)
  app.decorateRequest('bodyText', undefined)
  app.decorateRequest('bodyShare', undefined)
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const organisationId = request.actor?.organisationId
    if (organisationId !== undefined && request.method !== 'GET' && request.method !== 'HEAD') {
      const share = shareFor(organisationId)
      request.bodyShare = share
      reply.raw.on('close', share.release)
    }
    done()
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: Readable) => {
    const { bodyShare: share } = request
    const body = await collect(request, share, payload, leaveLargeUnparsed)
    const isLarge = body instanceof LargeBody || body.length > largeFrom(request)
    if (isLarge && (await share?.turn()) === false) throw incomplete()
    if (body instanceof LargeBody) return body
    const { value, text, faults } = readJson(body)
    if (isLarge) releaseMemory(body)
    request.storageFaults = faults
    request.bodyText = text
    return value
  })
}
