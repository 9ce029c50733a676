// Explains what the evaluator did: every rate and charge that it tried, and the steps from a measured
// quantity to an amount. Pure: it describes the traces of evaluate.ts and decides nothing.

import { MetricRounding, RateBreaks, RateChargeOutcome } from '../../vocabulary/billing.ts'
import type { PricedRow } from './bands.ts'
import type { ChargeInput } from './charge-input.ts'
import type { CompiledCharge } from './compiled-card.ts'
import type { RateTrace } from './evaluate.ts'
import { add, divideRounded, type ExactInteger, maxOf, minOf, multiply, powerOfTen, textOf } from './exact.ts'
import { failingSelectors, headerValue } from './match.ts'
import type { ChargeTrace } from './match-card.ts'
import type { MeasuredGroup } from './metrics.ts'

/** One step from the measured quantity to the amount; values are decimals as text. */
export interface Step {
  name:
    | 'convert'
    | 'measure'
    | 'metric'
    | 'rounding'
    | 'band'
    | 'rate'
    | 'base'
    | 'min'
    | 'max'
    | 'faf'
    | 'amount'
  from: string
  operation: string
  to: string
}

/** A metric or a rate as text. */
export const metricText = (value: ExactInteger) => textOf(6, value)
/** The rule by which a metric is rounded, in words. */
export const roundingText = ({ rounding, roundTo }: Pick<CompiledCharge, 'rounding' | 'roundTo'>): string =>
  `${rounding === MetricRounding.Up ? 'up' : 'nearest'} to a multiple of ${metricText(roundTo)}`
const sum = (value: ExactInteger) => textOf(12, value)

/** The steps of one row. Sums are shown with twelve places until the last step rounds to the cent. */
export function stepsOf(
  charge: CompiledCharge,
  measured: MeasuredGroup,
  row: PricedRow,
  faf: ExactInteger,
): Step[] {
  const steps: Step[] = []
  const { unrounded, metric } = measured
  if (unrounded !== metric)
    steps.push({
      name: 'rounding',
      from: metricText(unrounded),
      operation: roundingText(charge),
      to: metricText(metric),
    })
  if (row.band !== null)
    steps.push({
      name: 'band',
      from: metricText(metric),
      operation: `band ${row.band}${charge.breaks === RateBreaks.Progressive ? ', its part' : ''}`,
      to: metricText(row.metric),
    })
  let at = multiply(row.metric, row.rate)
  steps.push({
    name: 'rate',
    from: metricText(row.metric),
    operation: `× ${metricText(row.rate)}`,
    to: sum(at),
  })
  const step = (name: Step['name'], operation: string, to: ExactInteger) => {
    steps.push({ name, from: sum(at), operation, to: sum(to) })
    at = to
  }
  const cents = (amount: ExactInteger) => multiply(amount, powerOfTen(10))
  if (!charge.isFee) {
    if (row.base !== null) step('base', `+ ${textOf(2, row.base)}`, add(at, cents(row.base)))
    if (charge.min !== null) step('min', `at least ${textOf(2, charge.min)}`, maxOf(at, cents(charge.min)))
    if (charge.max !== null) step('max', `at most ${textOf(2, charge.max)}`, minOf(at, cents(charge.max)))
  }
  if (faf !== 0) {
    const raised = multiply(at, add(powerOfTen(6), faf))
    steps.push({
      name: 'faf',
      from: sum(at),
      operation: `× (1 + ${metricText(faf)})`,
      to: textOf(18, raised),
    })
    const amount = divideRounded(raised, multiply(powerOfTen(10), powerOfTen(6)))
    return [
      ...steps,
      { name: 'amount', from: textOf(18, raised), operation: 'to the cent', to: textOf(2, amount) },
    ]
  }
  const amount = divideRounded(at, powerOfTen(10))
  return [...steps, { name: 'amount', from: sum(at), operation: 'to the cent', to: textOf(2, amount) }]
}

/** A selector that does not match. */
export interface FailedSelector {
  selector: string
  wanted: (string | number | boolean)[]
  found: (string | number | boolean)[]
}

/** The selectors of the consignment as a whole because of which a charge was not tried. */
export const failedSelectors = (charge: CompiledCharge, { header }: ChargeInput): FailedSelector[] =>
  failingSelectors(charge, header).map(({ name, values }) => ({
    selector: name,
    wanted: [...values],
    found: [headerValue(name, header) ?? []].flat() as FailedSelector['found'],
  }))

/** What the evaluator did with a charge. */
export interface ChargeExplanation {
  rateChargeId: string
  note: string | null
  outcome: RateChargeOutcome
  failed: FailedSelector[]
  rows: { partKey: string; metric: number; parts: number[]; amounts: number[] }[]
  unmeasured: number[]
}

/** What the evaluator did with a rate and its charges. */
export interface RateExplanation {
  rateId: string
  name: string
  kind: number
  amountExclTax: number | null
  charges: ChargeExplanation[]
}

/** Explains what the evaluator did with each rate. */
export const explainRates = (traces: readonly RateTrace[], input: ChargeInput): RateExplanation[] =>
  traces.map(({ rate, charges, amount, isLost }) => ({
    rateId: rate.content.id,
    name: rate.content.name,
    kind: rate.kind,
    amountExclTax: amount === null ? null : Number(textOf(2, amount)),
    charges: charges.map(trace => explainCharge(trace, isLost, input)),
  }))

function explainCharge(
  { charge, outcome, rows, unmeasured }: ChargeTrace,
  isLost: boolean,
  input: ChargeInput,
) {
  const isTaken = outcome === RateChargeOutcome.Taken
  return {
    rateChargeId: charge.content.id,
    note: charge.content.note ?? null,
    outcome: isTaken && isLost ? RateChargeOutcome.LostResolution : outcome,
    failed: outcome === RateChargeOutcome.NoMatch ? failedSelectors(charge, input) : [],
    rows: rows.map(({ measured, priced }) => ({
      partKey: measured.key,
      metric: Number(metricText(measured.metric)),
      parts: measured.takes.map(({ part }) => part),
      amounts: priced.map(({ amount }) => Number(textOf(2, amount))),
    })),
    unmeasured: [...unmeasured],
  }
}
