import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../support/harness.ts'

const { admin, as } = await openWorld()

test('a token of the organisation has no partner', async () => {
  const { status, body } = await admin.get('/v1/identity')
  assert.equal(status, 200)
  assert.deepEqual(body, {
    identityConnectionId: admin.actor.connectionId,
    userId: admin.actor.userId,
    userFullName: 'Ada Storekeeper',
    organisationId: admin.actor.organisationId,
    organisationName: body.organisationName,
    partnerId: null,
    partnerCode: null,
    partnerName: null,
  })
  assert.ok(body.organisationName)
})

test('a token that belongs to a partner names it', async () => {
  const { partnerId } = (
    await admin.post('/v1/partners', { name: 'Kauri Foods', code: 'KAURI', relationship: 1 })
  ).body
  const { body } = await as(admin, { partnerId }).get('/v1/identity')
  assert.deepEqual([body.partnerId, body.partnerCode, body.partnerName], [partnerId, 'KAURI', 'Kauri Foods'])
})

test('any token may read its identity', async () => {
  assert.equal((await as(admin, { scopes: [] }).get('/v1/identity')).status, 200)
})
