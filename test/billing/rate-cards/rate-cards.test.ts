import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { sql } from '../../../src/platform/database/db.ts'
import { openRates } from '../../support/given-rates.ts'

const { world, clientId, carrierId, ...given } = await openRates()
const { admin, as, database } = world
const { card, charge, content, draft, approve, createApprovedVersion, rate, freight, made, taxRateId } = given

const versionPath = (cardId: string, id = '') => `/v1/rate-cards/${cardId}/versions${id && `/${id}`}`
const partner = (relationship = 1) =>
  made('/v1/partners', { name: 'Other', code: uuidv7().slice(-4), relationship })

test('a card can be created, found, renamed and made inactive', async () => {
  const owner = await partner()
  const id = await card(owner)
  const { body } = await admin.get(`/v1/rate-cards/${id}`)
  assert.deepEqual(
    [body.name, body.relationship, body.partner.id, body.status, body.current, body.draftCount],
    ['Prices', 1, owner, 1, null, 0],
  )
  const path = `/v1/rate-cards/${id}`
  assert.equal((await admin.put(path, { name: 'Prices' })).status, 304)
  assert.equal((await admin.put(path, { name: 'Dear prices', status: 2 })).status, 200)
  const listed = await admin.get(`/v1/rate-cards?PartnerId=${owner}&Status=2&SearchText=dear`)
  assert.deepEqual(
    listed.body.rateCards.map(({ name }: { name: string }) => name),
    ['Dear prices'],
  )
  assert.equal((await admin.get(`/v1/rate-cards?PartnerId=${owner}&Status=1`)).body.total, 0)
  assert.equal((await admin.get(`/v1/rate-cards/${uuidv7()}`)).status, 404)
})

test('a partner has one Active card, and each relationship one Active fall-back card', async () => {
  const owner = await partner()
  const first = await card(owner)
  const body = { name: 'More', relationship: 1, partnerId: owner }
  assert.deepEqual((await admin.post('/v1/rate-cards', body)).body.ErrorMessages, [
    'This client has an active rate card already; a new version changes its prices.',
  ])
  const second = (await admin.post('/v1/rate-cards', { ...body, status: 2 })).body.rateCardId
  assert.equal((await admin.put(`/v1/rate-cards/${second}`, { status: 1 })).status, 409)
  await admin.put(`/v1/rate-cards/${first}`, { status: 2 })
  assert.equal((await admin.put(`/v1/rate-cards/${second}`, { status: 1 })).status, 200)
  const carriers = await card(null, 2)
  const another = await admin.post('/v1/rate-cards', { name: 'All', relationship: 2 })
  assert.equal(another.status, 409)
  assert.deepEqual(another.body.ErrorMessages, [
    'All carriers without a card of their own have an active rate card already; a new version changes its ' +
      'prices.',
  ])
  await admin.put(`/v1/rate-cards/${carriers}`, { status: 2 })
  const wrong = await admin.post('/v1/rate-cards', { name: 'X', relationship: 1, partnerId: carrierId })
  assert.deepEqual(wrong.body.ErrorMessages, [
    'partnerId refers to a carrier, but relationship is that of a client.',
  ])
})

test('a draft version gets ids for its rates, and can be changed and deleted', async () => {
  const id = await card(await partner())
  const answer = await admin.post(versionPath(id), {
    effectiveFrom: '2026-01-01',
    content: content(rate([charge({ when: { weekdays: [6, 7] } })])),
    note: 'Weekends',
  })
  assert.equal(answer.status, 201)
  assert.deepEqual(answer.body.warnings, [
    'content.rates[0] (Handling out) has no charge at its end that takes the rest.',
  ])
  const versionId = answer.body.rateCardVersionId
  const read = (await admin.get(versionPath(id, versionId))).body
  assert.deepEqual(
    [read.number, read.status, read.effectiveFrom, read.note],
    [1, 1, '2026-01-01', 'Weekends'],
  )
  assert.match(read.content.rates[0].id, /^[0-9a-f-]{36}$/)
  assert.match(read.content.rates[0].charges[0].id, /^[0-9a-f-]{36}$/)
  assert.match(read.contentSha256, /^[0-9a-f]{64}$/)

  assert.equal((await admin.put(versionPath(id, versionId), { content: read.content })).status, 304)
  const rates = [{ ...read.content.rates[0], charges: [charge()] }]
  const changed = await admin.put(versionPath(id, versionId), { content: { ...read.content, rates } })
  assert.deepEqual([changed.status, changed.body], [200, { warnings: [] }])
  assert.equal((await admin.get(`/v1/rate-cards/${id}`)).body.draftCount, 1)
  assert.equal((await admin.delete(versionPath(id, versionId))).status, 200)
  assert.equal((await admin.get(versionPath(id, versionId))).status, 404)
})

