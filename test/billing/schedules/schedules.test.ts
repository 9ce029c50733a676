import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { sql } from '../../../src/platform/database/db.ts'
import { chargesOf, openCharges, setUpCharges } from '../../support/given-charges.ts'

const { world, ...given } = await openCharges()
const {
  clientId,
  carrierId,
  revenueAccountId,
  costCentreId,
  taxRateId,
  consignment,
  charge,
  close,
  reopen,
  transactionsOf,
  events,
} = given
const { admin, as, stranger, database } = world

/** Creates a schedule of the client's pending transactions up to a date. */
async function schedule(more: object = {}): Promise<string> {
  const { status, body } = await admin.post('/v1/schedules', {
    partnerId: clientId,
    date: '2026-03-31',
    ...more,
  })
  assert.equal(status, 201, JSON.stringify(body))
  return body.partnerScheduleId
}
const read = async (id: string, caller = admin) => (await caller.get(`/v1/schedules/${id}`)).body
const approve = (id: string) => admin.put(`/v1/schedules/${id}/status`, { status: 2 })

/** Creates a consignment with one charge of the client, and closes it with a date. */
async function billed(date: string, chargeRateExclTax = 10): Promise<string> {
  const id = await consignment()
  await charge(id, 'client-activity', { metricValue: 1, chargeRateExclTax })
  await close(id, date)
  return id
}

/** Creates a consignment with one charge each of client and carrier, and closes it with a date. */
async function billedByBoth(date: string): Promise<void> {
  const id = await consignment()
  await charge(id, 'client-activity')
  await charge(id, 'carrier-freight')
  await close(id, date)
}

/** Returns the administrator as a caller through another connection. */
async function anotherConnection() {
  const { organisationId, userId } = admin.actor
  const connectionId = uuidv7()
  await database.atomically(async tx => {
    const app = await tx.row<{ id: string }>(sql`
      insert into custom_app select (jsonb_populate_record(a, jsonb_build_object('id', ${connectionId}::text,
        'client_id', ${connectionId}::text))).*
      from custom_app a where organisation_id = ${organisationId} limit 1 returning id`)
    await tx.run(sql`insert into identity_connection (organisation_id, id, custom_app_id, user_id)
      values (${organisationId}, ${connectionId}, ${app.id}, ${userId})`)
  })
  return as(admin, { connectionId })
}

/** Creates a schedule of one new charge, and of everything else that is Pending up to its date. */
async function scheduleOfOne(more: { date?: string; referenceNumber?: string; description?: string } = {}) {
  await billed(more.date ?? '2026-03-31')
  return schedule(more)
}

/** Puts everything that is Pending on a schedule, out of the way of the next test. */
const clear = () => admin.post('/v1/schedules', { partnerId: clientId, date: '2199-12-31' })

