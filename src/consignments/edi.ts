// What a connection says about its exchange of a consignment: its ediStatus, and the outcome of an export. Spec 2.2, 4.2, 6.4; open-points 2, 4.
//
// The mark is the connection's own and no part of the consignment: it changes in every status, Closed included, and raises no event. An export by hand is
// asked for in every status too.

import { emit } from '../events/emit.ts'
import { EventType } from '../events/event.ts'
import { sql, type Tx } from '../platform/database/db.ts'
import type { Actor } from '../platform/http/actor.ts'
import { changed, done, endpoint } from '../platform/http/endpoint.ts'
import { notFound } from '../platform/http/refusal.ts'
import { IntegerEnum, named, nullable, optional, Text, Type } from '../platform/http/schema.ts'
import { isUuid } from '../platform/http/validation.ts'
import { consignmentEvent, lockConsignment } from './consignment.ts'
import { EdiResult } from './enumerations.ts'

const EdiDetail = named(
  'ConsignmentEdiDetail',
  Type.Object({
    ediStatus: nullable(Type.Integer({ minimum: 10, maximum: 2147483647, description: '10 and up; null: not set' })),
    message: optional(Text),
  }),
)

const ConnectionResult = named(
  'ConsignmentConnectionResult',
  Type.Object({
    operationId: Type.String({ minLength: 1, maxLength: 200 }),
    result: IntegerEnum(EdiResult),
    errorMessage: optional(Text),
  }),
)

/** Sets the calling connection's mark on a consignment. False: it is set so already. */
async function mark(tx: Tx, actor: Actor, consignmentId: string, ediStatus: number | null, message: string | null): Promise<boolean> {
  const written = await tx.run(sql`
    insert into consignment_edi as known (organisation_id, consignment_id, identity_connection_id, edi_status, message)
    select ${actor.organisationId}::uuid, ${consignmentId}::uuid, ${actor.connectionId}::uuid, new.edi_status, new.message
    from (select ${ediStatus}::int as edi_status, ${message}::text as message) new
    where new.edi_status is not null or new.message is not null
      or exists (select from consignment_edi where organisation_id = ${actor.organisationId} and consignment_id = ${consignmentId}
        and identity_connection_id = ${actor.connectionId})
    on conflict on constraint consignment_edi_pkey do update
    set edi_status = excluded.edi_status, message = excluded.message, modified_utc = now()
    where row(known.edi_status, known.message) is distinct from row(excluded.edi_status, excluded.message)`)
  return written > 0
}

/** Whether an operation id was issued to the calling connection for this consignment: it is a delivery to one of its subscriptions. */
async function issued(tx: Tx, actor: Actor, consignmentId: string, operationId: string): Promise<boolean> {
  if (!isUuid(operationId)) return false
  const delivery = await tx.maybe(sql`
    select d.id from webhook_delivery d
    join webhook_subscription s on s.organisation_id = d.organisation_id and s.id = d.webhook_subscription_id
    join event e on e.organisation_id = d.organisation_id and e.id = d.event_id
    where d.organisation_id = ${actor.organisationId} and d.id = ${operationId}
      and s.identity_connection_id = ${actor.connectionId} and e.subject_id = ${consignmentId}`)
  return delivery !== undefined
}

const member = '/v1/consignments/:consignmentId'

export const edi = [
  endpoint({
    put: `${member}/connection-result`,
    scope: 'consignment',
    summary: 'Acknowledge an export webhook',
    description: 'operationId is that of the delivery. The result becomes the ediStatus that the calling connection sees.',
    body: ConnectionResult,
    answer: done,
    async handle({ tx, actor, params, body }) {
      const { id } = await lockConsignment(tx, actor, params.consignmentId)
      if (!(await issued(tx, actor, id, body.operationId))) throw notFound('Operation')
      await mark(tx, actor, id, body.result, body.errorMessage || null)
    },
  }),
  endpoint({
    post: `${member}/edi-detail`,
    scope: 'consignment',
    extension: true,
    summary: "Set the calling connection's ediStatus of a consignment",
    body: EdiDetail,
    answer: changed,
    async handle({ tx, actor, params, body }) {
      const { id } = await lockConsignment(tx, actor, params.consignmentId)
      return mark(tx, actor, id, body.ediStatus, body.message || null)
    },
  }),
  endpoint({
    post: `${member}/trigger-action`,
    scope: 'consignment',
    extension: true,
    summary: 'Ask for an export of a consignment by hand',
    description:
      'Whoever subscribes to ConsignmentConnectionActionManualTrigger (115) is told, and acknowledges with connection-result. Possible in every status, and again.',
    answer: done,
    async handle({ tx, actor, params, requestId }) {
      const consignment = await lockConsignment(tx, actor, params.consignmentId)
      await emit(tx, { ...actor, requestId }, [consignmentEvent(EventType.ConsignmentConnectionActionManualTrigger, consignment)])
    },
  }),
]
