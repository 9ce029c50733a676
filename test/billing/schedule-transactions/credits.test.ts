// Credits: all or part of a transaction is given back, with its partner, accounts, tax, consignment and activity,
// and never more than what is left of it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proveSchedule } from '../../../src/billing/proofs/prove-schedule.ts'
import { raw, sql } from '../../../src/platform/database/db.ts'
import { newId } from '../../../src/platform/new-id.ts'
import { openBilling } from '../../support/given-billing.ts'
import { checkMoneyAfterEach } from '../../support/given-charges.ts'
import { rulesBrokenBy, withTampering } from '../../support/given-proofs.ts'

const { world, clientId, consignment, enter, close, reopen, transactionsOf, enterTransaction, ...given } =
  await openBilling()
const { revenueAccountId, costCentreId, taxRateId } = given
const { admin, as, database } = world
checkMoneyAfterEach(database)

const list = '/v1/schedule-transactions'
const credit = (creditOf: string, more: object) => admin.post(list, { creditOf, ...more })
const read = async (id: string, by = admin) => (await by.get(`${list}/${id}`)).body
const messages = async (answer: Promise<{ status: number; body: { ErrorMessages?: string[] } }>) => {
  const { status, body } = await answer
  return [status, ...(body?.ErrorMessages ?? [])]
}
const setStatus = (id: string, status: number) =>
  admin.put(`${list}/${id}/status`, { status, reason: 'Mistake' })

/** Credits a transaction, and returns the id of the credit. */
async function credited(creditOf: string, more: object): Promise<string> {
  const { status, body } = await credit(creditOf, more)
  assert.equal(status, 201, JSON.stringify(body))
  return body.scheduleTransactionId
}

/** A transaction of 3 × 10.50 of a Closed consignment, on an Approved schedule. */
async function approved(date: string) {
  const id = await consignment()
  const accounts = { revenueAccountId, costCentreId, particulars: 'Wrapping' }
  await enter(id, 'client-activity', { metricValue: 3, chargeRateExclTax: 10.5, ...accounts })
  await close(id, date)
  const schedule = await admin.post('/v1/schedules', { partnerId: clientId, date })
  await admin.put(`/v1/schedules/${schedule.body.partnerScheduleId}/status`, { status: 2 })
  const [transaction] = await transactionsOf(id)
  return { id, transactionId: transaction?.id as string }
}

test('a credit has the partner, accounts, tax, consignment and activity of what it credits, and both show the other', async () => {
  const { id, transactionId } = await approved('2026-01-05')
  await admin.put(`/v1/tax-rates/${taxRateId}`, { name: 'GST new', percent: 20 })
  const creditId = await credited(transactionId, { quantity: 1, date: '2026-02-05' })
  await admin.put(`/v1/tax-rates/${taxRateId}`, { name: 'GST', percent: 15 })
  const [original, found] = [await read(transactionId), await read(creditId)]
  for (const field of [
    ...['type', 'partner', 'consignmentId', 'consignmentNumber', 'chargeTypeCode', 'revenueAccountId'],
    ...['revenueAccountCode', 'costCentreId', 'taxRateId', 'taxRateName', 'taxRatePercent', 'activityCode'],
  ])
    assert.deepEqual(found[field], original[field], field)
  assert.deepEqual(
    [found.creditOf, found.date, found.quantity, found.amountExclTax, found.status, found.particulars],
    [transactionId, '2026-02-05', 1, -10.5, 1, 'Credit: Wrapping'],
  )
  assert.deepEqual([original.credits, original.creditableExclTax, original.creditOf], [[creditId], 21, null])
  assert.equal(found.creditableExclTax, 0)
  assert.equal(found.consignmentId, id)
  const schedule = await admin.post('/v1/schedules', { partnerId: clientId, date: '2026-02-28' })
  const { body } = await admin.get(`/v1/schedules/${schedule.body.partnerScheduleId}`)
  assert.deepEqual([body.transactions[0].creditOf, body.amountInclTax], [transactionId, -12.08])
  const own = as(admin, { partnerId: clientId })
  assert.equal((await read(creditId, own)).creditOf, transactionId)
  assert.equal((await own.post(list, { creditOf: transactionId, quantity: 1 })).status, 403)
})

