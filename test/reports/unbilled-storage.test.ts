// Unbilled days in storage are reported with the reason: no rate covers them, or no bill was made for them.
// Billed days are judged by what they were billed from.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import type { Row } from '../support/given-reports.ts'
import { openStorage } from '../support/given-storage.ts'
import fc from '../support/properties.ts'

const { database, locations, admin, client, charge, rate, approveRates, ...given } = await openStorage()
const { chargedClient, postChanges, run, transactionsOf, warehouseId, as, stranger, made } = given

const storageDay = 5
/** The unbilled storage of a client: first and last day, product, unit days and reason. */
async function unbilled(partnerId: string, body: object = {}, by = admin) {
  const filters = { partnerId, dateFrom: '2025-01-01', dateTo: '2025-12-31', ...body }
  const answer = await by.post('/v1/reports/unbilled-work', filters)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const rows: Row[] = answer.body
  assert.ok(
    rows.every(({ clientId }) => clientId === partnerId),
    'by the client that was asked for',
  )
  return rows
    .filter(({ kind }) => kind === storageDay)
    .map(({ date, dateTo, subject, quantity, reason }) => [date, dateTo, subject, quantity, reason])
}
const noCard = 'The client has no rate card, and there is none to fall back on.'
const noRate = 'No rate of the card prices this kind of work.'
const noMatch = 'No charge of the card matches it.'
const missed = 'No bill charges these days, and later ones are billed.'
const until = (dateTo: string) => ({ dateTo })

const inA1 = { when: { locationIds: [locations.A1] } }
const A2 = { warehouseLocationId: locations.A2 }

test('stored goods that no rate covers are reported with their days and unit days', async () => {
  const { partnerId, changeStock } = await chargedClient(charge({}, inA1))
  await changeStock(
    { at: '2025-03-30T22:00', quantity: 8, to: {} },
    { at: '2025-03-31T06:00', quantity: 3, from: {}, to: A2 },
    { at: '2025-04-02T06:00', quantity: 2, from: A2 },
    { at: '2025-04-03T06:00', quantity: 1, from: A2 },
    { at: '2025-04-10T06:00', quantity: 1, from: {}, to: A2 },
  )
  assert.deepEqual(await unbilled(partnerId, until('2025-04-11')), [
    ['2025-03-31', '2025-04-02', 'BOX', 3 + 3 + 1, noMatch],
    ['2025-04-10', '2025-04-11', 'BOX', 2, noMatch],
  ])
  assert.deepEqual(await unbilled(partnerId, { dateFrom: '2025-04-01', dateTo: '2025-04-01' }), [
    ['2025-04-01', '2025-04-01', 'BOX', 3, noMatch],
  ])
})

test('storage is reported for a client without a card or rate, and for goods that cannot be measured', async () => {
  const [{ partnerId, productId }, weighed] = [
    await client('BARE'),
    await chargedClient(charge({}, { metric: 3 })),
  ]
  const goods = { partnerId, productId, receivedDate: '2025-03-30' }
  await postChanges(database, [{ at: '2025-03-30T22:00', quantity: 2, to: {} }], goods)
  assert.deepEqual(await unbilled(partnerId, until('2025-03-31')), [
    ['2025-03-30', '2025-03-31', 'BOX', 4, noCard],
  ])
  const work = [{ metric: 1, application: 1, rateExclTax: 1 }]
  await approveRates(partnerId, '2025-03-31', { ...rate(), kind: 1, basis: 1, charges: work })
  assert.deepEqual(await unbilled(partnerId, until('2025-03-31')), [
    ['2025-03-30', '2025-03-30', 'BOX', 2, noCard],
    ['2025-03-31', '2025-03-31', 'BOX', 2, noRate],
  ])
  await weighed.changeStock(
    { at: '2025-03-30T22:00', quantity: 2, to: {} },
    { at: '2025-03-30T22:00', quantity: 5, weightKG: 10, to: A2 },
  )
  assert.deepEqual(await unbilled(weighed.partnerId, until('2025-03-30')), [
    [
      ...['2025-03-30', '2025-03-30', 'BOX', 2],
      'It cannot be measured: its product has no weight, volume or unit of that kind.',
    ],
  ])
})

test('goods stored for free by agreement are not reported, nor is today, which is not over', async () => {
  const { partnerId, changeStock } = await chargedClient(charge({}, { ...inA1, rateExclTax: 0 }))
  await changeStock({ at: '2025-03-30T22:00', quantity: 8, to: {} })
  assert.deepEqual(await unbilled(partnerId), [])
  const now = new Date().toISOString()
  await changeStock({ at: now, quantity: 8, to: A2, type: 1 })
  assert.deepEqual(await unbilled(partnerId, { dateFrom: '2025-01-01', dateTo: '2099-01-01' }), [])
})

