// The endpoint that moves a consignment to another status. Decision 4.

import { endpoint } from '../access/endpoint.ts'
import { lockConsignment } from '../consignments/consignment.ts'
import { changed } from '../platform/http/endpoint.ts'
import {
  allOptional,
  IntegerEnum,
  LocalTime,
  named,
  optional,
  PlainDate,
  type Static,
  Text,
  Type,
} from '../platform/http/schema.ts'
import { parseLocalTime } from '../platform/local-time.ts'
import { ConsignmentStatus } from '../vocabulary/consignments.ts'
import { changeStatus } from './change-status.ts'

const StatusChange = named(
  'ConsignmentStatusChange',
  Type.Object({
    status: IntegerEnum(ConsignmentStatus),
    ...allOptional({ inTransitDispatchDateTime: LocalTime, closedTransactionDate: PlainDate }),
  }),
)

export const StatusReason = named('ConsignmentReason', Type.Object({ reason: optional(Text) }))
/** The reason that a request gives, if any; an empty one counts as none. */
export const readReason = ({ reason }: Static<typeof StatusReason>) => ({ reason: reason || undefined })

export const consignmentStatus = [
  endpoint({
    put: '/v1/consignments/:consignmentId/status',
    name: 'setConsignmentStatus',
    canBeRehearsed: true,
    partners: 'none',
    scope: 'consignment',
    extension: true,
    summary: 'Move a consignment to another status',
    description:
      'A consignment moves along the path of its type, forwards or back, up to Complete. Only a Complete ' +
      'consignment can be Closed, and any status before Closed can become Void. ' +
      'inTransitDispatchDateTime (now by default) applies if the move dispatches the goods, and ' +
      'closedTransactionDate (today by default) if it closes the consignment.',
    body: StatusChange,
    response: changed,
    async handle({ tx, actor, params, body, requestId }) {
      const consignment = await lockConsignment(tx, actor, params.consignmentId)
      const { inTransitDispatchDateTime, closedTransactionDate } = body
      return changeStatus(tx, { ...actor, requestId }, consignment, body.status, {
        dispatchedAt: inTransitDispatchDateTime
          ? (parseLocalTime(inTransitDispatchDateTime, consignment.timezoneId) ?? undefined)
          : undefined,
        closedTransactionDate: closedTransactionDate ?? undefined,
      })
    },
  }),
]
