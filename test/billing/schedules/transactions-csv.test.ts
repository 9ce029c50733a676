// The CSV export of a schedule's transactions: complete, read in pages, safe to open in a spreadsheet.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { csvTable } from '../../../src/billing/schedules/transactions-csv.ts'
import { sql } from '../../../src/platform/database/db.ts'
import { openCharges } from '../../support/given-charges.ts'

const { world, clientId, carrierId, consignment, charge, close } = await openCharges()
const { admin, as, database } = world
const { organisationId } = admin.actor

/** Parses a table into records of texts by heading. */
const read = (bytes: Buffer): Record<string, string>[] => parse(bytes, { columns: true, bom: true })

const id = await consignment()
const model = await charge(id, 'client-activity', { metricValue: 1, chargeRateExclTax: -0.01 })
await database.atomically(async tx => {
  await tx.run(sql`
    insert into consignment_charge (organisation_id, id, consignment_id, partner_id, charge_type,
      charge_application, metric_value, charge_rate, tax_rate_id, tax_rate_percent, amount_excl_tax)
    select organisation_id, uuid_at(clock_timestamp()), consignment_id, partner_id, charge_type,
      charge_application, metric_value, charge_rate, tax_rate_id, tax_rate_percent, amount_excl_tax
    from consignment_charge, generate_series(2, 2500) where organisation_id = ${organisationId}
      and id = ${model}`)
  await tx.run(sql`update consignment_charge set particulars = '=1+1, "Größe" 日本' where id = ${model}`)
})
assert.equal((await close(id, '2026-03-15')).status, 200)
const { partnerScheduleId } = (await admin.post('/v1/schedules', { partnerId: clientId, date: '2026-03-31' }))
  .body
const path = `/v1/schedules/${partnerScheduleId}/transactions/csv`

test('the export has every transaction once, with the same fields and values as the schedule', async () => {
  const answer = await admin.get(path)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8; header=present')
  assert.equal(answer.headers['content-disposition'], 'attachment; filename=schedule-2026-03-31.csv')
  const rows = read(answer.bytes)
  const { transactions } = (await admin.get(`/v1/schedules/${partnerScheduleId}`)).body
  assert.equal(rows.length, 2_500)
  assert.equal(answer.bytes.toString('utf8', 0, 3), '\u{feff}', 'spreadsheets read it as UTF-8')
  const byId = new Map(rows.map(row => [row.id, row]))
  assert.equal(byId.size, 2_500)
  for (const transaction of transactions) {
    const row = byId.get(transaction.id)
    assert.deepEqual(Object.keys(row ?? {}), [...Object.keys(transaction), 'invoiceNumber', 'dueDate'])
    for (const [name, value] of Object.entries(transaction))
      if (name !== 'particulars') assert.equal(row?.[name], value === null ? '' : String(value), name)
  }
})

test('a text that looks like a formula is prefixed with an apostrophe, but a negative amount is not', async () => {
  const rows = read((await admin.get(path)).bytes)
  assert.ok(rows.some(({ particulars }) => particulars === `'=1+1, "Größe" 日本`))
  assert.ok(rows.every(({ amountExclTax }) => amountExclTax === '-0.01'))
})

test("a partner can export only its own schedules, and another organisation's are not found", async () => {
  assert.equal((await as(admin, { partnerId: clientId }).get(path)).status, 200)
  assert.equal((await as(admin, { partnerId: carrierId }).get(path)).status, 404)
  assert.equal((await (await world.stranger()).get(path)).status, 404)
  assert.equal((await as(admin, { scopes: ['consignment'] }).get(path)).status, 403)
})

test('an export stops when its client disconnects, and breaks off if the schedule has changed', async () => {
  const schedule = { organisationId, id: partnerScheduleId, count: 2_500, invoiceNumber: null, dueDate: null }
  const { signal } = new AbortController()
  const all = (table: AsyncIterable<string>) => Array.fromAsync(table)
  assert.equal((await all(csvTable(database.db, schedule, signal))).length, 4)
  await assert.rejects(all(csvTable(database.db, schedule, AbortSignal.abort())), { name: 'AbortError' })
  await assert.rejects(all(csvTable(database.db, { ...schedule, count: 2_499 }, signal)), /changed while/)
})
