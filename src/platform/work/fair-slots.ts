// A few slots for heavy work. Owners (organisations) that wait for one take turns, and short work goes before
// long work.

import { FairQueue } from './fair-queue.ts'

export interface FairSlotLimits {
  /** how much work may run at once */
  count: number
  /** how much short work may wait, and how much long work */
  maxWaiting: number
  /** the longest wait for a slot, in milliseconds */
  maxWaitMs: number
}

interface Waiter {
  enter(): void
  leave(reason: unknown): void
}

// So much short work may overtake long work, which might otherwise wait in vain.
const maxOvertaking = 10

/** Slots for work, with a fair and limited queue. */
export class FairSlots {
  readonly #limits: FairSlotLimits
  readonly #refusal: () => Error
  readonly #short: FairQueue<Waiter>
  readonly #long: FairQueue<Waiter>
  #overtaking = 0
  #taken = 0

  /** @param refusal what those get who wait for too long, or for whom the queue has no room */
  constructor(limits: FairSlotLimits, refusal: () => Error) {
    this.#limits = limits
    this.#refusal = refusal
    this.#short = new FairQueue(limits.maxWaiting)
    this.#long = new FairQueue(limits.maxWaiting)
  }

  /** how much work runs */
  get taken(): number {
    return this.#taken
  }

  /** how much work waits */
  get waiting(): number {
    return this.#short.size + this.#long.size
  }

  /**
   * Does work in a slot. Throws the reason of the signal if it fires while the owner waits for one. Work that
   * may take long lets other work go first.
   */
  async use<T>(
    owner: string,
    signal: AbortSignal | undefined,
    work: () => Promise<T>,
    isLong = false,
  ): Promise<T> {
    signal?.throwIfAborted()
    if (this.#taken < this.#limits.count) this.#taken++
    else await this.#wait(owner, isLong ? this.#long : this.#short, signal)
    try {
      return await work()
    } finally {
      // A slot passes to the next owner without being free in between, or a newcomer could take it as well.
      const next = this.#next()
      if (next === undefined) this.#taken--
      else next.enter()
    }
  }

  /** Refuses all that wait. */
  refuseWaiting(reason: Error): void {
    for (let waiter = this.#next(); waiter !== undefined; waiter = this.#next()) waiter.leave(reason)
  }

  #next(): Waiter | undefined {
    const isTurnOfLong = this.#overtaking >= maxOvertaking && this.#long.size > 0
    const short = isTurnOfLong ? undefined : this.#short.next()
    this.#overtaking = short !== undefined && this.#long.size > 0 ? this.#overtaking + 1 : 0
    return short ?? this.#long.next()
  }

  #wait(owner: string, queue: FairQueue<Waiter>, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
      }
      const waiter: Waiter = {
        enter() {
          stopWaiting()
          resolve()
        },
        leave: reason => {
          stopWaiting()
          queue.remove(owner, waiter)
          reject(reason)
        },
      }
      const onAbort = () => waiter.leave(signal?.reason)
      const timer = setTimeout(() => waiter.leave(this.#refusal()), this.#limits.maxWaitMs)
      signal?.addEventListener('abort', onAbort)
      queue.add(owner, waiter)?.leave(this.#refusal())
    })
  }
}
