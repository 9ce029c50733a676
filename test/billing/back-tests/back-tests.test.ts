import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Comparison, type TestedCard } from '../../../src/billing/back-tests/compare.ts'
import { deleteOldBackTests, runDueBackTest } from '../../../src/billing/back-tests/run-back-tests.ts'
import { storeResult } from '../../../src/billing/back-tests/store-result.ts'
import { copiedTexts } from '../../../src/billing/charges/closing-texts.ts'
import { sql } from '../../../src/platform/database/db.ts'
import { backTestsOf, backTestWorker } from '../../support/given-back-tests.ts'
import { openRates } from '../../support/given-rates.ts'

const { world, clientId, carrierId, taxRateId, activityTypeId, ...given } = await openRates()
const { admin, as, database } = world
const { card, charge, content, draft, approve, createApprovedVersion, rate, freight, goods, charges } = given
const { include, close, reopen, transactionsOf, enter, made, wrapping } = given
const { requestBackTest, read, runBackTest, differences, adjust, cancel, path } = backTestsOf(database, admin)

const complete = (id: string) => admin.put(`/v1/consignments/${id}/status`, { status: 0 })
/** Creates a Closed consignment, by default of 2 March 2026. */
async function closed(...[lines, more = {}]: Parameters<typeof goods>): Promise<string> {
  const id = await goods(lines, { type: 0, ...more })
  await complete(id)
  assert.equal((await close(id)).status, 200)
  return id
}
const onDay = (id: string, day: string) =>
  database.atomically(tx => tx.run(sql`update consignment set date_entered = ${day} where id = ${id}`))

const handling = {
  id: '018f0000-0000-7000-8000-00000000aaaa',
  name: 'Handling',
  kind: 1,
  basis: 1,
  activityTypeId,
}
const perItem = { id: '018f0000-0000-7000-8000-00000000bbbb', metric: 2, application: 1 }
const wrap = { id: '018f0000-0000-7000-8000-00000000cccc', metric: 7, application: 1, rateExclTax: 5 }
const road = { id: '018f0000-0000-7000-8000-00000000dddd', name: 'Road', kind: 2, basis: 1 }
const perKG = { id: '018f0000-0000-7000-8000-00000000eeee', metric: 3, application: 1 }
/** A content with the same ids each time. */
const prices = (item: number, kg: number) =>
  content(
    { ...handling, charges: [{ ...perItem, rateExclTax: item }] },
    {
      ...handling,
      id: '018f0000-0000-7000-8000-00000000ffff',
      name: 'Wrapping',
      charges: [{ ...wrap, when: { taskTypeIds: [wrapping] } }],
    },
    { ...road, charges: [{ ...perKG, rateExclTax: kg, minExclTax: 3 }] },
  )
const cardId = await card()
const version = await createApprovedVersion(cardId, prices(0.5, 0.1))
const small = await closed([{ quantity: 8 }])
const large = await goods([{ quantity: 600 }, { quantity: 10, productId: null }], { type: 0, tasks: 2 })
await enter(large, 'client-activity')
await complete(large)
await close(large)
const later = await goods([{ quantity: 100 }], { type: 0, carrierId: null })
await onDay(later, '2026-05-31T23:30:00')
await complete(later)
await close(later)

test("the version in force gives every consignment's bill again", async () => {
  const { control, totals, rows, ...rest } = await runBackTest({ rateCardVersionId: version })
  assert.deepEqual(control, { checked: 3, differing: 0 })
  // 8, 610 and 100 items at 0.50; two wraps; 16 kg, 1,200 kg and 200 kg at 0.10, with a minimum of 3.00.
  assert.deepEqual(totals, { before: 359 + 10 + 143, after: 512, difference: 0 })
  assert.deepEqual([rest.consignmentCount, rest.partCount, rest.differingCount], [3, 5, 0])
  assert.deepEqual(await differences(rest.id), [])
  const shown = rows.map((row: Record<string, unknown>) => [
    ...[row.partnerCode, row.month, row.rateName, row.countBefore, row.amountBefore, row.amountAfter],
    row.difference,
  ])
  assert.deepEqual(shown, [
    ['KAURI', '2026-03-01', 'Handling', 2, 309, 309, 0],
    ['KAURI', '2026-03-01', 'Wrapping', 1, 10, 10, 0],
    ['KAURI', '2026-03-01', 'Road', 2, 123, 123, 0],
    ['KAURI', '2026-05-01', 'Handling', 1, 50, 50, 0],
    ['KAURI', '2026-05-01', 'Road', 1, 20, 20, 0],
  ])
})

