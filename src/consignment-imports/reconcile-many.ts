// The endpoint by which a user corrects one cause in all imports that wait for it. Decision 5.

import type { Actor } from '../access/actor.ts'
import { type Endpoint, endpoint } from '../access/endpoint.ts'
import { importCodeKinds, reasonKinds } from '../events/import-reason.ts'
import { createCodeAlias } from '../partners/code-aliases.ts'
import { type Db, sql } from '../platform/database/db.ts'
import { json } from '../platform/http/endpoint.ts'
import { faultAt } from '../platform/http/fault.ts'
import { forbidden, Refusal, validationFailed, verificationFailed } from '../platform/http/refusal.ts'
import { Code, IntegerEnum, nullable, optional, type Static, Type, Uuid } from '../platform/http/schema.ts'
import { hint } from '../platform/work/hints.ts'
import { ImportStatus, ReconcileResult } from '../vocabulary/imports.ts'
import { Relationship } from '../vocabulary/partners.ts'
import type { Fetcher } from './downloads/fetch-files.ts'
import { toFetchStatus } from './downloads/stored-downloads.ts'
import type { ReconcileOptions } from './reconcile.ts'
import { type Attempt, reconcile } from './reconcile-one.ts'
import { type Replacement, replacesClient, withReplacements } from './replacements.ts'
import { visibleImports } from './visible-imports.ts'

const maxImports = 1_000
/** After so long no further import is tried; the others are left for the next call. */
const maxMs = 20_000

const Cause = Type.Object({
  kind: Type.Enum([...reasonKinds]),
  code: nullable(Type.String({ maxLength: 2000, description: 'null: reasons without a code' })),
  clientCode: optional(Code),
  replacement: nullable(
    Type.String({
      minLength: 1,
      maxLength: 50,
      pattern: '\\S',
      description: 'the right code; null tries the imports again as they are',
    }),
  ),
  remember: optional(
    Type.Boolean({
      description: 'also create a code alias for the client of clientCode, for imports that come later',
    }),
  ),
})
type Cause = Static<typeof Cause>

const Result = Type.Object({
  consignmentImportId: Uuid,
  result: IntegerEnum(ReconcileResult),
  messages: Type.Array(Type.String()),
})

/** The endpoint by which a user corrects one cause in all imports that wait for it. */
export function reconcileManyImports({ outgoing }: ReconcileOptions): Endpoint[] {
  return [
    endpoint({
      post: '/v1/consignment-imports/reconcile-many',
      name: 'reconcileManyConsignmentImports',
      canBeRehearsed: true,
      partners: 'clients',
      scope: 'consignment',
      extension: true,
      summary: 'Reconcile all imports that wait for one reason',
      description:
        'Replaces a code in the imports that wait for it, at most 1,000 a call, the oldest first, and ' +
        'tries each of them at once. One that still waits for something else keeps the replacement. ' +
        '`left` is the number of imports that were not tried yet: call again. ' +
        'GET /v1/consignment-imports/causes lists kind, code and clientCode.',
      body: Cause,
      response: json(Type.Object({ results: Type.Array(Result), left: Type.Integer() })),
      refuses: [409],
      ownTransactions: true,
      async handle({ database, actor, requestId, body }) {
        const replacements = replacementsOf(body)
        if (actor.partnerId !== null && body.kind === 'client' && body.replacement !== null)
          throw forbidden('A token that belongs to a partner cannot give an import to another client.')
        const waiting = await waitingFor(database.db, actor, body)
        if (body.remember) await remember({ database, outgoing }, actor, requestId, body)
        const results: Static<typeof Result>[] = []
        const deadline = performance.now() + maxMs
        for (const id of waiting.ids) {
          if (performance.now() > deadline) break
          results.push(await tryOne({ database, outgoing }, { id, actor, requestId, replacements }))
        }
        return { results, left: waiting.count - results.length }
      },
    }),
  ]
}

