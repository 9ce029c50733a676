// check-money notices every kind of difference. Each one is made directly in the database, and undone
// afterwards.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proveMoney } from '../../../src/billing/proofs/check-money.ts'
import type { MoneyScope } from '../../../src/billing/proofs/money-rules.ts'
import { type Sql, sql } from '../../../src/platform/database/db.ts'
import { rulesBrokenBy } from '../../support/given-proofs.ts'
import { openRates } from '../../support/given-rates.ts'

const { world, clientId, ...given } = await openRates()
const { admin, database } = world
const {
  card,
  charge,
  content,
  createApprovedVersion,
  rate,
  goods,
  enter,
  close,
  reopen,
  charges,
  include,
  made,
} = given
const { organisationId } = admin.actor

const rulesBroken = (statement: Sql, of?: MoneyScope) => rulesBrokenBy(database, statement, of)

const rules = {
  totals: 'The totals of a closing are those of its lines.',
  seal: 'The figures of a closing are those that were sealed when its consignment was Closed.',
  charge: 'A charge follows from the inputs that were frozen when its consignment was Closed.',
  entered: 'A charge that was entered by hand is its rate times its metric, or the rate itself.',
  transaction: 'A transaction matches its charge.',
  billed: 'Each included charge of a Closed consignment is billed once, and no other charge is billed.',
  schedule: 'A schedule is the sum of its transactions.',
  percent: 'The percentage of tax of a charge or a transaction is one that its tax rate has or had.',
  texts: 'The facts and amounts of a closing that back-tests read match its columns and charges.',
  undone: 'A closing counts until its consignment is reopened.',
  content: 'The content of a rate card version matches its hash.',
}

const versionId = await createApprovedVersion(
  await card(),
  content(
    rate([charge({ metric: 5, metricResolution: 2, rateExclTax: 12 }), charge({ rateExclTax: 0.35 })]),
    rate([charge({ metric: 3, rateExclTax: 0.01, minExclTax: 5, maxExclTax: 90, baseExclTax: 1 })]),
  ),
)
const id = await goods([{ quantity: 584 }], { type: 0, status: 0 })
await enter(id, 'client-activity', { metricValue: 3, chargeRateExclTax: 1.115 })
const left = (await charges(id)).clientActivityCharges[1]
await include(id, left.id, false)
await close(id, '2026-03-31')
await reopen(id)
await close(id, '2026-03-31')
await made('/v1/schedules', { partnerId: clientId, date: '2026-03-31' })
const open = await goods([{ quantity: 3 }], { type: 0, status: 0 })
await enter(open, 'client-activity')

test('unchanged data has no differences, and is counted', async () => {
  const { differences, ...counts } = await proveMoney(database.db)
  assert.deepEqual(differences, [])
  assert.deepEqual(counts, { closings: 2, charges: 8, transactions: 6, schedules: 1 })
})

test('a charge that does not follow from its frozen inputs is found, for each of its figures', async () => {
  const computed = (change: Sql) =>
    rulesBroken(sql`update consignment_charge set ${change}
      where consignment_id = ${id} and closing_number = 1 and ordinal = 2`)
  for (const change of [
    sql`amount_excl_tax = amount_excl_tax + 0.01`,
    sql`metric_value = metric_value + 0.000001`,
    sql`charge_min = null`,
    sql`charge_base = 0`,
    sql`charge_max = 91`,
    sql`charge_rate = 0.02`,
    sql`faf_percent = 0.1`,
    sql`charge_type = 3`,
    sql`charge_application = 2`,
    sql`part_key = 'x'`,
    sql`activity_type_id = null`,
  ])
    assert.deepEqual(
      (await computed(change)).filter(rule => rule !== rules.transaction && rule !== rules.texts),
      [rules.charge],
    )
})

test('a missing or surplus charge is found', async () => {
  const ofFirst = sql`consignment_id = ${id} and closing_number = 1 and ordinal = 0`
  assert.deepEqual(await rulesBroken(sql`delete from consignment_charge where ${ofFirst}`), [
    rules.charge,
    rules.texts,
  ])
  assert.deepEqual(
    await rulesBroken(sql`update consignment_charge set closing_number = 2 where ${ofFirst}`),
    [rules.charge, rules.billed, rules.texts].toSorted(),
  )
})

test('a change of frozen inputs is found', async () => {
  for (const statement of [
    sql`update charge_input set part_figures = replace(part_figures, '584', '585') where closing_number = 2`,
    sql`update product_facts set facts = jsonb_set(facts, '{steps}', '[]')`,
    sql`update charge_input set client_version_id = null where closing_number = 1`,
    sql`update charge_input set evaluator_version = 99 where closing_number = 1`,
  ])
    assert.deepEqual(
      (await rulesBroken(statement)).filter(rule => ![rules.texts, rules.totals, rules.seal].includes(rule)),
      [rules.charge],
    )
})

test('a closing that counts although it was reopened, or does not although it was not, is found', async () => {
  const closing = sql`${organisationId}, ${id}`
  for (const statement of [
    sql`delete from undone_closing where consignment_id = ${id}`,
    sql`insert into undone_closing (organisation_id, consignment_id, closing_number) values (${closing}, 2)`,
  ])
    assert.deepEqual(await rulesBroken(statement), [rules.undone])
})

