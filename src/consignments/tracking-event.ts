// The endpoint that adds an event to a tracking record. Spec 2.4, 4.3; decision 4.

import { v7 as uuidv7 } from 'uuid'
import { endpoint } from '../access/endpoint.ts'
import { sql, type Tx } from '../platform/database/db.ts'
import { insertInto } from '../platform/database/write.ts'
import { changed } from '../platform/http/endpoint.ts'
import { notFound, verificationFailed } from '../platform/http/refusal.ts'
import type { Static } from '../platform/http/schema.ts'
import { parseInstant } from '../platform/local-time.ts'
import { EventType } from '../vocabulary/events.ts'
import { changeRecords, describeRecordChange } from './change-consignment.ts'
import type { Change, LockedConsignment } from './consignment.ts'
import { NewTrackingEvent, recordCondition, updateTracking } from './tracking.ts'

/** What a new event is compared with: the status of its record, and the events that it has. */
interface RecordState {
  status: number
  /** those of the event with the latest time, if there is one */
  latestStatus: number | null
  latestDetails: string | null
  /** the new event is in the record already */
  isRepeated: boolean
  /** the new event is later than all that the record has */
  isLatest: boolean
  eventCount: number
}

/** The most events of a tracking record, as a read of it returns them all. */
const maxEvents = 1_000
const limit = `${maxEvents.toLocaleString('en-GB')} events`

/**
 * Adds an event to a tracking record, unless the record has it already, and gives the record the status of
 * its latest event. Returns the changes.
 * @throws 400 if the record has `maxEvents` already
 */
async function addEvent(
  tx: Tx,
  consignment: LockedConsignment,
  trackingId: string,
  body: Static<typeof NewTrackingEvent>,
): Promise<Change[]> {
  const { carrierName = null } = body
  const details = body.details || null
  const requestedTime = body.eventDateTime ? parseInstant(body.eventDateTime) : null
  const record = await tx.maybe<RecordState>(sql`
    select r.status, latest.status as latest_status, latest.details as latest_details,
      coalesce(${requestedTime}::timestamptz >= latest.event_date_time, true) as is_latest,
      exists (
        select from consignment_tracking_event e
        where e.organisation_id = r.organisation_id and e.consignment_tracking_id = r.id
          and e.status = coalesce(${body.status ?? null}::smallint, r.status)
          and e.details is not distinct from ${details} and e.event_date_time = ${requestedTime}::timestamptz
      ) as is_repeated,
      (select count(*)::integer from consignment_tracking_event e where e.organisation_id = r.organisation_id
        and e.consignment_tracking_id = r.id) as event_count
    from consignment_tracking r left join lateral (
      select id, status, details, event_date_time from consignment_tracking_event e
      where e.organisation_id = r.organisation_id and e.consignment_tracking_id = r.id
        order by e.event_date_time desc, e.id desc limit 1
    ) latest on true
    where ${recordCondition(consignment, trackingId)}`)
  if (record === undefined) throw notFound('Tracking record')
  const status = body.status ?? record.status
  const statusChanges = record.isLatest
    ? describeRecordChange('consignmentTracking', { id: trackingId, status: record.status }, { status })
    : []
  const change = record.isLatest ? { status } : {}
  const repeatsLatest = record.latestStatus === status && record.latestDetails === details
  if (record.isRepeated || (requestedTime === null && repeatsLatest)) {
    // A change of the record may have set another status since.
    if (statusChanges.length > 0) await updateTracking(tx, consignment, trackingId, change)
    return statusChanges
  }
  if (record.eventCount >= maxEvents) throw verificationFailed(`The tracking record has ${limit} already.`)
  const { eventDateTime } = await tx.row<{ eventDateTime: string }>(sql`
    ${insertInto('consignment_tracking_event', {
      organisationId: consignment.organisationId,
      id: uuidv7(),
      consignmentTrackingId: trackingId,
      carrierName,
      status,
      details,
      // Not now(), which is when the transaction began: events that waited for the lock keep their order.
      eventDateTime: requestedTime ?? sql`clock_timestamp()`,
    })} returning event_date_time`)
  await updateTracking(tx, consignment, trackingId, change)
  const event = { consignmentTrackingId: trackingId, carrierName, status, details, eventDateTime }
  return [{ field: 'trackingEvents', from: null, to: event }, ...statusChanges]
}

export const trackingEvents = [
  endpoint({
    post: '/v1/consignments/:consignmentId/tracking/:consignmentTrackingId/event',
    name: 'addTrackingEvent',
    partners: 'carriers',
    scope: 'consignment',
    summary: 'Add an event to a tracking record, which takes over the status of its latest event',
    description:
      "status is the record's own by default, and eventDateTime (UTC if it has no offset) is the current " +
      'time. The record takes the status of the event with the latest eventDateTime, whenever it was sent. ' +
      'No event is added if the record has one with the same status, details and eventDateTime or, without ' +
      'eventDateTime, if its latest has the same status and details; the response is 304 unless that ' +
      `changes the status of the record. A record has at most ${limit}.`,
    body: NewTrackingEvent,
    bodyOptional: true,
    response: changed,
    handle: request =>
      changeRecords(request, EventType.ConsignmentTrackingUpdated, consignment =>
        addEvent(request.tx, consignment, request.params.consignmentTrackingId, request.body),
      ),
  }),
]