test('a schedule bundles the Pending transactions of its partner up to its date, and shows every field', async () => {
  const id = await consignment()
  const charged = await charge(id, 'client-activity', {
    particulars: 'Wrapping',
    revenueAccountId,
    costCentreId,
    metricValue: 1.5,
    chargeRateExclTax: 0.333333,
  })
  await charge(id, 'client-freight', { chargeApplication: 2, chargeRateExclTax: 20 })
  await charge(id, 'carrier-freight', { chargeRateExclTax: 99 })
  await close(id, '2026-03-31')
  await billed('2026-04-01')
  const created = await admin.post('/v1/schedules', {
    partnerId: clientId,
    date: '2026-03-31',
    referenceNumber: 'MAR-26',
    description: 'March',
  })
  const { partnerScheduleId } = created.body
  assert.deepEqual([created.status, created.headers.location], [201, `/v1/schedules/${partnerScheduleId}`])
  const { transactions, ...body } = await read(partnerScheduleId)
  assert.deepEqual(body, {
    id: partnerScheduleId,
    partner: { id: clientId, name: 'Kauri Foods', code: 'KAURI' },
    date: '2026-03-31',
    referenceNumber: 'MAR-26',
    description: 'March',
    amountExclTax: 20.5,
    invoiceNumber: null,
    dueDate: null,
    taxes: [{ taxRateId, name: 'GST', percent: 15, netAmount: 20.5, taxAmount: 3.08 }],
    amountInclTax: 23.58,
    status: 1,
    isExported: false,
    externalUrl: null,
    activities: [{ activityCode: null, activityName: null, transactionCount: 2, amountExclTax: 20.5 }],
  })
  const { consignmentNumber } = (await admin.get(`/v1/consignments/${id}`)).body
  const [first] = await transactionsOf(id)
  assert.deepEqual([first?.consignmentChargeId, first?.status], [charged, 2])
  assert.deepEqual(transactions[0], {
    id: first?.id,
    date: '2026-03-31',
    type: 0,
    consignmentId: id,
    consignmentNumber,
    consignmentReferenceNumber: 'R-1',
    chargeTypeId: transactions[0].chargeTypeId,
    chargeTypeName: 'Client activity, ad hoc',
    chargeTypeCode: 'ClientActivityAdhoc',
    particulars: 'Wrapping',
    revenueAccountId,
    revenueAccountCode: '200',
    costCentreId,
    costCentreCode: 'N',
    activityCode: null,
    activityName: null,
    warehouseName: null,
    creditOf: null,
    quantity: 1.5,
    chargeRateExclTax: 0.333333,
    baseChargeExclTax: null,
    minChargeExclTax: null,
    maxChargeExclTax: null,
    chargeApplication: 1,
    taxRateId,
    taxRateName: 'GST',
    taxRatePercent: 15,
    amountExclTax: 0.5,
  })
  assert.deepEqual(
    transactions.map((row: { chargeTypeCode: string; revenueAccountCode: null }) => row.chargeTypeCode),
    ['ClientActivityAdhoc', 'ClientFreightAdhoc'],
  )
  assert.equal(transactions[1].revenueAccountCode, null)
  await clear()
})

test('transactions stay as they were when they were raised', async () => {
  await billed('2026-03-01')
  const id = await schedule()
  await admin.put(`/v1/tax-rates/${taxRateId}`, { name: 'GST new', percent: 20 })
  const [row] = (await read(id)).transactions
  assert.deepEqual([row.taxRateName, row.taxRatePercent], ['GST', 15])
  await admin.put(`/v1/tax-rates/${taxRateId}`, { name: 'GST', percent: 15 })
})

test('transactionsUpTo may differ from the date of the schedule', async () => {
  await billed('2026-05-01')
  await billed('2026-05-02')
  const early = await schedule({ date: '2026-06-30', transactionsUpTo: '2026-05-01' })
  assert.deepEqual(
    (await read(early)).transactions.map((row: { date: string }) => row.date),
    ['2026-05-01'],
  )
  const rest = await schedule({ date: '2026-04-30', transactionsUpTo: '2026-05-02' })
  assert.deepEqual(
    (await read(rest)).transactions.map((row: { date: string }) => row.date),
    ['2026-05-02'],
  )
  const again = await admin.post('/v1/schedules', { partnerId: clientId, date: '2026-06-30' })
  assert.equal(again.status, 400, 'nothing is billed twice')
})

test('the partner must exist, and every fault is reported', async () => {
  const other = await setUpCharges(await stranger())
  for (const partnerId of [uuidv7(), other.clientId]) {
    const { status, body } = await admin.post('/v1/schedules', { partnerId, date: '2026-03-31' })
    assert.deepEqual(
      [status, body],
      [400, { ErrorType: 'Verification Failed', ErrorMessages: ['partnerId does not refer to a partner.'] }],
    )
  }
  const { body } = await admin.post('/v1/schedules', { date: '2026-02-30', transactionsUpTo: 'today' })
  assert.deepEqual(body.ErrorMessages.toSorted(), [
    'date must be a date in the form YYYY-MM-DD.',
    'partnerId is required.',
    'transactionsUpTo must be a date in the form YYYY-MM-DD.',
  ])
})