test('content that does not match its hash is found', async () => {
  const changed = sql`update rate_card_version set content = replace(content::text, '0.35', '0.36')::json
    where id = ${versionId}`
  assert.ok((await rulesBroken(changed)).includes(rules.content))
})

test('an ad hoc charge with a wrong product is found', async () => {
  const entered = (of: string) => sql`update consignment_charge set amount_excl_tax = amount_excl_tax + 0.01
    where consignment_id = ${of} and closing_number is null`
  assert.deepEqual(await rulesBroken(entered(open)), [rules.entered])
  assert.deepEqual(await rulesBroken(entered(id)), [rules.entered, rules.transaction].toSorted())
})

test('a transaction that differs from its charge is found, and a total that is not the sum', async () => {
  const changes = [
    sql`quantity = quantity + 1`,
    sql`amount_excl_tax = amount_excl_tax + 1`,
    sql`tax_rate_percent = 20`,
    sql`partner_id = ${organisationId}`,
    sql`consignment_id = ${open}`,
  ]
  for (const change of changes) {
    const found = await rulesBroken(
      sql`update schedule_transaction set ${change} where consignment_id = ${id} and status = 3`,
    )
    assert.ok(found.includes(rules.transaction), change.text)
  }
  assert.deepEqual(
    await rulesBroken(sql`update partner_schedule set amount_excl_tax = amount_excl_tax + 1`),
    [rules.schedule],
  )
})

test('charges billed although not Closed or excluded, billed twice or not billed at all are found', async () => {
  for (const statement of [
    sql`update consignment set status = 0 where id = ${id}`,
    sql`update consignment_charge set is_included = not is_included
      where consignment_id = ${id} and closing_number = 2 and ordinal = 1`,
    sql`update schedule_transaction set status = 3, partner_schedule_id = null
      where consignment_id = ${id} and status = 2`,
    sql`update consignment set status = 6 where id = ${open}`,
  ])
    assert.ok((await rulesBroken(statement)).includes(rules.billed), statement.text)
})

test('only data in scope is proved', async () => {
  const wrong = sql`update consignment_charge set amount_excl_tax = amount_excl_tax + 0.01
    where consignment_id = ${id} and closing_number = 1 and ordinal = 2`
  const { chargeDate } = await database.db.row<{ chargeDate: string }>(
    sql`select charge_date from charge_input where consignment_id = ${id} and closing_number = 1`,
  )
  const found = async (of: MoneyScope) => (await rulesBroken(wrong, of)).includes(rules.charge)
  assert.equal(await found({ organisationId }), true)
  assert.equal(await found({ organisationId: clientId }), false)
  assert.equal(await found({ from: chargeDate, to: chargeDate }), true)
  assert.equal(await found({ to: '2000-01-01' }), false)
  assert.equal(await found({ from: '2100-01-01' }), false)
})

test('a charge that was entered by hand is of the local day of its organisation on which it was entered', async () => {
  // In Auckland it is already 10 March.
  const created = sql`created_utc = '2026-03-09T20:00:00Z'`
  const wrong = sql`update consignment_charge set ${created}, amount_excl_tax = amount_excl_tax + 1
    where consignment_id = ${open}`
  const unbilled = sql`
    with entered as (update consignment_charge set ${created} where consignment_id = ${open})
    update consignment set status = 6 where id = ${open}`
  for (const [statement, rule] of [
    [wrong, rules.entered],
    [unbilled, rules.billed],
  ] as const) {
    const isFoundOn = async (day: string) =>
      (await rulesBroken(statement, { from: day, to: day })).includes(rule)
    assert.deepEqual([await isFoundOn('2026-03-10'), await isFoundOn('2026-03-09')], [true, false], rule)
  }
})

test('a percentage that the tax rate never had is found, on a row that nothing else is compared with', async () => {
  await made('/v1/schedule-transactions', {
    ...{ partnerId: clientId, date: '2026-03-31', particulars: 'Postage', metricValue: 1 },
    ...{ chargeRateExclTax: 5, chargeApplication: 1, taxRateId: given.taxRateId },
  })
  const byHand = sql`consignment_charge_id is null`
  const foreign = sql`update schedule_transaction set tax_rate_percent = 99 where ${byHand}`
  assert.ok((await rulesBroken(foreign)).includes(rules.percent))
  const onBoth = sql`with charge as (
      update consignment_charge set tax_rate_percent = 99 where consignment_id = ${open} returning 1
    ) update tax_rate set status = status`
  assert.ok((await rulesBroken(onBoth)).includes(rules.percent))
  for (const percent of [20, 12.5, 15])
    assert.equal((await admin.put(`/v1/tax-rates/${given.taxRateId}`, { percent })).status, 200)
  assert.deepEqual((await proveMoney(database.db)).differences, [], 'the tax of then stays right')
  await admin.put(`/v1/tax-rates/${given.taxRateId}`, { percent: 20 })
  assert.deepEqual((await proveMoney(database.db)).differences, [])
  await admin.put(`/v1/tax-rates/${given.taxRateId}`, { percent: 15 })
})
