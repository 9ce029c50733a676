// Invariants between reports, checked at the end of every test file that moves stock. Sums are compared to
// the ten-thousandth.

import assert from 'node:assert/strict'
import { type Database, sql } from '../../src/platform/database/db.ts'
import type { Row } from './given-reports.ts'
import type { Caller } from './harness.ts'

const exact = (value: number) => Number(value.toFixed(4))

/** The sums of a figure by warehouse and product, without zeros. */
function sums(rows: readonly Row[], figure: string, keys = ['warehouseId', 'partnerProductId']): Row {
  const found: Row = {}
  for (const row of rows) {
    const key = keys.map(name => row[name]).join(' ')
    found[key] = exact((found[key] ?? 0) + row[figure])
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== 0))
}

/** Asserts that the reports of an organisation agree with each other, with its stock and with its ledger. */
export async function checkReports(database: Database, caller: Caller): Promise<void> {
  const { organisationId } = caller.actor
  const run = async (name: string, body: object = {}): Promise<Row[]> => {
    const answer = await caller.post(`/v1/reports/${name}`, body)
    assert.equal(answer.status, 200, `${name}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const stock = await database.db.rows<Row>(sql`
    select warehouse_id, product_id as partner_product_id, sum(on_hand_quantity) as on_hand_quantity
    from warehouse_product where organisation_id = ${organisationId} group by 1, 2`)
  const onHand = sums(stock, 'onHandQuantity')
  for (const name of ['stock-on-hand', 'stock-position', 'stock-age'])
    assert.deepEqual(sums(await run(name), 'onHandQuantity'), onHand, `${name} is not what is there`)
  const places = sums(await run('stock-position'), 'onHandQuantity', ['warehouseLocationId'])
  assert.deepEqual(sums(await run('location-status'), 'onHandQuantity', ['warehouseLocationId']), places)
  const clients = sums(await run('stock-position'), 'onHandQuantity', ['warehouseId', 'partnerId'])
  assert.deepEqual(sums(await run('stock-summary'), 'onHandQuantity', ['warehouseId', 'partnerId']), clients)
  const lines = await run('product-transaction-detail')
  assert.equal(
    exact(lines.reduce((total, line) => total + line.quantity, 0)),
    exact(Object.values(onHand).reduce((a, b) => a + b, 0)),
  )
  await checkBalances(run, onHand)
}

/** Asserts that each period begins with the closing stock of the one before, and nothing is missing. */
async function checkBalances(
  run: (name: string, body?: object) => Promise<Row[]>,
  onHand: Row,
): Promise<void> {
  const period = { dateFrom: '2026-07-01', dateTo: '2030-12-31' }
  const before = await run('stock-balance', { dateFrom: '2000-01-01', dateTo: '2026-06-30' })
  const after = await run('stock-balance', period)
  for (const row of [...before, ...after])
    for (const figure of ['Quantity', 'WeightKG', 'VolumeM3'])
      assert.equal(
        exact(
          row[`opening${figure}`] +
            row[`received${figure}`] -
            row[`dispatched${figure}`] +
            row[`adjustment${figure}`],
        ),
        exact(row[`closing${figure}`]),
        `the balance of ${row.partnerProductCode} does not add up`,
      )
  assert.deepEqual(sums(before, 'closingQuantity'), sums(after, 'openingQuantity'))
  assert.deepEqual(sums(after, 'closingQuantity'), onHand)
  for (const [name, figure] of [
    ['consignment-product-received', 'receivedQuantity'],
    ['consignment-product-dispatched', 'dispatchedQuantity'],
  ] as const)
    assert.deepEqual(
      sums(await run(name, period), figure, ['partnerProductId']),
      sums(after, figure, ['partnerProductId']),
      `${name} is not what the balance says`,
    )
}