test('every fault of a content is reported at once, with its path', async () => {
  const id = await card(await partner())
  const { status, body } = await admin.post(versionPath(id), {
    effectiveFrom: '2026-01-01',
    content: { ...content(rate([charge({ metric: 6 }), charge({ metric: 99 })], { name: '' })) },
  })
  assert.equal(status, 400)
  assert.deepEqual(
    body.ErrorMessages.toSorted(),
    [
      'content.rates[0].charges[0].unitTypeId is required when metric is 6 (UnitType).',
      body.ErrorMessages.find((message: string) => message.startsWith('content.rates[0].charges[1].metric')),
      'content.rates[0].name must not be empty.',
    ].toSorted(),
  )
})

test('a content must refer to existing records; inactive ones cause a warning, and a refusal on approval', async () => {
  const id = await card(await partner())
  const unknown = await admin.post(versionPath(id), {
    effectiveFrom: '2026-01-01',
    content: content(
      rate([
        charge({
          taxRateId: uuidv7(),
          when: { carrierIds: [carrierId, clientId], warehouseIds: [uuidv7()] },
        }),
      ]),
    ),
  })
  assert.deepEqual(unknown.body.ErrorMessages, [
    'content.rates[0].charges[0].taxRateId does not refer to a tax rate.',
    'content.rates[0].charges[0].when.carrierIds[1] does not refer to a carrier.',
    'content.rates[0].charges[0].when.warehouseIds[0] does not refer to a warehouse.',
  ])
  const old = await made('/v1/revenue-accounts', { code: uuidv7(), name: 'Old', status: 2 })
  const { body } = await admin.post(versionPath(id), {
    effectiveFrom: '2026-01-01',
    content: content(rate([charge({ revenueAccountId: old })])),
  })
  assert.deepEqual(body.warnings, [
    'content.rates[0].charges[0].revenueAccountId refers to a revenue account that is not active.',
  ])
  const refused = await admin.put(`${versionPath(id, body.rateCardVersionId)}/status`, { status: 2 })
  assert.deepEqual(
    [refused.status, refused.body.ErrorMessages],
    [400, ['content.rates[0].charges[0].revenueAccountId refers to a revenue account that is not active.']],
  )
})

test("a client's card cannot have carrier freight", async () => {
  const id = await card(await partner())
  const { body } = await admin.post(versionPath(id), {
    effectiveFrom: '2026-01-01',
    content: content(freight([charge()], 3)),
  })
  assert.deepEqual(body.ErrorMessages, [
    'content.rates[0].kind must not be 3 (CarrierFreight) on the card of a client.',
  ])
})

test('an Approved version never changes, even by a direct update', async () => {
  const id = await card(await partner())
  const versionId = await createApprovedVersion(id, content(rate([charge()])))
  const path = versionPath(id, versionId)
  const refusal = ['Version 1 is Approved and never changes: a change is a new version with its own date.']
  assert.deepEqual((await admin.put(path, { note: 'x' })).body.ErrorMessages, refusal)
  assert.deepEqual((await admin.delete(path)).body.ErrorMessages, refusal)
  assert.equal((await admin.put(`${path}/status`, { status: 2 })).status, 304)
  assert.equal((await admin.put(`${path}/status`, { status: 1 })).status, 400)
  for (const statement of [
    sql`update rate_card_version set note = 'x' where id = ${versionId}`,
    sql`update rate_card_version set status = 1, approved_utc = null where id = ${versionId}`,
    sql`delete from rate_card_version where id = ${versionId}`,
  ])
    await assert.rejects(
      database.atomically(tx => tx.run(statement)),
      /is approved; it never changes/,
    )
})

test('if two people are required, the last editor of a version cannot approve it', async () => {
  const id = await card(await partner())
  const versionId = await draft(id, content(rate([charge()])))
  await admin.put('/v1/organisation', { rateCardApprovalBySecondUser: true })
  const path = `${versionPath(id, versionId)}/status`
  assert.equal((await admin.put(path, { status: 2 })).status, 403)
  const otherUserId = await made('/v1/users', { email: 'two@example.com', fullName: 'Second Person' })
  await database.atomically(tx =>
    tx.run(sql`update rate_card_version set edited_by = ${otherUserId} where id = ${versionId}`),
  )
  assert.equal((await admin.put(path, { status: 2 })).status, 200)
  assert.equal(typeof (await admin.get(versionPath(id, versionId))).body.approvedBy, 'string')
  await admin.put('/v1/organisation', { rateCardApprovalBySecondUser: false })
})

