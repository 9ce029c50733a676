// What a charge is: its types, and which partner they concern. Spec 2.8.

import type { Actor } from '../platform/actor.ts'
import { type Sql, sql } from '../platform/db.ts'

export const ChargeType = {
  ClientActivityAdhoc: 1,
  ClientActivityMetricRate: 2,
  ClientActivityProductRate: 3,
  ClientFreightAdhoc: 4,
  ClientFreightMetricRate: 5,
  ClientFreightProductRate: 6,
  CarrierFreightAdhoc: 7,
  CarrierFreightMetricRate: 8,
  CarrierFreightProductRate: 9,
} as const
export type ChargeType = (typeof ChargeType)[keyof typeof ChargeType]

/** Whether a charge of this type is between the organisation and the carrier, not the client. */
export const isCarrierCharge = (chargeType: Sql): Sql => sql`${chargeType} >= ${ChargeType.CarrierFreightAdhoc}`

/** The partner of `consignment c` that a charge of this type concerns. */
export const partnerOfCharge = (chargeType: Sql): Sql =>
  sql`case when ${isCarrierCharge(chargeType)} then c.carrier_id else c.client_id end`

/** The charges of `consignment c` that an actor may see: all of them, or those that concern its partner. */
export const isVisibleCharge = (actor: Actor, chargeType: Sql): Sql =>
  actor.partnerId === null ? sql`true` : sql`${partnerOfCharge(chargeType)} = ${actor.partnerId}`
