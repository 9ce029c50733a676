// Stored goods with a history, and the rate cards that charge for their storage.

import assert from 'node:assert/strict'
import { billStorage } from '../../src/billing/storage/bill-storage.ts'
import { storageProof } from '../../src/billing/storage/storage-proof.ts'
import { type Database, sql } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/new-id.ts'
import type { StockMove } from '../../src/stock/ledger/movement.ts'
import { post } from '../../src/stock/ledger/post.ts'
import { findOrCreateStockRows, type StockIdentity } from '../../src/stock/ledger/stock-identity.ts'
import { lockStock } from '../../src/stock/ledger/stock-lock.ts'
import { BillingPeriod } from '../../src/vocabulary/billing.ts'
import { TransactionType } from '../../src/vocabulary/stock.ts'
import { checkMoneyAfterEach } from './given-charges.ts'
import { of, openStock } from './given-stock.ts'

/** A change of stock at an instant: goods arrive, leave, or move from one row of stock to another. */
export interface StockChange {
  /** an instant, or a local time of the warehouse without a zone */
  at: string
  quantity: number
  from?: Partial<StockIdentity>
  to?: Partial<StockIdentity>
  type?: number
  /** changes with one id are one movement */
  movementId?: string
  weightKG?: number
  volumeM3?: number
}

/** Changes in the same order, those of one movement together. */
const byMovement = (changes: readonly StockChange[]): StockChange[][] => [
  ...Map.groupBy(changes, ({ movementId }) => movementId ?? Symbol('a movement of its own')).values(),
]

/** A storage transaction. */
export interface RaisedTransaction {
  id: string
  date: string
  periodFrom: string
  periodTo: string
  groupKey: string
  quantity: number
  amountExclTax: number
  adjusts: string | null
  particulars: string
  status: number
}

/**
 * Opens the world of `openStock` with helpers for storage: rate cards of the client, stock changes, billing
 * runs.
 */
