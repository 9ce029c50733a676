// Receives the bodies of requests within the budget of bytes in flight, and parses them.

import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type BodyLimits, type BodyShare, largeBytes, openBodyBudget } from './body-budget.ts'
import { type Refusal, tooLarge, unavailable, validationFailed } from './refusal.ts'
import { readJson } from './request-body.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** what of the body cannot be stored, to be told with its other faults */
    storageFaults: string[] | undefined
    /** the text that came, where it can be stored as it is and is not too large to be kept beside the body */
    bodyText: string | undefined
    bodyShare: BodyShare | undefined
  }
}

const overfull = () =>
  unavailable('Too many bytes of request bodies are under way. Try again when some are answered.', 5)

const over = () => tooLarge('The request body is larger than this endpoint accepts.')

const notWhole = () => validationFailed('The request body did not arrive whole.')

/** Collects the bytes of a body. Throws 413 above the endpoint's limit, and 503 above the budget. */
const collect = (request: FastifyRequest, share: BodyShare | undefined, payload: Readable): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const limit = request.routeOptions.bodyLimit ?? largeBytes
    const stated = Number(request.headers['content-length'] ?? 0)
    let chunks: Buffer[] = []
    let received = 0
    let isOver = false
    // What still comes of a body that is refused is thrown away. A refusal is made only where it is told, for
    // every body also closes.
    const refuse = (why: () => Refusal) => {
      if (isOver) return
      isOver = true
      chunks = []
      reject(why())
    }
    const fail = () => refuse(notWhole)
    if (stated > limit) return refuse(over)
    payload
      .on('data', (chunk: Buffer) => {
        if (isOver) return
        received += chunk.length
        if (received > limit) refuse(over)
        else if (share?.add(chunk.length) === false) refuse(overfull)
        else chunks.push(chunk)
      })
      .on('end', () => {
        isOver = true
        resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, received))
      })
      .on('error', fail)
      .on('close', fail)
  })

/**
 * Makes the server receive JSON bodies. Every request of somebody who was let in has a share of the budget
 * until its response is over.
 */
export function receiveBodies(app: FastifyInstance, limits?: BodyLimits): void {
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
    const bytes = await collect(request, share, payload)
    if (bytes.length > largeBytes && (await share?.turn()) === false) throw notWhole()
    const { value, text, faults } = readJson(bytes)
    request.storageFaults = faults
    request.bodyText = bytes.length > largeBytes ? undefined : text
    return value
  })
}
