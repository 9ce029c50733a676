// Storage runs: the bill of a period, and the corrections for what becomes known later.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import { openStorage, type StockChange } from '../../support/given-storage.ts'
import fc from '../../support/properties.ts'

const { database, warehouseId, locations, admin, ...given } = await openStorage()
const { client, charge, rate, approveRates, postChanges, run, transactionsOf, chargedClient, proveAll } =
  given

const counts = { Closing: 1, Opening: 2, Chronological: 3, PartThereof: 4 }
const example: StockChange[] = [
  { at: '2025-03-30T22:00', quantity: 3, to: {} },
  { at: '2025-03-31T06:00', quantity: 3, from: {} },
]

test('three pallets in at 22:00 and out at 06:00 are counted by the storage count of the charge', async () => {
  const found: Record<string, number> = {}
  for (const [name, count] of Object.entries(counts)) {
    const { changeStock, bill, bills } = await chargedClient(charge({ count }))
    await changeStock(...example)
    await bill('2025-03-01', '2025-03-31')
    found[name] = (await bills())[0]?.[1] as number
  }
  assert.deepEqual(found, { Closing: 3, Opening: 3, Chronological: 6, PartThereof: 6 })
})

test('goods that leave within their free hours are never charged', async () => {
  for (const count of Object.values(counts)) {
    const { changeStock, bill, bills } = await chargedClient(charge({ count, freeHours: 12 }))
    await changeStock(...example)
    assert.deepEqual(await bill('2025-03-01', '2025-03-31'), { transactionIds: [] })
    assert.deepEqual(await bills(), [])
  }
})

test('a run records the rule, the period and the day, and a repeated run raises nothing', async () => {
  const {
    changeStock,
    bill,
    listTransactions: all,
    partnerId,
  } = await chargedClient(charge({}, { rateExclTax: 0.35 }))
  await changeStock({ at: '2025-03-30T22:00', quantity: 8, to: {} })
  const { transactionIds } = await bill('2025-03-01', '2025-03-31')
  const [transaction] = await all()
  assert.deepEqual(
    { ...transaction, id: null },
    {
      ...{ id: null, date: '2025-03-31', periodFrom: '2025-03-01', periodTo: '2025-03-31', groupKey: '' },
      ...{ quantity: 16, amountExclTax: 5.6, adjusts: null, particulars: 'Storage', status: 1 },
    },
  )
  assert.deepEqual(transactionIds, [transaction?.id])
  assert.deepEqual(await bill('2025-03-01', '2025-03-31'), { transactionIds: [] })
  const { runs } = await database.db.row<{ runs: number }>(sql`
    select count(*) as runs from storage_run where client_id = ${partnerId}`)
  assert.equal(runs, 1)
})

test('nothing is raised while no card prices storage, and a later card still charges it', async () => {
  const { partnerId, productId } = await client('NOCARD')
  await postChanges(database, example, { partnerId, productId, receivedDate: '2025-03-30' })
  assert.deepEqual(await run(partnerId, '2025-03-01', '2025-03-31'), { transactionIds: [] })
  await approveRates(partnerId, '2025-01-01', rate(charge({})))
  await run(partnerId, '2025-03-01', '2025-03-31')
  assert.deepEqual(
    (await transactionsOf(partnerId)).map(({ quantity }) => quantity),
    [3],
  )
})

test('a late receipt is charged by an adjusting transaction in every period that it affects', async () => {
  const { changeStock, bill, listTransactions: all } = await chargedClient(charge({}))
  await changeStock({ at: '2025-03-30T10:00', quantity: 10, to: {} })
  await bill('2025-03-01', '2025-03-31')
  await changeStock({ at: '2025-03-31T10:00', quantity: 5, to: {} })
  await bill('2025-04-01', '2025-04-30')
  const [march, ...later] = await all()
  assert.equal(march?.quantity, 20)
  assert.deepEqual(
    later.map(({ id, status, ...transaction }) => transaction),
    [
      {
        ...{ date: '2025-04-30', periodFrom: '2025-03-01', periodTo: '2025-03-31', groupKey: '' },
        ...{ quantity: 5, amountExclTax: 5, adjusts: march?.id },
        particulars: 'Correction of 2025-03-01 to 2025-03-31: Storage',
      },
      {
        ...{ date: '2025-04-30', periodFrom: '2025-04-01', periodTo: '2025-04-30', groupKey: '' },
        ...{ quantity: 450, amountExclTax: 450, adjusts: null, particulars: 'Storage' },
      },
    ],
  )
})

