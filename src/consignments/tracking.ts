// Tracking records and their events: where a consignment is according to its carrier. Spec 2.4, 4.3;
// decisions 1, 4.

import { v7 as uuidv7 } from 'uuid'
import { endpoint } from '../access/endpoint.ts'
import { empty, sql, type Tx } from '../platform/database/db.ts'
import { changedFields, givenFields, insertInto, updateFields } from '../platform/database/write.ts'
import { changed, json } from '../platform/http/endpoint.ts'
import { pageOf, pageQuery, readPage, searchIn } from '../platform/http/paging.ts'
import { notFound } from '../platform/http/refusal.ts'
import {
  allClearable,
  allNullable,
  allOptional,
  HttpUrl,
  IntegerEnum,
  named,
  nullable,
  optional,
  PlainDate,
  ShortText,
  type Static,
  Text,
  Type,
  toStoredUrl,
  UtcTime,
  Uuid,
} from '../platform/http/schema.ts'
import { TrackingStatus } from '../vocabulary/consignments.ts'
import { EventType } from '../vocabulary/events.ts'
import {
  changeConsignment,
  changeRecords,
  describeRecordChange,
  requireRoomForRecord,
} from './change-consignment.ts'
import { consignmentParent, type LockedConsignment, visibleConsignments } from './consignment.ts'

const Status = IntegerEnum(TrackingStatus)

const optionalFields = { carrierName: ShortText, trackingNumber: ShortText, trackingUrl: HttpUrl }
const fieldNames = ['carrierName', 'status', 'trackingNumber', 'trackingUrl'] as const

/** A tracking record, without its events. lastUpdatedDate is a day of the warehouse. */
export const Tracking = named(
  'ConsignmentTracking',
  Type.Object({
    id: Uuid,
    carrierName: nullable(Type.String()),
    status: Status,
    ...allNullable({
      trackingNumber: Type.String(),
      trackingUrl: Type.String(),
      integrationName: Type.String(),
    }),
    createdUtc: UtcTime,
    modifiedUtc: UtcTime,
    lastUpdatedDate: PlainDate,
  }),
)

const TrackingEvent = Type.Object({
  status: Status,
  details: nullable(Type.String()),
  eventDateTime: UtcTime,
  createdUtc: UtcTime,
})
const TrackingDetail = named(
  'ConsignmentTrackingDetail',
  Type.Object({ ...Tracking.properties, trackingEvents: Type.Array(TrackingEvent) }),
)

const NewTracking = named(
  'NewConsignmentTracking',
  Type.Object({ status: optional(Status), ...allClearable(optionalFields) }),
)
const TrackingChange = named(
  'ConsignmentTrackingChange',
  Type.Object({
    status: optional(Status),
    ...allClearable(optionalFields),
  }),
)
export const NewTrackingEvent = named(
  'NewConsignmentTrackingEvent',
  Type.Object(allOptional({ carrierName: ShortText, status: Status, details: Text, eventDateTime: UtcTime })),
)

const columns = sql`r.id, r.carrier_name, r.status, r.tracking_number, r.tracking_url, r.integration_name,
  r.created_utc, r.modified_utc, r.last_updated_date`

const events = sql`(
  select coalesce(jsonb_agg(jsonb_build_object(
    'status', e.status, 'details', e.details, 'eventDateTime', as_utc(e.event_date_time),
    'createdUtc', as_utc(e.created_utc)
  ) order by e.event_date_time, e.id), '[]')
  from consignment_tracking_event e
  where e.organisation_id = r.organisation_id and e.consignment_tracking_id = r.id)`

/** An SQL condition for one tracking record `r` of a locked consignment. */
export const recordCondition = ({ organisationId, id }: LockedConsignment, trackingId: string) =>
  sql`r.organisation_id = ${organisationId} and r.consignment_id = ${id} and r.id = ${trackingId}`

interface StoredTracking {
  id: string
  carrierName: string | null
  status: number
  trackingNumber: string | null
  trackingUrl: string | null
}

/** The changes that a body makes to a tracking record. The status cannot be emptied, so null keeps it. */
function changesIn(body: Static<typeof TrackingChange>): Partial<StoredTracking> {
  const { trackingUrl, ...texts } = changedFields(body, ['carrierName', 'trackingNumber', 'trackingUrl'])
  const url = trackingUrl === undefined ? {} : { trackingUrl: toStoredUrl(trackingUrl) }
  return { ...texts, ...url, ...givenFields(body, ['status']) }
}

