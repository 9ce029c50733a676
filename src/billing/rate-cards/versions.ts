// The versions of rate cards: drafts that can be edited, and approved ones, which never change.

import { v7 as uuidv7 } from 'uuid'
import type { Actor } from '../../access/actor.ts'
import { endpoint } from '../../access/endpoint.ts'
import { type Db, sql, type Tx } from '../../platform/database/db.ts'
import { insertInto } from '../../platform/database/write.ts'
import { changedTo, created, done, json } from '../../platform/http/endpoint.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { pageOf, pageQuery, readPage } from '../../platform/http/paging.ts'
import { notFound, verificationFailed } from '../../platform/http/refusal.ts'
import {
  allClearable,
  allOmittable,
  allOptional,
  Decimal,
  IntegerEnum,
  named,
  nullable,
  PlainDate,
  type Static,
  Text,
  Type,
  UtcTime,
  Uuid,
} from '../../platform/http/schema.ts'
import type { ValidationError } from '../../platform/http/validation.ts'
import { RateCardVersionStatus } from '../../vocabulary/billing.ts'
import { largeContentBytes, RateCardContent } from '../evaluator/rate-card-content.ts'
import { raiseContent } from './complete-content.ts'
import { contentWarnings } from './content-warnings.ts'
import { checkContent, contentColumns, lockDraftVersion } from './rate-card-version.ts'
import { loadVersions } from './version-cache.ts'

const RateCardVersion = named(
  'RateCardVersion',
  Type.Object({
    id: Uuid,
    number: Type.Integer(),
    status: IntegerEnum(RateCardVersionStatus),
    effectiveFrom: PlainDate,
    supersededFrom: nullable(PlainDate),
    note: nullable(Type.String()),
    contentSha256: Type.String(),
    createdUtc: UtcTime,
    approvedUtc: nullable(UtcTime),
    approvedBy: nullable(Type.String()),
  }),
)
const Warnings = Type.Array(Type.String(), {
  description: 'What the author probably did not intend. The version is stored nevertheless.',
})
const RateCardVersionDetail = named(
  'RateCardVersionDetail',
  Type.Object({
    ...RateCardVersion.properties,
    content: RateCardContent,
    warnings: {
      ...Warnings,
      description: 'What the author of the content probably did not intend. Records are not looked up.',
    },
  }),
)

/** Checks that a new version either has a content or copies one. */
function contentOrCopyFaults(value: unknown): ValidationError[] {
  const { content, copyOf, raisePercent, raiseRoundTo } = (value ?? {}) as Record<string, unknown>
  const isSet = (field: unknown) => field !== undefined && field !== null
  const faults: ValidationError[] = []
  if (!isSet(content) && !isSet(copyOf))
    faults.push({ path: '/content', problem: 'is required unless copyOf is given', code: 'required' })
  if (isSet(content) && isSet(copyOf))
    faults.push({ path: '/copyOf', problem: 'must be left out where content is given' })
  if (isSet(raisePercent) && !isSet(copyOf))
    faults.push({ path: '/raisePercent', problem: 'must be left out without copyOf' })
  if (isSet(raiseRoundTo) && !isSet(raisePercent))
    faults.push({ path: '/raiseRoundTo', problem: 'must be left out without raisePercent' })
  return faults
}

const NewVersion = named(
  'NewRateCardVersion',
  Type.Object(
    {
      effectiveFrom: PlainDate,
      ...allOptional({
        content: RateCardContent,
        copyOf: Uuid,
        raisePercent: Decimal(6, { minimum: -100, maximum: 1_000 }),
        raiseRoundTo: Decimal(6, { exclusiveMinimum: 0 }),
        note: Text,
      }),
    },
    { rule: contentOrCopyFaults },
  ),
)
const VersionChange = named(
  'RateCardVersionChange',
  Type.Object({
    ...allOmittable({ effectiveFrom: PlainDate, content: RateCardContent }),
    ...allClearable({ note: Text }),
  }),
)

/**
 * SQL: the versions `v` of a card, each with the date from which another version is in force instead: of two
 * with the same date, the one with the higher number.
 */
const versions = (actor: Actor, rateCardId: string) => sql`(
    select *, case when status = ${RateCardVersionStatus.Approved} then
      lead(effective_from) over (partition by status order by effective_from, number)
      end as superseded_from
    from rate_card_version
    where organisation_id = ${actor.organisationId} and rate_card_id = ${rateCardId}
  ) v left join app_user u on u.organisation_id = v.organisation_id and u.id = v.approved_by`
const columns = sql`v.id, v.number, v.status, v.effective_from, v.superseded_from, v.note, v.content_sha256,
  v.created_utc, v.approved_utc, u.full_name as approved_by`

/** Locks a card, so that its versions are numbered one after the other. 404 if it does not exist. */
async function lockCard(
  tx: Tx,
  actor: Actor,
  id: string,
): Promise<{ relationship: number; lastNumber: number }> {
  const card = await tx.maybe<{ relationship: number }>(sql`
    select relationship from rate_card
    where organisation_id = ${actor.organisationId} and id = ${id} for no key update`)
  if (card === undefined) throw notFound('Rate card')
  const { lastNumber } = await tx.row<{ lastNumber: number }>(sql`
    select coalesce(max(number), 0) as last_number from rate_card_version
    where organisation_id = ${actor.organisationId} and rate_card_id = ${id}`)
  return { ...card, lastNumber }
}