test('goods that nobody knew of when their period was billed are charged with the words of that period', async () => {
  const { changeStock, bill, listTransactions: all } = await chargedClient(charge({ groupBy: ['location'] }))
  await changeStock({ at: '2025-03-30T10:00', quantity: 10, to: { warehouseLocationId: locations.A1 } })
  await bill('2025-03-01', '2025-03-31')
  await changeStock({ at: '2025-03-31T10:00', quantity: 5, to: { warehouseLocationId: locations.A2 } })
  await bill('2025-04-01', '2025-04-30')
  const late = (await all()).filter(({ groupKey }) => groupKey.endsWith(locations.A2))
  assert.deepEqual(
    late.map(({ adjusts, periodTo, particulars }) => ({ adjusts, periodTo, particulars })),
    [
      {
        ...{ adjusts: null, periodTo: '2025-03-31' },
        particulars: 'Correction of 2025-03-01 to 2025-03-31: Storage, A-02',
      },
      { adjusts: null, periodTo: '2025-04-30', particulars: 'Storage, A-02' },
    ],
  )
})

test('a preview shows every day, and the goods that no rate charges', async () => {
  const { partnerId, productId, changeStock } = await chargedClient(
    charge({ groupBy: ['product'] }, { when: { locationIds: [locations.A1] }, rateExclTax: 0.5 }),
  )
  await changeStock(
    { at: '2025-03-30T22:00', quantity: 8, to: {} },
    { at: '2025-03-31T06:00', quantity: 3, from: {}, to: { warehouseLocationId: locations.A2 } },
  )
  const preview = (more: object = {}) =>
    admin.post('/v1/storage-charges/preview', {
      ...{ partnerId, dateFrom: '2025-03-30', dateTo: '2025-03-31', ...more },
    })
  const { status, body } = await preview()
  assert.equal(status, 200, JSON.stringify(body))
  const [{ series, ...shown }, ...others] = body.charges
  assert.deepEqual(others, [])
  assert.deepEqual(
    { ...shown, rateId: '', rateChargeId: '', rateCardVersionId: '' },
    {
      ...{ warehouseId, periodFrom: '2025-03-30', periodTo: '2025-03-31', groupKey: `product=${productId}` },
      ...{ rateId: '', rateChargeId: '', rateCardVersionId: '', particulars: 'Storage, Boxes' },
      ...{ activityCode: 'STORAGE', activityName: 'Storage', revenueAccountId: null, costCentreId: null },
      ...{ quantity: 13, chargeRateExclTax: 0.5, baseChargeExclTax: null, minChargeExclTax: null },
      ...{ maxChargeExclTax: null, chargeApplication: 1, taxRateId: given.taxRateId, taxRatePercent: 15 },
      amountExclTax: 6.5,
    },
  )
  assert.deepEqual(
    series.map(({ ledgerRows, ...day }: { ledgerRows: object[] }) => ({ ...day, named: ledgerRows.length })),
    [
      {
        ...{ day: '2025-03-30', opening: '0.000000', in: '8.000000', out: '0.000000', peak: '8.000000' },
        ...{ closing: '8.000000', counted: '8.000000', ledgerRowCount: 1, named: 1 },
      },
      {
        ...{ day: '2025-03-31', opening: '8.000000', in: '0.000000', out: '3.000000', peak: '8.000000' },
        ...{ closing: '5.000000', counted: '5.000000', ledgerRowCount: 1, named: 1 },
      },
    ],
  )
  assert.deepEqual(body.unrated, [
    {
      ...{ warehouseId, partnerProductId: productId, partnerProductCode: 'BOX', partnerProductName: 'Boxes' },
      ...{ unitDays: 3, reason: 3 },
    },
  ])
  const tried = await preview({ warehouseId, content: given.content(rate(charge({}))) })
  assert.deepEqual(
    tried.body.charges.map(({ quantity }: { quantity: number }) => quantity),
    [16],
  )
  const dear = charge({}, { rateExclTax: 99_999_999_999 })
  const tooMuch = await preview({ warehouseId, content: given.content(rate(dear)) })
  assert.deepEqual(
    [tooMuch.status, tooMuch.body.ErrorMessages],
    [400, ['The storage by the rate Storage is too much to be charged.']],
  )
  assert.deepEqual(await given.transactionsOf(partnerId), [], 'nothing is stored')
})

