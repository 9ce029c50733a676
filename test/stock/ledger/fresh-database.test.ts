// On a fresh database, writing stock costs the same for a row however many rows there are: no statement, and
// no foreign key that it checks, keeps a plan from when the tables were empty.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Db, raw, sql } from '../../../src/platform/database/db.ts'
import { newId } from '../../../src/platform/new-id.ts'
import { analyzeGrownStock } from '../../../src/stock/ledger/analyze-stock.ts'
import { post } from '../../../src/stock/ledger/post.ts'
import { findOrCreateStockRows } from '../../../src/stock/ledger/stock-identity.ts'
import { lockStock } from '../../../src/stock/ledger/stock-lock.ts'
import { TransactionType } from '../../../src/vocabulary/stock.ts'
import { of, openStock } from '../../support/given-stock.ts'

const world = await openStock()
const { database, admin, identity, source } = world
const { organisationId } = admin.actor

/** How many pages this connection has read so far from each table and index, in memory or not. */
const pagesRead = async (db: Db): Promise<Map<string, number>> =>
  new Map(
    (
      await db.rows<{ name: string; pages: number }>(sql`
        select relname as name, pg_stat_get_xact_blocks_fetched(oid) as pages from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')`)
    ).map(({ name, pages }) => [name, pages]),
  )

let batch = 0
/** Receives goods into as many new rows. Returns how many pages that read, for each row, and where most. */
const receive = (rows: number): Promise<{ pages: number; most: string }> =>
  database.atomically(async tx => {
    const goods = Array.from({ length: rows }, () => identity({ batch: `B${batch++}` }))
    const locked = await lockStock(tx, organisationId, goods)
    const before = await pagesRead(tx)
    const movementId = newId()
    const ids = await findOrCreateStockRows(tx, locked, goods)
    const moves = ids.map(to => ({ movementId, type: TransactionType.Adjustment, from: null, to }))
    await post(
      tx,
      locked,
      source,
      moves.map(move => ({ ...move, quantity: of(1) })),
    )
    const read = [...(await pagesRead(tx))].map(([name, pages]) => ({
      name,
      pages: (pages - (before.get(name) ?? 0)) / rows,
    }))
    return {
      pages: read.reduce((sum, { pages }) => sum + pages, 0),
      most: read.toSorted((a, b) => b.pages - a.pages)[0]?.name ?? '',
    }
  })

test('a row of stock costs as many pages at four thousand rows as at eight hundred, from the first minute', async () => {
  // PostgreSQL itself would mend it after a minute.
  await database.atomically(async tx => {
    for (const name of ['warehouse_product', 'inventory_transaction', 'inventory_listing', 'inventory_count'])
      await tx.run(sql`alter table ${raw(name)} set (autovacuum_enabled = off)`)
  })
  for (let n = 0; n < 40; n++) await receive(1)
  const read: { rows: number; pages: number; most: string }[] = []
  const alone: { rows: number; pages: number; most: string }[] = []
  while (batch < 4_000) {
    const { pages, most } = await receive(400)
    read.push({ rows: batch, pages: Math.round(pages), most })
    await analyzeGrownStock(database)
    alone.push({ rows: batch, ...(await receive(1)) })
  }
  const told = JSON.stringify(read)
  // The first of them grew the tables before they were analysed.
  const pages = read.slice(1).map(one => one.pages)
  assert.ok((pages.at(-1) ?? 0) <= 1.5 * (pages[0] ?? 0), told)
  for (const n of pages) assert.ok(n <= 250, told)
  // What a statement reads once, for whatever many rows, is seen only where it brings one row.
  for (const { pages } of alone) assert.ok(pages <= 300, JSON.stringify(alone))
})
