import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { ConsignmentStatus } from '../../../src/vocabulary/consignments.ts'
import { chargesOf, openCharges, setUpCharges } from '../../support/given-charges.ts'
import { untilServed } from '../../support/until-served.ts'

const { world, clientId, carrierId, revenueAccountId, costCentreId, ...given } = await openCharges()
const { consignment, adhoc, charge, charges, include, close, reopen, transactionsOf } = given
const { admin, as, stranger } = world
const path = (id: string, kind = 'client-activity') => `/v1/consignments/${id}/charges/${kind}/adhoc`

test('each kind of charge is in its own list, with every field', async () => {
  const id = await consignment()
  const activity = await charge(id, 'client-activity', {
    particulars: 'Wrapping',
    revenueAccountId,
    costCentreId,
  })
  const freight = await charge(id, 'client-freight', {
    chargeApplication: 2,
    metricValue: 1,
    chargeRateExclTax: 99.99,
  })
  const carrier = await charge(id, 'carrier-freight', { metricValue: 0.333333, chargeRateExclTax: 3 })
  const none = {
    ...{ isEffective: true, particulars: null, chargeMin: 0, chargeBase: 0, isAdhoc: true, fafPercent: 0 },
    ...{ activityCode: null, activityName: null, rateCardVersionId: null },
  }
  assert.deepEqual(await charges(id), {
    clientActivityCharges: [
      {
        id: activity,
        ...none,
        particulars: 'Wrapping',
        chargeTypeCode: 'ClientActivityAdhoc',
        chargeTypeName: 'Client activity, ad hoc',
        metricValue: 2,
        chargeRate: 10.5,
        taxRatePercent: 15,
        amountExclTax: 21,
      },
    ],
    clientFreightCharges: [
      { id: freight, ...none, type: 4, metricValue: 1, chargeRate: 99.99, amountExclTax: 99.99 },
    ],
    carrierFreightCharges: [
      { id: carrier, ...none, type: 7, metricValue: 0.333333, chargeRate: 3, amountExclTax: 1 },
    ],
    isByExpected: false,
    freightMargin: {
      ...{ chargedExclTax: 99.99, incurredExclTax: 1, marginExclTax: 98.99, marginPercent: 99 },
      isBelowThreshold: false,
    },
    unrated: [],
  })
  const { clientActivityCharges, clientFreightCharges, carrierFreightCharges } = await charges(
    await consignment(),
  )
  assert.deepEqual([clientActivityCharges, clientFreightCharges, carrierFreightCharges], [[], [], []])
})

test('a fee needs no metric value, a rate does, and a credit is a negative rate', async () => {
  const id = await consignment()
  await charge(id, 'client-activity', { chargeApplication: 2, metricValue: null, chargeRateExclTax: -5.005 })
  const [fee] = (await charges(id)).clientActivityCharges
  assert.deepEqual([fee.metricValue, fee.amountExclTax], [1, -5.01])
  const rate = await admin.post(path(id), adhoc({ metricValue: undefined }))
  assert.deepEqual([rate.status, rate.body.ErrorMessages], [400, ['metricValue is required for a rate.']])
})

test('a charge keeps the tax percentage of the time when it was added', async () => {
  const id = await consignment()
  const { taxRateId: changing } = (await admin.post('/v1/tax-rates', { name: 'Changing', percent: 12.5 }))
    .body
  await charge(id, 'client-activity', { taxRateId: changing })
  await admin.put(`/v1/tax-rates/${changing}`, { percent: 20 })
  assert.equal((await charges(id)).clientActivityCharges[0].taxRatePercent, 12.5)
})

