import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { sql } from '../../src/platform/database/db.ts'
import { openWorld } from '../support/harness.ts'

const { admin, stranger, as, database } = await openWorld()

const collections = [
  {
    path: 'service-types',
    array: 'serviceTypes',
    idName: 'serviceTypeId',
    noun: 'service type',
    hasCode: true,
  },
  {
    path: 'task-types',
    array: 'taskTypes',
    idName: 'taskTypeId',
    noun: 'task type',
    hasCode: true,
  },
  {
    path: 'package-types',
    array: 'packageTypes',
    idName: 'packageTypeId',
    noun: 'package type',
    hasCode: true,
  },
  {
    path: 'cost-centres',
    array: 'costCentres',
    idName: 'costCentreId',
    noun: 'cost centre',
    hasCode: true,
  },
  {
    path: 'revenue-accounts',
    array: 'revenueAccounts',
    idName: 'revenueAccountId',
    noun: 'revenue account',
    hasCode: true,
  },
  {
    path: 'consumable-types',
    array: 'consumableTypes',
    idName: 'consumableTypeId',
    noun: 'consumable type',
    hasCode: false,
  },
  {
    path: 'unit-types',
    array: 'unitTypes',
    idName: 'unitTypeId',
    noun: 'unit type',
    hasCode: false,
  },
  {
    path: 'product-groups',
    array: 'productGroups',
    idName: 'productGroupId',
    noun: 'product group',
    hasCode: false,
  },
  {
    path: 'product-attributes',
    array: 'productAttributes',
    idName: 'productAttributeId',
    noun: 'product attribute',
    hasCode: false,
  },
  {
    path: 'tax-rates',
    array: 'taxRates',
    idName: 'taxRateId',
    noun: 'tax rate',
    hasCode: false,
  },
]

