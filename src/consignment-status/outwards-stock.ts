// The effects of status changes on the stock of an Outwards consignment. Skipped statuses take effect in
// their order, and moving back undoes the effects. If nobody confirmed picks, the allocated stock counts as
// picked. Decision 4.

import type { LockedConsignment } from '../consignments/consignment.ts'
import type { EventOrigin } from '../events/emit.ts'
import { findDocks } from '../floor/picking/docks.ts'
import {
  type LockedOutwardsConsignment,
  lockStockForPicking,
  publishLineChanges,
} from '../floor/picking/outwards-consignment.ts'
import { sql, type Tx } from '../platform/database/db.ts'
import type { ReportEntryFault } from '../platform/http/entry-faults.ts'
import { verificationFailed } from '../platform/http/refusal.ts'
import { allocateLines } from '../stock/allocation/allocate-lines.ts'
import { type OutboundLine, readOutboundLines } from '../stock/allocation/outbound-lines.ts'
import { releaseLines } from '../stock/allocation/release-lines.ts'
import { numberOf } from '../stock/commands/quantities.ts'
import type { LockedStock } from '../stock/ledger/stock-lock.ts'
import { dispatchStock, findDispatchedRows, undoDispatch } from '../stock/picking/dispatch-stock.ts'
import { type PickWithDestination, pickStock } from '../stock/picking/pick-stock.ts'
import { type OpenAllocation, readOpenAllocations } from '../stock/picking/picked-stock.ts'
import { ConsignmentStatus } from '../vocabulary/consignments.ts'
import { JobStatus } from '../vocabulary/jobs.ts'
import { SerialTrackingMode } from '../vocabulary/partners.ts'

const { Draft, Pending, ReadyToPick, ReadyToDispatch, InTransit, Complete, Void } = ConsignmentStatus
const path: readonly ConsignmentStatus[] = [Draft, Pending, ReadyToPick, ReadyToDispatch, InTransit, Complete]

/** A status change of a consignment, with its stock locked. */
interface StockMovement {
  source: EventOrigin
  consignment: LockedOutwardsConsignment
  locked: LockedStock
  /** its lines before the change */
  before: readonly OutboundLine[]
  /** the location for goods that count as picked; null if the move does not pass the picking statuses */
  dock: string | null
  /** the instant at which the goods left, which also counts for the steps before; null for now */
  dispatchedUtc: string | null
}

/**
 * Applies to the stock of a locked Outwards consignment what entering a status requires, and raises the event
 * for changed lines (108). Throws 400 if the stock does not permit the change.
 */
export async function moveOutwardsStock(
  tx: Tx,
  source: EventOrigin,
  from: LockedConsignment,
  to: ConsignmentStatus,
  dispatchedAt: string | undefined,
): Promise<void> {
  const { organisationId, id, warehouseId } = from
  if (warehouseId === null || (to !== Void && !path.includes(to)) || !path.includes(from.status)) return
  const consignment = { ...from, warehouseId }
  const rows = await touchedRowIds(tx, organisationId, id)
  // The warehouse's dock may have to be created, which must happen before the stock is locked.
  const dock = passesDock(from.status, to) ? ((await findDocks(tx, [consignment])).get(id) as string) : null
  const locked = await lockStockForPicking(tx, organisationId, [id], rows)
  const before = await readOutboundLines(tx, organisationId, [id])
  if (before.length > 0) {
    const isDispatch = path.indexOf(to) >= path.indexOf(InTransit)
    const dispatchedUtc = isDispatch ? await instantOf(tx, from, dispatchedAt) : null
    const movement = { source, consignment, locked, before, dock, dispatchedUtc }
    if (to === Void) await releaseLines(tx, locked, { consignmentId: id, source }, { includesPicked: true })
    else if (path.indexOf(to) > path.indexOf(from.status)) await moveForward(tx, movement, to)
    else await moveBack(tx, movement, to)
    // The event is of the same moment as the move, so it has the new status.
    await publishLineChanges(tx, source, [{ ...consignment, status: to }], before)
  }
}

/** Whether the move passes the point at which allocated stock counts as picked if nobody confirmed picks. */
export const passesDock = (from: ConsignmentStatus, to: ConsignmentStatus) =>
  path.indexOf(from) < path.indexOf(ReadyToDispatch) && path.indexOf(to) >= path.indexOf(ReadyToDispatch)

const allocateAll = (tx: Tx, { locked, source, consignment, dispatchedUtc }: StockMovement) =>
  allocateLines(tx, locked, [{ consignmentId: consignment.id, source, occurredUtc: dispatchedUtc }])

const forwardEffects: Partial<
  Record<ConsignmentStatus, (tx: Tx, movement: StockMovement) => Promise<unknown>>
> = {
  [ReadyToPick]: allocateAll,
  [ReadyToDispatch]: enterReadyToDispatch,
  [InTransit]: leave,
}

/** What is not picked stays behind and is released, and what is picked leaves. */
async function leave(tx: Tx, movement: StockMovement): Promise<void> {
  const { locked, source, dispatchedUtc, consignment } = movement
  const isAnythingOpen = movement.before.some(({ allocated }) => allocated > 0n)
  if (consignment.status === ReadyToDispatch && isAnythingOpen)
    await releaseLines(tx, locked, { consignmentId: consignment.id, source, occurredUtc: dispatchedUtc })
  await dispatchStock(tx, locked, { source, occurredUtc: dispatchedUtc }, consignment.id)
}

