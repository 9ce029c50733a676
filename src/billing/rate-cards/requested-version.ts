// The version that a request tries: one that is stored, or a content that is not. Open-points 7.

import { Relationship } from '../../partners/enumerations.ts'
import type { Db } from '../../platform/database/db.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import type { Finding } from '../../platform/http/validation.ts'
import { RateKind } from '../enumerations.ts'
import { compileCard } from './compiled-card.ts'
import { completeContent } from './complete-content.ts'
import { checkReferences } from './content-references.ts'
import type { RateCardContent } from './rate-card-content.ts'
import { type LoadedVersion, loadVersions } from './version-cache.ts'

/** What a request says of it: one of the two. */
export interface RequestedVersion {
  rateCardVersionId?: string | null
  content?: RateCardContent | null
}

/** The `rule` of a body that has one of the two. */
export function requestedVersionFaults(value: unknown): Finding[] {
  const { content, rateCardVersionId } = (value ?? {}) as Record<string, unknown>
  const given = [content, rateCardVersionId].filter(one => one !== undefined && one !== null)
  return given.length === 1
    ? []
    : [{ path: '/content', problem: 'must be given unless rateCardVersionId is, and not beside it' }]
}

/** The id of a content that is stored nowhere. */
const unstored = '00000000-0000-8000-8000-000000000000'

/**
 * The version that is tried, ready for charging; a content that is stored nowhere is completed and
 * checked. 400 for an id that names none, and for what a content names that there is not.
 */
export async function loadRequestedVersion(
  db: Db,
  organisationId: string,
  body: RequestedVersion,
): Promise<LoadedVersion> {
  if (body.rateCardVersionId) {
    const id = body.rateCardVersionId.toLowerCase()
    const version = (await loadVersions(db, organisationId, [id])).get(id)
    if (version === undefined)
      throw verificationFailed(
        faultAt('rateCardVersionId', 'does not name a version of a rate card', 'unknown_reference'),
      )
    return version
  }
  const content = completeContent(body.content as RateCardContent)
  await checkReferences(db, organisationId, content, { isApproved: false })
  const isCarrier = content.rates.some(({ kind }) => kind === RateKind.CarrierFreight)
  return {
    id: unstored,
    rateCardId: unstored,
    rateCardName: '',
    relationship: isCarrier ? Relationship.Carrier : Relationship.Client,
    number: 0,
    effectiveFrom: '',
    contentSha256: '',
    content,
    card: compileCard(content),
  }
}
