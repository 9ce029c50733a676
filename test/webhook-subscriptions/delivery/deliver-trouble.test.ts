import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { sql } from '../../../src/platform/database/db.ts'
import { claimDeliveries, firstPosition } from '../../../src/webhook-subscriptions/delivery/claim.ts'
import { storeOutcomes } from '../../../src/webhook-subscriptions/delivery/settle.ts'
import { openDeliveries } from '../../support/given-deliveries.ts'
import {
  answering,
  type Behaviour,
  drip,
  hang,
  openReceiver,
  oversized,
  redirect,
} from '../../support/receiver.ts'
import { until } from '../../support/service-process.ts'

/** Sets up a separate world for each test, because each has a worker with its own times. */
async function given() {
  const deliveries = await openDeliveries()
  return { ...deliveries, admin: deliveries.world.admin }
}

const misbehaviours: Record<string, [Behaviour, number | null, RegExp]> = {
  'that hangs': [hang, null, /^No complete answer came within 2 seconds\.$/],
  'that refuses with a long response': [
    response => response.writeHead(500).end(Buffer.alloc(70_000, 'a')),
    500,
    /^The receiver answered 500\.$/,
  ],
  'that redirects': [redirect, 302, /^The receiver answered 302; redirects are not followed\.$/],
  'that breaks off': [
    response => response.destroy(),
    null,
    /^The connection was closed before the answer was complete\.$/,
  ],
  'that refuses': [answering(410, 'gone'), 410, /^The receiver answered 410\.$/],
}

test('a receiver that does not accept a delivery fails the attempt, with the reason', async t => {
  const { admin, path, subscribe, deliveries, work } = await given()
  work([60, 60, 60, 60, 60], { timeoutMs: 2_000 })
  for (const [who, [behaviour, statusCode, error]] of Object.entries(misbehaviours)) {
    await t.test(`a receiver ${who}`, async () => {
      const receiver = await openReceiver()
      receiver.behave(() => behaviour)
      const id = await subscribe(receiver.url)
      await admin.put(`${path(id)}/test`)
      const attempt = await until(
        async () => (await deliveries(id))[0]?.attempts[0],
        'No attempt was recorded.',
      )
      assert.equal(attempt.statusCode, statusCode)
      assert.match(attempt.error ?? '', error)
      assert.equal((await deliveries(id))[0]?.status, 1)
      assert.equal(receiver.arrived.filter(arrival => arrival.path !== '/hook').length, 0)
    })
  }
  await t.test('a receiver that does not exist', async () => {
    const id = await subscribe('http://127.0.0.1:1/hook')
    await admin.put(`${path(id)}/test`)
    const attempt = await until(
      async () => (await deliveries(id))[0]?.attempts[0],
      'No attempt was recorded.',
    )
    assert.equal(attempt.error, 'The connection was refused.')
  })
})

test('a 2xx status is a success, however long the response is and whether or not it ever ends', async t => {
  const { admin, path, subscribe, settled, work } = await given()
  work([60, 60, 60, 60, 60], { timeoutMs: 1_000 })
  for (const [who, behaviour] of Object.entries({ 'that drips': drip, 'that answers too much': oversized })) {
    await t.test(`a receiver ${who}`, async () => {
      const receiver = await openReceiver()
      const connections = Promise.withResolvers<void>()
      receiver.behave(() => response => {
        response.on('close', connections.resolve)
        if (typeof behaviour === 'function') behaviour(response)
      })
      const id = await subscribe(receiver.url)
      await admin.put(`${path(id)}/test`)
      const [delivery] = await settled(id, 2)
      assert.deepEqual(
        delivery?.attempts.map(({ statusCode, error }) => [statusCode, error]),
        [[200, null]],
      )
      assert.match(delivery?.attempts[0]?.answer ?? '', /^[.a]{1,1024}$/)
      await connections.promise
    })
  }
})

test('retries wait for their configured delays, and not much longer', async () => {
  const { admin, path, subscribe, read, work } = await given()
  const delays = [0.2, 0.6, 0.2, 0.9]
  work([...delays, 3600])
  const receiver = await openReceiver()
  receiver.behave(() => 500)
  const id = await subscribe(receiver.url)
  await admin.put(`${path(id)}/test`)
  await until(async () => (await read(id)).status === 2, 'The subscription did not fail.')
  const waits = receiver.arrived.slice(1).map(({ at }, i) => (at - (receiver.arrived[i]?.at ?? 0)) / 1000)
  assert.equal(waits.length, 4)
  for (const [i, wanted] of delays.entries()) {
    const wait = waits[i] ?? 0
    assert.ok(wait >= wanted && wait < wanted + 10, `wait ${i + 1} was ${wait} s instead of ${wanted} s`)
  }
})

