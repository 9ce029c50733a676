// Warns of things in a content that its author probably did not intend. A content with warnings is still
// accepted. Pure.

import { ChargePartKind, RateKind, RateMetric } from '../../vocabulary/billing.ts'
import { MetricResolution } from '../../vocabulary/partners.ts'
import {
  type CompiledCharge,
  type CompiledSelector,
  compileCard,
  partKindOf,
} from '../evaluator/compiled-card.ts'
import type { RateCardContent } from '../evaluator/rate-card-content.ts'

/** The metrics that every part has. */
const universalMetrics: readonly RateMetric[] = [
  RateMetric.Consignment,
  RateMetric.Quantity,
  RateMetric.Lines,
  RateMetric.TaskValue,
  RateMetric.ConsumableValue,
]

/** Whether one selector matches whenever another does. */
const isWider = (wide: CompiledSelector, narrow: CompiledSelector | undefined): boolean =>
  narrow !== undefined && [...narrow.values].every(value => wide.values.has(value))

/** Whether a charge takes everything that a later charge of its rate could take. */
function leavesNothing(earlier: CompiledCharge, later: CompiledCharge): boolean {
  if (!universalMetrics.includes(earlier.metric)) return false
  const takes =
    earlier.partKind === later.partKind ||
    (earlier.partKind === ChargePartKind.Consignment && later.partKind === ChargePartKind.Line)
  const narrower = [...later.headerSelectors, ...later.partSelectors]
  return (
    takes &&
    [...earlier.headerSelectors, ...earlier.partSelectors].every(wide =>
      isWider(
        wide,
        narrower.find(({ name }) => name === wide.name),
      ),
    )
  )
}

/** The warnings about a content without faults, as sentences that begin with a path. */
export function contentWarnings(content: RateCardContent): string[] {
  const { rates } = compileCard(content)
  return rates.flatMap(({ kind, charges, content: rate }, r) => {
    const unreachable = charges.flatMap((later, c) => {
      const earlier = charges.slice(0, c).findIndex(charge => leavesNothing(charge, later))
      return earlier < 0
        ? []
        : [`content.rates[${r}].charges[${c}] is never reached: charges[${earlier}] leaves nothing for it.`]
    })
    const isOfParts = kind !== RateKind.Periodic && charges.some(({ metric }) => isOfGoods(metric))
    const last = charges.filter(({ metric }) => isOfGoods(metric)).at(-1)
    const isOpen =
      isOfParts &&
      last !== undefined &&
      (last.headerSelectors.length + last.partSelectors.length > 0 ||
        last.content.metricResolution === MetricResolution.Cascade)
    return isOpen
      ? [...unreachable, `content.rates[${r}] (${rate.name}) has no charge at its end that takes the rest.`]
      : unreachable
  })
}

const isOfGoods = (metric: RateMetric): boolean => {
  const kind = partKindOf(metric)
  return kind === ChargePartKind.Line || kind === ChargePartKind.Consignment
}
