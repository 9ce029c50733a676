import assert from 'node:assert/strict'
import { isIPv6 } from 'node:net'
import { type TestContext, test } from 'node:test'
import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { accessRules } from '../../src/access/access-rules.ts'
import { sql } from '../../src/platform/database/db.ts'
import { openServer } from '../../src/platform/http/server.ts'
import { createMetrics } from '../../src/platform/metrics.ts'
import type { Resolve } from '../../src/platform/outgoing/outgoing-http.ts'
import { openOutgoingHttp } from '../../src/platform/outgoing/outgoing-http.ts'
import { webhookSubscriptions } from '../../src/webhook-subscriptions/webhook-subscriptions.ts'
import { type Caller, openWorld } from '../support/harness.ts'
import { untilServed } from '../support/until-served.ts'

const { admin, stranger, as, database, secretBox } = await openWorld()
const partner = async (code: string, relationship: number) =>
  (await admin.post('/v1/partners', { name: code, code, relationship })).body.partnerId as string
const [kauri, swift] = [await partner('KAURI', 1), await partner('SWF', 2)]

const webhookUrl = 'https://hooks.example.com/waybill'
const create = (body: Record<string, unknown> = {}, who: Caller = admin) =>
  who.post('/v1/webhook-subscriptions/create', { webhookUrl, eventType: 101, ...body })
const path = (id: string) => `/v1/webhook-subscriptions/${id}`

test('a subscription is created, read and listed without its keys, and deleted', async () => {
  const created = await create({
    signingKey1: 'first key',
    signingKey2: 'second key',
    clientPartnerId: kauri,
    carrierPartnerId: swift,
  })
  assert.equal(created.status, 202)
  const id = created.body.webhookSubscriptionId
  const { body } = await admin.get(path(id))
  assert.deepEqual(body, {
    id,
    webhookUrl,
    eventType: 101,
    clientPartnerId: kauri,
    carrierPartnerId: swift,
    userId: admin.actor.userId,
    userFullName: 'Ada Storekeeper',
    customAppId: body.customAppId,
    appName: 'Test app',
    partnerId: null,
    status: 1,
    isServed: true,
    heldReason: null,
    lastFailure: null,
    lastFailureUtc: null,
    createdUtc: body.createdUtc,
  })
  assert.deepEqual((await admin.get('/v1/webhook-subscriptions?EventType=101')).body.webhookSubscriptions, [
    body,
  ])
  assert.equal((await admin.get('/v1/webhook-subscriptions?Status=2')).body.total, 0)
  const stored = await database.db.row<{ signingKey1: Buffer; signingKey2: Buffer }>(
    sql`select signing_key1, signing_key2 from webhook_subscription`,
  )
  assert.equal(stored.signingKey1.includes('first key'), false)
  assert.equal(secretBox.open(stored.signingKey2).toString(), 'second key')

  assert.equal((await admin.delete(`${path(id)}/delete`)).status, 200)
  for (const answered of [
    await admin.get(path(id)),
    await admin.delete(`${path(id)}/delete`),
    await admin.put(`${path(id)}/test`),
    await admin.put(`${path(id)}/reactivate`),
    await admin.get(`${path(id)}/deliveries`),
  ]) {
    assert.equal(answered.status, 404)
  }
  assert.equal((await admin.get('/v1/webhook-subscriptions')).body.total, 0)
})

test('every fault of a subscription is reported, and filters must name partners of their relationship', async () => {
  const faulty = await create({
    webhookUrl: 'ftp://example.com',
    eventType: 0,
    signingKey1: '',
    clientPartnerId: 'kauri',
  })
  assert.equal(faulty.status, 400)
  assert.equal(faulty.body.ErrorType, 'Validation Failed')
  assert.deepEqual(faulty.body.ErrorMessages.map((message: string) => message.split(' ')[0]).toSorted(), [
    'clientPartnerId',
    'eventType',
    'signingKey1',
    'webhookUrl',
  ])
  assert.deepEqual((await create({ webhookUrl: undefined, eventType: undefined })).body.ErrorMessages, [
    'webhookUrl is required.',
    'eventType is required.',
  ])
  const swapped = await create({ clientPartnerId: swift, carrierPartnerId: kauri })
  assert.deepEqual(swapped.body, {
    ErrorType: 'Verification Failed',
    ErrorMessages: [
      'clientPartnerId does not refer to a client.',
      'carrierPartnerId does not refer to a carrier.',
    ],
  })
  assert.equal((await create({ clientPartnerId: uuidv7() })).status, 400)
  const ofJobs = await create({ eventType: 301, carrierPartnerId: swift })
  assert.deepEqual(ofJobs.body.ErrorMessages, [
    'carrierPartnerId does not apply to events of jobs, which have no carrier.',
  ])
})

