// Partners: the clients whose goods are stored and the carriers that move them. Spec 2.11, 4.12; decision
// 8.

import { v7 as uuidv7 } from 'uuid'
import type { Actor } from '../access/actor.ts'
import { endpoint } from '../access/endpoint.ts'
import { empty, raw, sql, type Tx } from '../platform/database/db.ts'
import { refuseViolations } from '../platform/database/errors.ts'
import { givenFields, insertInto, snakeCase, updateFields } from '../platform/database/write.ts'
import { changed, created, json } from '../platform/http/endpoint.ts'
import { faultAt } from '../platform/http/fault.ts'
import { contains, pageOf, pageQuery, readPage, searchIn } from '../platform/http/paging.ts'
import { duplicate, notFound, validationFailed, verificationFailed } from '../platform/http/refusal.ts'
import {
  allClearable,
  allNullable,
  allOmittable,
  allOptional,
  Code,
  Count,
  Decimal,
  Email,
  Integer,
  IntegerEnum,
  Name,
  named,
  nullable,
  ShortText,
  type Static,
  Text,
  Type,
  Uuid,
} from '../platform/http/schema.ts'
import type { ValidationError } from '../platform/http/validation.ts'
import { refuseCodeOfInactive } from '../platform/unique-code.ts'
import {
  AttributeUsage,
  FreightResolution,
  FreightWarningType,
  maxFreeStorageHours,
  PartnerStatus,
  Relationship,
  RotationMethod,
  StockDepletionMethod,
  Substitution,
} from '../vocabulary/partners.ts'
import { type RetryCause, retryWaitingImports } from '../waiting-imports/retry-waiting.ts'
import { describeStockOnHand } from './stock-on-hand.ts'

const Usage = IntegerEnum(AttributeUsage)
const Substitutable = IntegerEnum(Substitution)
const ThresholdDays = Type.Integer({ minimum: 0, maximum: 36_500 })

export const Partner = named(
  'Partner',
  Type.Object({
    id: Uuid,
    externalId: nullable(Type.String()),
    name: Type.String(),
    code: Type.String(),
    email: nullable(Type.String()),
    relationship: IntegerEnum(Relationship),
    status: IntegerEnum(PartnerStatus),
  }),
)

// The settings of 2.11, which lists leave out. Each has a default.
const settings = {
  freightResolution: IntegerEnum(FreightResolution),
  freightWarningType: IntegerEnum(FreightWarningType),
  freightWarningThreshold: Decimal(6, { minimum: 0 }),
  containerThresholdDays: Count,
  rotationMethod: IntegerEnum(RotationMethod),
  rotationMethodSecondary: IntegerEnum(RotationMethod),
  stockDepletionMethod: IntegerEnum(StockDepletionMethod),
  productBatchUsage: Usage,
  productBestBeforeDateUsage: Usage,
  productExpiryUsage: Usage,
  productPackagingDateUsage: Usage,
  productProductionDateUsage: Usage,
  productSellByDateUsage: Usage,
  productSubstitution: Substitutable,
  productBatchSubstitution: Substitutable,
  productBestBeforeDateSubstitution: Substitutable,
  productExpirySubstitution: Substitutable,
  productPackagingDateSubstitution: Substitutable,
  productProductionDateSubstitution: Substitutable,
  productSellByDateSubstitution: Substitutable,
  productSerialSubstitution: Substitutable,
  freeStorageHours: Decimal(4, { minimum: 0, maximum: maxFreeStorageHours }),
}

// The settings that may be null.
const nullableSettings = {
  accountingName: {
    ...ShortText,
    description: 'The name of the partner in accounting programs. Default its name.',
  },
  paymentTermsDays: {
    ...Type.Integer({ minimum: 0, maximum: 365 }),
    description: 'In how many days its bills are due. Default the setting of the organisation.',
  },
  billingAddress: {
    ...Text,
    description: 'The address on its statements, line by line. An approved one keeps what it had.',
  },
  gs1CompanyPrefix: Type.String({
    pattern: '^[0-9]{6,12}$',
    fault: 'must be a GS1 company prefix: 6 to 12 digits',
    description: 'The GS1 company prefix for the SSCCs of new logistic units.',
    examples: ['9421234'],
  }),
  productBestBeforeDateCriticalThresholdDays: ThresholdDays,
  productExpiryCriticalThresholdDays: ThresholdDays,
  productPackagingDateCriticalThresholdDays: ThresholdDays,
  productProductionDateCriticalThresholdDays: ThresholdDays,
  productSellByDateCriticalThresholdDays: ThresholdDays,
}

