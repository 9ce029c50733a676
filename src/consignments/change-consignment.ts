// Changes a consignment or one of its records: locks its row first, and stores the events afterwards.
// Decisions 4, 6; spec 4.3 to 4.8.

import type { Actor } from '../access/actor.ts'
import { emit, type NewEvent } from '../events/emit.ts'
import { raw, sql, type Tx } from '../platform/database/db.ts'
import { verificationFailed } from '../platform/http/refusal.ts'
import type { EventType } from '../vocabulary/events.ts'
import { requireDraftOrPending } from './client-changes.ts'
import {
  type Change,
  type ConsignmentFacts,
  consignmentEvent,
  type LockedConsignment,
  lockOpenConsignment,
} from './consignment.ts'

/** The parts that are needed here of a request to an endpoint below `/v1/consignments/:consignmentId`. */
interface Request {
  tx: Tx
  actor: Actor
  params: { consignmentId: string }
  requestId: string
}

/**
 * Raises an event, with the changes for the history. `after` has the new values of changed facts that events
 * contain.
 */
export type RaiseEvent = (type: EventType, changes: Change[], after?: Partial<ConsignmentFacts>) => void

/**
 * Locks the consignment of a request, lets `change` alter it or one of its records, and stores the events
 * that `change` raises. Throws 404 if the actor cannot see the consignment, and 400 if it is Closed or, for a
 * client's user, neither Draft nor Pending; `change` may throw other refusals. Other changes of the same
 * consignment wait, so what `change` reads stays true until the commit.
 */
export async function changeConsignment<T>(
  request: Request,
  change: (consignment: LockedConsignment, raise: RaiseEvent) => Promise<T>,
): Promise<T> {
  const { tx, actor, params, requestId } = request
  const consignment = await lockOpenConsignment(tx, actor, params.consignmentId)
  requireDraftOrPending(actor, consignment)
  const events: NewEvent[] = []
  const result = await change(consignment, (type, changes, after) =>
    events.push(consignmentEvent(type, { ...consignment, ...after }, { changes })),
  )
  await emit(tx, { ...actor, requestId }, events)
  return result
}

/**
 * Like `changeConsignment`, for changes that one type of event covers. `change` returns its changes, and the
 * event is raised if there are any. Returns whether anything changed.
 */
export const changeRecords = (
  request: Request,
  event: EventType,
  change: (consignment: LockedConsignment) => Promise<Change[]>,
): Promise<boolean> =>
  changeConsignment(request, async (consignment, raise) => {
    const changes = await change(consignment)
    if (changes.length > 0) raise(event, changes)
    return changes.length > 0
  })

/** The kinds of records of which a consignment has any number: the table, their plural, and the most. */
const recordKinds = {
  note: { table: 'consignment_note', plural: 'notes', max: 2_000 },
  pod: { table: 'consignment_pod', plural: 'proofs of delivery', max: 1_000 },
  tracking: { table: 'consignment_tracking', plural: 'tracking records', max: 1_000 },
}

/**
 * Throws 400 if a locked consignment has the most records of a kind that it may have: a read of it returns
 * them all.
 */
export async function requireRoomForRecord(
  tx: Tx,
  { organisationId, id, consignmentNumber }: LockedConsignment,
  kind: keyof typeof recordKinds,
): Promise<void> {
  const { table, plural, max } = recordKinds[kind]
  const { count } = await tx.row<{ count: number }>(sql`
    select count(*) from ${raw(table)} where organisation_id = ${organisationId} and consignment_id = ${id}`)
  if (count >= max)
    throw verificationFailed(
      `Consignment ${consignmentNumber} has ${max.toLocaleString('en-GB')} ${plural} already, ` +
        'which is the most.',
    )
}

/**
 * The effect of a change on a record of a collection: one entry with the record's id and the fields that
 * differ, or no entry if nothing differs.
 */
export function describeRecordChange<Stored extends { id: string }>(
  collection: string,
  before: Stored,
  change: Partial<Stored>,
): Change[] {
  const storedValues = new Map(Object.entries(before))
  const differing = Object.entries(change).filter(([field, value]) => value !== storedValues.get(field))
  if (differing.length === 0) return []
  const from = Object.fromEntries(differing.map(([field]) => [field, storedValues.get(field)]))
  return [
    {
      field: collection,
      from: { id: before.id, ...from },
      to: { id: before.id, ...Object.fromEntries(differing) },
    },
  ]
}
