// The permits that this process holds for each limit, and the requests that it let through with them.

import { batchCalls } from '../work/batch-calls.ts'
import { LimitsUnavailable, type PerMinute, windowMs } from './limits.ts'
import type { PermitGrant, PermitRequest } from './permits.ts'

/** How many permits a process takes at once: the minimum, and the maximum for a process that uses many. */
const minBlockSize = 50
const maxBlockSize = 100
/** How long a block of permits should last at the current rate of requests. */
const blockSeconds = 6
/**
 * The period over which the rate is measured; after it, a large block that is no longer needed is returned.
 */
const rateWindowMs = 3_000
/** Permits that were not used for this long are returned. */
const idleMs = 10_000
/** Requests are reported within this time, before they are a minute old, even if no permits are needed. */
const maxReportDelayMs = 45_000
/**
 * If no permits are left, the row is asked again within this time: another process may have returned some.
 */
const maxBlockedMs = 1_000
/** How long a request waits for another process that has to report before permits may be taken. */
const maxWaitMs = 7_000

/** Sends a statement that takes permits. `number` rises with each statement. */
export type TakePermits = (number: number, requests: readonly PermitRequest[]) => Promise<PermitGrant[]>

interface WaitingRequest {
  resolve(seconds: number): void
  reject(error: unknown): void
  since: number
}

/** The state of one limit of one owner in this process. */
interface LimitState {
  readonly name: string
  readonly limit: string
  readonly owner: string
  /** unused permits */
  held: number
  /** how many permits were last requested */
  blockSize: number
  /** how many permits the row had left when it was last asked */
  left: number
  /** the times of requests that were let through and not reported to the row yet */
  unreported: number[]
  /** when the row was last told of such requests */
  reportedAt: number
  waiting: WaitingRequest[]
  isServing: boolean
  /** the last statement; statements for one limit run one after another */
  lastStatement: Promise<unknown>
  usedAt: number
  /** until when the row is not asked, because no permits are left */
  blockedUntil: number
  /** when the next request may pass, if no permits are left */
  freeAt: number
}

const secondsUntil = (at: number, now: number) => Math.max(1, Math.ceil((at - now) / 1_000))

/** Counts times by their age, rounded down to a tenth of a second. */
function agesOf(times: readonly number[], now: number): PermitRequest['passed'] {
  const byAge = new Map<number, number>()
  for (const at of times) {
    const age = Math.floor((now - at) / 100) * 100
    if (age <= windowMs) byAge.set(age, (byAge.get(age) ?? 0) + 1)
  }
  return [...byAge].map(([age, n]) => ({ age, n }))
}

/** Requests per second since the last report, or in the last few seconds if that was longer ago. */
function rateOf({ unreported, waiting, reportedAt }: LimitState, now: number): number {
  const since = Math.max(reportedAt, now - rateWindowMs)
  const count = waiting.length + unreported.filter(at => at >= since).length
  return count / Math.max(1, (now - since) / 1_000)
}

/** How many permits to request. Many only if they will be used soon, because other processes lack them. */
const blockSizeFor = (state: LimitState, now: number) =>
  Math.min(maxBlockSize, Math.max(minBlockSize, Math.ceil(blockSeconds * rateOf(state, now))))

/** Whether the process holds a large block although requests have become rare. */
const isTooLarge = (state: LimitState, now: number) =>
  state.blockSize > minBlockSize &&
  now - state.reportedAt > rateWindowMs &&
  blockSeconds * rateOf(state, now) < minBlockSize / 2

export interface PermitPoolOptions {
  readonly perMinute: PerMinute
  /** a monotonic clock, in milliseconds */
  now(): number
  /** Called for each request that is let through. */
  onPass(limit: string, owner: string, at: number): void
}

/** The permits of this process. */
export class PermitPool {
  readonly #states = new Map<string, LimitState>()
  readonly #options: PermitPoolOptions
  readonly #takePermits: (request: PermitRequest) => Promise<PermitGrant>
  #statements = 0
  #canTake = false

