// Puts stock on hold: parts of rows, whole units, or everything that meets criteria. Allocated stock is
// either left out or taken away from its lines, which then become short. Spec 2.14.

import { emit } from '../../events/emit.ts'
import { type Db, empty, sql, type Tx } from '../../platform/database/db.ts'
import {
  collectEntryFaults,
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
import { planTake, type StockPart, type TakeRequest } from '../commands/plan-take.ts'
import { numberOf } from '../commands/quantities.ts'
import { identityOf, readStockRows } from '../commands/read-stock-rows.ts'
import { matchStock } from '../commands/stock-selector.ts'
import { type AllocationLookup, listConsignmentNumbers, readAllocations } from '../inventory/allocations.ts'
import type { MovementSource } from '../ledger/movement.ts'
import { post } from '../ledger/post.ts'
import { findOrCreateStockRows } from '../ledger/stock-identity.ts'
import type { LockTarget } from '../ledger/stock-lock.ts'
import {
  chooseAllocationsToRelease,
  lockAllocatedConsignments,
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

/** Puts stock on hold. Throws 400 with every fault, or if there is nothing to hold. */
export async function holdStock(tx: Tx, context: HoldContext, hold: HoldRequest) {
  const { organisationId, userId, source, occurredUtc } = context
  const { refuse, throwIfAny } = collectEntryFaults('stock')
  const candidates = await findCandidates(tx, organisationId, hold)
  const isReleasing = hold.releaseAllocations === true
  const ids = isReleasing ? candidates.map(({ id }) => id) : []
  const consignments = await lockAllocatedConsignments(tx, organisationId, ids)
  const entries = await lockSelectedStock(tx, organisationId, hold.stock ?? [], candidates)
  const requests = hold.where
    ? await requestsByCriteria(tx, entries, hold.where)
    : toTakeRequests(hold.stock ?? [], entries, refuse)
  const rowIds = [...new Set(requests.map(({ row }) => row.id))]
  const allocationsOf = await readAllocations(tx, organisationId, rowIds)
  const { released, remaining } = isReleasing
    ? await chooseAllocationsToRelease(tx, organisationId, requests, allocationsOf, consignments)
    : { released: [], remaining: allocationsOf }
  const isAllAllocated = ({ row, part }: TakeRequest) =>
    !part.quantity && sumOf(remaining(row.id)) === row.onHand
  const free = requests.filter(request => !isAllAllocated(request))
  const parts = await planTake(tx, organisationId, free, { all: 'free', allocationsOf: remaining }, refuse)
  throwIfAny()
  if (parts.length === 0) throw verificationFailed(nothingToHold(requests, allocationsOf))

  const [inventoryHoldId] = (await createHolds(tx, organisationId, [{ ...hold, createdBy: userId }])) as [
    string,
  ]
  const targets = await findOrCreateStockRows(
    tx,
    entries.locked,
    parts.map(({ row }) => ({ ...identityOf(row), inventoryHoldId })),
  )
  const facts = { movementId: newId(), occurredUtc, reason: hold.reason }
  const type = TransactionType.Hold
  const moves = parts.map(({ row, quantity, items }, i) => {
    const to = targets[i] as string
    return { ...facts, type, from: row.id, to, quantity, items }
  })
  const [posted] = await post(tx, entries.locked, source, [...releaseMoves(released, facts), ...moves])
  await emit(tx, context, releaseEvents(released, consignments))
  const kept = distinctRows(requests.filter(({ part }) => !part.quantity)).flatMap(({ id }) => remaining(id))
  return {
    inventoryHoldId,
    movementId: facts.movementId,
    effectiveUtc: posted?.effectiveUtc as string,
    heldQuantity: numberOf(sumOf(parts)),
    allocatedQuantity: numberOf(sumOf(kept)),
    warehouseProductIds: [...new Set(targets)],
  }
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
function toTakeRequests(
  stock: readonly HoldEntry[],
  entries: SelectedStock,
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
