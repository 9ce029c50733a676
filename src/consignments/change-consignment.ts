// Changing a consignment or a record of it: locked first, told of afterwards. Open-points 4 (Closed), 6; spec
// 4.3 to 4.8.

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

/** What this needs of a request to an endpoint below `/v1/consignments/:consignmentId`. */
interface Request {
  tx: Tx
  actor: Actor
  params: { consignmentId: string }
  requestId: string
}

/**
 * Says that something changed: the event that tells of it and, for the history, what was changed. `after`:
 * what events say of the consignment that is different now.
 */
export type Tell = (type: EventType, changes: Change[], after?: Partial<ConsignmentFacts>) => void

/**
 * Locks the consignment of a request, lets `work` change it or a record of it, and raises the events that
 * `work` tells. 404 when there is none that the actor may see, 400 when it is Closed and, for a client's
 * person, when it is neither Draft nor Pending; `work` may refuse what it likes. Whoever else wants to change
 * the same consignment waits meanwhile, so what `work` reads stays true until the commit.
 */
export async function changeConsignment<T>(
  request: Request,
  work: (consignment: LockedConsignment, tell: Tell) => Promise<T>,
): Promise<T> {
  const { tx, actor, params, requestId } = request
  const consignment = await lockOpenConsignment(tx, actor, params.consignmentId)
  requireDraftOrPending(actor, consignment)
  const events: NewEvent[] = []
  const result = await work(consignment, (type, changes, after) =>
    events.push(consignmentEvent(type, { ...consignment, ...after }, { changes })),
  )
  await emit(tx, { ...actor, requestId }, events)
  return result
}

/**
 * The same for changes that one type of event tells of: `work` answers what it changed. Whether it changed
 * anything is the answer.
 */
export const changeRecords = (
  request: Request,
  event: EventType,
  work: (consignment: LockedConsignment) => Promise<Change[]>,
): Promise<boolean> =>
  changeConsignment(request, async (consignment, tell) => {
    const changes = await work(consignment)
    if (changes.length > 0) tell(event, changes)
    return changes.length > 0
  })

/**
 * How a record of a collection differs from what is given for it, told with its id and only the fields that
 * differ. Empty when it does not.
 */
export function differences<Stored extends { id: string }>(
  collection: string,
  before: Stored,
  given: Partial<Stored>,
): Change[] {
  const stored = new Map(Object.entries(before))
  const differing = Object.entries(given).filter(([field, value]) => value !== stored.get(field))
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
