// Closes the HTTP server without failing a request: it accepts no more connections, and closes existing ones
// after a response.

import { once } from 'node:events'
import { Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

// How long an idle connection stays open for a request that may be on its way.
const idleMs = 2_000
// After this long, all connections are closed: container runtimes kill a container ten seconds after a stop.
const maxMs = 8_000

/**
 * Makes `app.close()` wait for the clients: from then on every response has `Connection: close`, and only
 * idle connections are closed without a response.
 */
export function drainOnClose(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    const { server } = app
    const closed = once(server, 'close')
    // Closes only the listener. The close method of the HTTP server would also reset connections whose next
    // request is on its way.
    Server.prototype.close.call(server)
    const timeout = new AbortController()
    await Promise.race([closed, pause(idleMs, undefined, { signal: timeout.signal }).catch(() => {})])
    timeout.abort()
    const closingIdle = setInterval(() => server.closeIdleConnections(), 250)
    const closingAll = setTimeout(() => server.closeAllConnections(), maxMs - idleMs)
    server.once('close', () => {
      clearInterval(closingIdle)
      clearTimeout(closingAll)
    })
  })
}