async function moveForward(tx: Tx, movement: StockMovement, to: ConsignmentStatus): Promise<void> {
  const passed = path.slice(path.indexOf(movement.consignment.status) + 1, path.indexOf(to) + 1)
  for (const status of passed) await forwardEffects[status]?.(tx, movement)
}

async function moveBack(tx: Tx, movement: StockMovement, to: ConsignmentStatus): Promise<void> {
  const { locked, source, consignment } = movement
  if (path.indexOf(to) < path.indexOf(InTransit)) await undoDispatch(tx, locked, source, consignment.id)
  if (to === ReadyToPick) await allocateAll(tx, movement)
  if (path.indexOf(to) > path.indexOf(Pending)) return
  const lines = await readOutboundLines(tx, consignment.organisationId, [consignment.id])
  const picked = lines.filter(line => line.picked > 0n)
  if (picked.length > 0)
    throw verificationFailed(
      ...picked.map(line => `${describeLine(line)} has ${numberOf(line.picked)} picked: unpick them first.`),
    )
  await releaseLines(tx, locked, { consignmentId: consignment.id, source })
}

const describeLine = ({ ordinal, productCode }: OutboundLine) => `Line ${ordinal + 1} (${productCode})`

/**
 * If any picks were ever confirmed, releases the rest of the allocated stock, which stays short. If none
 * were, all allocated stock counts as picked.
 */
async function enterReadyToDispatch(tx: Tx, movement: StockMovement): Promise<void> {
  const { locked, source, consignment, dispatchedUtc, dock } = movement
  const { organisationId, id } = consignment
  const lines = await readOutboundLines(tx, organisationId, [id])
  if (lines.every(({ allocated }) => allocated === 0n)) return
  await requireNoOpenJob(tx, consignment)
  if (consignment.isPickingConfirmed) {
    await releaseLines(tx, locked, { consignmentId: id, source })
    return
  }
  const allocations = await readOpenAllocations(tx, organisationId, [id])
  const faults = lines.flatMap(line => missingSerialFaults(line, allocations))
  if (faults.length > 0) throw verificationFailed(...faults)
  const target = { id: dock as string, warehouseId: consignment.warehouseId }
  const entries = allocations.map(
    (part): PickWithDestination => ({
      line: lines.find(line => line.id === part.consignmentProductId) as OutboundLine,
      row: part.row,
      quantity: part.quantity,
      serials: part.serials,
      ...{ isShort: false, isOverride: false, reason: null, target, unit: undefined },
    }),
  )
  const refuse: ReportEntryFault = (_, problem, code) => {
    throw verificationFailed({ path: null, code, message: `What is allocated cannot be picked: ${problem}.` })
  }
  await pickStock(tx, locked, { source, occurredUtc: dispatchedUtc }, entries, { refuse, settle: () => {} })
}

/** Throws 400 while a job is picking the consignment. */
async function requireNoOpenJob(tx: Tx, consignment: LockedOutwardsConsignment): Promise<void> {
  const { organisationId, id, consignmentNumber } = consignment
  const job = await tx.maybe<{ jobNumber: string }>(sql`
    select j.job_number from job_consignment m
    join job j on j.organisation_id = m.organisation_id and j.id = m.job_id
    where m.organisation_id = ${organisationId} and m.consignment_id = ${id} and m.is_picking
      and j.status = ${JobStatus.InProgress}`)
  if (job)
    throw verificationFailed(
      `Consignment ${consignmentNumber} is being picked by job ${job.jobNumber}, which has picks of it open.`,
    )
}

/** Goods with serials cannot count as picked until their serials are known. */
function missingSerialFaults(line: OutboundLine, allocations: readonly OpenAllocation[]): string[] {
  if (line.serialTrackingMode === SerialTrackingMode.None) return []
  const ofLine = allocations.filter(({ consignmentProductId }) => consignmentProductId === line.id)
  const serialCount = ofLine.reduce((sum, { serials }) => sum + serials.length, 0)
  const needed = numberOf(line.allocated)
  return serialCount === needed
    ? []
    : [`${describeLine(line)} lacks ${needed - serialCount} of ${needed} serials: confirm its picks.`]
}

/** The rows of stock with allocations of a consignment, and the rows that its goods were dispatched from. */
const touchedRowIds = async (tx: Tx, organisationId: string, consignmentId: string): Promise<string[]> => [
  ...(
    await tx.rows<{ id: string }>(sql`
    select distinct warehouse_product_id as id from inventory_allocation
    where organisation_id = ${organisationId} and consignment_id = ${consignmentId}`)
  ).map(({ id }) => id),
  ...(await findDispatchedRows(tx, organisationId, consignmentId)),
]

/** The instant of a wall-clock time, capped at now; null if none is given. */
async function instantOf(
  tx: Tx,
  { timezoneId }: LockedConsignment,
  local: string | undefined,
): Promise<string | null> {
  if (local === undefined) return null
  const { instant } = await tx.row<{ instant: string }>(sql`
    select least(now(), ${local}::timestamp at time zone ${timezoneId}) as instant`)
  return instant
}
