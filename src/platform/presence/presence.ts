// The processes that serve one database know of each other: each sends a heartbeat to the database every
// second, and the reply tells it about the others. See migrations/022-processes.sql.

import type { Session } from '../database/session.ts'

const intervalMs = 1_000
/** The interval while another process has yet to act, or while this one has something new to report. */
const shortIntervalMs = 150
/**
 * Only after this many heartbeats without a gap does the silence of another process mean that it is dead.
 * Before that, the database may have been away, and the other has not had the time to report.
 */
const minSteadyBeats = 3
const maxGapMs = 2_500
const maxFirstAttempts = 5

export interface HeartbeatReply {
  /** when the heartbeat was sent, in milliseconds by the monotonic clock of this process */
  sentAt: number
  /** whether the heartbeat said that this process takes its permits from the database */
  reportedSharing: boolean
  /** how many other processes answer requests, or did so in the last minute */
  recentApiCount: number
  /** whether all other processes that answer requests take their permits from the database */
  doAllShare: boolean
}

/** Is told the outcome of each heartbeat of this process. */
export interface HeartbeatListener {
  /** whether this process takes its permits from the database; otherwise it counts requests alone */
  sharesPermits(): boolean
  onHeartbeat(reply: HeartbeatReply): Promise<void>
  /** Called when a heartbeat got no reply. */
  onMissedHeartbeat(error: unknown): void
}

/** This process among the others. */
export interface Presence {
  readonly id: string
  /** the ids of workers that died recently; empty while it is not certain that they are dead */
  deadWorkers(): readonly string[]
  /** Reports that this process has ended. */
  close(): Promise<void>
}

interface Roles {
  api: boolean
  worker: boolean
}

interface Heartbeat {
  sharesPermits: boolean
  hasEnded: boolean
}

const sendHeartbeat = (session: Session, id: string, roles: Roles, heartbeat: Heartbeat) =>
  session.rows<Pick<HeartbeatReply, 'recentApiCount' | 'doAllShare'> & { deadWorkers: string[] }>(
    `select recent_apis as "recentApiCount", do_all_share as "doAllShare", silent_workers as "deadWorkers"
    from beat($1, $2, $3, $4, $5)`,
    [id, roles.api, roles.worker, heartbeat.sharesPermits, heartbeat.hasEnded],
  )

/**
 * Starts sending heartbeats. Throws if none of the first attempts succeeds; after that, a failed heartbeat is
 * followed by the next one without end.
 */
export async function openPresence(
  session: Session,
  id: string,
  roles: Roles,
  listener?: HeartbeatListener,
): Promise<Presence> {
  let deadWorkers: readonly string[] = []
  let [steadyBeats, lastAt] = [0, Number.NEGATIVE_INFINITY]
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let running = Promise.resolve()

  /** Sends a heartbeat and returns after how many milliseconds the next one is due. */
  async function beat(): Promise<number> {
    const sentAt = performance.now()
    const reportedSharing = listener?.sharesPermits() ?? true
    const heartbeat = { sharesPermits: reportedSharing, hasEnded: false }
    const [reply] = await sendHeartbeat(session, id, roles, heartbeat)
    if (reply === undefined) return intervalMs
    steadyBeats = sentAt - lastAt < maxGapMs ? steadyBeats + 1 : 1
    lastAt = sentAt
    deadWorkers = steadyBeats >= minSteadyBeats ? reply.deadWorkers : []
    await listener?.onHeartbeat({ ...reply, sentAt, reportedSharing })
    const hasNews = listener !== undefined && listener.sharesPermits() !== reportedSharing
    return hasNews || !reply.doAllShare ? shortIntervalMs : intervalMs
  }

  /** Tries several times: a machine on which many processes start may be slow. */
  async function firstBeat(): Promise<number> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await beat()
      } catch (error) {
        if (attempt === maxFirstAttempts) throw error
      }
    }
  }

  function scheduleNext(afterMs: number): void {
    if (isClosed) return
    timer = setTimeout(() => {
      running = beat()
        .catch(error => {
          listener?.onMissedHeartbeat(error)
          return intervalMs
        })
        .then(scheduleNext)
    }, afterMs)
    timer.unref()
  }

  scheduleNext(await firstBeat())
  return {
    id,
    deadWorkers: () => deadWorkers,
    async close() {
      isClosed = true
      clearTimeout(timer)
      await running
      await sendHeartbeat(session, id, roles, { sharesPermits: true, hasEnded: true }).catch(() => {})
    },
  }
}
