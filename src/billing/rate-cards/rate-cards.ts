// Rate cards: the prices of one client or carrier, or the fall-back prices for all without a card of their
// own. Decision 7.

import { v7 as uuidv7 } from 'uuid'
import type { Actor } from '../../access/actor.ts'
import { endpoint } from '../../access/endpoint.ts'
import { empty, sql, type Tx } from '../../platform/database/db.ts'
import { refuseViolations } from '../../platform/database/errors.ts'
import { givenFields, insertInto, updateFields } from '../../platform/database/write.ts'
import { changed, created, json } from '../../platform/http/endpoint.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { pageOf, pageQuery, readPage, searchIn } from '../../platform/http/paging.ts'
import { conflict, notFound, verificationFailed } from '../../platform/http/refusal.ts'
import {
  allOmittable,
  allOptional,
  IntegerEnum,
  Name,
  named,
  nullable,
  PlainDate,
  type Static,
  Type,
  Uuid,
} from '../../platform/http/schema.ts'
import { RateCardStatus, RateCardVersionStatus } from '../../vocabulary/billing.ts'
import { Relationship } from '../../vocabulary/partners.ts'
import { today } from './in-force.ts'

const RateCard = named(
  'RateCard',
  Type.Object({
    id: Uuid,
    name: Type.String(),
    relationship: IntegerEnum(Relationship),
    partner: nullable(Type.Object({ id: Uuid, name: Type.String(), code: Type.String() })),
    status: IntegerEnum(RateCardStatus),
    current: nullable(Type.Object({ id: Uuid, number: Type.Integer(), effectiveFrom: PlainDate })),
    draftCount: Type.Integer(),
  }),
)

const fields = { name: Name, status: IntegerEnum(RateCardStatus) }
const fieldNames = Object.keys(fields) as (keyof typeof fields)[]
const NewRateCard = named(
  'NewRateCard',
  Type.Object({
    name: Name,
    relationship: IntegerEnum(Relationship),
    ...allOptional({ partnerId: Uuid, status: IntegerEnum(RateCardStatus) }),
  }),
)

const columns = sql`k.id, k.name, k.relationship, k.status,
  case when p.id is not null then
    json_build_object('id', p.id, 'name', p.name, 'code', p.code) end as partner,
  (
    select json_build_object('id', v.id, 'number', v.number, 'effectiveFrom', v.effective_from)
    from rate_card_version v
    where v.organisation_id = k.organisation_id and v.rate_card_id = k.id
      and v.status = ${RateCardVersionStatus.Approved} and v.effective_from <= ${today}
    order by v.effective_from desc, v.number desc limit 1
  ) as current,
  (
    select count(*) from rate_card_version v
    where v.organisation_id = k.organisation_id and v.rate_card_id = k.id
      and v.status = ${RateCardVersionStatus.Draft}
  ) as draft_count`
const tables = (actor: Actor) => sql`rate_card k
  join organisation o on o.id = k.organisation_id
  left join partner p on p.organisation_id = k.organisation_id and p.id = k.partner_id
  where k.organisation_id = ${actor.organisationId}`

const nounOf = (relationship: number) => (relationship === Relationship.Client ? 'client' : 'carrier')

const oneActive = ({ relationship, partnerId }: { relationship: number; partnerId?: string | null }) => ({
  rate_card_active_key: () => {
    const noun = nounOf(relationship)
    const subject = partnerId ? `This ${noun} has` : `All ${noun}s without a card of their own have`
    return conflict(`${subject} an active rate card already; a new version changes its prices.`)
  },
})

/** Refuses (400) a partner that does not exist or has the other relationship. */
async function requirePartner(tx: Tx, actor: Actor, partnerId: string, relationship: number): Promise<void> {
  const partner = await tx.maybe<{ relationship: number }>(sql`
    select relationship from partner
    where organisation_id = ${actor.organisationId} and id = ${partnerId}`)
  if (partner === undefined)
    throw verificationFailed(faultAt('partnerId', 'does not refer to a partner', 'unknown_reference'))
  if (partner.relationship !== relationship)
    throw verificationFailed(
      faultAt(
        'partnerId',
        `refers to a ${nounOf(partner.relationship)}, but relationship is that of a ${nounOf(relationship)}`,
        'conflict',
      ),
    )
}

