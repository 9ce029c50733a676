// Receives the bodies of requests within the budget of bytes in flight, and parses them.

import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type BodyLimits, type BodyShare, largeBytes, openBodyBudget } from './body-budget.ts'
import type { Fault } from './fault.ts'
import { GrowingBuffer, LargeBody } from './large-body.ts'
import { type Refusal, tooLarge, unavailable, validationFailed } from './refusal.ts'
import { readJson } from './request-body.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** what of the body cannot be stored, to be told with its other faults */
    storageFaults: Fault[] | undefined
    /** the text that came, where it can be stored as it is */
    bodyText: string | undefined
    bodyShare: BodyShare | undefined
  }
}

const overfull = () =>
  unavailable('Too many bytes of request bodies are under way. Try again when some are answered.', 5)

const over = () => tooLarge('The request body is larger than this endpoint accepts.')

const notWhole = () => validationFailed('The request body did not arrive whole.')

/**
 * Gives back the memory of a chunk that was copied, where nothing else is in it, once whoever has read it
 * from the connection is done. For the collector of garbage the bytes of a large body are a reason to collect
 * everything, for which all others wait.
 */
function giveBack({ buffer, length }: Buffer): void {
  if (length === buffer.byteLength) setImmediate(() => (buffer as ArrayBuffer).transfer(0))
}

/**
 * Reads on only after everybody else had a turn: of a connection on which megabytes stand ready, two would be
 * read at once.
 */
function letOthersIn(payload: Readable): void {
  payload.pause()
  setImmediate(() => payload.resume())
}

/**
 * Collects the bytes of a body. Throws 413 above the endpoint's limit, and 503 above the budget. A large one
 * is put together as it comes where it is left unread: to do that at its end takes longer than others should
 * wait.
 */
const collect = (
  request: FastifyRequest,
  share: BodyShare | undefined,
  payload: Readable,
  leavesLarge: boolean,
): Promise<Buffer | LargeBody> =>
  new Promise((resolve, reject) => {
    const limit = request.routeOptions.bodyLimit ?? largeBytes
    const stated = Number(request.headers['content-length'] ?? 0)
    let chunks: Buffer[] = []
    let large: GrowingBuffer | undefined
    let received = 0
    let isOver = false
    // What still comes of a body that is refused is thrown away. A refusal is made only where it is told, for
    // every body also closes.
    const refuse = (why: () => Refusal) => {
      if (isOver) return
      isOver = true
      chunks = []
      large = undefined
      reject(why())
    }
    const keep = (chunk: Buffer) => {
      if (large !== undefined) {
        large.add(chunk)
        letOthersIn(payload)
        return giveBack(chunk)
      }
      chunks.push(chunk)
      if (!leavesLarge || received <= largeBytes) return
      large = new GrowingBuffer(limit)
      for (const earlier of chunks.splice(0)) large.add(earlier)
    }
    const fail = () => refuse(notWhole)
    if (stated > limit) return refuse(over)
    payload
      .on('data', (chunk: Buffer) => {
        if (isOver) return
        received += chunk.length
        if (received > limit) refuse(over)
        else if (share?.add(chunk.length) === false) refuse(overfull)
        else keep(chunk)
      })
      .on('end', () => {
        if (isOver) return
        isOver = true
        if (large !== undefined) resolve(new LargeBody(large.end()))
        else resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, received))
      })
      .on('error', fail)
      .on('close', fail)
  })

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
    const body = await collect(request, share, payload, leavesLarge)
    const isLarge = body instanceof LargeBody || body.length > largeBytes
    if (isLarge && (await share?.turn()) === false) throw notWhole()
    if (body instanceof LargeBody) return body
    const { value, text, faults } = readJson(body)
    request.storageFaults = faults
    request.bodyText = text
    return value
  })
}
