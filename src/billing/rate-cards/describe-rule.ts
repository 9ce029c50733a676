// How a proof names the rule that something was charged by. Pure.

import type { RateCardBecause } from '../enumerations.ts'
import type { CompiledCharge, CompiledRate } from './compiled-card.ts'
import type { LoadedVersion } from './version-cache.ts'

/** A rule of a version: the rate, and the charge of it that counted. `because` says why the version did. */
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