/** Creates subscriptions, and changes one, on a service that allows only public addresses and resolves names with `resolve`. */
async function createResolving(t: TestContext, resolve: Resolve) {
  const app = openServer({
    endpoints: webhookSubscriptions({
      secretBox,
      outgoing: openOutgoingHttp({ allowPrivate: false }),
      resolve,
    }),
    database,
    metrics: createMetrics(),
    log: pino({ level: 'silent' }),
    authenticate: () => admin.actor,
    access: accessRules,
    formats: {},
  })
  t.after(() => app.close())
  const id = (await create()).body.webhookSubscriptionId
  return async (url: string, more: object = {}): Promise<string[]> => {
    const payload = { webhookUrl: url, eventType: 101, ...more }
    const response = await app.inject({ method: 'POST', url: '/v1/webhook-subscriptions/create', payload })
    assert.ok([202, 400].includes(response.statusCode), response.body)
    const changed = await app.inject({ method: 'PUT', url: path(id), payload: { webhookUrl: url } })
    if (response.statusCode === 202) return []
    const faults = (faulty: typeof response): string[] => faulty.json().ErrorMessages
    const isAddressFault = (fault: string) => fault.startsWith('webhookUrl')
    assert.deepEqual(faults(changed), faults(response).filter(isAddressFault), 'a change has the same rules')
    return faults(response)
  }
}

const notPublic = ['webhookUrl must be a public address.']

test('an address that is not public is refused at creation', async t => {
  const faultsOf = await createResolving(t, async () => [{ address: '93.184.215.14', family: 4 }])
  assert.deepEqual(await faultsOf(webhookUrl), [])
  for (const url of [
    'https://127.0.0.1/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://169.254.169.254/',
    'https://localhost/',
    'https://db.internal/',
  ]) {
    assert.deepEqual(await faultsOf(url), notPublic, url)
  }
  assert.deepEqual(await faultsOf('http://example.com/'), ['webhookUrl must begin with https://.'])
  assert.deepEqual(await faultsOf('https://example.com:8443/'), [])
  assert.deepEqual(await faultsOf('https://example.com:444/'), [
    'webhookUrl must use port 443, 8443 or 1024 to 65535.',
  ])
  assert.deepEqual(await faultsOf('https://example.com/\nhook'), [
    'webhookUrl must not contain line breaks or control characters.',
  ])
  assert.deepEqual(await faultsOf('https://a:b@example.com/'), [
    'webhookUrl must not contain a user name or password.',
  ])
})

test('an address is stored in normalised form', async () => {
  const { body } = await create({ webhookUrl: 'https:\\\\HOOKS.example.com.:443/a b/../Hook?x=é#part' })
  assert.equal(
    (await admin.get(path(body.webhookSubscriptionId))).body.webhookUrl,
    'https://hooks.example.com/Hook?x=%C3%A9',
  )
  const refused = await create({ webhookUrl: 'javascript:alert(1)' })
  assert.deepEqual(refused.body.ErrorMessages, ['webhookUrl must begin with https:// or http://.'])
})

test('a name that resolves to a private address is refused at creation, together with the other faults', async t => {
  const addresses: Record<string, string[]> = {
    'inside.example.com': ['10.1.1.1'],
    'half.example.com': ['93.184.215.14', 'fd00::1'],
  }
  const faultsOf = await createResolving(t, async host =>
    (addresses[host] ?? []).map(address => ({ address, family: isIPv6(address) ? 6 : 4 })),
  )
  assert.deepEqual(await faultsOf('https://inside.example.com/hook'), notPublic)
  const both = await faultsOf('https://half.example.com/hook', { eventType: 'all' })
  assert.deepEqual([both.length, both.includes(String(notPublic))], [2, true], String(both))
})

test('a name that does not resolve, or resolves slowly, is accepted at creation', async t => {
  const unknown = await createResolving(t, () => Promise.reject(new Error('ENOTFOUND')))
  assert.deepEqual(await unknown('https://new.example.com/hook'), [])
  const silent = await createResolving(t, () => new Promise(() => {}))
  const started = performance.now()
  assert.deepEqual(await silent('https://slow.example.com/hook'), [])
  assert.ok(performance.now() - started < 15_000, 'long before a request times out')
})

