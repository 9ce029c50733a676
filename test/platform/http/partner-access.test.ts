import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor, PartnerKind } from '../../../src/platform/http/actor.ts'
import { done, endpoint, type PartnerAccess } from '../../../src/platform/http/endpoint.ts'
import { refusePartner, restrictParams } from '../../../src/platform/http/partner-access.ts'

const actor = (partnerKind: PartnerKind | null): Actor => ({
  organisationId: 'o',
  connectionId: 'c',
  userId: 'u',
  clientId: 'a',
  partnerId: partnerKind === null ? null : 'p',
  partnerKind,
  scopes: new Set(),
})
const endpointFor = (partners: PartnerAccess, partnerParam?: 'partnerId') =>
  endpoint({
    put: '/v1/partners/:partnerId/things/:thingId',
    name: 'renameThing',
    partners,
    ...(partnerParam === undefined ? {} : { partnerParam }),
    scope: 'any',
    summary: "Rename a client's thing",
    answer: done,
    handle: async () => {},
  })

test('whose people may call an endpoint, by what it says and by what their partner is', () => {
  const refused = (partners: PartnerAccess) =>
    (['client', 'carrier', null] as const).filter(kind => {
      try {
        refusePartner(endpointFor(partners), actor(kind))
        return false
      } catch {
        return true
      }
    })
  assert.deepEqual(refused('all'), [])
  assert.deepEqual(refused('clients'), ['carrier'])
  assert.deepEqual(refused('carriers'), ['client'])
  assert.deepEqual(refused('none'), ['client', 'carrier'])
})

test('the refusal is a 403 that says what the token cannot do', () => {
  assert.throws(() => refusePartner(endpointFor('clients'), actor('carrier')), {
    status: 403,
    messages: ["A token that belongs to a carrier cannot rename a client's thing."],
  })
})

test('a partner in the path gives way to that of the token where the endpoint says so, and only there', () => {
  const params = { partnerId: 'other', thingId: 't' }
  const named = endpointFor('all', 'partnerId')
  assert.deepEqual(restrictParams(named, actor('client'), params), { partnerId: 'p', thingId: 't' })
  assert.deepEqual(restrictParams(named, actor(null), params), params)
  assert.deepEqual(restrictParams(endpointFor('all'), actor('client'), params), params)
})
