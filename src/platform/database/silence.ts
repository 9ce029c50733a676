// Notices a database that has fallen silent (a frozen machine, a cut cable), or single connections to it that
// are dead, and cuts them; TCP alone would wait for minutes.

import { Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import type pg from 'pg'

const checkEveryMs = 250
// So many checks without a byte, and the database is asked whether it is there: on all connections together,
// and on a single one that a statement waits on.
const maxQuietChecks = 2
const maxQuietChecksOfOne = 8

/** Watches over the connections of some pools. */
export interface SilenceWatch {
  /** makes the socket of a connection: the `stream` of a client's configuration */
  readonly stream: () => Socket
  /** Watches the clients of a pool. */
  watch(pool: pg.Pool): void
  stop(): void
}

/** What the watch needs. */
export interface SilenceOptions {
  /**
   * Asks over a new connection of its own which of these backends are idle (wait for a statement outside a
   * transaction). Undefined when there is no answer within some seconds. Never rejects.
   */
  idleAmong(backends: readonly number[]): Promise<readonly number[] | undefined>
  /** how long a connection may be in use without receiving a byte; no statement may run for longer */
  maxMs: number
}

/** What is known of the connection of a client in use. */
interface ClientUse {
  bytesRead: number
  /** how many checks in a row found nothing new */
  quietChecks: number
  /** the value of quietChecks when the database was last asked about it */
  askedAt: number
}

const socketOf = (client: pg.PoolClient) => client.connection.stream as Socket
const backendOf = (client: pg.PoolClient) => (client as pg.PoolClient & { processID: number }).processID

/**
 * Opens the watch. When no connection receives a byte, and a question over a new one gets no answer, all are
 * destroyed: their queries fail at once, and the next ones open new connections. That new one is not counted:
 * a pooler greets it, however silent the database behind it is. A single connection is destroyed when
 * its backend waits for a statement while we wait for an answer, because then one of the two was lost.
 */
export function openSilenceWatch({ idleAmong, maxMs }: SilenceOptions): SilenceWatch {
  const sockets = new Set<Socket>()
  const inUse = new Map<pg.PoolClient, ClientUse>()
  const totalBytesRead = () => [...sockets].reduce((sum, socket) => sum + socket.bytesRead, 0)
  const cut = (socket: Socket) => socket.destroy(new Error('Connection terminated: the database is silent.'))
  let [bytesBefore, quietChecks, isAsking] = [0, 0, false]

  async function check(): Promise<void> {
    const bytesNow = totalBytesRead()
    quietChecks = bytesNow === bytesBefore ? quietChecks + 1 : 0
    bytesBefore = bytesNow
    for (const [client, use] of inUse) {
      const { bytesRead } = socketOf(client)
      if (bytesRead !== use.bytesRead) Object.assign(use, { bytesRead, quietChecks: 0, askedAt: 0 })
      else if (++use.quietChecks * checkEveryMs > maxMs) cut(socketOf(client))
    }
    const uses = [...inUse]
    const isSilent =
      quietChecks >= maxQuietChecks && uses.some(([, use]) => use.quietChecks >= maxQuietChecks)
    const doubtful = uses.filter(([, use]) => use.quietChecks - use.askedAt >= maxQuietChecksOfOne)
    if (isAsking || (!isSilent && doubtful.length === 0)) return
    isAsking = true
    for (const [, use] of doubtful) use.askedAt = use.quietChecks
    const idle = await idleAmong(doubtful.map(([client]) => backendOf(client)))
    // If it was this process that was too busy to read, what has arrived meanwhile is read first.
    await turn()
    isAsking = false
    if (idle === undefined) {
      if (totalBytesRead() === bytesNow) for (const socket of sockets) cut(socket)
      return
    }
    for (const [client, use] of doubtful) {
      const stillWaits = inUse.get(client) === use && socketOf(client).bytesRead === use.bytesRead
      if (stillWaits && idle.includes(backendOf(client))) cut(socketOf(client))
    }
  }

  const timer = setInterval(check, checkEveryMs)
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
        inUse.set(client, { bytesRead: socketOf(client).bytesRead, quietChecks: 0, askedAt: 0 }),
      )
      pool.on('release', (_error, client) => inUse.delete(client))
    },
    stop: () => clearInterval(timer),
  }
}
