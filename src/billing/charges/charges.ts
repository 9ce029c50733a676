// What a consignment costs its client, and its carrier costs the organisation. Spec 2.8, 4.9; open-points 7.

import { v7 as uuidv7 } from 'uuid'
import { type LockedConsignment, lockOpenConsignment, visibleConsignments } from '../../consignments/consignment.ts'
import { ConsignmentStatus } from '../../consignments/enumerations.ts'
import { refusePartner } from '../../partners/partner.ts'
import { empty, sql, type Tx } from '../../platform/database/db.ts'
import { insertInto } from '../../platform/database/write.ts'
import { changed, endpoint, json } from '../../platform/http/endpoint.ts'
import { notFound, validationFailed, verificationFailed } from '../../platform/http/refusal.ts'
import { Decimal, IntegerEnum, named, nullable, optional, type Static, Text, Type, Uuid } from '../../platform/http/schema.ts'
import type { Fault } from '../../platform/http/validation.ts'
import { SetUpStatus } from '../../reference-data/enumerations.ts'
import { ChargeApplication, ChargeType } from '../enumerations.ts'
import { chargeAmount } from './charge-amount.ts'

const collection = '/v1/consignments/:consignmentId/charges'

/** The greatest amount of one charge, either way: as much as every other decimal, and exact in JSON to the cent. */
const mostAmount = 99_999_999_999

const effective = { id: Uuid, isEffective: Type.Boolean(), particulars: nullable(Type.String()) }
const rates = { metricValue: Type.Number(), chargeMin: Type.Number(), chargeBase: Type.Number(), chargeRate: Type.Number() }

const ActivityCharge = named(
  'ActivityCharge',
  Type.Object({
    ...effective,
    chargeTypeCode: Type.String(),
    chargeTypeName: Type.String(),
    ...rates,
    taxRatePercent: Type.Number(),
    amountExclTax: Type.Number(),
  }),
)
const FreightCharge = named(
  'FreightCharge',
  Type.Object({ ...effective, type: IntegerEnum(ChargeType), ...rates, amountExclTax: Type.Number() }),
)
const Charges = named(
  'ConsignmentCharges',
  Type.Object({
    clientActivityCharges: Type.Array(ActivityCharge),
    clientFreightCharges: Type.Array(FreightCharge),
    carrierFreightCharges: Type.Array(FreightCharge),
  }),
)

/** A rate needs something to multiply. */
function metricFaults(value: unknown): Fault[] {
  const { chargeApplication, metricValue } = (value ?? {}) as Record<string, unknown>
  const isMissing = metricValue === undefined || metricValue === null
  return chargeApplication === ChargeApplication.Rate && isMissing ? [{ path: '/metricValue', problem: 'is required for a rate' }] : []
}

const AdhocCharge = named(
  'AdhocCharge',
  Type.Object(
    {
      particulars: optional(Text),
      revenueAccountId: optional(Uuid),
      costCentreId: optional(Uuid),
      metricValue: optional(Decimal(6, { minimum: 0 })),
      chargeApplication: IntegerEnum(ChargeApplication),
      chargeRateExclTax: Decimal(6),
      taxRateId: Uuid,
    },
    { rule: metricFaults },
  ),
)
type AdhocCharge = Static<typeof AdhocCharge>

// A contract of numbers: where no minimum or base is set it is 0.
const freight = sql`json_build_object('id', h.id, 'type', h.charge_type, 'isEffective', h.is_included, 'particulars', h.particulars,
  'metricValue', h.metric_value, 'chargeMin', coalesce(h.charge_min, 0), 'chargeBase', coalesce(h.charge_base, 0),
  'chargeRate', h.charge_rate, 'amountExclTax', h.amount_excl_tax)`
