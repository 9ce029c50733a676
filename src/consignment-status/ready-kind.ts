// How moves to ReadyToPick share a transaction: the stock of all of them is allocated at once. Decision 4.

import { emit, serviceOrigin } from '../events/emit.ts'
import { type AllocatingRequest, allocationKind } from '../floor/allocation-kind.ts'
import { lineChangeEvents } from '../floor/picking/outwards-consignment.ts'
import { linesAfter, postPlan } from '../stock/allocation/allocate-lines.ts'
import { Postponed } from '../stock/commands/command-kind.ts'
import { ConsignmentStatus, ConsignmentType } from '../vocabulary/consignments.ts'
import { storeMoves } from './store-moves.ts'

const { Draft, Pending, ReadyToPick } = ConsignmentStatus

type ReadyAct = Parameters<typeof allocationKind<AllocatingRequest, boolean>>[0]

const ready: ReadyAct = {
  mayShare: () => true,
  check({ type, status, warehouseId }) {
    const isSimple = type === ConsignmentType.Outwards && (status === Draft || status === Pending)
    if (!isSimple || warehouseId === null) throw new Postponed({ isAlone: true })
  },
  async write(tx, locked, served, plan) {
    const { organisationId } = locked
    const moved = served.map(({ request: { actor, requestId, source }, consignment: from }) => {
      const origin = { ...actor, requestId }
      // The event is of the same moment as the move, so it has the new status.
      const after = { ...from, warehouseId: from.warehouseId as string, status: ReadyToPick }
      return { from, after, origin, request: { consignmentId: from.id, source } }
    })
    const [before, lines] = [plan.lines, linesAfter(plan)].map(all =>
      Map.groupBy(all, ({ consignmentId }) => consignmentId),
    )
    const events = moved.flatMap(({ after, origin }) =>
      lineChangeEvents([after], before?.get(after.id) ?? [], lines?.get(after.id) ?? []).map(event => ({
        ...event,
        origin,
      })),
    )
    await Promise.all([
      postPlan(
        tx,
        locked,
        moved.map(({ request }) => request),
        plan,
      ),
      emit(tx, serviceOrigin(organisationId), events),
      storeMoves(
        tx,
        serviceOrigin(organisationId),
        moved.map(({ from, origin }) => ({ from, to: ReadyToPick, origin })),
      ),
    ])
    return moved.map(() => true)
  },
}

/**
 * The move of Outwards consignments from a status before ReadyToPick. It is what `changeStatus` does for one;
 * every other move is left to it.
 */
export const readyKind = allocationKind(ready)

/** The same for many consignments that one request names, each of which sees what those before it take. */
export const readyInOrderKind = allocationKind({ ...ready, isOneByOne: true })
