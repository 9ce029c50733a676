// Releases held stock, all of a hold or some of it: it moves to rows that are alike but not held. Spec 2.14.

import { sql, type Tx } from '../../platform/database/db.ts'
import { TransactionRestart } from '../../platform/database/errors.ts'
import {
  collectEntryFaults,
  type FieldFault,
  isFieldFault,
  type ReportEntryFault,
} from '../../platform/http/entry-faults.ts'
import { notFound, verificationFailed } from '../../platform/http/refusal.ts'
import { named, nullable, optional, Type, UtcTime, Uuid } from '../../platform/http/schema.ts'
import { newId } from '../../platform/new-id.ts'
import { TransactionType } from '../../vocabulary/stock.ts'
import { lockSelectedStock, type SelectedStock } from '../commands/lock-selected-stock.ts'
import { planTake, type TakeRequest } from '../commands/plan-take.ts'
import { numberOf } from '../commands/quantities.ts'
import { identityOf, readStockRows } from '../commands/read-stock-rows.ts'
import { stockCommand } from '../commands/stock-command.ts'
import { post } from '../ledger/post.ts'
import { findOrCreateStockRows } from '../ledger/stock-identity.ts'
import type { LockTarget } from '../ledger/stock-lock.ts'
import type { HoldEntry } from './hold-stock.ts'
import { HeldStockEntry, holdEntryFaults } from './holds.ts'

/**
 * Locks a hold, so that exactly one of two concurrent releases of its last stock closes it. Throws 404 if
 * there is no such hold, and 400 if it is closed. Call it after the stock is locked, because other
 * transactions take the two locks in that order.
 */
async function lockHold(tx: Tx, organisationId: string, inventoryHoldId: string): Promise<void> {
  const hold = await tx.maybe<{ releasedUtc: string | null }>(sql`
    select released_utc from inventory_hold
    where organisation_id = ${organisationId} and id = ${inventoryHoldId} for no key update`)
  if (hold === undefined) throw notFound('Hold')
  if (hold.releasedUtc !== null)
    throw verificationFailed('The hold is already released: nothing is left in it.')
}

const nothingOnUnit: FieldFault = ['nothing on that logistic unit is in this hold', 'not_here']

/** The parts of the hold that entries select. */
function toTakeRequests(
  stock: readonly HoldEntry[],
  entries: SelectedStock,
  inventoryHoldId: string,
  refuse: ReportEntryFault,
): TakeRequest[] {
  return stock.flatMap((entry, n): TakeRequest[] => {
    const rows = entries.unitOf(n)?.rows.filter(row => row.inventoryHoldId === inventoryHoldId)
    if (rows?.length) return rows.map(row => ({ n, row, part: {} }))
    const row = entry.logisticUnitId ? nothingOnUnit : entries.rowOf(n)
    if (isFieldFault(row)) refuse(n, ...row)
    else if (row.inventoryHoldId !== inventoryHoldId)
      refuse(n, `${row.productCode} in ${row.locationName} is not in this hold`, 'not_here')
    else return [{ n, row, part: entry }]
    return []
  })
}

export const releaseHold = [
  stockCommand({
    post: '/v1/inventory/holds/:inventoryHoldId/release',
    name: 'releaseInventoryHold',
    canBeRehearsed: true,
    scope: 'inventory',
    summary: 'Release stock from a hold',
    description: 'Releases everything unless stock is given. The hold is closed when nothing is left in it.',
    bodyName: 'InventoryHoldRelease',
    body: {
      stock: optional(Type.Array(HeldStockEntry, { minItems: 1, maxItems: 1_000, rule: holdEntryFaults })),
    },
    bodyOptional: true,
    answer: named(
      'InventoryHoldReleased',
      Type.Object({
        movementId: Uuid,
        effectiveUtc: UtcTime,
        releasedQuantity: Type.Number(),
        releasedUtc: nullable({ ...UtcTime, description: 'Set when nothing is left in the hold.' }),
        warehouseProductIds: Type.Array(Uuid),
      }),
    ),
    async run({ tx, actor: { organisationId }, params: { inventoryHoldId }, body, source, occurredUtc }) {
      const { refuse, throwIfAny } = collectEntryFaults('stock')
      const isIn = sql`p.inventory_hold_id = ${inventoryHoldId} and not p.is_depleted`
      const lockTargets = await tx.rows<LockTarget>(sql`select distinct warehouse_id, product_id
        from warehouse_product p where p.organisation_id = ${organisationId} and ${isIn}`)
      const entries = await lockSelectedStock(tx, organisationId, body.stock ?? [], lockTargets)
      await lockHold(tx, organisationId, inventoryHoldId)
      const rows = await readStockRows(tx, organisationId, isIn)
      if (!rows.every(row => entries.locked.covers(row))) throw new TransactionRestart()
      const requests = body.stock
        ? toTakeRequests(body.stock, entries, inventoryHoldId, refuse)
        : rows.map(row => ({ n: 0, row, part: {} }))
      const parts = await planTake(tx, organisationId, requests, { all: 'everything' }, refuse)
      throwIfAny()
      const targets = await findOrCreateStockRows(
        tx,
        entries.locked,
        parts.map(({ row }) => ({ ...identityOf(row), inventoryHoldId: null })),
      )
      const movementId = newId()
      const moves = parts.map(({ row, quantity, items }, i) => {
        const to = targets[i] as string
        return { movementId, type: TransactionType.Hold, from: row.id, to, quantity, items, occurredUtc }
      })
      const [posted] = await post(tx, entries.locked, source, moves)
      const { releasedUtc } = await tx.row<{ releasedUtc: string | null }>(sql`
        select released_utc from inventory_hold
        where organisation_id = ${organisationId} and id = ${inventoryHoldId}`)
      return {
        movementId,
        effectiveUtc: posted?.effectiveUtc ?? occurredUtc ?? new Date().toISOString(),
        releasedQuantity: numberOf(parts.reduce((sum, { quantity }) => sum + quantity, 0n)),
        releasedUtc,
        warehouseProductIds: [...new Set(targets)],
      }
    },
  }),
]