  constructor(takePermits: TakePermits, options: PermitPoolOptions) {
    this.#options = options
    this.#takePermits = batchCalls({
      runBatch: requests => takePermits(++this.#statements, requests),
      maxConcurrent: 1,
      maxCount: 200,
      maxWeight: Number.POSITIVE_INFINITY,
      weight: () => 1,
    })
  }

  /** See RateLimits. If `areValid` is false, the permits held are discarded. */
  take(limit: string, owner: string, areValid: boolean): number | Promise<number> {
    const state = this.#stateOf(limit, owner)
    const now = this.#options.now()
    if (!areValid) state.held = 0
    if (state.held > 0) {
      this.#pass(state)
      return 0
    }
    if (now < state.blockedUntil) return secondsUntil(state.freeAt, now)
    return new Promise<number>((resolve, reject) => {
      state.waiting.push({ resolve, reject, since: now })
      void this.#serve(state)
    })
  }

  /** Returns how many more requests may pass, as far as this process knows. */
  left(limit: string, owner: string): number {
    const state = this.#states.get(`${limit} ${owner}`)
    return state === undefined ? this.#options.perMinute[limit]! : state.held + state.left
  }

  /** Sets whether permits may be taken: only if all other processes take theirs from the database too. */
  setCanTake(canTake: boolean): void {
    this.#canTake = canTake
    for (const state of this.#states.values()) void this.#serve(state)
  }

  /** Rejects requests that have waited too long for other processes to take permits too. */
  rejectLate(error: unknown): void {
    if (this.#canTake) return
    const before = this.#options.now() - maxWaitMs
    for (const state of this.#states.values()) {
      const late = state.waiting.filter(({ since }) => since < before)
      state.waiting = state.waiting.filter(waiting => !late.includes(waiting))
      for (const { reject } of late) reject(new LimitsUnavailable(error))
    }
  }

  /** Adds requests that were let through without permits. */
  addUnreported(limit: string, owner: string, times: readonly number[]): void {
    this.#stateOf(limit, owner).unreported.push(...times)
  }

  /** Reports the requests of every limit, and returns the permits if `returnPermits` is set. */
  async reportAll(returnPermits: boolean): Promise<void> {
    await Promise.all(
      [...this.#states.values()].map(state => {
        // Discarded first, so that no request uses them in the meantime.
        if (returnPermits) state.held = 0
        return this.#exchange(state, 0)
      }),
    )
  }

  /** Returns unused permits, reports requests that are getting old, and drops the state of idle limits. */
  tidy(): void {
    const now = this.#options.now()
    for (const state of this.#states.values()) {
      if (state.isServing || state.waiting.length > 0) continue
      const isIdle = now - state.usedAt > idleMs
      const isOld = now - (state.unreported[0] ?? now) > maxReportDelayMs
      const isUnused = state.held > 0 && (isIdle || isTooLarge(state, now))
      if (isOld || isUnused) {
        if (isUnused) state.held = 0
        this.#exchange(state, 0).catch(() => {})
      } else if (isIdle && state.unreported.length === 0) this.#states.delete(state.name)
    }
  }

  #stateOf(limit: string, owner: string): LimitState {
    const name = `${limit} ${owner}`
    let state = this.#states.get(name)
    if (state === undefined) {
      const now = this.#options.now()
      state = {
        ...{ name, limit, owner, held: 0, blockSize: 0, left: this.#options.perMinute[limit]! },
        ...{ unreported: [], reportedAt: now, waiting: [], isServing: false },
        ...{ lastStatement: Promise.resolve(), usedAt: now, blockedUntil: 0, freeAt: 0 },
      }
      this.#states.set(name, state)
    }
    return state
  }

  #pass(state: LimitState): void {
    const now = this.#options.now()
    state.held--
    state.usedAt = now
    state.unreported.push(now)
    this.#options.onPass(state.limit, state.owner, now)
  }

  /** Reports the requests to the row, and takes up to `wanted` permits. */
  #exchange(state: LimitState, wanted: number): Promise<PermitGrant> {
    const statement = state.lastStatement
      .catch(() => {})
      .then(async () => {
        const reported = state.unreported.length
        const now = this.#options.now()
        const passed = agesOf(state.unreported, now)
        const max = this.#options.perMinute[state.limit]!
        const grant = await this.#takePermits({ key: state.name, passed, holding: state.held, wanted, max })
        state.unreported.splice(0, reported)
        state.reportedAt = now
        if (wanted > 0) state.blockSize = wanted
        state.held += grant.granted
        state.left = grant.left
        return grant
      })
    state.lastStatement = statement
    return statement
  }

  /** Takes permits until every waiting request has passed or been refused. */
  async #serve(state: LimitState): Promise<void> {
    if (state.isServing || !this.#canTake) return
    state.isServing = true
    try {
      while (state.waiting.length > 0) {
        const { granted, waitMs } = await this.#exchange(state, blockSizeFor(state, this.#options.now()))
        while (state.held > 0 && state.waiting.length > 0) {
          this.#pass(state)
          state.waiting.shift()?.resolve(0)
        }
        if (granted === 0) this.#block(state, waitMs)
      }
    } catch (error) {
      for (const { reject } of state.waiting.splice(0)) reject(new LimitsUnavailable(error))
    } finally {
      state.isServing = false
    }
  }

  #block(state: LimitState, waitMs: number): void {
    const now = this.#options.now()
    state.freeAt = now + waitMs
    state.blockedUntil = now + Math.min(waitMs, maxBlockedMs)
    for (const { resolve } of state.waiting.splice(0)) resolve(secondsUntil(state.freeAt, now))
  }
}