test('a tested content shows what it would have changed, the largest differences first', async () => {
  const { totals, id, unrated, control } = await runBackTest({ content: prices(0.25, 0.2) })
  assert.equal(control.differing, 0)
  // Items at half the rate: 359 becomes 179.50. Weight at twice the rate: 3.20 for the small one, not the
  // minimum.
  assert.deepEqual(totals, { before: 512, after: 179.5 + 10 + 3.2 + 240 + 40, difference: -39.3 })
  const found = await differences(id)
  assert.deepEqual(
    found.map((one: { consignmentId: string; before: number; after: number }) => [
      one.consignmentId,
      one.before,
      one.after,
    ]),
    [
      [large, 435, 402.5],
      [later, 70, 65],
      [small, 7, 5.2],
    ],
  )
  assert.deepEqual(found[2].rates, [
    { name: 'Handling', before: 4, after: 2 },
    { name: 'Road', before: 3, after: 3.2 },
  ])
  assert.deepEqual(unrated, [])
  const other = await runBackTest({ content: content(rate([charge({ metric: 3 })])) })
  assert.deepEqual(other.unrated, [
    { reason: 2, count: 1 },
    { reason: 4, count: 1 },
  ])
})

test('the period is of local days, both ends included, and covers the requested partners and kinds', async () => {
  const before = async (body: object) => (await runBackTest({ content: prices(1, 1), ...body })).totals.before
  assert.equal(await before({ dateFrom: '2026-03-02', dateTo: '2026-03-02' }), 442)
  assert.equal(await before({ dateFrom: '2026-03-03', dateTo: '2026-05-30' }), 0)
  assert.equal(await before({ dateFrom: '2026-05-31', dateTo: '2026-05-31' }), 70)
  assert.equal(await before({ kinds: [2] }), 143)
  assert.equal(await before({ kinds: [1] }), 369)
  const other = await made('/v1/partners', { name: 'Tussock', code: 'TUSSOCK', relationship: 1 })
  assert.equal(await before({ partnerIds: [other] }), 0)
  assert.equal(await before({ partnerIds: [other, clientId] }), 512)
})

test('a fall-back card is tested on partners without a card of their own', async () => {
  const fallBack = await card(null)
  const id = await draft(fallBack, prices(9, 9))
  assert.deepEqual((await runBackTest({ rateCardVersionId: id })).totals, {
    before: 0,
    after: 0,
    difference: 0,
  })
  await admin.put(`/v1/rate-cards/${cardId}`, { status: 2 })
  assert.equal((await runBackTest({ rateCardVersionId: id })).totals.before, 512)
  await admin.put(`/v1/rate-cards/${cardId}`, { status: 1 })
})

test('an excluded charge stays excluded if the tested card has it, and otherwise counts on both sides', async () => {
  const id = await goods([{ quantity: 40 }], { type: 0, carrierId: null })
  const [{ id: chargeId }] = (await charges(id)).clientActivityCharges
  await include(id, chargeId, false)
  await onDay(id, '2026-06-01T09:00:00')
  await complete(id)
  await close(id)
  const june = { dateFrom: '2026-06-01', dateTo: '2026-06-30' }
  const known = await runBackTest({ ...june, content: prices(1, 0.1) })
  assert.deepEqual(
    [known.totals, known.control],
    [
      { before: 8, after: 8, difference: 0 },
      { checked: 1, differing: 0 },
    ],
  )
  const unknown = await runBackTest({
    ...june,
    content: content(rate([charge({ rateExclTax: 1 })])),
    kinds: [1],
  })
  assert.deepEqual(unknown.totals, { before: 20, after: 40, difference: 20 })
})

test('a reopened consignment counts once after it is Closed again', async () => {
  const id = await goods([{ quantity: 10 }], { type: 0, carrierId: null })
  await onDay(id, '2026-07-01T09:00:00')
  await complete(id)
  await close(id)
  const july = { dateFrom: '2026-07-01', dateTo: '2026-07-31', rateCardVersionId: version }
  // 10 items at 0.50; 20 kg at 0.10, with a minimum of 3.00.
  const counted = async () => {
    const { consignmentCount, totals } = await runBackTest(july)
    return [consignmentCount, totals.before]
  }
  assert.deepEqual(await counted(), [1, 8])
  await reopen(id)
  assert.deepEqual(await counted(), [0, 0])
  await close(id)
  assert.deepEqual(await counted(), [1, 8])
  await reopen(id)
})

