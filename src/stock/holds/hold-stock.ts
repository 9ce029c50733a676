// Puts stock on hold: parts of rows, whole units, or everything that meets criteria. Allocated stock is
// either left out or taken away from its lines, which then become short. Spec 2.14.

import { emit } from '../../events/emit.ts'
import { type Db, empty, sql, type Tx } from '../../platform/database/db.ts'
import {
  collectEntryFaults,
  type EntryFaultCollector,
  type FieldFault,
  isFieldFault,
  type ReportEntryFault,
} from '../../platform/http/entry-faults.ts'
import type { Fault } from '../../platform/http/fault.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import { newId } from '../../platform/new-id.ts'
import { type HoldKind, TransactionType } from '../../vocabulary/stock.ts'
import { createHolds } from '../commands/create-holds.ts'
import {
  lockSelectedStock,
  type SelectedStock,
  type StockOrUnitSelector,
} from '../commands/lock-selected-stock.ts'
import {
  readTakeState,
  type StockPart,
  type TakenPart,
  type TakeRequest,
  type TakeState,
} from '../commands/plan-take.ts'
import { numberOf } from '../commands/quantities.ts'
import { identityOf, readStockRows } from '../commands/read-stock-rows.ts'
import { matchStock } from '../commands/stock-selector.ts'
import { type AllocationLookup, listConsignmentNumbers, readAllocations } from '../inventory/allocations.ts'
import { type MovementSource, noSharedSource } from '../ledger/movement.ts'
import { post } from '../ledger/post.ts'
import { findOrCreateStockRows } from '../ledger/stock-identity.ts'
import type { LockedStock, LockTarget } from '../ledger/stock-lock.ts'
import {
  chooseAllocationsToRelease,
  lockAllocatedConsignments,
  type ReleaseSelection,
  releaseEvents,
  releaseMoves,
} from './release-allocations.ts'

/** An entry: a row, a part of one or a whole logistic unit. */
export interface HoldEntry extends StockOrUnitSelector, StockPart {}

/** Selects all stock of a warehouse that meets the criteria. */
export interface HoldCriteria {
  warehouseId: string
  partnerProductId?: string | null
  batch?: string | null
  /** a plain date: stock that expires on this day or earlier */
  expiryTo?: string | null
}

/** What to hold, and why: either `stock` or `where`. */
export interface HoldRequest {
  kind: HoldKind
  reason: string
  reference?: string | null
  stock?: readonly HoldEntry[] | null
  where?: HoldCriteria | null
  releaseAllocations?: boolean | null
}

/** Who puts the stock on hold, and when. */
export interface HoldContext {
  organisationId: string
  userId: string
  requestId: string
  connectionId: string
  source: MovementSource
  occurredUtc: string | null
}

/** The condition that a row `p` has stock that is not held and meets the criteria. */
const matchesCriteria = ({ warehouseId, partnerProductId, batch, expiryTo }: HoldCriteria) => sql`
  p.warehouse_id = ${warehouseId} and not p.is_depleted and p.inventory_hold_id is null
  ${partnerProductId ? sql`and p.product_id = ${partnerProductId}` : empty}
  ${batch ? sql`and lower(p.batch) = lower(${batch})` : empty}
  ${expiryTo ? sql`and p.expiry_date <= ${expiryTo}::date` : empty}`

/** How many rows one command may put on hold by criteria. */
const maxRows = 5_000

