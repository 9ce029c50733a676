// What subscribers are sent, for the API document. Spec 6.1 to 6.3; open-points 6.

import { ScheduleStatus } from '../billing/enumerations.ts'
import { Reason } from '../consignment-imports/waiting/import-reason.ts'
import { ConsignmentStatus, ConsignmentType } from '../consignments/enumerations.ts'
import { EventType, eventTypeNames } from '../events/event.ts'
import { JobStatus } from '../jobs/enumerations.ts'
import type { Webhook } from '../platform/http/openapi.ts'
import { IntegerEnum, named, nullable, type TSchema, Type, UtcTime, Uuid } from '../platform/http/schema.ts'

const data = (fields: Record<string, TSchema>) => Type.Object({ organisationId: Uuid, ...fields })

const consignment = {
  consignmentId: Uuid,
  consignmentNumber: Type.String(),
  referenceNumber: nullable(Type.String()),
  clientId: Uuid,
  carrierId: nullable(Uuid),
  type: IntegerEnum(ConsignmentType),
  status: IntegerEnum(ConsignmentStatus),
}
const consignmentImport = { consignmentId: Uuid, clientCode: Type.String(), reasons: Type.Array(Reason) }
const schedule = { partnerScheduleId: Uuid, partnerId: Uuid, status: IntegerEnum(ScheduleStatus) }
const job = {
  jobId: Uuid,
  jobNumber: Type.String(),
  warehouseId: Uuid,
  clientId: Uuid,
  status: IntegerEnum(JobStatus),
}

const ConsignmentData = named('ConsignmentEventData', data(consignment))
const ConsignmentStatusData = named(
  'ConsignmentStatusEventData',
  data({ ...consignment, previousStatus: consignment.status }),
)
const ImportData = named('ConsignmentImportEventData', data(consignmentImport))
const ScheduleData = named('ScheduleEventData', data(schedule))
const ScheduleStatusData = named(
  'ScheduleStatusEventData',
  data({ ...schedule, previousStatus: schedule.status }),
)
const JobData = named('JobEventData', data(job))
const JobStatusData = named('JobStatusEventData', data({ ...job, previousStatus: job.status }))
const RecurrenceData = named(
  'RecurrenceEventData',
  data({ webhookSubscriptionId: Uuid, recurrenceUtc: UtcTime }),
)
const TestData = named('TestEventData', data({ webhookSubscriptionId: Uuid }))

/** What raises an event, and what it tells. The types that nothing raises yet are left out. */
const raised: readonly [type: EventType, when: string, data: TSchema][] = [
  [EventType.Test, 'A subscription is tested', TestData],
  [EventType.CronRecurrence, 'An hour has begun', RecurrenceData],
  [EventType.ConsignmentCreated, 'A consignment exists', ConsignmentData],
  [
    EventType.ConsignmentGeneralUpdated,
    'References, dates, instructions, priority or notes of a consignment changed',
    ConsignmentData,
  ],
  [
    EventType.ConsignmentRouteUpdated,
    'Carrier, addresses or ports of a consignment changed',
    ConsignmentData,
  ],
  [EventType.ConsignmentContainerUpdated, 'The container of a consignment changed', ConsignmentData],
  [
    EventType.ConsignmentMetricsUpdated,
    'The metrics of a consignment became others: what came or went in place of what was expected',
    ConsignmentData,
  ],
  [
    EventType.ConsignmentProductsUpdated,
    'Lines of a consignment changed: what is allocated, picked, received or dispatched of them',
    ConsignmentData,
  ],
  [EventType.ConsignmentTasksUpdated, 'Tasks of a consignment changed', ConsignmentData],
  [EventType.ConsignmentConsumablesUpdated, 'Consumables of a consignment changed', ConsignmentData],
  [EventType.ConsignmentPodCreated, 'A consignment has a proof of delivery', ConsignmentData],
  [EventType.ConsignmentImportPendingReconciliation, 'An import waits for reconciliation', ImportData],
  [EventType.ConsignmentImportReconciled, 'An import that waited has become a consignment', ImportData],
  [EventType.ConsignmentStatusUpdated, 'The status of a consignment changed', ConsignmentStatusData],
  [EventType.ConsignmentServiceTypeUpdated, 'Service types of a consignment changed', ConsignmentData],
  [
    EventType.ConsignmentTrackingUpdated,
    'A tracking record of a consignment changed or has an event',
    ConsignmentData,
  ],
  [
    EventType.ConsignmentConnectionActionManualTrigger,
    'Somebody asks for an export of a consignment by hand',
    ConsignmentData,
  ],
  [EventType.ConsignmentNoteAttachmentUpdated, 'Attachments of a note changed', ConsignmentData],
  [EventType.PartnerScheduleCreated, 'A schedule was made', ScheduleData],
  [EventType.PartnerScheduleRemoved, 'A schedule was deleted', ScheduleData],
  [
    EventType.PartnerScheduleGeneralUpdated,
    'Date, reference or description of a schedule changed',
    ScheduleData,
  ],
  [EventType.PartnerScheduleStatusUpdated, 'The status of a schedule changed', ScheduleStatusData],
  [EventType.PartnerScheduleTransactionsUpdated, 'Transactions of a schedule changed', ScheduleData],
  [
    EventType.PartnerScheduleConnectionActionManualTrigger,
    'Somebody asks for an export of a schedule by hand',
    ScheduleData,
  ],
  [EventType.JobCreated, 'A job was made', JobData],
  [EventType.JobUpdated, 'A job or its consignments changed', JobData],
  [EventType.JobStatusUpdated, 'The status of a job changed', JobStatusData],
  [EventType.JobConnectionActionManualTrigger, 'Somebody asks for an export of a job by hand', JobData],
]

const headers = {
  'X-Service-Signature':
    '`sha256=` and, in hexadecimal, the HMAC-SHA256 of the raw body with the client secret of the app that ' +
    'subscribed. Check it before anything parses the body.',
  'X-Service-Signature-1': 'The same with signingKey1, where the subscription has one.',
  'X-Service-Signature-2': 'The same with signingKey2, where the subscription has one.',
  'webhook-id': 'Standard Webhooks, where there is a signing key: the id of the event.',
  'webhook-timestamp': 'Standard Webhooks: seconds since 1970 at which this attempt was sent.',
  'webhook-signature':
    'Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of id, timestamp and body, joined by full stops; ' +
    'one for each key.',
}

/** What subscribers are sent, by the type of the event. */
export const webhooks: Readonly<Record<string, Webhook>> = Object.fromEntries(
  raised.map(([type, summary, told]) => {
    const name = eventTypeNames[type]
    const envelope = {
      id: { ...Uuid, description: 'Of the event: the same on every retry and for every subscriber.' },
      type: Type.Literal(name),
      created: { ...UtcTime, description: 'When it happened, an instant in UTC.' },
      data: told,
      operationId: { ...Uuid, description: 'Of this delivery, for connection-result.' },
    }
    const description = `${
      type === EventType.Test
        ? 'Sent to the subscription that is tested, whatever it ' + 'subscribed to'
        : `eventType ${type}`
    }. It may come more than once.`
    return [name, { summary, description, headers, body: Type.Object(envelope) }]
  }),
)
