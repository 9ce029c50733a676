// A connection reports the result of an export that it received by webhook. Spec 4.2, 6.4; decision 4.

import type { Actor } from '../access/actor.ts'
import { endpoint } from '../access/endpoint.ts'
import { sql, type Tx } from '../platform/database/db.ts'
import { done } from '../platform/http/endpoint.ts'
import { notFound } from '../platform/http/refusal.ts'
import { IntegerEnum, named, optional, Text, Type } from '../platform/http/schema.ts'
import { isUuid } from '../platform/http/validation.ts'
import { EdiResult } from '../vocabulary/consignments.ts'
import { lockConsignment } from './consignment.ts'
import { setEdiStatus } from './edi-status.ts'

const ConnectionResult = named(
  'ConsignmentConnectionResult',
  Type.Object({
    operationId: Type.String({ minLength: 1, maxLength: 200 }),
    result: IntegerEnum(EdiResult),
    errorMessage: optional(Text),
  }),
)

/**
 * Whether an operation id was issued to the calling connection for this consignment, which means that it is
 * the id of a delivery to one of the connection's subscriptions, or to one that names its app.
 */
async function isIssuedOperation(
  tx: Tx,
  actor: Actor,
  consignmentId: string,
  operationId: string,
): Promise<boolean> {
  if (!isUuid(operationId)) return false
  const delivery = await tx.maybe(sql`
    select d.id from webhook_delivery d
    join webhook_subscription s on s.organisation_id = d.organisation_id and s.id = d.webhook_subscription_id
    join event e on e.organisation_id = d.organisation_id and e.id = d.event_id
    where d.organisation_id = ${actor.organisationId} and d.id = ${operationId}
      and e.subject_id = ${consignmentId} and (s.identity_connection_id = ${actor.connectionId}
        or s.custom_app_id = (
          select i.custom_app_id from identity_connection i
          where i.organisation_id = ${actor.organisationId} and i.id = ${actor.connectionId}))`)
  return delivery !== undefined
}

export const connectionResult = [
  endpoint({
    put: '/v1/consignments/:consignmentId/connection-result',
    name: 'setConnectionResult',
    partners: 'all',
    scope: 'consignment',
    summary: 'Acknowledge an export webhook',
    description:
      'operationId is the operation id of the delivery. The result becomes the ediStatus that the calling ' +
      'connection sees.',
    body: ConnectionResult,
    response: done,
    async handle({ tx, actor, params, body }) {
      const { id } = await lockConsignment(tx, actor, params.consignmentId)
      if (!(await isIssuedOperation(tx, actor, id, body.operationId))) throw notFound('Operation')
      await setEdiStatus(tx, actor, id, body.result, body.errorMessage || null)
    },
  }),
]