const activity = sql`json_build_object('id', h.id, 'isEffective', h.is_included, 'particulars', h.particulars,
  'chargeTypeCode', t.code, 'chargeTypeName', t.name, 'metricValue', h.metric_value, 'chargeMin', coalesce(h.charge_min, 0),
  'chargeBase', coalesce(h.charge_base, 0), 'chargeRate', h.charge_rate, 'taxRatePercent', h.tax_rate_percent, 'amountExclTax', h.amount_excl_tax)`

/** The ids of a new charge as they are: 404 for an unknown tax rate, 400 for an unknown account or centre and for anything inactive. */
async function verifyReferences(tx: Tx, organisationId: string, charge: AdhocCharge): Promise<{ percent: string }> {
  const { taxRateId, revenueAccountId = null, costCentreId = null } = charge
  const found = await tx.row<{ percent: string | null; isActive: boolean; hasAccount: boolean; hasCentre: boolean }>(sql`
    select t.percent::text, coalesce(t.status = ${SetUpStatus.Active}, false) as is_active,
      exists (select from revenue_account where organisation_id = ${organisationId} and id = ${revenueAccountId} and status = ${SetUpStatus.Active})
        as has_account,
      exists (select from cost_centre where organisation_id = ${organisationId} and id = ${costCentreId} and status = ${SetUpStatus.Active})
        as has_centre
    from (select) one left join tax_rate t on t.organisation_id = ${organisationId} and t.id = ${taxRateId}`)
  const { percent, isActive, hasAccount, hasCentre } = found
  if (percent === null) throw notFound('Tax rate')
  const faults = [
    ...(isActive ? [] : ['taxRateId names a tax rate that is not active.']),
    ...(revenueAccountId === null || hasAccount ? [] : ['revenueAccountId does not name an active revenue account.']),
    ...(costCentreId === null || hasCentre ? [] : ['costCentreId does not name an active cost centre.']),
  ]
  if (faults.length > 0) throw verificationFailed(...faults)
  return { percent }
}

/** Adds a charge that somebody entered by hand to a locked consignment, and answers its id. It is taken as given: no minimum, no freight adjustment. */
async function addAdhocCharge(tx: Tx, consignment: LockedConsignment, type: ChargeType, body: AdhocCharge) {
  const { organisationId, id: consignmentId } = consignment
  const partnerId = type === ChargeType.CarrierFreightAdhoc ? consignment.carrierId : consignment.clientId
  if (partnerId === null) throw verificationFailed('The consignment has no carrier that could charge for freight.')
  const { percent } = await verifyReferences(tx, organisationId, body)
  const { chargeApplication: application, chargeRateExclTax: rate, metricValue, particulars, revenueAccountId, costCentreId } = body
  const quantity = metricValue ?? 1
  const amountExclTax = chargeAmount({ application, metricValue: quantity, rate })
  if (Math.abs(Number(amountExclTax)) > mostAmount) {
    throw validationFailed(`metricValue and chargeRateExclTax must come to an amount of ${mostAmount} or less.`)
  }
  const id = uuidv7()
  await tx.run(
    insertInto('consignment_charge', {
      organisationId,
      id,
      consignmentId,
      partnerId,
      chargeType: type,
      chargeApplication: application,
      particulars,
      metricValue: quantity,
      chargeRate: rate,
      taxRateId: body.taxRateId,
      taxRatePercent: percent,
      revenueAccountId,
      costCentreId,
      amountExclTax,
    }),
  )
  return id
}

const kinds = [
  {
    path: 'client-activity',
    type: ChargeType.ClientActivityAdhoc,
    summary: "Charge the client for an activity, beside the client's rates",
  },
  { path: 'client-freight', type: ChargeType.ClientFreightAdhoc, summary: "Charge the client for freight, beside the client's rates" },
  { path: 'carrier-freight', type: ChargeType.CarrierFreightAdhoc, summary: 'Record what the carrier charges for freight' },
] as const