test('quantities add up to the whole amount, and amounts are given as entered', async () => {
  const id = await enterTransaction('2026-03-05', {
    ...{ chargeApplication: 1, metricValue: 3, chargeRateExclTax: 0.335 },
  })
  assert.equal((await read(id)).amountExclTax, 1.01)
  const amounts = []
  for (const quantity of [1, 1, 1]) amounts.push((await read(await credited(id, { quantity }))).amountExclTax)
  assert.deepEqual(amounts, [-0.34, -0.34, -0.33])
  assert.deepEqual(await messages(credit(id, { quantity: 1 })), [
    ...[400, 'quantity must not be more than 0, which is left of it.'],
  ])
  const other = await enterTransaction('2026-03-05', { chargeRateExclTax: 100 })
  await credited(other, { amountExclTax: 30, particulars: 'Came wet' })
  assert.deepEqual(await messages(credit(other, { amountExclTax: 70.01 })), [
    ...[400, 'amountExclTax must not be more than 70.00, which is left of it.'],
  ])
  const rest = await read(await credited(other, { quantity: 1 }))
  assert.equal(rest.amountExclTax, -70, 'all that is left')
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Auckland' }).format(new Date())
  assert.equal(rest.date, today)
})

test('of many credits at once, no more than the transaction is given back', async () => {
  const id = await enterTransaction('2026-03-06', { chargeRateExclTax: 10 })
  const answers = await Promise.all(Array.from({ length: 8 }, () => credit(id, { amountExclTax: 3 })))
  assert.equal(answers.filter(({ status }) => status === 201).length, 3)
  assert.equal((await read(id)).creditableExclTax, 1)
})

test('a credit needs a transaction with something to give back, and a quantity or an amount', async () => {
  const id = await enterTransaction('2026-03-07', { chargeRateExclTax: 10 })
  const negative = await enterTransaction('2026-03-07', { chargeRateExclTax: -10 })
  const voided = await enterTransaction('2026-03-07', { chargeRateExclTax: 10 })
  await setStatus(voided, 3)
  const one = await credited(id, { amountExclTax: 1 })
  for (const [creditOf, problem] of [
    [newId(), 'does not refer to a transaction'],
    [negative, 'refers to a transaction with nothing left to credit'],
    [voided, 'refers to a transaction that is void'],
    [one, 'refers to a credit'],
  ] as const)
    assert.deepEqual(await messages(credit(creditOf, { amountExclTax: 1 })), [400, `creditOf ${problem}.`])
  assert.deepEqual(await messages(credit(id, {})), [400, 'quantity or amountExclTax is required.'])
  const twofold = { amountExclTax: 1, quantity: 1, taxRateId }
  assert.deepEqual(await messages(credit(id, twofold)), [
    400,
    'taxRateId cannot be given with creditOf: a credit has that of the other transaction.',
    'amountExclTax cannot be given together with quantity.',
  ])
  assert.deepEqual((await messages(admin.post(list, { quantity: 1 }))).toSorted(), [
    400,
    'chargeApplication is required.',
    'chargeRateExclTax is required.',
    'date is required.',
    'partnerId is required.',
    'quantity needs creditOf, the transaction to credit.',
    'taxRateId is required.',
  ])
})

test('a voided credit gives nothing back, and is restored only while as much is left', async () => {
  const { id, transactionId } = await approved('2026-04-05')
  const first = await credited(transactionId, { amountExclTax: 20 })
  assert.equal((await setStatus(first, 3)).status, 200, 'although it is of a consignment')
  assert.deepEqual(
    [(await read(transactionId)).credits, (await read(transactionId)).creditableExclTax],
    [[], 31.5],
  )
  assert.equal((await setStatus(first, 1)).status, 200)
  assert.equal((await setStatus(first, 3)).status, 200)
  await credited(transactionId, { amountExclTax: 15 })
  assert.deepEqual(await messages(setStatus(first, 1)), [
    ...[400, 'Only 16.50 is left of the transaction that it credits: enter a credit of that.'],
  ])
  assert.equal((await reopen(id)).status, 400)
  const pending = await enterTransaction('2026-04-06', { chargeRateExclTax: 10 })
  const ofPending = await credited(pending, { amountExclTax: 4 })
  assert.deepEqual(await messages(setStatus(pending, 3)), [
    ...[400, 'The transaction is credited: void its credits first.'],
  ])
  await setStatus(ofPending, 3)
  assert.equal((await setStatus(pending, 3)).status, 200)
  assert.deepEqual(await messages(setStatus(ofPending, 1)), [
    ...[400, 'The transaction that it credits is void.'],
  ])
})

