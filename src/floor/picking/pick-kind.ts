// How requests to confirm picks share a transaction. Only the products of the picked lines and stock are
// locked. Spec 2.14; decision 4.

import { type Sql, sql, type Tx } from '../../platform/database/db.ts'
import { collectEntryFaults } from '../../platform/http/entry-faults.ts'
import { nullable, type Static, Type, UtcTime, Uuid } from '../../platform/http/schema.ts'
import { type CommandKind, Postponed } from '../../stock/commands/command-kind.ts'
import type { StockRequest } from '../../stock/commands/stock-command.ts'
import { findRowIds } from '../../stock/commands/stock-selector.ts'
import { ConsignmentStatus } from '../../vocabulary/consignments.ts'
import {
  type ConsignmentsOfRequests,
  consignmentIdsOf,
  consignmentOf,
  lockConsignmentsOf,
} from '../lock-consignments.ts'
import {
  ConfirmedPick,
  type PickingSnapshot,
  type PlannedPicking,
  planPicking,
  readPicking,
  writePicking,
} from './confirm-picks.ts'
import { type ConfiguredDock, findDocks, readConfiguredDocks } from './docks.ts'
import {
  LineFigures,
  type LockedOutwardsConsignment,
  lockTargetsOfLines,
  lockTargetsOfRows,
  markPickingConfirmed,
  requireOutwards,
  toLineFigures,
} from './outwards-consignment.ts'
import { RequestedPick, rowIdsOf } from './requested-pick.ts'

export const pickFields = { picks: Type.Array(RequestedPick, { minItems: 1, maxItems: 1_000 }) }
export const PickAnswer = Type.Object({
  movementId: Uuid,
  effectiveUtc: nullable(UtcTime),
  picks: Type.Array(ConfirmedPick),
  consignmentProducts: Type.Array(LineFigures),
})

type PickRequest = StockRequest<
  '/v1/consignments/:consignmentId/pick',
  Static<ReturnType<typeof Type.Object<typeof pickFields>>>
>

/** What is locked before the stock. */
interface PickRecords {
  organisationId: string
  warehouseId: string
  /** the dock of each consignment of the warehouse */
  docks: ReadonlyMap<string, string>
  consignments: ConsignmentsOfRequests<PickRequest, LockedOutwardsConsignment>
  /** the rows that entries describe */
  rowIds: readonly string[]
  requests: readonly PickRequest[]
}

/** Locks the consignments of requests, and finds the docks of those of one warehouse. */
async function lockRecords(
  tx: Tx,
  requests: readonly PickRequest[],
  isShared: boolean,
): Promise<PickRecords> {
  const [{ actor }] = requests as [PickRequest]
  const { organisationId } = actor
  const [consignments, configured] = await Promise.all([
    lockConsignmentsOf(tx, requests, isShared, consignment =>
      requireOutwards(consignment, [ConsignmentStatus.ReadyToPick]),
    ),
    readConfiguredDocks(tx, organisationId, consignmentIdsOf(requests)),
  ])
  const pickable = [...consignments.values()].flatMap(one => (one instanceof Error ? [] : one))
  const warehouseId = pickable[0]?.warehouseId ?? ''
  const here = pickable.filter(one => one.warehouseId === warehouseId)
  const isHere = ({ id }: ConfiguredDock) => here.some(one => one.id === id)
  const docks =
    here.length === 0 ? new Map<string, string>() : await findDocks(tx, here, configured.filter(isHere))
  const described = requests.flatMap(({ body }) => body.picks.filter(({ stock }) => stock))
  const rowIds = (await findRowIds(tx, organisationId, described, warehouseId || null)).flat()
  return { organisationId, warehouseId, consignments, docks, requests, rowIds }
}

/** The products of the lines and of the stock that requests pick, and of what is on the same units. */
function targetsOf({ organisationId, requests, rowIds }: PickRecords): Sql {
  const picks = requests.flatMap(({ body }) => body.picks)
  const lineIds = [...new Set(picks.map(({ consignmentProductId }) => consignmentProductId))]
  return sql`${lockTargetsOfLines(organisationId, lineIds)}
    union all ${lockTargetsOfRows(organisationId, [...new Set([...rowIds, ...picks.flatMap(rowIdsOf)])])}`
}

/** What requests are planned from: those that may be planned, with what was read for all of them. */
interface FoundForPicks {
  records: PickRecords
  pickings: ReadonlyMap<PickRequest, Parameters<typeof planPicking>[1]>
  snapshot: PickingSnapshot
}

async function readAll(
  tx: Tx,
  locking: Parameters<typeof readPicking>[1],
  records: PickRecords,
  requests: readonly PickRequest[],
): Promise<FoundForPicks> {
  const { organisationId, warehouseId, docks, consignments } = records
  const pickings = new Map(
    requests.flatMap(request => {
      const consignment = consignments.get(request)
      if (consignment === undefined || consignment instanceof Error) return []
      const dock = docks.get(consignment.id)
      if (dock === undefined) return []
      const { body, occurredUtc, source, requestId } = request
      const picking = {
        ...{ consignments: [consignment], docks: new Map([[consignment.id, dock]]) },
        ...{ source: { ...source, requestId }, occurredUtc, picks: body.picks },
        faults: collectEntryFaults('picks'),
      }
      return [[request, picking] as const]
    }),
  )
  const snapshot = await readPicking(tx, locking, { organisationId, warehouseId }, [...pickings.values()])
  return { records, pickings, snapshot }
}

/** Picks share transactions but for those that miss goods, for which other products may be allocated. */
export const pickKind: CommandKind<
  PickRequest,
  Static<typeof PickAnswer>,
  PickRecords,
  FoundForPicks,
  PlannedPicking
> = {
  mayShare: ({ body }) => !body.picks.some(({ isShort }) => isShort),
  weigh: ({ body }) => body.picks.length,
  lockRecords,
  targets: targetsOf,
  read: readAll,
  plan({ records, pickings, snapshot }, request) {
    consignmentOf(records.consignments, request)
    const picking = pickings.get(request)
    if (picking === undefined) throw new Postponed({ isAlone: true })
    return planPicking(snapshot, picking)
  },
  async write(tx, locked, _, plans) {
    const [confirmed] = await Promise.all([
      writePicking(tx, locked, plans),
      markPickingConfirmed(
        tx,
        plans.flatMap(({ picking }) => picking.consignments),
      ),
    ])
    return confirmed.map(({ lines, ...rest }) => ({ ...rest, consignmentProducts: toLineFigures(lines) }))
  },
}
