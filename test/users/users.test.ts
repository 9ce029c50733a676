import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { hashPassword } from '../../src/oauth/passwords.ts'
import { operatorOf } from '../../src/organisations/organisation.ts'
import { type Database, sql } from '../../src/platform/database/db.ts'
import { createUser, hashNewPassword } from '../../src/users/create-user.ts'
import { setPassword, type UserSelector } from '../../src/users/set-password.ts'
import { openWorld } from '../support/harness.ts'

const { admin, stranger, as, database } = await openWorld()

test('a user is created and read', async () => {
  const created = await admin.post('/v1/users', { email: 'mere@example.com', fullName: 'Mere Taylor' })
  assert.equal(created.status, 201)
  assert.equal(created.headers.location, `/v1/users/${created.body.userId}`)
  const { body } = await admin.get(created.headers.location as string)
  const { createdUtc, ...rest } = body
  assert.deepEqual(rest, {
    id: created.body.userId,
    email: 'mere@example.com',
    fullName: 'Mere Taylor',
    role: 'member',
    partnerId: null,
    partnerName: null,
    isDisabled: false,
    hasPassword: false,
    isOperator: false,
  })
  assert.match(createdUtc, /Z$/)
})

test('an email that differs only in case is taken, in this organisation', async () => {
  await admin.post('/v1/users', { email: 'tama@example.com', fullName: 'Tama' })
  const again = await admin.post('/v1/users', { email: 'TAMA@example.com', fullName: 'Tama again' })
  assert.equal(again.status, 409)
  assert.deepEqual(again.body.ErrorMessages, ['A user with the email TAMA@example.com already exists.'])
  assert.equal(
    (await (await stranger()).post('/v1/users', { email: 'tama@example.com', fullName: 'Tama' })).status,
    201,
  )
  const { userId } = (await admin.post('/v1/users', { email: 'hana@example.com', fullName: 'Hana' })).body
  assert.equal((await admin.put(`/v1/users/${userId}`, { email: 'tama@example.com' })).status, 409)
})

test('every fault of a user is reported', async () => {
  const { status, body } = await admin.post('/v1/users', {
    email: 'nobody',
    fullName: ' ',
    role: 'king',
    partnerId: 'x',
  })
  assert.equal(status, 400)
  assert.deepEqual(body.ErrorMessages.toSorted(), [
    'email must be an email address.',
    'fullName must not be blank.',
    'partnerId must be a uuid.',
    'role must be one of administrator, member, reader.',
  ])
})

test('a change answers 200, the same change again 304', async () => {
  const { userId } = (await admin.post('/v1/users', { email: 'rewi@example.com', fullName: 'Rewi' })).body
  const { partnerId } = (await admin.post('/v1/partners', { name: 'Kauri', code: 'KAURI', relationship: 1 }))
    .body
  assert.equal((await admin.put(`/v1/users/${userId}`, { role: 'reader', partnerId })).status, 200)
  assert.equal((await admin.put(`/v1/users/${userId}`, { role: 'reader', partnerId })).status, 304)
  const { body } = await admin.get(`/v1/users/${userId}`)
  assert.deepEqual([body.role, body.partnerId, body.email], ['reader', partnerId, 'rewi@example.com'])
})

test('a person who was assigned to a partner by mistake is returned to the organisation', async () => {
  const { partnerId } = (await admin.post('/v1/partners', { name: 'Rata', code: 'RATA', relationship: 1 }))
    .body
  const { userId } = (
    await admin.post('/v1/users', { email: 'moana@example.com', fullName: 'Moana', partnerId })
  ).body
  assert.equal((await admin.put(`/v1/users/${userId}`, { partnerId: null })).status, 200)
  assert.equal((await admin.get(`/v1/users/${userId}`)).body.partnerId, null)
  assert.equal((await admin.put(`/v1/users/${userId}`, { partnerId: null })).status, 304)
})

test('a user is disabled and enabled, and repeating either changes nothing', async () => {
  const { userId } = (await admin.post('/v1/users', { email: 'kiri@example.com', fullName: 'Kiri' })).body
  const change = async (body: object) => (await admin.put(`/v1/users/${userId}`, body)).status
  assert.deepEqual(
    [
      await change({ isDisabled: false }),
      await change({ isDisabled: true }),
      await change({ isDisabled: true }),
    ],
    [304, 200, 304],
  )
  assert.equal((await admin.get(`/v1/users/${userId}`)).body.isDisabled, true)
  assert.deepEqual(
    [await change({ isDisabled: false, fullName: 'Kiri P' }), await change({ isDisabled: false })],
    [200, 304],
  )
})

