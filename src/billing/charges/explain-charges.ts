// Explains the charges of a consignment, in the form that the API returns. Decision 7.

import { IntegerEnum, named, nullable, Type, Uuid } from '../../platform/http/schema.ts'
import { RateChargeOutcome, RateKind } from '../../vocabulary/billing.ts'
import { explainRates, type RateExplanation } from '../evaluator/explain.ts'
import { type BillableConsignment, describePart, inputOf } from './billable-consignment.ts'
import { UnratedWork } from './charges.ts'
import type { RatedConsignment } from './rate-consignment.ts'

const Part = UnratedWork.properties.part
const SelectorValue = Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'] })

const Charge = named(
  'ExplainedRateCharge',
  Type.Object({
    rateChargeId: Uuid,
    note: nullable(Type.String()),
    outcome: IntegerEnum(RateChargeOutcome),
    failed: Type.Array(
      Type.Object({
        selector: Type.String(),
        wanted: Type.Array(SelectorValue),
        found: Type.Array(SelectorValue),
      }),
      { description: 'The selectors of the consignment as a whole that do not match.' },
    ),
    rows: Type.Array(
      Type.Object({
        partKey: Type.String(),
        metric: Type.Number(),
        parts: Type.Array(Part),
        amounts: Type.Array(Type.Number()),
      }),
    ),
    unmeasured: Type.Array(Part, { description: 'Parts that match but lack this measure.' }),
  }),
)

/** Every rate of the cards, and every charge that was tried. */
export const Explanation = named(
  'ChargeExplanation',
  Type.Object({
    rates: Type.Array(
      Type.Object({
        rateId: Uuid,
        name: Type.String(),
        kind: IntegerEnum(RateKind),
        amountExclTax: nullable(Type.Number()),
        charges: Type.Array(Charge),
      }),
    ),
    unrated: Type.Array(UnratedWork),
  }),
)

/** Explains the charges of a consignment: those of its client's card, then those of its carrier's. */
export function explainCharges(
  consignment: BillableConsignment,
  { client, carrier, unrated }: RatedConsignment,
) {
  const input = inputOf(consignment)
  const describeRate = ({ charges, ...rate }: RateExplanation) => ({
    ...rate,
    kind: rate.kind as RateKind,
    charges: charges.map(({ rows, unmeasured, ...charge }) => ({
      ...charge,
      rows: rows.map(({ parts, ...row }) => ({
        ...row,
        parts: parts.map(part => describePart(consignment, part)),
      })),
      unmeasured: unmeasured.map(part => describePart(consignment, part)),
    })),
  })
  const rates = [client, carrier].flatMap(side =>
    side === null ? [] : explainRates(side.evaluation.traces, input),
  )
  return { rates: rates.map(describeRate), unrated }
}
