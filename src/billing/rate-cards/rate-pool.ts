// What a consignment offers to its rates: each of them begins with all of it. What is measured on all parts
// is the same for all charges that measure alike, whatever they cost, so it is measured once. Pure.

import { ChargePartKind } from '../enumerations.ts'
import type { CompiledCharge } from './compiled-card.ts'
import { type MeasuredGroup, type Measurement, measure, type Parts } from './metrics.ts'
import { copyOf, fullPool, type Pool, takeConsignment, takeFrom } from './pool.ts'

/** What is measured on all parts, and what is left when all of that is taken. */
interface OnAll {
  measurement: Measurement
  left: Pool | undefined
}

/** All parts of a consignment. The pool stays full. */
export interface MeasurementCache {
  input: Parts
  full: Pool
  /** by how it is measured */
  measured: Map<string, OnAll>
}

/** The offer of some parts. */
export const createMeasurementCache = (input: Parts): MeasurementCache => ({
  input,
  full: fullPool(input),
  measured: new Map(),
})

/** What one rate takes of an offer, charge after charge. */
export class RatePool {
  readonly #offer: MeasurementCache
  /** what is left: shared with other rates until something is taken that they may not have taken */
  #pool: Pool
  #isOwn = false
  /** what the latest charge measured, where it was on all parts */
  #onAll: OnAll | undefined

  constructor(offer: MeasurementCache) {
    this.#offer = offer
    this.#pool = offer.full
  }

  /** What is left. */
  get pool(): Pool {
    return this.#pool
  }

  /** What a charge whose selectors of the consignment hold measures on what is left. */
  measure(charge: CompiledCharge): Measurement {
    const { input, full, measured } = this.#offer
    this.#onAll = undefined
    if (this.#pool !== full) return measure(charge, input, this.#pool)
    let onAll = measured.get(charge.measureKey)
    if (onAll === undefined) {
      onAll = { measurement: measure(charge, input, full), left: undefined }
      measured.set(charge.measureKey, onAll)
    }
    this.#onAll = onAll
    return onAll.measurement
  }

  /** Takes what of a charge's measurement, made just now, is charged: all of it where all could be. */
  take(charge: CompiledCharge, { groups }: Measurement, taken: readonly MeasuredGroup[]): void {
    const isAll = this.#onAll !== undefined && taken.length === groups.length
    if (isAll && this.#onAll?.left !== undefined) {
      this.#pool = this.#onAll.left
      return
    }
    if (!this.#isOwn) this.#pool = copyOf(this.#pool)
    for (const { takes } of taken) takeFrom(this.#pool, takes)
    if (charge.partKind === ChargePartKind.Consignment) takeConsignment(this.#pool)
    this.#isOwn = !isAll
    if (isAll) (this.#onAll as OnAll).left = this.#pool
  }
}
