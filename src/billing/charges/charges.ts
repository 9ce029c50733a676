// Charges: what a client owes for a consignment, and what its carrier is owed. Spec 2.8, 4.9; decision 7.

import type { Actor } from '../../access/actor.ts'
import { endpoint } from '../../access/endpoint.ts'
import {
  consignmentEvent,
  type LockedConsignment,
  lockOpenConsignment,
} from '../../consignments/consignment.ts'
import { emit } from '../../events/emit.ts'
import { sql, type Tx } from '../../platform/database/db.ts'
import { changed, json, type PassOn } from '../../platform/http/endpoint.ts'
import { notFound, verificationFailed } from '../../platform/http/refusal.ts'
import {
  allNullable,
  IntegerEnum,
  named,
  nullable,
  type Static,
  Type,
  Uuid,
} from '../../platform/http/schema.ts'
import { ChargePartKind, ChargeType, UnratedReason } from '../../vocabulary/billing.ts'
import { ConsignmentStatus } from '../../vocabulary/consignments.ts'
import { EventType } from '../../vocabulary/events.ts'
import {
  type ChargedConsignment,
  type ChargeView,
  computedChargeOf,
  readChargedConsignment,
} from './charged-consignment.ts'
import { type FreightMargin, freightMargin, sumOfCents } from './rate-consignment.ts'

const identity = { id: Uuid, isEffective: Type.Boolean(), particulars: nullable(Type.String()) }
const rates = {
  metricValue: Type.Number(),
  chargeMin: Type.Number(),
  chargeBase: Type.Number(),
  chargeRate: Type.Number(),
}
const origin = {
  isAdhoc: { ...Type.Boolean(), description: 'Entered by hand; other charges follow from a rate card.' },
  fafPercent: { ...Type.Number(), description: 'The fraction by which FAF raised the charge.' },
  ...allNullable({ activityCode: Type.String(), activityName: Type.String(), rateCardVersionId: Uuid }),
}

const ActivityCharge = named(
  'ActivityCharge',
  Type.Object({
    ...identity,
    chargeTypeCode: Type.String(),
    chargeTypeName: Type.String(),
    ...rates,
    taxRatePercent: Type.Number(),
    amountExclTax: Type.Number(),
    ...origin,
  }),
)
const FreightCharge = named(
  'FreightCharge',
  Type.Object({
    ...identity,
    type: IntegerEnum(ChargeType),
    ...rates,
    amountExclTax: Type.Number(),
    ...origin,
  }),
)
const Margin = named(
  'FreightMargin',
  Type.Object({
    chargedExclTax: Type.Number(),
    ...allNullable({
      incurredExclTax: Type.Number(),
      marginExclTax: Type.Number(),
      marginPercent: Type.Number(),
    }),
    isBelowThreshold: Type.Boolean(),
  }),
)
/** Work that no rate charges. */
export const UnratedWork = named(
  'UnratedWork',
  Type.Object({
    part: Type.Object({
      kind: IntegerEnum(ChargePartKind),
      id: nullable({ ...Uuid, description: 'The line, task type or consumable type.' }),
      name: nullable(Type.String({ description: 'Product code, or name of the type.' })),
    }),
    quantity: Type.Number(),
    reason: IntegerEnum(UnratedReason),
  }),
)
/** The charges of a consignment, in lists by kind. */
export const Charges = named(
  'ConsignmentCharges',
  Type.Object({
    clientActivityCharges: Type.Array(ActivityCharge),
    clientFreightCharges: Type.Array(FreightCharge),
    carrierFreightCharges: Type.Array(FreightCharge),
    isByExpected: {
      ...Type.Boolean(),
      description: 'Complete, but nothing was received or dispatched: expected quantities are charged.',
    },
    freightMargin: nullable(Margin),
    unrated: nullable(Type.Array(UnratedWork)),
  }),
)

/** The codes and names of activity charge types. */
const chargeTypeNames = new Map<number, { chargeTypeCode: string; chargeTypeName: string }>([
  [
    ChargeType.ClientActivityAdhoc,
    { chargeTypeCode: 'ClientActivityAdhoc', chargeTypeName: 'Client activity, ad hoc' },
  ],
  [
    ChargeType.ClientActivityMetricRate,
    { chargeTypeCode: 'ClientActivityMetricRate', chargeTypeName: 'Client activity, rate by metric' },
  ],
  [
    ChargeType.ClientActivityProductRate,
    { chargeTypeCode: 'ClientActivityProductRate', chargeTypeName: 'Client activity, rate by product' },
  ],
])

const commonFields = (charge: ChargeView) => ({
  id: charge.id,
  isEffective: charge.isIncluded,
  particulars: charge.particulars,
  metricValue: Number(charge.metricValue),
  // The API contract has numbers here, so an unset minimum or base is 0.
  chargeMin: Number(charge.chargeMin ?? 0),
  chargeBase: Number(charge.chargeBase ?? 0),
  chargeRate: Number(charge.chargeRate),
  amountExclTax: Number(charge.amountExclTax),
  isAdhoc: charge.rateCardVersionId === null,
  fafPercent: Number(charge.fafPercent),
  activityCode: charge.activityCode,
  activityName: charge.activityName,
  rateCardVersionId: charge.rateCardVersionId,
})

const toFreightCharge = (charge: ChargeView) => ({
  ...commonFields(charge),
  type: charge.chargeType as ChargeType,
})
const toActivityCharge = (charge: ChargeView) => ({
  ...commonFields(charge),
  ...(chargeTypeNames.get(charge.chargeType) as { chargeTypeCode: string; chargeTypeName: string }),
  taxRatePercent: Number(charge.taxRatePercent),
})

