// Locks the consignments of commands that share a transaction, and decides which of them are refused.

import type { Actor } from '../access/actor.ts'
import { type LockedConsignment, lockConsignment, lockConsignments } from '../consignments/consignment.ts'
import type { Tx } from '../platform/database/db.ts'
import { Refusal } from '../platform/http/refusal.ts'
import { Postponed } from '../stock/commands/command-kind.ts'

/** A request about one consignment. */
interface ConsignmentRequest {
  actor: Actor
  params: { consignmentId: string }
}

/** For each request its consignment, or why it is refused; nothing if somebody else has locked it. */
export type ConsignmentsOfRequests<Request, Consignment> = ReadonlyMap<Request, Consignment | Refusal>

/**
 * Locks the consignment of each request. Of several requests (`isShared`), those whose consignment is unknown
 * or locked by others are left out. `check` returns the consignment of a request or throws its refusal.
 */
export async function lockConsignmentsOf<Request extends ConsignmentRequest, Consignment>(
  tx: Tx,
  requests: readonly Request[],
  isShared: boolean,
  check: (consignment: LockedConsignment) => Consignment,
): Promise<ConsignmentsOfRequests<Request, Consignment>> {
  const { actor, params } = requests[0] as Request
  const locked = isShared
    ? await lockConsignments(tx, actor.organisationId, consignmentIdsOf(requests), { isSkippingLocked: true })
    : [await lockConsignment(tx, actor, params.consignmentId)]
  const byId = new Map(locked.map(consignment => [consignment.id, consignment]))
  return new Map(
    requests.flatMap(request => {
      const consignment = byId.get(request.params.consignmentId.toLowerCase())
      return consignment === undefined ? [] : [[request, orRefusal(() => check(consignment))] as const]
    }),
  )
}

/** The consignments that requests name. */
export const consignmentIdsOf = (requests: readonly ConsignmentRequest[]): string[] => [
  ...new Set(requests.map(({ params }) => params.consignmentId.toLowerCase())),
]

function orRefusal<T>(check: () => T): T | Refusal {
  try {
    return check()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/**
 * Returns the consignment of a request, or throws its refusal; `Postponed` if somebody else has locked it.
 */
export function consignmentOf<Request, Consignment>(
  consignments: ConsignmentsOfRequests<Request, Consignment>,
  request: Request,
): Consignment {
  const consignment = consignments.get(request)
  if (consignment === undefined) throw new Postponed({ isAlone: true })
  if (consignment instanceof Refusal) throw consignment
  return consignment
}

/**
 * The requests that a transaction serves, with their consignments: the first of each consignment, and all of
 * one warehouse.
 */
export function firstOfEach<Request, Consignment extends Pick<LockedConsignment, 'id' | 'warehouseId'>>(
  requests: readonly Request[],
  consignments: ConsignmentsOfRequests<Request, Consignment>,
): { request: Request; consignment: Consignment }[] {
  const first = new Map<string, { request: Request; consignment: Consignment }>()
  for (const request of requests) {
    const consignment = consignments.get(request)
    if (consignment === undefined || consignment instanceof Refusal || first.has(consignment.id)) continue
    const [one] = first.values()
    if (one === undefined || one.consignment.warehouseId === consignment.warehouseId)
      first.set(consignment.id, { request, consignment })
  }
  return [...first.values()]
}
