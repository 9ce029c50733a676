// Putting stock on hold: parts of rows, whole units, or everything that is so and so. What is promised stays,
// or is taken from its lines, which become short. Spec 2.14.

import { emit } from '../../../events/emit.ts'
import { type Db, empty, sql, type Tx } from '../../../platform/database/db.ts'
import {
  collectEntryFaults,
  isProblem,
  type Problem,
  type ReportEntryFault,
} from '../../../platform/http/entry-faults.ts'
import { verificationFailed } from '../../../platform/http/refusal.ts'
import { newId } from '../../../platform/new-id.ts'
import { type HoldKind, TransactionType } from '../../enumerations.ts'
import type { MovementSource } from '../../ledger/movement.ts'
import { post } from '../../ledger/post.ts'
import type { LockTarget } from '../../ledger/stock-lock.ts'
import { findOrCreateRows } from '../../ledger/stock-row.ts'
import { type Allocation, listConsignmentNumbers, readAllocations } from '../allocations.ts'
import { type EntrySelector, type LockedEntries, lockEntries } from '../lock-entries.ts'
import { makeHolds } from '../make-holds.ts'
import { numberOf } from '../quantities.ts'
import { identityOf, readStock } from '../stock-rows.ts'
import { matchStock } from '../stock-selector.ts'
import { type Part, type TakeRequest, take } from '../take.ts'
import {
  chooseAllocationsToRelease,
  lockAllocatedConsignments,
  releaseEvents,
  releaseMoves,
} from './release-allocations.ts'

/** An entry: a row, a part of one or a whole logistic unit. */
export interface HoldEntry extends EntrySelector, Part {}

/** Everything of a warehouse that is so. */
export interface HoldCriteria {
  warehouseId: string
  partnerProductId?: string | null
  batch?: string | null
  /** a plain date; what expires on it or before */
  expiryTo?: string | null
}

/** What is to be held, and why. */
export interface HoldRequest {
  kind: HoldKind
  reason: string
  reference?: string | null
  stock?: readonly HoldEntry[] | null
  where?: HoldCriteria | null
  releaseAllocations?: boolean | null
}

/** Who holds it, and when. */
export interface HoldContext {
  organisationId: string
  userId: string
  requestId: string
  connectionId: string
  source: MovementSource
  occurredUtc: string | null
}

/** Live stock, not held, that is as `where` says. */
const matchesCriteria = ({ warehouseId, partnerProductId, batch, expiryTo }: HoldCriteria) => sql`
  p.warehouse_id = ${warehouseId} and not p.is_depleted and p.inventory_hold_id is null
  ${partnerProductId ? sql`and p.product_id = ${partnerProductId}` : empty}
  ${batch ? sql`and lower(p.batch) = lower(${batch})` : empty}
  ${expiryTo ? sql`and p.expiry_date <= ${expiryTo}::date` : empty}`

/** The rows that may be held, before anything is locked. */
async function findCandidates(db: Db, organisationId: string, { stock, where }: HoldRequest) {
  if (where)
    return db.rows<LockTarget & { id: string }>(sql`select p.id, p.warehouse_id, p.product_id
      from warehouse_product p where p.organisation_id = ${organisationId} and ${matchesCriteria(where)}`)
  const units = (stock ?? []).flatMap(({ logisticUnitId }) => logisticUnitId ?? [])
  const onUnits = await db.rows<LockTarget & { id: string }>(sql`
    select id, warehouse_id, product_id from warehouse_product where organisation_id = ${organisationId}
      and not is_depleted and logistic_unit_id = any(${units})`)
  return [...(await matchStock(db, organisationId, stock ?? [])).flat(), ...onUnits]
}

