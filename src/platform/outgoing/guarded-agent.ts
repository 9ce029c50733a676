// The connections to the outside: pooled, and opened only to addresses that may be called. Spec 6.5.

import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { RefusedAddress } from './outgoing-failure.ts'

/** Gives all addresses of a host name, at least one; rejects when there is none. */
export type Resolve = (host: string) => Promise<LookupAddress[]>

/** Whether an address may be called; that of a connection which has just gone is not known. */
type MayCall = (address: string | undefined) => boolean

// Many receivers close idle connections after two seconds and more, without saying so; a request on a
// connection that closes is lost.
const IDLE_SOCKET_MS = 1_500
const IDLE_SOCKET_MAX_MS = 30_000
const CONNECT_MS = 30_000

/** Opens a pool of connections to the addresses that `mayCall` allows. */
export const openGuardedAgent = (resolve: Resolve, mayCall: MayCall): Agent =>
  new Agent({
    connect: guardedConnector(resolve, mayCall),
    // As many sockets to an origin as there are requests, and the callers bound those: receivers of many
    // tenants may stand behind one origin, and a request that waits for a socket would spend its time, and
    // fail, because of what others there keep waiting.
    connections: null,
    keepAliveTimeout: IDLE_SOCKET_MS,
    keepAliveMaxTimeout: IDLE_SOCKET_MAX_MS,
    // Both restart with every byte, so that a dripping receiver would outlast them; `exchange` has the one
    // deadline.
    headersTimeout: 0,
    bodyTimeout: 0,
  })

/**
 * A connector that dials only addresses that `mayCall` allows: it judges the host when it is an address
 * itself, every address that a name resolves to (one bad address refuses the name), and at last the peer that
 * answered. Connections in the pool have passed here and keep their peer.
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
    timeout: CONNECT_MS,
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
