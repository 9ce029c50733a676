// The end of the HTTP server without a failed request: it takes no more connections, and ends those it has
// with an answer. Promise 34.

import { once } from 'node:events'
import { Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

// How long a connection on which nothing comes is kept for the request that may be on its way.
const quietMs = 2_000
// What takes longer than this in all is cut, for whoever stops containers ends them hard after ten seconds.
const maxMs = 8_000

/**
 * Makes `app.close()` wait for the clients: every answer from then on says `Connection: close`, and only
 * connections that stay quiet are closed without one.
 */
export function drainOnClose(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    const { server } = app
    const gone = once(server, 'close')
    // Closes the listener alone. The HTTP server's own close would also reset connections whose next request
    // is on its way.
    Server.prototype.close.call(server)
    const patience = new AbortController()
    await Promise.race([gone, pause(quietMs, undefined, { signal: patience.signal }).catch(() => {})])
    patience.abort()
    const idle = setInterval(() => server.closeIdleConnections(), 250)
    const late = setTimeout(() => server.closeAllConnections(), maxMs - quietMs)
    server.once('close', () => {
      clearInterval(idle)
      clearTimeout(late)
    })
  })
}
