// The status of a consignment: moving it, voiding it, reopening it. Open-points 4.

import { changed, endpoint } from '../../platform/http/endpoint.ts'
import { IntegerEnum, LocalTime, named, optional, optionals, PlainDate, type Static, Text, Type } from '../../platform/http/schema.ts'
import { parseLocal } from '../../platform/local-time.ts'
import { lockConsignment } from '../consignment.ts'
import { ConsignmentStatus } from '../enumerations.ts'
import { changeStatus, reopen } from './change-status.ts'

const member = '/v1/consignments/:consignmentId'

const StatusChange = named(
  'ConsignmentStatusChange',
  Type.Object({
    status: IntegerEnum(ConsignmentStatus),
    ...optionals({ inTransitDispatchDateTime: LocalTime, closedTransactionDate: PlainDate }),
  }),
)

const Reason = named('ConsignmentReason', Type.Object({ reason: optional(Text) }))
const reasonOf = ({ reason }: Static<typeof Reason>) => ({ reason: reason || undefined })

export const status = [
  endpoint({
    put: `${member}/status`,
    scope: 'consignment',
    extension: true,
    summary: 'Move a consignment to another status',
    description:
      'Along the path of its type, forwards or back, up to Complete; Complete to Closed; Void from any status before Closed. ' +
      'inTransitDispatchDateTime (default now) counts when the move dispatches the goods, closedTransactionDate (default today) when it closes.',
    body: StatusChange,
    answer: changed,
    async handle({ tx, actor, params, body, requestId }) {
      const consignment = await lockConsignment(tx, actor, params.consignmentId)
      const { inTransitDispatchDateTime: leaving, closedTransactionDate } = body
      return changeStatus(tx, { ...actor, requestId }, consignment, body.status, {
        dispatchedAt: leaving ? (parseLocal(leaving, consignment.timezoneId) ?? undefined) : undefined,
        closedTransactionDate: closedTransactionDate ?? undefined,
      })
    },
  }),
  endpoint({
    put: `${member}/void`,
    scope: 'consignment',
    extension: true,
    summary: 'Void a consignment',
    body: Reason,
    bodyOptional: true,
    answer: changed,
    async handle({ tx, actor, params, body, requestId }) {
      const consignment = await lockConsignment(tx, actor, params.consignmentId)
      return changeStatus(tx, { ...actor, requestId }, consignment, ConsignmentStatus.Void, reasonOf(body))
    },
  }),
  endpoint({
    put: `${member}/reopen`,
    scope: 'consignment',
    extension: true,
    summary: 'Reopen a Closed consignment',
    body: Reason,
    bodyOptional: true,
    answer: changed,
    async handle({ tx, actor, params, body, requestId }) {
      const consignment = await lockConsignment(tx, actor, params.consignmentId)
      return reopen(tx, { ...actor, requestId }, consignment, reasonOf(body).reason)
    },
  }),
]
