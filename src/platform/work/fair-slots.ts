// A few slots for heavy work. Owners (organisations) that wait for one take turns.

import { FairQueue } from './fair-queue.ts'

export interface FairSlotLimits {
  /** how much work may run at once */
  count: number
  /** how many may wait in all */
  maxWaiting: number
  /** the longest wait for a slot, in milliseconds */
  maxWaitMs: number
}

interface Waiter {
  enter(): void
  leave(reason: unknown): void
}

/** Slots for work, with a fair and limited queue. */
export class FairSlots {
  readonly #limits: FairSlotLimits
  readonly #refusal: () => Error
  readonly #waiting: FairQueue<Waiter>
  #taken = 0

  /** @param refusal what those get who wait for too long, or for whom the queue has no room */
  constructor(limits: FairSlotLimits, refusal: () => Error) {
    this.#limits = limits
    this.#refusal = refusal
    this.#waiting = new FairQueue(limits.maxWaiting)
  }

  /** Does work in a slot. Throws the reason of the signal if it fires while the owner waits for one. */
  async use<T>(owner: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    signal?.throwIfAborted()
    if (this.#taken < this.#limits.count) this.#taken++
    else await this.#wait(owner, signal)
    try {
      return await work()
    } finally {
      // A slot passes to the next owner without being free in between, or a newcomer could take it as well.
      const next = this.#waiting.next()
      if (next === undefined) this.#taken--
      else next.enter()
    }
  }

  #wait(owner: string, signal: AbortSignal | undefined): Promise<void> {
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
          this.#waiting.remove(owner, waiter)
          reject(reason)
        },
      }
      const onAbort = () => waiter.leave(signal?.reason)
      const timer = setTimeout(() => waiter.leave(this.#refusal()), this.#limits.maxWaitMs)
      signal?.addEventListener('abort', onAbort)
      this.#waiting.add(owner, waiter)?.leave(this.#refusal())
    })
  }
}
