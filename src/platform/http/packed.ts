// Texts that are sent often and change never: packed once, and sent as the browser likes them best.

import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, createGunzip, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { namesTag } from './entity-tag.ts'

/** A text in the forms in which it is sent; plain is unpacked on the way. */
export interface Packed {
  brotli: Uint8Array
  gzip: Uint8Array
  etag: string
}

/** Packs a text. The quality is one that takes a moment for megabytes, not seconds. */
export async function pack(text: Uint8Array): Promise<Packed> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 6 }
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(text, { params }),
    promisify(gzip)(text),
  ])
  return { brotli, gzip: gzipped, etag: `"${hash('sha256', text).slice(0, 32)}"` }
}

/** The encodings that a browser takes, without those that it refuses with `q=0`. */
const encodingsOf = (header: string | string[] | undefined): string[] =>
  String(header ?? '')
    .split(',')
    .filter(encoding => !/;\s*q=0(\.0*)?\s*$/.test(encoding))
    .map(encoding => encoding.split(';')[0]?.trim().toLowerCase() ?? '')

/** Sends a packed text, or 304 where the browser has it already; it asks again each time. */
export function sendPacked(request: FastifyRequest, reply: FastifyReply, packed: Packed): FastifyReply {
  reply.header('vary', 'accept-encoding').header('etag', packed.etag).header('cache-control', 'no-cache')
  const known = request.headers['if-none-match']
  if (known !== undefined && namesTag(known, packed.etag)) return reply.code(304).send()
  const encodings = encodingsOf(request.headers['accept-encoding'])
  if (encodings.includes('br')) return reply.header('content-encoding', 'br').send(Buffer.from(packed.brotli))
  if (encodings.includes('gzip'))
    return reply.header('content-encoding', 'gzip').send(Buffer.from(packed.gzip))
  const plain = createGunzip()
  plain.end(packed.gzip)
  return reply.send(plain)
}