/** The replacement of a cause, if it has one. Throws 400 if the cause is not a code that can be replaced. */
function replacementsOf({ kind, code, clientCode, replacement, remember }: Cause): Replacement[] {
  const codeKind = importCodeKinds.find(name => name === kind)
  const isReplaced = replacement !== null
  const faults = [
    ...(isReplaced && codeKind === undefined
      ? [faultAt('replacement', `must be null: a reason of kind ${kind} is not about a code`, 'invalid')]
      : []),
    ...(isReplaced && codeKind !== undefined && code === null && kind !== 'warehouse'
      ? [faultAt('code', 'must name the code to replace', 'required')]
      : []),
    ...(remember && (!isReplaced || kind === 'client' || code === null || !clientCode)
      ? [
          faultAt(
            'remember',
            'needs a clientCode, and a code of another kind with its replacement',
            'invalid',
          ),
        ]
      : []),
  ]
  if (faults.length > 0) throw validationFailed(...faults)
  return isReplaced && codeKind !== undefined ? [{ kind: codeKind, code, replacement }] : []
}

/** How many imports wait for the cause, and the oldest of them. */
const waitingFor = (db: Db, actor: Actor, { kind, code, clientCode }: Cause) =>
  db.row<{ count: number; ids: string[] }>(sql`
    with waiting as materialized (select i.id, i.received_utc from consignment_import i
    where ${visibleImports(actor)} and i.status = ${ImportStatus.PendingReconciliation}
      and (${clientCode ?? null}::text is null or lower(i.client_code) = lower(${clientCode ?? null}))
      and exists (select from consignment_import_reason r where r.organisation_id = i.organisation_id
        and r.consignment_import_id = i.id and r.kind = ${kind}
        and lower(r.code) is not distinct from lower(${code}::text)))
    select (select count(*) from waiting) as count,
      array(select id from waiting order by received_utc, id limit ${maxImports}) as ids`)

/** Creates the alias of the cause for its client. */
async function remember(
  { database }: Fetcher,
  actor: Actor,
  requestId: string,
  { kind, code, clientCode, replacement }: Cause,
): Promise<void> {
  await database.atomically(async tx => {
    const client = await tx.maybe<{ id: string }>(sql`
      select id from partner where organisation_id = ${actor.organisationId}
        and lower(code) = lower(${clientCode ?? null}) and relationship = ${Relationship.Client}
        and (${actor.partnerId}::uuid is null or id = ${actor.partnerId})`)
    if (client === undefined)
      throw verificationFailed(faultAt('clientCode', 'is not the code of a client', 'unknown_reference'))
    const alias = { kind, code, replacement } as Parameters<typeof createCodeAlias>[3]
    await createCodeAlias(tx, actor, client.id, alias, { requestId, replacesEarlier: true })
  })
}

/** Tries one import. What refuses it is told in the result, so that the others go on. */
async function tryOne(fetcher: Fetcher, attempt: Attempt): Promise<Static<typeof Result>> {
  const consignmentImportId = attempt.id
  try {
    await reconcile(fetcher, attempt)
    return { consignmentImportId, result: ReconcileResult.Reconciled, messages: [] }
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 500) throw error
    const { messages } = error
    // Verification fails if reasons remain; anything else means that the replacement is not permitted here.
    const stillWaits = error.type === 'Verification Failed' && (await keepReplacement(fetcher, attempt))
    const result = stillWaits ? ReconcileResult.StillWaiting : ReconcileResult.Refused
    return { consignmentImportId, result, messages }
  }
}

/** Stores the replacement with an import that waits for more. Returns false if it waits no longer. */
const keepReplacement = ({ database }: Fetcher, { id, actor, replacements }: Attempt): Promise<boolean> =>
  database.atomically(async tx => {
    type Waiting = { request: Parameters<typeof withReplacements>[0]; status: number }
    const found = await tx.maybe<Waiting>(sql`
      select i.request, i.status from consignment_import i
      where ${visibleImports(actor)} and i.id = ${id} for update`)
    if (found?.status !== ImportStatus.PendingReconciliation) return false
    if (replacements.length === 0) return true
    const request = withReplacements(found.request, replacements)
    const isForAnother = replacesClient(found.request, replacements)
    await tx.run(sql`update consignment_import set request = ${JSON.stringify(request)}::json,
        replacements = coalesce(replacements, '[]') || ${JSON.stringify(replacements)}::jsonb,
        client_code = ${request.clientCode}, client_id = case when not ${isForAnother} then client_id end,
        due_utc = case when download_status <> ${toFetchStatus} then now() else due_utc end
      where organisation_id = ${actor.organisationId} and id = ${id}`)
    tx.afterCommit(() => hint('imports'))
    return true
  })
