// Limits how many deliveries are in progress at once: to one subscription, of one organisation, and in total.
// Pure: `at` is a time in milliseconds. Spec 6.5.
//
// A subscription begins with a small window, which grows with every success. A failure reduces the window to
// one delivery, and a subscription that has not responded for a second gets nothing more. A receiver that
// hangs therefore holds only a few of the slots that all receivers share, and a quick one soon has as many as
// it can use.
//
// An organisation gets no more slots while it holds as many as are free. An organisation on its own gets
// about half of the slots, two get a third each, and receivers of one organisation that hang, however many,
// always leave slots for those of another.

const firstWindow = 2
const maxWindow = 50
const maxSilenceMs = 1_000
const retentionMs = 60_000
const totalSlots = 1_000
// A claim may consist of deliveries of a single organisation, so it takes only a part of the free slots.
const maxShareOfClaim = 1 / 4

/** The subscription of a delivery. */
export interface SubscriptionKey {
  organisationId: string
  subscriptionId: string
}

/**
 * The deliveries that this process has in progress to each subscription, and how many more may be started.
 */
export interface Concurrency {
  /** How many deliveries the next claim may take. */
  claimLimit(): number
  /** The organisations for which no more deliveries may be started. */
  saturatedOrganisations(): string[]
  /** How many more deliveries to a subscription may be started. */
  allowance(subscriptionId: string, at: number): number
  /**
   * The allowance of every known subscription. All others have `firstAllowance`, unless their organisation is
   * saturated.
   */
  allowances(at: number): Record<string, number>
  start(destination: SubscriptionKey, at: number): void
  end(destination: SubscriptionKey, succeeded: boolean, at: number): void
}

/** The allowance of a subscription of which nothing is known. */
export const firstAllowance = firstWindow

interface SubscriptionState {
  organisationId: string
  /** how many deliveries may be in progress */
  window: number
  active: number
  /** when the receiver last responded, or when a delivery was started while none was in progress */
  lastResponseAt: number
}

/** Begins without any known subscription. */
export function createConcurrency(): Concurrency {
  const states = new Map<string, SubscriptionState>()
  /** deliveries in progress by organisation; organisations without any are left out */
  const activeByOrganisation = new Map<string, number>()
  let freeSlots = totalSlots
  const isSaturated = (organisationId: string) => (activeByOrganisation.get(organisationId) ?? 0) >= freeSlots
  const remaining = ({ organisationId, window, active, lastResponseAt }: SubscriptionState, at: number) =>
    isSaturated(organisationId) || (active > 0 && at - lastResponseAt > maxSilenceMs)
      ? 0
      : Math.max(0, window - active)

  return {
    claimLimit: () => Math.ceil(freeSlots * maxShareOfClaim),
    // While more than half of the slots are free, no organisation can hold as many.
    saturatedOrganisations: () =>
      freeSlots > totalSlots / 2 ? [] : [...activeByOrganisation.keys()].filter(isSaturated),
    allowance(id, at) {
      const state = states.get(id)
      return state ? remaining(state, at) : firstWindow
    },
    allowances(at) {
      const result: Record<string, number> = {}
      for (const [id, state] of states) {
        if (state.active === 0 && at - state.lastResponseAt > retentionMs) states.delete(id)
        else result[id] = remaining(state, at)
      }
      return result
    },
    start({ organisationId, subscriptionId }, at) {
      const { window, active, lastResponseAt } = states.get(subscriptionId) ?? {
        window: firstWindow,
        active: 0,
        lastResponseAt: at,
      }
      states.set(subscriptionId, {
        organisationId,
        window,
        active: active + 1,
        lastResponseAt: active === 0 ? at : lastResponseAt,
      })
      activeByOrganisation.set(organisationId, (activeByOrganisation.get(organisationId) ?? 0) + 1)
      freeSlots--
    },
    end({ organisationId, subscriptionId }, succeeded, at) {
      const { window, active } = states.get(subscriptionId) as SubscriptionState
      states.set(subscriptionId, {
        organisationId,
        window: succeeded ? Math.min(maxWindow, window + 1) : 1,
        active: active - 1,
        lastResponseAt: at,
      })
      const activeCount = (activeByOrganisation.get(organisationId) as number) - 1
      if (activeCount > 0) activeByOrganisation.set(organisationId, activeCount)
      else activeByOrganisation.delete(organisationId)
      freeSlots++
    },
  }
}