test('a schedule with nothing to bill is refused, and so is one of an inactive client', async () => {
  const body = { name: 'Matai', code: 'MATAI', relationship: 1 }
  const { partnerId } = (await admin.post('/v1/partners', body)).body
  const make = () => admin.post('/v1/schedules', { partnerId, date: '2026-03-31' })
  const empty = await make()
  assert.deepEqual(
    [empty.status, empty.body],
    [
      400,
      {
        ErrorType: 'Verification Failed',
        ErrorMessages: ['There is nothing to bill: the partner has no transactions up to 2026-03-31.'],
      },
    ],
  )
  await admin.put(`/v1/partners/${partnerId}`, { status: 1 })
  const inactive = await make()
  assert.deepEqual(
    [inactive.status, inactive.body.ErrorMessages],
    [400, ['partnerId refers to an inactive partner.']],
  )
  assert.equal((await admin.get(`/v1/schedules?PartnerId=${partnerId}`)).body.total, 0)
})

test('a consignment on a schedule cannot be reopened; once taken off, it can', async () => {
  const id = await billed('2026-03-01')
  const other = await billed('2026-03-02')
  const scheduleId = await schedule()
  const refused = await reopen(id)
  assert.deepEqual(refused.body, {
    ErrorType: 'Verification Failed',
    ErrorMessages: ['The consignment cannot be reopened: transactions of it are on a schedule.'],
  })
  assert.equal((await transactionsOf(id))[0]?.status, 2)
  assert.equal((await admin.delete(`/v1/schedules/${scheduleId}`)).status, 200)
  assert.equal((await reopen(id)).status, 200)
  assert.equal((await transactionsOf(id))[0]?.status, 3)
  const again = await schedule()
  assert.deepEqual(
    (await read(again)).transactions.map((row: { consignmentId: string }) => row.consignmentId),
    [other],
  )
})

test('if reopening is refused because of one scheduled transaction, the other transactions stay Pending', async () => {
  const id = await consignment()
  await charge(id, 'client-activity')
  await charge(id, 'carrier-freight')
  await close(id, '2026-03-01')
  await schedule()
  assert.equal((await reopen(id)).status, 400)
  assert.deepEqual(
    (await transactionsOf(id)).map(row => row.status),
    [2, 1],
  )
})

test('a Draft is changed; repeating a change is 304, absent fields stay unchanged, and null clears', async () => {
  const id = await scheduleOfOne({ referenceNumber: 'A', description: 'First' })
  const put = (body: object) => admin.put(`/v1/schedules/${id}`, body)
  assert.equal((await put({ referenceNumber: 'B', date: '2026-04-30' })).status, 200)
  assert.equal((await put({ referenceNumber: 'B', date: '2026-04-30' })).status, 304)
  assert.equal((await put({})).status, 304)
  const { referenceNumber, date, description } = await read(id)
  assert.deepEqual([referenceNumber, date, description], ['B', '2026-04-30', 'First'])
  assert.equal((await put({ description: null, referenceNumber: '' })).status, 200)
  const emptied = await read(id)
  assert.deepEqual([emptied.referenceNumber, emptied.description], [null, null])
  assert.deepEqual(
    (await events(id)).map(event => event.type),
    [201, 203, 203],
  )
})

