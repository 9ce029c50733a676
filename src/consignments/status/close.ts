// Closing many consignments at once: one that is refused stops no other. Open-points 7.

import { endpoint, json } from '../../platform/http/endpoint.ts'
import {
  IntegerEnum,
  named,
  optional,
  PlainDate,
  type Static,
  Type,
  Uuid,
} from '../../platform/http/schema.ts'
import { type LockedConsignment, lockConsignments } from '../consignment.ts'
import { refusalOfMove } from '../consignment-status.ts'
import { CloseResult, ConsignmentStatus } from '../enumerations.ts'
import { closeAll } from './close-all.ts'

const Closing = named(
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
    partners: 'none',
    scope: 'consignment',
    extension: true,
    summary: 'Close Complete consignments',
    description:
      'Each is closed or refused by itself, and told in the order in which it is named. Their transactions ' +
      'are dated closedTransactionDate, which is today where it is left out.',
    body: Closing,
    answer: json(ClosedConsignments),
    async handle({ tx, actor, body: { consignmentIds, closedTransactionDate }, requestId }) {
      const ids = [...new Set(consignmentIds.map(id => id.toLowerCase()))]
      const locked = await lockConsignments(tx, actor.organisationId, ids)
      const known = new Map(locked.map(one => [one.id, one]))
      const refusalOf = ({ type, status }: LockedConsignment) =>
        refusalOfMove(type, status, ConsignmentStatus.Closed)
      const closing = locked.filter(one => refusalOf(one) === null)
      const source = { ...actor, requestId }
      const dateOf = ({ localNow }: LockedConsignment) => closedTransactionDate ?? localNow.slice(0, 10)
      const refused = await closeAll(tx, source, closing, dateOf)
      const results = ids.map((consignmentId): Result => {
        const one = known.get(consignmentId)
        if (one?.status === ConsignmentStatus.Closed)
          return { consignmentId, result: CloseResult.NotModified, messages: [] }
        const messages =
          one === undefined
            ? ['Consignment not found.']
            : (refused.get(one.id) ?? [refusalOf(one) ?? []].flat())
        const result = messages.length === 0 ? CloseResult.Closed : CloseResult.Refused
        return { consignmentId, result, messages }
      })
      return { results }
    },
  }),
]
