// The status of a consignment: moving it, voiding it, reopening it. Open-points 4.

import { changed, endpoint } from '../../platform/http/endpoint.ts'
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
} from '../../platform/http/schema.ts'
import { parseLocalTime } from '../../platform/local-time.ts'
import { lockConsignment } from '../consignment.ts'
import { ConsignmentStatus } from '../enumerations.ts'
import { changeStatus } from './change-status.ts'

const StatusChange = named(
  'ConsignmentStatusChange',
  Type.Object({
    status: IntegerEnum(ConsignmentStatus),
    ...allOptional({ inTransitDispatchDateTime: LocalTime, closedTransactionDate: PlainDate }),
  }),
)

export const Reason = named('ConsignmentReason', Type.Object({ reason: optional(Text) }))
/** The reason that a request gives, if any. */
export const reasonOf = ({ reason }: Static<typeof Reason>) => ({ reason: reason || undefined })

export const status = [
  endpoint({
    put: '/v1/consignments/:consignmentId/status',
    name: 'setConsignmentStatus',
    partners: 'none',
    scope: 'consignment',
    extension: true,
    summary: 'Move a consignment to another status',
    description:
      'Along the path of its type, forwards or back, up to Complete; Complete to Closed; Void from any ' +
      'status before Closed. ' +
      'inTransitDispatchDateTime (default now) counts when the move dispatches the goods, ' +
      'closedTransactionDate (default today) when it closes.',
    body: StatusChange,
    answer: changed,
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
