// Approving a schedule while others change everything it consists of: every line is billed exactly once,
// Approved schedules never change, and every line can be derived again. Uses many real connections at once.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planRuns } from '../../../src/billing/runs/plan-runs.ts'
import { runNext } from '../../../src/billing/runs/run-billing.ts'
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

/** Creates a client with storage, and returns it with functions for its consignments and schedules. */
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
    /** Creates a Complete consignment with a charge of 21.00. */
    async complete(): Promise<string> {
      const id = await charges.consignment({ carrierId: null })
      await enter(id, 'client-activity')
      return id
    },
    /** Creates a schedule of the pending transactions up to a date; undefined if there are none. */
    async schedule(date: string): Promise<string | undefined> {
      const { status, body } = await admin.post('/v1/schedules', { partnerId, date })
      assert.ok(status === 201 || /^There is nothing to bill/.test(body.ErrorMessages[0]))
      return body.partnerScheduleId
    },
  }
}
type Client = Awaited<ReturnType<typeof billedClient>>

const setStatus = (id: string, status: number) => admin.put(`/v1/schedules/${id}/status`, { status })

/** Approves a schedule. Returns it as approved, or undefined if it had been removed. */
async function approve(id: string): Promise<Schedule | undefined> {
  const { status } = await setStatus(id, approved)
  assert.ok([200, 304, 404].includes(status), String(status))
  return status === 404 ? undefined : (await admin.get(`/v1/schedules/${id}`)).body
}

/** Asserts that everything the client owes is on Approved schedules once, and that these can be proved. */
async function assertBilledOnce(client: Client, consignmentIds: string[], unitDays: number) {
  for (const id of consignmentIds) await client.close(id, '2025-03-20')
  await client.bill('2025-03-01', '2025-03-31')
  await client.schedule('2025-12-31')
  for (const { id } of await client.schedules()) await approve(id)
  const all = await client.schedules()
  for (const { id, status, amountExclTax, transactions } of all) {
    assert.equal(status, approved)
    const sum = transactions.reduce((total, line) => total + Math.round(line.amountExclTax * 100), 0)
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
  const storage = lines.filter(({ consignmentId }) => consignmentId === null)
  assert.equal(
    storage.reduce((total, { amountExclTax }) => total + amountExclTax, 0),
    unitDays,
  )
  const { pending } = await database.db.row<{ pending: number }>(sql`
    select count(*)::integer as pending from schedule_transaction
    where partner_id = ${client.partnerId} and status = 1`)
  assert.equal(pending, 0)
}

const deadlocks = () =>
  database.db.row(sql`select deadlocks from pg_stat_database where datname = current_database()`)

/** The concurrent changes while two users approve a schedule. */
type ConcurrentChange = (client: Client, scheduleId: string, consignmentIds: string[]) => Promise<unknown>[]
const bundlingAgain: ConcurrentChange = (_, id) => [
  admin.put(`/v1/schedules/${id}`, { transactionsUpTo: '2025-03-15' }),
  admin.put(`/v1/schedules/${id}`, { transactionsUpTo: '2025-12-31' }),
  admin.put(`/v1/schedules/${id}`, { referenceNumber: 'OTHER', date: '2025-04-01' }),
]
const removing: ConcurrentChange = (_, id) => [admin.delete(`/v1/schedules/${id}`)]
const changingCharges: ConcurrentChange = (
  { reopen, enter, close },
  _,
  [first = '', second = '', third = ''],
) => [
  ...[first, second].map(id => reopen(id)),
  admin.post(`/v1/consignments/${first}/charges/client-activity/adhoc`, { taxRateId }),
  reopen(third).then(async ({ status }) => {
    if (status === 200) await close(third, '2025-03-09')
  }),
  enter(second, 'client-activity').catch(() => {}),
]
const excludingCharges: ConcurrentChange = ({ charges, include }, _, ids) =>
  ids.map(async id => {
    const { clientActivityCharges } = await charges(id)
    for (const { id: chargeId } of clientActivityCharges) await include(id, chargeId, false)
  })
const exporting: ConcurrentChange = (_, id) => [
  admin.post(`/v1/schedules/${id}/exported`),
  admin.get(`/v1/schedules/${id}/export?Format=3`),
]

for (const [change, makeChanges] of Object.entries({
  'bundling it again': bundlingAgain,
  'removing it': removing,
  'exporting it': exporting,
  'reopening its consignments': changingCharges,
  'excluding charges': excludingCharges,
}))
  test(`a schedule approved twice during ${change} stays as approved, and every line is billed once`, async () => {
    const before = await deadlocks()
    for (let round = 0; round < 4; round++) {
      const client = await billedClient()
      const { changeStock, bill, complete, close, schedule } = client
      await changeStock({ at: '2025-03-30T10:00', quantity: 10, to: {} })
      const ids = [await complete(), await complete(), await complete()]
      for (const id of ids) await close(id, '2025-03-10')
      await bill('2025-03-01', '2025-03-31')
      const scheduleId = (await schedule('2025-03-31')) as string
      const later = [await complete(), await complete()]
      const [first, second] = await Promise.all([
        approve(scheduleId),
        approve(scheduleId),
        ...makeChanges(client, scheduleId, ids),
        // A run adds pending transactions, and a late scan corrects the storage on the schedule.
        changeStock({ at: '2025-03-31T10:00', quantity: 5, to: {} }).then(() =>
          bill('2025-03-01', '2025-03-31'),
        ),
        admin.post('/v1/consignments/close', { consignmentIds: later, closedTransactionDate: '2025-03-12' }),
        schedule('2025-12-31'),
      ])
      if (first !== undefined && second !== undefined) {
        const now = (await admin.get(`/v1/schedules/${scheduleId}`)).body
        assert.deepEqual([first.status, second.status], [approved, approved])
        for (const result of [first, second])
          assert.deepEqual({ ...result, isExported: null }, { ...now, isExported: null })
        assert.equal((await admin.delete(`/v1/schedules/${scheduleId}`)).status, 400)
      }
      const billed = [...ids, ...later]
      for (const id of billed) await includeFirstOnly(client, id)
      await assertBilledOnce(client, billed, 20 + 5)
    }
    assert.deepEqual(await deadlocks(), before, 'no deadlocks')
  })

/** Leaves only the first charge of an open consignment included. */
async function includeFirstOnly({ charges, include }: Client, id: string): Promise<void> {
  const { clientActivityCharges } = await charges(id)
  for (const [n, { id: chargeId }] of clientActivityCharges.entries()) await include(id, chargeId, n === 0)
}

test('a schedule approved and made a Draft concurrently keeps its transactions, and is billed once', async () => {
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
    await assertBilledOnce(client, ids, 0)
  }
})

test('storage waived while it is bundled is Void or on the schedule, never both, and no run raises it again', async () => {
  for (let round = 0; round < 8; round++) {
    const { partnerId, changeStock, bill, schedule } = await billedClient()
    await changeStock({ at: '2025-03-30T10:00', quantity: 10, to: {} })
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

test('runs that create and approve schedules while users approve, remove and reopen bill completely, and none fails', async () => {
  const before = await deadlocks()
  for (let round = 0; round < 4; round++) {
    const client = await billedClient()
    const { partnerId, changeStock, complete, schedules } = client
    await changeStock({ at: '2025-03-30T10:00', quantity: 10, to: {} })
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
    await assertBilledOnce(client, ids, unitDays)
  }
  assert.deepEqual(await deadlocks(), before, 'no deadlocks')
})
