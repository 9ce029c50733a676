// How many deliveries may be under way at once: to one subscription, of one organisation, and in all. Pure:
// `at` is a time in milliseconds. Spec 6.5.
//
// A subscription begins with few and earns more by answering well; a failure takes it back to one at a time,
// and while it has not answered for a second it gets nothing more. So a receiver that hangs holds hardly any
// of the places that all receivers share, and a quick one soon has as many as it can use.
//
// An organisation gets no more places while it holds as many as are free. Alone it has about half of them,
// two have a third each, and however many receivers of one hang, those of another find places.

const firstWindow = 2
const maxWindow = 50
const patienceMs = 1_000
const rememberedMs = 60_000
const places = 1_000
// One claim may be all of one organisation, so it takes only a part of what is free.
const partAtOnce = 1 / 4

/** The subscription of a delivery. */
export interface Destination {
  organisationId: string
  subscriptionId: string
}

/** What is under way at each subscription in this process, and how many more each may have. */
export interface Concurrency {
  /** How many more deliveries may be started before it is asked again. */
  room(): number
  /** The organisations that may start nothing. */
  crowded(): string[]
  /** How many more deliveries a subscription may start. */
  allowance(subscriptionId: string, at: number): number
  /**
   * The allowance of every subscription that is remembered; each other one has the first allowance, unless
   * its organisation is crowded.
   */
  allowances(at: number): Record<string, number>
  start(destination: Destination, at: number): void
  end(destination: Destination, succeeded: boolean, at: number): void
}

/** The allowance of a subscription that is not remembered. */
export const firstAllowance = firstWindow

interface Remembered {
  organisationId: string
  /** most that may be under way */
  window: number
  underWay: number
  /** when it last answered, or began after a rest */
  heardAt: number
}

/** Remembers nobody yet. */
export function openConcurrency(): Concurrency {
  const remembered = new Map<string, Remembered>()
  /** what is under way of each organisation; none stands at 0 */
  const held = new Map<string, number>()
  let free = places
  const isCrowded = (organisationId: string) => (held.get(organisationId) ?? 0) >= free
  const left = ({ organisationId, window, underWay, heardAt }: Remembered, at: number) =>
    isCrowded(organisationId) || (underWay > 0 && at - heardAt > patienceMs)
      ? 0
      : Math.max(0, window - underWay)

  return {
    room: () => Math.ceil(free * partAtOnce),
    // While more than half is free nobody can hold as much.
    crowded: () => (free > places / 2 ? [] : [...held.keys()].filter(isCrowded)),
    allowance(id, at) {
      const known = remembered.get(id)
      return known ? left(known, at) : firstWindow
    },
    allowances(at) {
      const result: Record<string, number> = {}
      for (const [id, known] of remembered) {
        if (known.underWay === 0 && at - known.heardAt > rememberedMs) remembered.delete(id)
        else result[id] = left(known, at)
      }
      return result
    },
    start({ organisationId, subscriptionId }, at) {
      const { window, underWay, heardAt } = remembered.get(subscriptionId) ?? {
        window: firstWindow,
        underWay: 0,
        heardAt: at,
      }
      remembered.set(subscriptionId, {
        organisationId,
        window,
        underWay: underWay + 1,
        heardAt: underWay === 0 ? at : heardAt,
      })
      held.set(organisationId, (held.get(organisationId) ?? 0) + 1)
      free--
    },
    end({ organisationId, subscriptionId }, succeeded, at) {
      const { window, underWay } = remembered.get(subscriptionId) as Remembered
      remembered.set(subscriptionId, {
        organisationId,
        window: succeeded ? Math.min(maxWindow, window + 1) : 1,
        underWay: underWay - 1,
        heardAt: at,
      })
      const others = (held.get(organisationId) as number) - 1
      if (others > 0) held.set(organisationId, others)
      else held.delete(organisationId)
      free++
    },
  }
}