export const charges = [
  endpoint({
    get: collection,
    scope: 'financial.read',
    summary: 'List what is charged for a consignment',
    description:
      'isEffective: the charge is billed when the consignment is Closed. chargeMin and chargeBase are 0 where none is set. ' +
      'A token that belongs to a partner sees the charges between the organisation and that partner.',
    answer: json(Charges),
    async handle({ db, actor, params }) {
      const lists = await db.maybe<Static<typeof Charges>>(sql`
        select
          coalesce(json_agg(${activity} order by h.id) filter (where h.charge_type < ${ChargeType.ClientFreightAdhoc}), '[]')
            as client_activity_charges,
          coalesce(json_agg(${freight} order by h.id)
            filter (where h.charge_type between ${ChargeType.ClientFreightAdhoc} and ${ChargeType.ClientFreightProductRate}), '[]')
            as client_freight_charges,
          coalesce(json_agg(${freight} order by h.id) filter (where h.charge_type >= ${ChargeType.CarrierFreightAdhoc}), '[]')
            as carrier_freight_charges
        from consignment c
        left join (consignment_charge h join charge_type t on t.charge_type = h.charge_type)
          on h.organisation_id = c.organisation_id and h.consignment_id = c.id
            ${actor.partnerId === null ? empty : sql`and h.partner_id = ${actor.partnerId}`}
        where ${visibleConsignments(actor)} and c.id = ${params.consignmentId}
        group by c.organisation_id, c.id`)
      if (lists === undefined) throw notFound('Consignment')
      return lists
    },
  }),
  ...kinds.map(({ path, type, summary }) =>
    endpoint({
      post: `${collection}/${path}/adhoc`,
      scope: 'financial',
      summary,
      description:
        'A Rate comes to metricValue × chargeRateExclTax, a Fee to chargeRateExclTax (its metricValue may be left out and is then 1), rounded to the cent. ' +
        'The amount is taken as given: no FAF profile changes it. A negative chargeRateExclTax is a credit. ' +
        'It stays between the organisation and the client or carrier that the consignment has now, also when the carrier changes.',
      body: AdhocCharge,
      answer: json(Type.Object({ consignmentChargeId: Uuid })),
      async handle({ tx, actor, params, body }) {
        const consignment = await lockForCharges(tx, actor, params.consignmentId)
        return { consignmentChargeId: await addAdhocCharge(tx, consignment, type, body) }
      },
    }),
  ),
  endpoint({
    put: `${collection}/:consignmentChargeId`,
    scope: 'financial',
    summary: 'Include a charge in what is billed, or exclude it',
    description: 'An excluded charge stays listed, with isEffective false, and is not billed when the consignment is Closed.',
    body: named('ChargeChange', Type.Object({ isIncluded: Type.Boolean() })),
    answer: changed,
    async handle({ tx, actor, params, body: { isIncluded } }) {
      const { organisationId, id } = await lockForCharges(tx, actor, params.consignmentId)
      const charge = sql`organisation_id = ${organisationId} and consignment_id = ${id} and id = ${params.consignmentChargeId}`
      const before = await tx.maybe<{ isIncluded: boolean }>(sql`select is_included from consignment_charge where ${charge}`)
      if (before === undefined) throw notFound('Charge')
      if (before.isIncluded === isIncluded) return false
      await tx.run(sql`update consignment_charge set is_included = ${isIncluded} where ${charge}`)
      return true
    },
  }),
]

/** Locks a consignment of which charges are about to change. 400 when it is Closed or Void, 403 for a partner. */
async function lockForCharges(tx: Tx, actor: Parameters<typeof refusePartner>[0], consignmentId: string): Promise<LockedConsignment> {
  refusePartner(actor, 'change charges')
  const consignment = await lockOpenConsignment(tx, actor, consignmentId)
  if (consignment.status === ConsignmentStatus.Void) {
    throw verificationFailed(`Consignment ${consignment.consignmentNumber} is Void; nothing is billed for it.`)
  }
  return consignment
}
