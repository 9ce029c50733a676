import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBillableConsignments } from '../../../src/billing/charges/read-billable-consignments.ts'
import { type Sql, sql } from '../../../src/platform/database/db.ts'
import { openRates } from '../../support/given-rates.ts'

const { world, clientId, carrierId, warehouseId, ...given } = await openRates()
const { admin, as, database } = world
const {
  card,
  charge: chargeOf,
  content,
  createApprovedVersion,
  rate,
  freight,
  goods,
  charges,
  include,
  close,
  reopen,
} = given
const { transactionsOf, made, taxRateId, wrapping, productId, activityTypeId, enter: enterCharge } = given

const path = (id: string) => `/v1/consignments/${id}`
const cardId = await card()
let priced = 0
/** Puts new prices in force, each time with a later effective date than before. */
const prices = (...rates: object[]) =>
  createApprovedVersion(cardId, content(...rates), `2020-01-${String(++priced).padStart(2, '0')}`)
const complete = (id: string) => admin.put(`${path(id)}/status`, { status: 0 })

interface Shown {
  id: string
  amountExclTax: number
  isEffective: boolean
  isAdhoc: boolean
}
const amounts = (list: Shown[]) => list.map(({ amountExclTax }) => amountExclTax)

test('an open consignment is charged by the card in force, with every field', async () => {
  const version = await prices(
    rate([
      chargeOf({ rateExclTax: 0.35, baseExclTax: 2, particulars: '{metric} of {activityName} at {rate}' }),
    ]),
  )
  const id = await goods([{ quantity: 8 }])
  const { clientActivityCharges, unrated, isByExpected, freightMargin } = await charges(id)
  const [{ id: chargeId, ...shown }] = clientActivityCharges
  assert.match(chargeId, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.deepEqual(shown, {
    ...{
      isEffective: true,
      particulars: '8 of Handling at 0.35',
      metricValue: 8,
      chargeMin: 0,
      chargeBase: 2,
    },
    ...{ chargeRate: 0.35, amountExclTax: 4.8, taxRatePercent: 15, fafPercent: 0, isAdhoc: false },
    ...{ chargeTypeCode: 'ClientActivityMetricRate', chargeTypeName: 'Client activity, rate by metric' },
    ...{ activityCode: 'HANDLING', activityName: 'Handling', rateCardVersionId: version },
  })
  assert.deepEqual([unrated, isByExpected], [[], false])
  assert.equal(freightMargin.incurredExclTax, null, 'the cost of freight is not known')
  assert.equal((await charges(id)).clientActivityCharges[0].id, chargeId, 'the same on every read')
})

test('charges follow every change: of a task, a route, a new version', async () => {
  const wrap = chargeOf({ metric: 7, rateExclTax: 5, when: { taskTypeIds: [wrapping] } })
  const express = chargeOf({ metric: 1, rateExclTax: 30, when: { carrierIds: [carrierId] } })
  await prices(rate([wrap]), freight([express]))
  const id = await goods([{ quantity: 8 }], { carrierId: null })
  assert.deepEqual(amounts((await charges(id)).clientActivityCharges), [])
  await admin.post(`${path(id)}/tasks/${wrapping}`, { value: 2 })
  assert.deepEqual(amounts((await charges(id)).clientActivityCharges), [10])
  await admin.put(`${path(id)}/tasks/${wrapping}`, { value: 3 })
  assert.deepEqual(amounts((await charges(id)).clientActivityCharges), [15])
  assert.deepEqual(amounts((await charges(id)).clientFreightCharges), [])
  await admin.put(`${path(id)}/route`, { carrierCode: 'SWF' })
  assert.deepEqual(amounts((await charges(id)).clientFreightCharges), [30])
  await prices(rate([{ ...wrap, rateExclTax: 6 }]))
  const now = await charges(id)
  assert.deepEqual([amounts(now.clientActivityCharges), amounts(now.clientFreightCharges)], [[18], []])
})

test('weights and volumes come from the line, else from the product; units from its conversions', async () => {
  await prices(
    rate([chargeOf({ metric: 3 })]),
    rate([chargeOf({ metric: 4, rateExclTax: 100 })]),
    rate([chargeOf({ metric: 5, metricResolution: 2, rateExclTax: 12 }), chargeOf({ rateExclTax: 0.35 })]),
    rate([chargeOf({ metric: 10, rateExclTax: 9 })]),
  )
  const id = await goods([
    { quantity: 584, weightKG: 1000, volumeM3: 5, unit: 'A' },
    { quantity: 10, unit: 'A' },
  ])
  assert.deepEqual(amounts((await charges(id)).clientActivityCharges), [1020, 510, 12, 6.3, 9])
})

test('unrated work is listed with its reason', async () => {
  await prices(rate([chargeOf({ metric: 5, metricResolution: 2, rateExclTax: 12 })]))
  const id = await goods([{ quantity: 584 }, { quantity: 3, productId: null }], { tasks: 2 })
  const { unrated } = await charges(id)
  assert.deepEqual(
    unrated.map((one: { part: { kind: number; name: string }; quantity: number; reason: number }) => [
      one.part.kind,
      one.part.name,
      one.quantity,
      one.reason,
    ]),
    [
      [2, 'PLUM', 8, 6],
      [2, 'PLUM', 3, 4],
      [3, 'Wrapping', 2, 2],
    ],
  )
})

test('without a rate card, all work is unrated', async () => {
  await admin.put(`/v1/rate-cards/${cardId}`, { status: 2 })
  const id = await goods([{ quantity: 1 }])
  assert.deepEqual(
    (await charges(id)).unrated.map(({ reason }: { reason: number }) => reason),
    [1],
  )
  await admin.put(`/v1/rate-cards/${cardId}`, { status: 1 })
})

test("freight is raised by the version's FAF profile at the time of the work", async () => {
  const fafProfileId = await made('/v1/faf-profiles', { name: 'Fuel' })
  const raise = (fafPercent: number, more: object) =>
    made(`/v1/faf-profiles/${fafProfileId}/rates`, { fafPercent, ...more })
  await raise(0.5, { effectiveFromUtc: '2020-01-01T00:00:00Z' })
  await raise(0.125, { effectiveFromUtc: '2020-01-01T00:00:00Z', carrierId })
  await raise(0.9, { effectiveFromUtc: '2100-01-01T00:00:00Z', carrierId })
  const version = { ...content(freight([chargeOf({ metric: 1, rateExclTax: 1.02 })])), fafProfileId }
  await createApprovedVersion(cardId, version, `2020-01-${String(++priced).padStart(2, '0')}`)
  const by = async (carrier: string | null) => {
    const [one] = (await charges(await goods([{ quantity: 1 }], { carrierId: carrier }))).clientFreightCharges
    return [one.amountExclTax, one.fafPercent]
  }
  assert.deepEqual(await by(carrierId), [1.15, 0.125])
  assert.deepEqual(await by(null), [1.53, 0.5], 'the default row')
})

test('localities select by address, and the freight margin is computed', async () => {
  const locality = await made('/v1/localities', {
    ...{ name: 'Waikato', areas: [{ country: 'NZ', postcodeFrom: '3200', postcodeTo: '3999' }] },
  })
  const when = { destinationLocalityIds: [locality] }
  await prices(freight([chargeOf({ metric: 1, rateExclTax: 100, when })]))
  const carriers = await card(carrierId, 2)
  await createApprovedVersion(carriers, content(freight([chargeOf({ metric: 1, rateExclTax: 90 })], 3)))
  await admin.put(`/v1/partners/${clientId}`, { freightWarningType: 2, freightWarningThreshold: 12 })
  const there = await charges(await goods([{ quantity: 1 }], { to: { country: 'NZ', postCode: '3204' } }))
  assert.deepEqual(amounts(there.carrierFreightCharges), [90])
  assert.deepEqual(there.freightMargin, {
    ...{ chargedExclTax: 100, incurredExclTax: 90, marginExclTax: 10, marginPercent: 10 },
    isBelowThreshold: true,
  })
  const elsewhere = await charges(await goods([{ quantity: 1 }], { to: { country: 'NZ', postCode: '9999' } }))
  assert.equal(elsewhere.freightMargin.marginPercent, -100)
  assert.ok(
    elsewhere.unrated.some(
      (one: { part: { kind: number }; reason: number }) => one.part.kind === 5 && one.reason === 5,
    ),
  )
  await admin.put(`/v1/rate-cards/${carriers}`, { status: 2 })
})

test('the areas of localities are read once for all consignments with the same cards', async () => {
  const postCodes = { postcodeFrom: '4000', postcodeTo: '4199' }
  const locality = await made('/v1/localities', {
    name: 'Gisborne',
    areas: [{ country: 'NZ', ...postCodes }],
  })
  const when = { destinationLocalityIds: [locality] }
  await prices(freight([chargeOf({ metric: 1, rateExclTax: 100, when })]))
  const to = (postCode: string) => goods([{ quantity: 1 }], { to: { country: 'NZ', postCode } })
  const ids = [await to('4010'), await to('9999'), await to('4011')]
  let sent = 0
  const db: typeof database.db = {
    ...database.db,
    async rows<Row>(query: Sql) {
      const rows = await database.db.rows<Row>(query)
      sent += rows.filter(row => (row as { localities?: unknown }).localities).length
      return rows
    },
  }
  const found = await readBillableConsignments(db, { where: sql`c.id = any(${ids})` })
  assert.deepEqual(
    ids.map(id => found.find(subject => subject.id === id)?.destinationLocalityIds),
    [[locality], [], [locality]],
  )
  assert.equal(sent, 1)
})

test('an excluded charge stays excluded through changes, versions and reopenings', async () => {
  const one = {
    id: '018f0000-0000-7000-8000-00000000aaaa',
    name: 'Handling',
    kind: 1,
    basis: 1,
    activityTypeId,
  }
  const rule = { id: '018f0000-0000-7000-8000-00000000bbbb', metric: 2, application: 1 }
  const by = (rateExclTax: number) => ({ ...one, charges: [{ ...rule, rateExclTax }] })
  await prices(by(1))
  const id = await goods([{ quantity: 8 }], { type: 0 })
  const first = (await charges(id)).clientActivityCharges[0]
  assert.equal((await include(id, first.id, true)).status, 304)
  assert.equal((await include(id, first.id, false)).status, 200)
  assert.equal((await include(id, first.id, false)).status, 304)
  const effective = async () =>
    (await charges(id)).clientActivityCharges.map((shown: Shown) => [shown.amountExclTax, shown.isEffective])
  assert.deepEqual(await effective(), [[8, false]])
  await prices(by(2))
  assert.deepEqual(await effective(), [[16, false]])
  await complete(id)
  await close(id)
  assert.deepEqual(await effective(), [[16, false]])
  assert.deepEqual(await transactionsOf(id), [])
  await reopen(id)
  assert.deepEqual(await effective(), [[16, false]])
  const again = (await charges(id)).clientActivityCharges[0]
  assert.notEqual(again.id, first.id, 'ids are new after a reopening')
  assert.equal((await include(id, first.id, true)).status, 404)
  assert.equal((await include(id, again.id, true)).status, 200)
  assert.deepEqual(await effective(), [[16, true]])
  const { body } = await admin.get(`${path(id)}/history`)
  assert.ok(JSON.stringify(body).includes('"charges"'), 'the history shows who changed charges')
})

/** A Closed consignment with charges. */
async function closed() {
  await prices(
    rate([chargeOf({ metric: 5, metricResolution: 2, rateExclTax: 12 }), chargeOf({ rateExclTax: 0.35 })]),
    rate([chargeOf({ metric: 3, rateExclTax: 0.01, minExclTax: 5 })]),
  )
  const id = await goods([{ quantity: 584 }], { type: 0 })
  await enterCharge(id, 'client-activity')
  await complete(id)
  return id
}

test('closing raises each charge once, with the accounts and tax percentages of that time', async () => {
  const id = await closed()
  const before = await charges(id)
  assert.equal((await close(id, '2026-03-31')).status, 200)
  const after = await charges(id)
  assert.deepEqual(after, before, 'the charges shown are the charges billed')
  const rows = await transactionsOf(id)
  assert.deepEqual(
    rows
      .map(({ amountExclTax, date, status, partnerId }) => [amountExclTax, date, status, partnerId])
      .toSorted(),
    [2.8, 11.68, 12, 21].map(amount => [amount, '2026-03-31', 1, clientId]).toSorted(),
  )
  const { rows: found } = {
    rows: await database.db.rows<{ type: number; activityCode: string | null; taxRatePercent: number }>(sql`
      select type, activity_code, tax_rate_percent from schedule_transaction where consignment_id = ${id}
      order by type, amount_excl_tax`),
  }
  assert.deepEqual(found[0], { type: 0, activityCode: null, taxRatePercent: 15 })
  assert.deepEqual(found[1], { type: 3, activityCode: 'HANDLING', taxRatePercent: 15 })
})

test('later changes do not affect the amounts of a Closed consignment', async () => {
  const id = await closed()
  await close(id)
  const chargeId = (await charges(id)).clientActivityCharges[0].id
  const look = async () => ({
    charges: await charges(id),
    raised: await transactionsOf(id),
    proof: (await admin.get(`${path(id)}/charges/${chargeId}/proof`)).body,
    explanation: (await admin.get(`${path(id)}/charges/explanation`)).body,
  })
  const before = await look()
  assert.equal(before.proof.isVerified, true)
  await prices(rate([chargeOf({ rateExclTax: 99 })]))
  await admin.put(`/v1/partners/${clientId}/products/${productId}`, { weightKG: 77, unitConversions: [] })
  await admin.put(`/v1/tax-rates/${taxRateId}`, { percent: 20 })
  await admin.put(`/v1/partners/${clientId}`, { freightResolution: 2, freightWarningType: 1 })
  assert.deepEqual(await look(), before)
  await admin.put(`/v1/partners/${clientId}`, { freightResolution: 0, freightWarningType: 0 })
  await admin.put(`/v1/tax-rates/${taxRateId}`, { percent: 15 })
  await admin.put(`/v1/partners/${clientId}/products/${productId}`, {
    ...{ weightKG: 2, unitConversions: [{ inputMetricType: 2, outputMetricType: 1, conversionRate: 576 }] },
  })
  for (const statement of [
    sql`update charge_input set charge_date = charge_date + 1 where consignment_id = ${id}`,
    sql`delete from charge_input where consignment_id = ${id}`,
    sql`update product_facts set facts = '{}'`,
  ])
    await assert.rejects(
      database.atomically(tx => tx.run(statement)),
      /never changes/,
    )
})

test('a proof derives the amount again, step by step', async () => {
  const id = await closed()
  const shown = (await charges(id)).clientActivityCharges as Shown[]
  const open = (await admin.get(`${path(id)}/charges/${shown[2]?.id}/proof`)).body
  assert.deepEqual([open.isFrozen, open.isVerified], [false, true])
  await close(id)
  const { body } = await admin.get(`${path(id)}/charges/${shown[1]?.id}/proof`)
  assert.deepEqual(
    [body.subject.amountExclTax, body.derivedExclTax, body.isFrozen, body.isVerified, body.evaluatorVersion],
    [2.8, 2.8, true, true, 2],
  )
  assert.deepEqual([body.rule.name, body.rule.because, body.rule.charge.rateExclTax], ['Prices', 1, 0.35])
  assert.deepEqual(body.steps, [
    { name: 'measure', from: '8', operation: 'quantity of PLUM', to: '8.000000' },
    { name: 'rate', from: '8.000000', operation: '× 0.350000', to: '2.800000000000' },
    { name: 'amount', from: '2.800000000000', operation: 'to the cent', to: '2.80' },
  ])
  assert.equal(body.passedOver[0].reason, 'it took other parts')
  assert.ok(body.inputs.some((one: { source: { kind: string } | null }) => one.source?.kind === 'event'))
  const adhoc = shown.find(({ isAdhoc }) => isAdhoc) as Shown
  const entered = (await admin.get(`${path(id)}/charges/${adhoc.id}/proof`)).body
  assert.equal(entered.rule, null)
  assert.equal(entered.inputs[0].source.kind, 'person')
  assert.equal((await admin.get(`${path(id)}/charges/${clientId}/proof`)).status, 404)
})

test('the explanation shows the outcome of every charge', async () => {
  await prices(
    rate([
      chargeOf({ rateExclTax: 5, when: { priorities: [4] } }),
      chargeOf({ rateExclTax: 1 }),
      chargeOf({ rateExclTax: 9 }),
      chargeOf({ metric: 1, application: 2, rateExclTax: 3 }),
    ]),
    freight([chargeOf({ metric: 1, rateExclTax: 10 })]),
    freight([chargeOf({ metric: 1, rateExclTax: 20 })]),
  )
  const id = await goods([{ quantity: 2 }])
  const { body } = await admin.get(`${path(id)}/charges/explanation`)
  const outcomes = body.rates.map((one: { charges: { outcome: number }[] }) =>
    one.charges.map(({ outcome }) => outcome),
  )
  assert.deepEqual(outcomes, [[3, 1, 4, 1], [1], [6]])
  assert.deepEqual(body.rates[0].charges[0].failed, [{ selector: 'priorities', wanted: [4], found: [2] }])
})

test('content is tried on a consignment without being stored', async () => {
  await prices(rate([chargeOf({ rateExclTax: 1 })]))
  const id = await goods([{ quantity: 4 }], { type: 0 })
  const attempt = async (body: object) =>
    (await admin.post('/v1/rate-cards/test', { consignmentId: id, ...body })).body
  const tried = await attempt({ content: content(rate([chargeOf({ rateExclTax: 2.5 })])) })
  assert.deepEqual(amounts(tried.charges.clientActivityCharges), [10])
  assert.equal(tried.explanation.rates[0].amountExclTax, 10)
  assert.deepEqual(amounts((await charges(id)).clientActivityCharges), [4])
  await complete(id)
  await close(id)
  assert.deepEqual(
    amounts(
      (await attempt({ content: content(rate([chargeOf({ rateExclTax: 3 })])) })).charges
        .clientActivityCharges,
    ),
    [12],
  )
  const both = await admin.post('/v1/rate-cards/test', { consignmentId: id })
  assert.equal(both.status, 400)
})

test('a partner sees only its own charges, and neither margin nor unrated work', async () => {
  await prices(rate([chargeOf({ rateExclTax: 1 })]), freight([chargeOf({ metric: 1, rateExclTax: 50 })]))
  const carriers = await card(carrierId, 2)
  await createApprovedVersion(carriers, content(freight([chargeOf({ metric: 1, rateExclTax: 33.33 })], 3)))
  const id = await goods([{ quantity: 4 }])
  const client = await charges(id, as(admin, { partnerId: clientId }))
  const lists = (seen: {
    clientActivityCharges: Shown[]
    clientFreightCharges: Shown[]
    carrierFreightCharges: Shown[]
  }) => [seen.clientActivityCharges, seen.clientFreightCharges, seen.carrierFreightCharges].map(amounts)
  assert.deepEqual(lists(client), [[4], [50], []])
  assert.deepEqual([client.freightMargin, client.unrated], [null, null])
  const carrier = await charges(id, as(admin, { partnerId: carrierId }))
  assert.deepEqual(lists(carrier), [[], [], [33.33]])
  const cost = carrier.carrierFreightCharges[0].id
  const proof = (caller: typeof admin) => caller.get(`${path(id)}/charges/${cost}/proof`)
  assert.equal((await proof(as(admin, { partnerId: clientId }))).status, 404)
  assert.equal((await proof(as(admin, { partnerId: carrierId }))).body.isVerified, true)
  await admin.put(`/v1/rate-cards/${carriers}`, { status: 2 })
})

test('many consignments are closed at once, and a refused one does not stop the others', async () => {
  await prices(rate([chargeOf({ rateExclTax: 1 })]))
  const ids = await Promise.all([1, 2, 3].map(quantity => goods([{ quantity }], { type: 0 })))
  const [first, second, pending] = ids as [string, string, string]
  await complete(first)
  await complete(second)
  const unknown = clientId
  const send = () =>
    admin.post('/v1/consignments/close', {
      consignmentIds: [...ids, unknown],
      closedTransactionDate: '2026-04-01',
    })
  const told = (body: { results: { result: number }[] }) => body.results.map(({ result }) => result)
  const answer = await send()
  assert.deepEqual(told(answer.body), [1, 1, 3, 3])
  assert.deepEqual(answer.body.results[2].messages, [
    'Only a Complete consignment can be Closed; this one is Pending.',
  ])
  assert.deepEqual(told((await send()).body), [2, 2, 3, 3])
  const sums = await Promise.all(
    [first, second].map(async id => (await transactionsOf(id)).map(row => [row.amountExclTax, row.date])),
  )
  assert.deepEqual(sums, [[[1, '2026-04-01']], [[2, '2026-04-01']]])
  assert.deepEqual(await transactionsOf(pending), [])
})

test('closing many consignments updates the counts of the lists once', async () => {
  await prices(rate([chargeOf({ rateExclTax: 1 })]))
  const ids = await Promise.all(Array.from({ length: 5 }, () => goods([{ quantity: 1 }], { type: 0 })))
  for (const id of ids) await complete(id)
  const counted = () =>
    database.db.row<{ rows: number; complete: number; closed: number }>(sql`
      select count(*) as rows, sum(n) filter (where level = 2 and status = 0) as complete,
        sum(n) filter (where level = 2 and status = 6) as closed
      from consignment_count where organisation_id = ${admin.actor.organisationId}`)
  const before = await counted()
  await admin.post('/v1/consignments/close', { consignmentIds: ids })
  const after = await counted()
  assert.deepEqual([before.complete - after.complete, after.closed - before.closed], [5, 5])
  assert.ok(after.rows - before.rows <= 6, `${after.rows - before.rows} rows`)
})

test('an organisation can demand that all work is rated before closing', async () => {
  await prices(rate([chargeOf({ metric: 5, metricResolution: 2, rateExclTax: 12 })]))
  const id = await goods([{ quantity: 8 }], { type: 0 })
  await complete(id)
  await admin.put('/v1/organisation', { closingRequiresRates: true })
  const refused = await close(id)
  assert.equal(refused.status, 400)
  assert.match(refused.body.ErrorMessages[0], /nothing charges PLUM \(8\): Remainder\.$/)
  const bulk = await admin.post('/v1/consignments/close', { consignmentIds: [id] })
  assert.equal(bulk.body.results[0].result, 3)
  await admin.put('/v1/organisation', { closingRequiresRates: false })
  assert.equal((await close(id)).status, 200)
})

test('nothing is charged for a Void consignment', async () => {
  await prices(rate([chargeOf({ rateExclTax: 1 })]))
  const id = await goods([{ quantity: 8 }])
  await enterCharge(id, 'client-activity')
  await admin.put(`${path(id)}/void`)
  assert.deepEqual(
    (await charges(id)).clientActivityCharges.map((shown: Shown) => [shown.isAdhoc, shown.isEffective]),
    [[true, false]],
  )
})

test('if nothing of a Complete consignment was received or dispatched, expected quantities are charged, and reported so', async () => {
  await prices(rate([chargeOf({ rateExclTax: 1 })]))
  const id = await goods([{ quantity: 8 }], { type: 2 })
  await database.atomically(tx =>
    tx.run(sql`update consignment set status = 0, actual_dispatch_date_time = '2026-03-05T10:00:00'
      where id = ${id}`),
  )
  const { clientActivityCharges, isByExpected } = await charges(id)
  assert.deepEqual([amounts(clientActivityCharges), isByExpected], [[8], true])
  assert.ok(warehouseId)
})
