// Sends the value that a handler returned as the response. Spec 1, 7.

import type { FastifyReply } from 'fastify'
import type { Endpoint, FileResponse, StreamResponse } from './endpoint.ts'
import { entityTagOf, hasEntityTag, matchesTag } from './entity-tag.ts'
import { sendStream, setDownloadHeaders } from './send-stream.ts'

/** Converts a value to JSON text that contains what the schema describes and nothing more. */
export type Serialise = (value: unknown) => string

/** Sends the value that a handler returned. `serialise` is defined if the response has a schema. */
export function sendResponse(
  reply: FastifyReply,
  endpoint: Endpoint,
  value: unknown,
  serialise: Serialise | undefined,
): FastifyReply | Promise<FastifyReply> {
  const { kind, status, idName, under } = endpoint.response
  switch (kind) {
    case 'empty':
      return reply.code(status).send()
    case 'changed':
      if (serialise === undefined || value === null) return reply.code(value === true ? 200 : 304).send()
      return sendJson(reply, status, serialise(value))
    case 'status':
      return reply.code(value as number).send()
    case 'file':
      return setDownloadHeaders(reply, value as FileResponse).send((value as FileResponse).bytes)
    case 'stream':
      return sendStream(reply, value as StreamResponse)
    default: {
      if (kind === 'created' && idName !== undefined) {
        const id = (value as Record<string, string>)[idName]
        reply.header('location', `${under ?? reply.request.url.split('?')[0]}/${id}`)
      }
      const text = (serialise as Serialise)(value)
      return hasEntityTag(endpoint) && hasCurrentCopy(reply, text)
        ? reply.code(304).send()
        : sendJson(reply, status, text)
    }
  }
}

const sendJson = (reply: FastifyReply, status: number, text: string): FastifyReply =>
  reply.code(status).header('content-type', 'application/json; charset=utf-8').send(text)

/** Sets the ETag of a text, and returns whether the caller already has a copy with this ETag. */
function hasCurrentCopy(reply: FastifyReply, text: string): boolean {
  const tag = entityTagOf(text)
  reply.header('etag', tag)
  const cachedTags = reply.request.headers['if-none-match']
  return cachedTags !== undefined && matchesTag(cachedTags, tag)
}
