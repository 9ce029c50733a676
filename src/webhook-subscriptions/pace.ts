// How many deliveries to one subscription may be under way at once. Pure: `at` is a time in milliseconds. Spec 6.5.
//
// A subscription begins with few and earns more by answering well; a failure takes it back to one at a time, and while it has not answered for a
// second it gets nothing more. So a receiver that hangs holds hardly any of the places that all receivers share, and a quick one soon has as many
// as it can use.

const few = 2
const most = 50
const patienceMs = 1_000
const rememberedMs = 60_000

/** What is under way at each subscription in this process, and how many more each may have. */
export interface Pace {
  /** How many more deliveries a subscription may start. */
  allowance(subscriptionId: string, at: number): number
  /** The allowance of every subscription that is remembered; each other one has the first allowance. */
  allowances(at: number): Record<string, number>
  start(subscriptionId: string, at: number): void
  end(subscriptionId: string, succeeded: boolean, at: number): void
}

/** The allowance of a subscription that is not remembered. */
export const firstAllowance = few

interface Remembered {
  /** most that may be under way */
  window: number
  underWay: number
  /** when it last answered, or began after a rest */
  heardAt: number
}

/** A pace that remembers nobody yet. */
export function openPace(): Pace {
  const remembered = new Map<string, Remembered>()
  const of = (id: string, at: number) => remembered.get(id) ?? { window: few, underWay: 0, heardAt: at }
  const left = ({ window, underWay, heardAt }: Remembered, at: number) =>
    underWay > 0 && at - heardAt > patienceMs ? 0 : Math.max(0, window - underWay)

  return {
    allowance: (id, at) => left(of(id, at), at),
    allowances(at) {
      const result: Record<string, number> = {}
      for (const [id, known] of remembered) {
        if (known.underWay === 0 && at - known.heardAt > rememberedMs) remembered.delete(id)
        else result[id] = left(known, at)
      }
      return result
    },
    start(id, at) {
      const { window, underWay, heardAt } = of(id, at)
      remembered.set(id, { window, underWay: underWay + 1, heardAt: underWay === 0 ? at : heardAt })
    },
    end(id, succeeded, at) {
      const { window, underWay } = of(id, at)
      remembered.set(id, { window: succeeded ? Math.min(most, window + 1) : 1, underWay: underWay - 1, heardAt: at })
    },
  }
}
