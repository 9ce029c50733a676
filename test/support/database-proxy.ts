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
  /** Serves again; after a stall the bytes that were held back are passed on. */
  resume(): Promise<void>
}

/**
 * Opens a proxy to the database that a connection string names, over TCP or a socket folder. Closed when the
 * test file ends.
 */
export async function openDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const url = new URL(databaseUrl)
  const host = decodeURIComponent(url.hostname)
  const port = Number(url.port || 5432)
  const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
  const sockets = new Set<Socket>()
  let stalled = false

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
      from.pipe(to)
      if (stalled) from.unpipe(to).pause()
    }
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
    stallOpen() {
      for (const socket of sockets) socket.unpipe().pause()
    },
    async resume() {
      if (!server.listening) await listen(ownPort)
      if (!stalled) return
      stalled = false
      for (const socket of sockets) socket.emit('resume-proxy')
    },
  }
}