for (const { path, array, idName, noun, hasCode } of collections) {
  const isTaxRate = path === 'tax-rates'
  const body = (code: string, name: string) => ({
    ...(hasCode ? { code } : {}),
    name,
    ...(isTaxRate ? { percent: 12.5 } : {}),
  })

  test(`a ${noun} is created, listed, changed and deactivated`, async () => {
    const created = await admin.post(`/v1/${path}`, body('FRG', 'Fragile'))
    assert.equal(created.status, 201)
    const id = created.body[idName]
    assert.equal(created.headers.location, `/v1/${path}/${id}`)
    const row = { id, ...body('FRG', 'Fragile'), ...(isTaxRate ? { accountingCode: null } : {}) }
    assert.deepEqual((await admin.get(`/v1/${path}`)).body, { index: 1, total: 1, [array]: [row] })
    assert.deepEqual((await admin.get(`/v1/${path}/${id}`)).body, { ...row, status: 1 })

    assert.equal((await admin.put(`/v1/${path}/${id}`, { name: 'Fragile goods', status: 2 })).status, 200)
    assert.equal((await admin.put(`/v1/${path}/${id}`, { name: 'Fragile goods', status: 2 })).status, 304)
    assert.equal((await admin.put(`/v1/${path}/${id}`, {})).status, 304)
    assert.deepEqual((await admin.get(`/v1/${path}/${id}`)).body, {
      ...row,
      name: 'Fragile goods',
      status: 2,
    })
    assert.equal((await admin.get(`/v1/${path}`)).body.total, 0, 'the list shows the active ones')
    assert.equal((await admin.get(`/v1/${path}?Status=2`)).body.total, 1)
  })

  test(`the ${hasCode ? 'code' : 'name'} of a ${noun} is unique, ignoring case`, async () => {
    const { body: first } = await admin.post(`/v1/${path}`, body('ONE', 'One'))
    const { body: second } = await admin.post(`/v1/${path}`, body('TWO', 'Two'))
    const key = hasCode ? 'code' : 'name'
    const refused = {
      ErrorType: 'Conflict',
      ErrorMessages: [`A ${noun} with the ${key} one already exists.`],
    }
    const again = await admin.post(`/v1/${path}`, body('one', 'one'))
    assert.equal(again.status, 409)
    assert.deepEqual(again.body, refused)
    const renamed = await admin.put(`/v1/${path}/${second[idName]}`, { [key]: 'one' })
    assert.equal(renamed.status, 409)
    assert.deepEqual(renamed.body, refused)
    assert.equal(
      (await admin.put(`/v1/${path}/${first[idName]}`, { [key]: 'one' })).status,
      200,
      'a record may change the case of its own key',
    )
    assert.equal(
      (await (await stranger()).post(`/v1/${path}`, body('ONE', 'One'))).status,
      201,
      'other organisations have their own keys',
    )
  })

  test(`the list of ${noun}s searches, filters and pages`, async () => {
    const own = await stranger()
    for (const name of ['Alpha 100%', 'Beta', 'Gamma'])
      await own.post(`/v1/${path}`, { ...body(`X-${name}`, name), status: name === 'Gamma' ? 2 : 1 })
    const names = async (query: string) =>
      (await own.get(`/v1/${path}?${query}`)).body[array].map((row: { name: string }) => row.name)
    assert.deepEqual(await names(''), ['Alpha 100%', 'Beta'])
    assert.deepEqual(await names('SearchText=BET'), ['Beta'])
    assert.deepEqual(await names('SearchText=%25'), ['Alpha 100%'])
    assert.deepEqual(await names('SearchText=x-beta'), hasCode ? ['Beta'] : [])
    assert.deepEqual(await names('status=2&SearchText=a'), ['Gamma'])
    assert.deepEqual(await names('PageSize=1&PageIndex=2'), ['Beta'])
    assert.equal((await own.get(`/v1/${path}?PageSize=1&PageIndex=2`)).body.total, 2)
    assert.equal(
      (await own.get(`/v1/${path}?PageIndex=0&PageSize=501&Status=3`)).body.ErrorMessages.length,
      3,
    )
  })

  test(`another organisation's ${noun} is as unknown as one that does not exist`, async () => {
    const theirs = (await (await stranger()).post(`/v1/${path}`, body('THR', 'Theirs'))).body[idName]
    for (const id of [theirs, uuidv7()]) {
      assert.equal((await admin.get(`/v1/${path}/${id}`)).status, 404)
      const refused = await admin.put(`/v1/${path}/${id}`, { name: 'Mine' })
      assert.equal(refused.status, 404)
      assert.deepEqual(refused.body.ErrorMessages, [`${noun[0]?.toUpperCase()}${noun.slice(1)} not found.`])
    }
  })

  test(`reading ${noun}s needs a token, and writing them the scope organisation`, async () => {
    const { [idName]: id } = (await admin.post(`/v1/${path}`, body('SCP', 'Scoped'))).body
    const any = as(admin, { scopes: ['print'] })
    for (const address of [`/v1/${path}`, `/v1/${path}/${id}`]) {
      assert.equal((await any.get(address)).status, 200)
      assert.equal((await as(admin, { scopes: ['partner.read'] }).get(address)).status, 200)
    }
    const reader = as(admin, { scopes: ['partner', 'organisation.read'] })
    assert.equal((await reader.post(`/v1/${path}`, body('NO', 'No'))).status, 403)
    assert.equal((await reader.put(`/v1/${path}/${id}`, { name: 'No' })).status, 403)
    const ofPartner = as(admin, { partnerId: uuidv7() })
    assert.equal((await ofPartner.get(`/v1/${path}`)).status, 200)
    assert.equal((await ofPartner.post(`/v1/${path}`, body('NO', 'No'))).status, 403)
    assert.equal((await ofPartner.put(`/v1/${path}/${id}`, { name: 'No' })).status, 403)
  })
}