const UnitTypeOfPartner = Type.Object({ id: Uuid, name: Type.String(), status: Integer })

const PartnerDetail = named(
  'PartnerDetail',
  Type.Object({
    ...Partner.properties,
    ...settings,
    ...allNullable(nullableSettings),
    unitTypes: Type.Array(UnitTypeOfPartner),
  }),
)

// The fields that are never null, and those that may be.
const requiredFields = {
  name: Name,
  code: Code,
  relationship: IntegerEnum(Relationship),
  status: IntegerEnum(PartnerStatus),
  ...settings,
}
const nullableFields = { email: Email, externalId: Text, ...nullableSettings }
const fields = { ...requiredFields, ...nullableFields }
const fieldNames = Object.keys(fields) as (keyof typeof fields)[]

const carrierCodeFault = 'must have 3 or 4 characters for a carrier'

/** The fault of a carrier's code, reported together with all other faults of the body. */
function carrierCodeFaults(value: unknown): ValidationError[] {
  const { code, relationship } = (value ?? {}) as Record<string, unknown>
  if (relationship !== Relationship.Carrier || typeof code !== 'string' || code === '') return []
  const { length } = [...code]
  return length === 3 || length === 4 ? [] : [{ path: '/code', problem: carrierCodeFault, code: 'length' }]
}

const NewPartner = named(
  'NewPartner',
  Type.Object(
    {
      ...allOptional(fields),
      name: fields.name,
      code: fields.code,
      relationship: fields.relationship,
    },
    { rule: carrierCodeFaults },
  ),
)
const PartnerChange = named(
  'PartnerChange',
  Type.Object({ ...allOmittable(requiredFields), ...allClearable(nullableFields) }),
)

/** The partners that an actor may see: all of the organisation, or only the actor's own. */
const visible = (actor: Actor) =>
  sql`p.organisation_id = ${actor.organisationId}
    ${actor.partnerId === null ? empty : sql`and p.id = ${actor.partnerId}`}`

const pageColumns = sql`p.id, p.external_id, p.name, p.code, p.email, p.relationship, p.status`
const detailColumns = raw(
  [...Object.keys(settings), ...Object.keys(nullableSettings)]
    .map(field => `p.${snakeCase(field)}`)
    .join(', '),
)

// A partner's unit types are those in which its products are counted.
const unitTypes = sql`(
  select coalesce(jsonb_agg(jsonb_build_object('id', u.id, 'name', u.name, 'status', u.status)
    order by u.name, u.id), '[]')
  from unit_type u
  where u.organisation_id = p.organisation_id and u.id in (
    select unnest(array[d.unit_type_id, d.product_unit_type_id]) from product d
      where d.organisation_id = p.organisation_id and d.partner_id = p.id
    union
    select unnest(array[c.input_unit_type_id, c.output_unit_type_id]) from product_unit_conversion c
      join product d on d.organisation_id = c.organisation_id and d.id = c.product_id
      where d.organisation_id = p.organisation_id and d.partner_id = p.id))`

const refusals = (code: string | null | undefined) => ({
  partner_code_key: () => duplicate('code', `A partner with the code ${code} already exists.`),
  partner_carrier_code: () => validationFailed(faultAt('code', carrierCodeFault, 'length')),
})

/** Throws 409 if an inactive partner has the code. */
const refuseTakenCode = (tx: Tx, actor: Actor, code: string | undefined, ownId?: string) =>
  refuseCodeOfInactive(tx, {
    table: 'partner',
    column: 'code',
    value: code,
    scope: sql`organisation_id = ${actor.organisationId}`,
    ...(ownId === undefined ? {} : { ownId }),
    inactiveStatus: PartnerStatus.Inactive,
    activeStatus: PartnerStatus.Active,
    takenMessage: `A partner with the code ${code} already exists`,
    path: `/v1/partners`,
  })

interface PartnerReference {
  code: string
  relationship: number
}

const retryImportsOf = (tx: Tx, cause: RetryCause, { code, relationship }: PartnerReference) =>
  retryWaitingImports(tx, cause, relationship === Relationship.Client ? 'client' : 'carrier', code)

