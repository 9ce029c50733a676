// Code aliases: what a client means by a code that no record has. An import whose code does not resolve is
// tried again with the replacement, once: a replacement is not replaced again. Decision 5.

import { v7 as uuidv7 } from 'uuid'
import type { Actor } from '../access/actor.ts'
import { endpoint } from '../access/endpoint.ts'
import { type ImportCodeKind, importCodeKinds } from '../events/import-reason.ts'
import { sql, type Tx } from '../platform/database/db.ts'
import { created, done, json } from '../platform/http/endpoint.ts'
import { faultAt } from '../platform/http/fault.ts'
import { duplicate, notFound, verificationFailed } from '../platform/http/refusal.ts'
import { Code, named, nullable, type Static, Type, UtcTime, Uuid } from '../platform/http/schema.ts'
import { Relationship } from '../vocabulary/partners.ts'
import { recordsWithCode } from '../waiting-imports/code-records.ts'
import { retryWaitingImports } from '../waiting-imports/retry-waiting.ts'

/** The kinds of codes that may have an alias: all but the client's, whose alias it would be. */
export const aliasKinds = importCodeKinds.filter(kind => kind !== 'client')
export type AliasKind = Exclude<ImportCodeKind, 'client'>

const aliasFields = {
  kind: Type.Enum([...aliasKinds]),
  code: Code,
  replacement: Code,
}

const CodeAlias = named(
  'CodeAlias',
  Type.Object({
    id: Uuid,
    ...aliasFields,
    code: Type.String({ description: 'the code that imports of the client may have' }),
    replacement: Type.String({ description: 'the code of the record that is meant' }),
    createdUtc: UtcTime,
    userFullName: nullable(Type.String({ description: 'who created it, by the name of then' })),
  }),
)

const NewCodeAlias = named('NewCodeAlias', Type.Object(aliasFields))
/** A code of imports and the code that it stands for. */
export type NewCodeAlias = Static<typeof NewCodeAlias>

const nouns: Record<AliasKind, string> = {
  carrier: 'carrier',
  warehouse: 'warehouse',
  product: 'product of the client',
  packageType: 'package type',
  serviceType: 'service type',
  taskType: 'task type',
  shippingPort: 'shipping port',
}

/** The most aliases that a client may have. */
const maxAliases = 5_000

/** Whether an active record of the organisation, or of its client, has the code. */
async function isCodeOf(tx: Tx, actor: Actor, partnerId: string, kind: AliasKind, code: string) {
  const owner = { organisation: sql`${actor.organisationId}::uuid`, client: sql`${partnerId}::uuid` }
  const found = await tx.maybe(recordsWithCode(kind, owner, sql`lower(code) = lower(${code})`))
  return found !== undefined
}

/**
 * Stores an alias and has the imports that wait for its code tried again. Throws 404 unless the partner is a
 * client, 400 if no active record has the replacement, and 409 if a record has the code or, unless the alias
 * `replacesEarlier`, if the code has an alias already.
 */
export async function createCodeAlias(
  tx: Tx,
  actor: Actor,
  partnerId: string,
  { kind, code, replacement }: NewCodeAlias,
  { requestId, replacesEarlier = false }: { requestId: string; replacesEarlier?: boolean },
): Promise<string> {
  const { organisationId, connectionId, userId } = actor
  const client = await tx.maybe(sql`
    select from partner where organisation_id = ${organisationId} and id = ${partnerId}
      and relationship = ${Relationship.Client} for no key update`)
  if (client === undefined) throw notFound('Client')
  const aliasKind = kind as AliasKind
  if (await isCodeOf(tx, actor, partnerId, aliasKind, code))
    throw duplicate('code', `${code} is the code of a record, so it needs no alias.`)
  if (!(await isCodeOf(tx, actor, partnerId, aliasKind, replacement)))
    throw verificationFailed(
      faultAt('replacement', `is not the code of an active ${nouns[aliasKind]}`, 'unknown_reference'),
    )
  const stored = await tx.maybe<{ id: string }>(sql`
    insert into code_alias as a (organisation_id, id, partner_id, kind, code, replacement, user_name,
      app_name)
    select ${organisationId}, ${uuidv7()}, ${partnerId}, ${kind}, ${code}, ${replacement},
      user_name(${organisationId}, ${userId}), app_name(${organisationId}, ${connectionId})
    where (select count(*) from code_alias where organisation_id = ${organisationId}
      and partner_id = ${partnerId}) < ${maxAliases}
    on conflict (organisation_id, partner_id, kind, lower(code)) do update
      set (replacement, user_name, app_name) = (excluded.replacement, excluded.user_name, excluded.app_name)
      where ${replacesEarlier}
    returning a.id`)
  if (stored === undefined) {
    const hasAlias = await tx.maybe(sql`
      select from code_alias where organisation_id = ${organisationId} and partner_id = ${partnerId}
        and kind = ${kind} and lower(code) = lower(${code})`)
    if (hasAlias !== undefined) throw duplicate('code', `The client already has an alias for ${code}.`)
    throw verificationFailed(
      faultAt('code', `cannot be added: a client has at most ${maxAliases} aliases`, 'length'),
    )
  }
  await retryWaitingImports(tx, { organisationId, requestId }, aliasKind, code)
  return stored.id
}

export const codeAliases = [
  endpoint({
    get: '/v1/partners/:partnerId/code-aliases',
    name: 'listCodeAliases',
    partners: 'clients',
    partnerParam: 'partnerId',
    scope: 'partner.read',
    extension: true,
    summary: "List a client's code aliases",
    response: json(Type.Object({ codeAliases: Type.Array(CodeAlias) })),
    async handle({ db, actor, params }) {
      const rows = await db.rows<{ id: string | null }>(sql`
        select a.id, a.kind, a.code, a.replacement, a.created_utc, a.user_name as user_full_name
        from partner p
        left join code_alias a on a.organisation_id = p.organisation_id and a.partner_id = p.id
        where p.organisation_id = ${actor.organisationId} and p.id = ${params.partnerId}
          and p.relationship = ${Relationship.Client}
        order by a.kind, lower(a.code)`)
      if (rows.length === 0) throw notFound('Client')
      return { codeAliases: rows.filter(({ id }) => id !== null) as Static<typeof CodeAlias>[] }
    },
  }),
  endpoint({
    post: '/v1/partners/:partnerId/code-aliases',
    name: 'createCodeAlias',
    partners: 'clients',
    partnerParam: 'partnerId',
    scope: 'consignment',
    extension: true,
    summary: 'Create a code alias for a client',
    description:
      'Imports of the client with the code, if no active record has it, are tried with the replacement. ' +
      'Those that wait for the code are tried again at once.',
    body: NewCodeAlias,
    response: created('codeAliasId', Type.Object({ codeAliasId: Uuid })),
    refuses: [409],
    handle: async ({ tx, actor, requestId, params, body }) => ({
      codeAliasId: await createCodeAlias(tx, actor, params.partnerId, body, { requestId }),
    }),
  }),
  endpoint({
    delete: '/v1/partners/:partnerId/code-aliases/:codeAliasId',
    name: 'deleteCodeAlias',
    partners: 'clients',
    partnerParam: 'partnerId',
    scope: 'consignment',
    extension: true,
    summary: "Delete a client's code alias",
    description: 'What was imported with its help stays as it is.',
    response: done,
    async handle({ tx, actor, params }) {
      const deleted = await tx.run(sql`
        delete from code_alias where organisation_id = ${actor.organisationId}
          and partner_id = ${params.partnerId} and id = ${params.codeAliasId}`)
      if (deleted === 0) throw notFound('Code alias')
    },
  }),
]
