import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import { openRates } from '../../support/given-rates.ts'

const { world, ...given } = await openRates()
const { admin, database } = world
const {
  card,
  draft,
  approve,
  content,
  rate,
  charge,
  goods,
  charges,
  include,
  close,
  reopen,
  adhoc,
  transactionsOf,
} = given

const cardId = await card()
const path = (id: string) => `/v1/consignments/${id}`

interface ChargeRow {
  id: string
  isEffective: boolean
  amountExclTax: number
}

/** The amounts billed, and the amounts shown as billed, of a Closed consignment. */
async function billedAndShown(id: string) {
  const { clientActivityCharges } = (await charges(id)) as { clientActivityCharges: ChargeRow[] }
  const pending = (await transactionsOf(id)).filter(({ status }) => status === 1)
  return {
    billed: pending
      .map(({ consignmentChargeId, amountExclTax }) => [consignmentChargeId, amountExclTax])
      .toSorted(),
    shown: clientActivityCharges
      .flatMap(charge => (charge.isEffective ? [[charge.id, charge.amountExclTax]] : []))
      .toSorted(),
  }
}

test('concurrent closing, excluding, adding, approving and reopening: the charges shown are the charges billed', async () => {
  const deadlocks = () =>
    database.db.row(sql`select deadlocks from pg_stat_database where datname = current_database()`)
  const before = await deadlocks()
  await approve(cardId, await draft(cardId, content(rate([charge({ rateExclTax: 1 })])), '2020-01-01'))
  for (let round = 1; round <= 6; round++) {
    const id = await goods([{ quantity: round }], { type: 0, status: 0 })
    const [first] = ((await charges(id)) as { clientActivityCharges: ChargeRow[] }).clientActivityCharges
    const next = await draft(
      cardId,
      content(rate([charge({ rateExclTax: round + 1 })])),
      `2020-02-${String(round).padStart(2, '0')}`,
    )
    const answers = await Promise.all([
      close(id),
      include(id, first?.id as string, false),
      approve(cardId, next).then(() => ({ status: 200 })),
      admin.post(`${path(id)}/charges/client-activity/adhoc`, adhoc()),
      close(id),
      admin.post('/v1/consignments/close', { consignmentIds: [id] }),
    ])
    // 404: another version is in force by now, so the charge no longer exists.
    for (const { status } of answers) assert.ok([200, 304, 400, 404].includes(status), String(status))
    const { billed, shown } = await billedAndShown(id)
    assert.deepEqual(billed, shown)
    await Promise.all([reopen(id), close(id), reopen(id)])
    await close(id)
    const again = await billedAndShown(id)
    assert.deepEqual(again.billed, again.shown)
  }
  assert.deepEqual(await deadlocks(), before, 'no deadlocks')
})

test('concurrent bulk closing, closing and editing: each consignment is billed once, by its state when it was Closed', async () => {
  const perTask = charge({ metric: 7, rateExclTax: 5, when: { taskTypeIds: [given.wrapping] } })
  const prices = content(rate([charge({ rateExclTax: 2 })]), rate([perTask], { name: 'Work' }))
  await approve(cardId, await draft(cardId, prices, '2020-03-01'))
  for (let round = 1; round <= 6; round++) {
    const ids: string[] = []
    for (let n = 1; n <= 4; n++) ids.push(await goods([{ quantity: n }], { type: 0, status: 0 }))
    const closeMany = (consignmentIds: string[]) =>
      admin.post('/v1/consignments/close', { consignmentIds, closedTransactionDate: '2026-03-20' })
    const addTask = (id: string) =>
      admin.put(`${path(id)}/tasks`, { tasks: [{ taskTypeId: given.wrapping, value: round }] })
    const [first, again, one, ...edits] = await Promise.all([
      closeMany(ids),
      closeMany(ids.toReversed()),
      close(ids[1] as string, '2026-03-20'),
      ...ids.map(addTask),
      admin.put(`${path(ids[2] as string)}/general`, { referenceNumber: `R-${round}` }),
    ])
    for (const { status, body } of [first, again]) assert.equal(status, 200, JSON.stringify(body))
    assert.ok([200, 304].includes(one.status), JSON.stringify(one.body))
    for (const { status } of edits) assert.ok([200, 201, 304, 400].includes(status), String(status))
    const closings = [first, again].flatMap(({ body }) =>
      body.results.filter(({ result }: { result: number }) => result === 1),
    )
    assert.equal(
      closings.length + (one.status === 200 ? 1 : 0),
      ids.length,
      'each is Closed by exactly one caller',
    )
    for (const [n, id] of ids.entries()) {
      const { billed, shown } = await billedAndShown(id)
      assert.deepEqual(billed, shown)
      const hasTask = (edits[n]?.status ?? 400) < 300
      assert.deepEqual(
        billed.map(([, amount]) => amount).toSorted(),
        [2 * (n + 1), ...(hasTask ? [5 * round] : [])].toSorted(),
      )
    }
    const [scheduleId] = Object.values(
      (await admin.post('/v1/schedules', { partnerId: given.clientId, date: '2026-12-31' })).body,
    )
    assert.equal((await admin.put(`/v1/schedules/${scheduleId}/status`, { status: 2 })).status, 200)
    const { body } = await admin.get(`/v1/schedules/${scheduleId}/proof`)
    assert.deepEqual([body.verified, body.differing], [body.transactions, []])
  }
})
