// Selects the card for a back-test from a request: a stored version or a content that is not stored, and the
// clients or carriers that it would serve.

import type { Actor } from '../../access/actor.ts'
import { type Db, sql } from '../../platform/database/db.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { validationFailed, verificationFailed } from '../../platform/http/refusal.ts'
import { RateCardStatus, RateCardVersionStatus, RateKind } from '../../vocabulary/billing.ts'
import { Relationship } from '../../vocabulary/partners.ts'
import { relationshipFaults } from '../evaluator/content-faults.ts'
import type { RateCardContent } from '../evaluator/rate-card-content.ts'
import { completeContent } from '../rate-cards/complete-content.ts'
import { checkReferences } from '../rate-cards/content-references.ts'
import { contentHash } from '../rate-cards/version-cache.ts'

/** The fields of a request that select the card, the partners and the kinds of rates. */
export interface CardSelection {
  rateCardVersionId?: string | null
  content?: RateCardContent | null
  partnerIds?: string[] | null
  kinds?: RateKind[] | null
}

export interface SelectedCard {
  rateCardVersionId: string | null
  relationship: number
  content: string
  contentSha256: string
  partnerIds: string[]
  kinds: RateKind[]
}

interface Source {
  rateCardVersionId: string | null
  relationship: number
  content: string
  contentSha256: string
  /** the card's partner; null for a fall-back card or a content without a card */
  partnerId: string | null
  isFallBack: boolean
}

async function versionOf(db: Db, { organisationId }: Actor, id: string): Promise<Source> {
  const found = await db.maybe<Source>(sql`
    select v.id as rate_card_version_id, k.relationship, v.content::text as content, v.content_sha256,
      k.partner_id, k.partner_id is null as is_fall_back
    from rate_card_version v
    join rate_card k on k.organisation_id = v.organisation_id and k.id = v.rate_card_id
    where v.organisation_id = ${organisationId} and v.id = ${id}`)
  if (found !== undefined) return found
  const problem = 'does not refer to a version of a rate card'
  throw verificationFailed(faultAt('rateCardVersionId', problem, 'unknown_reference'))
}

async function contentOf(db: Db, actor: Actor, requested: RateCardContent): Promise<Source> {
  const complete = completeContent(requested)
  const isCarrier = complete.rates.some(({ kind }) => kind === RateKind.CarrierFreight)
  const relationship = isCarrier ? Relationship.Carrier : Relationship.Client
  const faults = relationshipFaults(complete, relationship)
  if (faults.length > 0)
    throw validationFailed(...faults.map(({ path, problem }) => faultAt(path, problem, 'conflict')))
  await checkReferences(db, actor.organisationId, complete, { isApproved: false })
  const content = JSON.stringify(complete)
  const of = { rateCardVersionId: null, partnerId: null, isFallBack: false }
  return { ...of, relationship, content, contentSha256: contentHash(content) }
}

/**
 * The partners that a card without a partner serves; for a fall-back card, those without their own in force.
 */
const partnersOf = (
  db: Db,
  { organisationId }: Actor,
  { relationship, isFallBack }: Source,
): Promise<{ id: string }[]> =>
  db.rows(sql`
    select p.id from partner p
    where p.organisation_id = ${organisationId} and p.relationship = ${relationship}
      and (${!isFallBack} or not exists (
        select from rate_card k
        join rate_card_version v on v.organisation_id = k.organisation_id and v.rate_card_id = k.id
        where k.organisation_id = p.organisation_id and k.partner_id = p.id
          and k.relationship = p.relationship and k.status = ${RateCardStatus.Active}
          and v.status = ${RateCardVersionStatus.Approved}))
    order by p.id`)

/** Refuses (400) ids that do not refer to a partner of the relationship. */
async function checkPartners(
  db: Db,
  actor: Actor,
  relationship: number,
  ids: readonly string[],
): Promise<void> {
  const known = await db.rows<{ id: string }>(sql`
    select id from partner
    where organisation_id = ${actor.organisationId} and relationship = ${relationship}
      and id = any(${ids as string[]}::uuid[])`)
  const found = new Set(known.map(({ id }) => id))
  const noun = relationship === Relationship.Carrier ? 'carrier' : 'client'
  const faults = ids.flatMap((id, i) =>
    found.has(id) ? [] : [faultAt(`partnerIds[${i}]`, `does not refer to a ${noun}`, 'unknown_reference')],
  )
  if (faults.length > 0) throw verificationFailed(...faults)
}

/**
 * Selects the card of a request, and the partners that it would serve unless the request names them. 400 with
 * every fault of a content, and for records that do not exist.
 */
export async function selectCard(db: Db, actor: Actor, selection: CardSelection): Promise<SelectedCard> {
  const source = selection.rateCardVersionId
    ? await versionOf(db, actor, selection.rateCardVersionId)
    : await contentOf(db, actor, selection.content as RateCardContent)
  const { rateCardVersionId, relationship, content, contentSha256 } = source
  if (selection.partnerIds) await checkPartners(db, actor, relationship, selection.partnerIds)
  const served =
    source.partnerId === null ? (await partnersOf(db, actor, source)).map(({ id }) => id) : [source.partnerId]
  return {
    ...{ rateCardVersionId, relationship, content, contentSha256 },
    partnerIds: [...new Set(selection.partnerIds ?? served)],
    kinds: [...new Set(selection.kinds ?? Object.values(RateKind))],
  }
}
