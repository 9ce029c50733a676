// The endpoint that adds an event to a tracking record. Spec 2.4, 4.3; open-points 4.

import { v7 as uuidv7 } from 'uuid'
import { sql, type Tx } from '../platform/database/db.ts'
import { insertInto } from '../platform/database/write.ts'
import { changed, endpoint } from '../platform/http/endpoint.ts'
import { notFound, verificationFailed } from '../platform/http/refusal.ts'
import type { Static } from '../platform/http/schema.ts'
import { parseInstant } from '../platform/local-time.ts'
import { EventType } from '../vocabulary/events.ts'
import { changeRecords, differences } from './change-consignment.ts'
import type { Change, LockedConsignment } from './consignment.ts'
import { NewTrackingEvent, recordCondition, updateTracking } from './tracking.ts'

/** What a new event is compared with: the status of its record, and the event with the latest time. */
interface RecordState {
  status: number
  latestId: string | null
  latestStatus: number | null
  latestDetails: string | null
  eventCount: number
}

/** The most events of a tracking record, as a read of it returns them all. */
const maxEvents = 1_000
const limit = `${maxEvents.toLocaleString('en-GB')} events`

/**
 * Adds an event to a tracking record, unless it repeats the latest event, and gives the record the event's
 * status. Returns the changes.
 * @throws 400 if the record has `maxEvents` already
 */
async function addEvent(
  tx: Tx,
  consignment: LockedConsignment,
  trackingId: string,
  body: Static<typeof NewTrackingEvent>,
): Promise<Change[]> {
  const record = await tx.maybe<RecordState>(sql`
    select r.status, latest.id as latest_id, latest.status as latest_status, latest.details as latest_details,
      (select count(*)::integer from consignment_tracking_event e where e.organisation_id = r.organisation_id
        and e.consignment_tracking_id = r.id) as event_count
    from consignment_tracking r left join lateral (
      select id, status, details from consignment_tracking_event e
      where e.organisation_id = r.organisation_id and e.consignment_tracking_id = r.id
        order by e.event_date_time desc, e.id desc limit 1
    ) latest on true
    where ${recordCondition(consignment, trackingId)}`)
  if (record === undefined) throw notFound('Tracking record')
  const { carrierName = null, details = null } = body
  const status = body.status ?? record.status
  const statusChanges = differences(
    'consignmentTracking',
    { id: trackingId, status: record.status },
    { status },
  )
  if (record.latestId !== null && record.latestStatus === status && record.latestDetails === details) {
    // An event with an earlier time, or a change of the record, may have set another status since.
    if (statusChanges.length > 0) await updateTracking(tx, consignment, trackingId, { status })
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
      eventDateTime: body.eventDateTime ? parseInstant(body.eventDateTime) : sql`clock_timestamp()`,
    })} returning event_date_time`)
  await updateTracking(tx, consignment, trackingId, { status })
  const added = { consignmentTrackingId: trackingId, carrierName, status, details, eventDateTime }
  return [{ field: 'trackingEvents', from: null, to: added }, ...statusChanges]
}

export const trackingEvents = [
  endpoint({
    post: '/v1/consignments/:consignmentId/tracking/:consignmentTrackingId/event',
    name: 'addTrackingEvent',
    partners: 'carriers',
    scope: 'consignment',
    summary: 'Add an event to a tracking record, which takes over its status',
    description:
      "status is the record's own by default, and eventDateTime (UTC if it has no offset) is the current " +
      'time. No event is added if status and details equal those of the latest event; the response is 304 ' +
      `if the record also has that status already. A record has at most ${limit}.`,
    body: NewTrackingEvent,
    bodyOptional: true,
    response: changed,
    handle: request =>
      changeRecords(request, EventType.ConsignmentTrackingUpdated, consignment =>
        addEvent(request.tx, consignment, request.params.consignmentTrackingId, request.body),
      ),
  }),
]
