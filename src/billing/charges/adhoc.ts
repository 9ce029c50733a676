// The endpoints that add ad hoc charges to a consignment. Spec 2.8, 4.9; decision 7.

import { v7 as uuidv7 } from 'uuid'
import type { Endpoint } from '../../access/endpoint.ts'
import { endpoint } from '../../access/endpoint.ts'
import { consignmentEvent, type LockedConsignment } from '../../consignments/consignment.ts'
import { type EventOrigin, emit } from '../../events/emit.ts'
import type { Tx } from '../../platform/database/db.ts'
import { insertInto } from '../../platform/database/write.ts'
import { json } from '../../platform/http/endpoint.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import { Type, Uuid } from '../../platform/http/schema.ts'
import { ChargeType } from '../../vocabulary/billing.ts'
import { EventType } from '../../vocabulary/events.ts'
import { AdhocCharge, amountOfAdhoc, verifyReferences } from './adhoc-charge.ts'
import { lockForCharges } from './charges.ts'

/**
 * Adds an ad hoc charge to a locked consignment, and returns its id. The amount is used as entered: no
 * minimum and no FAF apply. 400 for carrier freight on a consignment without a carrier.
 */
async function addAdhocCharge(
  tx: Tx,
  source: EventOrigin,
  consignment: LockedConsignment,
  type: ChargeType,
  body: AdhocCharge,
) {
  const { organisationId, id: consignmentId } = consignment
  const partnerId = type === ChargeType.CarrierFreightAdhoc ? consignment.carrierId : consignment.clientId
  if (partnerId === null)
    throw verificationFailed('The consignment has no carrier that could charge for freight.')
  const { name, percent } = await verifyReferences(tx, organisationId, body)
  const { quantity, amountExclTax } = amountOfAdhoc(body)
  const { particulars, revenueAccountId, costCentreId } = body
  const id = uuidv7()
  await tx.run(
    insertInto('consignment_charge', {
      organisationId,
      id,
      consignmentId,
      partnerId,
      chargeType: type,
      chargeApplication: body.chargeApplication,
      particulars,
      metricValue: quantity,
      chargeRate: body.chargeRateExclTax,
      taxRateId: body.taxRateId,
      taxRatePercent: percent,
      taxRateName: name,
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

/** Defines the endpoint that adds ad hoc charges of one type. */
const addEndpoint = (
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
      'The amount of a Rate is metricValue × chargeRateExclTax, that of a Fee is chargeRateExclTax (its ' +
      'metricValue defaults to 1), rounded to the cent. ' +
      'The amount is used as entered: no FAF profile changes it. A negative chargeRateExclTax is a credit. ' +
      'The charge stays with the client or carrier that the consignment has now, even if the carrier ' +
      'changes.',
    body: AdhocCharge,
    response: json(Type.Object({ consignmentChargeId: Uuid })),
    async handle({ tx, actor, params, body, requestId }) {
      const consignment = await lockForCharges(tx, actor, params.consignmentId)
      const source = { ...actor, requestId }
      return { consignmentChargeId: await addAdhocCharge(tx, source, consignment, type, body) }
    },
  })

export const adhocCharges = [
  addEndpoint('/v1/consignments/:consignmentId/charges/client-activity/adhoc', {
    name: 'addClientActivityCharge',
    type: ChargeType.ClientActivityAdhoc,
    summary: "Charge the client for an activity, in addition to the client's rates",
  }),
  addEndpoint('/v1/consignments/:consignmentId/charges/client-freight/adhoc', {
    name: 'addClientFreightCharge',
    type: ChargeType.ClientFreightAdhoc,
    summary: "Charge the client for freight, in addition to the client's rates",
  }),
  addEndpoint('/v1/consignments/:consignmentId/charges/carrier-freight/adhoc', {
    name: 'addCarrierFreightCharge',
    type: ChargeType.CarrierFreightAdhoc,
    summary: 'Record what the carrier charges for freight',
  }),
]
