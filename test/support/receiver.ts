// A webhook receiver for tests: it records requests byte by byte, and responds as the test says.

import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

/** One request that arrived. */
export interface Arrival {
  /** when it had arrived completely, in milliseconds of performance.now() */
  at: number
  path: string
  headers: IncomingHttpHeaders
  raw: Buffer
  /** the parsed body */
  body: { id: string; type: string; created: string; data: Record<string, unknown>; operationId: string }
}

/** A status to respond with, or a function that handles the response. */
export type Behaviour = number | ((response: ServerResponse) => void)

export interface Receiver {
  readonly url: string
  /** in the order of arrival */
  readonly arrived: Arrival[]
  /** Sets how to respond to requests from now on. */
  behave(next: (arrival: Arrival) => Behaviour): void
}

export const hang: Behaviour = () => {}
export const redirect: Behaviour = response => response.writeHead(302, { location: '/elsewhere' }).end()
/** Begins to respond at once, but never finishes. */
export const drip: Behaviour = response => {
  response.writeHead(200)
  const timer = setInterval(() => response.write('.'), 20)
  response.on('close', () => clearInterval(timer))
}
export const oversized: Behaviour = response => response.writeHead(200).end(Buffer.alloc(70_000, 'a'))
export const answering =
  (status: number, body: string | Buffer): Behaviour =>
  response =>
    response.writeHead(status).end(body)

/** Opens a receiver that responds with 204 by default. It is closed when the test file ends. */
export async function openReceiver(): Promise<Receiver> {
  const arrived: Arrival[] = []
  let behaviour: (arrival: Arrival) => Behaviour = () => 204
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const raw = Buffer.concat(chunks)
    const body = JSON.parse(raw.toString())
    const arrival = { at: performance.now(), path: request.url ?? '', headers: request.headers, raw, body }
    arrived.push(arrival)
    const next = behaviour(arrival)
    if (typeof next === 'number') response.writeHead(next).end()
    else next(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    arrived,
    behave(next) {
      behaviour = next
    },
  }
}