/** Holds stock. Throws 400 with every fault, and where there is nothing to hold. */
export async function holdStock(tx: Tx, holder: HoldContext, holding: HoldRequest) {
  const { organisationId, userId, source, occurredUtc } = holder
  const { refuse, throwIfAny } = collectEntryFaults('stock')
  const found = await findCandidates(tx, organisationId, holding)
  const isReleasing = holding.releaseAllocations === true
  const ids = isReleasing ? found.map(({ id }) => id) : []
  const consignments = await lockAllocatedConsignments(tx, organisationId, ids)
  const named = await lockEntries(tx, organisationId, holding.stock ?? [], found)
  const wanted = holding.where
    ? await requestsByCriteria(tx, named, holding.where)
    : toTakeRequests(holding.stock ?? [], named, refuse)
  const rowIds = [...new Set(wanted.map(({ row }) => row.id))]
  const promises = await readAllocations(tx, organisationId, rowIds)
  const { released, left } = isReleasing
    ? await chooseAllocationsToRelease(tx, organisationId, wanted, promises, consignments)
    : { released: [], left: promises }
  const isAllPromised = ({ row, part }: TakeRequest) => !part.quantity && sumOf(left(row.id)) === row.onHand
  const free = wanted.filter(one => !isAllPromised(one))
  const takings = await take(tx, organisationId, free, { all: 'free', allocationsOf: left }, refuse)
  throwIfAny()
  if (takings.length === 0) throw verificationFailed(nothingToHold(wanted, promises))

  const [inventoryHoldId] = (await makeHolds(tx, organisationId, userId, [holding])) as [string]
  const targets = await findOrCreateRows(
    tx,
    named.locked,
    takings.map(({ row }) => ({ ...identityOf(row), inventoryHoldId })),
  )
  const facts = { movementId: newId(), occurredUtc, reason: holding.reason }
  const moves = takings.map(({ row, quantity, items }, i) => {
    const to = targets[i] as string
    return { ...facts, type: TransactionType.Hold, from: row.id, to, quantity, items }
  })
  const [posted] = await post(tx, named.locked, source, [...releaseMoves(released, facts), ...moves])
  await emit(tx, holder, releaseEvents(released, consignments))
  const kept = rowsOf(wanted.filter(({ part }) => !part.quantity)).flatMap(({ id }) => left(id))
  return {
    inventoryHoldId,
    movementId: facts.movementId,
    effectiveUtc: posted?.effectiveUtc as string,
    heldQuantity: numberOf(sumOf(takings)),
    allocatedQuantity: numberOf(sumOf(kept)),
    warehouseProductIds: [...new Set(targets)],
  }
}

const sumOf = (parts: readonly { quantity: bigint }[]) =>
  parts.reduce((sum, { quantity }) => sum + quantity, 0n)
const rowsOf = (wanted: readonly TakeRequest[]) => [
  ...new Map(wanted.map(({ row }) => [row.id, row])).values(),
]

/** Everything that is so, as far as it is locked. */
async function requestsByCriteria(
  tx: Tx,
  { locked }: LockedEntries,
  where: HoldCriteria,
): Promise<TakeRequest[]> {
  const rows = await readStock(tx, locked.organisationId, matchesCriteria(where))
  return rows.filter(row => locked.covers(row)).map(row => ({ n: 0, row, part: {} }))
}

/** The parts of rows that entries name; of a whole unit what is not held on it. */
function toTakeRequests(
  stock: readonly HoldEntry[],
  named: LockedEntries,
  refuse: ReportEntryFault,
): TakeRequest[] {
  return stock.flatMap((entry, n): TakeRequest[] => {
    const unit = named.unitOf(n)
    if (unit) return unit.rows.filter(row => row.inventoryHoldId === null).map(row => ({ n, row, part: {} }))
    const row = entry.logisticUnitId ? unknownUnit(entry.logisticUnitId) : named.rowOf(n)
    if (isProblem(row)) refuse(n, ...row)
    else if (row.inventoryHoldId)
      refuse(n, `${row.productCode} in ${row.locationName} is held already`, 'state')
    else return [{ n, row, part: entry }]
    return []
  })
}

const unknownUnit = (id: string): Problem => [`there is no logistic unit ${id}`, 'unknown_reference']

function nothingToHold(
  wanted: readonly TakeRequest[],
  promisesOf: (id: string) => readonly Allocation[],
): string {
  const promises = wanted.flatMap(({ row }) => promisesOf(row.id))
  if (promises.length === 0) return 'There is nothing to hold.'
  return `There is nothing to hold: all of it is allocated to ${listConsignmentNumbers(promises)}.`
}
