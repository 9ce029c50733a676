// Changes to the content of a rate card: pure functions that return the content with the change.

import {
  ChargeApplication,
  MetricResolution,
  RateBasis,
  RateKind,
  RateMetric,
  Relationship,
  StorageCount,
  StorageMethod,
} from '../../client/src/waybill.ts'
import type { Content, Rate, RateCharge } from './words/rate-charges.ts'

/** Moves an item of a list to another place. */
export function moved<T>(items: readonly T[], from: number, to: number): T[] {
  const [item] = items.slice(from, from + 1)
  const rest = items.toSpliced(from, 1)
  return item === undefined ? rest : rest.toSpliced(to, 0, item)
}

/** The content with another list of rates. */
export const withRates = (content: Content, rates: readonly Rate[]): Content => ({
  ...content,
  rates: [...rates],
})

/** The content in which one rate is changed. */
export const withRate = (content: Content, at: number, change: Partial<Rate>): Content =>
  withRates(
    content,
    content.rates.map((rate, i) => (i === at ? { ...rate, ...change } : rate)),
  )

/** A charge with the fields that its kind demands, and nothing else. */
export function newCharge({ kind }: Pick<Rate, 'kind'>): RateCharge {
  const id = crypto.randomUUID()
  if (kind === RateKind.Periodic)
    return { id, metric: RateMetric.Consignment, application: ChargeApplication.Fee, rateExclTax: 0 }
  const storage = { count: StorageCount.Closing, method: StorageMethod.SumOfDays }
  return {
    ...{ id, metric: RateMetric.Quantity, application: ChargeApplication.Rate, rateExclTax: 0 },
    ...(kind === RateKind.Storage ? { storage } : {}),
  }
}

/** Whether rates of a kind belong to an activity. */
export const hasActivity = (kind: number): boolean =>
  kind === RateKind.Activity || kind === RateKind.Storage || kind === RateKind.Periodic

/** The kinds of rate that a card of clients or of carriers can have. */
export const kindsOf = (relationship: number): readonly Rate['kind'][] =>
  relationship === Relationship.Carrier
    ? [RateKind.CarrierFreight]
    : [RateKind.Activity, RateKind.ClientFreight, RateKind.Storage, RateKind.Periodic]

/** A rate with one charge. */
export function newRate(name: string, kind: Rate['kind'], activityTypeId: string): Rate {
  return {
    ...{ id: crypto.randomUUID(), name, kind },
    basis: kind === RateKind.Storage ? RateBasis.Product : RateBasis.Metric,
    ...(hasActivity(kind) ? { activityTypeId } : {}),
    charges: [newCharge({ kind })],
  }
}

/** A copy of a rate or a charge, with ids of its own. */
export const copiedCharge = (charge: RateCharge): RateCharge => ({ ...charge, id: crypto.randomUUID() })
export const copiedRate = (rate: Rate): Rate => ({
  ...rate,
  id: crypto.randomUUID(),
  charges: rate.charges.map(copiedCharge),
})

/** The rate with another kind: what that kind cannot have is left out. */
export function ofKind(rate: Rate, kind: Rate['kind'], activityTypeId: string): Rate {
  const { activityTypeId: before, ...rest } = rate
  const basis =
    kind === RateKind.Storage ? RateBasis.Product : kind === RateKind.Periodic ? RateBasis.Metric : rate.basis
  const hasSameMetrics = (kind === RateKind.Periodic) === (rate.kind === RateKind.Periodic)
  const { storage } = newCharge({ kind })
  return {
    ...rest,
    ...{ kind, basis },
    ...(hasActivity(kind) ? { activityTypeId: before ?? activityTypeId } : {}),
    charges: rate.charges.map(({ storage: own, ...charge }) => ({
      ...(hasSameMetrics ? charge : { ...newCharge({ kind }), id: charge.id ?? null }),
      ...(storage == null ? {} : { storage: own ?? storage }),
    })),
  }
}

/** The charge with another metric: what only the one before needs is left out. */
export function ofMetric(charge: RateCharge, metric: RateCharge['metric']): RateCharge {
  const { unitTypeId, cubicKGPerM3, metricResolution, when, ...rest } = charge
  const isOfUnits = metric === RateMetric.UnitType || metric === RateMetric.VirtualPallet
  const { taskTypeIds, consumableTypeIds, ...others } = when ?? {}
  return {
    ...rest,
    metric,
    when: {
      ...others,
      ...(metric === RateMetric.TaskValue ? { taskTypeIds: taskTypeIds ?? [] } : {}),
      ...(metric === RateMetric.ConsumableValue ? { consumableTypeIds: consumableTypeIds ?? [] } : {}),
    },
    ...(metric === RateMetric.UnitType ? { unitTypeId: unitTypeId ?? null } : {}),
    ...(metric === RateMetric.ChargeableWeightKG ? { cubicKGPerM3: cubicKGPerM3 ?? 250 } : {}),
    ...(isOfUnits ? { metricResolution: metricResolution ?? MetricResolution.Compound } : {}),
  }
}
