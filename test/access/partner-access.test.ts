import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor, PartnerKind } from '../../src/access/actor.ts'
import { endpoint, type PartnerAccess } from '../../src/access/endpoint.ts'
import { refusePartner, restrictParams } from '../../src/access/partner-access.ts'
import { done } from '../../src/platform/http/endpoint.ts'

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
    response: done,
    handle: async () => {},
  })

test('an endpoint refuses the users of partners that it does not list', () => {
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

test("the token's partner replaces the partner in the path, if the endpoint says so", () => {
  const params = { partnerId: 'other', thingId: 't' }
  const withPartnerParam = endpointFor('all', 'partnerId')
  assert.deepEqual(restrictParams(withPartnerParam, actor('client'), params), {
    partnerId: 'p',
    thingId: 't',
  })
  assert.deepEqual(restrictParams(withPartnerParam, actor(null), params), params)
  assert.deepEqual(restrictParams(endpointFor('all'), actor('client'), params), params)
})
