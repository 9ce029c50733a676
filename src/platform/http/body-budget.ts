// How many bytes of request bodies may be in memory at once, and whose turn it is with a large one.

/** Bodies larger than this take turns. */
export const largeBytes = 1_048_576

export interface BodyLimits {
  /** bytes of all bodies together */
  all: number
  /** bytes of the bodies of one organisation */
  organisation: number
  /** large bodies of one organisation that are read and handled at a time */
  largeAtOnce: number
  /**
   * how long the organisation rests after a large body, as a share of the time that it took: others have the
   * processors to themselves then
   */
  restShare: number
}

const mebibyte = 1_048_576
const maxRestMs = 1_000
const usual: BodyLimits = {
  all: 320 * mebibyte,
  organisation: 128 * mebibyte,
  largeAtOnce: 1,
  restShare: 0.5,
}

/** What one request holds of the budget. */
export interface BodyShare {
  /** Counts bytes that have come; false when there is no room for them, and then they are not counted. */
  add(bytes: number): boolean
  /**
   * Resolves when a large body may be parsed: at once, or when earlier ones of the organisation are done and
   * it has rested.
   * False where the share was released meanwhile, and nobody waits for the body any more.
   */
  turn(): Promise<boolean>
  /** Gives everything back. May be repeated. */
  release(): void
}

/** What the requests of one organisation hold. */
interface Holding {
  shares: number
  bytes: number
  turns: number
  waiting: (() => void)[]
}

/** Opens the budget; every request with a body asks for a share of it and releases it when it is answered. */
export function openBodyBudget(limits: BodyLimits = usual): (organisationId: string) => BodyShare {
  const holdings = new Map<string, Holding>()
  let total = 0

  return organisationId => {
    const holding = holdings.get(organisationId) ?? { shares: 0, bytes: 0, turns: 0, waiting: [] }
    holdings.set(organisationId, holding)
    holding.shares++
    let held = 0
    let hasTurn = false
    let began = 0
    let isReleased = false

    function endTurn(): void {
      const next = holding.waiting.shift()
      if (next === undefined) holding.turns--
      else next()
      forgetIdle()
    }
    function forgetIdle(): void {
      if (holding.shares === 0 && holding.turns === 0) holdings.delete(organisationId)
    }
    return {
      add(bytes) {
        if (total + bytes > limits.all || holding.bytes + bytes > limits.organisation) return false
        held += bytes
        total += bytes
        holding.bytes += bytes
        return true
      },
      async turn() {
        if (holding.turns < limits.largeAtOnce) holding.turns++
        else await new Promise<void>(resolve => holding.waiting.push(resolve))
        // It may have been released while it waited.
        if (isReleased) endTurn()
        else hasTurn = true
        began = performance.now()
        return hasTurn
      },
      release() {
        if (isReleased) return
        isReleased = true
        total -= held
        holding.bytes -= held
        holding.shares--
        if (hasTurn) setTimeout(endTurn, Math.min(maxRestMs, (performance.now() - began) * limits.restShare))
        forgetIdle()
      },
    }
  }
}
