// Charges that somebody enters by hand. Spec 2.8, 4.9; open-points 7.

import { v7 as uuidv7 } from 'uuid'
import { consignmentEvent, type LockedConsignment } from '../../consignments/consignment.ts'
import { type EventSource, emit } from '../../events/emit.ts'
import { EventType } from '../../events/event.ts'
import { sql, type Tx } from '../../platform/database/db.ts'
import { insertInto } from '../../platform/database/write.ts'
import type { Endpoint } from '../../platform/http/endpoint.ts'
import { endpoint, json } from '../../platform/http/endpoint.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { notFound, validationFailed, verificationFailed } from '../../platform/http/refusal.ts'
import {
  Decimal,
  IntegerEnum,
  named,
  optional,
  type Static,
  Text,
  Type,
  Uuid,
} from '../../platform/http/schema.ts'
import type { Finding } from '../../platform/http/validation.ts'
import { SetUpStatus } from '../../reference-data/enumerations.ts'
import { ChargeApplication, ChargeType } from '../enumerations.ts'
import { chargeAmount } from './charge-amount.ts'
import { lockForCharges } from './charges.ts'

/**
 * The greatest amount of one charge, either way: as much as every other decimal, and exact in JSON to the
 * cent.
 */
const maxAmount = 99_999_999_999

/** A rate needs something to multiply. */
function metricFaults(value: unknown): Finding[] {
  const { chargeApplication, metricValue } = (value ?? {}) as Record<string, unknown>
  const isMissing = metricValue === undefined || metricValue === null
  return chargeApplication === ChargeApplication.Rate && isMissing
    ? [{ path: '/metricValue', problem: 'is required for a rate', code: 'required' }]
    : []
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

/**
 * The percent of a new charge's tax rate. 404 for an unknown tax rate, 400 for an unknown account or centre
 * and for anything inactive.
 */
async function verifyReferences(
  tx: Tx,
  organisationId: string,
  charge: AdhocCharge,
): Promise<{ percent: string }> {
  const { taxRateId, revenueAccountId = null, costCentreId = null } = charge
  const found = await tx.row<{
    percent: string | null
    isActive: boolean
    hasAccount: boolean
    hasCentre: boolean
  }>(sql`
    select t.percent::text, coalesce(t.status = ${SetUpStatus.Active}, false) as is_active,
      exists (
        select from revenue_account
        where organisation_id = ${organisationId} and id = ${revenueAccountId}
          and status = ${SetUpStatus.Active}
      ) as has_account,
      exists (
        select from cost_centre
        where organisation_id = ${organisationId} and id = ${costCentreId}
          and status = ${SetUpStatus.Active}
      ) as has_centre
    from (select) one left join tax_rate t on t.organisation_id = ${organisationId} and t.id = ${taxRateId}`)
  const { percent, isActive, hasAccount, hasCentre } = found
  if (percent === null) throw notFound('Tax rate')
  const faults = [
    ...(isActive ? [] : [faultAt('taxRateId', 'names a tax rate that is not active', 'state')]),
    ...(revenueAccountId === null || hasAccount
      ? []
      : [faultAt('revenueAccountId', 'does not name an active revenue account', 'unknown_reference')]),
    ...(costCentreId === null || hasCentre
      ? []
      : [faultAt('costCentreId', 'does not name an active cost centre', 'unknown_reference')]),
  ]
  if (faults.length > 0) throw verificationFailed(...faults)
  return { percent }
}

/**
 * Adds a charge that somebody entered by hand to a locked consignment, and returns its id. It is taken as
 * given: no minimum, no freight adjustment.
 */
async function addAdhocCharge(
  tx: Tx,
  source: EventSource,
  consignment: LockedConsignment,
  type: ChargeType,
  body: AdhocCharge,
) {
  const { organisationId, id: consignmentId } = consignment
  const partnerId = type === ChargeType.CarrierFreightAdhoc ? consignment.carrierId : consignment.clientId
  if (partnerId === null)
    throw verificationFailed('The consignment has no carrier that could charge for freight.')
  const { percent } = await verifyReferences(tx, organisationId, body)
  const {
    chargeApplication: application,
    chargeRateExclTax: rate,
    metricValue,
    particulars,
    revenueAccountId,
    costCentreId,
  } = body
  const quantity = metricValue ?? 1
  const amountExclTax = chargeAmount({ application, metricValue: quantity, rate })
  if (Math.abs(Number(amountExclTax)) > maxAmount) {
    throw validationFailed({
      path: 'metricValue',
      code: 'range',
      message: `metricValue and chargeRateExclTax must come to an amount of ${maxAmount} or less.`,
    })
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
      createdBy: source.userId,
    }),
  )
  const changes = [{ field: 'charges', from: null, to: { id, amountExclTax: Number(amountExclTax) } }]
  await emit(tx, source, [consignmentEvent(EventType.ConsignmentGeneralUpdated, consignment, { changes })])
  return id
}

type Side = 'client-activity' | 'client-freight' | 'carrier-freight'

/** The endpoint that adds charges of one type. */
const adhoc = (
  post: `/v1/consignments/:consignmentId/charges/${Side}/adhoc`,
  { name, type, summary }: { name: string; type: ChargeType; summary: string },
): Endpoint =>
  endpoint({
    post,
    name,
    partners: 'none',
    scope: 'financial',
    summary,
    description:
      'A Rate comes to metricValue × chargeRateExclTax, a Fee to chargeRateExclTax (its metricValue may be ' +
      'left out and is then 1), rounded to the cent. ' +
      'The amount is taken as given: no FAF profile changes it. A negative chargeRateExclTax is a credit. ' +
      'It stays between the organisation and the client or carrier that the consignment has now, also when ' +
      'the carrier changes.',
    body: AdhocCharge,
    answer: json(Type.Object({ consignmentChargeId: Uuid })),
    async handle({ tx, actor, params, body, requestId }) {
      const consignment = await lockForCharges(tx, actor, params.consignmentId)
      const source = { ...actor, requestId }
      return { consignmentChargeId: await addAdhocCharge(tx, source, consignment, type, body) }
    },
  })

export const adhocCharges = [
  adhoc('/v1/consignments/:consignmentId/charges/client-activity/adhoc', {
    name: 'addClientActivityCharge',
    type: ChargeType.ClientActivityAdhoc,
    summary: "Charge the client for an activity, beside the client's rates",
  }),
  adhoc('/v1/consignments/:consignmentId/charges/client-freight/adhoc', {
    name: 'addClientFreightCharge',
    type: ChargeType.ClientFreightAdhoc,
    summary: "Charge the client for freight, beside the client's rates",
  }),
  adhoc('/v1/consignments/:consignmentId/charges/carrier-freight/adhoc', {
    name: 'addCarrierFreightCharge',
    type: ChargeType.CarrierFreightAdhoc,
    summary: 'Record what the carrier charges for freight',
  }),
]
