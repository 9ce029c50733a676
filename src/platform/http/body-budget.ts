// Limits the bytes of request bodies in memory, and lets large bodies be handled one after another.

/** Bodies larger than this take turns, in bytes. */
export const largeBytes = 1_048_576

export interface BodyLimits {
  /** bytes of all bodies together */
  total: number
  /** bytes of the bodies of one organisation */
  perOrganisation: number
  /** large bodies of one organisation that are handled at the same time */
  maxLarge: number
  /**
   * the pause of the organisation after a large body, as a fraction of the time that the body took; it leaves
   * the processors to other organisations
   */
  pauseShare: number
}

const mebibyte = 1_048_576
const maxPauseMs = 1_000
const defaultLimits: BodyLimits = {
  total: 320 * mebibyte,
  perOrganisation: 128 * mebibyte,
  maxLarge: 1,
  pauseShare: 1,
}

/** The share of the budget that one request holds. */
export interface BodyShare {
  /**
   * Counts bytes that have arrived. Returns false, and counts nothing, if the budget has no room for them.
   */
  add(bytes: number): boolean
  /**
   * Resolves when a large body may be parsed: at once, or after earlier ones of the organisation and the
   * pause. Resolves with false if the share was released in the meantime, so the body is no longer needed.
   */
  turn(): Promise<boolean>
  /** Returns everything to the budget. May be called repeatedly. */
  release(): void
}

/** The usage of one organisation. */
interface Usage {
  shares: number
  bytes: number
  turns: number
  waiting: (() => void)[]
}

/**
 * Opens the budget. Every request with a body takes a share, and releases it when its response has been sent.
 */
export function createBodyBudget(limits: BodyLimits = defaultLimits): (organisationId: string) => BodyShare {
  const usages = new Map<string, Usage>()
  let total = 0

  return organisationId => {
    const usage = usages.get(organisationId) ?? { shares: 0, bytes: 0, turns: 0, waiting: [] }
    usages.set(organisationId, usage)
    usage.shares++
    let held = 0
    let hasTurn = false
    let startedAt = 0
    let isReleased = false

    function endTurn(): void {
      const next = usage.waiting.shift()
      if (next === undefined) usage.turns--
      else next()
      forgetIdle()
    }
    function forgetIdle(): void {
      if (usage.shares === 0 && usage.turns === 0) usages.delete(organisationId)
    }
    return {
      add(bytes) {
        if (total + bytes > limits.total || usage.bytes + bytes > limits.perOrganisation) return false
        held += bytes
        total += bytes
        usage.bytes += bytes
        return true
      },
      async turn() {
        if (usage.turns < limits.maxLarge) usage.turns++
        else await new Promise<void>(resolve => usage.waiting.push(resolve))
        // The share may have been released while it waited.
        if (isReleased) endTurn()
        else hasTurn = true
        startedAt = performance.now()
        return hasTurn
      },
      release() {
        if (isReleased) return
        isReleased = true
        total -= held
        usage.bytes -= held
        usage.shares--
        if (hasTurn)
          setTimeout(endTurn, Math.min(maxPauseMs, (performance.now() - startedAt) * limits.pauseShare))
        forgetIdle()
      },
    }
  }
}