/** Loads the content of the version to copy, and raises its prices if requested. */
async function copiedContent(
  db: Db,
  actor: Actor,
  body: Static<typeof NewVersion>,
): Promise<RateCardContent> {
  const id = body.copyOf as string
  const copied = (await loadVersions(db, actor.organisationId, [id])).get(id)
  if (copied === undefined)
    throw verificationFailed(
      faultAt('copyOf', 'does not refer to a version of a rate card', 'unknown_reference'),
    )
  if (body.raisePercent === undefined || body.raisePercent === null) return copied.content
  return raiseContent(copied.content, { percent: body.raisePercent, roundTo: body.raiseRoundTo ?? null })
}

export const rateCardVersions = [
  endpoint({
    get: '/v1/rate-cards/:rateCardId/versions',
    name: 'listRateCardVersions',
    partners: 'none',
    scope: 'financial.read',
    extension: true,
    summary: 'List the versions of a rate card, the newest first',
    description:
      'supersededFrom is the date from which another Approved version is in force. Of two with the same ' +
      'effectiveFrom, the one with the higher number is in force, and the other never is.',
    query: pageQuery({}),
    response: json(pageOf('rateCardVersions', RateCardVersion)),
    handle: ({ db, actor, params, query }) =>
      readPage(db, 'rateCardVersions', query, {
        parent: {
          from: sql`rate_card k
            where k.organisation_id = ${actor.organisationId} and k.id = ${params.rateCardId}`,
          noun: 'Rate card',
        },
        columns,
        from: versions(actor, params.rateCardId),
        order: sql`v.number desc`,
      }),
  }),
  endpoint({
    get: '/v1/rate-cards/:rateCardId/versions/:rateCardVersionId',
    name: 'getRateCardVersion',
    partners: 'none',
    scope: 'financial.read',
    extension: true,
    summary: 'Read a version of a rate card with its content',
    response: json(RateCardVersionDetail),
    async handle({ db, actor, params }) {
      const version = await db.maybe<Omit<Static<typeof RateCardVersionDetail>, 'warnings'>>(sql`
        select ${columns}, v.content from ${versions(actor, params.rateCardId)}
        where v.id = ${params.rateCardVersionId}`)
      if (version === undefined) throw notFound('Rate card version')
      return { ...version, warnings: contentWarnings(version.content) }
    },
  }),
  endpoint({
    post: '/v1/rate-cards/:rateCardId/versions',
    name: 'createRateCardVersion',
    partners: 'none',
    scope: 'financial',
    extension: true,
    summary: 'Draft a version of a rate card',
    description:
      'The version has a given content, or copies another version. With raisePercent, every rate, base, ' +
      'minimum and maximum of the copy is raised, and rounded to a multiple of raiseRoundTo, which must be ' +
      'whole cents if the version has a base, minimum or maximum. Rates and ' +
      'charges without an id get one, and keep it in copies.',
    body: NewVersion,
    largeBodyBytes: largeContentBytes,
    response: created('rateCardVersionId', Type.Object({ rateCardVersionId: Uuid, warnings: Warnings })),
    async handle({ tx, actor, params, body }) {
      const { organisationId, userId } = actor
      const card = await lockCard(tx, actor, params.rateCardId)
      const content = body.content ?? (await copiedContent(tx, actor, body))
      const { complete, ...stored } = contentColumns(content)
      const warnings = await checkContent(tx, organisationId, card.relationship, complete)
      const id = uuidv7()
      const row = {
        organisationId,
        id,
        rateCardId: params.rateCardId,
        number: card.lastNumber + 1,
        effectiveFrom: body.effectiveFrom,
        note: body.note || undefined,
        createdBy: userId,
        editedBy: userId,
        ...stored,
      }
      await tx.run(insertInto('rate_card_version', row))
      return { rateCardVersionId: id, warnings }
    },
  }),
  endpoint({
    put: '/v1/rate-cards/:rateCardId/versions/:rateCardVersionId',
    name: 'updateRateCardVersion',
    partners: 'none',
    scope: 'financial',
    extension: true,
    summary: 'Change a Draft of a rate card',
    description: 'A new content replaces the old one completely. An Approved version never changes.',
    body: VersionChange,
    largeBodyBytes: largeContentBytes,
    response: changedTo(named('RateCardVersionWarnings', Type.Object({ warnings: Warnings }))),
    async handle({ tx, actor, params, body }) {
      const version = await lockDraftVersion(tx, actor, params)
      const { organisationId, id } = version
      const content = body.content ?? (JSON.parse(version.content) as RateCardContent)
      const { complete, ...stored } = contentColumns(content)
      const effectiveFrom = body.effectiveFrom ?? version.effectiveFrom
      const note = body.note === undefined ? version.note : body.note || null
      const isSame =
        stored.content === version.content && effectiveFrom === version.effectiveFrom && note === version.note
      if (isSame) return null
      const warnings = await checkContent(tx, organisationId, version.relationship, complete)
      await tx.run(sql`
        update rate_card_version
        set effective_from = ${effectiveFrom}, note = ${note}, content = ${stored.content},
          content_sha256 = ${stored.contentSha256}, faf_profile_id = ${stored.fafProfileId},
          locality_ids = ${stored.localityIds}, edited_by = ${actor.userId}
        where organisation_id = ${organisationId} and id = ${id}`)
      return { warnings }
    },
  }),
  endpoint({
    delete: '/v1/rate-cards/:rateCardId/versions/:rateCardVersionId',
    name: 'deleteRateCardVersion',
    partners: 'none',
    scope: 'financial',
    extension: true,
    summary: 'Delete a Draft of a rate card',
    response: done,
    async handle({ tx, actor, params }) {
      const { organisationId, id } = await lockDraftVersion(tx, actor, params)
      await tx.run(
        sql`delete from rate_card_version where organisation_id = ${organisationId} and id = ${id}`,
      )
    },
  }),
]
