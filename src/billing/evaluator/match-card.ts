// Matches a rate card with the header of a consignment, to find the charges that apply. Pure. The result is
// the same for all consignments with equal headers.

import { type RateChargeOutcome, RateKind } from '../../vocabulary/billing.ts'
import type { PricedRow } from './bands.ts'
import type { ChargeHeader } from './charge-input.ts'
import type { CompiledCard, CompiledCharge, CompiledRate } from './compiled-card.ts'
import { failingSelectors, headerValue, matchesHeader } from './match.ts'
import type { MeasuredGroup } from './metrics.ts'

/** The side of a consignment that a card charges. */
export type ChargedSide = 'client' | 'carrier'

/** What the evaluator did with one charge. */
export interface ChargeTrace {
  charge: CompiledCharge
  outcome: RateChargeOutcome
  rows: { measured: MeasuredGroup; priced: readonly PricedRow[] }[]
  unmeasured: readonly number[]
}

/** A rate whose charges have been matched with the consignment's header. */
export interface MatchedRate {
  rate: CompiledRate
  /** for each charge, whether its selectors of the consignment as a whole match */
  headerMatches: readonly boolean[]
  hasMatch: boolean
  /** the charges that would match if the origin or destination were in a known locality */
  lackingLocality: readonly CompiledCharge[]
}

/** A card matched with the header of a consignment. */
export interface MatchedCard {
  side: ChargedSide
  rates: readonly MatchedRate[]
  hasFreight: boolean
}

/** Whether a kind of rate is freight. */
export const isFreight = (kind: RateKind): boolean =>
  kind === RateKind.ClientFreight || kind === RateKind.CarrierFreight

/** The kinds of rates that charge a consignment on each side. */
const kindsOf = {
  client: [RateKind.Activity, RateKind.ClientFreight] as readonly RateKind[],
  carrier: [RateKind.CarrierFreight] as readonly RateKind[],
}

/** The rates of one side of a card. */
export const ratesOf = ({ rates }: CompiledCard, side: ChargedSide): readonly CompiledRate[] =>
  rates.filter(({ kind }) => kindsOf[side].includes(kind))

/** Matches the rates of one side of a card with the header of a consignment. */
export function matchCard(card: CompiledCard, side: ChargedSide, header: ChargeHeader): MatchedCard {
  const rates = ratesOf(card, side)
  return {
    side,
    hasFreight: rates.some(({ kind }) => isFreight(kind)),
    rates: rates.map(rate => {
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

/** The trace of a charge that took nothing. */
export const emptyTrace = (charge: CompiledCharge, outcome: RateChargeOutcome): ChargeTrace => ({
  charge,
  outcome,
  rows: [],
  unmeasured: [],
})

/** Whether a charge fails only because the origin or destination is in no known locality. */
const lacksLocality = (charge: CompiledCharge, header: ChargeHeader): boolean =>
  failingSelectors(charge, header).every(
    ({ name }) =>
      (name === 'originLocalityIds' || name === 'destinationLocalityIds') &&
      (headerValue(name, header) as readonly string[]).length === 0,
  )
