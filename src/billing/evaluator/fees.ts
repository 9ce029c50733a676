// The fees that a card charges once per billing period. Pure.

import { RateKind } from '../../vocabulary/billing.ts'
import { type PricedRow, priceRows } from './bands.ts'
import type { CompiledCard, CompiledCharge, CompiledRate } from './compiled-card.ts'
import { powerOfTen } from './exact.ts'

/** A fee: a rate charge and its priced row. */
export interface Fee {
  rate: CompiledRate
  charge: CompiledCharge
  row: PricedRow
}

/** Prices a rate charge as a fee. */
export const feeRows = (charge: CompiledCharge): PricedRow[] => priceRows(charge, powerOfTen(6), 0) ?? []

/**
 * The fees of a card. Only the first charge of a rate applies, because it takes the whole period. A free
 * charge makes no fee.
 */
export const feesOf = ({ rates }: CompiledCard): Fee[] =>
  rates.flatMap(rate => {
    const [charge] = rate.charges
    if (rate.kind !== RateKind.Periodic || charge === undefined || charge.isFree) return []
    return feeRows(charge).map(row => ({ rate, charge, row }))
  })
