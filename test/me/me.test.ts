// What a browser app asks at its start.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Relationship } from '../../src/vocabulary/partners.ts'
import { openWorld } from '../support/harness.ts'

const { admin, as } = await openWorld()

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
