// The check of stock sees whatever is changed behind the service's back: any figure of stock in a lived world,
// or it stands below with the reason why nothing can tell it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { writeCheckpoint } from '../../src/stock/as-of/checkpoints.ts'
import { findStockDifferences } from '../../src/stock/ledger/check-stock.ts'
import { StockCountLineStatus } from '../../src/vocabulary/stock.ts'
import { figuresOf, silentFigures } from '../support/tampering.ts'
import type { Deed } from './deed.ts'
import { openService } from './service.ts'
import { twistedWorld } from './twisted-world.ts'

/** The tables that stock is in. */
const tables = /^(warehouse_product|inventory_|stock_count|logistic_unit$|consignment_product)/

const series = 'a number of a series: any other is as good'
const asSaid = 'what somebody said once, and nothing else is made of it'

/** The figures that nothing can tell. */
const untold: Record<string, string> = {
  'logistic_unit.number': series,
  'stock_count.number': series,
  'consignment_product.ordinal': series,
  'stock_count_entry.ordinal': series,
  'consignment_product_item.ordinal': series,
  'consignment_product.expected_weight_kg': asSaid,
  'consignment_product.expected_volume_m3': asSaid,
  'consignment_product_item.weight_kg': asSaid,
  'consignment_product_item.volume_m3': asSaid,
  'warehouse_product_item.weight_kg': asSaid,
  'warehouse_product_item.volume_m3': asSaid,
}

/** What was counted is a word among others until it is approved. */
const isApproved = sql`exists (select from stock_count_line l
  where l.id = stock_count_line_id and l.status = ${StockCountLineStatus.Approved})`
const only = {
  'stock_count_entry.counted_quantity': isApproved,
  'stock_count_entry.round': isApproved,
  'stock_count_line.round': sql`status = ${StockCountLineStatus.Approved}`,
}

const seed = Number(process.env.WORLDS_SEED ?? 3)
/** Goods are found and counted, two more than there are, serials are written on others, and some are ordered. */
const counts: Deed[] = [
  { kinds: ['find goods'], numbers: [], chain: null, tag: '90' },
  ...[1, 2, 3].map(n => ({ kinds: ['count'], numbers: [n, n, 4], chain: null, tag: `9${n}` })),
  ...['announce unread serials', 'receive unread serials', 'record serials'].map((kind, n) => ({
    ...{ kinds: [kind], numbers: [], chain: 'serials', tag: `8${n}` },
  })),
  { kinds: ['find goods'], numbers: [], chain: null, tag: '70' },
  { kinds: ['order what lies here'], numbers: [], chain: null, tag: '71' },
]

const service = await openService()
const { database } = service

test('a figure of stock that is changed behind the back of the service is told', async () => {
  const world = await twistedWorld(service, seed, counts)
  const { organisationId } = world.caller.actor
  await writeCheckpoint(database, organisationId)
  assert.deepEqual(await findStockDifferences(database.db, organisationId), [])
  const figures = (await figuresOf(database, tables)).filter(name => !(name in untold))
  const { silent, absent } = await silentFigures(
    database,
    organisationId,
    figures,
    async tx => (await findStockDifferences(tx, organisationId)).length > 0,
    only,
  )
  assert.deepEqual(silent, [], 'the check of stock does not see these figures')
  assert.deepEqual(absent, [], 'the world of this seed has none of these figures')
})