export const rateCards = [
  endpoint({
    get: '/v1/rate-cards',
    name: 'listRateCards',
    partners: 'none',
    scope: 'financial.read',
    extension: true,
    summary: 'List rate cards by name',
    description:
      'current is the Approved version in force today. A card without a partner is a fall-back card.',
    query: pageQuery({
      SearchText: searchIn('name, and the name and code of the partner'),
      Relationship: Type.Optional(IntegerEnum(Relationship)),
      PartnerId: Type.Optional(Uuid),
      Status: Type.Optional(IntegerEnum(RateCardStatus)),
    }),
    response: json(pageOf('rateCards', RateCard)),
    handle: ({ db, actor, query }) =>
      readPage(db, 'rateCards', query, {
        columns,
        from: sql`${tables(actor)}
          ${
            query.SearchText
              ? sql`and lower(concat_ws(E'\n', k.name, p.code, p.name)) like containing(${query.SearchText})`
              : empty
          }
          ${query.Relationship === undefined ? empty : sql`and k.relationship = ${query.Relationship}`}
          ${query.PartnerId === undefined ? empty : sql`and k.partner_id = ${query.PartnerId}`}
          ${query.Status === undefined ? empty : sql`and k.status = ${query.Status}`}`,
        order: sql`k.name, k.id`,
      }),
  }),
  endpoint({
    get: '/v1/rate-cards/:rateCardId',
    name: 'getRateCard',
    partners: 'none',
    scope: 'financial.read',
    extension: true,
    summary: 'Read a rate card',
    response: json(RateCard),
    async handle({ db, actor, params }) {
      const card = await db.maybe<Static<typeof RateCard>>(
        sql`select ${columns} from ${tables(actor)} and k.id = ${params.rateCardId}`,
      )
      if (card === undefined) throw notFound('Rate card')
      return card
    },
  }),
  endpoint({
    post: '/v1/rate-cards',
    name: 'createRateCard',
    partners: 'none',
    scope: 'financial',
    extension: true,
    summary: 'Create a rate card',
    description:
      'Without partnerId it is the fall-back card for all clients (or carriers) without a card of their ' +
      'own. The fall-back replaces a whole card, never single rates. A partner has one Active card at a ' +
      'time.',
    body: NewRateCard,
    response: created('rateCardId', Type.Object({ rateCardId: Uuid })),
    refuses: [409],
    async handle({ tx, actor, body }) {
      if (body.partnerId) await requirePartner(tx, actor, body.partnerId, body.relationship)
      const id = uuidv7()
      const row = {
        organisationId: actor.organisationId,
        id,
        ...givenFields(body, ['name', 'relationship', 'partnerId', 'status']),
      }
      await refuseViolations(tx.run(insertInto('rate_card', row)), oneActive(body))
      return { rateCardId: id }
    },
  }),
  endpoint({
    put: '/v1/rate-cards/:rateCardId',
    name: 'updateRateCard',
    partners: 'none',
    scope: 'financial',
    extension: true,
    summary: 'Change the name or status of a rate card',
    description: 'An Inactive card is not used. Closed consignments keep their charges.',
    body: named('RateCardChange', Type.Object(allOmittable(fields))),
    response: changed,
    refuses: [409],
    async handle({ tx, actor, params, body }) {
      const where = sql`organisation_id = ${actor.organisationId} and id = ${params.rateCardId}`
      const card = await tx.maybe<{ relationship: number; partnerId: string | null }>(
        sql`select relationship, partner_id from rate_card where ${where} for no key update`,
      )
      if (card === undefined) throw notFound('Rate card')
      const change = tx.run(updateFields('rate_card', fieldNames, body, where))
      return (await refuseViolations(change, oneActive(card))) > 0
    },
  }),
]