test('a Draft is bundled again up to another date', async () => {
  const [early, late] = [await billed('2026-07-01', 1), await billed('2026-07-20', 2)]
  const id = await schedule({ date: '2026-07-31' })
  const put = (transactionsUpTo: string) => admin.put(`/v1/schedules/${id}`, { transactionsUpTo })
  const held = async () =>
    (await read(id)).transactions.map((row: { consignmentId: string }) => row.consignmentId)
  assert.deepEqual(await held(), [early, late])
  assert.equal((await put('2026-07-31')).status, 304)
  assert.equal((await put('2026-07-10')).status, 200)
  assert.deepEqual(await held(), [early])
  assert.equal((await transactionsOf(late))[0]?.status, 1)
  const next = await billed('2026-07-05', 4)
  assert.equal((await put('2026-07-31')).status, 200)
  assert.deepEqual(await held(), [early, next, late])
  assert.equal((await read(id)).amountExclTax, 7)
  assert.deepEqual(
    (await events(id)).map(event => event.type),
    [201, 205, 205],
  )
})

test('a schedule is approved and made a Draft again; approved, it is neither changed nor removed', async () => {
  const id = await scheduleOfOne()
  const status = (value: number) => admin.put(`/v1/schedules/${id}/status`, { status: value })
  assert.equal((await status(1)).status, 304)
  assert.equal((await status(2)).status, 200)
  assert.equal((await status(2)).status, 304)
  for (const answer of [
    await admin.put(`/v1/schedules/${id}`, { referenceNumber: 'X' }),
    await admin.delete(`/v1/schedules/${id}`),
  ]) {
    assert.equal(answer.status, 400)
    assert.deepEqual(answer.body.ErrorMessages, [
      'The schedule is Approved; only a Draft can be changed or removed.',
    ])
  }
  assert.equal((await status(3)).status, 400)
  assert.equal((await status(1)).status, 200)
  const told = await events(id)
  assert.deepEqual(
    told.map(event => event.type),
    [201, 204, 204],
  )
  assert.deepEqual(
    told.map(event => (event.data as { status: number }).status),
    [1, 2, 1],
  )
  assert.deepEqual(
    told.map(event => (event.data as { previousStatus?: number }).previousStatus),
    [undefined, 1, 2],
  )
})

test('a Draft is removed, and its transactions are Pending again', async () => {
  const id = await scheduleOfOne()
  assert.equal((await admin.delete(`/v1/schedules/${id}`)).status, 200)
  assert.equal((await admin.get(`/v1/schedules/${id}`)).status, 404)
  assert.equal((await admin.delete(`/v1/schedules/${id}`)).status, 404)
  assert.deepEqual(
    (await events(id)).map(event => event.type),
    [201, 202],
  )
  await clear()
})

test('exported is per connection, keeps the status, and can be repeated with another URL', async () => {
  const id = await scheduleOfOne()
  const exported = (body?: object, caller = admin) => caller.post(`/v1/schedules/${id}/exported`, body)
  assert.equal((await exported()).status, 200)
  assert.deepEqual(
    [(await read(id)).isExported, (await read(id)).externalUrl, (await read(id)).status],
    [true, null, 1],
  )
  await exported({ externalUrl: 'https://books.example.com/1' })
  await exported({})
  assert.equal((await read(id)).externalUrl, 'https://books.example.com/1')
  await exported({ externalUrl: null })
  assert.deepEqual([(await read(id)).isExported, (await read(id)).externalUrl], [true, null])
  await exported({ externalUrl: 'https://books.example.com/2' })
  assert.equal((await read(id)).externalUrl, 'https://books.example.com/2')
  const other = await anotherConnection()
  assert.deepEqual([(await read(id, other)).isExported, (await read(id, other)).externalUrl], [false, null])
  assert.equal((await admin.get('/v1/schedules?IsExported=true')).body.total, 1)
  assert.equal((await other.get('/v1/schedules?IsExported=true')).body.total, 0)
  assert.equal((await exported({ externalUrl: 'their-7' }, other)).status, 400)
  assert.equal((await exported({ externalUrl: 'javascript:alert(1)' }, other)).status, 400)
  await exported({ externalUrl: 'HTTPS://their.example.com/a b' }, other)
  assert.deepEqual(
    [(await read(id)).externalUrl, (await read(id, other)).externalUrl],
    ['https://books.example.com/2', 'https://their.example.com/a%20b'],
  )
  assert.equal((await admin.post(`/v1/schedules/${uuidv7()}/exported`)).status, 404)
  assert.equal((await events(id)).length, 1, 'no event is published')
})