test('receivers that hang do not delay others, however large their backlog', async () => {
  const { subscribe, raise, settled, deliveries, work } = await given()
  const quick = await openReceiver()
  const slow = await openReceiver()
  slow.behave(() => hang)
  const [quickId, ...slowIds] = await Promise.all([quick, slow, slow, slow].map(({ url }) => subscribe(url)))
  await raise(300)
  work([60, 60, 60, 60, 60], { timeoutMs: 120_000, leaseMs: 150_000 })
  await settled(quickId as string, 2)
  assert.equal(quick.arrived.length, 300)
  for (const id of slowIds) {
    const waiting = await deliveries(id)
    assert.equal(waiting.length, 300)
    assert.ok(
      waiting.every(({ attempts }) => attempts.length === 0),
      'none of the hanging requests had timed out yet',
    )
  }
  assert.equal(slow.arrived.length, 6, 'a receiver that has not responded yet gets two deliveries at a time')
})

test('deliveries of a killed worker are sent again when their leases end, and a late result is not written', async () => {
  const { admin, path, subscribe, settled, work, world } = await given()
  const receiver = await openReceiver()
  let answerFirst = () => {}
  receiver.behave(() =>
    receiver.arrived.length === 1
      ? response => {
          answerFirst = () => response.writeHead(200).end('too late')
        }
      : answering(200, 'in time'),
  )
  const id = await subscribe(receiver.url)
  const stopped = work([60, 60, 60, 60, 60], { leaseMs: 3_000 })
  await admin.put(`${path(id)}/test`)
  await until(async () => receiver.arrived.length === 1, 'Nothing arrived.')
  const other = work([60, 60, 60, 60, 60], { leaseMs: 3_000 })
  const [delivery] = await settled(id, 2)
  answerFirst()
  await stopped.stop()
  await other.stop()
  const [after] = await settled(id, 2)
  assert.deepEqual(after, delivery)
  assert.deepEqual(
    delivery?.attempts.map(({ answer }) => answer),
    ['in time'],
  )
  const { leaseNumber } = await world.database.db.row<{ leaseNumber: number }>(
    sql`select lease_number from webhook_delivery`,
  )
  assert.equal(leaseNumber, 2)
  assert.equal(receiver.arrived.length, 2)
})

test('a worker that stops waits briefly for responses and releases its other claims', async () => {
  const { admin, path, subscribe, deliveries, settled, work } = await given()
  const [answersSoon, hangs] = [await openReceiver(), await openReceiver()]
  answersSoon.behave(() => response => setTimeout(() => response.writeHead(204).end(), 100))
  hangs.behave(() => hang)
  const ids = [await subscribe(answersSoon.url), await subscribe(hangs.url)] as const
  const first = work([60, 60, 60, 60, 60], { stopMs: 3_000 })
  for (const id of ids) await admin.put(`${path(id)}/test`)
  await until(async () => hangs.arrived.length === 1 && answersSoon.arrived.length === 1, 'Nothing arrived.')
  await first.stop()
  assert.equal((await deliveries(ids[0]))[0]?.status, 2)
  const [back] = await deliveries(ids[1])
  assert.ok(Date.parse(back?.dueUtc ?? '') <= Date.now(), 'due at once, not when its lease ends')
  hangs.behave(() => 204)
  work()
  await settled(ids[1], 2)
})

test('two workers share the work without doubling it', async () => {
  const { subscribe, raise, settled, work } = await given()
  const receivers = await Promise.all([openReceiver(), openReceiver(), openReceiver()])
  const ids = await Promise.all(receivers.map(({ url }) => subscribe(url)))
  work()
  work()
  for (let i = 0; i < 10; i++) await raise(30)
  for (const id of ids) await settled(id, 2)
  for (const { arrived } of receivers) {
    assert.equal(arrived.length, 300)
    assert.equal(new Set(arrived.map(({ body }) => body.operationId)).size, 300)
  }
})

test('a delivery whose keys cannot be decrypted is kept, and delays no others', async () => {
  const { subscribe, raise, settled, deliveries, work, world } = await given()
  const receiver = await openReceiver()
  const [broken, sound] = [
    await subscribe(receiver.url, { signingKey1: 'a key' }),
    await subscribe(receiver.url),
  ]
  await world.database.atomically(tx =>
    tx.run(sql`update webhook_subscription set signing_key1 = '\\x00' where id = ${broken}`),
  )
  await raise(3, { subjectId: uuidv7() })
  work()
  await settled(sound, 2)
  assert.deepEqual(
    (await deliveries(broken)).map(({ status, attempts }) => [status, attempts.length]),
    [
      [1, 0],
      [1, 0],
      [1, 0],
    ],
  )
})