test('a bill that cannot be derived is reported, and counts as billed', async () => {
  const change = (amount: number) =>
    database.atomically(async tx => {
      await tx.run(sql`set local session_replication_role = replica`)
      await tx.run(sql`
        update consignment_charge set amount_excl_tax = amount_excl_tax + ${amount}
        where consignment_id = ${small} and rate_charge_id = ${perItem.id}`)
      await tx.run(sql`
        update charge_input i set client_amounts = t.client_amounts from (
          select i.consignment_id, t.client_amounts
          from charge_input i cross join lateral (${copiedTexts}) t where i.consignment_id = ${small}
        ) t
        where i.consignment_id = t.consignment_id`)
    })
  await change(2)
  const { control, totals, id, rows } = await runBackTest({
    rateCardVersionId: version,
    dateTo: '2026-03-31',
  })
  assert.deepEqual(control, { checked: 2, differing: 1 })
  assert.deepEqual(totals, { before: 444, after: 442, difference: -2 })
  assert.deepEqual((await differences(id))[0].rates, [{ name: 'Handling', before: 6, after: 4 }])
  assert.equal(rows.length, 3)
  await change(-2)
})

test("freight is adjusted by the tested card's profile, and its localities are looked up", async () => {
  const fafProfileId = await made('/v1/faf-profiles', { name: 'Fuel' })
  const raise = (fafPercent: number, more: object) =>
    made(`/v1/faf-profiles/${fafProfileId}/rates`, { fafPercent, ...more })
  await raise(0.5, { effectiveFromUtc: '2020-01-01T00:00:00Z' })
  await raise(0.25, { effectiveFromUtc: '2020-01-01T00:00:00Z', carrierId })
  await raise(0.9, { effectiveFromUtc: '2026-11-01T00:00:00Z' })
  const of = { kinds: [2], dateFrom: '2026-03-02', dateTo: '2026-05-31' }
  const after = async (body: object) => (await runBackTest({ ...of, content: body })).totals.after
  // 3.00 and 120.00 by a carrier with its own row in the profile, 20.00 by the default row.
  assert.equal(await after({ ...prices(0, 0.1), fafProfileId }), 3.75 + 150 + 30)
  const north = await made('/v1/localities', {
    ...{ name: 'North', areas: [{ country: 'NZ', postcodeFrom: '0', postcodeTo: '2999' }] },
  })
  const there = await closed([{ quantity: 1 }], { to: { country: 'NZ', postCode: '1010' } })
  await closed([{ quantity: 1 }], { to: { country: 'NZ', postCode: '9010' } })
  const flat = charge({ metric: 1, rateExclTax: 7, when: { destinationLocalityIds: [north] } })
  const found = await runBackTest({ ...of, content: content(freight([flat])) })
  assert.equal(found.totals.after, 7)
  assert.ok(
    (await differences(found.id)).some(
      (one: { consignmentId: string; after: number }) => one.consignmentId === there && one.after === 7,
    ),
  )
  assert.deepEqual(found.unrated, [{ reason: 5, count: 3 }])
})

test('the version of the bill is tested with the adjustment and localities frozen at closing', async () => {
  const fafProfileId = await made('/v1/faf-profiles', { name: 'Road fuel' })
  const raise = (fafPercent: number, effectiveFromUtc: string) =>
    made(`/v1/faf-profiles/${fafProfileId}/rates`, { fafPercent, effectiveFromUtc })
  await raise(0.1, '2020-01-01T00:00:00Z')
  const areas = [{ country: 'NZ', postcodeFrom: '3000', postcodeTo: '3999' }]
  const south = await made('/v1/localities', { name: 'South', areas })
  const flat = charge({ metric: 1, rateExclTax: 7, when: { destinationLocalityIds: [south] } })
  const there = { ...content(freight([flat, charge({ metric: 1, rateExclTax: 10 })])), fafProfileId }
  const of = { dateFrom: '2026-08-01', dateTo: '2026-08-01' }
  const id = await createApprovedVersion(cardId, there, '2026-01-01')
  const one = await goods([{ quantity: 1 }], { type: 0, to: { country: 'NZ', postCode: '9000' } })
  await onDay(one, '2026-08-01T09:00:00')
  await complete(one)
  await close(one)
  await raise(0.5, '2026-07-01T00:00:00Z')
  await admin.put(`/v1/localities/${south}`, {
    areas: [...areas, { country: 'NZ', postcodeFrom: '9000', postcodeTo: '9999' }],
  })
  assert.deepEqual((await runBackTest({ ...of, rateCardVersionId: id })).totals, {
    before: 11,
    after: 11,
    difference: 0,
  })
  assert.equal(
    (await runBackTest({ ...of, content: there })).totals.after,
    10.5,
    'a content is tried as of now',
  )
  await createApprovedVersion(cardId, prices(0.5, 0.1), '2026-01-02')
})

