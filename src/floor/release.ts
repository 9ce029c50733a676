// The endpoint that releases stock which is allocated to a consignment but not picked. Decision 4.

import { type LockedConsignment, requireOpen } from '../consignments/consignment.ts'
import { emit, serviceOrigin } from '../events/emit.ts'
import { scale } from '../platform/decimal.ts'
import { collectEntryFaults, type EntryFaultCollector } from '../platform/http/entry-faults.ts'
import { Refusal } from '../platform/http/refusal.ts'
import { type Static, Type, Uuid } from '../platform/http/schema.ts'
import { applyMovesToLines } from '../stock/allocation/allocation-state.ts'
import {
  lockTargetsOfAllocations,
  planRelease,
  postReleases,
  type ReleasableLines,
  type ReleasePart,
  readReleasable,
} from '../stock/allocation/release-lines.ts'
import { type CommandKind, Postponed } from '../stock/commands/command-kind.ts'
import { partFields } from '../stock/commands/plan-take.ts'
import { type StockRequest, stockCommand } from '../stock/commands/stock-command.ts'
import { optionalSelectorFaults, stockFields } from '../stock/commands/stock-selector.ts'
import type { StockMove } from '../stock/ledger/movement.ts'
import { AllocationResponse, toAllocationResponse } from './allocation-response.ts'
import {
  type ConsignmentsOfRequests,
  consignmentOf,
  firstOfEach,
  lockConsignmentsOf,
} from './lock-consignments.ts'
import { lineChangeEvents } from './picking/outwards-consignment.ts'
import { type PickedEntry, resolvePickedEntries } from './picking/picked-entries.ts'

const lineFaults = (value: unknown) =>
  (Array.isArray(value) ? value : []).flatMap((entry, i) => optionalSelectorFaults(`[${i}]`, entry))

const { serials: _, ...releasedFields } = partFields
const ReleasedLine = Type.Object({
  consignmentProductId: Uuid,
  ...stockFields,
  ...releasedFields,
})
const body = {
  lines: Type.Optional(Type.Array(ReleasedLine, { minItems: 1, maxItems: 1_000, rule: lineFaults })),
}
const path = '/v1/consignments/:consignmentId/release'
type ReleaseRequest = StockRequest<typeof path, Static<ReturnType<typeof Type.Object<typeof body>>>>

interface ReleaseRecords {
  organisationId: string
  consignments: ConsignmentsOfRequests<ReleaseRequest, LockedConsignment>
}

interface FoundForReleases extends ReleaseRecords {
  released: ReleasableLines
  /** what each request that is served releases; nothing for everything */
  served: ReadonlyMap<ReleaseRequest, { parts: ReleasePart[] | undefined; faults: EntryFaultCollector }>
}

interface PlannedRelease {
  request: ReleaseRequest
  consignment: LockedConsignment
  moves: readonly StockMove[]
}

const toPart = ({ quantity, ...part }: PickedEntry): ReleasePart => ({
  ...part,
  quantity: quantity == null ? null : scale(4, quantity),
})

/** Releases share a transaction if they are of different consignments. */
export const releaseKind: CommandKind<
  ReleaseRequest,
  AllocationResponse,
  ReleaseRecords,
  FoundForReleases,
  PlannedRelease
> = {
  mayShare: () => true,
  weigh: ({ body }) => body?.lines?.length ?? 1,
  async lockRecords(tx, requests, isShared) {
    const { organisationId } = (requests[0] as ReleaseRequest).actor
    const consignments = await lockConsignmentsOf(tx, requests, isShared, consignment => {
      requireOpen(consignment)
      return consignment
    })
    return { organisationId, consignments }
  },
  targets: ({ organisationId, consignments }) =>
    lockTargetsOfAllocations(
      organisationId,
      [...consignments.values()].flatMap(one => (one instanceof Refusal ? [] : one.id)),
    ),
  async read(tx, locking, records, requests) {
    const { organisationId, consignments } = records
    const locked = await locking
    const first = firstOfEach(requests, consignments)
    const ids = first.map(({ consignment }) => consignment.id)
    const released = await readReleasable(tx, organisationId, ids)
    const served = first.map(one => ({ ...one, faults: collectEntryFaults('lines') }))
    const entries = served.flatMap(({ request, consignment: { id: consignmentId }, faults }) =>
      (request.body?.lines ?? []).map((entry, n) => ({
        consignmentId,
        entry,
        refuse: faults.of(n),
        request,
      })),
    )
    const warehouseId = first[0]?.consignment.warehouseId ?? null
    const resolved = await resolvePickedEntries(tx, locked, { warehouseId, lines: released.lines }, entries)
    const partsOf = Map.groupBy(resolved.map(toPart), (_, i) => entries[i]?.request)
    return {
      ...{ ...records, released },
      served: new Map(
        served.map(({ request, faults }) => [request, { faults, parts: partsOf.get(request) }]),
      ),
    }
  },
  plan({ consignments, released, served }, request) {
    const consignment = consignmentOf(consignments, request)
    const own = served.get(request)
    if (own === undefined) throw new Postponed()
    const { parts, faults } = own
    // What is not understood is not looked for.
    faults.throwIfAny()
    const { source, occurredUtc } = request
    const release = { consignmentId: consignment.id, parts, source, occurredUtc }
    const moves = planRelease(release, released.allocations.get(consignment.id), faults.refuse)
    faults.throwIfAny()
    return { request, consignment, moves }
  },
  async write(tx, locked, { released }, plans) {
    const moved = plans.flatMap(({ moves }) => moves)
    const outcomes = await postReleases(
      tx,
      locked,
      plans.map(({ consignment }) => ({ consignmentId: consignment.id })),
      released,
      moved,
    )
    const after = applyMovesToLines(released.lines, moved)
    const events = plans.flatMap(({ request: { actor, requestId }, consignment }) =>
      lineChangeEvents([consignment], released.lines, after).map(event => ({
        ...event,
        origin: { ...actor, requestId },
      })),
    )
    await emit(tx, serviceOrigin(locked.organisationId), events)
    return outcomes.map(toAllocationResponse)
  },
}

export const releaseConsignment = [
  stockCommand({
    post: path,
    name: 'releaseConsignmentStock',
    canBeRehearsed: true,
    scope: ['consignment', 'inventory'],
    summary: 'Release the stock that is allocated to a consignment',
    description:
      'Releases everything that is not picked, or the given quantity of each of `lines`: from one row of ' +
      'stock if it is named, otherwise the latest allocations first. Picked stock must be unpicked first.',
    bodyName: 'ConsignmentRelease',
    body,
    bodyOptional: true,
    answer: AllocationResponse,
    kind: releaseKind,
  }),
]
