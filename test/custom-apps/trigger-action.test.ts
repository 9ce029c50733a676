import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { sql } from '../../src/platform/database/db.ts'
import { eventTypeNames } from '../../src/vocabulary/events.ts'
import { readFeed } from '../support/given-feed.ts'
import { openWorld } from '../support/harness.ts'

const world = await openWorld()
const { admin, as, database } = world

/** An app with a connection of its user, and a subscription of that connection. */
async function appWithSubscription(eventType = 2) {
  const body = { name: 'ERP', grantType: 2, scopes: ['organisation'] }
  const { customAppId } = (await admin.post('/v1/custom-apps', body)).body
  const { id: connectionId } = await database.db.row<{ id: string }>(
    sql`select id from identity_connection where custom_app_id = ${customAppId}`,
  )
  const { webhookSubscriptionId } = (
    await as(admin, { connectionId }).post('/v1/webhook-subscriptions/create', {
      webhookUrl: 'https://example.com/',
      eventType,
    })
  ).body
  return { customAppId, webhookSubscriptionId }
}

const path = (id: string) => `/v1/custom-apps/${id}/trigger-action`

/** The events that a subscription gets. */
const received = (subscriptionId: string) =>
  database.db.rows<{ type: number; data: Record<string, unknown> }>(sql`
    select e.type, e.data from webhook_delivery d
    join event e on e.organisation_id = d.organisation_id and e.id = d.event_id
    where d.webhook_subscription_id = ${subscriptionId} order by d.id`)

test('an action is sent to the subscriptions of the app to it, and to those of no other app', async () => {
  const [one, two, other] = [
    await appWithSubscription(),
    await appWithSubscription(),
    await appWithSubscription(101),
  ]
  const body = { action: 'resend-orders', data: { since: '2026-03-01', ids: [1, null] } }
  const { status, headers } = await admin.post(path(one.customAppId), body)
  assert.deepEqual([status, headers['ignored-fields']], [200, undefined])
  const { organisationId } = admin.actor
  assert.deepEqual(await received(one.webhookSubscriptionId), [
    { type: 2, data: { organisationId, customAppId: one.customAppId, ...body } },
  ])
  assert.deepEqual(await received(two.webhookSubscriptionId), [])
  assert.deepEqual(await received(other.webhookSubscriptionId), [])
  assert.equal(eventTypeNames[2], 'system.connection-action-execution')
  assert.deepEqual((await readFeed(admin)).events, [], 'actions are not in the feed')

  assert.equal((await admin.post(path(two.customAppId), { action: 'stop' })).status, 200)
  assert.equal((await received(two.webhookSubscriptionId))[0]?.data.data, null)
  assert.equal((await received(one.webhookSubscriptionId)).length, 1)
})

test('a replay sends an action again to its own app only', async () => {
  const [one, two] = [await appWithSubscription(), await appWithSubscription()]
  await admin.post(path(one.customAppId), { action: 'again' })
  const range = {
    fromUtc: new Date(Date.now() - 3_600_000).toISOString(),
    toUtc: new Date(Date.now() + 60_000).toISOString(),
  }
  for (const { webhookSubscriptionId } of [one, two])
    await admin.post(`/v1/webhook-subscriptions/${webhookSubscriptionId}/replay`, range)
  assert.equal((await received(one.webhookSubscriptionId)).length, 2)
  assert.equal((await received(two.webhookSubscriptionId)).length, 0)
})

test('an action needs a name, data of limited size, an app of the organisation and the scope', async () => {
  const { customAppId } = await appWithSubscription()
  const refusals = async (body: unknown) => (await admin.post(path(customAppId), body)).body.ErrorMessages
  assert.deepEqual(await refusals({}), ['action is required.'])
  assert.deepEqual(await refusals({ action: ' ' }), ['action must not be blank.'])
  assert.deepEqual(await refusals({ action: 'a', data: 1 }), ['data must be an object.'])
  const large = { text: 'x'.repeat(65_536) }
  assert.deepEqual(await refusals({ action: 'a', data: large }), ['data must have at most 64 KiB as JSON.'])
  assert.equal((await admin.post(path(uuidv7()), { action: 'a' })).status, 404)
  assert.equal((await (await world.stranger()).post(path(customAppId), { action: 'a' })).status, 404)
  const reader = as(admin, { scopes: ['organisation.read'] })
  assert.equal((await reader.post(path(customAppId), { action: 'a' })).status, 403)
})