test('people of the organisation are told in the portal of every export, and those of partners of none', async () => {
  const id = await scheduleOfOne()
  await (await anotherConnection()).post(`/v1/schedules/${id}/exported`, {
    externalUrl: 'https://books.example.com/3',
  })
  const portal = { ...admin, actor: { ...admin.actor, app: 'portal' as const } }
  const [staff, client] = [as(portal, {}), as(portal, { partnerId: clientId })]
  const told = async (caller: typeof admin) => {
    const { isExported, externalUrl } = await read(id, caller)
    return [isExported, externalUrl]
  }
  assert.deepEqual(await told(staff), [true, 'https://books.example.com/3'])
  assert.ok((await staff.get('/v1/schedules?IsExported=true')).body.total > 0)
  assert.deepEqual(await told(client), [false, null])
  assert.deepEqual(await told(admin), [false, null])
})

test('a schedule exported by any connection stays Approved', async () => {
  const id = await scheduleOfOne()
  await approve(id)
  await (await anotherConnection()).post(`/v1/schedules/${id}/exported`)
  const { status, body } = await admin.put(`/v1/schedules/${id}/status`, { status: 1 })
  assert.deepEqual(
    [status, body.ErrorMessages],
    [400, ['The schedule cannot become a Draft again: it was exported.']],
  )
})

test('a Draft that any connection has exported cannot be changed or removed, but it can be approved', async () => {
  await clear()
  await billed('2026-05-01', 30)
  const id = await schedule({ date: '2026-05-31' })
  await billed('2026-05-02', 12)
  assert.equal((await (await anotherConnection()).post(`/v1/schedules/${id}/exported`)).status, 200)
  for (const refused of [
    await admin.put(`/v1/schedules/${id}`, { referenceNumber: 'Late' }),
    await admin.put(`/v1/schedules/${id}`, { transactionsUpTo: '2026-05-31' }),
    await admin.delete(`/v1/schedules/${id}`),
  ]) {
    assert.deepEqual(
      [refused.status, refused.body.ErrorMessages],
      [400, ['The schedule was exported; it can be Approved, but neither changed nor removed.']],
    )
  }
  const { referenceNumber, amountExclTax, status } = await read(id)
  assert.deepEqual([referenceNumber, amountExclTax, status], [null, 30, 1])
  assert.equal((await approve(id)).status, 200)
  await clear()
})

test('the mark of a Draft that was exported is taken away, and it can be changed again', async () => {
  const id = await scheduleOfOne()
  const path = `/v1/schedules/${id}`
  assert.equal((await admin.delete(`${path}/exported`)).status, 404)
  await (await anotherConnection()).post(`${path}/exported`)
  await admin.post(`${path}/exported`)
  assert.equal((await admin.put(path, { description: 'Late' })).status, 400)
  assert.equal((await admin.delete(`${path}/exported`)).status, 200)
  assert.equal((await read(id)).isExported, false)
  assert.equal((await admin.put(path, { description: 'Late' })).status, 200)
  await admin.post(`${path}/exported`)
  await approve(id)
  const refused = await admin.delete(`${path}/exported`)
  assert.deepEqual(
    [refused.status, refused.body.ErrorMessages],
    [400, ['The schedule is Approved: credit what is wrong in it.']],
  )
})

