// An exact sliding window over requests, per key. Pure: time is a parameter. Spec 8.

/**
 * The newest accepted times of one key in the order of acceptance, at most as many as the limit, the first at
 * `head`.
 */
interface Ring {
  times: Float64Array
  head: number
  count: number
}

const FIRST_CAPACITY = 8

/**
 * Lets at most `limit` requests of a key through in any half-open span of `windowMs` milliseconds. Refused
 * requests do not count. A key costs 8 bytes for each request of its last window, up to `limit`, and is
 * forgotten when it has been idle for two to four windows.
 *
 * Times come from a clock that does not jump, such as `performance.now()`; a step back of less than one
 * window lets no more through.
 */
export class SlidingWindow {
  readonly #limit: number
  readonly #windowMs: number
  // Keys live in two generations. A key in use moves to the younger; when two windows have passed the elder
  // is dropped as a whole.
  #younger = new Map<string, Ring>()
  #elder = new Map<string, Ring>()
  #youngerSince = Number.NEGATIVE_INFINITY

  constructor(limit: number, windowMs: number) {
    this.#limit = limit
    this.#windowMs = windowMs
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#younger.size + this.#elder.size
  }

  /**
   * Counts a request of `key` at `nowMs`: 0 when it may pass, else the whole seconds after which the next one
   * passes (Retry-After).
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

  /** How many more requests of `key` may pass at `nowMs`. */
  left(key: string, nowMs: number): number {
    const ring = this.#younger.get(key) ?? this.#elder.get(key)
    if (ring === undefined) return this.#limit
    const { times, head, count } = ring
    // The first time that still counts, of times in order.
    let [low, high] = [0, count]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (times[(head + middle) % times.length]! + this.#windowMs > nowMs) high = middle
      else low = middle + 1
    }
    return this.#limit - (count - low)
  }

  /** The times after `sinceMs` at which requests were let through, in order, by key. */
  *since(sinceMs: number): Generator<[key: string, times: number[]]> {
    for (const [key, { times, head, count }] of [...this.#elder, ...this.#younger]) {
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
      this.#elder = this.#younger
      this.#younger = new Map()
      this.#youngerSince = nowMs
    }
    let ring = this.#younger.get(key)
    if (ring) return ring
    ring = this.#elder.get(key) ?? {
      times: new Float64Array(Math.min(FIRST_CAPACITY, this.#limit)),
      head: 0,
      count: 0,
    }
    this.#elder.delete(key)
    this.#younger.set(key, ring)
    return ring
  }

  #accept(ring: Ring, nowMs: number): void {
    const isFull = ring.count === ring.times.length
    if (isFull && ring.count < this.#limit && nowMs - ring.times[ring.head]! < this.#windowMs) {
      grow(ring, Math.min(2 * ring.count, this.#limit))
    }
    if (ring.count === ring.times.length) {
      // The oldest has left the window. Each time takes the place of one that is at least a window older;
      // that alone keeps the limit.
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
