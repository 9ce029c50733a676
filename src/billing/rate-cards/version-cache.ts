// Loads versions of rate cards by id, through a cache. An Approved version never changes, so a cached one is
// never out of date. Its hash is checked when it is read.

import { hash } from 'node:crypto'
import { type Db, sql } from '../../platform/database/db.ts'
import { RecentMap } from '../../platform/recent-map.ts'
import { RateCardVersionStatus } from '../../vocabulary/billing.ts'
import { type CompiledCard, compileCard } from '../evaluator/compiled-card.ts'
import type { RateCardContent } from '../evaluator/rate-card-content.ts'

/** A version with its content, compiled for charging. */
export interface LoadedVersion {
  id: string
  rateCardId: string
  /** what the card was called when the version was approved, or is called now if it is a Draft */
  rateCardName: string
  relationship: number
  number: number
  effectiveFrom: string
  contentSha256: string
  content: RateCardContent
  card: CompiledCard
}

interface StoredVersion extends Omit<LoadedVersion, 'content' | 'card'> {
  status: number
  content: string
}

/** The SHA-256 of the text of a content, in hexadecimal digits. */
export const contentHash = (text: string): string => hash('sha256', text, 'hex')

const cache = new RecentMap<LoadedVersion>(200)

/** The stored content of a version does not match its hash: it was changed directly in the database. */
export class ContentHashMismatch extends Error {}

/**
 * Loads the versions with these ids; unknown ids are left out. Throws `ContentHashMismatch` if the content of
 * one was changed.
 */
export async function loadVersions(
  db: Db,
  organisationId: string,
  ids: readonly string[],
): Promise<Map<string, LoadedVersion>> {
  const found = new Map<string, LoadedVersion>()
  const missing: string[] = []
  for (const id of new Set(ids)) {
    const cached = cache.get(`${organisationId} ${id}`)
    if (cached === undefined) missing.push(id)
    else found.set(id, cached)
  }
  if (missing.length === 0) return found
  const rows = await db.rows<StoredVersion>(sql`
    select v.id, v.rate_card_id, coalesce(v.rate_card_name, k.name) as rate_card_name, k.relationship,
      v.number, v.effective_from,
      v.content_sha256, v.status, v.content::text as content
    from rate_card_version v
    join rate_card k on k.organisation_id = v.organisation_id and k.id = v.rate_card_id
    where v.organisation_id = ${organisationId} and v.id = any(${missing})`)
  for (const { status, content: text, ...row } of rows) {
    if (contentHash(text) !== row.contentSha256)
      throw new ContentHashMismatch(
        `The content of version ${row.id} of a rate card is not the one that its hash names.`,
      )
    const content = JSON.parse(text) as RateCardContent
    const version = { ...row, content, card: compileCard(content) }
    if (status === RateCardVersionStatus.Approved) cache.set(`${organisationId} ${row.id}`, version)
    found.set(row.id, version)
  }
  return found
}

/**
 * Loads the versions with these ids, without those whose content does not match its hash, because nothing can
 * be derived from them.
 */
export async function loadIntactVersions(
  db: Db,
  organisationId: string,
  ids: readonly string[],
): Promise<Map<string, LoadedVersion>> {
  try {
    return await loadVersions(db, organisationId, ids)
  } catch (error) {
    if (!(error instanceof ContentHashMismatch)) throw error
    if (ids.length === 1) return new Map()
    const found = new Map<string, LoadedVersion>()
    for (const id of new Set(ids))
      for (const [, version] of await loadIntactVersions(db, organisationId, [id])) found.set(id, version)
    return found
  }
}