test('a credit that is restored after another was entered is no difference to the check of money', async () => {
  const { transactionId } = await approved('2026-04-05')
  const first = await credited(transactionId, { amountExclTax: 20 })
  assert.equal((await setStatus(first, 3)).status, 200)
  await credited(transactionId, { amountExclTax: 5 })
  assert.equal((await setStatus(first, 1)).status, 200)
  assert.equal((await read(transactionId)).creditableExclTax, 6.5)
})

test('reopening a consignment voids the credits of its transactions too', async () => {
  const id = await consignment()
  await enter(id, 'client-activity', { metricValue: 1, chargeRateExclTax: 10 })
  await close(id, '2026-05-05')
  const [transaction] = await transactionsOf(id)
  const creditId = await credited(transaction?.id as string, { amountExclTax: 4 })
  assert.equal((await reopen(id)).status, 200)
  assert.equal((await read(creditId)).status, 3)
})

test('a credit is proved: by its share of the other transaction, or by whom it was entered', async () => {
  const { transactionId } = await approved('2026-06-05')
  const byQuantity = await credited(transactionId, { quantity: 2, date: '2026-06-30' })
  const byAmount = await credited(transactionId, { amountExclTax: 1.25, date: '2026-06-30' })
  const proof = async (id: string) => (await admin.get(`${list}/${id}/proof`)).body
  const share = await proof(byQuantity)
  assert.deepEqual([share.derivedExclTax, share.isVerified, share.rule], [-21, true, null])
  assert.deepEqual(share.steps, [
    { name: 'amount', from: '31.50', operation: '× 2.000000 ÷ 3.000000, at most 31.50', to: '-21.00' },
  ])
  const entered = await proof(byAmount)
  assert.deepEqual([entered.derivedExclTax, entered.isVerified, entered.steps], [-1.25, true, []])
  assert.equal(entered.inputs.at(-1).source.by, 'Ada Storekeeper')
  assert.equal(entered.inputs[0].source.id, transactionId)

  const schedule = await admin.post('/v1/schedules', { partnerId: clientId, date: '2026-06-30' })
  const { partnerScheduleId } = schedule.body
  const rules = {
    follows: 'A credit follows from what it credits, with its partner, tax, account and activity.',
    below: 'The credits of a transaction are not more than the transaction.',
  }
  const change = (columns: string, id = byQuantity) =>
    sql`update schedule_transaction set ${raw(columns)} where id = ${id}`
  for (const [statement, broken] of [
    [change('amount_excl_tax = -22, charge_rate_excl_tax = -22'), rules.follows],
    [change('credited_quantity = 1'), rules.follows],
    [change("tax_rate_name = 'Other'"), rules.follows],
    [change('revenue_account_id = null'), rules.follows],
    [
      change('amount_excl_tax = -20, charge_rate_excl_tax = -20, creditable_excl_tax = 31.5', byAmount),
      rules.below,
    ],
  ] as const) {
    const found = await rulesBrokenBy(database, statement)
    assert.ok(found.includes(broken), `${statement.text}: ${found}`)
  }
  const differing = await withTampering(
    database,
    change('amount_excl_tax = -22, charge_rate_excl_tax = -22'),
    tx => proveSchedule(tx, admin.actor.organisationId, partnerScheduleId),
  )
  assert.deepEqual(differing.differing, [byQuantity])
  assert.equal((await admin.put(`/v1/schedules/${partnerScheduleId}/status`, { status: 2 })).status, 200)
})
