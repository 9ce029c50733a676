// The parts that a rate has not charged yet, with a cache of measurements. Every rate begins with all parts
// of the consignment. Charges that measure alike get the same result on all parts, whatever their prices, so
// that measurement is made once. Pure.

import { ChargePartKind } from '../../vocabulary/billing.ts'
import type { CompiledCharge } from './compiled-card.ts'
import { type MeasuredGroup, type Measurement, measure, type Parts } from './metrics.ts'
import { copyOf, fullPool, type Pool, takeConsignment, takeFrom } from './pool.ts'

/** A measurement of all parts, and the pool that is left when all of it is taken. */
interface FullMeasurement {
  measurement: Measurement
  left: Pool | undefined
}

/** All parts of a consignment, with the measurements that charges have made of them. The pool stays full. */
export interface MeasurementCache {
  input: Parts
  full: Pool
  /** by `measureKey` */
  measured: Map<string, FullMeasurement>
}

/** Creates an empty cache for some parts. */
export const createMeasurementCache = (input: Parts): MeasurementCache => ({
  input,
  full: fullPool(input),
  measured: new Map(),
})

/** The parts that one rate has not charged yet, as its charges take them one after the other. */
export class RatePool {
  readonly #cache: MeasurementCache
  /** shared with other rates until this rate takes something that they may not have taken */
  #pool: Pool
  #isOwn = false
  /** the latest measurement, if it was of all parts */
  #fullMeasurement: FullMeasurement | undefined

  constructor(cache: MeasurementCache) {
    this.#cache = cache
    this.#pool = cache.full
  }

  /** The parts that are left. */
  get pool(): Pool {
    return this.#pool
  }

  /** Measures the parts that are left for a charge that matches the consignment's header. */
  measure(charge: CompiledCharge): Measurement {
    const { input, full, measured } = this.#cache
    this.#fullMeasurement = undefined
    if (this.#pool !== full) return measure(charge, input, this.#pool)
    let fullMeasurement = measured.get(charge.measureKey)
    if (fullMeasurement === undefined) {
      fullMeasurement = { measurement: measure(charge, input, full), left: undefined }
      measured.set(charge.measureKey, fullMeasurement)
    }
    this.#fullMeasurement = fullMeasurement
    return fullMeasurement.measurement
  }

  /** Takes the charged groups, `taken`, of the measurement that was just made for a charge. */
  take(charge: CompiledCharge, { groups }: Measurement, taken: readonly MeasuredGroup[]): void {
    const isAll = this.#fullMeasurement !== undefined && taken.length === groups.length
    if (isAll && this.#fullMeasurement?.left !== undefined) {
      this.#pool = this.#fullMeasurement.left
      return
    }
    if (!this.#isOwn) this.#pool = copyOf(this.#pool)
    for (const { takes } of taken) takeFrom(this.#pool, takes)
    if (charge.partKind === ChargePartKind.Consignment) takeConsignment(this.#pool)
    this.#isOwn = !isAll
    if (isAll) (this.#fullMeasurement as FullMeasurement).left = this.#pool
  }
}
