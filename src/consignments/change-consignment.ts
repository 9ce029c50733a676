// Changing a consignment or a record of it: the row is locked first, and the events follow. Open-points 4
// (Closed), 6; spec 4.3 to 4.8.

import { emit, type NewEvent } from '../events/emit.ts'
import type { EventType } from '../events/event.ts'
import type { Tx } from '../platform/database/db.ts'
import type { Actor } from '../platform/http/actor.ts'
import { requireDraftOrPending } from './client-changes.ts'
import {
  type Change,
  type ConsignmentFacts,
  consignmentEvent,
  type LockedConsignment,
  lockOpenConsignment,
} from './consignment.ts'

/** What is needed of a request to an endpoint below `/v1/consignments/:consignmentId`. */
interface Request {
  tx: Tx
  actor: Actor
  params: { consignmentId: string }
  requestId: string
}

/**
 * Raises an event, with what was changed for the history. `after` is what the change made different among the
 * facts that events carry.
 */
export type RaiseEvent = (type: EventType, changes: Change[], after?: Partial<ConsignmentFacts>) => void

/**
 * Locks the consignment of a request, lets `change` alter it or a record of it, and stores the events that
 * `change` raises. 404 when there is none that the actor may see, 400 when it is Closed and, for a client's
 * person, when it is neither Draft nor Pending; `change` may refuse more. Whoever else wants to change the
 * same consignment waits meanwhile, so what `change` reads stays true until the commit.
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
 * The same for changes that one type of event stands for: `change` returns what it changed. Returns whether
 * it changed anything.
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

/**
 * How a change alters a record of a collection: one entry with the record's id and the fields that become
 * different, or none.
 */
export function differences<Stored extends { id: string }>(
  collection: string,
  before: Stored,
  change: Partial<Stored>,
): Change[] {
  const stored = new Map(Object.entries(before))
  const differing = Object.entries(change).filter(([field, value]) => value !== stored.get(field))
  if (differing.length === 0) return []
  const from = Object.fromEntries(differing.map(([field]) => [field, stored.get(field)]))
  return [
    {
      field: collection,
      from: { id: before.id, ...from },
      to: { id: before.id, ...Object.fromEntries(differing) },
    },
  ]
}
