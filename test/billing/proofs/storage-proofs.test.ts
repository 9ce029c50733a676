// Storage transactions are proved by the ledger: singly, on a schedule, on a statement, and by check-money.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proveSchedule } from '../../../src/billing/proofs/prove-schedule.ts'
import { sql } from '../../../src/platform/database/db.ts'
import { countingStatements, rulesBrokenBy } from '../../support/given-proofs.ts'
import { openStorage } from '../../support/given-storage.ts'
import { textOf } from '../../support/pdf.ts'

const given = await openStorage()
const { admin, as, database, organisationId, made, client, charge, rate, approveRates } = given

let clients = 0
/** A client with ten boxes from 30 March on, charged by equal rates, and functions for its storage. */
async function stored(rates = 1) {
  const { partnerId, productId } = await client(`P${++clients}`)
  await approveRates(
    partnerId,
    '2020-01-01',
    ...Array.from({ length: rates }, () => rate(charge({}, { rateExclTax: 0.5 }))),
  )
  const happen = (at: string, quantity: number) =>
    given.postChanges(database, [{ at, quantity, to: {} }], {
      partnerId,
      productId,
      receivedDate: '2025-03-30',
    })
  await happen('2025-03-30T10:00', 10)
  const bill = () => given.run(partnerId, '2025-03-01', '2025-03-31')
  await bill()
  return { partnerId, happen, bill, transactionsOf: () => given.transactionsOf(partnerId) }
}
const proofOf = (id: string, by = admin) => by.get(`/v1/schedule-transactions/${id}/proof`)
const scheduleOf = (partnerId: string) => made('/v1/schedules', { partnerId, date: '2025-03-31' })

const rules = {
  entered: 'A charge that was entered by hand is its rate times its metric, or the rate itself.',
  storage:
    'A storage transaction is the result of the ledger as its run knew it, less the result billed before.',
  sum: 'The storage transactions add up to the result of the latest run.',
  booking: 'A correction of storage has the tax and the accounts of what it corrects.',
  percent: 'The percentage of tax of a charge or a transaction is one that its tax rate has or had.',
}

test('the proof of a storage transaction shows its rule, its days and the ledger rows', async () => {
  const { transactionsOf } = await stored()
  const [one] = await transactionsOf()
  const { status, body } = await proofOf(one?.id as string)
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(body.subject, { kind: 'scheduleTransaction', id: one?.id, amountExclTax: 10 })
  assert.deepEqual([body.isVerified, body.derivedExclTax], [true, 10])
  assert.deepEqual([body.periodFrom, body.periodTo], ['2025-03-01', '2025-03-31'])
  assert.deepEqual([body.rule.rate.name, body.rule.charge.rateExclTax], ['Storage', 0.5])
  assert.deepEqual(
    body.series.slice(-3).map((day: Record<string, unknown>) => [day.day, day.counted, day.ledgerRowCount]),
    [
      ['2025-03-29', '0.000000', 0],
      ['2025-03-30', '10.000000', 1],
      ['2025-03-31', '10.000000', 0],
    ],
  )
  assert.equal(body.steps.at(-1).to, '10.00')
  assert.deepEqual([body.adjusting, body.difference, body.passedOver], [null, null, []])
})

test('the proof of a correction shows the results before and now and the late rows, to its partner only', async () => {
  const { partnerId, transactionsOf, happen, bill } = await stored()
  await happen('2025-03-31T10:00', 5)
  await bill()
  const [, second] = await transactionsOf()
  const own = as(admin, { partnerId })
  const { status, body } = await proofOf(second?.id as string, own)
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual([body.subject.amountExclTax, body.derivedExclTax, body.isVerified], [2.5, 2.5, true])
  const { before, now, lateRows, lateRowCount } = body.adjusting
  assert.deepEqual([before.amountExclTax, now.amountExclTax, lateRowCount, lateRows.length], [10, 12.5, 1, 1])
  const other = as(admin, { partnerId: (await stored()).partnerId })
  assert.equal((await proofOf(second?.id as string, other)).status, 404)
})

test('a correction that reduces storage to nothing shows its late rows too', async () => {
  const { partnerId, productId } = await client('GONE')
  await approveRates(partnerId, '2020-01-01', rate(charge({})))
  const goods = { partnerId, productId, receivedDate: '2025-03-30' }
  const row = { quantity: 4, at: '2025-03-30T10:00' }
  await given.postChanges(database, [{ ...row, to: {} }], goods)
  await given.run(partnerId, '2025-03-01', '2025-03-31')
  await given.postChanges(database, [{ ...row, at: '2025-03-30T11:00', from: {} }], goods)
  await given.run(partnerId, '2025-03-01', '2025-03-31')
  const [, second] = await given.transactionsOf(partnerId)
  const { body } = await proofOf(second?.id as string)
  assert.deepEqual([body.derivedExclTax, body.isVerified], [-8, true])
  assert.deepEqual([body.adjusting.now.amountExclTax, body.adjusting.lateRowCount], [0, 1])
})