test('a password is set if it is long enough and not the email address, and is never shown', async () => {
  const { userId } = (await admin.post('/v1/users', { email: 'ana@example.com', fullName: 'Ana' })).body
  const set = (password: unknown) => admin.put(`/v1/users/${userId}/password`, { password })
  const faults: [unknown, RegExp][] = [
    ['elevenchars', /^password must have at least 12 characters\.$/],
    ['x'.repeat(201), /^password must have at most 200 characters\.$/],
    ['my ANA@example.com!', /^password must not contain the email address\.$/],
    [undefined, /^password is required\.$/],
    [123456789012, /^password must be a string\.$/],
  ]
  for (const [password, message] of faults) {
    const { status, body } = await set(password)
    assert.equal(status, 400)
    assert.match(body.ErrorMessages.join(), message)
  }
  assert.equal((await set('correct horse battery')).status, 200)
  const { body } = await admin.get(`/v1/users/${userId}`)
  assert.equal(body.hasPassword, true)
  assert.doesNotMatch(JSON.stringify(body), /argon|horse/)
  const { hash } = await database.db.row<{ hash: string }>(
    sql`select password_hash as hash from app_user where id = ${userId}`,
  )
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.equal(
    (await admin.put(`/v1/users/${uuidv7()}/password`, { password: 'correct horse battery' })).status,
    404,
  )
  assert.equal(
    (await (await stranger()).put(`/v1/users/${userId}/password`, { password: 'correct horse battery' }))
      .status,
    404,
  )
  assert.equal(
    (
      await as(admin, { scopes: ['organisation.read'] }).put(`/v1/users/${userId}/password`, {
        password: 'correct horse battery',
      })
    ).status,
    403,
  )
})

test('on the command line a password needs the organisation only if several have the email, and the operator has none', async () => {
  const { organisationId } = admin.actor
  const elsewhere = (await stranger()).actor.organisationId
  const create = (organisation: string, email: string) =>
    database.atomically(tx => createUser(tx, { organisationId: organisation, email, fullName: 'X' }))
  const set = (which: UserSelector) => setPassword(database, which, 'correct horse battery')
  const mine = await create(organisationId, 'two@example.com')
  assert.equal(await set({ email: 'TWO@example.com' }), mine)
  await create(elsewhere, 'two@example.com')
  await assert.rejects(set({ email: 'two@example.com' }), {
    status: 400,
    messages: ['Several organisations have a user with this email. Name the organisation.'],
  })
  assert.equal(await set({ email: 'two@example.com', organisationId }), mine)
  await assert.rejects(set({ email: 'nobody@example.com' }), { status: 404 })
  await database.atomically(tx => operatorOf(tx, organisationId))
  await assert.rejects(set({ email: 'operator@waybill.invalid', organisationId }), { status: 400 })
})

test('a password that waits to be hashed holds no database connection', async () => {
  const { organisationId } = admin.actor
  const { userId } = (await admin.post('/v1/users', { email: 'busy@example.com', fullName: 'Busy' })).body
  let hashed = 0
  const before = Array.from({ length: 12 }, async () => {
    await hashPassword('somebody else signs in', organisationId)
    hashed++
  })
  let hashedAtBegin = -1
  const watched: Database = {
    ...database,
    atomically(work) {
      hashedAtBegin = hashed
      return database.atomically(work)
    },
  }
  await setPassword(watched, { organisationId, userId }, 'correct horse battery')
  // The earlier passwords are done, except for one that is being hashed at the same time.
  assert.ok(hashedAtBegin >= 11, `${hashedAtBegin} of 12`)
  await Promise.all(before)
})

test('a fault of the first password is reported with all others of the user', async () => {
  const user = { organisationId: admin.actor.organisationId, email: 'twelve@letters', fullName: '' }
  await assert.rejects(hashNewPassword(user, 'short'), {
    status: 400,
    messages: [
      'email must be an email address.',
      'fullName must not be empty.',
      'password must have at least 12 characters.',
    ],
  })
})

test("a user cannot belong to another organisation's partner", async () => {
  const other = await stranger()
  const { partnerId } = (await other.post('/v1/partners', { name: 'Theirs', code: 'THRS', relationship: 1 }))
    .body
  const refused = await admin.post('/v1/users', { email: 'spy@example.com', fullName: 'Spy', partnerId })
  assert.deepEqual([refused.status, refused.body.ErrorType], [400, 'Verification Failed'])
})

