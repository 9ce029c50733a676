// The fees that a card asks for once a billing period. Pure.

import { RateKind } from '../enumerations.ts'
import { type PricedRow, priceRows } from './bands.ts'
import type { CompiledCard, CompiledCharge, CompiledRate } from './compiled-card.ts'
import { powerOfTen } from './exact.ts'

/** A fee: a rate charge, and what it comes to. */
export interface Fee {
  rate: CompiledRate
  charge: CompiledCharge
  row: PricedRow
}

/** What a rate charge comes to as a fee. */
export const feeRows = (charge: CompiledCharge): PricedRow[] => priceRows(charge, powerOfTen(6), 0) ?? []

/**
 * The fees of a card, each once: of a rate the first charge takes the period, and leaves the others nothing.
 * One that is free is none.
 */
export const feesOf = ({ rates }: CompiledCard): Fee[] =>
  rates.flatMap(rate => {
    const [charge] = rate.charges
    if (rate.kind !== RateKind.Periodic || charge === undefined || charge.isFree) return []
    return feeRows(charge).map(row => ({ rate, charge, row }))
  })