test('creating needs the read scope of the events; the rest needs the same connection or the scope organisation', async () => {
  const scopes: [number, string][] = [
    [1, 'organisation.read'],
    [101, 'consignment.read'],
    [201, 'financial.read'],
    [301, 'job.read'],
  ]
  for (const [eventType, scope] of scopes) {
    const others = scopes.map(([, name]) => name).filter(name => name !== scope)
    const refused = await create({ eventType }, as(admin, { scopes: others }))
    assert.deepEqual(
      [refused.status, refused.body.ErrorMessages],
      [403, [`The token needs the scope ${scope}.`]],
    )
    assert.equal(
      (await create({ eventType }, as(admin, { scopes: [scope.replace('.read', '')] }))).status,
      202,
    )
  }
  const own = as(admin, { scopes: ['consignment.read'] })
  const id = (await create({}, own)).body.webhookSubscriptionId
  assert.equal((await own.get(path(id))).status, 200)

  const colleague: Caller['actor'] = { ...admin.actor, connectionId: uuidv7() }
  const elsewhere = (scopes: string[]) => as({ ...admin, actor: colleague }, { scopes })
  const stranded = elsewhere(['consignment', 'organisation.read'])
  assert.equal((await stranded.get('/v1/webhook-subscriptions')).body.total, 0)
  const range = { fromUtc: '2026-01-01T00:00:00Z', toUtc: '2026-01-02T00:00:00Z' }
  const attempts = (who: Caller) => [
    () => who.get(path(id)),
    () => who.get(`${path(id)}/deliveries`),
    () => who.put(`${path(id)}/test`),
    () => who.put(`${path(id)}/reactivate`),
    () => who.post(`${path(id)}/replay`, range),
    () => who.post(`${path(id)}/deliveries/${uuidv7()}/replay`),
    () => who.delete(`${path(id)}/delete`),
  ]
  for (const who of [stranded, await stranger()])
    for (const attempt of attempts(who)) assert.equal((await attempt()).status, 404)
  assert.equal((await elsewhere(['organisation']).get(path(id))).status, 200)
})

test('a token that belongs to a partner subscribes to what is about that partner only', async () => {
  const client = as(admin, { partnerId: kauri })
  const carrier = as(admin, { partnerId: swift })
  const id = (await create({}, client)).body.webhookSubscriptionId
  assert.equal((await client.get(path(id))).body.clientPartnerId, kauri)
  assert.equal((await carrier.get(path(id))).status, 404)
  assert.equal((await client.get('/v1/webhook-subscriptions')).body.total, 1)
  assert.equal((await create({ eventType: 201, carrierPartnerId: swift }, client)).status, 400)
  assert.equal((await create({ eventType: 301 }, client)).status, 202)
  assert.equal((await create({ eventType: 301 }, carrier)).status, 403, 'jobs have no carrier filter')
  assert.equal((await create({ eventType: 1 }, client)).status, 403)
  for (const eventType of [110, 111]) {
    assert.equal((await create({ eventType }, client)).status, 202)
    const refused = await create({ eventType, clientPartnerId: kauri }, carrier)
    assert.deepEqual(
      [refused.status, refused.body.ErrorMessages],
      [403, [`A token that belongs to a carrier cannot subscribe to events of the type ${eventType}.`]],
      'a carrier cannot read imports',
    )
  }
  const schedules = (await create({ eventType: 201 }, carrier)).body.webhookSubscriptionId
  assert.equal((await carrier.get(path(schedules))).body.carrierPartnerId, swift)
})

test('an event type has 1,000 subscriptions at most, however many are created at the same moment', async () => {
  const other = await stranger()
  await create({}, other)
  await database.atomically(tx =>
    tx.run(sql`insert into webhook_subscription (organisation_id, id, identity_connection_id, webhook_url,
      event_type)
      select organisation_id, gen_random_uuid(), identity_connection_id, webhook_url, event_type
      from webhook_subscription, generate_series(1, 996)
        where organisation_id = ${other.actor.organisationId}`),
  )
  const answers = await Promise.all(Array.from({ length: 40 }, () => untilServed(() => create({}, other))))
  const refused = answers.filter(({ status }) => status === 400)
  assert.deepEqual([answers.filter(({ status }) => status === 202).length, refused.length], [3, 37])
  assert.deepEqual(refused[0]?.body.ErrorMessages, [
    'eventType has 1000 subscriptions already. Delete one that is no longer needed.',
  ])
  assert.equal((await other.get('/v1/webhook-subscriptions?EventType=101')).body.total, 1000)
  assert.equal((await create({ eventType: 102 }, other)).status, 202)
})

