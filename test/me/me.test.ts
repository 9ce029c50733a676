// What a browser app asks at its start.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Relationship } from '../../src/vocabulary/partners.ts'
import { givenUser } from '../support/given-people.ts'
import { openWorld } from '../support/harness.ts'

const { admin, as, database } = await openWorld()

/** Somebody else of the organisation, who may do nothing in particular. */
async function person() {
  const { userId } = await givenUser(database, { organisationId: admin.actor.organisationId })
  return as(admin, { userId, scopes: [] })
}

test('an app learns who the person is, what the token may do and how the organisation writes dates', async () => {
  const made = await admin.post('/v1/warehouses', {
    name: 'Auckland',
    code: 'AKL',
    timezoneId: 'Pacific/Auckland',
  })
  const { status, body } = await as(admin, { scopes: ['warehouse.read', 'consignment'] }).get('/v1/me')
  assert.equal(status, 200)
  const { organisation, warehouses, ...person } = body
  assert.deepEqual(person, {
    userId: admin.actor.userId,
    fullName: person.fullName,
    email: person.email,
    role: person.role,
    scopes: ['consignment', 'warehouse.read'],
    partner: null,
    app: null,
    build: null,
    isDemo: false,
  })
  assert.deepEqual([organisation.locale, organisation.firstDayOfWeek], ['en-NZ', 1])
  assert.deepEqual(
    warehouses.map(({ id }: { id: string }) => id),
    [made.body.warehouseId],
  )
})

test('a token that may not read warehouses is told of none', async () => {
  const { body } = await as(admin, { scopes: [] }).get('/v1/me')
  assert.deepEqual([body.warehouses, body.scopes], [[], []])
})

test('a person of a partner learns which', async () => {
  const { body: made } = await admin.post('/v1/partners', {
    name: 'Kauri Foods',
    code: 'KAURI',
    relationship: Relationship.Client,
  })
  const { body } = await as(admin, { partnerId: made.partnerId }).get('/v1/me')
  assert.deepEqual(body.partner, {
    id: made.partnerId,
    code: 'KAURI',
    name: 'Kauri Foods',
    relationship: Relationship.Client,
  })
})

test('a person keeps what an app remembers for them, and nobody else sees it', async () => {
  const path = '/v1/me/preferences'
  const [ana, ben] = [await person(), await person()]
  assert.deepEqual((await ana.get(path)).body, { value: {} })
  const value = { views: [{ name: 'Ready, ↯ "urgent"', query: { Status: '2' } }], columns: { a: null } }
  assert.equal((await ana.put(path, { value })).status, 200)
  assert.deepEqual((await ana.get(path)).body, { value })
  assert.deepEqual((await ben.get(path)).body, { value: {} })
  assert.equal((await ana.put(path, { value })).status, 304)
  const tag = (await ana.get(path)).headers.etag
  assert.equal((await ana.put(path, { value: {} })).status, 200)
  const late = await ana.with({ 'if-match': String(tag) }).put(path, { value: { other: 1 } })
  assert.equal(late.status, 412, 'another browser of the person has stored something meanwhile')
})

test('what an app remembers is an object of at most 32 KiB', async () => {
  const path = '/v1/me/preferences'
  const ana = await person()
  assert.equal((await ana.put(path, { value: { a: 'é'.repeat(17_000) } })).status, 413)
  assert.deepEqual((await ana.get(path)).body, { value: {} })
  for (const value of [[], 'x', null, 1]) assert.equal((await ana.put(path, { value })).status, 400)
})
