// Closing many consignments at once: one that is refused stops no other. Open-points 7.

import { billConsignments } from '../../billing/bill-consignments.ts'
import { type EventSource, emit } from '../../events/emit.ts'
import { EventType } from '../../events/event.ts'
import { sql, type Tx } from '../../platform/database/db.ts'
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
import { consignmentEvent, type LockedConsignment, lockConsignments } from '../consignment.ts'
import { refusalOfMove } from '../consignment-status.ts'
import { CloseResult, ConsignmentStatus } from '../enumerations.ts'

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

/** Consignments by the date that their transactions get. */
const byDate = (consignments: readonly LockedConsignment[], date: string | null | undefined) =>
  Map.groupBy(consignments, ({ localNow }) => date ?? localNow.slice(0, 10))

/** Closes locked consignments that are Complete, in a statement a table. Returns why some are refused. */
async function closeAll(
  tx: Tx,
  source: EventSource,
  consignments: readonly LockedConsignment[],
  date: string | null | undefined,
): Promise<Map<string, string[]>> {
  const refused = new Map<string, string[]>()
  for (const [closedTransactionDate, all] of byDate(consignments, date)) {
    const ids = all.map(({ id }) => id)
    const its = await billConsignments(tx, source.organisationId, ids, closedTransactionDate)
    for (const [id, messages] of its) refused.set(id, messages)
    const closed = all.filter(({ id }) => !its.has(id))
    await tx.run(sql`
      update consignment
      set status = ${ConsignmentStatus.Closed}, closed_transaction_date = ${closedTransactionDate}
      where organisation_id = ${source.organisationId} and id = any(${closed.map(({ id }) => id)})`)
    const events = closed.map(one =>
      consignmentEvent(
        EventType.ConsignmentStatusUpdated,
        { ...one, status: ConsignmentStatus.Closed },
        {
          previousStatus: one.status,
          changes: [
            { field: 'status', from: one.status, to: ConsignmentStatus.Closed },
            { field: 'closedTransactionDate', from: one.closedTransactionDate, to: closedTransactionDate },
          ],
        },
      ),
    )
    await emit(tx, source, events)
  }
  return refused
}

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
      const refused = await closeAll(tx, source, closing, closedTransactionDate)
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