test('a preview is refused for more than 93 days, for two sources of prices, and for a partner that is not a client', async () => {
  const { partnerId } = await client('ASKED')
  const days = { dateFrom: '2025-01-01', dateTo: '2025-04-03' }
  const outcomeOf = async (body: object) => {
    const answer = await admin.post('/v1/storage-charges/preview', { partnerId, ...days, ...body })
    return [answer.status, ...(answer.body.ErrorMessages ?? [])]
  }
  assert.deepEqual(await outcomeOf({}), [200])
  assert.deepEqual(await outcomeOf({ dateTo: '2025-04-04' }), [
    400,
    'dateTo must be within 93 days of dateFrom.',
  ])
  assert.deepEqual(await outcomeOf({ dateTo: '2024-12-31' }), [400, 'dateTo must not be before dateFrom.'])
  assert.deepEqual(await outcomeOf({ partnerId: given.carrierId }), [
    400,
    'partnerId does not refer to a client.',
  ])
  assert.deepEqual(await outcomeOf({ warehouseId: partnerId }), [
    400,
    'warehouseId does not refer to a warehouse.',
  ])
})

test('waived storage counts as billed, so no run raises it again', async () => {
  const { changeStock, bill, listTransactions: all, partnerId } = await chargedClient(charge({}))
  await changeStock({ at: '2025-03-30T10:00', quantity: 10, to: {} })
  await bill('2025-03-01', '2025-03-31')
  await database.inOneStatement(tx =>
    tx.run(sql`update schedule_transaction set status = 3 where partner_id = ${partnerId}`),
  )
  await changeStock({ at: '2025-03-31T10:00', quantity: 5, to: {} })
  await bill('2025-03-01', '2025-03-31')
  assert.deepEqual(
    (await all()).map(({ quantity, status }) => [quantity, status]),
    [
      [20, 3],
      [5, 1],
    ],
  )
})

test('of simultaneous runs one bills, and the others find nothing to do', async () => {
  const { changeStock, bill, bills } = await chargedClient(charge({}))
  await changeStock({ at: '2025-03-30T10:00', quantity: 10, to: {} })
  const runs = await Promise.all(Array.from({ length: 3 }, () => bill('2025-03-01', '2025-03-31')))
  assert.equal(runs.flatMap(({ transactionIds }) => transactionIds).length, 1)
  assert.deepEqual(await bills(), [['2025-03-01', 20, 20]])
})

test('a new version applies from its first midnight with SumOfDays, and otherwise from the next period', async () => {
  const { partnerId, changeStock, listTransactions: all } = await chargedClient(charge({}))
  await approveRates(
    partnerId,
    '2025-03-11',
    rate(charge({}, { rateExclTax: 2 })),
    rate(charge({ method: 2 })),
  )
  await changeStock({ at: '2025-03-01T00:00', quantity: 1, to: {} })
  await run(partnerId, '2025-03-01', '2025-03-31')
  await run(partnerId, '2025-04-01', '2025-04-30')
  assert.deepEqual(
    (await all()).map(({ periodTo, quantity, amountExclTax }) => [periodTo, quantity, amountExclTax]),
    [
      ['2025-03-31', 10, 10],
      ['2025-03-31', 21, 42],
      ['2025-04-30', 30, 60],
      ['2025-04-30', 1, 1],
    ],
  )
})

