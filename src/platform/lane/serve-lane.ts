// The thread's end of the lane for large requests (lane.ts): hands each to a server of the same endpoints
// that listens nowhere, and passes back what only the process can do: hints, counts, lines of the log.

import process from 'node:process'
import { parentPort } from 'node:worker_threads'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, InjectOptions } from 'fastify'
import { pino } from 'pino'
import type { Actor } from '../http/actor.ts'
import type { LargeRequest } from '../http/large-body.ts'
import { unauthorised } from '../http/refusal.ts'
import type { Metrics } from '../metrics.ts'
import { lowerThreadPriority } from '../priority.ts'
import { forwardHints } from '../work/hints.ts'
import type { FromThread, ToThread } from './messages.ts'

/** What the server of the lane is made with. */
export interface LaneParts {
  log: FastifyBaseLogger
  metrics: Metrics
  /** the caller whom the process let in */
  authenticate(authorization: string | undefined): Actor
}

/** The server of the lane, and what has to be closed after it. */
export interface LaneServer {
  app: FastifyInstance
  close(): Promise<void>
}

const tell = (message: FromThread, given: ArrayBuffer[] = []): void => parentPort?.postMessage(message, given)

// The process counts the requests, and shows the figures.
const metrics: Metrics = {
  request: () => {},
  count: (name, help, labels = {}, by = 1) => tell({ kind: 'count', name, help, labels, by }),
  observe: (name, help, labels, seconds) => tell({ kind: 'observe', name, help, labels, seconds }),
  gauge: () => {},
  gaugeBy: () => {},
  text: async () => ({ contentType: 'text/plain', body: '' }),
}

/** Serves what the process hands over until it says that this was all. `open` makes the server. */
export async function serveLane(open: (parts: LaneParts) => Promise<LaneServer>): Promise<void> {
  // Short requests go before large ones.
  lowerThreadPriority()
  forwardHints(name => tell({ kind: 'hint', name }))
  const log = pino({ level: 'warn', base: null }, { write: line => tell({ kind: 'log', line }) })
  // As in the process itself: one request's defect must not end the others.
  process.on('unhandledRejection', err => log.error({ err }, 'unhandled rejection'))
  const actors = new Map<string, Actor>()
  const replies = new Map<string, FastifyReply>()
  const server = await open({
    log,
    metrics,
    authenticate(id = '') {
      const actor = actors.get(id)
      if (actor === undefined) throw unauthorised('The request was not let in.')
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
    actors.set(key, request.actor)
    try {
      const { statusCode, headers, rawPayload } = await app.inject(injected(request, key))
      const bytes = new Uint8Array(rawPayload)
      tell({ kind: 'answer', id, answer: { status: statusCode, headers, bytes } }, [bytes.buffer])
    } catch {
      // Its client has left.
      tell({ kind: 'answer', id, answer: undefined })
    } finally {
      actors.delete(key)
      replies.delete(key)
    }
  }

  const underWay = new Set<Promise<void>>()
  parentPort?.on('message', async (message: ToThread) => {
    if (message.kind === 'leave') replies.get(String(message.id))?.raw.destroy()
    else if (message.kind === 'serve') {
      const work = serve(message.id, message.request)
      underWay.add(work)
      void work.finally(() => underWay.delete(work))
    } else {
      await Promise.all(underWay)
      await app.close()
      await server.close()
      process.exit()
    }
  })
}

const injected = ({ method, url, headers, body }: LargeRequest, key: string): InjectOptions => ({
  method: method as 'POST',
  url,
  headers: { ...headers, authorization: key },
  payload: Buffer.from(body),
})
