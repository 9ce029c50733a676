// Approving a schedule while others change all that it is made of: every line is billed exactly once, what is
// Approved never changes, and every line can be derived again. Over real connections, many at once.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planRuns } from '../../../src/billing/billing-runs/plan-runs.ts'
import { runNext } from '../../../src/billing/billing-runs/run-billing.ts'
import { sql } from '../../../src/platform/database/db.ts'
import { newId } from '../../../src/platform/new-id.ts'
import { chargesOf } from '../../support/given-charges.ts'
import { contextIn } from '../../support/given-imports.ts'
import { openStorage } from '../../support/given-storage.ts'

const given = await openStorage()
const { database, admin, chargedClient, charge, carrierId, warehouseId, taxRateId } = given
const context = contextIn(given)
const [draft, approved] = [1, 2]
const none = { revenueAccountId: '', costCentreId: '' }

interface Schedule {
  id: string
  status: number
  amountExclTax: number
  transactions: { id: string; consignmentId: string | null; amountExclTax: number }[]
}

/** A client with storage, and consignments of it. */
async function billedClient() {
  const { partnerId, ...storage } = await chargedClient(charge({}))
  const ids = { clientId: partnerId, carrierId, warehouseId, taxRateId, ...none }
  const { close, charge: enter, ...charges } = chargesOf(given, admin, ids)
  const schedules = async (): Promise<Schedule[]> => {
    const { body } = await admin.get(`/v1/schedules?PartnerId=${partnerId}&PageSize=500`)
    const ids: string[] = body.schedules.map(({ id }: { id: string }) => id)
    return Promise.all(ids.map(async id => (await admin.get(`/v1/schedules/${id}`)).body))
  }
  return {
    ...{ ...storage, ...charges, partnerId, close, enter, schedules },
    /** A Complete consignment with a charge of 21.00. */
    async complete(): Promise<string> {
      const id = await charges.consignment({ carrierId: null })
      await enter(id, 'client-activity')
      return id
    },
    /** A schedule of all that is pending up to a date; undefined where that is nothing. */
    async schedule(date: string): Promise<string | undefined> {
      const { status, body } = await admin.post('/v1/schedules', { partnerId, date })
      assert.ok(status === 201 || /^There is nothing to bill/.test(body.ErrorMessages[0]))
      return body.partnerScheduleId
    },
  }
}
type Client = Awaited<ReturnType<typeof billedClient>>

const setStatus = (id: string, status: number) => admin.put(`/v1/schedules/${id}/status`, { status })

/** Approves a schedule; what it is made of then, or undefined where it was refused. */
async function approve(id: string): Promise<Schedule | undefined> {
  const { status } = await setStatus(id, approved)
  assert.ok([200, 304, 404].includes(status), String(status))
  return status === 404 ? undefined : (await admin.get(`/v1/schedules/${id}`)).body
}

/** Everything that the client owes is on an Approved schedule once, and each of these can be proved. */
async function everythingIsBilledOnce(client: Client, consignmentIds: string[], unitDays: number) {
  for (const id of consignmentIds) await client.close(id, '2025-03-20')
  await client.bill('2025-03-01', '2025-03-31')
  await client.schedule('2025-12-31')
  for (const { id } of await client.schedules()) await approve(id)
  const all = await client.schedules()
  for (const { id, status, amountExclTax, transactions } of all) {
    assert.equal(status, approved)
    const sum = transactions.reduce((total, one) => total + Math.round(one.amountExclTax * 100), 0)
    assert.equal(sum, Math.round(amountExclTax * 100))
    const { body } = await admin.get(`/v1/schedules/${id}/proof`)
    assert.deepEqual([body.verified, body.differing], [transactions.length, []])
  }
  const lines = all.flatMap(({ transactions }) => transactions)
  assert.equal(new Set(lines.map(({ id }) => id)).size, lines.length)
  assert.deepEqual(
    lines.flatMap(({ consignmentId }) => consignmentId ?? []).toSorted(),
    consignmentIds.toSorted(),
    'each consignment once',
  )
  const stored = lines.filter(({ consignmentId }) => consignmentId === null)
  assert.equal(
    stored.reduce((total, { amountExclTax }) => total + amountExclTax, 0),
    unitDays,
  )
  const { pending } = await database.db.row<{ pending: number }>(sql`
    select count(*)::integer as pending from schedule_transaction
    where partner_id = ${client.partnerId} and status = 1`)
  assert.equal(pending, 0)
}