test('a copy keeps its ids, and its prices can be raised by a percentage', async () => {
  const id = await card(await partner())
  const bands = [
    { upTo: 10, rateExclTax: 10 },
    { upTo: null, rateExclTax: 0.35 },
  ]
  const first = await createApprovedVersion(
    id,
    content(
      rate([
        charge({ rateExclTax: 12, baseExclTax: 5, minExclTax: 20, maxExclTax: 99.99 }),
        charge({ rateExclTax: undefined, breaks: { kind: 1, bands } }),
      ]),
    ),
  )
  const raised = await admin.post(versionPath(id), {
    ...{ effectiveFrom: '2026-07-01', copyOf: first, raisePercent: 6, raiseRoundTo: 0.05 },
  })
  const parts = await admin.post(versionPath(id), {
    ...{ effectiveFrom: '2026-07-01', copyOf: first, raisePercent: 0, raiseRoundTo: 0.125 },
  })
  assert.deepEqual(
    [parts.status, parts.body.ErrorMessages],
    [400, ['raiseRoundTo must be whole cents, because the version has a base, minimum or maximum amount.']],
  )
  const dearContent = content(rate([charge({ rateExclTax: 90_000_000_000 })]))
  const dear = await createApprovedVersion(id, dearContent, '2026-08-01')
  const tooDear = await admin.post(versionPath(id), {
    ...{ effectiveFrom: '2026-09-01', copyOf: dear, raisePercent: 20 },
  })
  assert.deepEqual(
    [tooDear.status, tooDear.body.ErrorMessages],
    [400, ['raisePercent raises a price of the version above 99,999,999,999.']],
  )
  const read = async (version: string) => (await admin.get(versionPath(id, version))).body.content
  const [before, after] = [await read(first), await read(raised.body.rateCardVersionId)]
  const [plain, banded] = after.rates[0].charges
  assert.deepEqual(
    [plain.rateExclTax, plain.baseExclTax, plain.minExclTax, plain.maxExclTax],
    [12.7, 5.3, 21.2, 106],
  )
  assert.deepEqual(
    banded.breaks.bands.map((band: { rateExclTax: number }) => band.rateExclTax),
    [10.6, 0.35],
  )
  assert.equal(plain.id, before.rates[0].charges[0].id)

  const { body } = await admin.get(
    `${versionPath(id, raised.body.rateCardVersionId)}/differences?With=${first}`,
  )
  assert.deepEqual(
    body
      .map(({ field, from, to }: { field: string; from: unknown; to: unknown }) => [field, from, to])
      .slice(0, 4),
    [
      ['baseExclTax', 5, 5.3],
      ['maxExclTax', 99.99, 106],
      ['minExclTax', 20, 21.2],
      ['rateExclTax', 12, 12.7],
    ],
  )
  const same = await admin.get(`${versionPath(id, raised.body.rateCardVersionId)}/differences`)
  assert.deepEqual(same.body, body, 'the version before, where none is named')
})

test("the version in force is the latest on the date, of the partner's own card or else of the fall-back card", async () => {
  const owner = await partner()
  const ask = async (date: string) => {
    const { status, body } = await admin.get(`/v1/rate-cards/in-force?PartnerId=${owner}&Date=${date}`)
    return status === 200 ? [body.rateCardVersionId, body.because] : status
  }
  assert.equal(await ask('2026-01-01'), 404)
  const all = await card(null)
  const fallBack = await createApprovedVersion(all, content(rate([charge()])), '2025-01-01')
  const own = await card(owner)
  assert.deepEqual(await ask('2026-01-01'), [fallBack, 2])
  const first = await createApprovedVersion(own, content(rate([charge()])), '2026-02-01')
  const second = await createApprovedVersion(own, content(rate([charge()])), '2026-03-01')
  const corrected = await createApprovedVersion(own, content(rate([charge()])), '2026-03-01')
  await draft(own, content(rate([charge()])), '2026-03-01')
  assert.deepEqual(await ask('2026-01-31'), [fallBack, 2], 'before the first of its own')
  assert.deepEqual(await ask('2026-02-01'), [first, 1])
  assert.deepEqual(await ask('2026-02-28'), [first, 1])
  assert.deepEqual(await ask('2026-03-01'), [corrected, 1], 'of equal dates the higher number')
  assert.equal(await ask('2024-12-31'), 404)
  const { rateCardVersions } = (await admin.get(versionPath(own))).body
  assert.deepEqual(
    rateCardVersions.map((version: { id: string; supersededFrom: string | null }) => version.supersededFrom),
    [null, null, '2026-03-01', '2026-03-01'],
  )
  assert.equal(rateCardVersions[2].id, second)
  await admin.put(`/v1/rate-cards/${own}`, { status: 2 })
  assert.deepEqual(await ask('2026-03-01'), [fallBack, 2], 'an Inactive card counts for nothing')
  await admin.put(`/v1/rate-cards/${all}`, { status: 2 })
})

