// Who owns a subscription, and when nothing is sent to it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { type Sql, sql } from '../../src/platform/database/db.ts'
import { GrantType } from '../../src/vocabulary/organisations.ts'
import { HeldReason } from '../../src/vocabulary/webhooks.ts'
import { openDeliveries } from '../support/given-deliveries.ts'
import { openReceiver } from '../support/receiver.ts'

const { world, subscribe, raise, work, settled, deliveries, read, path } = await openDeliveries()
const { admin, as, database } = world
const { organisationId } = admin.actor

const partner = async (code: string, relationship: number): Promise<string> =>
  (await admin.post('/v1/partners', { name: code, code, relationship })).body.partnerId
const [kauri, swift] = [await partner('KAURI', 1), await partner('SWF', 2)]

const change = (statement: Sql) => database.atomically(tx => tx.run(statement))

/** A person with an app of this grant type, and callers for both. */
async function given(grantType: number, partnerId: string | null = null) {
  const [userId, customAppId, connectionId] = [uuidv7(), uuidv7(), uuidv7()]
  await change(sql`insert into app_user (organisation_id, id, email, full_name, role, partner_id)
    values (${organisationId}, ${userId}, ${`${userId}@example.com`}, 'Vi Vo', 'reader', ${partnerId})`)
  await change(sql`insert into custom_app (organisation_id, id, name, grant_type, client_id, secret_hash,
      scopes, created_by)
    select organisation_id, ${customAppId}, 'A shop', ${grantType}, ${customAppId}, secret_hash,
      '{consignment,job}', ${userId} from custom_app where secret_hash <> '\\x00' limit 1`)
  await change(sql`insert into identity_connection (organisation_id, id, custom_app_id, user_id,
      allowed_scopes)
    values (${organisationId}, ${connectionId}, ${customAppId}, ${userId},
      ${grantType === GrantType.AuthorisationCode ? ['consignment.read'] : []})`)
  const caller = as(admin, { connectionId, partnerId, scopes: ['consignment.read'] })
  return { caller, userId, customAppId, connectionId }
}

test('the list and the detail show the owner of a subscription, and that it is served', async () => {
  const { caller, userId, customAppId } = await given(GrantType.AuthorisationCode, kauri)
  const id = await subscribe('http://127.0.0.1:1/', {}, caller)
  const detail = (await caller.get(path(id))).body
  const { userFullName, appName, partnerId, isServed, heldReason } = detail
  assert.deepEqual([detail.userId, detail.customAppId], [userId, customAppId])
  assert.deepEqual([userFullName, appName, partnerId], ['Vi Vo', 'A shop', kauri])
  assert.deepEqual([isServed, heldReason], [true, null])
  assert.deepEqual((await admin.get('/v1/webhook-subscriptions')).body.webhookSubscriptions, [detail])
})

test('people of a partner see the subscriptions of that partner, not those that others filter by it', async () => {
  const { caller } = await given(GrantType.AuthorisationCode, kauri)
  const own = await subscribe('http://127.0.0.1:1/', {}, caller)
  const ours = await subscribe('http://127.0.0.1:1/', { clientPartnerId: kauri })
  const colleague = as(admin, { partnerId: kauri })
  assert.equal((await colleague.get(path(own))).status, 200)
  assert.equal((await colleague.get(path(ours))).status, 404)
  assert.equal((await colleague.delete(`${path(ours)}/delete`)).status, 404)
  assert.equal((await as(admin, { partnerId: swift }).get(path(own))).status, 404)
})

/**
 * The reasons to hold the subscriptions of a person, each with a change that causes and one that removes it.
 */