test('unbilled days are reported once later days are billed, and days of a future bill are not', async () => {
  const { partnerId, changeStock, bill } = await chargedClient(charge({}))
  await changeStock({ at: '2025-01-30T10:00', quantity: 2, to: {} })
  assert.deepEqual(await unbilled(partnerId), [])
  await bill('2025-02-01', '2025-02-28')
  await bill('2025-04-01', '2025-04-30')
  assert.deepEqual(await unbilled(partnerId), [
    ['2025-01-30', '2025-01-31', 'BOX', 4, missed],
    ['2025-03-01', '2025-03-31', 'BOX', 62, missed],
  ])
})

test('days of a billing run that raised no storage charges are reported', async () => {
  const { partnerId, changeStock } = await chargedClient(charge({}))
  await changeStock({ at: '2025-01-30T10:00', quantity: 2, to: {} })
  await database.inOneStatement(tx =>
    tx.run(sql`
      insert into billing_run (organisation_id, id, partner_id, period_from, period_to, status, step, due_utc,
        done_utc)
      values (${given.organisationId}, gen_random_uuid(), ${partnerId}, '2025-01-31', '2025-02-01', 3, 5, now(),
        now())`),
  )
  assert.deepEqual(await unbilled(partnerId), [['2025-01-30', '2025-02-01', 'BOX', 6, missed]])
})

test('billed days are judged by what they were billed from, whatever is recorded or priced later', async () => {
  const zoneId = await made(`/v1/warehouses/${warehouseId}/zones`, { name: 'Cold' })
  const { partnerId, changeStock, bill } = await chargedClient(charge({}, { when: { zoneIds: [zoneId] } }))
  await changeStock({ at: '2025-01-30T10:00', quantity: 2, to: { warehouseLocationId: locations.B1 } })
  const lost = (to: string, unitDays: number) => [['2025-01-30', to, 'BOX', unitDays, noMatch]]
  assert.deepEqual(await unbilled(partnerId, until('2025-02-28')), lost('2025-02-28', 60))
  await bill('2025-01-01', '2025-01-31')
  const path = `/v1/warehouses/${warehouseId}/locations/${locations.B1}`
  const moved = await admin.put(path, { warehouseZoneId: zoneId })
  assert.equal(moved.status, 200, JSON.stringify(moved.body))
  assert.deepEqual(await unbilled(partnerId, until('2025-02-28')), lost('2025-01-31', 4))
  await approveRates(partnerId, '2020-02-01', rate(charge({})))
  assert.deepEqual(await unbilled(partnerId, until('2025-02-28')), lost('2025-01-31', 4))
})

test('a version that begins within a billing period charges from the next period, and this is reported', async () => {
  const { partnerId, productId } = await client('BEGUN')
  await approveRates(partnerId, '2025-03-11', rate(charge({ method: 2 })))
  const goods = { partnerId, productId, receivedDate: '2025-03-09' }
  await postChanges(database, [{ at: '2025-03-09T10:00', quantity: 1, to: {} }], goods)
  await run(partnerId, '2025-03-01', '2025-03-31')
  await run(partnerId, '2025-04-01', '2025-04-30')
  assert.deepEqual(
    (await transactionsOf(partnerId)).map(({ periodFrom }) => periodFrom),
    ['2025-04-01'],
  )
  assert.deepEqual(await unbilled(partnerId), [
    ['2025-03-09', '2025-03-10', 'BOX', 2, noCard],
    [
      ...['2025-03-11', '2025-03-31', 'BOX', 21],
      'The version that charges it took effect within a billing period, and applies from the next one.',
    ],
  ])
})

test('a charge by the monthly average covers all days of the month, even those of the next version', async () => {
  const { partnerId, changeStock, bill } = await chargedClient(charge({ method: 2 }))
  await changeStock({ at: '2025-03-01T10:00', quantity: 1, to: {} })
  await approveRates(partnerId, '2025-03-20', rate(charge({}, { when: { locationIds: [locations.B1] } })))
  await bill('2025-03-01', '2025-03-31')
  assert.deepEqual(await unbilled(partnerId, until('2025-03-31')), [])
  assert.deepEqual(await unbilled(partnerId, until('2025-04-02')), [
    ['2025-04-01', '2025-04-02', 'BOX', 2, noMatch],
  ])
})

