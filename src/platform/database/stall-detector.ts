// Notices when the database stops responding (a frozen machine, a cut cable) or when a single connection is
// dead, and cuts the affected connections; TCP alone would wait for minutes.

import { Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import type pg from 'pg'

const checkEveryMs = 250
// After this many checks without a byte the database is probed: without a byte on all connections together,
// and on a single connection that a statement waits on.
const maxQuietChecks = 2
const maxQuietChecksOfOne = 8

/** Watches the connections of pools. */
export interface StallDetector {
  /** Makes the socket of a connection; goes into a client's configuration as `stream`. */
  readonly stream: () => Socket
  /** Watches the clients of a pool. */
  watch(pool: pg.Pool): void
  stop(): void
}

/** What the watch needs. */
export interface StallDetectorOptions {
  /**
   * Asks over a new connection which of these backends are idle (waiting for a statement outside a
   * transaction). Returns undefined if there is no reply within seconds. Never rejects.
   */
  idleAmong(backends: readonly number[]): Promise<readonly number[] | undefined>
  /**
   * how long a connection may be in use without receiving a byte, in milliseconds; longer than any statement
   * may run
   */
  maxMs: number
}

interface ClientUse {
  bytesRead: number
  /** how many checks in a row found no new byte */
  quietChecks: number
  /** the value of quietChecks when the database was last probed because of this client */
  probedAt: number
}

const socketOf = (client: pg.PoolClient) => client.connection.stream as Socket
const backendOf = (client: pg.PoolClient) => (client as pg.PoolClient & { processID: number }).processID

/**
 * Starts the watch. If no connection receives a byte and a probe over a new one gets no reply, all of them
 * are destroyed: their queries fail at once, and later queries open new connections. Bytes on the probe's own
 * connection do not count, because a pooler greets it even if the database behind it does not respond. A
 * single connection is destroyed if its backend waits for a statement while we wait for a result, because
 * then a message was lost.
 */
export function createStallDetector({ idleAmong, maxMs }: StallDetectorOptions): StallDetector {
  const sockets = new Set<Socket>()
  const inUse = new Map<pg.PoolClient, ClientUse>()
  const totalBytesRead = () => [...sockets].reduce((sum, socket) => sum + socket.bytesRead, 0)
  const cut = (socket: Socket) =>
    socket.destroy(new Error('Connection terminated: the database stopped responding.'))
  let [bytesBefore, quietChecks, isProbing] = [0, 0, false]

  async function check(): Promise<void> {
    const bytesNow = totalBytesRead()
    quietChecks = bytesNow === bytesBefore ? quietChecks + 1 : 0
    bytesBefore = bytesNow
    for (const [client, use] of inUse) {
      const { bytesRead } = socketOf(client)
      if (bytesRead !== use.bytesRead) Object.assign(use, { bytesRead, quietChecks: 0, probedAt: 0 })
      else if (++use.quietChecks * checkEveryMs > maxMs) cut(socketOf(client))
    }
    const uses = [...inUse]
    const isStalled =
      quietChecks >= maxQuietChecks && uses.some(([, use]) => use.quietChecks >= maxQuietChecks)
    const suspects = uses.filter(([, use]) => use.quietChecks - use.probedAt >= maxQuietChecksOfOne)
    if (isProbing || (!isStalled && suspects.length === 0)) return
    isProbing = true
    for (const [, use] of suspects) use.probedAt = use.quietChecks
    const idle = await idleAmong(suspects.map(([client]) => backendOf(client)))
    // If this process was too busy to read, this lets it read what has arrived meanwhile.
    await turn()
    isProbing = false
    if (idle === undefined) {
      if (totalBytesRead() === bytesNow) for (const socket of sockets) cut(socket)
      return
    }
    for (const [client, use] of suspects) {
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
        inUse.set(client, { bytesRead: socketOf(client).bytesRead, quietChecks: 0, probedAt: 0 }),
      )
      pool.on('release', (_error, client) => inUse.delete(client))
    },
    stop: () => clearInterval(timer),
  }
}
