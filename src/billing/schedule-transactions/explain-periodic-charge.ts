// Explains a periodic fee or a minimum-spend top-up, as a proof. Pure.

import { RateCardBecause } from '../../vocabulary/billing.ts'
import type { ChargeProof } from '../charges/proof.ts'
import { evaluatorVersion } from '../evaluator/evaluator-version.ts'
import { add, powerOfTen, textOf, wholeOf } from '../evaluator/exact.ts'
import { stepsOf } from '../evaluator/explain.ts'
import type { DerivedPeriodicTransaction } from '../proofs/derive-periodic-charges.ts'
import { describeRule } from '../rate-cards/describe-rule.ts'

const recordOf = (id: string | null) => ({ kind: 'record' as const, id, type: null, atUtc: null, by: null })

function ruleOf({ transaction, version, fee }: DerivedPeriodicTransaction): ChargeProof['rule'] {
  if (version === undefined || fee === null) return null
  return describeRule(version, transaction.because ?? RateCardBecause.Own, fee.rate, fee.charge)
}

function periodicSteps({
  transaction,
  fee,
  minimum,
  derivedExclTax,
}: DerivedPeriodicTransaction): ChargeProof['steps'] {
  if (fee !== null) {
    const metric = powerOfTen(6)
    return stepsOf(fee.charge, { key: '', metric, unrounded: metric, takes: [] }, fee.row, 0)
  }
  if (minimum === null || derivedExclTax === null) return []
  const operation = `− ${transaction.spentExclTax}`
  const { toppedUpExclTax } = transaction
  if (toppedUpExclTax === null)
    return [{ name: 'amount', from: textOf(2, minimum), operation, to: derivedExclTax }]
  const due = textOf(2, add(wholeOf(2, derivedExclTax), wholeOf(2, toppedUpExclTax)))
  return [
    { name: 'min', from: textOf(2, minimum), operation: `${operation}, at least 0`, to: due },
    { name: 'amount', from: due, operation: `− ${toppedUpExclTax}`, to: derivedExclTax },
  ]
}

/** The proof of a charge, without a daily series but with the period. */
type PeriodicProof = Omit<ChargeProof, 'series'> & { periodFrom: string; periodTo: string }

/** Returns the proof of a fee or top-up that a billing run raised. */
export function explainPeriodicCharge(derived: DerivedPeriodicTransaction): PeriodicProof {
  const { transaction, minimum, derivedExclTax, isVerified } = derived
  const { id, amountExclTax, periodFrom, periodTo, billingRunId, spentExclTax, toppedUpExclTax } = transaction
  const input = (name: string, value: string, source = recordOf(billingRunId)) => ({
    ...{ name, value, unit: null, source },
  })
  const agreedMinimum = (value: string) =>
    input('minimumSpendPerPeriod', value, recordOf(transaction.rateCardVersionId))
  return {
    subject: { kind: 'scheduleTransaction', id, amountExclTax: Number(amountExclTax) },
    isFrozen: true,
    isVerified,
    evaluatorVersion,
    derivedExclTax: derivedExclTax === null ? null : Number(derivedExclTax),
    rule: ruleOf(derived),
    inputs: [
      input('periodFrom', periodFrom),
      input('periodTo', periodTo),
      ...(minimum === null ? [] : [agreedMinimum(textOf(2, minimum))]),
      ...(spentExclTax === null ? [] : [input('spentExclTax', spentExclTax)]),
      ...(toppedUpExclTax === null ? [] : [input('toppedUpExclTax', toppedUpExclTax)]),
    ],
    passedOver: [],
    resolution: null,
    steps: periodicSteps(derived),
    ...{ periodFrom, periodTo },
  }
}