test('the people of one partner cannot use up the limit of everyone else', async () => {
  const other = await stranger()
  const partner = async (code: string, relationship: number) =>
    as(other, {
      partnerId: (await other.post('/v1/partners', { name: code, code, relationship })).body.partnerId,
    })
  const [client, carrier] = [await partner('KAURI', 1), await partner('SWF', 2)]
  await create({}, client)
  await database.atomically(tx =>
    tx.run(sql`insert into webhook_subscription (organisation_id, id, identity_connection_id, partner_id,
      client_partner_id, webhook_url, event_type)
      select organisation_id, gen_random_uuid(), identity_connection_id, partner_id, client_partner_id,
        webhook_url, event_type
      from webhook_subscription, generate_series(1, 99)
      where organisation_id = ${other.actor.organisationId}`),
  )
  const refused = await create({}, client)
  assert.deepEqual(
    [refused.status, refused.body.ErrorMessages],
    [400, ['eventType has 100 subscriptions of the partner already. Delete one that is no longer needed.']],
  )
  for (const caller of [carrier, other]) assert.equal((await create({}, caller)).status, 202)
  assert.equal((await create({ eventType: 102 }, client)).status, 202)
})

test('a range is not replayed while 10,000 deliveries to the subscription wait, however many replays come at once', async () => {
  const other = await stranger()
  const id = (await create({}, other)).body.webhookSubscriptionId
  const range = {
    fromUtc: new Date(Date.now() - 3_600_000).toISOString(),
    toUtc: new Date(Date.now() + 60_000).toISOString(),
  }
  const { organisationId } = other.actor
  await database.atomically(async tx => {
    await tx.run(sql`insert into event (organisation_id, id, type, subject_id, data)
      values (${organisationId}, ${id}, 101, ${id}, '{}')`)
    await tx.run(sql`insert into event (organisation_id, id, type, subject_id, data)
      select ${organisationId}, gen_random_uuid(), 101, ${id}, '{}' from generate_series(1, 2000)`)
    await tx.run(sql`
      insert into webhook_delivery (organisation_id, id, webhook_subscription_id, event_id)
      select ${organisationId}, gen_random_uuid(), ${id}, ${id} from generate_series(1, 10000)`)
  })
  const refused = await other.post(`${path(id)}/replay`, range)
  assert.deepEqual(
    [refused.status, refused.body.ErrorMessages],
    [400, ['At least 10,000 deliveries are already waiting. Replay the range once they have been sent.']],
  )
  await database.atomically(tx =>
    tx.run(sql`
      delete from webhook_delivery where id in (
        select id from webhook_delivery where webhook_subscription_id = ${id} limit 1)`),
  )
  const replays = Array.from({ length: 10 }, () => untilServed(() => other.post(`${path(id)}/replay`, range)))
  const statuses = (await Promise.all(replays)).map(({ status }) => status)
  assert.deepEqual(statuses.toSorted(), [202, ...Array(9).fill(400)])
})

test('a replay needs a range that goes forward and is not older than 30 days', async () => {
  const id = (await create()).body.webhookSubscriptionId
  const replay = (fromUtc: string, toUtc: string) => admin.post(`${path(id)}/replay`, { fromUtc, toUtc })
  const now = new Date().toISOString()
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  assert.deepEqual((await replay(now, now)).body.ErrorMessages, ['toUtc must be after fromUtc.'])
  assert.deepEqual((await replay(daysAgo(31), now)).body.ErrorMessages, [
    'fromUtc must not be more than 30 days ago.',
  ])
  assert.deepEqual((await replay('2026-01-01T00:00:00+23:00', now)).body.ErrorMessages, [
    'fromUtc must not be more than 30 days ago.',
  ])
  assert.equal((await replay('yesterday', now)).status, 400)
  assert.deepEqual((await replay(daysAgo(29), now)).body, { deliveries: 0 })
  await database.atomically(tx =>
    tx.run(sql`insert into event (organisation_id, id, type, subject_id, data)
      select ${admin.actor.organisationId}, gen_random_uuid(), 101, gen_random_uuid(), '{}'
        from generate_series(1, 10001)`),
  )
  assert.equal(
    (await replay(daysAgo(29), new Date(Date.now() + 1000).toISOString())).status,
    400,
    'more than 10,000 events',
  )
  assert.equal((await admin.get(`${path(id)}/deliveries`)).body.total, 0)
})
