// Helpers for the tests of the event feed: emitting events, and reading the feed to its end.

import assert from 'node:assert/strict'
import { v7 as uuidv7 } from 'uuid'
import { emit, type NewEvent } from '../../src/events/emit.ts'
import type { Database, Tx } from '../../src/platform/database/db.ts'
import { EventType } from '../../src/vocabulary/events.ts'
import type { Caller } from './harness.ts'

/** An event as the feed returns it. */
export interface FeedEvent {
  sequence: number
  id: string
  type: string
  created: string
  data: Record<string, unknown>
}

const consignmentData = () => ({
  consignmentId: uuidv7(),
  consignmentNumber: 'WBL-000001-OUT',
  referenceNumber: null,
  clientId: uuidv7(),
  carrierId: null,
  type: 2,
  status: 1,
})

const scheduleData = () => ({ partnerScheduleId: uuidv7(), partnerId: uuidv7(), status: 1 })

const jobData = () => ({
  jobId: uuidv7(),
  jobNumber: 'JOB-000001',
  warehouseId: uuidv7(),
  clientId: uuidv7(),
  status: 1,
})

/** Makes an event that is recognisable by its mark; about a new consignment by default. */
export function anEvent(mark: string, event: Partial<NewEvent> = {}): NewEvent {
  const { type = EventType.ConsignmentCreated } = event
  const data = type > 300 ? jobData() : type > 200 ? scheduleData() : consignmentData()
  return { type, subjectId: uuidv7(), data: { ...data, mark }, ...event }
}

/** Emits events in an open transaction. */
export const emitIn = (tx: Tx, { actor }: Caller, ...events: NewEvent[]): Promise<void> =>
  emit(tx, { ...actor, requestId: null }, events)

/** Emits events in one transaction. */
export const emitEvents = (database: Database, caller: Caller, ...events: NewEvent[]): Promise<void> =>
  database.atomically(tx => emitIn(tx, caller, ...events))

/** Reads one page of the feed. */
export async function feedPage(
  caller: Caller,
  query: string,
): Promise<{ events: FeedEvent[]; next: number }> {
  const { status, body } = await caller.get(`/v1/events?${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

/** Reads all events after a sequence number, following `next` to the end. */
export async function readFeed(
  caller: Caller,
  after = 0,
  query = '',
): Promise<{ events: FeedEvent[]; next: number }> {
  const events: FeedEvent[] = []
  for (let next = after; ; ) {
    const page = await feedPage(caller, `After=${next}&${query}`)
    events.push(...page.events)
    if (page.next === next) return { events, next }
    next = page.next
  }
}

/** The marks of events. */
export const marksOf = (events: readonly FeedEvent[]): unknown[] => events.map(({ data }) => data.mark)