test('users are listed by name, and found by part of name or email', async () => {
  await admin.post('/v1/users', { email: 'zoe@harbour.nz', fullName: 'Zoe' })
  const { body } = await admin.get('/v1/users?SearchText=HARBOUR')
  assert.deepEqual([body.total, body.users[0].fullName], [1, 'Zoe'])
  const all = (await admin.get('/v1/users')).body
  assert.equal(all.total, all.users.length)
})

test('a user of another organisation is unknown, and the token of a partner cannot read users', async () => {
  const other = await stranger()
  const { userId } = (await other.post('/v1/users', { email: 'far@example.com', fullName: 'Far' })).body
  assert.equal((await admin.get(`/v1/users/${userId}`)).status, 404)
  assert.equal((await admin.put(`/v1/users/${userId}`, { fullName: 'Near' })).status, 404)
  const partner = as(admin, { partnerId: uuidv7() })
  assert.equal((await partner.get('/v1/users')).status, 403)
  assert.equal((await partner.post('/v1/users', { email: 'p@example.com', fullName: 'P' })).status, 403)
})

test('the command line creates members, and reports faults', async () => {
  const { organisationId } = admin.actor
  const create = (change: object) =>
    database.atomically(tx =>
      createUser(tx, { organisationId, email: 'cli@example.com', fullName: 'Cli', ...change }),
    )
  const userId = await create({})
  assert.equal((await admin.get(`/v1/users/${userId}`)).body.role, 'member')
  await assert.rejects(create({}), { status: 409 })
  await assert.rejects(create({ email: 'cli' }), {
    status: 400,
    messages: ['email must be an email address.'],
  })
  await assert.rejects(create({ organisationId: 'x', partnerId: 'y' }), {
    status: 400,
    messages: ['organisationId must be a uuid.', 'partnerId must be a uuid.'],
  })
  await assert.rejects(create({ organisationId: uuidv7() }), { status: 404 })
})

test('the operator of the service cannot be changed into a person, and nobody takes its email address', async () => {
  const { organisationId } = admin.actor
  const operatorId = await database.atomically(tx => operatorOf(tx, organisationId))
  const changes = [
    { email: 'me@example.com' },
    { fullName: 'Me' },
    { role: 'administrator' },
    { isDisabled: true },
  ]
  const before = (await admin.get(`/v1/users/${operatorId}`)).body
  for (const change of changes) {
    const { status, body } = await admin.put(`/v1/users/${operatorId}`, change)
    assert.deepEqual(
      [status, body.ErrorMessages],
      [400, ['The operator of the service is not a person and cannot be changed.']],
    )
  }
  assert.deepEqual((await admin.get(`/v1/users/${operatorId}`)).body, before)

  const other = await stranger()
  const { userId } = (await other.post('/v1/users', { email: 'ada2@example.com', fullName: 'Ada' })).body
  const taken = ['email belongs to the operator of the service.']
  for (const { status, body } of [
    await other.post('/v1/users', { email: 'Operator@waybill.invalid', fullName: 'Me' }),
    await other.put(`/v1/users/${userId}`, { email: 'OPERATOR@WAYBILL.INVALID' }),
  ])
    assert.deepEqual([status, body.ErrorMessages], [400, taken])
})

test('people are found by role, by partner, and by whether they are disabled', async () => {
  const { admin } = await openWorld()
  const partner = { name: 'Kauri Foods', code: 'KAU', relationship: 1 }
  const { partnerId } = (await admin.post('/v1/partners', partner)).body
  const add = async (fullName: string, rest: object) =>
    (await admin.post('/v1/users', { email: `${fullName}@example.com`, fullName, ...rest })).body.userId
  await add('Kim', { partnerId, role: 'reader' })
  await add('Rae', { role: 'reader' })
  await admin.put(`/v1/users/${await add('Gone', {})}`, { isDisabled: true })
  const found = async (query: string) =>
    (await admin.get(`/v1/users?${query}`)).body.users.map(
      ({ fullName, partnerName }: { fullName: string; partnerName: string | null }) => [
        fullName,
        partnerName,
      ],
    )
  assert.deepEqual(await found('Role=reader'), [
    ['Kim', 'Kauri Foods'],
    ['Rae', null],
  ])
  assert.deepEqual(await found(`PartnerId=${partnerId}`), [['Kim', 'Kauri Foods']])
  assert.deepEqual(await found('IsDisabled=true'), [['Gone', null]])
  assert.deepEqual(await found('Role=reader&IsDisabled=true'), [])
})
