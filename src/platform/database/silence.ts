// Notices a database that has fallen silent (a frozen machine, a cut cable), or single connections to it that
// are dead, and cuts them; TCP alone would wait for minutes.

import { Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import type pg from 'pg'

const lookEveryMs = 250
// Looks without a byte, after which the database is asked: over any connection, and over one that a statement
// waits for.
const quietLooks = 2
const doubtfulLooks = 8

/** Watches over the connections of some pools. */
export interface SilenceWatch {
  /** makes the socket of a connection: the `stream` of a client's configuration */
  readonly stream: () => Socket
  /** Watches the clients of a pool. */
  watch(pool: pg.Pool): void
  stop(): void
}

export interface SilenceOptions {
  /**
   * Makes a connection over `stream`, asks which of these backends wait for a statement outside a
   * transaction, and ends it, or gives up after some seconds; it never rejects.
   */
  idleAmong(backends: readonly number[]): Promise<readonly number[]>
  /** how long a connection may be in use without a byte; no statement may run for longer */
  longestMs: number
}

/**
 * A client in use: what its connection has heard, for how many looks nothing new, and at which of them the
 * database was asked about it.
 */
interface InUse {
  heard: number
  quiet: number
  asked: number
}

const socketOf = (client: pg.PoolClient) => client.connection.stream as Socket
const backendOf = (client: pg.PoolClient) => (client as pg.PoolClient & { processID: number }).processID

/**
 * Opens the watch. When nothing is heard over any connection while a new one is tried, all are destroyed:
 * their queries fail now, and the next ones make new connections. A single one is destroyed when its backend
 * waits for a statement while we wait for an answer: what was sent, either way, is lost.
 */
export function openSilenceWatch({ idleAmong, longestMs }: SilenceOptions): SilenceWatch {
  const sockets = new Set<Socket>()
  const inUse = new Map<pg.PoolClient, InUse>()
  const heard = () => [...sockets].reduce((sum, socket) => sum + socket.bytesRead, 0)
  const cut = (socket: Socket) => socket.destroy(new Error('Connection terminated: the database is silent.'))
  let [heardBefore, quiet, isAsking] = [0, 0, false]

  async function look(): Promise<void> {
    const heardNow = heard()
    quiet = heardNow === heardBefore ? quiet + 1 : 0
    heardBefore = heardNow
    for (const [client, use] of inUse) {
      const { bytesRead } = socketOf(client)
      if (bytesRead !== use.heard) Object.assign(use, { heard: bytesRead, quiet: 0, asked: 0 })
      else if (++use.quiet * lookEveryMs > longestMs) cut(socketOf(client))
    }
    const uses = [...inUse]
    const isSilent = quiet >= quietLooks && uses.some(([, use]) => use.quiet >= quietLooks)
    const doubtful = uses.filter(([, use]) => use.quiet - use.asked >= doubtfulLooks)
    if (isAsking || (!isSilent && doubtful.length === 0)) return
    isAsking = true
    for (const [, use] of doubtful) use.asked = use.quiet
    const idle = await idleAmong(doubtful.map(([client]) => backendOf(client)))
    // If it was this process that had no time, what has arrived meanwhile is read first.
    await turn()
    isAsking = false
    if (heard() === heardNow) for (const socket of sockets) cut(socket)
    for (const [client, use] of doubtful) {
      const stillWaits = inUse.get(client) === use && socketOf(client).bytesRead === use.heard
      if (stillWaits && idle.includes(backendOf(client))) cut(socketOf(client))
    }
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
      pool.on('acquire', client =>
        inUse.set(client, { heard: socketOf(client).bytesRead, quiet: 0, asked: 0 }),
      )
      pool.on('release', (_error, client) => inUse.delete(client))
    },
    stop: () => clearInterval(timer),
  }
}
