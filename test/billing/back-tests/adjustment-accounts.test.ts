// The adjustments of a back-test are booked to the accounts and the tax of the charges that they correct.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import { backTestsOf } from '../../support/given-back-tests.ts'
import { openRates } from '../../support/given-rates.ts'

const { world, ...given } = await openRates()
const { admin, database } = world
const { card, charge, rate, content, createApprovedVersion, goods, close, made, activityTypeId } = given
const { runBackTest, adjust } = backTestsOf(database, admin)

test('a correction goes to the accounts and the tax of what it corrects, one row for each', async () => {
  const [pallets, items, later] = [
    await made('/v1/revenue-accounts', { code: 'PAL', name: 'Pallets' }),
    await made('/v1/revenue-accounts', { code: 'ITEM', name: 'Items' }),
    await made('/v1/revenue-accounts', { code: 'NEW', name: 'Later' }),
  ]
  const cardId = await card()
  const prices = (pallet: number, item: number, perLine: number, revenueAccountIds = [pallets, items]) => {
    const given = rate([
      charge({ metric: 5, metricResolution: 2, rateExclTax: pallet, revenueAccountId: revenueAccountIds[0] }),
      charge({ metric: 2, rateExclTax: item, revenueAccountId: revenueAccountIds[1] }),
    ])
    // The account of this one is the activity's, which has none yet.
    return content(given, rate([charge({ metric: 9, rateExclTax: perLine })]))
  }
  const first = await createApprovedVersion(cardId, prices(12, 0.35, 2))
  const id = await goods([{ quantity: 584 }], { status: 0 })
  assert.equal((await close(id)).status, 200)
  // A version that keeps the ids of its charges, with other accounts.
  const { body } = await admin.get(`/v1/rate-cards/${cardId}/versions/${first}`)
  const changed = structuredClone(body.content)
  for (const [i, entry] of changed.rates[0].charges.entries())
    Object.assign(entry, { rateExclTax: [13, 0.5][i], revenueAccountId: later })
  changed.rates[1].charges[0].rateExclTax = 4
  const second = await createApprovedVersion(cardId, changed, '2020-02-01')
  await admin.put(`/v1/activity-types/${activityTypeId}`, { revenueAccountId: later })
  const { name: taxRateName } = (await admin.get(`/v1/tax-rates/${given.taxRateId}`)).body
  await admin.put(`/v1/tax-rates/${given.taxRateId}`, { name: 'Another tax', percent: 20 })
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
  const period = { dateFrom: day(-30), dateTo: day(1), rateCardVersionId: second }
  const { id: testId } = await runBackTest(period)
  const adjusted = await adjust(testId)
  assert.deepEqual([adjusted.status, adjusted.body.raised], [200, 3], JSON.stringify(adjusted.body))
  const rows = await database.db.rows<{ code: string | null; amount: number; tax: string }>(sql`
    select revenue_account_code as code, amount_excl_tax as amount,
      tax_rate_name || ' of ' || trim_scale(tax_rate_percent) as tax
    from schedule_transaction where rate_card_back_test_id = ${testId} order by 1`)
  const tax = `${taxRateName} of 15`
  assert.deepEqual(rows, [
    { code: 'ITEM', amount: 1.2, tax },
    { code: 'PAL', amount: 1, tax },
    { code: null, amount: 2, tax },
  ])
  const again = await runBackTest(period)
  assert.equal(again.totals.difference, 0, 'what was adjusted counts as billed')
})