test('a transaction is proved by its days and a correction by its late lines, and nothing later changes the proofs', async () => {
  const { partnerId, productId, changeStock, bill } = await chargedClient(
    charge({ count: 3 }, { rateExclTax: 0.5 }),
  )
  await changeStock({ at: '2025-03-30T10:00', quantity: 10, to: {} })
  await bill('2025-03-01', '2025-03-31')
  await changeStock({ at: '2025-03-31T10:00', quantity: 5, to: {} })
  await bill('2025-03-01', '2025-03-31')
  const [first, second] = await proveAll(partnerId)
  assert.deepEqual(
    first?.series.filter(({ counted }) => counted !== '0.000000').map(({ day, counted }) => [day, counted]),
    [
      ['2025-03-30', '10.000000'],
      ['2025-03-31', '10.000000'],
    ],
  )
  assert.equal(first?.adjusting, null)
  assert.equal(first?.rule?.charge.rateExclTax, 0.5)
  assert.deepEqual(
    [second?.adjusting?.before.amountExclTax, second?.adjusting?.now.amountExclTax],
    [10, 12.5],
  )
  assert.equal(second?.adjusting?.lateRowCount, 1)
  await admin.put(`/v1/partners/${partnerId}/products/${productId}`, { freeStorageHours: 999 })
  await changeStock({ at: '2025-03-02T10:00', quantity: 100, to: { receivedDate: '2025-03-02' } })
  await proveAll(partnerId)
  await bill('2025-03-01', '2025-03-31')
  assert.equal((await proveAll(partnerId)).length, 3)
})

test('with late movements and runs in any order, the transactions of a key add up to one run that knows everything', async () => {
  const receipt = fc.record({
    day: fc.integer({ min: 1, max: 75 }),
    quantity: fc.integer({ min: 1, max: 40 }),
  })
  const storages = [
    charge({ count: 3, groupBy: ['location'] }),
    charge({ method: 3 }, { minExclTax: 30 }),
    charge({ method: 4, receiptsCharged: 3, period: 1, freeHours: 30 }),
    charge(
      { method: 5, period: 1 },
      {
        breaks: { kind: 2, bands: [{ upTo: 20, rateExclTax: 1 }, { rateExclTax: 0.5 }] },
        rateExclTax: undefined,
      },
    ),
  ]
  const months: [string, string][] = [
    ['2025-03-01', '2025-03-31'],
    ['2025-04-01', '2025-04-30'],
    ['2025-05-01', '2025-05-31'],
  ]
  await fc.assert(
    fc.asyncProperty(fc.array(receipt, { minLength: 4, maxLength: 8 }), async receipts => {
      const [early, whole] = [await chargedClient(...storages), await chargedClient(...storages)]
      const changes = receipts.map(({ day, quantity }, n) => {
        const date = new Date(Date.parse('2025-03-01') + day * 86_400_000).toISOString().slice(0, 10)
        const to = { receivedDate: date, warehouseLocationId: n % 2 === 0 ? locations.A1 : locations.A2 }
        return { at: `${date}T13:00`, quantity, to }
      })
      for (const [n, happening] of changes.entries()) {
        await early.changeStock(happening)
        await whole.changeStock(happening)
        await early.bill(...(months[Math.min(Math.floor(n / 2), 2)] as [string, string]))
      }
      for (const month of months) {
        await early.bill(...month)
        await whole.bill(...month)
      }
      const sums = async (partnerId: string) =>
        (
          await database.db.rows<{ key: string; amount: number }>(sql`
            select c.n || ' ' || t.period_from || ' ' || t.group_key as key, sum(t.amount_excl_tax) as amount
            from schedule_transaction t
            join rate_card_version v on v.id = t.rate_card_version_id
            cross join lateral (
              select ordinality as n from json_array_elements(v.content -> 'rates') with ordinality r
              where r.value ->> 'id' = t.rate_id::text
            ) c
            where t.partner_id = ${partnerId} group by 1 having sum(t.amount_excl_tax) <> 0 order by 1`)
        ).map(({ key, amount }) => [key, amount])
      assert.deepEqual(await sums(early.partnerId), await sums(whole.partnerId))
      await proveAll(early.partnerId)
    }),
    { numRuns: 4, endOnFailure: true },
  )
})