const deadlocks = () =>
  database.db.row(sql`select deadlocks from pg_stat_database where datname = current_database()`)

/** What happens beside two people who approve a schedule. */
type Beside = (client: Client, scheduleId: string, consignmentIds: string[]) => Promise<unknown>[]
const bundlingAgain: Beside = (_, id) => [
  admin.put(`/v1/schedules/${id}`, { transactionsUpTo: '2025-03-15' }),
  admin.put(`/v1/schedules/${id}`, { transactionsUpTo: '2025-12-31' }),
  admin.put(`/v1/schedules/${id}`, { referenceNumber: 'OTHER', date: '2025-04-01' }),
]
const removing: Beside = (_, id) => [admin.delete(`/v1/schedules/${id}`)]
const changingCharges: Beside = ({ reopen, enter, close }, _, [first = '', second = '', third = '']) => [
  ...[first, second].map(id => reopen(id)),
  admin.post(`/v1/consignments/${first}/charges/client-activity/adhoc`, { taxRateId }),
  reopen(third).then(async ({ status }) => {
    if (status === 200) await close(third, '2025-03-09')
  }),
  enter(second, 'client-activity').catch(() => {}),
]
const excludingCharges: Beside = ({ charges, include }, _, ids) =>
  ids.map(async id => {
    const { clientActivityCharges } = await charges(id)
    for (const { id: chargeId } of clientActivityCharges) await include(id, chargeId, false)
  })
const exporting: Beside = (_, id) => [
  admin.post(`/v1/schedules/${id}/exported`),
  admin.get(`/v1/schedules/${id}/export?Format=3`),
]

for (const [what, beside] of Object.entries({
  'bundled again': bundlingAgain,
  removed: removing,
  exported: exporting,
  'reopened by its consignments': changingCharges,
  'changed by their charges': excludingCharges,
}))
  test(`a schedule that two people approve while it is ${what} is as it was approved, and every line is billed once`, async () => {
    const before = await deadlocks()
    for (let round = 0; round < 4; round++) {
      const client = await billedClient()
      const { happen, bill, complete, close, schedule } = client
      await happen({ at: '2025-03-30T10:00', quantity: 10, to: {} })
      const ids = [await complete(), await complete(), await complete()]
      for (const id of ids) await close(id, '2025-03-10')
      await bill('2025-03-01', '2025-03-31')
      const scheduleId = (await schedule('2025-03-31')) as string
      const later = [await complete(), await complete()]
      const [one, two] = await Promise.all([
        approve(scheduleId),
        approve(scheduleId),
        ...beside(client, scheduleId, ids),
        // A run adds to what is pending, and a scan that was late corrects what is on the schedule.
        happen({ at: '2025-03-31T10:00', quantity: 5, to: {} }).then(() => bill('2025-03-01', '2025-03-31')),
        admin.post('/v1/consignments/close', { consignmentIds: later, closedTransactionDate: '2025-03-12' }),
        schedule('2025-12-31'),
      ])
      if (one !== undefined && two !== undefined) {
        const now = (await admin.get(`/v1/schedules/${scheduleId}`)).body
        assert.deepEqual([one.status, two.status], [approved, approved])
        for (const then of [one, two])
          assert.deepEqual({ ...then, isExported: null }, { ...now, isExported: null })
        assert.equal((await admin.delete(`/v1/schedules/${scheduleId}`)).status, 400)
      }
      const billed = [...ids, ...later]
      for (const id of billed) await includeAll(client, id)
      await everythingIsBilledOnce(client, billed, 20 + 5)
    }
    assert.deepEqual(await deadlocks(), before, 'nobody waits for each other in a circle')
  })

/** Includes all charges of a consignment that is open, and leaves one of them. */
async function includeAll({ charges, include }: Client, id: string): Promise<void> {
  const { clientActivityCharges } = await charges(id)
  for (const [n, { id: chargeId }] of clientActivityCharges.entries()) await include(id, chargeId, n === 0)
}

