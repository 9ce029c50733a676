// Returns what Node's HTTP server would answer by itself and without a body: bytes that are no HTTP, requests
// that never end, CONNECT. Spec 7.1.

import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { newId } from '../new-id.ts'
import type { ErrorCode } from './fault.ts'
import { Refusal } from './refusal.ts'

type Answer = readonly [status: string, code: ErrorCode, message: string, type?: string]

const unreadable: Answer = ['400 Bad Request', 'invalid', 'The request could not be read as HTTP.']
const answers: Record<string, Answer> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'too_large',
    'The headers of the request are too large.',
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    '413 Payload Too Large',
    'too_large',
    'The chunk extensions of the request are too large.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'unavailable', 'The request did not arrive in time.'],
}

const lingerMs = 1_000

function answerAndClose(socket: Duplex, [status, code, message, type = 'Validation Failed']: Answer): void {
  if (!socket.writable) return
  const requestId = newId()
  const refusal = new Refusal(Number.parseInt(status, 10), type, code, [message])
  const body = JSON.stringify(refusal.bodyFor(requestId))
  const head =
    `HTTP/1.1 ${status}\r\nX-Request-Id: ${requestId}\r\nContent-Type: application/json; ` +
    `charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}`
  socket.end(`${head}\r\nConnection: close\r\n\r\n${body}`)
  // Whoever does not close his side must not keep the socket.
  setTimeout(() => socket.destroy(), lingerMs).unref()
}

/**
 * What the HTTP parser could not read: the error body of the specification, like every other refusal, and the
 * end of the connection.
 */
export const answerClientError = (error: { code?: string }, socket: Duplex): void =>
  answerAndClose(socket, answers[error.code ?? ''] ?? unreadable)

/**
 * Leaves nothing to Node's own answers, which have no body: unknown expectations are served like any request,
 * CONNECT is refused.
 */
export function answerOddRequests(server: Server): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('connect', (_request, socket) => {
    socket.on('error', () => socket.destroy())
    answerAndClose(socket, [
      '404 Not Found',
      'not_found',
      'There is no endpoint at this address.',
      'Not Found',
    ])
  })
}
