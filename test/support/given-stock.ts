// Stock for tests: a client with products, a warehouse with locations, and functions that post to the ledger.

import assert from 'node:assert/strict'
import { afterEach } from 'node:test'
import { type Database, sql } from '../../src/platform/database/db.ts'
import { scale } from '../../src/platform/decimal.ts'
import { newId } from '../../src/platform/new-id.ts'
import { findStockDifferences } from '../../src/stock/ledger/check-stock.ts'
import type { StockMove } from '../../src/stock/ledger/movement.ts'
import { post } from '../../src/stock/ledger/post.ts'
import { findOrCreateStockRows, type StockIdentity } from '../../src/stock/ledger/stock-identity.ts'
import { lockStock } from '../../src/stock/ledger/stock-lock.ts'
import { TransactionType } from '../../src/vocabulary/stock.ts'
import { setUp } from './given-imports.ts'
import { type Caller, openWorld } from './harness.ts'
import { checkReports } from './report-invariants.ts'
import { atEnd } from './test-database.ts'

/** Whole ten-thousandths of a quantity. */
export const of = (quantity: number): bigint => scale(4, quantity)

/** Verifies all stock of the database against its ledger after every test of a file. */
export function checkStockAfterEach(database: Database): void {
  afterEach(async () => assert.deepEqual(await findStockDifferences(database.db), []))
}

/**
 * A world with the client KAURI (products APPLE, PEAR and the serial ones SCALE and RADIO), the warehouse AKL
 * and the locations A-01, A-02 (Racking), B-01 (Bulk), Q-01 (Quarantine) and DOCK (Transitional).
 */
export async function openStock() {
  const world = await openWorld()
  const { admin, database } = world
  checkStockAfterEach(database)
  atEnd(() => checkReports(database, admin))
  const { clientId, carrierId, warehouseId } = await setUp(admin)
  const { organisationId } = admin.actor
  const made = async (path: string, body: object, by: Caller = admin) => {
    const answer = await by.post(path, body)
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return Object.values(answer.body)[0] as string
  }
  const product = (code: string, more: object = {}) =>
    made(`/v1/partners/${clientId}/products`, { code, name: code, ...more })
  const location = (name: string, type: number, more: object = {}) =>
    made(`/v1/warehouses/${warehouseId}/locations`, { name, type, ...more })
  const products = Object.fromEntries(
    (
      await database.db.rows<{ code: string; id: string }>(sql`select code, id from product
        where organisation_id = ${organisationId}`)
    ).map(({ code, id }) => [code, id]),
  ) as Record<string, string>
  products.SCALE = await product('SCALE', { serialTrackingMode: 2, weightKG: 4 })
  products.RADIO = await product('RADIO', { serialTrackingMode: 3 })
  const locations = {
    A1: await location('A-01', 1, { walkingOrder: 1 }),
    A2: await location('A-02', 1, { walkingOrder: 2 }),
    B1: await location('B-01', 2),
    Q1: await location('Q-01', 3),
    DOCK: await location('DOCK', 4),
  }

  /** The identity of a stock row; by default apples in A-01. */
  const identity = (more: Partial<StockIdentity> = {}): StockIdentity => ({
    warehouseId,
    partnerId: clientId,
    productId: products.APPLE as string,
    warehouseLocationId: locations.A1,
    logisticUnitId: null,
    inventoryHoldId: null,
    batch: null,
    bestBeforeDate: null,
    expiryDate: null,
    packagingDate: null,
    productionDate: null,
    sellByDate: null,
    attributes: [],
    receivedDate: '2026-01-01',
    ...more,
  })
  const source = {
    connectionId: admin.actor.connectionId,
    userId: admin.actor.userId,
    requestId: 'test',
  }

  /** Posts moves in a transaction of their own, with every product of the warehouse locked. */
  const posted = (moves: StockMove[]) =>
    database.atomically(async tx => {
      const targets = Object.values(products).map(productId => ({ warehouseId, productId }))
      return post(tx, await lockStock(tx, organisationId, targets), source, moves)
    })

  /** Adds stock by an adjustment, and returns the id of its row. */
  async function stored(quantity: number, more: Partial<StockIdentity> = {}, facts: Partial<StockMove> = {}) {
    const [id] = await database.atomically(async tx => {
      const target = identity(more)
      const locked = await lockStock(tx, organisationId, [target])
      const rows = await findOrCreateStockRows(tx, locked, [target])
      await post(tx, locked, source, [
        {
          movementId: newId(),
          type: TransactionType.Adjustment,
          from: null,
          to: rows[0] as string,
          quantity: of(quantity),
          ...facts,
        },
      ])
      return rows
    })
    return id as string
  }

  /** Reads the balances of a stock row. */
  const row = (id: string) =>
    database.db.row<{
      onHandQuantity: number
      allocatedQuantity: number
      availableQuantity: number
      onHandWeightKG: number
      onHandVolumeM3: number
      version: number
    }>(sql`select on_hand_quantity, allocated_quantity, available_quantity, on_hand_weight_kg,
      on_hand_volume_m3, version from warehouse_product
      where organisation_id = ${organisationId} and id = ${id}`)

  return {
    ...world,
    clientId,
    carrierId,
    warehouseId,
    products: products as Record<'APPLE' | 'PEAR' | 'SCALE' | 'RADIO', string>,
    locations,
    made,
    product,
    location,
    identity,
    source,
    posted,
    stored,
    row,
  }
}