test('a reference number is on one schedule of a partner only, whatever its case', async () => {
  const id = await scheduleOfOne({ referenceNumber: 'Unique-1' })
  await billed('2026-03-31')
  const body = { partnerId: clientId, date: '2026-03-31' }
  const twice = await admin.post('/v1/schedules', { ...body, referenceNumber: 'UNIQUE-1' })
  const taken = (reference: string) =>
    `The partner already has a schedule with the reference number ${reference}.`
  assert.deepEqual([twice.status, twice.body.ErrorMessages], [409, [taken('UNIQUE-1')]])
  const other = await schedule({ referenceNumber: 'Unique-2' })
  const renamed = await admin.put(`/v1/schedules/${other}`, { referenceNumber: 'unique-1' })
  assert.deepEqual([renamed.status, renamed.body.ErrorMessages], [409, [taken('unique-1')]])
  assert.equal((await admin.put(`/v1/schedules/${id}`, { referenceNumber: 'UNIQUE-1' })).status, 200)
  await billedByBoth('2026-03-31')
  await schedule({ partnerId: carrierId, referenceNumber: 'Unique-1' })
  await clear()
})

test('a change that would leave a schedule without transactions is refused', async () => {
  await clear()
  const id = await scheduleOfOne({ date: '2026-07-20' })
  const refused = await admin.put(`/v1/schedules/${id}`, { transactionsUpTo: '2026-07-19', description: 'X' })
  const empty = 'No transaction would be left on the schedule: remove the schedule instead.'
  assert.deepEqual([refused.status, refused.body.ErrorMessages], [400, [empty]])
  const { transactions, description } = await read(id)
  assert.deepEqual([transactions.length, description], [1, null])
  const last = await admin.post(`/v1/schedules/${id}/transactions/remove`, {
    transactionIds: [transactions[0].id],
  })
  assert.deepEqual([last.status, last.body.ErrorMessages], [400, [empty]])
  assert.equal((await read(id)).amountExclTax, 10)
})

test('transactions are taken off a Draft and put on it one by one', async () => {
  await clear()
  const [first, second] = [await billed('2026-07-01', 1), await billed('2026-07-02', 2)]
  const id = await schedule({ date: '2026-07-31' })
  const later = await billed('2026-08-15', 4)
  const path = `/v1/schedules/${id}/transactions`
  const [one, two, three] = await Promise.all(
    [first, second, later].map(async of => (await transactionsOf(of))[0]?.id as string),
  )
  const remove = (...transactionIds: (string | undefined)[]) =>
    admin.post(`${path}/remove`, { transactionIds })
  const add = (...transactionIds: (string | undefined)[]) => admin.post(`${path}/add`, { transactionIds })
  assert.equal((await remove(one)).status, 200)
  assert.equal((await remove(one)).status, 304)
  assert.deepEqual([(await transactionsOf(first))[0]?.status, (await read(id)).amountExclTax], [1, 2])
  assert.equal((await add(one, three)).status, 200, 'also a later one')
  assert.equal((await add(two, three)).status, 304)
  assert.deepEqual([(await read(id)).amountExclTax, (await read(id)).taxes[0].netAmount], [7, 7])
  assert.deepEqual(
    (await events(id)).map(event => event.type),
    [201, 205, 205],
  )
  await billedByBoth('2026-09-01')
  const other = await schedule({ partnerId: carrierId, date: '2026-09-01' })
  const theirs = (await read(other)).transactions[0].id
  const mine = await schedule({ date: '2026-09-01' })
  const elsewhere = (await read(mine)).transactions[0].id
  const reopened = await billed('2026-09-02')
  const gone = (await transactionsOf(reopened))[0]?.id
  await reopen(reopened)
  for (const change of [add, remove])
    assert.deepEqual((await change(theirs, one, elsewhere, gone, uuidv7())).body.ErrorMessages, [
      "transactionIds[0] does not refer to a transaction of the schedule's partner.",
      'transactionIds[2] refers to a transaction that is on another schedule.',
      'transactionIds[3] refers to a transaction that is void.',
      "transactionIds[4] does not refer to a transaction of the schedule's partner.",
    ])
  await approve(id)
  assert.deepEqual((await remove(one)).body.ErrorMessages, [
    'The schedule is Approved; only a Draft can be changed or removed.',
  ])
  assert.equal((await as(admin, { partnerId: clientId }).post(`${path}/add`, {})).status, 403)
})

