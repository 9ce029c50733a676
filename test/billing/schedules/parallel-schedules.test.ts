// Concurrent changes of schedules and consignments: whichever comes first, every response is consistent and
// nothing is billed twice or lost.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bundleScheduleTransactions } from '../../../src/billing/schedules/schedule-transaction.ts'
import { sql } from '../../../src/platform/database/db.ts'
import { openCharges } from '../../support/given-charges.ts'
import { until } from '../../support/service-process.ts'

const { world, clientId, consignment, charge, close, reopen, transactionsOf } = await openCharges()
const { admin, database } = world
const { organisationId } = admin.actor

/** Creates a schedule of the client's pending transactions up to a date; undefined if there are none left. */
async function scheduleOfRest(date: string): Promise<string | undefined> {
  const { status, body } = await admin.post('/v1/schedules', { partnerId: clientId, date })
  if (status === 400) assert.match(body.ErrorMessages[0], /^There is nothing to bill/)
  else assert.equal(status, 201, JSON.stringify(body))
  return body.partnerScheduleId
}
async function schedule(date: string): Promise<string> {
  const id = await scheduleOfRest(date)
  assert.ok(id)
  return id
}
const read = async (id: string) => (await admin.get(`/v1/schedules/${id}`)).body

/** Creates a consignment with some charges of the client, each of 21.00, and closes it with a date. */
async function billed(date: string, charges = 1): Promise<string> {
  const id = await consignment()
  for (let i = 0; i < charges; i++) await charge(id, 'client-activity')
  await close(id, date)
  return id
}

test('each transaction goes on only one of several schedules created concurrently', async () => {
  const ids = await Promise.all(Array.from({ length: 12 }, () => billed('2026-08-01')))
  const schedules = await Promise.all(Array.from({ length: 6 }, () => scheduleOfRest('2026-08-31')))
  const details = await Promise.all(schedules.flatMap(id => id ?? []).map(id => read(id)))
  const held = details.flatMap(({ transactions }) =>
    transactions.map((row: { consignmentId: string }) => row.consignmentId),
  )
  assert.deepEqual(held.toSorted(), ids.toSorted())
  for (const { amountExclTax, transactions } of details) assert.equal(amountExclTax, transactions.length * 21)
})

test('the transactions of a consignment reopened while its partner is billed are scheduled or Void, never both', async () => {
  for (let round = 0; round < 6; round++) {
    const ids = await Promise.all(Array.from({ length: 4 }, () => billed('2026-09-01')))
    const [scheduleId, ...answers] = await Promise.all([
      scheduleOfRest('2026-09-30'),
      ...ids.map(id => reopen(id)),
    ])
    const held = scheduleId
      ? (await read(scheduleId)).transactions.map((row: { consignmentId: string }) => row.consignmentId)
      : []
    const refused = ids.filter((_, i) => answers[i]?.status === 400)
    assert.deepEqual(held.toSorted(), refused.toSorted())
    for (const id of ids)
      assert.deepEqual(
        (await transactionsOf(id)).map(row => row.status),
        [refused.includes(id) ? 2 : 3],
      )
  }
})

test('reopening waits for an uncommitted schedule that takes the transactions, and is then refused', async () => {
  await billed('2026-10-01')
  const id = await schedule('2026-10-01')
  const later = await billed('2026-10-02')
  let reopened: ReturnType<typeof reopen> | undefined
  await database.atomically(async tx => {
    await bundleScheduleTransactions(tx, { organisationId, id, partnerId: clientId }, '2026-10-02')
    reopened = reopen(later)
    await until(() => database.db.maybe(sql`select from pg_locks where not granted`), 'nobody waits')
  })
  assert.equal((await reopened)?.status, 400)
  assert.deepEqual(
    (await transactionsOf(later)).map(({ status }) => status),
    [2],
  )
})

test('transactions of a consignment reopened while its schedule is removed are Void if it was reopened, else Pending', async () => {
  for (let round = 0; round < 20; round++) {
    const id = await billed('2026-03-01', 6)
    const scheduleId = await schedule('2026-03-31')
    const [removed, reopened] = await Promise.all([admin.delete(`/v1/schedules/${scheduleId}`), reopen(id)])
    assert.equal(removed.status, 200)
    assert.ok([200, 400].includes(reopened.status), `reopening answered ${reopened.status}`)
    const statuses = (await transactionsOf(id)).map(({ status }) => status)
    assert.deepEqual(statuses, Array(6).fill(reopened.status === 200 ? 3 : 1))
    await reopen(id)
  }
})

test('a schedule marked exported while it is removed either stays or is gone', async () => {
  for (let round = 0; round < 20; round++) {
    await billed('2026-04-01')
    const id = await schedule('2026-04-01')
    const [removed, exported] = await Promise.all([
      admin.delete(`/v1/schedules/${id}`),
      admin.post(`/v1/schedules/${id}/exported`),
    ])
    const { isExported, status } = { status: 0, ...(await read(id)) }
    assert.deepEqual(
      [removed.status, exported.status, isExported, status],
      exported.status === 200 ? [400, 200, true, 1] : [200, 404, undefined, 0],
    )
  }
})