test("a carrier's card is tested on carrier charges", async () => {
  const carriers = await card(carrierId, 2)
  const costs = await createApprovedVersion(
    carriers,
    content(freight([charge({ metric: 1, rateExclTax: 40 })], 3)),
  )
  const id = await goods([{ quantity: 5 }], { type: 0 })
  await onDay(id, '2026-07-01T09:00:00')
  await complete(id)
  await close(id)
  const july = { dateFrom: '2026-07-01', dateTo: '2026-07-31' }
  const same = await runBackTest({ ...july, rateCardVersionId: costs })
  assert.deepEqual(
    [same.totals, same.control],
    [
      { before: 40, after: 40, difference: 0 },
      { checked: 1, differing: 0 },
    ],
  )
  const dearer = await runBackTest({
    ...july,
    content: content(freight([charge({ metric: 1, rateExclTax: 55 })], 3)),
  })
  assert.equal(dearer.totals.difference, 15)
  await admin.put(`/v1/rate-cards/${carriers}`, { status: 2 })
})

test('every fault of a request is reported', async () => {
  const refused = async (body: object) => {
    const answer = await admin.post(path, { dateFrom: '2026-01-01', dateTo: '2026-12-31', ...body })
    assert.equal(answer.status, 400, JSON.stringify(answer.body))
    return answer.details?.map(one => one.path)
  }
  assert.deepEqual(await refused({}), ['content'])
  assert.deepEqual(await refused({ content: prices(1, 1), dateTo: '2025-12-31' }), ['dateTo'])
  assert.deepEqual(await refused({ content: prices(1, 1), dateTo: '2028-01-02' }), ['dateTo'])
  assert.deepEqual(await refused({ content: prices(1, 1), kinds: [6] }), ['kinds[0]'])
  assert.deepEqual(await refused({ rateCardVersionId: clientId }), ['rateCardVersionId'])
  assert.deepEqual(await refused({ content: prices(1, 1), partnerIds: [clientId, carrierId] }), [
    'partnerIds[1]',
  ])
  assert.deepEqual(
    await refused({
      content: content(rate([charge({ metric: 7 })]), rate([charge({ unitTypeId: clientId })])),
    }),
    ['content.rates[0].charges[0].when.taskTypeIds', 'content.rates[1].charges[0].unitTypeId'],
  )
})

test('an organisation runs one test at a time, and a test can be cancelled', async () => {
  const first = await requestBackTest({ rateCardVersionId: version })
  assert.equal(
    (await admin.post(path, { dateFrom: '2026-01-01', dateTo: '2026-01-31', rateCardVersionId: version }))
      .status,
    409,
  )
  assert.equal((await cancel(first)).status, 200)
  assert.equal((await read(first)).status, 5)
  assert.equal((await cancel(first)).status, 400)
  assert.equal(await runDueBackTest(backTestWorker(database)), false)
  await runBackTest({ rateCardVersionId: version })
})

test('a test that is cancelled while it runs is not stored', async () => {
  const id = await requestBackTest({ rateCardVersionId: version })
  const making = runDueBackTest(backTestWorker(database))
  while ((await read(id)).status !== 2);
  assert.equal((await cancel(id)).status, 200)
  await making
  const { status, rows } = await read(id)
  assert.deepEqual([status, rows], [5, []])
})