test('the ledger is read once per run, however many storage lines a schedule has', async () => {
  const counted = async (rates: number) => {
    const { partnerId } = await stored(rates)
    const scheduleId = await scheduleOf(partnerId)
    const { db, statements } = countingStatements(database.db)
    const { transactions, verified } = await proveSchedule(db, organisationId, scheduleId)
    assert.deepEqual([transactions, verified], [rates, rates])
    return statements()
  }
  assert.equal(await counted(2), await counted(12))
})

test('a schedule with storage that differs from the ledger is not approved', async () => {
  const { partnerId, transactionsOf } = await stored()
  const [one] = await transactionsOf()
  const scheduleId = await scheduleOf(partnerId)
  const set = (amount: number) =>
    database.atomically(tx =>
      tx.run(sql`update schedule_transaction set amount_excl_tax = ${amount} where id = ${one?.id}`),
    )
  const approve = () => admin.put(`/v1/schedules/${scheduleId}/status`, { status: 2 })
  await set(10.01)
  const refused = await approve()
  assert.equal(refused.status, 400)
  assert.match(refused.body.ErrorMessages[0], new RegExp(one?.id as string))
  await set(10)
  assert.equal((await approve()).status, 200)
})

test('check-money finds changed, missing and surplus storage', async () => {
  const { partnerId, transactionsOf, happen, bill } = await stored()
  await happen('2025-03-31T10:00', 5)
  await bill()
  const [first, second] = await transactionsOf()
  const change = (id: string | undefined, columns: ReturnType<typeof sql>) =>
    rulesBrokenBy(database, sql`update schedule_transaction set ${columns} where id = ${id}`)
  const both = [rules.storage, rules.sum].toSorted()
  assert.deepEqual(await change(first?.id, sql`amount_excl_tax = amount_excl_tax + 0.01`), both)
  assert.deepEqual(await change(second?.id, sql`amount_excl_tax = amount_excl_tax - 0.01`), both)
  assert.deepEqual(await change(first?.id, sql`quantity = quantity + 1`), [rules.storage])
  assert.deepEqual(await change(first?.id, sql`charge_rate_excl_tax = 0.6`), [rules.storage])
  assert.deepEqual(await change(second?.id, sql`quantity = 999`), [rules.storage])
  assert.deepEqual(await change(second?.id, sql`charge_rate_excl_tax = 7`), [rules.storage])
  assert.deepEqual(await change(second?.id, sql`tax_rate_percent = 99`), [rules.booking, rules.percent])
  const remove = (where: ReturnType<typeof sql>) =>
    rulesBrokenBy(database, sql`delete from schedule_transaction where ${where}`)
  assert.deepEqual(await remove(sql`id = ${second?.id}`), [rules.sum])
  assert.deepEqual(await remove(sql`partner_id = ${partnerId}`), [rules.sum])
  const unknown = sql`update storage_run set evaluator_version = 99 where client_id = ${partnerId}`
  assert.deepEqual(await rulesBrokenBy(database, unknown), [rules.storage])
})

test('check-money recomputes charges entered for a partner, and their proof names the user', async () => {
  const { partnerId } = await stored()
  const id = await made('/v1/schedule-transactions', {
    ...{ partnerId, date: '2025-03-31', chargeApplication: 1, metricValue: 2.5, chargeRateExclTax: 3.1 },
    taxRateId: given.taxRateId,
  })
  const { body } = await proofOf(id)
  assert.deepEqual([body.derivedExclTax, body.isVerified, body.series], [7.75, true, null])
  assert.equal(body.inputs[0].source.kind, 'person')
  const wrong = sql`update schedule_transaction set amount_excl_tax = 7.76 where id = ${id}`
  assert.deepEqual(await rulesBrokenBy(database, wrong), [rules.entered])
})

test('a statement shows the counted days of storage and, for a correction, the previous counts', async () => {
  const { partnerId, happen, bill } = await stored()
  await happen('2025-03-31T10:00', 5)
  await bill()
  const scheduleId = await scheduleOf(partnerId)
  const { status, bytes } = await admin.get(`/v1/schedules/${scheduleId}/statement-pdf`)
  assert.equal(status, 200, bytes.toString())
  const text = await textOf(bytes)
  assert.match(text, /30 Mar 2025 to 31 Mar 2025: 10/)
  assert.match(text, /31 Mar 2025: 15, was 10/)
})
