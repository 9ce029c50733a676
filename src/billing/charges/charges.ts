// What a consignment costs its client, and its carrier costs the organisation. Spec 2.8, 4.9; open-points 7.

import {
  type LockedConsignment,
  lockOpenConsignment,
  visibleConsignments,
} from '../../consignments/consignment.ts'
import { ConsignmentStatus } from '../../consignments/enumerations.ts'
import { empty, sql, type Tx } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { changed, endpoint, json } from '../../platform/http/endpoint.ts'
import { notFound, verificationFailed } from '../../platform/http/refusal.ts'
import { IntegerEnum, named, nullable, type Static, Type, Uuid } from '../../platform/http/schema.ts'
import { ChargeType } from '../enumerations.ts'

const effective = { id: Uuid, isEffective: Type.Boolean(), particulars: nullable(Type.String()) }
const rates = {
  metricValue: Type.Number(),
  chargeMin: Type.Number(),
  chargeBase: Type.Number(),
  chargeRate: Type.Number(),
}

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

// A contract of numbers: where no minimum or base is set it is 0.
const freight = sql`json_build_object('id', h.id, 'type', h.charge_type,
  'isEffective', h.is_included, 'particulars', h.particulars, 'metricValue', h.metric_value,
  'chargeMin', coalesce(h.charge_min, 0), 'chargeBase', coalesce(h.charge_base, 0),
  'chargeRate', h.charge_rate, 'amountExclTax', h.amount_excl_tax)`
const activity = sql`json_build_object('id', h.id, 'chargeTypeCode', t.code, 'chargeTypeName', t.name,
  'isEffective', h.is_included, 'particulars', h.particulars, 'metricValue', h.metric_value,
  'chargeMin', coalesce(h.charge_min, 0), 'chargeBase', coalesce(h.charge_base, 0),
  'chargeRate', h.charge_rate, 'taxRatePercent', h.tax_rate_percent, 'amountExclTax', h.amount_excl_tax)`

export const charges = [
  endpoint({
    get: '/v1/consignments/:consignmentId/charges',
    name: 'listCharges',
    partners: 'all',
    scope: 'financial.read',
    summary: 'List what is charged for a consignment',
    description:
      'isEffective: the charge is billed when the consignment is Closed. chargeMin and chargeBase are 0 ' +
      'where none is set. ' +
      'A token that belongs to a partner sees the charges between the organisation and that partner.',
    answer: json(Charges),
    async handle({ db, actor, params }) {
      const lists = await db.maybe<Static<typeof Charges>>(sql`
        select
          coalesce(json_agg(${activity} order by h.id) filter (
            where h.charge_type < ${ChargeType.ClientFreightAdhoc}
          ), '[]') as client_activity_charges,
          coalesce(json_agg(${freight} order by h.id) filter (
            where h.charge_type
              between ${ChargeType.ClientFreightAdhoc} and ${ChargeType.ClientFreightProductRate}
          ), '[]') as client_freight_charges,
          coalesce(json_agg(${freight} order by h.id) filter (
            where h.charge_type >= ${ChargeType.CarrierFreightAdhoc}
          ), '[]') as carrier_freight_charges
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
  endpoint({
    put: '/v1/consignments/:consignmentId/charges/:consignmentChargeId',
    name: 'setChargeIncluded',
    partners: 'none',
    scope: 'financial',
    summary: 'Include a charge in what is billed, or exclude it',
    description:
      'An excluded charge stays listed, with isEffective false, and is not billed when the consignment is ' +
      'Closed.',
    body: named('ChargeChange', Type.Object({ isIncluded: Type.Boolean() })),
    answer: changed,
    async handle({ tx, actor, params, body: { isIncluded } }) {
      const { organisationId, id } = await lockForCharges(tx, actor, params.consignmentId)
      const charge = sql`organisation_id = ${organisationId} and consignment_id = ${id}
        and id = ${params.consignmentChargeId}`
      const before = await tx.maybe<{ isIncluded: boolean }>(
        sql`select is_included from consignment_charge where ${charge}`,
      )
      if (before === undefined) throw notFound('Charge')
      if (before.isIncluded === isIncluded) return false
      await tx.run(sql`update consignment_charge set is_included = ${isIncluded} where ${charge}`)
      return true
    },
  }),
]

/** Locks a consignment whose charges are about to change. 400 when it is Closed or Void. */
export async function lockForCharges(
  tx: Tx,
  actor: Actor,
  consignmentId: string,
): Promise<LockedConsignment> {
  const consignment = await lockOpenConsignment(tx, actor, consignmentId)
  if (consignment.status === ConsignmentStatus.Void) {
    throw verificationFailed(
      `Consignment ${consignment.consignmentNumber} is Void; nothing is billed for it.`,
    )
  }
  return consignment
}
