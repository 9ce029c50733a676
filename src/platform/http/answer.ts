// How the value of a handler becomes the response. Spec 1, 7.

import type { FastifyReply } from 'fastify'
import type { Endpoint, FileAnswer, StreamAnswer } from './endpoint.ts'
import { isTagged, namesTag, tagOf } from './entity-tag.ts'
import { download, sendStream } from './send-stream.ts'

/** Turns a value into JSON text that holds what the schema says and nothing more. */
export type Serialise = (value: unknown) => string

/** Sends what a handler has returned. `serialise` is there where the answer has a schema. */
export function answer(
  reply: FastifyReply,
  endpoint: Endpoint,
  value: unknown,
  serialise: Serialise | undefined,
): FastifyReply | Promise<FastifyReply> {
  const { kind, status, idName, under } = endpoint.answer
  switch (kind) {
    case 'empty':
      return reply.code(status).send()
    case 'changed':
      if (serialise === undefined || value === null) return reply.code(value === true ? 200 : 304).send()
      return sendJson(reply, status, serialise(value))
    case 'status':
      return reply.code(value as number).send()
    case 'file':
      return download(reply, value as FileAnswer).send((value as FileAnswer).bytes)
    case 'stream':
      return sendStream(reply, value as StreamAnswer)
    default: {
      if (kind === 'created' && idName !== undefined) {
        const id = (value as Record<string, string>)[idName]
        reply.header('location', `${under ?? reply.request.url.split('?')[0]}/${id}`)
      }
      const text = (serialise as Serialise)(value)
      return isTagged(endpoint) && isKnown(reply, text)
        ? reply.code(304).send()
        : sendJson(reply, status, text)
    }
  }
}

const sendJson = (reply: FastifyReply, status: number, text: string): FastifyReply =>
  reply.code(status).header('content-type', 'application/json; charset=utf-8').send(text)

/** Puts the ETag of a text on the answer; true where the caller says that it has this one. */
function isKnown(reply: FastifyReply, text: string): boolean {
  const tag = tagOf(text)
  reply.header('etag', tag)
  const known = reply.request.headers['if-none-match']
  return known !== undefined && namesTag(known, tag)
}
