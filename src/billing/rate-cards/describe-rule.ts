// Describes the rule that made a charge, as proofs show it. Pure.

import type { RateCardBecause } from '../../vocabulary/billing.ts'
import type { CompiledCharge, CompiledRate } from '../evaluator/compiled-card.ts'
import type { LoadedVersion } from './version-cache.ts'

/** Describes a rule: its version, rate and charge. `because` says why the version was in force. */
export const describeRule = (
  version: LoadedVersion,
  because: number,
  rate: CompiledRate,
  charge: CompiledCharge,
) => ({
  rateCardId: version.rateCardId,
  name: version.rateCardName,
  because: because as RateCardBecause,
  version: {
    id: version.id,
    number: version.number,
    effectiveFrom: version.effectiveFrom,
    contentSha256: version.contentSha256,
  },
  rate: { id: rate.content.id, name: rate.content.name, kind: rate.kind },
  charge: charge.content,
})