test('every fault of the body is reported at once', async () => {
  const { status, body } = await admin.post(path(await consignment()), {
    chargeApplication: 3,
    metricValue: -1,
    chargeRateExclTax: 0.1234567,
    costCentreId: 'north',
  })
  assert.equal(status, 400)
  assert.deepEqual(body.ErrorMessages.toSorted(), [
    'chargeApplication must be one of 1 (Rate), 2 (Fee).',
    'chargeRateExclTax must have at most 6 decimal places.',
    'costCentreId must be a uuid.',
    'metricValue must be 0 or more.',
    'taxRateId is required.',
  ])
})

test('an amount too large to be exact to the cent is refused', async () => {
  const { status, body } = await admin.post(
    path(await consignment()),
    adhoc({ metricValue: 99_999_999_999, chargeRateExclTax: -2 }),
  )
  assert.equal(status, 400)
  assert.deepEqual(body.ErrorMessages, [
    'metricValue and chargeRateExclTax must come to an amount of 99999999999 or less.',
  ])
})

test('the records that a charge refers to must exist and be active', async () => {
  const id = await consignment()
  const post = (more: object) => admin.post(path(id), adhoc(more))
  const unknown = await post({ taxRateId: uuidv7() })
  assert.deepEqual([unknown.status, unknown.body.ErrorMessages], [404, ['Tax rate not found.']])
  const both = await post({ revenueAccountId: uuidv7(), costCentreId: uuidv7() })
  assert.equal(both.body.ErrorType, 'Verification Failed')
  assert.deepEqual(both.body.ErrorMessages, [
    'revenueAccountId does not refer to an active revenue account.',
    'costCentreId does not refer to an active cost centre.',
  ])
  const old = (await admin.post('/v1/tax-rates', { name: 'Old', percent: 10, status: 2 })).body.taxRateId
  assert.deepEqual((await post({ taxRateId: old })).body.ErrorMessages, [
    'taxRateId refers to a tax rate that is not active.',
  ])
  const other = await stranger()
  const theirs = await setUpCharges(other)
  assert.equal((await post({ taxRateId: theirs.taxRateId })).status, 404)
  assert.equal((await post({ revenueAccountId: theirs.revenueAccountId })).status, 400)
  assert.equal((await admin.post(path(uuidv7()), adhoc())).status, 404)
  assert.equal((await other.post(path(id), adhoc({ taxRateId: theirs.taxRateId }))).status, 404)
  assert.equal((await other.get(`/v1/consignments/${id}/charges`)).status, 404)
  assert.deepEqual((await charges(id)).clientActivityCharges, [])
})

test("a carrier's charge needs a carrier", async () => {
  const { status, body } = await admin.post(
    path(await consignment({ carrierId: null }), 'carrier-freight'),
    adhoc(),
  )
  assert.equal(status, 400)
  assert.deepEqual(body.ErrorMessages, ['The consignment has no carrier that could charge for freight.'])
})

test('a charge is excluded and included again, and repeating that is 304', async () => {
  const id = await consignment()
  const chargeId = await charge(id, 'client-freight')
  assert.equal((await include(id, chargeId, true)).status, 304)
  assert.equal((await include(id, chargeId, false)).status, 200)
  assert.equal((await include(id, chargeId, false)).status, 304)
  assert.equal((await charges(id)).clientFreightCharges[0].isEffective, false)
  assert.equal((await include(id, chargeId, true)).status, 200)
  assert.equal((await charges(id)).clientFreightCharges[0].isEffective, true)
  assert.equal(
    (await include(await consignment(), chargeId, false)).status,
    404,
    'a charge of another consignment',
  )
  const faulty = await admin.put(`/v1/consignments/${id}/charges/${chargeId}`, {})
  assert.deepEqual(faulty.body.ErrorMessages, ['isIncluded is required.'])
})