const isClientFreight = ({ chargeType }: ChargeView) =>
  chargeType >= ChargeType.ClientFreightAdhoc && chargeType < ChargeType.CarrierFreightAdhoc
const isCarrierFreight = ({ chargeType }: ChargeView) => chargeType >= ChargeType.CarrierFreightAdhoc

/**
 * Returns the freight margin. The cost is unknown if the carrier has neither a rate card nor an ad hoc
 * charge.
 */
function marginOf({ consignment, rated, charges, adhoc }: ChargedConsignment): FreightMargin {
  const included = [...charges, ...adhoc].filter(({ isIncluded }) => isIncluded)
  const sum = (views: ChargeView[]) => sumOfCents(views.map(({ amountExclTax }) => amountExclTax))
  const isKnown = rated?.carrier != null || adhoc.some(isCarrierFreight)
  const incurred = isKnown ? sum(included.filter(isCarrierFreight)) : null
  return freightMargin(
    sum(included.filter(isClientFreight)),
    incurred,
    consignment ?? { freightWarningType: 0, freightWarningThreshold: '0' },
  )
}

/**
 * Returns the charges that the actor may see, in lists by kind. A partner's users see only the charges
 * between the organisation and that partner, and neither margin nor unrated work.
 */
export function chargeLists(actor: Actor, charged: ChargedConsignment): Static<typeof Charges> {
  const visible = [...charged.charges, ...charged.adhoc].filter(
    ({ partnerId }) => actor.partnerId === null || partnerId === actor.partnerId,
  )
  const isInternal = actor.partnerId === null
  return {
    clientActivityCharges: visible
      .filter(({ chargeType }) => chargeType < ChargeType.ClientFreightAdhoc)
      .map(toActivityCharge),
    clientFreightCharges: visible.filter(isClientFreight).map(toFreightCharge),
    carrierFreightCharges: visible.filter(isCarrierFreight).map(toFreightCharge),
    isByExpected: charged.consignment?.isByExpected ?? false,
    freightMargin: isInternal ? marginOf(charged) : null,
    unrated: isInternal ? (charged.rated?.unrated ?? []) : null,
  }
}

export const charges = [
  endpoint({
    get: '/v1/consignments/:consignmentId/charges',
    name: 'listCharges',
    partners: 'all',
    scope: 'financial.read',
    summary: 'List what is charged for a consignment',
    description:
      'isEffective: the charge is billed when the consignment is Closed. chargeMin and chargeBase are 0 ' +
      'if not set. While the consignment is open, charges from rate cards are computed on each read, and ' +
      'so are always current; closing freezes them. unrated is the work that no rate charges. ' +
      'A token that belongs to a partner sees the charges between the organisation and that partner, and ' +
      'neither freightMargin nor unrated.',
    response: json(Charges),
    handle: async ({ db, actor, params, passOn }) =>
      chargeLists(actor, await readChargedConsignment(db, actor, params.consignmentId, passOn)),
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
    response: changed,
    async handle({ tx, actor, params, body: { isIncluded }, requestId, passOn }) {
      const consignment = await lockForCharges(tx, actor, params.consignmentId)
      const { consignmentChargeId } = params
      const isChanged =
        (await setAdhocIncluded(tx, consignment, consignmentChargeId, isIncluded)) ??
        (await setComputedIncluded(tx, actor, consignment, consignmentChargeId, isIncluded, passOn))
      if (!isChanged) return false
      const from = { id: consignmentChargeId, isIncluded: !isIncluded }
      const changes = [{ field: 'charges', from, to: { id: consignmentChargeId, isIncluded } }]
      const event = consignmentEvent(EventType.ConsignmentGeneralUpdated, consignment, { changes })
      await emit(tx, { ...actor, requestId }, [event])
      return true
    },
  }),
]

/**
 * Includes or excludes an ad hoc charge. Returns whether it changed, or undefined if it is not an ad hoc
 * charge.
 */
async function setAdhocIncluded(
  tx: Tx,
  { organisationId, id }: LockedConsignment,
  chargeId: string,
  isIncluded: boolean,
): Promise<boolean | undefined> {
  const charge = sql`organisation_id = ${organisationId} and consignment_id = ${id} and id = ${chargeId}
    and closing_number is null`
  const before = await tx.maybe<{ isIncluded: boolean }>(
    sql`select is_included from consignment_charge where ${charge}`,
  )
  if (before === undefined || before.isIncluded === isIncluded) return before && false
  await tx.run(sql`update consignment_charge set is_included = ${isIncluded} where ${charge}`)
  return true
}

/**
 * Includes or excludes a computed charge, and returns whether that changed. Exclusions are stored by rate
 * charge and part, so they survive changes of the consignment. 404 if there is no such charge now.
 */
async function setComputedIncluded(
  tx: Tx,
  actor: Actor,
  { organisationId, id }: LockedConsignment,
  chargeId: string,
  isIncluded: boolean,
  passOn: PassOn | undefined,
): Promise<boolean> {
  const charge = computedChargeOf(await readChargedConsignment(tx, actor, id, passOn), chargeId)
  if (charge === undefined) throw notFound('Charge')
  if (charge.isIncluded === isIncluded) return false
  const { rateChargeId, partKey } = charge
  await tx.run(
    isIncluded
      ? sql`delete from charge_exclusion where organisation_id = ${organisationId}
          and consignment_id = ${id} and rate_charge_id = ${rateChargeId} and part_key = ${partKey}`
      : sql`insert into charge_exclusion
            (organisation_id, consignment_id, rate_charge_id, part_key, excluded_by)
          values (${organisationId}, ${id}, ${rateChargeId}, ${partKey}, ${actor.userId})`,
  )
  return true
}

/** Locks a consignment whose charges are about to change. 404 if unknown; 400 if it is Closed or Void. */
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
