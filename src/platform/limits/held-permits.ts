// The permits that this process holds of each limit, and what it has let through with them.

import { batchCalls } from '../work/batch-calls.ts'
import { type LimitName, LimitsUnavailable, perMinute, windowMs } from './limits.ts'
import type { PermitGrant, PermitRequest } from './permits.ts'

/** So many permits are asked for at once by a process that uses few of them, and by one that uses many. */
const minBlock = 50
const maxBlock = 100
/** A block is to last so long at the pace of the one before. */
const blockSeconds = 6
/** The pace is that of so long; after that, a large block goes back where requests no longer come. */
const paceMs = 3_000
/** Permits that were not used for so long are given back. */
const idleMs = 10_000
/** What was let through is told before it is a minute old, even where no permits are needed. */
const tellWithinMs = 45_000
/** Where none is left, it is asked again after so long at the latest: another may have given some back. */
const maxBlockedMs = 1_000
/** How long a request waits for a process that has to say what it counted before permits may be taken. */
const maxWaitMs = 7_000

/** Sends a statement for permits; `number` rises with each. */
export type TakePermits = (number: number, requests: readonly PermitRequest[]) => Promise<PermitGrant[]>

interface Waiting {
  resolve(seconds: number): void
  reject(error: unknown): void
  since: number
}

/** What this process has of one limit. */
interface Key {
  readonly name: string
  readonly limit: LimitName
  readonly whose: string
  held: number
  /** how many were asked for when the row last gave some */
  block: number
  /** what the row had left for anybody when it was last asked */
  left: number
  /** times at which requests were let through that the row does not know of yet */
  untold: number[]
  /** since when it counts those */
  toldAt: number
  waiting: Waiting[]
  isServing: boolean
  /** the last statement for it; one follows the other */
  turn: Promise<unknown>
  usedAt: number
  /** until when nothing is asked, because none is left, and when the next may pass */
  blockedUntil: number
  freeAt: number
}

const secondsUntil = (at: number, now: number) => Math.max(1, Math.ceil((at - now) / 1_000))

/** Ages in steps of a tenth of a second, rather too young than too old. */
function agesOf(times: readonly number[], now: number): PermitRequest['passed'] {
  const byAge = new Map<number, number>()
  for (const at of times) {
    const age = Math.floor((now - at) / 100) * 100
    if (age <= windowMs) byAge.set(age, (byAge.get(age) ?? 0) + 1)
  }
  return [...byAge].map(([age, n]) => ({ age, n }))
}

/** Requests a second of late: since the row was last told, or in the last few seconds. */
function paceOf({ untold, waiting, toldAt }: Key, now: number): number {
  const since = Math.max(toldAt, now - paceMs)
  const came = waiting.length + untold.filter(at => at >= since).length
  return came / Math.max(1, (now - since) / 1_000)
}

/** How many permits are asked for: many only where they are soon used, for nobody else has them meanwhile. */
const blockFor = (key: Key, now: number) =>
  Math.min(maxBlock, Math.max(minBlock, Math.ceil(blockSeconds * paceOf(key, now))))

/** Whether a large block is held for requests that no longer come. */
const isTooLarge = (key: Key, now: number) =>
  key.block > minBlock && now - key.toldAt > paceMs && blockSeconds * paceOf(key, now) < minBlock / 2

/** What has to be known besides the permits. */
export interface HeldPermitsOptions {
  /** a clock that does not jump, in milliseconds */
  now(): number
  /** Called for each request that is let through. */
  onPass(limit: LimitName, whose: string, at: number): void
}

/** The permits of this process. */
export class HeldPermits {
  readonly #keys = new Map<string, Key>()
  readonly #options: HeldPermitsOptions
  readonly #ask: (request: PermitRequest) => Promise<PermitGrant>
  #statements = 0
  #mayAsk = false

