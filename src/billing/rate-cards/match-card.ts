// A card held against a consignment as a whole: which of its charges are for it. Pure. It is the same for all
// consignments with equal headers.

import { type RateChargeOutcome, RateKind } from '../enumerations.ts'
import type { PricedRow } from './bands.ts'
import type { ChargeHeader } from './charge-input.ts'
import type { CompiledCard, CompiledCharge, CompiledRate } from './compiled-card.ts'
import { failingSelectors, headerValue, matchesHeader } from './match.ts'
import type { MeasuredGroup } from './metrics.ts'

/** Whose card it is. */
export type ChargedSide = 'client' | 'carrier'

/** What a charge did, for those who want to know. */
export interface ChargeTrace {
  charge: CompiledCharge
  outcome: RateChargeOutcome
  rows: { measured: MeasuredGroup; priced: readonly PricedRow[] }[]
  unmeasured: readonly number[]
}

/** A rate whose charges have been held against the consignment as a whole. */
export interface MatchedRate {
  rate: CompiledRate
  /** of each charge, whether the selectors of the consignment as a whole hold */
  headerMatches: readonly boolean[]
  hasMatch: boolean
  /** the charges that only lack a locality of an end of the way that is in none */
  lackingLocality: readonly CompiledCharge[]
}

/**
 * A card held against a consignment as a whole: which of its charges are for it. It is the same for all
 * consignments with equal headers.
 */
export interface MatchedCard {
  side: ChargedSide
  rates: readonly MatchedRate[]
  hasFreight: boolean
}

/** Whether a rate is one of freight. */
export const isFreight = (kind: RateKind): boolean =>
  kind === RateKind.ClientFreight || kind === RateKind.CarrierFreight

/** Which kinds of rates a consignment is charged by on each side. */
const kindsOf = {
  client: [RateKind.Activity, RateKind.ClientFreight] as readonly RateKind[],
  carrier: [RateKind.CarrierFreight] as readonly RateKind[],
}

/** The rates of one side of a card. */
export const ratesOf = ({ rates }: CompiledCard, side: ChargedSide): readonly CompiledRate[] =>
  rates.filter(({ kind }) => kindsOf[side].includes(kind))

/** Holds the rates of one side of a card against a consignment as a whole. */
export function matchCard(card: CompiledCard, side: ChargedSide, header: ChargeHeader): MatchedCard {
  const ofSide = ratesOf(card, side)
  return {
    side,
    hasFreight: ofSide.some(({ kind }) => isFreight(kind)),
    rates: ofSide.map(rate => {
      const headerMatches = rate.charges.map(charge => matchesHeader(charge, header))
      return {
        rate,
        headerMatches,
        hasMatch: headerMatches.includes(true),
        lackingLocality: rate.charges.filter(
          (charge, c) => !headerMatches[c] && lacksLocality(charge, header),
        ),
      }
    }),
  }
}

/** What a charge did that took nothing. */
export const emptyTrace = (charge: CompiledCharge, outcome: RateChargeOutcome): ChargeTrace => ({
  charge,
  outcome,
  rows: [],
  unmeasured: [],
})

/** Whether charges of a rate hold but for an end of the way that is in no locality at all. */
const lacksLocality = (charge: CompiledCharge, header: ChargeHeader): boolean =>
  failingSelectors(charge, header).every(
    ({ name }) =>
      (name === 'originLocalityIds' || name === 'destinationLocalityIds') &&
      (headerValue(name, header) as readonly string[]).length === 0,
  )
