// How an answer is sent that is made while it is sent: whole where it is short, and so that a part is never
// taken for the whole.

import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { FileAnswer, StreamAnswer } from './endpoint.ts'
import { contentDisposition } from './files.ts'

/** How long a client may take nothing. */
const patienceMs = 60_000

type Pieces = AsyncIterator<Uint8Array | string>

/** The headers of a file that a browser must save, and not show or run. */
export const download = (
  reply: FastifyReply,
  { fileName, contentType }: Omit<FileAnswer, 'bytes'>,
): FastifyReply =>
  reply
    .header('content-type', contentType)
    .header('content-disposition', contentDisposition(fileName))
    .header('content-security-policy', "default-src 'none'; sandbox")

/**
 * Sends pieces while they are made. What goes wrong before the second one is answered like any error, and an
 * answer of one piece is sent whole, with its length. After that the connection is reset when something goes
 * wrong, so that nobody takes the part for the whole, over HTTP/1.0 too; so it is with a client that takes
 * nothing for a minute.
 */
export async function sendStream(
  reply: FastifyReply,
  { fileName, contentType, bytes, mayReleaseChunks = false }: StreamAnswer,
  maxQuietMs = patienceMs,
): Promise<FastifyReply> {
  const pieces = bytes[Symbol.asyncIterator]()
  // Whatever was begun ends with the connection, also where nobody has asked for a piece yet.
  reply.raw.once('close', () => void Promise.resolve(pieces.return?.()).catch(() => {}))
  const first = await pieces.next()
  const isHead = reply.request.method === 'HEAD'
  const second: IteratorResult<Uint8Array | string> | undefined =
    first.done || isHead ? undefined : await pieces.next()
  if (fileName === undefined) reply.header('content-type', contentType)
  else download(reply, { fileName, contentType })
  if (isHead) {
    await pieces.return?.()
    return reply.send()
  }
  if (second === undefined || second.done) return reply.send(first.done ? '' : first.value)
  const isWaiting = endQuietClient(reply, maxQuietMs)
  const sent = mayReleaseChunks
    ? new SentPieces(() => stream.readableLength + reply.raw.writableLength)
    : undefined
  const stream = Readable.from(all(reply, pieces, [first, second], isWaiting, sent), { objectMode: false })
  return reply.send(stream)
}

/**
 * Pieces on their way to the system, in their order. The collector of garbage would find them late, and take
 * their bytes for a reason to collect everything again and again while others wait.
 */
class SentPieces {
  readonly #pieces: { buffer: ArrayBuffer; end: number }[] = []
  readonly #waiting: () => number
  #given = 0

  /** `waiting`: how many bytes, or more, have not been sent yet. */
  constructor(waiting: () => number) {
    this.#waiting = waiting
  }

  add({ buffer, length }: Uint8Array): void {
    this.#given += length
    this.#pieces.push({ buffer: buffer as ArrayBuffer, end: this.#given })
  }

  /** Gives back the memory of those that are sent. */
  clear(): void {
    const sent = this.#given - this.#waiting()
    while ((this.#pieces[0]?.end ?? Number.POSITIVE_INFINITY) <= sent)
      this.#pieces.shift()?.buffer.transfer(0)
  }
}

/** All pieces. The connection is reset when they do not come to their end. */
async function* all(
  reply: FastifyReply,
  pieces: Pieces,
  begun: IteratorResult<Uint8Array | string>[],
  isWaiting: (waits: boolean) => void,
  sent?: SentPieces,
): AsyncGenerator<Uint8Array | string> {
  let isWhole = false
  try {
    for (let next = begun.shift(); !next?.done; next = begun.shift() ?? (await pieces.next())) {
      const piece = (next as IteratorYieldResult<Uint8Array | string>).value
      sent?.clear()
      if (typeof piece !== 'string') sent?.add(piece)
      isWaiting(true)
      yield piece
      isWaiting(false)
    }
    isWhole = true
  } finally {
    if (!isWhole) {
      reply.raw.socket?.resetAndDestroy()
      await pieces.return?.()
    }
  }
}

/**
 * Resets the connection of a client that takes nothing for so long. The socket tells: it counts the bytes
 * that the system takes of a write. The returned function is told when there is something to take.
 */
function endQuietClient(reply: FastifyReply, maxQuietMs: number): (waits: boolean) => void {
  let waits = false
  reply.raw.setTimeout(maxQuietMs, () => {
    const { socket } = reply.raw
    if (waits) socket?.resetAndDestroy()
    else socket?.setTimeout(maxQuietMs)
  })
  return isWaiting => {
    waits = isWaiting
  }
}
