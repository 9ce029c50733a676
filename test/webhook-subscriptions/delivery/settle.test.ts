// Claims, leases and outcomes: for each condition, what would go wrong without it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { sql } from '../../../src/platform/database/db.ts'
import { createMetrics } from '../../../src/platform/metrics.ts'
import { newId } from '../../../src/platform/new-id.ts'
import {
  type ClaimedDelivery,
  claimDeliveries,
  deliveryLease,
  firstPosition,
  releaseClaims,
} from '../../../src/webhook-subscriptions/delivery/claim.ts'
import {
  createOutcomeBatches,
  type DeliveryOutcome,
  storeOutcomes,
} from '../../../src/webhook-subscriptions/delivery/settle.ts'
import { contextIn, openDeliveries } from '../../support/given-deliveries.ts'

const { world, subscribe, raise, deliveries, read, path } = await openDeliveries()
const { admin, database } = world
const nowhere = 'http://127.0.0.1:1/'

const workerId = newId()
const claimAll = (
  allowances: Record<string, number> = {},
  leaseSeconds = 60,
  saturatedOrganisations: string[] = [],
) =>
  claimDeliveries(database, {
    position: firstPosition,
    limit: 200,
    saturatedOrganisations,
    allowances,
    leaseSeconds,
    workerId,
  })

const outcome = (claimed: ClaimedDelivery, statusCode: number) => ({
  claimed,
  attempt: {
    atUtc: new Date().toISOString(),
    statusCode,
    durationMs: 1,
    error: statusCode < 300 ? null : `The receiver answered ${statusCode}.`,
    answer: null,
  },
})

const atOnce = [0, 0, 0, 0]

/** Settles an outcome, and returns how many outcomes were written. */
const settleOutcome = async (result: DeliveryOutcome, retrySeconds: number[]) =>
  (await storeOutcomes(database, [result], retrySeconds)).written

/** Claims the next due delivery of a subscription. */
const claimOf = async (id: string) => (await claimAll()).find(({ subscriptionId }) => subscriptionId === id)

/** A claimed delivery to a new subscription. */
async function given(eventType: number) {
  const id = await subscribe(nowhere, { eventType })
  await raise(1, { type: eventType as 101 })
  const claimed = await claimOf(id)
  assert.ok(claimed)
  return { id, claimed }
}

test('a result is written only by the claim that holds the latest lease', async () => {
  const { id, claimed } = await given(102)
  await releaseClaims(database, [claimed])
  const [again] = await claimAll()
  assert.deepEqual([again?.id, again?.leaseNumber], [claimed.id, claimed.leaseNumber + 2])
  assert.equal(await settleOutcome(outcome(claimed, 500), [60]), 0)
  await releaseClaims(database, [claimed])
  assert.deepEqual((await deliveries(id))[0]?.attempts, [], 'the late outcome left no trace')
  assert.deepEqual(await claimAll(), [], 'nor did it end the other lease')
  assert.equal(await settleOutcome(outcome(again as ClaimedDelivery, 204), [60]), 1)
  assert.equal(await settleOutcome(outcome(again as ClaimedDelivery, 500), [60]), 0, 'once')
  const [delivery] = await deliveries(id)
  assert.deepEqual([delivery?.status, delivery?.attempts.length], [2, 1])
})

test('claims of a dead worker are released at once, except for deliveries that it settled', async () => {
  const { id, claimed } = await given(104)
  const other = await given(105)
  await storeOutcomes(database, [outcome(other.claimed, 500)], [60])
  assert.equal(await deliveryLease.returnRowsOf(database, [newId()]), 0)
  assert.equal(await deliveryLease.returnRowsOf(database, [workerId]), 1)
  const again = await claimAll()
  assert.deepEqual(
    again.map(delivery => delivery.id),
    [claimed.id],
  )
  assert.equal(
    await settleOutcome(outcome(claimed, 500), [60]),
    0,
    'if the worker is alive after all, it is too late',
  )
  assert.equal(await settleOutcome(outcome(again[0] as ClaimedDelivery, 204), [60]), 1)
  assert.equal((await deliveries(id))[0]?.status, 2)
})

test('a subscription gets as many deliveries as it is allowed, and a saturated organisation none', async () => {
  const ids = await Promise.all([3, 1, 0].map(() => subscribe(nowhere, { eventType: 103 })))
  const [three, one, none] = ids as [string, string, string]
  await raise(5, { type: 103 })
  const allowances = { [three]: 3, [one]: 1, [none]: 0 }
  assert.deepEqual(await claimAll(allowances, 60, [admin.actor.organisationId]), [])
  const claimed = await claimAll(allowances)
  const counts = ids.map(id => claimed.filter(({ subscriptionId }) => subscriptionId === id).length)
  assert.deepEqual(counts, [3, 1, 0])
  assert.equal(
    (await claimAll({ [three]: 0, [one]: 0 })).length,
    2,
    'an unknown subscription begins with two',
  )
})

test('reactivating a subscription restarts its held deliveries with five attempts, and a late failure has no effect', async () => {
  const { id, claimed } = await given(104)
  let current = claimed
  for (let failures = 1; failures <= 4; failures++) {
    assert.equal(await settleOutcome(outcome(current, 500), atOnce), 1)
    const next = await claimOf(id)
    assert.equal(next?.attemptCount, failures)
    current = next as ClaimedDelivery
  }
  // Another delivery has failed the subscription while the fifth attempt is in progress.
  await database.atomically(tx => tx.run(sql`update webhook_subscription set status = 2 where id = ${id}`))
  assert.equal((await admin.put(`${path(id)}/reactivate`)).status, 200)
  assert.equal(await settleOutcome(outcome(current, 500), atOnce), 0)
  for (let failures = 0; failures < 5; failures++) {
    assert.equal((await read(id)).status, 1)
    const next = await claimOf(id)
    assert.equal(next?.attemptCount, failures)
    const { failed } = await storeOutcomes(database, [outcome(next as ClaimedDelivery, 500)], atOnce)
    const lastFailure = `Delivery ${claimed.id} failed 5 times, at last with: The receiver answered 500.`
    const { organisationId } = admin.actor
    assert.deepEqual(failed, failures < 4 ? [] : [{ organisationId, subscriptionId: id, lastFailure }])
  }
  assert.equal((await read(id)).status, 2)
  const [delivery] = await deliveries(id)
  assert.deepEqual([delivery?.status, delivery?.attempts.length], [3, 9])
})

