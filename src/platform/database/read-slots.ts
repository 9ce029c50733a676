// Slots for long reads. There are few of them, and owners (organisations) share them fairly: neither one
// owner with many reads nor a reader that hardly takes any data can block everybody else.

import { TemporarilyUnavailable } from './errors.ts'

/** Times, in milliseconds; tests shorten them. */
export interface ReadSlotTimes {
  /** how long a caller waits for a slot */
  maxWaitMs: number
  /** how long a reader may take no data while another caller waits for a slot */
  maxIdleMs: number
  /**
   * how long in total a reader may keep its slot idle while its owner has several slots and a waiting owner
   * has none
   */
  maxStalledMs: number
}

/** A caller that begins to wait when others stall waits long enough to get one of their slots. */
export const defaultReadSlotTimes: ReadSlotTimes = {
  maxWaitMs: 15_000,
  maxIdleMs: 30_000,
  maxStalledMs: 10_000,
}
// How often a waiting caller checks whether a slot can be revoked.
const checkEveryMs = 250

export interface ReadSlot {
  /** Fires when the signal given to `take` does, and when the slot is revoked. The read must end then. */
  readonly signal: AbortSignal
  /** Passes the pieces on, and measures how long the reader takes to ask for the next one. */
  timeReader<T>(pieces: AsyncIterable<T>): AsyncGenerator<T>
  /** Gives the slot back. */
  release(): void
}

export interface ReadSlots {
  /**
   * Takes a slot for an owner. Throws TemporarilyUnavailable if none becomes free in time, and the signal's
   * reason when the signal fires. An owner that has a slot gets a second one only while no other owner waits.
   * While a caller waits, a slot with an idle reader is revoked; so is the slot of a slow reader if its owner
   * holds several.
   */
  take(owner: string, signal: AbortSignal): Promise<ReadSlot>
  /** how many callers wait for a slot */
  readonly waiting: number
}

/** A slot in use; it keeps the time for which it was idle because of its reader. */
class HeldSlot implements ReadSlot {
  readonly owner: string
  readonly signal: AbortSignal
  readonly release: () => void
  readonly #revoked = new AbortController()
  #pastIdleMs = 0
  #idleSince: number | undefined

  readonly #now: () => number

  constructor(owner: string, signal: AbortSignal, release: (slot: HeldSlot) => void, now: () => number) {
    this.owner = owner
    this.#now = now
    this.signal = AbortSignal.any([signal, this.#revoked.signal])
    this.release = () => release(this)
  }

  /** for how long the reader has now taken no data */
  get idleMs(): number {
    return this.#idleSince === undefined ? 0 : this.#now() - this.#idleSince
  }

  /** for how long in total the slot has waited for its reader */
  get totalIdleMs(): number {
    return this.#pastIdleMs + this.idleMs
  }

  async *timeReader<T>(pieces: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const piece of pieces) {
      this.#idleSince = this.#now()
      yield piece
      this.#pastIdleMs = this.totalIdleMs
      this.#idleSince = undefined
    }
  }

  revoke(): void {
    const message = 'The report was stopped because it was read too slowly while others were waiting.'
    this.#revoked.abort(new TemporarilyUnavailable(message, 10))
    this.release()
  }
}

/** Finds the slot to revoke, if any. `isOwnerWithout`: an owner that has no slot is waiting for one. */
function slotToRevoke(
  held: readonly HeldSlot[],
  { maxIdleMs, maxStalledMs }: Pick<ReadSlotTimes, 'maxIdleMs' | 'maxStalledMs'>,
  isOwnerWithout: boolean,
): HeldSlot | undefined {
  const idle = held.find(slot => slot.idleMs >= maxIdleMs)
  if (idle !== undefined || !isOwnerWithout) return idle
  return held
    .filter(
      slot =>
        slot.totalIdleMs >= maxStalledMs && held.some(other => other !== slot && other.owner === slot.owner),
    )
    .toSorted((a, b) => b.totalIdleMs - a.totalIdleMs)[0]
}

const allSlotsTaken = () =>
  new TemporarilyUnavailable('Too many reports are being made. Try again shortly.', 10)

/** Opens `count` slots. `now` is a monotonic clock in milliseconds; tests pass their own. */
export function createReadSlots(
  count: number,
  times: Partial<ReadSlotTimes> = {},
  now: () => number = () => performance.now(),
): ReadSlots {
  const { maxWaitMs, maxIdleMs, maxStalledMs } = { ...defaultReadSlotTimes, ...times }
  const held = new Set<HeldSlot>()
  const waiting: { owner: string; grant(): void }[] = []

  const hasNoSlot = ({ owner }: { owner: string }) => ![...held].some(slot => slot.owner === owner)

  function hold(owner: string, signal: AbortSignal): ReadSlot {
    const slot = new HeldSlot(owner, signal, released => void (held.delete(released) && grantNext()), now)
    held.add(slot)
    return slot
  }

  /** Grants the free slot to the first waiting owner that has none, or else to the first caller. */
  function grantNext(): void {
    const first = waiting.findIndex(hasNoSlot)
    const [waiter] = waiting.splice(Math.max(first, 0), 1)
    waiter?.grant()
  }

  /** Revokes a slot for the waiting callers, if one may be revoked. */
  const makeRoom = () =>
    slotToRevoke([...held], { maxIdleMs, maxStalledMs }, waiting.some(hasNoSlot))?.revoke()

  return {
    take: (owner, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        if (held.size < count) return resolve(hold(owner, signal))
        const waiter = {
          owner,
          grant() {
            stopWaiting()
            resolve(hold(owner, signal))
          },
        }
        const giveUp = (reason: unknown) => {
          stopWaiting()
          waiting.splice(waiting.indexOf(waiter), 1)
          reject(reason)
        }
        const onAbort = () => giveUp(signal.reason)
        const timer = setTimeout(() => giveUp(allSlotsTaken()), maxWaitMs)
        const check = setInterval(makeRoom, checkEveryMs)
        function stopWaiting(): void {
          clearTimeout(timer)
          clearInterval(check)
          signal.removeEventListener('abort', onAbort)
        }
        signal.addEventListener('abort', onAbort)
        waiting.push(waiter)
        makeRoom()
      }),
    get waiting() {
      return waiting.length
    },
  }
}
