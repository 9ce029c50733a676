// The processes that serve one database know each other: each says every second that it lives, and is told of
// the others. See migrations/020-processes.sql.

import type { Session } from '../database/session.ts'

const everyMs = 1_000
/** While another has to do something first, or this one has something to say. */
const soonMs = 150
/**
 * After so many beats without a gap the silence of others means that they are dead. Before, it may have been
 * the database that was away, and they have not come to say so yet.
 */
const steadyBeats = 3
const maxGapMs = 2_500
const maxFirstAttempts = 5

/** What a beat was answered. */
export interface HeartbeatReply {
  /** when it was sent, by the clock of this process */
  sentAt: number
  /** what it said of this process */
  sentShares: boolean
  /** other processes that answer requests, or did so in the last minute */
  recentApis: number
  /** whether all others that answer requests take permits from the database */
  doAllShare: boolean
}

/** Whoever hears of the beats of this process. */
export interface HeartbeatListener {
  /** whether this process takes its permits from the database; else it may count alone */
  shares(): boolean
  heard(beaten: HeartbeatReply): Promise<void>
  /** A beat was not answered. */
  missed(error: unknown): void
}

/** This process among the others. */
export interface Presence {
  readonly id: string
  /** workers that have died, while that is known for sure and not long ago */
  deadWorkers(): readonly string[]
  /** Says that this process has ended. */
  close(): Promise<void>
}

interface Roles {
  api: boolean
  worker: boolean
}

const sendBeat = (session: Session, id: string, roles: Roles, shares: boolean, hasEnded: boolean) =>
  session.rows<Pick<HeartbeatReply, 'recentApis' | 'doAllShare'> & { deadWorkers: string[] }>(
    `select recent_apis as "recentApis", do_all_share as "doAllShare", silent_workers as "deadWorkers"
    from beat($1, $2, $3, $4, $5)`,
    [id, roles.api, roles.worker, shares, hasEnded],
  )

/** Begins to beat. Throws when no first beat succeeds; later ones are tried again for ever. */
export async function openPresence(
  session: Session,
  id: string,
  roles: Roles,
  listener?: HeartbeatListener,
): Promise<Presence> {
  let deadWorkers: readonly string[] = []
  let [beats, lastAt] = [0, Number.NEGATIVE_INFINITY]
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let running = Promise.resolve()

  /** Returns after how long the next one is due. */
  async function beat(): Promise<number> {
    const sentAt = performance.now()
    const sentShares = listener?.shares() ?? true
    const [answer] = await sendBeat(session, id, roles, sentShares, false)
    if (answer === undefined) return everyMs
    beats = sentAt - lastAt < maxGapMs ? beats + 1 : 1
    lastAt = sentAt
    deadWorkers = beats >= steadyBeats ? answer.deadWorkers : []
    await listener?.heard({ ...answer, sentAt, sentShares })
    const isPending = !answer.doAllShare || (listener !== undefined && listener.shares() !== sentShares)
    return isPending ? soonMs : everyMs
  }

  /** A machine that is busy with many starts may be slow. */
  async function firstBeat(): Promise<number> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await beat()
      } catch (error) {
        if (attempt === maxFirstAttempts) throw error
      }
    }
  }

  function goOn(afterMs: number): void {
    if (isClosed) return
    timer = setTimeout(() => {
      running = beat()
        .catch(error => {
          listener?.missed(error)
          return everyMs
        })
        .then(goOn)
    }, afterMs)
    timer.unref()
  }

  goOn(await firstBeat())
  return {
    id,
    deadWorkers: () => deadWorkers,
    async close() {
      isClosed = true
      clearTimeout(timer)
      await running
      await sendBeat(session, id, roles, true, true).catch(() => {})
    },
  }
}