test('the log says which subscription has failed and with what', async () => {
  const { id, claimed } = await given(110)
  const lines: string[] = []
  const log = pino({ level: 'warn', base: null, timestamp: false }, { write: line => lines.push(line) })
  const batches = createOutcomeBatches({ ...contextIn(world), log }, atOnce)
  batches.add(outcome({ ...claimed, attemptCount: 3 }, 500))
  await batches.finish()
  assert.deepEqual(lines, [], 'a failure that is retried does not fail the subscription')
  const last = createOutcomeBatches({ ...contextIn(world), log }, atOnce)
  last.add(outcome({ ...((await claimOf(id)) as ClaimedDelivery), attemptCount: 4 }, 500))
  await last.finish()
  assert.equal(lines.length, 1)
  assert.deepEqual(JSON.parse(lines[0] ?? ''), {
    level: 40,
    organisationId: admin.actor.organisationId,
    subscriptionId: id,
    lastFailure: `Delivery ${claimed.id} failed 5 times, at last with: The receiver answered 500.`,
    msg: 'a webhook subscription has failed: nothing is sent to it until it is reactivated',
  })
})

test('an outcome that cannot be written is dropped and logged, and delays no others', async () => {
  const [first, bad, last] = [await given(106), await given(107), await given(108)]
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: line => lines.push(line) })
  const batches = createOutcomeBatches({ ...contextIn(world), log }, [60])
  const unstorable = outcome(bad.claimed, 204)
  unstorable.attempt.atUtc = '\0'
  for (const one of [outcome(first.claimed, 204), unstorable, outcome(last.claimed, 204)]) batches.add(one)
  await batches.finish()
  const statuses = await Promise.all(
    [first, bad, last].map(async ({ id }) => (await deliveries(id))[0]?.status),
  )
  assert.deepEqual(statuses, [2, 1, 2])
  assert.deepEqual(
    lines.map(line => JSON.parse(line).deliveryId),
    [bad.claimed.id],
  )
})

test('attempts are counted by their outcome, with their duration', async () => {
  const metrics = createMetrics()
  const batches = createOutcomeBatches({ ...contextIn(world), metrics }, [60])
  const outcomes = [outcome((await given(108)).claimed, 204), outcome((await given(109)).claimed, 500)]
  for (const one of outcomes) batches.add({ ...one, attempt: { ...one.attempt, durationMs: 1_500 } })
  await batches.finish()
  const { body } = await metrics.text()
  for (const kind of ['delivered', 'failed']) {
    assert.match(body, new RegExp(`^waybill_webhook_attempts_total\\{outcome="${kind}"\\} 1$`, 'm'))
    const took = `waybill_webhook_attempt_duration_seconds_sum\\{outcome="${kind}"\\} 1\\.5$`
    assert.match(body, new RegExp(`^${took}`, 'm'))
  }
})

test('however often a subscription is reactivated, a delivery keeps its last 25 attempts', async () => {
  const { id, claimed } = await given(105)
  await database.atomically(tx =>
    tx.run(sql`update webhook_delivery set attempts = (select jsonb_agg(jsonb_build_object('atUtc',
        '2026-01-01T00:00:00.000Z', 'statusCode', n, 'durationMs', 1, 'error', null, 'answer', null))
      from generate_series(1, 25) n) where id = ${claimed.id}`),
  )
  await storeOutcomes(database, [outcome(claimed, 503)], [60])
  const kept = (await deliveries(id))[0]?.attempts.map(({ statusCode }) => statusCode) ?? []
  assert.deepEqual([kept.length, kept[0], kept.at(-1)], [25, 2, 503])
})

test('only events of the subscription and within the range are replayed', async () => {
  const [own, other] = [
    await subscribe(nowhere, { eventType: 106 }),
    await subscribe(nowhere, { eventType: 107 }),
  ]
  await raise(4, { type: 106 })
  await raise(1, { type: 107 })
  await database.atomically(async tx => {
    // Events exactly one minute apart.
    await tx.run(sql`update event e set created_utc = date_trunc('minute', now()) - interval '1 hour' + n * interval '1 minute'
      from (select id, row_number() over (order by id) as n from event where type = 106) numbered
      where e.id = numbered.id`)
  })
  const [first, last] = await database.db.rows<{ createdUtc: string }>(sql`
    select created_utc from event where type = 106 order by created_utc offset 1 limit 2`)
  assert.ok(first && last)
  const before = (await deliveries(own)).length
  const minuteLater = new Date(Date.parse(last.createdUtc) + 60_000).toISOString()
  const range = { fromUtc: first.createdUtc, toUtc: minuteLater }
  assert.deepEqual((await admin.post(`${path(own)}/replay`, range)).body.deliveries, 2)
  assert.equal((await deliveries(own)).length, before + 2)

  const [theirs] = await deliveries(other)
  const replayed = await admin.post(`${path(own)}/deliveries/${theirs?.id}/replay`)
  assert.equal(replayed.status, 404)
  assert.equal((await deliveries(own)).length, before + 2)
})
