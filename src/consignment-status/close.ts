// Closes many consignments at once. A refused consignment does not stop the others. Decision 7.

import { endpoint } from '../access/endpoint.ts'
import { type LockedConsignment, lockConsignments } from '../consignments/consignment.ts'
import { consignmentMoveRefusal } from '../consignments/consignment-status.ts'
import { json } from '../platform/http/endpoint.ts'
import { IntegerEnum, named, optional, PlainDate, type Static, Type, Uuid } from '../platform/http/schema.ts'
import { CloseResult, ConsignmentStatus } from '../vocabulary/consignments.ts'
import { closeAll } from './close-all.ts'

const ClosingRequest = named(
  'ConsignmentsToClose',
  Type.Object({
    consignmentIds: Type.Array(Uuid, { minItems: 1, maxItems: 1_000 }),
    closedTransactionDate: optional(PlainDate),
  }),
)
const ClosedConsignments = named(
  'ClosedConsignments',
  Type.Object({
    results: Type.Array(
      Type.Object({
        consignmentId: Uuid,
        result: IntegerEnum(CloseResult),
        messages: Type.Array(Type.String()),
      }),
    ),
  }),
)
type Result = Static<typeof ClosedConsignments>['results'][number]

export const closeConsignments = [
  endpoint({
    post: '/v1/consignments/close',
    name: 'closeConsignments',
    canBeRehearsed: true,
    partners: 'none',
    scope: 'consignment',
    extension: true,
    summary: 'Close Complete consignments',
    description:
      'Each consignment is closed or refused independently of the others. The results are in the order of ' +
      'the request. The transactions get the date closedTransactionDate, which is today by default.',
    body: ClosingRequest,
    response: json(ClosedConsignments),
    async handle({ tx, actor, body: { consignmentIds, closedTransactionDate }, requestId }) {
      const ids = [...new Set(consignmentIds)]
      const locked = await lockConsignments(tx, actor.organisationId, ids)
      const lockedById = new Map(locked.map(consignment => [consignment.id, consignment]))
      const refusalOf = ({ type, status }: LockedConsignment) =>
        consignmentMoveRefusal(type, status, ConsignmentStatus.Closed)
      const closable = locked.filter(consignment => refusalOf(consignment) === null)
      const source = { ...actor, requestId }
      const transactionDateOf = ({ localNow }: LockedConsignment) =>
        closedTransactionDate ?? localNow.slice(0, 10)
      const refusals = await closeAll(tx, source, closable, transactionDateOf)
      const results = ids.map((consignmentId): Result => {
        const consignment = lockedById.get(consignmentId)
        if (consignment?.status === ConsignmentStatus.Closed)
          return { consignmentId, result: CloseResult.NotModified, messages: [] }
        const messages =
          consignment === undefined
            ? ['Consignment not found.']
            : (refusals.get(consignment.id) ?? [refusalOf(consignment) ?? []].flat())
        const result = messages.length === 0 ? CloseResult.Closed : CloseResult.Refused
        return { consignmentId, result, messages }
      })
      return { results }
    },
  }),
]
