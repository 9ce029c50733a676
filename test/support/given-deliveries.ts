// Subscriptions, events and delivery workers for the tests of webhook deliveries.

import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after } from 'node:test'
import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { emit, type NewEvent } from '../../src/events/emit.ts'
import { sql } from '../../src/platform/database/db.ts'
import { createMetrics } from '../../src/platform/metrics.ts'
import { newId } from '../../src/platform/new-id.ts'
import { openOutgoingHttp } from '../../src/platform/outgoing/outgoing-http.ts'
import type { WorkLoop } from '../../src/platform/work/work-loop.ts'
import type { WorkerContext } from '../../src/platform/work/worker-context.ts'
import { EventType } from '../../src/vocabulary/events.ts'
import { type DeliveryTimes, startDeliveries } from '../../src/webhook-subscriptions/delivery/deliver.ts'
import { type Caller, openWorld, type World } from './harness.ts'
import { until } from './service-process.ts'

/** A delivery as the API returns it in lists. */
export interface DeliveryView {
  id: string
  eventId: string
  type: string
  status: number
  dueUtc: string | null
  attempts: {
    atUtc: string
    statusCode: number | null
    durationMs: number
    error: string | null
    answer: string | null
  }[]
}

/** The client secret of the world's app, of the length of real ones. */
export const clientSecret = randomBytes(72).toString('base64url')

/** Makes the context of a worker. */
export function contextIn({ database, secretBox }: World): WorkerContext {
  const outgoing = openOutgoingHttp({ allowPrivate: true })
  after(() => outgoing.close())
  return {
    database,
    secretBox,
    outgoing,
    log: pino({ level: process.env.LOG_LEVEL ?? 'silent' }),
    metrics: createMetrics(),
    presence: { id: newId(), deadWorkers: () => [] },
  }
}

/** Opens a world whose app has a secret, with helpers for deliveries. */
export async function openDeliveries() {
  const world = await openWorld()
  const { database, secretBox, admin } = world
  const secretHash = secretBox.seal(createHash('sha256').update(clientSecret).digest())
  await database.atomically(tx => tx.run(sql`update custom_app set secret_hash = ${secretHash}`))

  const path = (id: string) => `/v1/webhook-subscriptions/${id}`
  async function subscribe(
    webhookUrl: string,
    more: Record<string, unknown> = {},
    as: Caller = admin,
  ): Promise<string> {
    const created = await as.post('/v1/webhook-subscriptions/create', {
      webhookUrl,
      eventType: EventType.ConsignmentCreated,
      ...more,
    })
    assert.equal(created.status, 202, JSON.stringify(created.body))
    return created.body.webhookSubscriptionId
  }

  return {
    world,
    path,
    subscribe,
    /** Stores events about created consignments. */
    raise: (count = 1, more: Partial<NewEvent> = {}) =>
      database.atomically(tx =>
        emit(
          tx,
          { ...admin.actor, requestId: 'test' },
          Array.from({ length: count }, () => {
            const id = uuidv7()
            return { type: EventType.ConsignmentCreated, subjectId: id, data: { consignmentId: id }, ...more }
          }),
        ),
      ),
    /** Starts a worker; it stops when the test file ends. */
    work(retrySeconds = [0.05, 0.05, 0.05, 0.05, 0.05], times: Partial<DeliveryTimes> = {}): WorkLoop {
      const loop = startDeliveries(contextIn(world), retrySeconds, {
        timeoutMs: 5_000,
        leaseMs: 10_000,
        stopMs: 1_000,
        ...times,
      })
      after(() => loop.stop())
      return loop
    },
    deliveries: async (id: string): Promise<DeliveryView[]> =>
      (await admin.get(`${path(id)}/deliveries?PageSize=500`)).body.deliveries,
    /** Waits until every delivery of a subscription has this status. */
    settled: (id: string, status: number): Promise<DeliveryView[]> =>
      until(async () => {
        const all: DeliveryView[] = (await admin.get(`${path(id)}/deliveries?PageSize=500`)).body.deliveries
        return all.length > 0 && all.every(delivery => delivery.status === status) ? all : undefined
      }, `The deliveries never all came to status ${status}.`),
    read: async (id: string) => (await admin.get(path(id))).body,
  }
}
