// Static texts that are compressed once and sent in the encoding that the browser prefers.

import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, createGunzip, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { matchesTag } from './entity-tag.ts'

/** A text in its compressed encodings. Plain text is decompressed while it is sent. */
export interface CompressedText {
  brotli: Uint8Array
  gzip: Uint8Array
  etag: string
}

export async function compress(text: Uint8Array): Promise<CompressedText> {
  // A higher quality would take seconds for a text of megabytes.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 6 }
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(text, { params }),
    promisify(gzip)(text),
  ])
  return { brotli, gzip: gzipped, etag: `"${hash('sha256', text).slice(0, 32)}"` }
}

/** The encodings in an Accept-Encoding header, without those that it excludes with `q=0`. */
const encodingsOf = (header: string | string[] | undefined): string[] =>
  String(header ?? '')
    .split(',')
    .filter(encoding => !/;\s*q=0(\.0*)?\s*$/.test(encoding))
    .map(encoding => encoding.split(';')[0]?.trim().toLowerCase() ?? '')

/** Sends a text, or 304 if the browser already has it. The browser has to revalidate its copy each time. */
export function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  text: CompressedText,
): FastifyReply {
  reply.header('vary', 'accept-encoding').header('etag', text.etag).header('cache-control', 'no-cache')
  const cachedTags = request.headers['if-none-match']
  if (cachedTags !== undefined && matchesTag(cachedTags, text.etag)) return reply.code(304).send()
  const encodings = encodingsOf(request.headers['accept-encoding'])
  if (encodings.includes('br')) return reply.header('content-encoding', 'br').send(Buffer.from(text.brotli))
  if (encodings.includes('gzip')) return reply.header('content-encoding', 'gzip').send(Buffer.from(text.gzip))
  const plain = createGunzip()
  plain.end(text.gzip)
  return reply.send(plain)
}
