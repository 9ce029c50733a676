// A proxy in front of PostgreSQL that simulates network faults: it cuts connections, refuses them, or falls
// silent.

import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
import { atEnd } from './test-database.ts'

/** A proxy, and the faults that it can simulate. */
export interface DatabaseProxy {
  /** the connection string of the database through the proxy */
  readonly url: string
  /** Cuts every connection at once; new ones are served. */
  cut(): void
  /** Cuts every connection and refuses new ones, until `resume`. */
  refuse(): Promise<void>
  /** Passes no byte in either direction, on new connections neither, until `resume`. */
  stall(): void
  /** Passes no byte over the current connections, not even their end; new ones are served. */
  stallOpen(): void
  /** Like `stall`, but new connections are greeted, as a pooler does for a silent database. */
  stallBehindGreeting(): void
  /** Serves again; after a stall it passes on the bytes that were held back. */
  resume(): Promise<void>
}

/**
 * Opens a proxy to the database of a connection string, over TCP or a socket folder. With `dropsOptions` it
 * drops the settings that connections request when they are opened, as poolers do. Closed when the test file
 * ends.
 */
export async function openDatabaseProxy(
  databaseUrl: string,
  { dropsOptions = false } = {},
): Promise<DatabaseProxy> {
  const url = new URL(databaseUrl)
  const host = decodeURIComponent(url.hostname)
  const port = Number(url.port || 5432)
  const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
  const sockets = new Set<Socket>()
  let isStalled = false
  let doesGreet = false

  const server = createServer(client => {
    const upstream = createConnection(target)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
    if (isStalled && !doesGreet) return
    upstream.pipe(client)
    if (!doesGreet && !dropsOptions) return client.pipe(upstream)
    client.once('data', startup => {
      upstream.write(dropsOptions ? withoutOptions(startup) : startup)
      if (doesGreet) client.pause()
      else client.pipe(upstream)
    })
    client.on('resume-proxy', () => client.pipe(upstream))
    upstream.on('resume-proxy', () => upstream.pipe(client))
  })
  const listen = async (listenPort: number) => {
    server.listen(listenPort, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen(0)
  const ownPort = (server.address() as AddressInfo).port
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  atEnd(() => {
    cut()
    server.close()
  })

  url.host = `127.0.0.1:${ownPort}`
  return {
    url: url.href,
    cut,
    async refuse() {
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
    stall() {
      isStalled = true
      for (const socket of sockets) socket.unpipe().pause()
    },
    stallBehindGreeting() {
      isStalled = doesGreet = true
      for (const socket of sockets) socket.unpipe().pause()
    },
    stallOpen() {
      for (const socket of sockets) socket.unpipe().pause()
    },
    async resume() {
      if (!server.listening) await listen(ownPort)
      if (!isStalled) return
      isStalled = doesGreet = false
      for (const socket of sockets) socket.emit('resume-proxy')
    },
  }
}

/** Removes `options` from the first message of a connection (length, version, names and values). */
function withoutOptions(startup: Buffer): Buffer {
  const words = startup.subarray(8, startup.readInt32BE(0)).toString().split('\0')
  const index = words.indexOf('options')
  if (index >= 0) words.splice(index, 2)
  const body = Buffer.from(words.join('\0'))
  const head = Buffer.from(startup.subarray(0, 8))
  head.writeInt32BE(8 + body.length, 0)
  return Buffer.concat([head, body])
}
