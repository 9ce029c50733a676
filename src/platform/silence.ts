// Notices a database that has fallen silent (a frozen machine, a cut cable) and cuts its connections; TCP alone would wait for minutes.

import { Socket } from 'node:net'
import type pg from 'pg'

/** A client that has been busy for longer is reason to ask whether the database is still there. */
const patienceMs = 500
const lookEveryMs = 250

/** Watches over the connections of some pools. */
export interface SilenceWatch {
  /** makes the socket of a connection: the `stream` of a client's configuration */
  readonly stream: () => Socket
  /** Watches the clients of a pool. */
  watch(pool: pg.Pool): void
  stop(): void
}

/**
 * Opens the watch. `probe` makes a connection over `stream` and ends it, or gives up after some seconds; it never rejects. When meanwhile no byte
 * has come over any connection, all of them are destroyed: their queries fail now, and the next ones make new connections.
 */
export function openSilenceWatch(probe: () => Promise<void>): SilenceWatch {
  const sockets = new Set<Socket>()
  const busySince = new Map<pg.PoolClient, number>()
  const heard = () => [...sockets].reduce((sum, socket) => sum + socket.bytesRead, 0)
  let probing = false

  async function look(): Promise<void> {
    const longestBusy = performance.now() - Math.min(...busySince.values())
    if (probing || longestBusy < patienceMs) return
    probing = true
    const before = heard()
    await probe()
    probing = false
    if (heard() !== before) return
    for (const socket of sockets) socket.destroy(new Error('Connection terminated: the database is silent.'))
  }

  const timer = setInterval(look, lookEveryMs)
  timer.unref()
  return {
    stream() {
      const socket = new Socket()
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      return socket
    },
    watch(pool) {
      pool.on('acquire', client => busySince.set(client, performance.now()))
      pool.on('release', (_error, client) => busySince.delete(client))
    },
    stop: () => clearInterval(timer),
  }
}
