// Places for reads at length: there are few, and they are given in turn, so that one organisation keeps
// nobody else out, and neither does a reader who takes next to nothing.

import { NotNow } from './errors.ts'

/** Times, in milliseconds; tests compress them. */
export interface PlaceTimes {
  /** how long somebody waits for a place */
  patienceMs: number
  /** how long a reader may take nothing while somebody waits */
  quietMs: number
  /** how long, in all, readers of an owner with several places may keep one waiting while another has none */
  slowMs: number
}

const times: PlaceTimes = { patienceMs: 10_000, quietMs: 30_000, slowMs: 10_000 }
// How often whoever waits looks whether a place can be taken away.
const lookEveryMs = 250

/** A place, held by one read. */
export interface Place {
  /** fires when that of `take` does, and when the place is taken away: the read ends there */
  readonly signal: AbortSignal
  /** The same pieces. From each until the next one is asked for, the place waits for its reader. */
  watched<T>(pieces: AsyncIterable<T>): AsyncGenerator<T>
  /** Gives it back. */
  leave(): void
}

/** Places, each held by one read. */
export interface Places {
  /**
   * Takes a place for an owner. Throws NotNow without one in time, and the signal's reason when it fires. An
   * owner that has a place gets a second one only when no other waits. While somebody waits, a place whose
   * reader takes nothing is taken away, and one of several of an owner whose reader is slow.
   */
  take(owner: string, signal: AbortSignal): Promise<Place>
  /** how many wait */
  readonly waiting: number
}

/** A place that is held, and how long it has waited for its reader. */
class HeldPlace implements Place {
  readonly owner: string
  readonly signal: AbortSignal
  readonly leave: () => void
  readonly #lost = new AbortController()
  #waitedMs = 0
  #waitsSince: number | undefined

  constructor(owner: string, signal: AbortSignal, leave: (place: HeldPlace) => void) {
    this.owner = owner
    this.signal = AbortSignal.any([signal, this.#lost.signal])
    this.leave = () => leave(this)
  }

  /** for how long the reader has taken nothing */
  get quietMs(): number {
    return this.#waitsSince === undefined ? 0 : performance.now() - this.#waitsSince
  }

  /** for how long it has waited in all */
  get waitedMs(): number {
    return this.#waitedMs + this.quietMs
  }

  async *watched<T>(pieces: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const piece of pieces) {
      this.#waitsSince = performance.now()
      yield piece
      this.#waitedMs = this.waitedMs
      this.#waitsSince = undefined
    }
  }

  /** Takes it away from its reader. */
  takeAway(): void {
    this.#lost.abort(new NotNow('The report was broken off: it was read too slowly while others waited.', 10))
    this.leave()
  }
}

/** Which place is taken away, if any; `isAnybodyWithout`: somebody waits whose owner has none. */
function placeToTake(
  held: readonly HeldPlace[],
  { quietMs, slowMs }: Pick<PlaceTimes, 'quietMs' | 'slowMs'>,
  isAnybodyWithout: boolean,
): HeldPlace | undefined {
  const quiet = held.find(place => place.quietMs >= quietMs)
  if (quiet !== undefined || !isAnybodyWithout) return quiet
  return held
    .filter(
      place => place.waitedMs >= slowMs && held.some(other => other !== place && other.owner === place.owner),
    )
    .toSorted((a, b) => b.waitedMs - a.waitedMs)[0]
}

/** Opens so many places. */
export function openPlaces(count: number, given: Partial<PlaceTimes> = {}): Places {
  const { patienceMs, quietMs, slowMs } = { ...times, ...given }
  const held = new Set<HeldPlace>()
  const waiting: { owner: string; give(): void }[] = []

  const placesOf = (owner: string) => [...held].filter(place => place.owner === owner).length

  function hold(owner: string, signal: AbortSignal): Place {
    const place = new HeldPlace(owner, signal, left => void (held.delete(left) && next()))
    held.add(place)
    return place
  }

  function next(): void {
    const other = waiting.findIndex(isWithout)
    const [waiter] = waiting.splice(Math.max(other, 0), 1)
    waiter?.give()
  }

  const isWithout = ({ owner }: { owner: string }) => placesOf(owner) === 0
  /** Takes a place away for those who wait, where one is held that may be. */
  const makeRoom = () => placeToTake([...held], { quietMs, slowMs }, waiting.some(isWithout))?.takeAway()

  return {
    take: (owner, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        if (held.size < count) return resolve(hold(owner, signal))
        const waiter = {
          owner,
          give() {
            stopWaiting()
            resolve(hold(owner, signal))
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
          patienceMs,
        )
        const look = setInterval(makeRoom, lookEveryMs)
        function stopWaiting(): void {
          clearTimeout(timer)
          clearInterval(look)
          signal.removeEventListener('abort', leave)
        }
        signal.addEventListener('abort', leave)
        waiting.push(waiter)
        makeRoom()
      }),
    get waiting() {
      return waiting.length
    },
  }
}
