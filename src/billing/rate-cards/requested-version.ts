// The version that a request wants to try: a stored version, or a content that is not stored. Decision 7.

import type { Db } from '../../platform/database/db.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import type { ValidationError } from '../../platform/http/validation.ts'
import { RateKind } from '../../vocabulary/billing.ts'
import { Relationship } from '../../vocabulary/partners.ts'
import { compileCard } from '../evaluator/compiled-card.ts'
import type { RateCardContent } from '../evaluator/rate-card-content.ts'
import { completeContent } from './complete-content.ts'
import { checkReferences } from './content-references.ts'
import { type LoadedVersion, loadVersions } from './version-cache.ts'

/** The fields of a request that choose the version; exactly one of them is set. */
export interface RequestedVersion {
  rateCardVersionId?: string | null
  content?: RateCardContent | null
}

/** The `rule` of a body in which exactly one of the two fields must be set. */
export function requestedVersionFaults(value: unknown): ValidationError[] {
  const { content, rateCardVersionId } = (value ?? {}) as Record<string, unknown>
  const given = [content, rateCardVersionId].filter(field => field !== undefined && field !== null)
  return given.length === 1
    ? []
    : [{ path: '/content', problem: 'must be given unless rateCardVersionId is, and not beside it' }]
}

/** The id that stands for a content that is not stored. */
const unstored = '00000000-0000-8000-8000-000000000000'

/**
 * Loads the requested version, compiled for charging. A content that is not stored is completed and checked.
 * 400 if the id does not refer to a version, or the content names records that do not exist.
 */
export async function loadRequestedVersion(
  db: Db,
  organisationId: string,
  body: RequestedVersion,
): Promise<LoadedVersion> {
  if (body.rateCardVersionId) {
    const id = body.rateCardVersionId
    const version = (await loadVersions(db, organisationId, [id])).get(id)
    if (version === undefined)
      throw verificationFailed(
        faultAt('rateCardVersionId', 'does not refer to a version of a rate card', 'unknown_reference'),
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