test('weeks that continue into the next month are billed with it, and are not reported', async () => {
  const { partnerId, changeStock, bill } = await chargedClient(charge({ period: 1 }))
  await changeStock({ at: '2025-03-03T10:00', quantity: 1, to: {} })
  await bill('2025-03-01', '2025-03-31')
  assert.deepEqual(await unbilled(partnerId), [])
  await bill('2025-04-01', '2025-04-30')
  assert.deepEqual(await unbilled(partnerId), [])
})

test('unbilled storage is filtered by warehouse and client; another organisation and the client see none', async () => {
  const { partnerId, productId } = await client('WHOSE')
  const goods = { partnerId, productId, receivedDate: '2025-03-30' }
  await postChanges(database, [{ at: '2025-03-30T22:00', quantity: 2, to: {} }], goods)
  assert.equal((await unbilled(partnerId, { warehouseId })).length, 1)
  const elsewhere = await made('/v1/warehouses', {
    ...{ name: 'Perth', code: 'PER', timezoneId: 'Australia/Perth' },
  })
  assert.deepEqual(await unbilled(partnerId, { warehouseId: elsewhere }), [])
  const filters = { dateFrom: '2025-01-01' }
  assert.deepEqual((await (await stranger()).post('/v1/reports/unbilled-work', filters)).body, [])
  assert.equal((await as(admin, { partnerId }).post('/v1/reports/unbilled-work', filters)).status, 403)
})

test('whatever happens to goods, billed and unbilled days together are all days of their storage', async () => {
  const move = fc.record({
    day: fc.integer({ min: 0, max: 88 }),
    hour: fc.integer({ min: 0, max: 23 }),
    quantity: fc.integer({ min: 1, max: 9 }),
    isA2: fc.boolean(),
    isOut: fc.boolean(),
  })
  const months: [string, string][] = [
    ['2025-03-01', '2025-03-31'],
    ['2025-04-01', '2025-04-30'],
    ['2025-05-01', '2025-05-31'],
  ]
  await fc.assert(
    fc.asyncProperty(
      fc.array(move, { minLength: 3, maxLength: 9 }),
      fc.subarray(months),
      fc.integer({ min: 1, max: 30 }),
      async (moves, billed, day) => {
        const { partnerId, changeStock } = await chargedClient(charge({}, inA1))
        const from = `2025-04-${String(day).padStart(2, '0')}`
        await approveRates(partnerId, from, rate(charge({}, { when: { locationIds: [locations.A2] } })))
        const held = [0, 0]
        for (const { day: n, hour, quantity, isA2, isOut } of moves.toSorted(
          (a, b) => a.day - b.day || a.hour - b.hour,
        )) {
          const date = new Date(Date.parse('2025-03-02') + n * 86_400_000).toISOString().slice(0, 10)
          const at = `${date}T${String(hour).padStart(2, '0')}:30`
          const side = Number(isA2)
          const where = isA2 ? A2 : {}
          if (!isOut) await changeStock({ at, quantity, to: where })
          else if ((held[side] as number) >= quantity) await changeStock({ at, quantity, from: where })
          else continue
          held[side] = (held[side] as number) + (isOut ? -quantity : quantity)
        }
        for (const month of billed) await run(partnerId, ...month)
        const { total } = await database.db.row<{ total: number }>(sql`
          select coalesce(sum(t.quantity), 0) as total
          from generate_series('2025-03-01'::date, '2025-05-31'::date, interval '1 day') d
          join warehouse_product s on s.partner_id = ${partnerId}
          join warehouse w on w.id = s.warehouse_id
          join inventory_transaction t on t.warehouse_product_id = s.id
            and (t.effective_utc at time zone w.timezone_id)::date <= d`)
        const paid = (await transactionsOf(partnerId)).reduce((sum, { quantity }) => sum + quantity, 0)
        // Days after the last bill that a rate covers are still to be billed.
        const last = billed.at(-1)?.[1] ?? '2025-02-28'
        const unbilledRows = await unbilled(partnerId, { dateFrom: '2025-03-01', dateTo: '2025-05-31' })
        const lost = unbilledRows.reduce((sum, [, , , quantity]) => sum + (quantity as number), 0)
        const { body } = await admin.post('/v1/storage-charges/preview', {
          ...{ partnerId, dateFrom: last < '2025-05-31' ? dayAfter(last) : last, dateTo: '2025-05-31' },
        })
        const due =
          last === '2025-05-31'
            ? 0
            : body.charges.reduce((sum: number, { quantity }: { quantity: number }) => sum + quantity, 0)
        assert.equal(paid + due + lost, total)
      },
    ),
    { numRuns: 12, endOnFailure: true },
  )
})

const dayAfter = (date: string): string => new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10)
