// The types of events, their names, and the scopes that a token needs to receive them. Spec 6.1; decisions
// 3, 6.

/**
 * Event types with the names of the specification. Test events have the number 0, which the specification
 * calls Unknown and nobody can subscribe to.
 */
export const EventType = {
  Test: 0,
  CronRecurrence: 1,
  IdentityConnectionActionExecution: 2,
  ConsignmentCreated: 101,
  ConsignmentGeneralUpdated: 102,
  ConsignmentRouteUpdated: 103,
  ConsignmentContainerUpdated: 104,
  ConsignmentMetricsUpdated: 105,
  ConsignmentTasksUpdated: 106,
  ConsignmentConsumablesUpdated: 107,
  ConsignmentProductsUpdated: 108,
  ConsignmentPodCreated: 109,
  ConsignmentImportPendingReconciliation: 110,
  ConsignmentImportReconciled: 111,
  ConsignmentStatusUpdated: 112,
  ConsignmentServiceTypeUpdated: 113,
  ConsignmentTrackingUpdated: 114,
  ConsignmentConnectionActionManualTrigger: 115,
  ConsignmentNoteAttachmentUpdated: 116,
  PartnerScheduleCreated: 201,
  PartnerScheduleRemoved: 202,
  PartnerScheduleGeneralUpdated: 203,
  PartnerScheduleStatusUpdated: 204,
  PartnerScheduleTransactionsUpdated: 205,
  PartnerScheduleConnectionActionManualTrigger: 206,
  JobCreated: 301,
  JobUpdated: 302,
  JobStatusUpdated: 303,
  JobConnectionActionManualTrigger: 304,
} as const

export type EventType = (typeof EventType)[keyof typeof EventType]

/** The `type` of a delivery, by event type. */
export const eventTypeNames: Readonly<Record<EventType, string>> = {
  0: 'webhook.test',
  1: 'system.cron-recurrence',
  2: 'system.connection-action-execution',
  101: 'consignment.created',
  102: 'consignment.general.updated',
  103: 'consignment.route.updated',
  104: 'consignment.container.updated',
  105: 'consignment.metrics.updated',
  106: 'consignment.tasks.updated',
  107: 'consignment.consumables.updated',
  108: 'consignment.products.updated',
  109: 'consignment.pod.created',
  110: 'consignment.import.pending-reconciliation',
  111: 'consignment.import.reconciled',
  112: 'consignment.status.updated',
  113: 'consignment.service-types.updated',
  114: 'consignment.tracking.updated',
  115: 'consignment.action.triggered',
  116: 'consignment.note-attachment.updated',
  201: 'schedule.created',
  202: 'schedule.removed',
  203: 'schedule.general.updated',
  204: 'schedule.status.updated',
  205: 'schedule.transactions.updated',
  206: 'schedule.action.triggered',
  301: 'job.created',
  302: 'job.updated',
  303: 'job.status.updated',
  304: 'job.action.triggered',
}

const { Test: _, ...subscribable } = EventType

/** The event types that can be subscribed to. */
export const SubscribableEventType = subscribable
export type SubscribableEventType = Exclude<EventType, typeof EventType.Test>

const { Test: _t, CronRecurrence: _r, IdentityConnectionActionExecution: _a, ...ofOrganisation } = EventType

/** The types in the event feed: events that concern the organisation rather than a single app. */
export const FeedEventType = ofOrganisation
export type FeedEventType = (typeof FeedEventType)[keyof typeof FeedEventType]

/** The lowest type in the feed. Lower types are in no feed. */
export const firstFeedType = EventType.ConsignmentCreated

/** The scopes that give access to events. */
export type EventScope = 'organisation.read' | 'consignment.read' | 'financial.read' | 'job.read'

/** The scope that a token needs to receive events of this type. */
export function eventScope(type: EventType): EventScope {
  if (type < 100) return 'organisation.read'
  if (type < 200) return 'consignment.read'
  return type < 300 ? 'financial.read' : 'job.read'
}

const { ConsignmentImportPendingReconciliation, ConsignmentImportReconciled } = EventType
const ofImports: readonly EventType[] = [ConsignmentImportPendingReconciliation, ConsignmentImportReconciled]

/**
 * Whether people of a partner may receive events of this type that are about the partner. Events must not
 * reveal what a GET would refuse, so events of imports and jobs are not for carriers, and system events are
 * for no partner.
 */
export function isForPartner(kind: 'client' | 'carrier', type: EventType): boolean {
  if (type < 100) return false
  return kind === 'client' || (type < 300 && !ofImports.includes(type))
}

/** What these enumerations stand for, and those values whose name does not say it all. */
export const eventDescriptions = {
  EventType: {
    values: SubscribableEventType,
    description: 'What happened; `webhooks` describes the data of each.',
    meanings: {
      CronRecurrence: 'An hour has begun.',
      IdentityConnectionActionExecution: 'An integration is asked to perform an action.',
    },
  },
  FeedEventType: {
    values: FeedEventType,
    description: 'What happened, for the events in the event feed.',
  },
} as const
