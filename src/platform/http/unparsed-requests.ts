// Sends error responses with a body where Node's HTTP server would respond without one: to bytes that are not
// HTTP, to requests that never end, and to CONNECT. Spec 7.

import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { newId } from '../new-id.ts'
import type { ErrorCode } from './fault.ts'
import { Refusal } from './refusal.ts'

type RawResponse = readonly [status: string, code: ErrorCode, message: string, type?: string]

const unreadable: RawResponse = ['400 Bad Request', 'invalid', 'The request could not be read as HTTP.']
const responseByCode: Record<string, RawResponse> = {
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

// How long the client has to close its side of the connection.
const lingerMs = 1_000

function respondAndClose(
  socket: Duplex,
  [status, code, message, type = 'Validation Failed']: RawResponse,
): void {
  if (!socket.writable) return
  const requestId = newId()
  const refusal = new Refusal(Number.parseInt(status, 10), type, code, [message])
  const body = JSON.stringify(refusal.bodyFor(requestId))
  const head =
    `HTTP/1.1 ${status}\r\nX-Request-Id: ${requestId}\r\nContent-Type: application/json; ` +
    `charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}`
  socket.end(`${head}\r\nConnection: close\r\n\r\n${body}`)
  setTimeout(() => socket.destroy(), lingerMs).unref()
}

/** Responds to bytes that the HTTP parser could not read with the specified error body, and closes. */
export const respondToClientError = (error: { code?: string }, socket: Duplex): void =>
  respondAndClose(socket, responseByCode[error.code ?? ''] ?? unreadable)

/**
 * Handles the requests that Node would otherwise refuse without a body: unknown expectations are ignored and
 * CONNECT gets a 404.
 */
export function handleUnusualRequests(server: Server): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('connect', (_request, socket) => {
    socket.on('error', () => socket.destroy())
    respondAndClose(socket, [
      '404 Not Found',
      'not_found',
      'There is no endpoint at this address.',
      'Not Found',
    ])
  })
}