/** Finds the rows that may be held, before anything is locked. Throws 400 if the criteria match too many. */
async function findCandidates(db: Db, organisationId: string, { stock, where }: HoldRequest) {
  if (where) {
    const rows = await db.rows<LockTarget & { id: string }>(sql`select p.id, p.warehouse_id, p.product_id
      from warehouse_product p where p.organisation_id = ${organisationId} and ${matchesCriteria(where)}
      limit ${maxRows + 1}`)
    if (rows.length > maxRows)
      throw verificationFailed(
        `More than ${maxRows.toLocaleString('en')} rows of stock match: hold them by product, batch or date.`,
      )
    return rows
  }
  const units = (stock ?? []).flatMap(({ logisticUnitId }) => logisticUnitId ?? [])
  const onUnits = await db.rows<LockTarget & { id: string }>(sql`
    select id, warehouse_id, product_id from warehouse_product where organisation_id = ${organisationId}
      and not is_depleted and logistic_unit_id = any(${units})`)
  return [...(await matchStock(db, organisationId, stock ?? [])).flat(), ...onUnits]
}

/** A hold that is planned and not yet written. */
export interface PlannedHold {
  context: Pick<HoldContext, 'source' | 'occurredUtc'>
  hold: HoldRequest
  parts: readonly TakenPart[]
  released: ReleaseSelection['released']
  /** what stays allocated, and is not held therefore; ten-thousandths */
  allocated: bigint
}

/**
 * Plans what of the requested stock is held. Throws 400 with every fault, or if there is nothing to hold.
 * What it takes is gone from `takes`.
 */
export function planHold(
  context: PlannedHold['context'],
  hold: HoldRequest,
  requests: readonly TakeRequest[],
  { allocationsOf, takes, released = [], remaining = allocationsOf }: HoldableStock,
  { refuse, throwIfAny }: Pick<EntryFaultCollector, 'refuse' | 'throwIfAny'>,
): PlannedHold {
  const free = requests.filter(({ row, part }) => part.quantity || sumOf(remaining(row.id)) !== row.onHand)
  const { parts, keep } = takes.plan(free, 'free', refuse)
  throwIfAny()
  if (parts.length === 0) throw verificationFailed(nothingToHold(requests, allocationsOf))
  keep()
  const kept = distinctRows(requests.filter(({ part }) => !part.quantity)).flatMap(({ id }) => remaining(id))
  return { context, hold, parts, released, allocated: sumOf(kept) }
}

/** What is read of the stock that is requested. */
interface HoldableStock {
  allocationsOf: AllocationLookup
  takes: TakeState
  /** what is taken away from consignment lines, and what they keep then */
  released?: ReleaseSelection['released']
  remaining?: AllocationLookup
}

/** Writes planned holds, and returns their responses. */
export async function writeHolds(tx: Tx, locked: LockedStock, planned: readonly PlannedHold[]) {
  const ids = await createHolds(
    tx,
    locked.organisationId,
    planned.map(({ hold, context }) => ({ ...hold, createdBy: context.source.userId })),
  )
  const goods = planned.flatMap(({ parts }, i) =>
    parts.map(part => ({ part, inventoryHoldId: ids[i] as string })),
  )
  const rows = await findOrCreateStockRows(
    tx,
    locked,
    goods.map(({ part: { row }, inventoryHoldId }) => ({ ...identityOf(row), inventoryHoldId })),
  )
  const remainingRows = rows.values()
  const movements = planned.map(({ parts, released, hold: { reason }, context: { occurredUtc, source } }) => {
    const facts = { movementId: newId(), occurredUtc, reason, source }
    const targets = [...remainingRows.take(parts.length)]
    const moves = parts.map(({ row, quantity, items }, i) => ({
      ...{ ...facts, type: TransactionType.Hold, from: row.id, to: targets[i] as string, quantity, items },
    }))
    return { ...facts, targets, moves: [...releaseMoves(released, facts), ...moves] }
  })
  const posted = await post(
    tx,
    locked,
    noSharedSource,
    movements.flatMap(({ moves }) => moves),
  )
  const times = new Map(posted.map(({ movementId, effectiveUtc }) => [movementId, effectiveUtc]))
  return planned.map(({ parts, allocated }, i) => {
    const { movementId, targets } = movements[i] as (typeof movements)[number]
    return {
      inventoryHoldId: ids[i] as string,
      movementId,
      effectiveUtc: times.get(movementId) as string,
      heldQuantity: numberOf(sumOf(parts)),
      allocatedQuantity: numberOf(allocated),
      warehouseProductIds: [...new Set(targets)],
    }
  })
}