export async function openStorage() {
  const world = await openStock()
  const { admin, database, clientId, warehouseId, identity, source, made } = world
  const { organisationId } = admin.actor
  checkMoneyAfterEach(database)
  const taxRateId = await made('/v1/tax-rates', { name: 'GST', percent: 15 })
  const activityTypeId = await made('/v1/activity-types', { code: 'STORAGE', name: 'Storage' })

  /** Creates a client with a product of which 48 fit on a pallet. */
  async function client(code: string, more: object = {}) {
    const partnerId = await made('/v1/partners', { name: code, code, relationship: 1, ...more })
    const productId = await made(`/v1/partners/${partnerId}/products`, {
      ...{ code: 'BOX', name: 'Boxes', weightKG: 2, volumeM3: 0.01 },
      unitConversions: [{ inputMetricType: 2, outputMetricType: 1, conversionRate: 48 }],
    })
    return { partnerId, productId }
  }

  const charge = (storage: object, more: object = {}) => ({
    ...{ metric: 2, application: 1, rateExclTax: 1, storage: { count: 1, method: 1, ...storage } },
    ...more,
  })
  const rate = (...charges: object[]) => ({
    ...{ name: 'Storage', kind: 4, basis: 2, activityTypeId, charges },
  })
  const content = (...rates: object[]) => ({ defaultTaxRateId: taxRateId, rates })

  /** Approves a new version of a client's card, creating the card if needed. Returns the version's id. */
  async function approveRates(partnerId: string, effectiveFrom: string, ...rates: object[]): Promise<string> {
    const { body } = await admin.get(`/v1/rate-cards?PartnerId=${partnerId}`)
    const cardId =
      body.rateCards[0]?.id ?? (await made('/v1/rate-cards', { name: 'Prices', relationship: 1, partnerId }))
    const versionId = await made(`/v1/rate-cards/${cardId}/versions`, {
      effectiveFrom,
      content: content(...rates),
    })
    const answer = await admin.put(`/v1/rate-cards/${cardId}/versions/${versionId}/status`, { status: 2 })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return versionId
  }

  /** Posts changes to the ledger, each movement in a transaction of its own. Returns the rows that received goods. */
  async function postChanges(
    by: Database,
    changes: readonly StockChange[],
    more: Partial<StockIdentity> = {},
  ) {
    const complete = (part: Partial<StockIdentity> | undefined) =>
      part === undefined ? null : identity({ ...more, ...part })
    const rows: (string | null)[] = []
    for (const together of byMovement(changes)) {
      const ends = together.map(({ from, to }) => [complete(from), complete(to)])
      const identities = ends.flat().filter(row => row !== null)
      await by.atomically(async tx => {
        const locked = await lockStock(tx, organisationId, identities)
        for (const [n, { at, quantity, from, to, type, ...figures }] of together.entries()) {
          const [origin, target] = ends[n] as [StockIdentity | null, StockIdentity | null]
          const kind = type ?? (from && to ? TransactionType.Transfer : to ? TransactionType.Receive : 6)
          const { occurredUtc } = await tx.row<{ occurredUtc: string }>(sql`
            select (case when ${at} ~ 'Z$' then ${at}::timestamptz
              else ${at}::timestamp at time zone w.timezone_id end)::text as occurred_utc
            from warehouse w where w.id = ${(identities[0] as StockIdentity).warehouseId}`)
          const ids = await findOrCreateStockRows(
            tx,
            locked,
            [origin, target].filter(row => row !== null),
          )
          const move: StockMove = {
            movementId: newId(),
            type: kind as StockMove['type'],
            from: origin === null ? null : (ids[0] as string),
            to: target === null ? null : (ids.at(-1) as string),
            quantity: of(quantity),
            occurredUtc,
            ...figures,
          }
          await post(tx, locked, source, [move])
          rows.push(move.to)
        }
      })
    }
    return rows
  }

  /** Bills the storage of a client for a period. */
  const run = (partnerId: string, periodFrom: string, periodTo: string, more: object = {}) =>
    billStorage(database, {
      ...{ organisationId, clientId: partnerId, warehouseId, periodFrom, periodTo },
      billingPeriod: BillingPeriod.Monthly,
      ...more,
    })

  /** All storage transactions of a client, in order. */
  const transactionsOf = (partnerId: string): Promise<RaisedTransaction[]> =>
    database.db.rows<RaisedTransaction>(sql`
      select id, date, period_from, period_to, group_key, quantity, amount_excl_tax, adjusts, particulars,
        status
      from schedule_transaction where organisation_id = ${organisationId} and partner_id = ${partnerId}
      order by id`)

  let clients = 0
  /** Creates a client whose storage has a rate for each of these charges, with helpers for its storage. */
  async function chargedClient(...charges: object[]) {
    const { partnerId, productId } = await client(`C${++clients}`)
    await approveRates(partnerId, '2020-01-01', ...charges.map(charge => rate(charge)))
    const goods = { partnerId, productId, receivedDate: '2025-03-30' }
    return {
      partnerId,
      productId,
      changeStock: (...changes: StockChange[]) => postChanges(database, changes, goods),
      bill: (from: string, to: string, more: object = {}) => run(partnerId, from, to, more),
      bills: async () =>
        (await transactionsOf(partnerId)).map(({ quantity, amountExclTax, periodFrom }) => [
          periodFrom,
          quantity,
          amountExclTax,
        ]),
      listTransactions: () => transactionsOf(partnerId),
    }
  }

  /** Asserts that every transaction agrees with its derivation. */
  async function proveAll(partnerId: string) {
    const proofs = []
    for (const { id, amountExclTax } of await transactionsOf(partnerId)) {
      const proof = await storageProof(database.db, { organisationId, id })
      assert.ok(proof?.isVerified, JSON.stringify(proof))
      assert.equal(proof.derivedExclTax, amountExclTax)
      proofs.push(proof)
    }
    return proofs
  }

  return {
    ...{ ...world, organisationId, taxRateId, activityTypeId, clientId },
    ...{
      client,
      charge,
      rate,
      content,
      approveRates,
      postChanges,
      run,
      transactionsOf,
      chargedClient,
      proveAll,
    },
  }
}
