import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { openWorld } from '../../support/harness.ts'
import fc from '../../support/properties.ts'

const { admin, stranger, as } = await openWorld()

const created = async (path: string, body: object, caller = admin) => {
  const answer = await caller.post(path, body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return Object.values(answer.body)[0] as string
}
const profile = (name: string, more: object = {}) => created('/v1/faf-profiles', { name, ...more })
const rate = (profileId: string, fafPercent: number, effectiveFromUtc: string, carrierId?: string) =>
  created(`/v1/faf-profiles/${profileId}/rates`, { fafPercent, effectiveFromUtc, carrierId })

const swift = await created('/v1/partners', {
  name: 'Swift',
  code: 'SWF',
  relationship: 2,
  email: 'a@swift.nz',
  externalId: 'X1',
})
const fast = await created('/v1/partners', { name: 'Fast', code: 'FST', relationship: 2 })
const client = await created('/v1/partners', { name: 'Kauri', code: 'KAURI', relationship: 1 })

/** Lists the rates of a profile as carrier, fraction and whether it is expired. */
async function listed(profileId: string, query = '') {
  const { status, body } = await admin.get(`/v1/faf-profiles/${profileId}/rates?${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.total, body.fafProfileRates.length)
  return body.fafProfileRates.map(
    (row: { carrier: { code: string } | null; fafPercent: number; isExpired: boolean }) => [
      row.carrier?.code ?? null,
      row.fafPercent,
      row.isExpired,
    ],
  )
}

test('profiles are listed from page 0, by name and status', async () => {
  const other = await stranger()
  for (const [name, status] of [
    ['Fuel', 1],
    ['Old fuel', 2],
    ['Tolls', 1],
  ]) {
    await created('/v1/faf-profiles', { name, status }, other)
  }
  const first = (await other.get('/v1/faf-profiles?PageSize=2')).body
  assert.deepEqual([first.index, first.total], [0, 3])
  assert.deepEqual(
    first.fafProfiles.map((row: { name: string; status: number }) => [row.name, row.status]),
    [
      ['Fuel', 1],
      ['Old fuel', 2],
    ],
  )
  const second = (await other.get('/v1/faf-profiles?PageSize=2&PageIndex=1')).body
  assert.deepEqual([second.index, second.total, second.fafProfiles.length], [1, 3, 1])
  assert.deepEqual((await other.get('/v1/faf-profiles?PageIndex=9')).body, {
    index: 9,
    total: 3,
    fafProfiles: [],
  })
  assert.equal((await other.get('/v1/faf-profiles?SearchText=FUEL')).body.total, 2)
  assert.equal((await other.get('/v1/faf-profiles?SearchText=fuel&Status=2')).body.total, 1)
  const faulty = await other.get('/v1/faf-profiles?PageIndex=-1&Status=0&PageSize=0')
  assert.deepEqual([faulty.status, faulty.body.ErrorMessages.length], [400, 3])
})

test('a profile is created, read and changed; its name is unique regardless of case', async () => {
  const answer = await admin.post('/v1/faf-profiles', { name: 'Diesel' })
  const { fafProfileId } = answer.body
  assert.deepEqual([answer.status, answer.headers.location], [201, `/v1/faf-profiles/${fafProfileId}`])
  assert.deepEqual((await admin.get(`/v1/faf-profiles/${fafProfileId}`)).body, {
    id: fafProfileId,
    name: 'Diesel',
    status: 1,
  })
  const put = (body: object) => admin.put(`/v1/faf-profiles/${fafProfileId}`, body)
  assert.equal((await put({ status: 2 })).status, 200)
  assert.equal((await put({ status: 2, name: 'Diesel' })).status, 304)
  assert.deepEqual((await admin.get(`/v1/faf-profiles/${fafProfileId}`)).body, {
    id: fafProfileId,
    name: 'Diesel',
    status: 2,
  })
  assert.equal((await put({ status: 1 })).status, 200)
  const taken = await admin.post('/v1/faf-profiles', { name: 'DIESEL' })
  assert.deepEqual(
    [taken.status, taken.body.ErrorMessages],
    [409, ['An FAF profile with the name DIESEL already exists.']],
  )
  const second = await profile('Petrol')
  assert.equal((await admin.put(`/v1/faf-profiles/${second}`, { name: 'diesel' })).status, 409)
  assert.equal((await admin.put(`/v1/faf-profiles/${uuidv7()}`, { name: 'X' })).status, 404)
  assert.deepEqual((await admin.post('/v1/faf-profiles', { name: ' ' })).body.ErrorMessages, [
    'name must not be blank.',
  ])
})

test('a rate shows its carrier; without one it is the default', async () => {
  const id = await profile('Shown')
  const own = await rate(id, 0.125, '2026-01-01T00:00:00+13:00', swift)
  const answer = await admin.post(`/v1/faf-profiles/${id}/rates`, {
    fafPercent: 0.1,
    effectiveFromUtc: '2026-01-01',
  })
  assert.equal(answer.headers.location, `/v1/faf-profiles/${id}/rates/${answer.body.fafProfileRateId}`)
  const { body } = await admin.get(`/v1/faf-profiles/${id}/rates`)
  const rows = [
    {
      id: answer.body.fafProfileRateId,
      carrier: null,
      isDefault: true,
      fafPercent: 0.1,
      effectiveFromUtc: '2026-01-01T00:00:00.000Z',
      isExpired: false,
    },
    {
      id: own,
      carrier: {
        id: swift,
        externalId: 'X1',
        name: 'Swift',
        code: 'SWF',
        email: 'a@swift.nz',
        relationship: 2,
        status: 2,
      },
      isDefault: false,
      fafPercent: 0.125,
      effectiveFromUtc: '2025-12-31T11:00:00.000Z',
      isExpired: false,
    },
  ]
  assert.deepEqual(body, { index: 0, total: 2, fafProfileRates: rows })
  for (const row of rows)
    assert.deepEqual((await admin.get(`/v1/faf-profiles/${id}/rates/${row.id}`)).body, row)
  const paged = (await admin.get(`/v1/faf-profiles/${id}/rates?PageSize=1&PageIndex=1`)).body
  assert.deepEqual([paged.index, paged.total, paged.fafProfileRates[0].id], [1, 2, own])
})

test('rates are filtered by carrier and by instant; a rate is expired once a later one is in effect', async () => {
  const id = await profile('Filtered')
  await rate(id, 0.1, '2026-01-01T00:00:00Z')
  await rate(id, 0.11, '2199-01-01T00:00:00Z')
  await rate(id, 0.2, '2026-01-01T00:00:00Z', swift)
  await rate(id, 0.21, '2026-02-01T00:00:00Z', swift)
  await rate(id, 0.3, '2026-02-15T00:00:00Z', fast)
  assert.deepEqual(await listed(id), [
    [null, 0.11, false],
    [null, 0.1, false],
    ['FST', 0.3, false],
    ['SWF', 0.21, false],
    ['SWF', 0.2, true],
  ])
  const carrierRows = [
    ['SWF', 0.21, false],
    ['SWF', 0.2, true],
  ]
  assert.deepEqual(await listed(id, `CarrierId=${swift}`), carrierRows)
  assert.deepEqual(await listed(id, 'EffectiveDate=2025-12-31T23:59:59Z'), [])
  assert.deepEqual(await listed(id, 'EffectiveDate=2026-01-31T23:59:59.999Z'), [
    [null, 0.1, false],
    ['SWF', 0.2, true],
  ])
  assert.deepEqual(await listed(id, 'EffectiveDate=2026-02-01T00:00:00Z'), [
    [null, 0.1, false],
    ['SWF', 0.21, false],
  ])
  assert.deepEqual(await listed(id, `EffectiveDate=2026-03-01&CarrierId=${fast}`), [['FST', 0.3, false]])
  assert.deepEqual(await listed(id, `CarrierId=${uuidv7()}`), [])
  assert.equal((await admin.get(`/v1/faf-profiles/${uuidv7()}/rates`)).status, 404)
  assert.equal(
    (await admin.get(`/v1/faf-profiles/${id}/rates?EffectiveDate=soon&CarrierId=x`)).body.ErrorMessages
      .length,
    2,
  )
})

test("at an instant, the carrier's latest effective rate applies, else the latest effective default", async () => {
  const id = await profile('Compared')
  const rows: { carrierId: string | null; fafPercent: number; effectiveFromUtc: string }[] = []
  const latest = (carrierId: string | null, at: Date) =>
    rows
      .filter(row => row.carrierId === carrierId && new Date(row.effectiveFromUtc) <= at)
      .toSorted((a, b) => a.effectiveFromUtc.localeCompare(b.effectiveFromUtc))
      .at(-1)
  for (const [i, carrierId] of [null, swift, fast, null, swift, swift, null].entries()) {
    const effectiveFromUtc = new Date(Date.UTC(2026, 0, 1 + ((i * 5) % 11))).toISOString()
    rows.push({ carrierId, fafPercent: i / 100, effectiveFromUtc })
    await rate(id, i / 100, effectiveFromUtc, carrierId ?? undefined)
  }
  for (const day of fc.sample(fc.integer({ min: 0, max: 14 }), 12)) {
    const at = new Date(Date.UTC(2026, 0, day))
    const { fafProfileRates } = (
      await admin.get(`/v1/faf-profiles/${id}/rates?EffectiveDate=${at.toISOString()}`)
    ).body
    for (const carrierId of [swift, fast]) {
      type Listed = { carrier: { id: string } | null; fafPercent: number }
      const own =
        fafProfileRates.find((row: Listed) => row.carrier?.id === carrierId) ??
        fafProfileRates.find((row: Listed) => !row.carrier)
      assert.equal(own?.fafPercent, (latest(carrierId, at) ?? latest(null, at))?.fafPercent)
    }
  }
})

test('a carrier (or the default) has one rate at an instant', async () => {
  const id = await profile('Unique')
  for (const carrierId of [undefined, swift]) {
    const first = await rate(id, 0.1, '2026-01-01T00:00:00Z', carrierId)
    const again = await admin.post(`/v1/faf-profiles/${id}/rates`, {
      fafPercent: 0.2,
      effectiveFromUtc: '2026-01-01',
      carrierId,
    })
    assert.equal(again.status, 409)
    assert.deepEqual(again.body.ErrorMessages, [
      'The profile already has a rate of the same carrier (or default) and effectiveFromUtc.',
    ])
    await rate(id, 0.2, '2026-02-01T00:00:00Z', carrierId)
    assert.equal(
      (await admin.put(`/v1/faf-profiles/${id}/rates/${first}`, { effectiveFromUtc: '2026-02-01' })).status,
      409,
    )
  }
})

test('a rate is changed, and the same change again is 304', async () => {
  const id = await profile('Changed')
  const rateId = await rate(id, 0.1, '2026-01-01T00:00:00Z', swift)
  const put = (body: object, profileId = id) =>
    admin.put(`/v1/faf-profiles/${profileId}/rates/${rateId}`, body)
  assert.equal((await put({ fafPercent: 0.15, effectiveFromUtc: '2026-01-02T00:00:00Z' })).status, 200)
  assert.equal(
    (await put({ fafPercent: 0.15, effectiveFromUtc: '2026-01-02T13:00:00+13:00', carrierId: swift })).status,
    304,
  )
  assert.deepEqual(await listed(id), [['SWF', 0.15, false]])
  assert.equal((await put({ carrierId: client })).status, 400)
  assert.equal((await put({ fafPercent: 0 }, await profile('Another'))).status, 404)
})

test('a rate names a carrier, and its percent is a fraction', async () => {
  const id = await profile('Checked')
  const theirs = await created(
    '/v1/partners',
    { name: 'Theirs', code: 'THR', relationship: 2 },
    await stranger(),
  )
  for (const carrierId of [client, uuidv7(), theirs]) {
    const { status, body } = await admin.post(`/v1/faf-profiles/${id}/rates`, {
      fafPercent: 0.1,
      effectiveFromUtc: '2026-01-01',
      carrierId,
    })
    assert.deepEqual(
      [status, body],
      [400, { ErrorType: 'Verification Failed', ErrorMessages: ['carrierId does not refer to a carrier.'] }],
    )
  }
  const { body } = await admin.post(`/v1/faf-profiles/${id}/rates`, { fafPercent: 12.5 })
  assert.deepEqual(body.ErrorMessages.toSorted(), [
    'effectiveFromUtc is required.',
    'fafPercent must be a fraction from -1 to 10, such as 0.125 for 12.5 %.',
  ])
  assert.equal(
    (
      await admin.post(`/v1/faf-profiles/${uuidv7()}/rates`, {
        fafPercent: 0.1,
        effectiveFromUtc: '2026-01-01',
      })
    ).status,
    404,
  )
})

test("another organisation's profiles are not visible, and a partner's token has no access", async () => {
  const id = await profile('Ours')
  const rateId = await rate(id, 0.1, '2026-01-01T00:00:00Z')
  const other = await stranger()
  const paths = [
    `/v1/faf-profiles/${id}`,
    `/v1/faf-profiles/${id}/rates`,
    `/v1/faf-profiles/${id}/rates/${rateId}`,
  ]
  for (const path of paths) assert.equal((await other.get(path)).status, 404, path)
  assert.equal((await other.put(`/v1/faf-profiles/${id}`, { status: 2 })).status, 404)
  assert.equal((await other.put(`/v1/faf-profiles/${id}/rates/${rateId}`, { fafPercent: 1 })).status, 404)
  const partner = as(admin, { partnerId: swift })
  for (const path of ['/v1/faf-profiles', ...paths]) {
    const refused = await partner.get(path)
    assert.equal(refused.status, 403, path)
    assert.match(refused.body.ErrorMessages[0], /^A token that belongs to a carrier cannot (list|read) /)
  }
  assert.equal((await partner.post('/v1/faf-profiles', { name: 'X' })).status, 403)
  assert.equal((await partner.put(`/v1/faf-profiles/${id}`, { status: 2 })).status, 403)
  assert.equal(
    (await partner.post(`/v1/faf-profiles/${id}/rates`, { fafPercent: 0, effectiveFromUtc: '2026-01-01' }))
      .status,
    403,
  )
  assert.equal((await partner.put(`/v1/faf-profiles/${id}/rates/${rateId}`, { fafPercent: 0 })).status, 403)
})

test('reading needs financial.read and writing needs financial', async () => {
  const reader = as(admin, { scopes: ['financial.read'] })
  assert.equal((await reader.get('/v1/faf-profiles')).status, 200)
  assert.equal((await reader.post('/v1/faf-profiles', { name: 'X' })).status, 403)
  assert.equal((await as(admin, { scopes: ['organisation'] }).get('/v1/faf-profiles')).status, 403)
})

test('the name of an inactive profile is refused, with a hint how to activate that profile', async () => {
  const id = await profile('Winter', { status: 2 })
  const other = await profile('Summer')
  const message =
    'An FAF profile with the name winter already exists. ' +
    `It is inactive: PUT /v1/faf-profiles/${id} with status 1 makes it active.`
  for (const { status, body } of [
    await admin.post('/v1/faf-profiles', { name: 'winter' }),
    await admin.put(`/v1/faf-profiles/${other}`, { name: 'winter' }),
  ])
    assert.deepEqual([status, body.ErrorMessages], [409, [message]])
  assert.equal((await admin.put(`/v1/faf-profiles/${id}`, { name: 'winter', status: 1 })).status, 200)
})