test('a name or code of an inactive record is refused, and the message says how to make it active', async () => {
  for (const [path, noun, key] of [
    ['unit-types', 'unit type', 'name'],
    ['task-types', 'task type', 'code'],
  ] as const) {
    const body = { name: 'Asleep', ...(key === 'code' ? { code: 'Asleep' } : {}) }
    const id = Object.values((await admin.post(`/v1/${path}`, body)).body)[0]
    assert.equal((await admin.post(`/v1/${path}`, body)).body.ErrorMessages[0].includes('inactive'), false)
    await admin.put(`/v1/${path}/${id}`, { status: 2 })
    const again = await admin.post(`/v1/${path}`, body)
    assert.deepEqual(
      [again.status, again.body.ErrorMessages],
      [
        409,
        [
          `A ${noun} with the ${key} Asleep already exists. ` +
            `It is inactive: PUT /v1/${path}/${id} with status 1 makes it active.`,
        ],
      ],
    )
    const other = { name: 'Awake', ...(key === 'code' ? { code: 'Awake' } : {}) }
    const otherId = Object.values((await admin.post(`/v1/${path}`, other)).body)[0]
    assert.equal((await admin.put(`/v1/${path}/${otherId}`, { [key]: 'ASLEEP' })).status, 409)
    assert.equal((await admin.put(`/v1/${path}/${id}`, { [key]: 'ASLEEP', status: 1 })).status, 200)
  }
})

test('all faults of a tax rate are reported together', async () => {
  const { status, body } = await admin.post('/v1/tax-rates', { name: ' ', percent: 100.5, status: 3 })
  assert.equal(status, 400)
  assert.deepEqual(body.ErrorMessages.toSorted(), [
    'name must not be blank.',
    'percent must be 100 or less.',
    'status must be one of 1 (Active), 2 (Inactive).',
  ])
  assert.deepEqual(
    (await admin.post('/v1/tax-rates', { percent: 0.1234567 })).body.ErrorMessages.toSorted(),
    ['name is required.', 'percent must have at most 6 decimal places.'],
  )
  assert.deepEqual(
    (await admin.post('/v1/cost-centres', { code: 'x'.repeat(51), name: 7 })).body.ErrorMessages.toSorted(),
    ['code must have at most 50 characters.', 'name must be a string.'],
  )
})

test('imports that wait for a code are retried when its record is created, renamed or reactivated, and only then', async () => {
  const { organisationId, connectionId, userId } = admin.actor
  const id = uuidv7()
  await database.atomically(async tx => {
    await tx.run(sql`insert into consignment_import (organisation_id, id, identity_connection_id, user_id,
      status, request, due_utc)
      values (${organisationId}, ${id}, ${connectionId}, ${userId}, 2, '{}', null)`)
    for (const [i, kind] of ['serviceType', 'taskType', 'packageType'].entries()) {
      await tx.run(sql`insert into consignment_import_reason (organisation_id, consignment_import_id, ordinal,
        kind, code, message)
        values (${organisationId}, ${id}, ${i}, ${kind}, 'Wait', '')`)
    }
  })
  /** Returns 1 if the import was made due since the last call, else 0. */
  const woken = () =>
    database.atomically(tx =>
      tx.run(sql`update consignment_import set due_utc = null where id = ${id} and due_utc is not null`),
    )
  for (const path of ['service-types', 'task-types', 'package-types']) {
    const { body } = await admin.post(`/v1/${path}`, { code: 'OTHER', name: 'Other' })
    const [otherId] = Object.values(body)
    assert.equal(await woken(), 0)
    const waited = Object.values(
      (await admin.post(`/v1/${path}`, { code: 'WAIT', name: 'Waited for', status: 2 })).body,
    )[0]
    assert.equal(await woken(), 0)
    await admin.put(`/v1/${path}/${waited}`, { status: 1 })
    assert.equal(await woken(), 1)
    await admin.put(`/v1/${path}/${waited}`, { status: 1 })
    assert.equal(await woken(), 0)
    await admin.put(`/v1/${path}/${waited}`, { code: 'GONE' })
    assert.equal(await woken(), 0)
    await admin.put(`/v1/${path}/${otherId}`, { code: 'wait' })
    assert.equal(await woken(), 1)
    await (await stranger()).post(`/v1/${path}`, { code: 'WAIT', name: 'Elsewhere' })
    assert.equal(await woken(), 0)
  }
  await admin.post('/v1/cost-centres', { code: 'WAIT', name: 'No import refers to it' })
  assert.equal(await woken(), 0)
})
