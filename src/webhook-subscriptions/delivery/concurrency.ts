// Limits how many deliveries are in progress at once: to one subscription, of one organisation, and in total.
// Pure: `at` is a time in milliseconds. Spec 6.5.
//
// A subscription begins with a small window, which grows with every success. A failure reduces the window to
// one delivery, and a subscription that has not responded for a second gets nothing more. A receiver that
// hangs therefore holds only a few of the slots that all receivers share, and a quick one soon has as many as
// it can use.
//
// Organisations share the slots of a process, so receivers of one that hang, however many, always leave slots
// for those of another.

import { SharedSlots } from '../../platform/work/shared-slots.ts'

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
  const slots = new SharedSlots(totalSlots)
  const remaining = ({ organisationId, window, active, lastResponseAt }: SubscriptionState, at: number) =>
    slots.hasFairShare(organisationId) || (active > 0 && at - lastResponseAt > maxSilenceMs)
      ? 0
      : Math.max(0, window - active)

  return {
    claimLimit: () => Math.ceil(slots.free * maxShareOfClaim),
    saturatedOrganisations: () => slots.ownersWithFairShare(),
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
      slots.take(organisationId)
    },
    end({ organisationId, subscriptionId }, succeeded, at) {
      const { window, active } = states.get(subscriptionId) as SubscriptionState
      states.set(subscriptionId, {
        organisationId,
        window: succeeded ? Math.min(maxWindow, window + 1) : 1,
        active: active - 1,
        lastResponseAt: at,
      })
      slots.release(organisationId)
    },
  }
}