  constructor(takePermits: TakePermits, options: HeldPermitsOptions) {
    this.#options = options
    this.#ask = batchCalls({
      runBatch: requests => takePermits(++this.#statements, requests),
      maxConcurrent: 1,
      maxCount: 200,
      maxWeight: Number.POSITIVE_INFINITY,
      weight: () => 1,
    })
  }

  /** As in RateLimits. With `areValid` false, permits that are held are no longer used. */
  take(limit: LimitName, whose: string, areValid: boolean): number | Promise<number> {
    const key = this.#keyOf(limit, whose)
    const now = this.#options.now()
    if (!areValid) key.held = 0
    if (key.held > 0) {
      this.#pass(key)
      return 0
    }
    if (now < key.blockedUntil) return secondsUntil(key.freeAt, now)
    return new Promise<number>((resolve, reject) => {
      key.waiting.push({ resolve, reject, since: now })
      void this.#serve(key)
    })
  }

  /** How many more requests may pass, as far as is known here. */
  left(limit: LimitName, whose: string): number {
    const key = this.#keys.get(`${limit} ${whose}`)
    return key === undefined ? perMinute[limit] : key.held + key.left
  }

  /** Says whether all others take permits too, so that asking makes sense. */
  letAsk(mayAsk: boolean): void {
    this.#mayAsk = mayAsk
    for (const key of this.#keys.values()) void this.#serve(key)
  }

  /** Refuses those that have waited too long for others to take permits too. */
  refuseLate(error: unknown): void {
    if (this.#mayAsk) return
    const before = this.#options.now() - maxWaitMs
    for (const key of this.#keys.values()) {
      const late = key.waiting.filter(({ since }) => since < before)
      key.waiting = key.waiting.filter(waiting => !late.includes(waiting))
      for (const { reject } of late) reject(new LimitsUnavailable(error))
    }
  }

  /** Adds requests that were let through without permits. */
  addUntold(limit: LimitName, whose: string, times: readonly number[]): void {
    this.#keyOf(limit, whose).untold.push(...times)
  }

  /** Tells what was let through, of every limit. Permits are given back with `giveBack`. */
  async tellAll(giveBack: boolean): Promise<void> {
    await Promise.all(
      [...this.#keys.values()].map(key => {
        // Taken away first, so that nobody uses them meanwhile.
        if (giveBack) key.held = 0
        return this.#exchange(key, 0)
      }),
    )
  }

  /** Gives back what is not used, tells what gets old, and forgets what is neither. */
  tidy(): void {
    const now = this.#options.now()
    for (const key of this.#keys.values()) {
      if (key.isServing || key.waiting.length > 0) continue
      const isIdle = now - key.usedAt > idleMs
      const isOld = now - (key.untold[0] ?? now) > tellWithinMs
      const isUnused = key.held > 0 && (isIdle || isTooLarge(key, now))
      if (isOld || isUnused) {
        if (isUnused) key.held = 0
        this.#exchange(key, 0).catch(() => {})
      } else if (isIdle && key.untold.length === 0) this.#keys.delete(key.name)
    }
  }

  #keyOf(limit: LimitName, whose: string): Key {
    const name = `${limit} ${whose}`
    let key = this.#keys.get(name)
    if (key === undefined) {
      const now = this.#options.now()
      key = {
        ...{ name, limit, whose, held: 0, block: 0, left: perMinute[limit] },
        ...{ untold: [], toldAt: now, waiting: [], isServing: false },
        ...{ turn: Promise.resolve(), usedAt: now, blockedUntil: 0, freeAt: 0 },
      }
      this.#keys.set(name, key)
    }
    return key
  }

  #pass(key: Key): void {
    const now = this.#options.now()
    key.held--
    key.usedAt = now
    key.untold.push(now)
    this.#options.onPass(key.limit, key.whose, now)
  }

  /** Tells the row what was used, and takes up to `wanted` permits. */
  #exchange(key: Key, wanted: number): Promise<PermitGrant> {
    const grant = key.turn
      .catch(() => {})
      .then(async () => {
        const told = key.untold.length
        const now = this.#options.now()
        const passed = agesOf(key.untold, now)
        const most = perMinute[key.limit]
        const given = await this.#ask({ key: key.name, passed, holding: key.held, wanted, most })
        key.untold.splice(0, told)
        key.toldAt = now
        if (wanted > 0) key.block = wanted
        key.held += given.granted
        key.left = given.left
        return given
      })
    key.turn = grant
    return grant
  }

  /** Asks for those that wait, until all have their answer. */
  async #serve(key: Key): Promise<void> {
    if (key.isServing || !this.#mayAsk) return
    key.isServing = true
    try {
      while (key.waiting.length > 0) {
        const { granted, waitMs } = await this.#exchange(key, blockFor(key, this.#options.now()))
        while (key.held > 0 && key.waiting.length > 0) {
          this.#pass(key)
          key.waiting.shift()?.resolve(0)
        }
        if (granted === 0) this.#block(key, waitMs)
      }
    } catch (error) {
      for (const { reject } of key.waiting.splice(0)) reject(new LimitsUnavailable(error))
    } finally {
      key.isServing = false
    }
  }

  #block(key: Key, waitMs: number): void {
    const now = this.#options.now()
    key.freeAt = now + waitMs
    key.blockedUntil = now + Math.min(waitMs, maxBlockedMs)
    for (const { resolve } of key.waiting.splice(0)) resolve(secondsUntil(key.freeAt, now))
  }
}
