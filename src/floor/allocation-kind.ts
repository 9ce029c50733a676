// How requests that allocate stock to a consignment by the rules of rotation share a transaction: the command
// that allocates, and the move to ReadyToPick. Spec 2.11; decision 4.

import { type LockedConsignment, lockConsignment, lockConsignments } from '../consignments/consignment.ts'
import type { Tx } from '../platform/database/db.ts'
import { Refusal } from '../platform/http/refusal.ts'
import { type AllocationPlan, planAllocation } from '../stock/allocation/allocate-lines.ts'
import {
  lockTargetsOfConsignments,
  maxLinesPerTransaction,
  type OutboundLine,
  readOutboundLines,
} from '../stock/allocation/outbound-lines.ts'
import type { CommandRequest } from '../stock/commands/carry-out.ts'
import { type CommandKind, Postponed } from '../stock/commands/command-kind.ts'
import type { MovementSource } from '../stock/ledger/movement.ts'
import type { LockedStock } from '../stock/ledger/stock-lock.ts'

/** A request that allocates stock to one consignment. */
export interface AllocatingRequest extends CommandRequest {
  params: { consignmentId: string }
  source: MovementSource
  occurredUtc: string | null
  requestId: string
}

/** A request that is served, with its consignment. */
export interface ServedRequest<Request> {
  request: Request
  consignment: LockedConsignment
}

interface AllocationRecords {
  organisationId: string
  ids: readonly string[]
  consignments: ReadonlyMap<string, LockedConsignment>
}

interface FoundForAllocation<Request> {
  /** the requests that are served, and what becomes of the others */
  served: ReadonlyMap<Request, ServedRequest<Request>>
  left: ReadonlyMap<Request, Error>
  plan: AllocationPlan
}

/** What distinguishes one kind of such requests. */
interface AllocationAct<Request, Answer> {
  mayShare(request: Request): boolean
  /** consignments are served in the order in which their requests came, as if each had its own transaction */
  isOneByOne?: boolean
  /** Throws the refusal of a request, or `Postponed`. */
  check(consignment: LockedConsignment, request: Request): void
  /** Posts the plan with everything that belongs to it. Returns the answers in the order of the requests. */
  write(
    tx: Tx,
    locked: LockedStock,
    served: readonly ServedRequest<Request>[],
    plan: AllocationPlan,
  ): Promise<Answer[]>
}

/**
 * Makes a kind of request that allocates to all lines of a consignment. The requests of a transaction are
 * served together, unless it is one by one: lines that need particular stock go first, then those of the more
 * urgent consignment.
 */
export const allocationKind = <Request extends AllocatingRequest, Answer>({
  mayShare,
  isOneByOne = false,
  check,
  write,
}: AllocationAct<Request, Answer>): CommandKind<
  Request,
  Answer,
  AllocationRecords,
  FoundForAllocation<Request>,
  ServedRequest<Request>
> => ({
  mayShare,
  weigh: () => 1,
  async lockRecords(tx, requests, isShared) {
    const { actor, params } = requests[0] as Request
    const { organisationId } = actor
    const ids = [...new Set(requests.map(({ params }) => params.consignmentId.toLowerCase()))]
    const locked = isShared
      ? await lockConsignments(tx, organisationId, ids, { isSkippingLocked: true })
      : [await lockConsignment(tx, actor, params.consignmentId)]
    return { organisationId, ids, consignments: new Map(locked.map(one => [one.id, one])) }
  },
  targets: ({ organisationId, ids }) => lockTargetsOfConsignments(organisationId, ids),
  async read(tx, _, { organisationId, ids, consignments }, requests) {
    const lines = await readOutboundLines(tx, organisationId, ids)
    const { served, left } = divide(requests, consignments, lines, check)
    const wanted = [...served.values()].map(({ request, consignment }) => ({
      ...{ consignmentId: consignment.id, occurredUtc: request.occurredUtc },
    }))
    const wantedIds = new Set(wanted.map(({ consignmentId }) => consignmentId))
    const own = Promise.resolve(lines.filter(({ consignmentId }) => wantedIds.has(consignmentId)))
    return {
      served,
      left,
      plan: await planAllocation(tx, organisationId, wanted, { lines: own, isOneByOne }),
    }
  },
  plan({ served, left }, request) {
    const one = served.get(request)
    if (one === undefined) throw left.get(request) ?? new Postponed()
    return one
  },
  write: (tx, locked, { plan }, served) => write(tx, locked, served, plan),
})

/** Divides requests into those that are served, and those that are refused or left to a later transaction. */
function divide<Request extends AllocatingRequest>(
  requests: readonly Request[],
  consignments: ReadonlyMap<string, LockedConsignment>,
  lines: readonly OutboundLine[],
  check: (consignment: LockedConsignment, request: Request) => void,
) {
  const linesOf = Map.groupBy(lines, ({ consignmentId }) => consignmentId)
  const served = new Map<Request, ServedRequest<Request>>()
  const left = new Map<Request, Error>()
  const taken = new Set<string>()
  let count = 0
  for (const request of requests) {
    const consignment = consignments.get(request.params.consignmentId.toLowerCase())
    if (consignment === undefined) {
      left.set(request, new Postponed({ isAlone: true }))
      continue
    }
    const ownCount = linesOf.get(consignment.id)?.length ?? 0
    const hasRoom = served.size === 0 || count + ownCount <= maxLinesPerTransaction
    try {
      check(consignment, request)
      // A second request for a consignment is served after the first.
      if (!hasRoom || taken.has(consignment.id)) throw new Postponed()
    } catch (error) {
      if (!(error instanceof Refusal || error instanceof Postponed)) throw error
      left.set(request, error)
      continue
    }
    taken.add(consignment.id)
    count += ownCount
    served.set(request, { request, consignment })
  }
  return { served, left }
}
