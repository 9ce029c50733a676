// Places for reads at length: there are few, and they are given in turn, so that one organisation keeps
// nobody else out.

import { NotNow } from './errors.ts'

/** How long somebody waits for a place. */
const patienceMs = 10_000

/** Places, each held by one read. */
export interface Places {
  /**
   * Takes a place for an owner and returns what gives it back. Throws NotNow without one in time, and the
   * signal's reason when it fires. An owner that has a place gets a second one only when no other waits.
   */
  take(owner: string, signal: AbortSignal): Promise<() => void>
  /** how many wait */
  readonly waiting: number
}

/** Opens so many places. */
export function openPlaces(count: number, maxWaitMs = patienceMs): Places {
  const held = new Map<string, number>()
  const waiting: { owner: string; give(): void }[] = []
  let free = count

  function hold(owner: string): () => void {
    let isHeld = true
    free--
    held.set(owner, (held.get(owner) ?? 0) + 1)
    return () => {
      if (!isHeld) return
      isHeld = false
      free++
      const left = (held.get(owner) ?? 1) - 1
      if (left === 0) held.delete(owner)
      else held.set(owner, left)
      next()
    }
  }

  function next(): void {
    const other = waiting.findIndex(({ owner }) => !held.has(owner))
    const [waiter] = waiting.splice(Math.max(other, 0), 1)
    waiter?.give()
  }

  return {
    take: (owner, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        if (free > 0) return resolve(hold(owner))
        const waiter = {
          owner,
          give() {
            stopWaiting()
            resolve(hold(owner))
          },
        }
        const giveUp = (reason: unknown) => {
          stopWaiting()
          waiting.splice(waiting.indexOf(waiter), 1)
          reject(reason)
        }
        const leave = () => giveUp(signal.reason)
        const timer = setTimeout(
          () => giveUp(new NotNow('Too many reports are being made. Try again shortly.', 10)),
          maxWaitMs,
        )
        function stopWaiting(): void {
          clearTimeout(timer)
          signal.removeEventListener('abort', leave)
        }
        signal.addEventListener('abort', leave)
        waiting.push(waiter)
      }),
    get waiting() {
      return waiting.length
    },
  }
}