test('the result of a test that was cancelled before it is stored is dropped', async () => {
  const id = await requestBackTest({ rateCardVersionId: version })
  await database.atomically(tx =>
    tx.run(sql`
      update rate_card_back_test
      set status = 2, lease_number = 7, leased_until = now() + interval '1 minute' where id = ${id}`),
  )
  assert.equal((await cancel(id)).status, 200)
  const nothing = { version: { content: { rates: [] }, card: { rates: [] } } } as unknown as TestedCard
  const leased = { organisationId: admin.actor.organisationId, id, leaseNumber: 7 }
  const isStored = await database.atomically(tx =>
    storeResult(tx, leased, new Comparison(nothing), { codes: new Map(), durationMs: 1 }),
  )
  assert.deepEqual([isStored, (await read(id)).status], [false, 5])
})

test('a test whose worker stopped or died starts again, and the dead worker stores nothing', async () => {
  const id = await requestBackTest({ rateCardVersionId: version })
  await runDueBackTest(backTestWorker(database), AbortSignal.abort())
  assert.equal((await read(id)).status, 1, 'whoever stops gives it back')
  await database.atomically(tx =>
    tx.run(sql`
      update rate_card_back_test
      set status = 2, lease_number = 7, leased_until = now() - interval '1 second' where id = ${id}`),
  )
  while (await runDueBackTest(backTestWorker(database)));
  assert.equal((await read(id)).status, 3)
})

test('tests are kept for 30 days', async () => {
  const { id } = await runBackTest({ content: prices(2, 2) })
  const end = (days: number) =>
    database.atomically(tx =>
      tx.run(
        sql`update rate_card_back_test set finished_utc = now() - ${days} * interval '1 day' where id = ${id}`,
      ),
    )
  await end(29)
  await deleteOldBackTests(database)
  assert.equal((await read(id)).status, 3)
  await end(31)
  await deleteOldBackTests(database)
  assert.equal((await admin.get(`${path}/${id}`)).status, 404)
})

test('differences from an Approved version are billed once, except for consignments that changed since', async () => {
  const id = await draft(cardId, prices(0.75, 0.1), '2026-02-01')
  const period = { rateCardVersionId: id, dateFrom: '2026-03-02', dateTo: '2026-05-31' }
  const draftTest = await runBackTest(period)
  assert.equal((await adjust(draftTest.id)).status, 400, 'nobody is billed by a draft')
  await approve(cardId, id)
  const { id: testId, differingCount } = await runBackTest(period)
  await reopen(small)
  const [one, two] = await Promise.all([adjust(testId), adjust(testId)])
  const count = one.body.raised + two.body.raised
  assert.equal(count, differingCount - 1, JSON.stringify([one.body, two.body]))
  assert.ok(one.body.raised === 0 || two.body.raised === 0)
  const first = one.body.raised > 0 ? one.body : two.body
  assert.deepEqual(
    first.skipped.map((skipped: { consignmentId: string; reason: number }) => [
      skipped.consignmentId,
      skipped.reason,
    ]),
    [[small, 1]],
  )
  const adjusting = (await transactionsOf(large)).filter(
    ({ consignmentChargeId }) => consignmentChargeId === null,
  )
  assert.deepEqual(
    adjusting.map(({ amountExclTax, type, status, partnerId }) => [amountExclTax, type, status, partnerId]),
    [[152.5, 3, 1, clientId]],
  )
  const again = await runBackTest(period)
  assert.deepEqual(
    [again.totals.difference, again.control.differing],
    [0, 0],
    'what was adjusted counts as billed',
  )
  await complete(small)
  await close(small)
  assert.equal(
    (await adjust(testId)).body.raised,
    0,
    'it was billed by the new version when it was Closed again',
  )
  assert.deepEqual((await reopen(large)).status, 200)
  assert.equal(
    (await transactionsOf(large)).filter(({ status }) => status !== 3).length,
    0,
    'reopening voids adjustments too',
  )
})

test('people of a partner cannot see back-tests', async () => {
  const { id } = await runBackTest({ content: prices(2, 2) })
  const client = as(admin, { partnerId: clientId })
  const seen = [
    client.get(path),
    client.get(`${path}/${id}`),
    client.get(`${path}/${id}/differences`),
    client.post(path, { dateFrom: '2026-01-01', dateTo: '2026-12-31', rateCardVersionId: version }),
    client.post(`${path}/${id}/adjust`),
    client.delete(`${path}/${id}`),
  ]
  for (const answer of await Promise.all(seen)) assert.equal(answer.status, 403)
  const reader = as(admin, { scopes: ['financial.read'] })
  assert.equal((await reader.get(path)).status, 200)
  assert.equal((await reader.post(`${path}/${id}/adjust`)).status, 403)
})
