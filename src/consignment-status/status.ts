// The endpoint that moves a consignment to another status. Decision 4.

import type { Actor } from '../access/actor.ts'
import { endpoint } from '../access/endpoint.ts'
import { lockConsignment } from '../consignments/consignment.ts'
import type { Database, Tx } from '../platform/database/db.ts'
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
import { passDoor } from '../stock/commands/door.ts'
import { findWarehouse } from '../stock/commands/find-warehouse.ts'
import { ConsignmentStatus } from '../vocabulary/consignments.ts'
import { changeStatus } from './change-status.ts'
import { readyKind } from './ready-kind.ts'

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
    ownTransactions: true,
    handle: ({ database, signal, actor, params, body, requestId }) =>
      setStatus({ database, signal, actor, requestId }, params.consignmentId, body, readyKind),
  }),
]

interface StatusContext {
  database: Database
  actor: Actor
  requestId: string
  signal: AbortSignal
}

/** Moves a consignment in a transaction of its own, or of `kind` at the door of its warehouse if it may. */
export async function setStatus(
  { database, signal, actor, requestId }: StatusContext,
  consignmentId: string,
  body: Static<typeof StatusChange>,
  kind: typeof readyKind,
): Promise<boolean> {
  const { organisationId, connectionId, userId } = actor
  const request = {
    ...{ actor, params: { consignmentId }, requestId, occurredUtc: null },
    source: { connectionId, userId, requestId },
    operation: { operationId: null, request: null },
  }
  const clue = { table: 'consignment', id: consignmentId } as const
  const { answer } = await passDoor((await findWarehouse(database, organisationId, clue)) ?? 'any', {
    ...{ database, signal, request },
    kind: body.status === ConsignmentStatus.ReadyToPick ? kind : null,
    alone: async tx => ({
      answer: await move(tx, { ...actor, requestId }, consignmentId, body),
      isReplayed: false,
    }),
  })
  return answer
}

/** Moves one consignment, whatever the move is. */
async function move(
  tx: Tx,
  actor: Actor & { requestId: string },
  consignmentId: string,
  { status, inTransitDispatchDateTime, closedTransactionDate }: Static<typeof StatusChange>,
): Promise<boolean> {
  const consignment = await lockConsignment(tx, actor, consignmentId)
  return changeStatus(tx, actor, consignment, status, {
    dispatchedAt: inTransitDispatchDateTime
      ? (parseLocalTime(inTransitDispatchDateTime, consignment.timezoneId) ?? undefined)
      : undefined,
    closedTransactionDate: closedTransactionDate ?? undefined,
  })
}
