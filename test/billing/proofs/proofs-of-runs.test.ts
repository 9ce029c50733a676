// Proofs of the periodic charges of billing runs, and of adjustments to back-tests.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDifferingTransactions } from '../../../src/billing/proofs/prove-schedule.ts'
import { type Sql, sql } from '../../../src/platform/database/db.ts'
import { backTestsOf } from '../../support/given-back-tests.ts'
import { openBilling } from '../../support/given-billing.ts'
import { checkMoneyAfterEach } from '../../support/given-charges.ts'
import { rulesBrokenBy, withTampering } from '../../support/given-proofs.ts'

const given = await openBilling()
const { world, clientId, card, rate, content, charge, createApprovedVersion, draft, approve, goods, close } =
  given
const { database, admin, as } = world
const { organisationId } = admin.actor
checkMoneyAfterEach(database)

const proofOf = async (id: string, by = admin) => (await by.get(`/v1/schedule-transactions/${id}/proof`)).body
const rules = {
  periodic: 'A fee follows from its rule, and a minimum-spend transaction from the spend of its period.',
  spent:
    'What a minimum-spend top-up counted as spent is what is dated in its period and was billed by then.',
  adjustment: 'An adjustment to a back-test is a difference that the test found.',
  adjustments:
    'The adjustments of a consignment to a back-test are all differences that the test found, once each.',
}
const changed = (id: string, columns: Sql) => sql`update schedule_transaction set ${columns} where id = ${id}`

const cardId = await card()
const fee = { metric: 1, application: 2, rateExclTax: 49.5 }
const handling = { id: '018f0000-0000-7000-8000-00000000aaaa', name: 'Handling' }
const perItem = { id: '018f0000-0000-7000-8000-00000000bbbb' }
const prices = (item: number) => ({
  ...content(
    rate([{ ...charge({ rateExclTax: item }), ...perItem }], handling),
    rate([fee], { name: 'Account fee', kind: 5 }),
  ),
  minimumSpendPerPeriod: 200,
})
const versionId = await createApprovedVersion(cardId, prices(0.5))

test('a fee is proved by its rule, and minimum spend by the spend of its period, regardless of later changes', async () => {
  await given.rule()
  const owed = await given.enterTransaction('2026-02-10', { chargeRateExclTax: 20 })
  await given.bill('2026-03-02T00:00:00Z')
  const [schedule] = await given.schedules()
  const [, account, minimum] = schedule.transactions
  const own = as(admin, { partnerId: clientId })
  const feeProof = await proofOf(account.id, own)
  assert.deepEqual(
    [feeProof.derivedExclTax, feeProof.isVerified, feeProof.rule.version.id],
    [...[49.5, true, versionId]],
  )
  assert.deepEqual([feeProof.periodFrom, feeProof.periodTo], ['2026-02-01', '2026-02-28'])
  const minimumProof = await proofOf(minimum.id, own)
  assert.deepEqual([minimumProof.derivedExclTax, minimumProof.isVerified], [130.5, true])
  const inputs = minimumProof.inputs.map(({ name, value }: Record<string, string>) => [name, value])
  assert.deepEqual(inputs, [
    ...[
      ['periodFrom', '2026-02-01'],
      ['periodTo', '2026-02-28'],
    ],
    ...[
      ['minimumSpendPerPeriod', '200.00'],
      ['spentExclTax', '69.50'],
    ],
  ])
  assert.deepEqual(minimumProof.steps, [
    { name: 'amount', from: '200.00', operation: '− 69.50', to: '130.50' },
  ])

  const differing = (statement: Sql) =>
    withTampering(database, statement, tx => findDifferingTransactions(tx, organisationId, schedule.id))
  const wrong = async (statement: Sql, id: string) => {
    assert.ok((await rulesBrokenBy(database, statement)).includes(rules.periodic))
    assert.deepEqual(await differing(statement), [id])
  }
  for (const { id } of [account, minimum])
    for (const columns of [
      sql`amount_excl_tax = amount_excl_tax + 0.01, charge_rate_excl_tax = charge_rate_excl_tax + 0.01`,
      sql`quantity = 2`,
      sql`charge_rate_excl_tax = 1`,
    ])
      await wrong(changed(id, columns), id)
  await wrong(sql`update billing_run set spent_excl_tax = 60 where spent_excl_tax is not null`, minimum.id)

  // The rows were billed long before the top-up, so that each of them counts for certain.
  const spending = (spent: number) =>
    rulesBrokenBy(
      database,
      sql`with run as (
          update billing_run set spent_excl_tax = ${spent} where spent_excl_tax is not null
        ), top_up as (
          update schedule_transaction
            set amount_excl_tax = 200 - ${spent}::numeric, charge_rate_excl_tax = 200 - ${spent}::numeric
          where id = ${minimum.id}
        )
        update schedule_transaction set created_utc = created_utc - interval '1 hour'
        where id <> ${minimum.id}`,
    )
  assert.ok(!(await spending(69.5)).includes(rules.spent))
  for (const spent of [69, 70]) assert.ok((await spending(spent)).includes(rules.spent), String(spent))

  const later = changed(owed, sql`amount_excl_tax = 30, charge_rate_excl_tax = 30`)
  assert.deepEqual(await differing(later), [], 'the difference is proved as of when it was raised')
  assert.equal((await admin.put(`/v1/schedules/${schedule.id}/status`, { status: 2 })).status, 200)
})

test('an adjustment to a back-test is proved by the difference that the test found', async () => {
  const { runBackTest, adjust } = backTestsOf(database, admin)
  const id = await goods([{ quantity: 100 }], { type: 0, status: 0, carrierId: null })
  assert.equal((await close(id, '2026-03-02')).status, 200)
  const next = await draft(cardId, prices(0.75), '2026-02-01')
  await approve(cardId, next)
  const { id: testId } = await runBackTest({ rateCardVersionId: next })
  assert.equal((await adjust(testId)).body.raised, 1)
  const adjusting = (await given.transactionsOf(id)).find(one => one.consignmentChargeId === null)
  const transactionId = adjusting?.id as string
  const body = await proofOf(transactionId)
  assert.deepEqual([body.derivedExclTax, body.isVerified, body.rule], [25, true, null])
  const sums = { rateCardBackTestId: testId, before: 50, after: 75 }
  const rates = [{ name: 'Handling', before: 50, after: 75 }]
  assert.deepEqual(body.difference, { ...sums, rates })
  const own = await proofOf(transactionId, as(admin, { partnerId: clientId }))
  assert.deepEqual(own.difference, { ...sums, rates: [] }, 'a partner sees no rates of the card')

  const broken = (statement: Sql) => rulesBrokenBy(database, statement)
  const amount = changed(transactionId, sql`amount_excl_tax = 26, charge_rate_excl_tax = 26`)
  assert.deepEqual(await broken(amount), [rules.adjustment, rules.adjustments].toSorted())
  assert.deepEqual(await broken(changed(transactionId, sql`quantity = 2`)), [rules.adjustment])
  const difference = sql`update rate_card_back_test_difference
    set activities = replace(activities::text, '75.00', '76.00')::jsonb where rate_card_back_test_id = ${testId}`
  assert.deepEqual(await broken(difference), [rules.adjustment, rules.adjustments].toSorted())
  const twice = sql`insert into schedule_transaction
    select (jsonb_populate_record(t, jsonb_build_object('id', uuid_at(clock_timestamp())))).*
    from schedule_transaction t where t.id = ${transactionId}`
  assert.deepEqual(await broken(twice), [rules.adjustments])
})
