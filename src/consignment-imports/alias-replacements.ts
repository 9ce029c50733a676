// Looks up the code aliases of clients for codes that did not resolve. Decision 5.

import { type ImportCodeKind, importCodeKinds, type WaitingReason } from '../events/import-reason.ts'
import { type Db, sql } from '../platform/database/db.ts'
import type { Replacement } from './replacements.ts'

/** An import that would have to wait, with its client if that is known. */
interface UnresolvedImport {
  id: string
  clientId: string | null
  reasons: readonly WaitingReason[]
}

const isCode = (reason: WaitingReason): reason is WaitingReason & { kind: ImportCodeKind; code: string } =>
  reason.code !== null && importCodeKinds.some(kind => kind === reason.kind)

/** The replacements that the aliases of their clients give for the codes of imports, by import. */
export async function aliasReplacements(
  db: Db,
  organisationId: string,
  imports: readonly UnresolvedImport[],
): Promise<Map<string, Replacement[]>> {
  const codes = imports.flatMap(({ id, clientId, reasons }) =>
    clientId === null ? [] : reasons.filter(isCode).map(({ kind, code }) => ({ id, clientId, kind, code })),
  )
  if (codes.length === 0) return new Map()
  const found = await db.rows<Replacement & { id: string }>(sql`
    select u.id, a.kind, u.code, a.replacement
    from unnest(${codes.map(({ id }) => id)}::uuid[], ${codes.map(({ clientId }) => clientId)}::uuid[],
      ${codes.map(({ kind }) => kind)}::text[], ${codes.map(({ code }) => code)}::text[])
      as u (id, client_id, kind, code)
    join code_alias a on a.organisation_id = ${organisationId} and a.partner_id = u.client_id
      and a.kind = u.kind and lower(a.code) = lower(u.code)`)
  const replacements = new Map<string, Replacement[]>()
  for (const { id, ...replacement } of found)
    replacements.set(id, [...(replacements.get(id) ?? []), replacement])
  return replacements
}