test('if two users change a draft with the same If-Match, one succeeds', async () => {
  const id = await card(await partner())
  const path = versionPath(id, await draft(id, content(rate([charge()]))))
  const tag = (await admin.get(path)).headers.etag as string
  const change = (note: string) => admin.with({ 'if-match': tag }).put(path, { note })
  assert.equal((await change('one')).status, 200)
  assert.equal((await change('two')).status, 412)
})

test('the localities of an address are found', async () => {
  const areas = [{ country: 'NZ', postcodeFrom: '0600', postcodeTo: '2999' }]
  const id = await made('/v1/localities', { name: 'Auckland', code: 'AKL', areas })
  await made('/v1/localities', {
    name: 'Circle',
    areas: [{ circle: { latitude: -36.85, longitude: 174.76, radiusKM: 20 } }],
  })
  const find = async (address: object) =>
    (await admin.post('/v1/localities/find', { address })).body.localities.map(
      ({ name }: { name: string }) => name,
    )
  assert.deepEqual(await find({ country: 'NZ', postCode: '1010' }), ['Auckland'])
  assert.deepEqual(await find({ country: 'NZ', postCode: '1010', latitude: -36.9, longitude: 174.8 }), [
    'Auckland',
    'Circle',
  ])
  assert.deepEqual(await find({}), [])
  const { localities } = (await admin.get('/v1/localities?SearchText=auck')).body
  assert.deepEqual(localities, [{ id, name: 'Auckland', areas, code: 'AKL' }])
  assert.equal((await admin.put(`/v1/localities/${id}`, { areas })).status, 304)
  assert.equal(
    (await admin.put(`/v1/localities/${id}`, { areas: [{ country: 'NZ', states: ['Otago'] }] })).status,
    200,
  )
  assert.deepEqual(await find({ country: 'NZ', postCode: '1010' }), [])
  const faulty = await admin.post('/v1/localities', {
    name: 'X',
    areas: [{ country: 'NZ' }, { states: ['A'] }],
  })
  assert.equal(faulty.status, 400)
  assert.equal(faulty.body.ErrorMessages.length, 2)
  const twice = await admin.post('/v1/localities', { name: 'Y', code: 'akl', areas })
  assert.equal(twice.status, 409)
})

test('activity types must refer to existing accounts', async () => {
  const { status, body } = await admin.post('/v1/activity-types', {
    ...{ code: 'X', name: 'X', revenueAccountId: uuidv7() },
  })
  assert.deepEqual(
    [status, body.ErrorMessages],
    [400, ['revenueAccountId does not refer to a revenue account.']],
  )
  const id = await made('/v1/activity-types', { code: 'Y', name: 'Y', taxRateId })
  const path = `/v1/activity-types/${id}`
  assert.equal((await admin.get(path)).body.taxRateId, taxRateId)
  assert.equal((await admin.put(path, { taxRateId: null })).status, 200)
  assert.equal((await admin.get(path)).body.taxRateId, null)
  const listed = await admin.get('/v1/activity-types?SearchText=y')
  assert.ok(listed.body.activityTypes.some((type: { id: string }) => type.id === id))
})

test('people of a partner see no prices', async () => {
  const id = await card(await partner())
  for (const caller of [as(admin, { partnerId: clientId }), as(admin, { partnerId: carrierId })])
    for (const path of [
      '/v1/rate-cards',
      `/v1/rate-cards/${id}`,
      versionPath(id),
      '/v1/localities',
      '/v1/activity-types',
    ])
      assert.equal((await caller.get(path)).status, 403, path)
  await approve(id, await draft(id, content()))
})