test('a schedule that is approved and made a Draft again at the same moment holds what was bundled, and is billed once', async () => {
  for (let round = 0; round < 6; round++) {
    const client = await billedClient()
    const ids = [await client.complete(), await client.complete()]
    for (const id of ids) await client.close(id, '2025-03-10')
    const scheduleId = (await client.schedule('2025-03-31')) as string
    const answers = await Promise.all([
      setStatus(scheduleId, approved),
      setStatus(scheduleId, draft),
      admin.delete(`/v1/schedules/${scheduleId}`),
      ...ids.map(id => client.reopen(id)),
      setStatus(scheduleId, approved),
    ])
    for (const { status } of answers) assert.ok([200, 304, 400, 404].includes(status), String(status))
    await everythingIsBilledOnce(client, ids, 0)
  }
})

test('storage that is waived while it is bundled is void or on the schedule, never both, and no run raises it again', async () => {
  for (let round = 0; round < 8; round++) {
    const { partnerId, happen, bill, schedule } = await billedClient()
    await happen({ at: '2025-03-30T10:00', quantity: 10, to: {} })
    const { transactionIds } = await bill('2025-03-01', '2025-03-31')
    const path = `/v1/schedule-transactions/${transactionIds[0]}/status`
    const [scheduleId, waived] = await Promise.all([
      schedule('2025-03-31'),
      admin.put(path, { status: 3, reason: 'Agreed' }),
      bill('2025-03-01', '2025-03-31'),
      schedule('2025-03-31'),
    ])
    const rows = await database.db.rows<{ id: string; status: number; scheduleId: string | null }>(sql`
      select id, status, partner_schedule_id as schedule_id from schedule_transaction
      where partner_id = ${partnerId}`)
    assert.deepEqual(
      rows.map(({ id, status }) => [id, status]),
      [[transactionIds[0], waived.status === 200 ? 3 : 2]],
    )
    assert.equal(rows[0]?.scheduleId === null, waived.status === 200)
    if (scheduleId !== undefined) assert.equal(waived.status, 400)
  }
})

test('bills that runs make and approve while people approve, remove and reopen are whole, and no run fails', async () => {
  const before = await deadlocks()
  for (let round = 0; round < 4; round++) {
    const client = await billedClient()
    const { partnerId, happen, complete, schedules } = client
    await happen({ at: '2025-03-30T10:00', quantity: 10, to: {} })
    const ids: string[] = []
    for (let n = 0; n < 5; n++) ids.push(await complete())
    await client.close(ids[0] as string, '2025-03-05')
    const rule = { period: 4, autoApprove: round % 2 === 0, maxTransactions: 2, closesComplete: false }
    assert.equal((await admin.put(`/v1/partners/${partnerId}/billing-rule`, rule)).status, 200)
    await planRuns(database, new Date('2025-06-02T00:00:00Z'))
    let isDone = false
    const working = [1, 2].map(async () => {
      const worker = { ...context, presence: { ...context.presence, id: newId() } }
      while (await runNext(worker)) {}
    })
    const meddling = async () => {
      for (let n = 0; !isDone; n++) {
        for (const { id, transactions } of await schedules()) {
          if (n % 3 === 0) await admin.delete(`/v1/schedules/${id}`)
          else if (n % 3 === 1) await setStatus(id, approved)
          else await setStatus(id, draft)
          for (const { consignmentId } of transactions) if (consignmentId) await client.reopen(consignmentId)
        }
        for (const id of ids) await client.close(id, '2025-03-20')
      }
    }
    const meddled = meddling()
    await Promise.all(working)
    isDone = true
    await meddled
    await database.atomically(tx => tx.run(sql`update billing_run set due_utc = now() where status <> 3`))
    const { billingRuns } = (await admin.get(`/v1/billing-runs?PartnerId=${partnerId}`)).body
    assert.deepEqual(
      billingRuns.filter(({ failure }: { failure: string | null }) => failure !== null),
      [],
    )
    while (await runNext(context)) {}
    const { unitDays } = await database.db.row<{ unitDays: number }>(sql`
      select coalesce(sum(quantity), 0) as unit_days from schedule_transaction
      where partner_id = ${partnerId} and storage_run_id is not null`)
    assert.equal(unitDays, 20 + 300 + 310)
    await everythingIsBilledOnce(client, ids, unitDays)
  }
  assert.deepEqual(await deadlocks(), before, 'nobody waits for each other in a circle')
})
