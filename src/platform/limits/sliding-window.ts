// An exact sliding window over requests, per key. Pure: time is a parameter. Spec 8.

/**
 * The times of the latest accepted requests of one key, oldest first, beginning at `head`. There are at most
 * as many as the limit.
 */
interface Ring {
  times: Float64Array
  head: number
  count: number
}

const initialCapacity = 8

/**
 * Accepts at most `limit` requests of a key in any half-open span of `windowMs` milliseconds. Refused
 * requests do not count. A key takes 8 bytes for each request in its last window, up to `limit`, and is
 * dropped when it has been idle for two to four windows.
 *
 * Times must come from a monotonic clock such as `performance.now()`. A step back of less than one window
 * would not let more requests through.
 */
export class SlidingWindow {
  readonly #limit: number
  readonly #windowMs: number
  // Keys are kept in two generations. A key that is used moves to the younger one. Every two windows, the
  // older generation is dropped as a whole.
  #younger = new Map<string, Ring>()
  #older = new Map<string, Ring>()
  #youngerSince = Number.NEGATIVE_INFINITY

  constructor(limit: number, windowMs: number) {
    this.#limit = limit
    this.#windowMs = windowMs
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#younger.size + this.#older.size
  }

  /**
   * Counts a request of `key` at `nowMs`. Returns 0 if it may pass, otherwise the whole seconds after which
   * the next one may (for Retry-After).
   */
  take(key: string, nowMs: number): number {
    const ring = this.#ringOf(key, nowMs)
    if (ring.count === this.#limit) {
      const waitMs = ring.times[ring.head]! + this.#windowMs - nowMs
      if (waitMs > 0) return Math.ceil(waitMs / 1000)
    }
    this.#accept(ring, nowMs)
    return 0
  }

  /** Returns how many more requests of `key` may pass at `nowMs`. */
  left(key: string, nowMs: number): number {
    const ring = this.#younger.get(key) ?? this.#older.get(key)
    if (ring === undefined) return this.#limit
    const { times, head, count } = ring
    // Binary search for the first time that still counts.
    let [low, high] = [0, count]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (times[(head + middle) % times.length]! + this.#windowMs > nowMs) high = middle
      else low = middle + 1
    }
    return this.#limit - (count - low)
  }

  /** Yields for each key the times after `sinceMs` at which requests were accepted, oldest first. */
  *since(sinceMs: number): Generator<[key: string, times: number[]]> {
    for (const [key, { times, head, count }] of [...this.#older, ...this.#younger]) {
      const later: number[] = []
      for (let i = 0; i < count; i++) {
        const at = times[(head + i) % times.length]!
        if (at > sinceMs) later.push(at)
      }
      if (later.length > 0) yield [key, later]
    }
  }

  #ringOf(key: string, nowMs: number): Ring {
    if (nowMs - this.#youngerSince >= 2 * this.#windowMs) {
      this.#older = this.#younger
      this.#younger = new Map()
      this.#youngerSince = nowMs
    }
    let ring = this.#younger.get(key)
    if (ring) return ring
    ring = this.#older.get(key) ?? {
      times: new Float64Array(Math.min(initialCapacity, this.#limit)),
      head: 0,
      count: 0,
    }
    this.#older.delete(key)
    this.#younger.set(key, ring)
    return ring
  }

  #accept(ring: Ring, nowMs: number): void {
    const isFull = ring.count === ring.times.length
    if (isFull && ring.count < this.#limit && nowMs - ring.times[ring.head]! < this.#windowMs) {
      grow(ring, Math.min(2 * ring.count, this.#limit))
    }
    if (ring.count === ring.times.length) {
      // The oldest time has left the window. A time only ever replaces one that is at least a window older,
      // which is what enforces the limit.
      ring.times[ring.head] = nowMs
      ring.head = (ring.head + 1) % ring.count
    } else {
      ring.times[(ring.head + ring.count) % ring.times.length] = nowMs
      ring.count += 1
    }
  }
}

function grow(ring: Ring, capacity: number): void {
  const times = new Float64Array(capacity)
  times.set(ring.times.subarray(ring.head))
  times.set(ring.times.subarray(0, ring.head), ring.times.length - ring.head)
  ring.times = times
  ring.head = 0
}
