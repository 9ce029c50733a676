// The pool of outgoing connections, which are opened only to permitted addresses. Spec 6.5.

import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { RefusedAddress } from './outgoing-failure.ts'

/** Resolves a host name to all its addresses, at least one. Rejects if there is none. */
export type Resolve = (host: string) => Promise<LookupAddress[]>

/** Whether an address may be called. It is undefined if the connection has just been closed. */
type MayCall = (address: string | undefined) => boolean

// Many receivers close idle connections after as little as two seconds without announcing it. A request on a
// connection that is being closed is lost.
const idleSocketMs = 1_500
const maxIdleSocketMs = 30_000
const connectMs = 30_000

/** Opens a pool of connections to the addresses that `mayCall` permits. */
export const createGuardedAgent = (resolve: Resolve, mayCall: MayCall): Agent =>
  new Agent({
    connect: guardedConnector(resolve, mayCall),
    // The number of sockets per origin is not limited here; the callers limit the number of requests.
    // Receivers of many tenants may share one origin, and a request that waits for a socket could time out
    // because of the requests of other tenants.
    connections: null,
    keepAliveTimeout: idleSocketMs,
    keepAliveMaxTimeout: maxIdleSocketMs,
    // These timeouts restart with every byte, so a slow receiver could outlast them. The deadline is enforced
    // by `exchange` instead.
    headersTimeout: 0,
    bodyTimeout: 0,
  })

/**
 * Creates a connector that dials only addresses that `mayCall` permits. It checks the host if it is an
 * address itself, every address that a name resolves to (one bad address refuses the name), and finally the
 * peer of the connection. Connections in the pool were checked here and keep their peer.
 */
export function guardedConnector(resolve: Resolve, mayCall: MayCall): buildConnector.connector {
  const lookup: LookupFunction = (host, _options, callback) => {
    resolve(host).then(
      addresses => {
        if (addresses.every(({ address }) => mayCall(address))) callback(null, addresses)
        else callback(new RefusedAddress(), [])
      },
      error => callback(error, []),
    )
  }
  const dial = buildConnector({
    lookup,
    autoSelectFamily: true,
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
    timeout: connectMs,
  })
  return (target, callback) => {
    if (isIP(target.hostname) && !mayCall(target.hostname))
      return process.nextTick(callback, new RefusedAddress(), null)
    dial(target, (error, socket) => {
      if (error) return callback(error, null)
      if (mayCall(socket.remoteAddress)) return callback(null, socket)
      socket.destroy()
      callback(new RefusedAddress(), null)
    })
  }
}