test('closing raises a transaction from every included charge, for the partner of the charge', async () => {
  const id = await consignment()
  const activity = await charge(id, 'client-activity')
  const freight = await charge(id, 'client-freight', { chargeRateExclTax: 1 })
  const excluded = await charge(id, 'client-freight')
  const carrier = await charge(id, 'carrier-freight', { chargeRateExclTax: 7 })
  await include(id, excluded, false)
  assert.equal((await close(id, '2026-02-28')).status, 200)
  assert.deepEqual(
    (await transactionsOf(id)).map(row => [
      row.consignmentChargeId,
      row.partnerId,
      row.date,
      row.status,
      row.type,
      row.amountExclTax,
    ]),
    [
      [activity, clientId, '2026-02-28', 1, 0, 21],
      [freight, clientId, '2026-02-28', 1, 0, 2],
      [carrier, carrierId, '2026-02-28', 1, 0, 14],
    ],
  )
  assert.equal((await close(id)).status, 304)
  assert.equal((await transactionsOf(id)).length, 3)
})

test("a carrier's charge stays with it when another carrier takes over the consignment", async () => {
  const id = await consignment()
  await charge(id, 'carrier-freight', { chargeRateExclTax: 7 })
  const blue = (await admin.post('/v1/partners', { name: 'Blue', code: 'BLUE', relationship: 2 })).body
    .partnerId
  assert.equal((await admin.put(`/v1/consignments/${id}/route`, { carrierCode: 'BLUE' })).status, 200)
  await charge(id, 'carrier-freight', { chargeRateExclTax: 3 })
  const seen = async (caller = admin) => {
    const { carrierFreightCharges } = await charges(id, caller)
    return carrierFreightCharges.map(({ chargeRate }: { chargeRate: number }) => chargeRate)
  }
  assert.deepEqual(await seen(), [7, 3])
  assert.deepEqual(await seen(as(admin, { partnerId: blue })), [3])
  await close(id)
  assert.deepEqual(
    (await transactionsOf(id)).map(row => [row.partnerId, row.amountExclTax]),
    [
      [carrierId, 14],
      [blue, 6],
    ],
  )
})

test('without a date, the transactions are dated today in the time zone of the warehouse', async () => {
  const id = await consignment()
  await charge(id, 'client-activity')
  const today = () => new Date().toLocaleDateString('en-CA', { timeZone: 'Pacific/Auckland' })
  const before = today()
  await close(id)
  assert.ok([before, today()].includes((await transactionsOf(id))[0]?.date ?? ''))
})

test('a Closed consignment refuses changes of its charges until it is reopened; a Void one is not billed', async () => {
  const id = await consignment()
  const chargeId = await charge(id, 'client-activity')
  await close(id)
  for (const answer of [await admin.post(path(id), adhoc()), await include(id, chargeId, false)]) {
    assert.deepEqual([answer.status, answer.body.ErrorType], [400, 'Verification Failed'])
    assert.match(answer.body.ErrorMessages[0], /is Closed; it cannot change until it is reopened/)
  }
  await reopen(id)
  assert.equal((await include(id, chargeId, false)).status, 200)
  const gone = await consignment({ status: ConsignmentStatus.Void })
  assert.match(
    (await admin.post(path(gone), adhoc())).body.ErrorMessages[0],
    /is Void; nothing is billed for it/,
  )
})

test('reopening voids the transactions, closing again raises new ones, and Void ones are kept', async () => {
  const id = await consignment()
  const first = await charge(id, 'client-activity')
  await close(id, '2026-02-28')
  assert.equal((await reopen(id)).status, 200)
  assert.deepEqual(
    (await transactionsOf(id)).map(row => row.status),
    [3],
  )
  const second = await charge(id, 'client-freight', { chargeRateExclTax: 1 })
  await close(id, '2026-03-01')
  assert.deepEqual(
    (await transactionsOf(id)).map(row => [row.consignmentChargeId, row.status, row.date]),
    [
      [first, 3, '2026-02-28'],
      [first, 1, '2026-03-01'],
      [second, 1, '2026-03-01'],
    ],
  )
  assert.equal((await reopen(id)).status, 200)
  assert.equal((await reopen(id)).status, 304)
  assert.deepEqual(
    (await transactionsOf(id)).map(row => row.status),
    [3, 3, 3],
  )
})

