// Sends a response while it is being produced. A short response is sent whole, and an incomplete response can
// never be mistaken for a complete one.

import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { FileResponse, StreamResponse } from './endpoint.ts'
import { contentDisposition } from './files.ts'

/** How long a client may read nothing before it is disconnected. */
const defaultMaxStallMs = 60_000

type Chunks = AsyncIterator<Uint8Array | string>

/** Sets the headers of a file that a browser must save and neither display nor run. */
export const setDownloadHeaders = (
  reply: FastifyReply,
  { fileName, contentType }: Omit<FileResponse, 'bytes'>,
): FastifyReply =>
  reply
    .header('content-type', contentType)
    .header('content-disposition', contentDisposition(fileName))
    .header('content-security-policy', "default-src 'none'; sandbox")

/**
 * Sends chunks while they are produced. An error before the second chunk becomes an ordinary error response,
 * and a response of one chunk is sent whole, with its length. After that, an error resets the connection, so
 * that the client cannot mistake the part for the whole, even over HTTP/1.0. The connection is also reset if
 * the client reads nothing for `maxStallMs`.
 */
export async function sendStream(
  reply: FastifyReply,
  { fileName, contentType, bytes, mayReleaseChunks = false }: StreamResponse,
  maxStallMs = defaultMaxStallMs,
): Promise<FastifyReply> {
  const chunks = bytes[Symbol.asyncIterator]()
  // The iteration ends with the connection, even if no chunk has been requested yet.
  reply.raw.once('close', () => void Promise.resolve(chunks.return?.()).catch(() => {}))
  const first = await chunks.next()
  const isHead = reply.request.method === 'HEAD'
  const second: IteratorResult<Uint8Array | string> | undefined =
    first.done || isHead ? undefined : await chunks.next()
  if (fileName === undefined) reply.header('content-type', contentType)
  else setDownloadHeaders(reply, { fileName, contentType })
  if (isHead) {
    await chunks.return?.()
    return reply.send()
  }
  if (second === undefined || second.done) return reply.send(first.done ? '' : first.value)
  const setWriting = disconnectStalledClient(reply, maxStallMs)
  const sent = mayReleaseChunks
    ? new SentChunks(() => stream.readableLength + reply.raw.writableLength)
    : undefined
  const stream = Readable.from(allChunks(reply, chunks, [first, second], setWriting, sent), {
    objectMode: false,
  })
  return reply.send(stream)
}

/**
 * The chunks that were passed to the socket, in order, so that their memory can be released once they are
 * sent. Otherwise the garbage collector would find them late, and their bytes would make it run a full
 * collection again and again while other requests wait.
 */
class SentChunks {
  readonly #chunks: { buffer: ArrayBuffer; end: number }[] = []
  readonly #unsentBytes: () => number
  #addedBytes = 0

  /** `unsentBytes` returns an upper bound of the bytes that have not been sent yet. */
  constructor(unsentBytes: () => number) {
    this.#unsentBytes = unsentBytes
  }

  add({ buffer, length }: Uint8Array): void {
    this.#addedBytes += length
    this.#chunks.push({ buffer: buffer as ArrayBuffer, end: this.#addedBytes })
  }

  /** Releases the memory of the chunks that were sent. */
  releaseSent(): void {
    const sent = this.#addedBytes - this.#unsentBytes()
    while ((this.#chunks[0]?.end ?? Number.POSITIVE_INFINITY) <= sent)
      this.#chunks.shift()?.buffer.transfer(0)
  }
}

/** Yields all chunks. Resets the connection if they end early, because of an error or the client. */
async function* allChunks(
  reply: FastifyReply,
  chunks: Chunks,
  first: IteratorResult<Uint8Array | string>[],
  setWriting: (isWriting: boolean) => void,
  sent?: SentChunks,
): AsyncGenerator<Uint8Array | string> {
  let isComplete = false
  try {
    for (let next = first.shift(); !next?.done; next = first.shift() ?? (await chunks.next())) {
      const chunk = (next as IteratorYieldResult<Uint8Array | string>).value
      sent?.releaseSent()
      if (typeof chunk !== 'string') sent?.add(chunk)
      setWriting(true)
      yield chunk
      setWriting(false)
    }
    isComplete = true
  } finally {
    if (!isComplete) {
      reply.raw.socket?.resetAndDestroy()
      await chunks.return?.()
    }
  }
}

/**
 * Resets the connection of a client that reads nothing for `maxStallMs`. The timeout of the socket restarts
 * whenever the system accepts bytes of a write. The caller passes to the returned function whether a chunk is
 * waiting to be read.
 */
function disconnectStalledClient(reply: FastifyReply, maxStallMs: number): (isWriting: boolean) => void {
  let isWriting = false
  reply.raw.setTimeout(maxStallMs, () => {
    const { socket } = reply.raw
    if (isWriting) socket?.resetAndDestroy()
    else socket?.setTimeout(maxStallMs)
  })
  return value => {
    isWriting = value
  }
}
