// The thread side of the lane for large requests (lane.ts). It passes each request to a server with the same
// endpoints that does not listen on a port, and sends the process what only that can handle: hints, metrics
// and log lines.

import process from 'node:process'
import { parentPort } from 'node:worker_threads'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, InjectOptions } from 'fastify'
import { pino } from 'pino'
import { closeEverything } from '../closing.ts'
import type { Caller } from '../http/caller.ts'
import type { LargeRequest } from '../http/large-body.ts'
import { unauthorised } from '../http/refusal.ts'
import type { Metrics } from '../metrics.ts'
import { lowerThreadPriority } from '../priority.ts'
import { forwardHints } from '../work/hints.ts'
import type { FromLane, ToLane } from './messages.ts'

/** What the server of the lane is created with. */
export interface LaneParts<Actor extends Caller> {
  log: FastifyBaseLogger
  metrics: Metrics
  /** Returns the caller that the process has authenticated. */
  authenticate(authorization: string | undefined): Actor
}

export interface LaneServer {
  app: FastifyInstance
  /** Closes what the server uses, once the server is closed. */
  close(): Promise<void>
}

const send = (message: FromLane, transferred: ArrayBuffer[] = []): void =>
  parentPort?.postMessage(message, transferred)

// Requests are counted and metrics are exposed by the process.
const metrics: Metrics = {
  request: () => {},
  count: (name, help, labels = {}, by = 1) => send({ kind: 'count', name, help, labels, by }),
  observe: (name, help, labels, seconds) => send({ kind: 'observe', name, help, labels, seconds }),
  gauge: () => {},
  gaugeBy: () => {},
  text: async () => ({ contentType: 'text/plain', body: '' }),
}

/** Serves the requests that the process passes on until it sends `end`. `open` creates the server. */
export async function serveLane<Actor extends Caller>(
  open: (parts: LaneParts<Actor>) => Promise<LaneServer>,
): Promise<void> {
  // Ordinary requests take precedence over large ones.
  lowerThreadPriority()
  forwardHints(name => send({ kind: 'hint', name }))
  const log = pino({ level: 'warn', base: null }, { write: line => send({ kind: 'log', line }) })
  // As in the process itself, a defect in one request must not end the others.
  process.on('unhandledRejection', err => log.error({ err }, 'unhandled rejection'))
  const actors = new Map<string, Actor>()
  const replies = new Map<string, FastifyReply>()
  const server = await open({
    log,
    metrics,
    authenticate(id = '') {
      const actor = actors.get(id)
      if (actor === undefined) throw unauthorised('The request was not admitted.')
      return actor
    },
  })
  const { app } = server
  app.addHook('onRequest', async (request, reply) => {
    replies.set(request.headers.authorization as string, reply)
  })
  await app.ready()

  async function serve(id: number, request: LargeRequest): Promise<void> {
    const key = String(id)
    actors.set(key, request.actor as Actor)
    try {
      const { statusCode, headers, rawPayload } = await app.inject(injectOptions(request, key))
      const bytes = new Uint8Array(rawPayload)
      send({ kind: 'response', id, response: { status: statusCode, headers, bytes } }, [bytes.buffer])
    } catch {
      // The client has disconnected.
      send({ kind: 'response', id, response: undefined })
    } finally {
      actors.delete(key)
      replies.delete(key)
    }
  }

  const running = new Set<Promise<void>>()
  parentPort?.on('message', async (message: ToLane) => {
    if (message.kind === 'cancel') replies.get(String(message.id))?.raw.destroy()
    else if (message.kind === 'serve') {
      const work = serve(message.id, message.request)
      running.add(work)
      void work.finally(() => running.delete(work))
    } else {
      await Promise.all(running)
      await closeEverything([() => server.close(), () => app.close()]).finally(() => process.exit())
    }
  })
  send({ kind: 'ready' })
}

const injectOptions = ({ method, url, headers, body }: LargeRequest, key: string): InjectOptions => ({
  method: method as 'POST',
  url,
  headers: { ...headers, authorization: key },
  ...(body.byteLength === 0 ? {} : { payload: Buffer.from(body) }),
})
