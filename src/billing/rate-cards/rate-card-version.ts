// Writing a version of a rate card: checks its content against the records, and derives the columns that
// charging needs.

import type { Actor } from '../../access/actor.ts'
import { sql, type Tx } from '../../platform/database/db.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { notFound, validationFailed, verificationFailed } from '../../platform/http/refusal.ts'
import { RateCardVersionStatus } from '../../vocabulary/billing.ts'
import { relationshipFaults } from '../evaluator/content-faults.ts'
import type { RateCardContent } from '../evaluator/rate-card-content.ts'
import { completeContent } from './complete-content.ts'
import { checkReferences } from './content-references.ts'
import { contentWarnings } from './content-warnings.ts'
import { contentHash } from './version-cache.ts'

export interface ContentColumns {
  content: string
  contentSha256: string
  fafProfileId: string | null
  localityIds: string[]
}

/** Completes a content and derives its columns. */
export function contentColumns(requested: RateCardContent): ContentColumns & { complete: RateCardContent } {
  const complete = completeContent(requested)
  const content = JSON.stringify(complete)
  const localityIds = complete.rates.flatMap(({ charges }) =>
    charges.flatMap(({ when }) => [
      ...(when?.originLocalityIds ?? []),
      ...(when?.destinationLocalityIds ?? []),
    ]),
  )
  return {
    complete,
    content,
    contentSha256: contentHash(content),
    fafProfileId: complete.fafProfileId ?? null,
    localityIds: [...new Set(localityIds)],
  }
}

/** Refuses (400) a content that does not fit the card or refers to unknown records. Returns its warnings. */
export async function checkContent(
  tx: Tx,
  organisationId: string,
  relationship: number,
  content: RateCardContent,
): Promise<string[]> {
  const faults = relationshipFaults(content, relationship)
  if (faults.length > 0)
    throw validationFailed(...faults.map(({ path, problem }) => faultAt(path, problem, 'conflict')))
  const warnings = await checkReferences(tx, organisationId, content, { isApproved: false })
  return [...contentWarnings(content), ...warnings]
}

/** A version whose row this transaction has locked. */
export interface LockedVersion {
  organisationId: string
  id: string
  rateCardId: string
  relationship: number
  number: number
  status: number
  effectiveFrom: string
  note: string | null
  content: string
  editedBy: string | null
}

/** Locks a version until the transaction ends. 404 if it does not exist. */
export async function lockVersion(
  tx: Tx,
  actor: Actor,
  { rateCardId, rateCardVersionId }: { rateCardId: string; rateCardVersionId: string },
): Promise<LockedVersion> {
  const version = await tx.maybe<LockedVersion>(sql`
    select v.organisation_id, v.id, v.rate_card_id, k.relationship, v.number, v.status, v.effective_from,
      v.note, v.content::text as content, v.edited_by
    from rate_card_version v
    join rate_card k on k.organisation_id = v.organisation_id and k.id = v.rate_card_id
    where v.organisation_id = ${actor.organisationId} and v.rate_card_id = ${rateCardId}
      and v.id = ${rateCardVersionId}
    for no key update of v`)
  if (version === undefined) throw notFound('Rate card version')
  return version
}

/** Locks a version in order to change it. 400 if it is Approved, because then it never changes. */
export async function lockDraftVersion(
  tx: Tx,
  actor: Actor,
  params: { rateCardId: string; rateCardVersionId: string },
): Promise<LockedVersion> {
  const version = await lockVersion(tx, actor, params)
  if (version.status === RateCardVersionStatus.Approved)
    throw verificationFailed(
      `Version ${version.number} is Approved and never changes: a change is a new version with its own date.`,
    )
  return version
}
