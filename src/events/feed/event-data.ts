// The data of each type of event, for webhooks and for the feed. Decision 6.

import {
  IntegerEnum,
  named,
  nullable,
  type TSchema,
  Type,
  UtcTime,
  Uuid,
} from '../../platform/http/schema.ts'
import { ScheduleStatus } from '../../vocabulary/billing.ts'
import { ConsignmentStatus, ConsignmentType } from '../../vocabulary/consignments.ts'
import { EventType, eventTypeNames, firstFeedType } from '../../vocabulary/events.ts'
import { JobStatus } from '../../vocabulary/jobs.ts'
import { WaitingReason } from '../import-reason.ts'

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
const consignmentImport = {
  consignmentId: Uuid,
  clientCode: Type.String(),
  reasons: Type.Array(WaitingReason),
}
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
const ActionData = named(
  'ActionEventData',
  data({
    customAppId: Uuid,
    action: {
      ...Type.String(),
      description: 'The action to perform, as agreed between the app and its callers.',
    },
    data: { ...nullable(Type.Object({})), description: 'The data of the action, as the caller sent it.' },
  }),
)
const TestData = named('TestEventData', data({ webhookSubscriptionId: Uuid }))

/** All event types: when an event of the type is emitted, in words, and its data. */
export const eventCatalogue: readonly [type: EventType, when: string, data: TSchema][] = [
  [EventType.Test, 'A subscription is tested', TestData],
  [EventType.CronRecurrence, 'An hour has begun', RecurrenceData],
  [EventType.IdentityConnectionActionExecution, 'An app is asked to perform an action', ActionData],
  [EventType.ConsignmentCreated, 'A consignment was created', ConsignmentData],
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
    'The metrics of a consignment changed: actual quantities replaced expected ones',
    ConsignmentData,
  ],
  [
    EventType.ConsignmentProductsUpdated,
    'Lines of a consignment changed, including their allocated, picked, received or dispatched quantities',
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
    'An export of a consignment was requested manually',
    ConsignmentData,
  ],
  [EventType.ConsignmentNoteAttachmentUpdated, 'Attachments of a note changed', ConsignmentData],
  [EventType.PartnerScheduleCreated, 'A schedule was created', ScheduleData],
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
    'An export of a schedule was requested manually',
    ScheduleData,
  ],
  [EventType.JobCreated, 'A job was created', JobData],
  [EventType.JobUpdated, 'A job or its consignments changed', JobData],
  [EventType.JobStatusUpdated, 'The status of a job changed', JobStatusData],
  [EventType.JobConnectionActionManualTrigger, 'An export of a job was requested manually', JobData],
]

const feedTypesByData = Map.groupBy(
  eventCatalogue.filter(([type]) => type >= firstFeedType),
  ([, , dataSchema]) => dataSchema,
)

/** An event of the feed. Its type determines its data. */
export const FeedEvent = named(
  'FeedEvent',
  Type.Union(
    [...feedTypesByData].map(([dataSchema, entries]) =>
      Type.Object({
        sequence: {
          ...Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
          description: 'The number of the event in the feed of the organisation.',
        },
        id: { ...Uuid, description: 'The id of the event, the same as in webhooks.' },
        type: { ...Type.String(), enum: entries.map(([type]) => eventTypeNames[type]) },
        created: { ...UtcTime, description: 'When it happened, an instant in UTC.' },
        data: dataSchema,
      }),
    ),
  ),
)