/** Puts stock on hold. Throws 400 with every fault, or if there is nothing to hold. */
export async function holdStock(tx: Tx, context: HoldContext, hold: HoldRequest) {
  const { organisationId } = context
  const faults = collectEntryFaults('stock')
  const candidates = await findCandidates(tx, organisationId, hold)
  const isReleasing = hold.releaseAllocations === true
  const ids = isReleasing ? candidates.map(({ id }) => id) : []
  const consignments = await lockAllocatedConsignments(tx, organisationId, ids)
  const entries = await lockSelectedStock(tx, organisationId, hold.stock ?? [], candidates)
  const requests = hold.where
    ? await requestsByCriteria(tx, entries, hold.where)
    : requestsToHold(hold.stock ?? [], entries, faults.refuse)
  const rowIds = [...new Set(requests.map(({ row }) => row.id))]
  const allocationsOf = await readAllocations(tx, organisationId, rowIds)
  const { released, remaining } = isReleasing
    ? await chooseAllocationsToRelease(tx, organisationId, requests, allocationsOf, consignments)
    : { released: [], remaining: allocationsOf }
  const takes = await readTakeState(tx, organisationId, requests, remaining)
  const plan = planHold(context, hold, requests, { allocationsOf, takes, released, remaining }, faults)
  const [held] = await writeHolds(tx, entries.locked, [plan])
  await emit(tx, context, releaseEvents(released, consignments))
  return held as NonNullable<typeof held>
}

const sumOf = (parts: readonly { quantity: bigint }[]) =>
  parts.reduce((sum, { quantity }) => sum + quantity, 0n)
const distinctRows = (requests: readonly TakeRequest[]) => [
  ...new Map(requests.map(({ row }) => [row.id, row])).values(),
]

/** Requests all locked rows that meet the criteria. */
async function requestsByCriteria(
  tx: Tx,
  { locked }: SelectedStock,
  where: HoldCriteria,
): Promise<TakeRequest[]> {
  const rows = await readStockRows(tx, locked.organisationId, matchesCriteria(where))
  return rows.filter(row => locked.covers(row)).map(row => ({ n: 0, row, part: {} }))
}

/** The parts of rows that entries select. An entry that selects a unit requests the rows not yet on hold. */
export function requestsToHold(
  stock: readonly HoldEntry[],
  entries: Pick<SelectedStock, 'rowOf' | 'unitOf'>,
  refuse: ReportEntryFault,
): TakeRequest[] {
  return stock.flatMap((entry, n): TakeRequest[] => {
    const unit = entries.unitOf(n)
    if (unit) return unit.rows.filter(row => row.inventoryHoldId === null).map(row => ({ n, row, part: {} }))
    const row = entry.logisticUnitId ? unknownUnit(entry.logisticUnitId) : entries.rowOf(n)
    if (isFieldFault(row)) refuse(n, ...row)
    else if (row.inventoryHoldId)
      refuse(n, `${row.productCode} in ${row.locationName} is already on hold`, 'held')
    else return [{ n, row, part: entry }]
    return []
  })
}

const unknownUnit = (id: string): FieldFault => [`there is no logistic unit ${id}`, 'unknown_reference']

function nothingToHold(requests: readonly TakeRequest[], allocationsOf: AllocationLookup): Fault {
  const allocations = requests.flatMap(({ row }) => allocationsOf(row.id))
  if (allocations.length === 0)
    return {
      path: null,
      code: 'insufficient_stock',
      message: 'There is no such stock that is not on hold already.',
    }
  return {
    path: null,
    code: 'allocated',
    message:
      `All of it is allocated to ${listConsignmentNumbers(allocations)}: release it first, or set ` +
      'releaseAllocations.',
  }
}
