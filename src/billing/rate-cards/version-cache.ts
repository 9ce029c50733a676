// Contents of versions by id. An approved one never changes, so what is remembered never has to be forgotten
// for being wrong; its hash is checked when it is read.

import { hash } from 'node:crypto'
import { type Db, sql } from '../../platform/database/db.ts'
import { RecentMap } from '../../platform/recent-map.ts'
import { RateCardVersionStatus } from '../enumerations.ts'
import { type CompiledCard, compileCard } from './compiled-card.ts'
import type { RateCardContent } from './rate-card-content.ts'

/** A version with its content, ready for charging. */
export interface LoadedVersion {
  id: string
  rateCardId: string
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

/** The name of a content: the SHA-256 of its text, in hexadecimal digits. */
export const contentHash = (text: string): string => hash('sha256', text, 'hex')

const remembered = new RecentMap<LoadedVersion>(200)

/** What is stored of a version is not what its hash names: somebody has changed it behind the service. */
export class ContentHashMismatch extends Error {}

/** The versions of these ids; those that there are not are missing. WrongContent where one was changed. */
export async function loadVersions(
  db: Db,
  organisationId: string,
  ids: readonly string[],
): Promise<Map<string, LoadedVersion>> {
  const found = new Map<string, LoadedVersion>()
  const wanted: string[] = []
  for (const id of new Set(ids)) {
    const known = remembered.get(`${organisationId} ${id}`)
    if (known === undefined) wanted.push(id)
    else found.set(id, known)
  }
  if (wanted.length === 0) return found
  const rows = await db.rows<StoredVersion>(sql`
    select v.id, v.rate_card_id, k.name as rate_card_name, k.relationship, v.number, v.effective_from,
      v.content_sha256, v.status, v.content::text as content
    from rate_card_version v
    join rate_card k on k.organisation_id = v.organisation_id and k.id = v.rate_card_id
    where v.organisation_id = ${organisationId} and v.id = any(${wanted})`)
  for (const { status, content: text, ...row } of rows) {
    if (contentHash(text) !== row.contentSha256)
      throw new ContentHashMismatch(
        `The content of version ${row.id} of a rate card is not the one that its hash names.`,
      )
    const content = JSON.parse(text) as RateCardContent
    const version = { ...row, content, card: compileCard(content) }
    if (status === RateCardVersionStatus.Approved) remembered.set(`${organisationId} ${row.id}`, version)
    found.set(row.id, version)
  }
  return found
}

/**
 * The versions of these ids, without those whose content is not what their hash names: nothing can be derived
 * from them.
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