export const partners = [
  endpoint({
    get: '/v1/partners',
    name: 'listPartners',
    partners: 'all',
    scope: 'partner.read',
    summary: 'List partners',
    query: pageQuery({
      SearchText: searchIn('code and name'),
      Relationship: Type.Optional(IntegerEnum(Relationship)),
      Status: Type.Optional(IntegerEnum(PartnerStatus)),
    }),
    response: json(pageOf('partners', Partner)),
    handle: ({ db, actor, query: { SearchText: text, ...query } }) =>
      readPage(db, 'partners', query, {
        columns: pageColumns,
        from: sql`partner p where ${visible(actor)}
          ${text ? sql`and ${contains(sql`lower(p.code || E'\n' || p.name)`, text)}` : empty}
          ${query.Relationship === undefined ? empty : sql`and p.relationship = ${query.Relationship}`}
          ${query.Status === undefined ? empty : sql`and p.status = ${query.Status}`}`,
        order: sql`p.name, p.id`,
      }),
  }),
  endpoint({
    get: '/v1/partners/:partnerId',
    name: 'getPartner',
    partners: 'all',
    partnerParam: 'partnerId',
    scope: 'partner.read',
    summary: 'Read a partner with its settings',
    response: json(PartnerDetail),
    async handle({ db, actor, params }) {
      const partner = await db.maybe<Static<typeof PartnerDetail>>(sql`
        select ${pageColumns}, ${detailColumns}, ${unitTypes} as unit_types
        from partner p where ${visible(actor)} and p.id = ${params.partnerId}`)
      if (partner === undefined) throw notFound('Partner')
      return partner
    },
  }),
  endpoint({
    post: '/v1/partners',
    name: 'createPartner',
    partners: 'none',
    scope: 'partner',
    extension: true,
    summary: 'Create a partner',
    body: NewPartner,
    response: created('partnerId', Type.Object({ partnerId: Uuid })),
    refuses: [409],
    async handle({ tx, actor, requestId, body }) {
      await refuseTakenCode(tx, actor, body.code)
      const id = uuidv7()
      const row = { organisationId: actor.organisationId, id, ...givenFields(body, fieldNames) }
      await refuseViolations(tx.run(insertInto('partner', row)), refusals(body.code))
      if (body.status !== PartnerStatus.Inactive) await retryImportsOf(tx, { ...actor, requestId }, body)
      return { partnerId: id }
    },
  }),
  endpoint({
    put: '/v1/partners/:partnerId',
    name: 'updatePartner',
    partners: 'none',
    partnerParam: 'partnerId',
    scope: 'partner',
    extension: true,
    summary: 'Change a partner',
    description: 'A client whose goods are in stock cannot become Inactive.',
    body: PartnerChange,
    response: changed,
    refuses: [409],
    async handle({ tx, actor, requestId, params, body }) {
      const partner = await tx.maybe<{ relationship: number; status: number }>(sql`
        select relationship, status from partner p where ${visible(actor)} and p.id = ${params.partnerId}
        for no key update`)
      if (partner === undefined) throw notFound('Partner')
      if (body.relationship && body.relationship !== partner.relationship) {
        throw verificationFailed(faultAt('relationship', 'cannot change once the partner exists', 'state'))
      }
      if (body.status === PartnerStatus.Inactive && partner.status !== body.status) {
        const { partnerId } = params
        const stock = await describeStockOnHand(tx, actor.organisationId, sql`p.partner_id = ${partnerId}`)
        if (stock !== null)
          throw verificationFailed(faultAt('status', `must not be Inactive: ${stock}`, 'state'))
      }
      await refuseTakenCode(tx, actor, body.code, params.partnerId)
      const where = sql`organisation_id = ${actor.organisationId} and id = ${params.partnerId}`
      const isChanged =
        (await refuseViolations(
          tx.run(updateFields('partner', fieldNames, body, where)),
          refusals(body.code),
        )) > 0
      if (isChanged) {
        const current = await tx.row<PartnerReference & { status: number }>(
          sql`select code, relationship, status from partner where ${where}`,
        )
        if (current.status === PartnerStatus.Active)
          await retryImportsOf(tx, { ...actor, requestId }, current)
      }
      return isChanged
    },
  }),
]