const reasons: Record<string, [reason: number, hold: (ids: Ids) => Sql, resolve: (ids: Ids) => Sql]> = {
  'whose app is disabled': [
    HeldReason.AppDisabled,
    ({ customAppId }) => sql`update custom_app set disabled_utc = now() where id = ${customAppId}`,
    ({ customAppId }) => sql`update custom_app set disabled_utc = null where id = ${customAppId}`,
  ],
  'whose person is disabled': [
    HeldReason.UserDisabled,
    ({ userId }) => sql`update app_user set disabled_utc = now() where id = ${userId}`,
    ({ userId }) => sql`update app_user set disabled_utc = null where id = ${userId}`,
  ],
  'whose person was moved to a partner': [
    HeldReason.PartnerChanged,
    ({ userId }) => sql`update app_user set partner_id = ${kauri} where id = ${userId}`,
    ({ userId }) => sql`update app_user set partner_id = null where id = ${userId}`,
  ],
  'whose app lost the scope of the events': [
    HeldReason.ScopeLost,
    ({ customAppId }) => sql`update custom_app set scopes = '{job,financial}' where id = ${customAppId}`,
    ({ customAppId }) => sql`update custom_app set scopes = '{consignment.read}' where id = ${customAppId}`,
  ],
  'whose person has a role without the scope': [
    HeldReason.ScopeLost,
    ({ userId }) => sql`update app_user set role = 'nobody' where id = ${userId}`,
    ({ userId }) => sql`update app_user set role = 'member' where id = ${userId}`,
  ],
  'whose person withdrew consent': [
    HeldReason.ScopeLost,
    ({ connectionId }) =>
      sql`update identity_connection set allowed_scopes = '{}' where id = ${connectionId}`,
    ({ connectionId }) =>
      sql`update identity_connection set allowed_scopes = '{consignment}' where id = ${connectionId}`,
  ],
}
interface Ids {
  userId: string
  customAppId: string
  connectionId: string
}

test('pending and new deliveries of a subscription that is not served are held, and sent later', async t => {
  const worker = work()
  for (const [who, [reason, hold, resolve]] of Object.entries(reasons)) {
    await t.test(`a subscription ${who}`, async () => {
      const { caller, ...ids } = await given(GrantType.AuthorisationCode)
      const receiver = await openReceiver()
      const id = await subscribe(receiver.url, {}, caller)
      await change(hold(ids))
      // Once another subscription, which is served, gets the same events, the worker has run.
      const neighbour = await subscribe((await openReceiver()).url)
      await raise(2)
      assert.equal((await admin.put(`${path(id)}/test`)).status, 200)
      worker.wake()
      await settled(neighbour, 2)
      const { isServed, heldReason, status } = await read(id)
      assert.deepEqual([isServed, heldReason, status], [false, reason, 1])
      assert.deepEqual(
        (await deliveries(id)).map(delivery => [delivery.status, delivery.dueUtc]),
        Array(3).fill([4, null]),
      )
      assert.equal(receiver.arrived.length, 0)

      await change(resolve(ids))
      await settled(id, 2)
      assert.equal(receiver.arrived.length, 3)
      assert.equal((await read(id)).isServed, true)
      for (const each of [id, neighbour]) await admin.delete(`${path(each)}/delete`)
    })
  }
  await worker.stop()
})

test('subscriptions of an app with client credentials outlast the person who created it, but not a change of partner or the loss of the scope', async () => {
  const { caller, userId, customAppId } = await given(GrantType.ClientCredentials)
  const id = await subscribe('http://127.0.0.1:1/', {}, caller)
  await change(sql`update app_user set disabled_utc = now(), role = 'nobody' where id = ${userId}`)
  assert.equal((await read(id)).isServed, true)
  await change(sql`update app_user set partner_id = ${kauri} where id = ${userId}`)
  assert.equal((await read(id)).heldReason, HeldReason.PartnerChanged)
  await change(sql`update app_user set partner_id = null where id = ${userId}`)
  await change(sql`update custom_app set scopes = '{job}' where id = ${customAppId}`)
  assert.equal((await read(id)).heldReason, HeldReason.ScopeLost)
})

test('each kind of events needs its own scope, for which the plain scope is enough', async () => {
  const { caller, customAppId } = await given(GrantType.ClientCredentials)
  const everything = as(caller, { scopes: ['organisation', 'consignment', 'financial', 'job'] })
  const areas: Record<number, string> = {
    1: 'organisation',
    101: 'consignment',
    205: 'financial',
    304: 'job',
  }
  for (const [eventType, area] of Object.entries(areas)) {
    const id = await subscribe('http://127.0.0.1:1/', { eventType: Number(eventType) }, everything)
    for (const other of Object.values(areas)) {
      for (const scope of [other, `${other}.read`]) {
        await change(sql`update custom_app set scopes = ${[scope]} where id = ${customAppId}`)
        assert.equal((await read(id)).isServed, area === other, `${eventType} with ${scope}`)
      }
    }
  }
})
