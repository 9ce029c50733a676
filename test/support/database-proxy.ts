// A proxy in front of PostgreSQL that can do what networks do: cut connections, refuse them, or fall silent.

import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
import { atEnd } from './test-database.ts'

/** The proxy, and what it can be told to do. */
export interface DatabaseProxy {
  /** the database's connection string by way of the proxy */
  readonly url: string
  /** Breaks every connection at once; new ones are served. */
  cut(): void
  /** Breaks every connection and refuses new ones, until `resume`. */
  refuse(): Promise<void>
  /** Passes no byte in either direction and returns nothing, also on new connections, until `resume`. */
  stall(): void
  /** Passes no byte over the connections of now, not even that they end; new ones are served. */
  stallOpen(): void
  /** As `stall`, but new connections are greeted, as a pooler does for a silent database. */
  stallBehindGreeting(): void
  /** Serves again; after a stall the bytes that were held back are passed on. */
  resume(): Promise<void>
}

/**
 * Opens a proxy to the database that a connection string names, over TCP or a socket folder. `dropsOptions`
 * takes away what connections ask for when they are opened, as poolers do. Closed when the test file ends.
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
  let stalled = false
  let greets = false

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
    if (stalled && !greets) return
    upstream.pipe(client)
    if (!greets && !dropsOptions) return client.pipe(upstream)
    client.once('data', startup => {
      upstream.write(dropsOptions ? withoutOptions(startup) : startup)
      if (greets) client.pause()
      else client.pipe(upstream)
    })
    client.on('resume-proxy', () => client.pipe(upstream))
    upstream.on('resume-proxy', () => upstream.pipe(client))
  })
  const listen = async (at: number) => {
    server.listen(at, '127.0.0.1')
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
      stalled = true
      for (const socket of sockets) socket.unpipe().pause()
    },
    stallBehindGreeting() {
      stalled = greets = true
      for (const socket of sockets) socket.unpipe().pause()
    },
    stallOpen() {
      for (const socket of sockets) socket.unpipe().pause()
    },
    async resume() {
      if (!server.listening) await listen(ownPort)
      if (!stalled) return
      stalled = greets = false
      for (const socket of sockets) socket.emit('resume-proxy')
    },
  }
}

/** The first message of a connection (length, version, names and values) without its `options`. */
function withoutOptions(startup: Buffer): Buffer {
  const words = startup.subarray(8, startup.readInt32BE(0)).toString().split('\0')
  const at = words.indexOf('options')
  if (at >= 0) words.splice(at, 2)
  const body = Buffer.from(words.join('\0'))
  const head = Buffer.from(startup.subarray(0, 8))
  head.writeInt32BE(8 + body.length, 0)
  return Buffer.concat([head, body])
}