test('concurrent closing and reopening bill nothing twice', async () => {
  const id = await consignment()
  for (let i = 0; i < 3; i++) await charge(id, 'client-activity')
  await Promise.all(Array.from({ length: 24 }, (_, i) => untilServed(() => (i % 2 ? reopen(id) : close(id)))))
  const isClosed = (await admin.get(`/v1/consignments/${id}`)).body.status === ConsignmentStatus.Closed
  const live = (await transactionsOf(id)).filter(row => row.status === 1)
  assert.equal(live.length, isClosed ? 3 : 0)
  assert.equal(new Set(live.map(row => row.consignmentChargeId)).size, live.length)
})

test('a charge excluded while its consignment closes is billed only if it is still included', async () => {
  for (let round = 0; round < 8; round++) {
    const id = await consignment()
    const ids = [
      await charge(id, 'client-activity'),
      await charge(id, 'client-freight'),
      await charge(id, 'carrier-freight'),
    ]
    const flips = ids.map(chargeId => include(id, chargeId, false))
    const [closed, ...answers] = await Promise.all([close(id), ...flips])
    assert.equal(closed.status, 200)
    const kept = ids.filter((_, i) => answers[i]?.status === 400)
    assert.deepEqual(
      (await transactionsOf(id)).map(row => row.consignmentChargeId),
      kept,
    )
    const lists = Object.values(await charges(id)) as { id: string; isEffective: boolean }[][]
    assert.deepEqual(
      lists
        .flat()
        .filter(row => row.isEffective)
        .map(row => row.id),
      kept,
      'the charges listed are the charges billed',
    )
  }
})

test("a partner's token sees only the charges of that partner, and can change none", async () => {
  const id = await consignment()
  const chargeId = await charge(id, 'client-activity')
  await charge(id, 'client-freight')
  await charge(id, 'carrier-freight')
  const sizes = async (partnerId: string) => {
    const lists = (await charges(id, as(admin, { partnerId }))) as Record<string, unknown[]>
    return Object.values(lists).flatMap(list => (Array.isArray(list) ? [list.length] : []))
  }
  assert.deepEqual(await sizes(clientId), [1, 1, 0])
  assert.deepEqual(await sizes(carrierId), [0, 0, 1])
  const client = as(admin, { partnerId: clientId })
  const refused = await client.post(path(id), adhoc())
  assert.deepEqual(
    [refused.status, refused.body.ErrorMessages],
    [
      403,
      [
        "A token that belongs to a client cannot charge the client for an activity, in addition to the client's rates.",
      ],
    ],
  )
  assert.equal(
    (await client.put(`/v1/consignments/${id}/charges/${chargeId}`, { isIncluded: false })).status,
    403,
  )
  const { partnerId } = (await admin.post('/v1/partners', { name: 'Other', code: 'OTHER', relationship: 1 }))
    .body
  assert.equal((await as(admin, { partnerId }).get(`/v1/consignments/${id}/charges`)).status, 404)
})

test('reading needs financial.read and writing needs financial', async () => {
  const id = await consignment()
  const reader = as(admin, { scopes: ['financial.read'] })
  assert.equal((await reader.get(`/v1/consignments/${id}/charges`)).status, 200)
  assert.equal((await reader.post(path(id), adhoc())).status, 403)
  assert.equal(
    (await as(admin, { scopes: ['consignment'] }).get(`/v1/consignments/${id}/charges`)).status,
    403,
  )
})

test('charges of another organisation are not visible', async () => {
  const other = await stranger()
  const theirs = chargesOf(world, other, await setUpCharges(other))
  const id = await theirs.consignment()
  const chargeId = await theirs.charge(id, 'client-activity')
  assert.equal((await include(id, chargeId, false)).status, 404)
  await theirs.close(id)
  assert.equal((await theirs.transactionsOf(id)).length, 1)
})