test('an app whose secret cannot be decrypted delays no others, however large its backlog', async () => {
  const { subscribe, raise, settled, work, world, admin } = await given()
  const { database, as } = world
  const receiver = await openReceiver()
  // Another app has more due deliveries than a process may have in progress.
  const [appId, connectionId] = [uuidv7(), uuidv7()]
  await database.atomically(async tx => {
    await tx.run(sql`insert into custom_app (organisation_id, id, name, grant_type, client_id, secret_hash,
      scopes, created_by)
      select organisation_id, ${appId}, 'Broken', grant_type, ${appId}, set_byte(secret_hash, 20,
        get_byte(secret_hash, 20) # 1), scopes, created_by
      from custom_app`)
    await tx.run(sql`insert into identity_connection (organisation_id, id, custom_app_id, user_id)
      values (${admin.actor.organisationId}, ${connectionId}, ${appId}, ${admin.actor.userId})`)
  })
  const broken = await subscribe(receiver.url, {}, as(admin, { connectionId }))
  await database.atomically(tx =>
    tx.run(sql`insert into webhook_subscription (organisation_id, id, identity_connection_id, webhook_url,
      event_type)
      select organisation_id, gen_random_uuid(), identity_connection_id, webhook_url, event_type
      from webhook_subscription, generate_series(1, 549) where id = ${broken}`),
  )
  await raise(2)
  work([60, 60, 60, 60, 60], { leaseMs: 60_000 })
  await until(async () => {
    const { n } = await database.db.row<{ n: number }>(
      sql`select count(*) as n from webhook_delivery where lease_number > 0`,
    )
    return n >= 1000
  }, 'A thousand deliveries were never claimed.')
  const sound = await subscribe(receiver.url)
  await raise()
  await settled(sound, 2)
  assert.equal(receiver.arrived.length, 1, 'nothing is sent without a signature')
})

test('a receiver that always fails while events keep coming fails its subscription at the fifth attempt of one delivery', async () => {
  const { subscribe, raise, read, world } = await given()
  const id = await subscribe('http://127.0.0.1:1/hook')
  await raise(10)
  const attempt = {
    atUtc: new Date().toISOString(),
    statusCode: 500,
    durationMs: 1,
    error: 'The receiver answered 500.',
    answer: null,
  }
  for (let i = 0; i < 5; i++) {
    assert.equal((await read(id)).status, 1)
    await raise()
    const claimed = await claimDeliveries(world.database, {
      position: firstPosition,
      limit: 200,
      saturatedOrganisations: [],
      allowances: { [id]: 1 },
      leaseSeconds: 60,
      workerId: id,
    })
    assert.equal(claimed.length, 1)
    await storeOutcomes(
      world.database,
      claimed.map(delivery => ({ claimed: delivery, attempt })),
      [0, 0, 0, 0],
    )
  }
  assert.equal((await read(id)).status, 2)
})

test('receivers of one organisation that hang, however many, do not delay those of another', async () => {
  const { subscribe, raise, work, world } = await given()
  const { database } = world
  const [hanging, quick] = [await openReceiver(), await openReceiver()]
  hanging.behave(() => hang)
  const one = await subscribe(hanging.url)
  await database.atomically(tx =>
    tx.run(sql`insert into webhook_subscription (organisation_id, id, identity_connection_id, webhook_url,
      event_type)
      select organisation_id, gen_random_uuid(), identity_connection_id, webhook_url, event_type
      from webhook_subscription, generate_series(1, 699) where id = ${one}`),
  )
  await raise(2)
  work([60, 60, 60, 60, 60], { timeoutMs: 120_000, leaseMs: 150_000 })
  await until(async () => hanging.arrived.length >= 500, 'The receivers that hang did not get their share.')

  const stranger = await world.stranger()
  await database.atomically(tx =>
    tx.run(sql`update custom_app set secret_hash = (select secret_hash from custom_app
    where organisation_id <> ${stranger.actor.organisationId})
      where organisation_id = ${stranger.actor.organisationId}`),
  )
  await subscribe(quick.url, {}, stranger)
  // One after the other, so that the organisation in trouble could take every slot that becomes free.
  for (let n = 1; n <= 10; n++) {
    await raise(1, { origin: { ...stranger.actor, requestId: 'test' } })
    await until(
      async () => quick.arrived.length === n,
      `Delivery ${n} of the other organisation did not arrive.`,
    )
  }
  assert.ok(hanging.arrived.length < 1000, `${hanging.arrived.length} slots are held by the one that hangs`)
})