/** Changes a tracking record, and sets its modification time and date to now. */
export const updateTracking = (
  tx: Tx,
  consignment: LockedConsignment,
  trackingId: string,
  change: Partial<StoredTracking>,
) =>
  tx.run(
    updateFields(
      'consignment_tracking as r',
      [...fieldNames, 'modifiedUtc', 'lastUpdatedDate'],
      { ...change, modifiedUtc: sql`now()`, lastUpdatedDate: consignment.localNow.slice(0, 10) },
      recordCondition(consignment, trackingId),
    ),
  )

export const tracking = [
  endpoint({
    get: '/v1/consignments/:consignmentId/tracking',
    name: 'listTracking',
    partners: 'all',
    scope: 'consignment.read',
    summary: "List a consignment's tracking records",
    query: pageQuery({ SearchText: searchIn('carrier name and tracking number') }),
    response: json(pageOf('consignmentTracking', Tracking)),
    handle: ({ db, actor, params, query }) =>
      readPage(db, 'consignmentTracking', query, {
        parent: consignmentParent(actor, params.consignmentId),
        columns,
        from: sql`consignment_tracking r where r.organisation_id = ${actor.organisationId}
          and r.consignment_id = ${params.consignmentId}
          ${
            query.SearchText
              ? sql`and lower(coalesce(r.carrier_name, '') || E'\n' || coalesce(r.tracking_number, ''))
                like containing(${query.SearchText})`
              : empty
          }`,
        order: sql`r.created_utc, r.id`,
      }),
  }),
  endpoint({
    post: '/v1/consignments/:consignmentId/tracking',
    name: 'createTracking',
    partners: 'carriers',
    scope: 'consignment',
    summary: 'Add a tracking record to a consignment',
    description: 'Its status is Unknown by default, and its integrationName is the name of the calling app.',
    body: NewTracking,
    bodyOptional: true,
    response: json(Type.Object({ consignmentTrackingId: Uuid })),
    handle: request =>
      changeConsignment(request, async (consignment, raise) => {
        const { tx, actor, body } = request
        await requireRoomForRecord(tx, consignment, 'tracking')
        const { organisationId, id: consignmentId, localNow } = consignment
        const record = { id: uuidv7(), ...givenFields(changesIn(body), fieldNames) }
        const integrationName = sql`(
          select a.name from identity_connection i
          join custom_app a on a.organisation_id = i.organisation_id and a.id = i.custom_app_id
          where i.organisation_id = ${organisationId} and i.id = ${actor.connectionId})`
        const row = {
          organisationId,
          consignmentId,
          ...record,
          integrationName,
          lastUpdatedDate: localNow.slice(0, 10),
        }
        await tx.run(insertInto('consignment_tracking', row))
        raise(EventType.ConsignmentTrackingUpdated, [
          { field: 'consignmentTracking', from: null, to: record },
        ])
        return { consignmentTrackingId: record.id }
      }),
  }),
  endpoint({
    put: '/v1/consignments/:consignmentId/tracking/:consignmentTrackingId',
    name: 'updateTracking',
    partners: 'carriers',
    scope: 'consignment',
    summary: 'Change a tracking record',
    description: 'If status is null, it stays unchanged.',
    body: TrackingChange,
    response: changed,
    handle: request =>
      changeRecords(request, EventType.ConsignmentTrackingUpdated, async consignment => {
        const { tx, params, body } = request
        const before = await tx.maybe<StoredTracking>(sql`
          select r.id, r.carrier_name, r.status, r.tracking_number, r.tracking_url from consignment_tracking r
          where ${recordCondition(consignment, params.consignmentTrackingId)}`)
        if (before === undefined) throw notFound('Tracking record')
        const change = changesIn(body)
        const changes = describeRecordChange('consignmentTracking', before, change)
        if (changes.length > 0) await updateTracking(tx, consignment, before.id, change)
        return changes
      }),
  }),
  endpoint({
    get: '/v1/consignments/:consignmentId/tracking/:consignmentTrackingId',
    name: 'getTracking',
    partners: 'all',
    scope: 'consignment.read',
    summary: 'Read a tracking record with its events, earliest first',
    response: json(TrackingDetail),
    async handle({ db, actor, params }) {
      const record = await db.maybe<Static<typeof TrackingDetail>>(sql`
        select ${columns}, ${events} as tracking_events
        from consignment c
        join consignment_tracking r on r.organisation_id = c.organisation_id and r.consignment_id = c.id
        where ${visibleConsignments(actor)} and c.id = ${params.consignmentId}
          and r.id = ${params.consignmentTrackingId}`)
      if (record === undefined) throw notFound('Tracking record')
      return record
    },
  }),
]
