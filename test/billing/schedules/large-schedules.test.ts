// A schedule of ten thousand transactions is created, read and removed with one statement each. Spec 2.9;
// decision 7.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import { openCharges } from '../../support/given-charges.ts'

const { world, clientId, consignments, charge, close, reopen } = await openCharges()
const { admin, database } = world

test('ten thousand transactions are bundled, read and released at once', async () => {
  const [id] = await consignments(1)
  const { organisationId } = admin.actor
  const model = await charge(id as string, 'client-activity', { metricValue: 1, chargeRateExclTax: 0.01 })
  await database.atomically(tx =>
    tx.run(sql`
      insert into consignment_charge (organisation_id, id, consignment_id, partner_id, charge_type,
        charge_application, metric_value, charge_rate,
        tax_rate_id, tax_rate_percent, amount_excl_tax)
      select organisation_id, uuid_at(clock_timestamp()), consignment_id, partner_id, charge_type,
        charge_application, metric_value, charge_rate,
        tax_rate_id, tax_rate_percent, amount_excl_tax
      from consignment_charge, generate_series(2, 10000) where organisation_id = ${organisationId}
        and id = ${model}`),
  )
  assert.equal((await close(id as string, '2026-12-01')).status, 200)
  const early = { partnerId: clientId, date: '2026-11-30' }
  assert.equal((await admin.post('/v1/schedules', early)).status, 400)
  const { partnerScheduleId } = (
    await admin.post('/v1/schedules', { partnerId: clientId, date: '2026-12-31' })
  ).body
  const { transactions, amountExclTax } = (await admin.get(`/v1/schedules/${partnerScheduleId}`)).body
  assert.deepEqual([transactions.length, amountExclTax], [10_000, 100])
  assert.equal((await admin.delete(`/v1/schedules/${partnerScheduleId}`)).status, 200)
  assert.equal((await reopen(id as string)).status, 200)
  const { n } = await database.db.row<{ n: number }>(sql`
    select count(*) as n from schedule_transaction where consignment_id = ${id} and status = 3`)
  assert.equal(n, 10_000)
})