test('the list supports every filter, counts the matches, and shows the latest date first', async () => {
  const fresh = await stranger()
  const ids = await setUpCharges(fresh)
  const { consignment: make, charge: add, close: end } = chargesOf(world, fresh, ids)
  const consignmentId = await make()
  await add(consignmentId, 'carrier-freight', { metricValue: 1, chargeRateExclTax: 12.34 })
  await end(consignmentId, '2026-01-31')
  for (const day of ['2026-02-28', '2026-03-31']) {
    const id = await make()
    await add(id, 'client-activity', { metricValue: 1, chargeRateExclTax: 5 })
    await end(id, day)
  }
  const made: Record<string, string> = {}
  for (const [name, more] of Object.entries({
    january: { partnerId: ids.carrierId, date: '2026-01-31', referenceNumber: 'JAN-100%' },
    february: { partnerId: ids.clientId, date: '2026-02-28', description: 'Short month' },
    march: { partnerId: ids.clientId, date: '2026-03-31' },
  })) {
    made[name] = (await fresh.post('/v1/schedules', more)).body.partnerScheduleId
  }
  const { january, february, march } = made
  await fresh.put(`/v1/schedules/${january}/status`, { status: 2 })
  await fresh.post(`/v1/schedules/${february}/exported`)
  const list = async (query: string) => {
    const { status, body } = await fresh.get(`/v1/schedules?${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.total, body.schedules.length)
    return body.schedules.map((row: { id: string }) => row.id)
  }
  const all = (await fresh.get('/v1/schedules')).body
  assert.deepEqual(all.schedules.at(-1), {
    id: january,
    partnerId: ids.carrierId,
    partnerName: 'Swift',
    partnerCode: 'SWF',
    date: '2026-01-31',
    referenceNumber: 'JAN-100%',
    amountExclTax: 12.34,
    invoiceNumber: null,
    dueDate: null,
    taxes: [{ taxRateId: ids.taxRateId, name: 'GST', percent: 15, netAmount: 12.34, taxAmount: 1.85 }],
    amountInclTax: 14.19,
    status: 2,
    isExported: false,
  })
  assert.deepEqual(await list(''), [march, february, january])
  assert.deepEqual(await list('SearchText=100%25'), [january])
  assert.deepEqual(await list('SearchText=short'), [february])
  assert.deepEqual(await list('SearchText=kauri'), [march, february])
  assert.deepEqual(await list(`PartnerId=${ids.clientId}`), [march, february])
  assert.deepEqual(await list('Status=1'), [march, february])
  assert.deepEqual(await list('IsExported=true'), [february])
  assert.deepEqual(await list('IsExported=false&Status=2'), [january])
  const { createdUtc } = await database.db.row<{ createdUtc: string }>(
    sql`select created_utc from partner_schedule where id = ${february}`,
  )
  assert.deepEqual(await list(`CreatedFromUtc=${createdUtc}`), [march, february])
  assert.deepEqual(await list(`CreatedToUtc=${createdUtc}`), [february, january])
  const sameInstant = new Date(Date.parse(createdUtc) + 13 * 3_600_000).toISOString().replace('Z', '+13:00')
  assert.deepEqual(
    await list(`CreatedFromUtc=${encodeURIComponent(sameInstant)}&CreatedToUtc=${createdUtc}`),
    [february],
  )
  const paged = (await fresh.get('/v1/schedules?PageSize=1&PageIndex=2')).body
  assert.deepEqual([paged.index, paged.total, paged.schedules[0].id], [2, 3, february])
  const faulty = await fresh.get(
    '/v1/schedules?Status=3&IsExported=maybe&CreatedFromUtc=yesterday&PartnerId=x',
  )
  assert.deepEqual([faulty.status, faulty.body.ErrorMessages.length], [400, 4])
})

test("a schedule's events name its partner as client or carrier, by relationship", async () => {
  const { organisationId } = admin.actor
  for (const [partnerId, filters] of [
    [clientId, [clientId, null]],
    [carrierId, [null, carrierId]],
  ] as const) {
    await billedByBoth('2026-03-31')
    const id = await schedule({ partnerId: partnerId.toUpperCase() })
    const [told] = await events(id)
    assert.deepEqual(told?.data, { organisationId, partnerScheduleId: id, partnerId, status: 1 })
    assert.deepEqual([told?.clientId, told?.carrierId], filters)
  }
})

test('an export requested by hand is published, also for an Approved schedule', async () => {
  const id = await scheduleOfOne()
  await approve(id)
  assert.equal((await admin.post(`/v1/schedules/${id}/trigger-action`)).status, 200)
  const last = (await events(id)).at(-1)
  assert.deepEqual([last?.type, last?.clientId], [206, clientId])
  assert.deepEqual(last?.data, {
    organisationId: admin.actor.organisationId,
    partnerScheduleId: id,
    partnerId: clientId,
    status: 2,
  })
})

test("a partner's token sees its own schedules, but cannot change them or mark them exported", async () => {
  await billedByBoth('2026-03-31')
  const [mine, theirs] = [await schedule(), await schedule({ partnerId: carrierId })]
  const client = as(admin, { partnerId: clientId })
  const { schedules, total } = (await client.get('/v1/schedules?PageSize=500')).body
  assert.ok(
    total === schedules.length && schedules.every((row: { partnerId: string }) => row.partnerId === clientId),
  )
  assert.equal((await client.get(`/v1/schedules?PartnerId=${carrierId}`)).body.total, 0)
  assert.equal((await client.get(`/v1/schedules/${mine}`)).status, 200)
  assert.equal((await client.get(`/v1/schedules/${theirs}`)).status, 404)
  for (const refused of [
    await client.post('/v1/schedules', { partnerId: clientId, date: '2026-03-31' }),
    await client.put(`/v1/schedules/${mine}`, { referenceNumber: 'X' }),
    await client.put(`/v1/schedules/${mine}/status`, { status: 2 }),
    await client.delete(`/v1/schedules/${mine}`),
    // Exporting makes a schedule final, so a partner must not do that to the organisation's schedule.
    await client.post(`/v1/schedules/${mine}/exported`),
  ]) {
    assert.equal(refused.status, 403)
    assert.match(refused.body.ErrorMessages[0], /^A token that belongs to a client cannot /)
  }
})

test("another organisation's schedule is indistinguishable from one that does not exist", async () => {
  const id = await scheduleOfOne()
  const other = await stranger()
  assert.equal((await other.get(`/v1/schedules/${id}`)).status, 404)
  assert.equal((await other.put(`/v1/schedules/${id}`, { referenceNumber: 'Mine' })).status, 404)
  assert.equal((await other.put(`/v1/schedules/${id}/status`, { status: 2 })).status, 404)
  assert.equal((await other.delete(`/v1/schedules/${id}`)).status, 404)
  assert.equal((await other.post(`/v1/schedules/${id}/exported`)).status, 404)
  assert.equal((await other.get('/v1/schedules')).body.total, 0)
})

test('reading needs financial.read and writing needs financial', async () => {
  const id = await scheduleOfOne()
  const reader = as(admin, { scopes: ['financial.read'] })
  assert.equal((await reader.get(`/v1/schedules/${id}`)).status, 200)
  assert.equal((await reader.post(`/v1/schedules/${id}/exported`)).status, 403)
  assert.equal((await as(admin, { scopes: ['consignment'] }).get('/v1/schedules')).status, 403)
})
