// The enumerations of the API by the names that the document and the clients use, with the meaning of each
// and of its values. A value whose name says it all has no description. Spec 2; open-points 2.

import type { Enumeration } from '../platform/http/describe-schema.ts'
import {
  CloseResult,
  ConsignmentPriority,
  ConsignmentStatus,
  ConsignmentStatusFilter,
  ConsignmentType,
  ContainerSize,
  ContainerType,
  EdiResult,
  TrackingStatus,
} from '../vocabulary/consignments.ts'
import { FeedEventType } from '../vocabulary/events.ts'
import { ImportStatus } from '../vocabulary/imports.ts'
import {
  JobPriority,
  JobStatus,
  JobStatusFilter,
  JobType,
  PickSortBy,
  ReplenishmentLineStatus,
  WavePickStyle,
} from '../vocabulary/jobs.ts'
import { LabelFormat } from '../vocabulary/labels.ts'
import { FullPalletAllocation, GrantType } from '../vocabulary/organisations.ts'
import { DotsPerMM, Orientation, PaperSize, PrintType } from '../vocabulary/paper.ts'
import {
  AttributeUsage,
  FreightResolution,
  FreightWarningType,
  MetricResolution,
  MetricType,
  PackagingGroup,
  PartnerStatus,
  ProductStatus,
  Relationship,
  RotationMethod,
  SerialTrackingMode,
  StockDepletionMethod,
  Substitution,
} from '../vocabulary/partners.ts'
import {
  PrinterAvailability,
  PrinterLanguage,
  PrintJobKind,
  PrintJobPhase,
  PrintJobStatus,
  PrintResult,
} from '../vocabulary/printing.ts'
import { DgStandard, SetUpStatus } from '../vocabulary/reference-data.ts'
import {
  InwardSummaryMode,
  OutwardSummaryMode,
  PickfaceExceptionType,
  PickfaceReplenishmentStatus,
} from '../vocabulary/reports.ts'
import {
  CriticalStockStatus,
  HazchemFireCode,
  HazchemSafetyCode,
  HoldKind,
  InventoryMovementType,
  PutAwayReason,
  StockCountLineStatus,
  StockCountStatus,
  TransactionType,
} from '../vocabulary/stock.ts'
import { AddressType, LocationType, WarehouseStatus } from '../vocabulary/warehouses.ts'
import { DeliveryStatus, HeldReason, SubscriptionStatus } from '../vocabulary/webhooks.ts'
import { SubscribableEventType } from '../webhook-subscriptions/subscription.ts'
import { billingEnumerations } from './billing-enumerations.ts'
import { enumeration } from './enumeration.ts'

const consignmentStatuses = {
  Void: 'Cancelled; it can no longer change.',
  Complete: 'Everything is received, delivered or done.',
  Pending: 'The initial status.',
  ReadyToPick: 'Outwards: stock is allocated.',
  ReadyToDispatch: 'Outwards: everything is picked.',
  ReadyToReceive: 'Inwards: receiving may begin.',
  InProgress: 'Point to point: in progress.',
  Closed: 'Billed; it cannot change unless it is reopened.',
  InTransit: 'Outwards: the goods have left the warehouse.',
  Draft: 'Not released yet.',
}

const active = { Inactive: 'Kept for existing records; new records cannot refer to it.' }

/** Every enumeration, by name. */
export const enumerations: Readonly<Record<string, Enumeration>> = {
  // consignments and imports
  ConsignmentType: enumeration(ConsignmentType, 'The direction in which the goods move.', {
    PointToPoint: 'From one address to another, without a warehouse.',
    Inwards: 'Into a warehouse.',
    Outwards: 'Out of a warehouse.',
  }),
  ConsignmentStatus: enumeration(
    ConsignmentStatus,
    'The status of a consignment. Inwards: Draft, Pending, ReadyToReceive, Complete, Closed. Outwards: ' +
      'Draft, Pending, ReadyToPick, ReadyToDispatch, InTransit, Complete, Closed. Point to point: Draft, ' +
      'Pending, InProgress, Complete, Closed.',
    consignmentStatuses,
  ),
  ConsignmentStatusFilter: enumeration(ConsignmentStatusFilter, 'A status of consignments to filter by.', {
    ...consignmentStatuses,
    Open: 'Every status except Closed and Void.',
  }),
  CloseResult: enumeration(CloseResult, 'The result of closing a consignment together with others.', {
    NotModified: 'It was already Closed.',
    Refused: 'It was not changed; the messages say why.',
  }),
  ConsignmentPriority: enumeration(ConsignmentPriority, 'How urgent a consignment is.'),
  ContainerSize: enumeration(ContainerSize, 'Length of a shipping container.'),
  ContainerType: enumeration(ContainerType, 'Type of a shipping container.'),
  TrackingStatus: enumeration(TrackingStatus, 'The tracking status that the carrier reports.', {
    Printed: 'The label is printed.',
    AttemptedDelivery: 'Nobody was there to receive the goods.',
    Exception: 'Something went wrong; the details say what.',
  }),
  EdiResult: enumeration(EdiResult, 'Whether an integration processed an event successfully.'),
  CriticalStockStatus: enumeration(CriticalStockStatus, 'Which stock may be used, by its dates.', {
    CriticalStock: 'Only stock within the critical days before one of its dates, or past it.',
    NonCriticalStock: 'Only other stock.',
  }),
  ImportStatus: enumeration(ImportStatus, 'The status of an import.', {
    Pending: 'Accepted; it will be processed within moments.',
    PendingReconciliation: 'Waits for a decision; its reasons say what about.',
    Reconciled: 'It has become the consignment with the same id.',
    Discarded: 'Discarded by a user.',
  }),

  // paper
  PrintType: enumeration(PrintType, 'What is printed, or what a printer prints.'),
  LabelFormat: enumeration(LabelFormat, 'The file format of a label.'),
  DotsPerMM: enumeration(DotsPerMM, 'The resolution of a label printer in dots per millimetre.'),
  Orientation: enumeration(Orientation, 'The orientation of a page.'),
  PaperSize: enumeration(PaperSize, 'The paper size of a document.'),
  PrinterAvailability: enumeration(PrinterAvailability, 'Whether a printer is available now.'),
  PrinterLanguage: enumeration(PrinterLanguage, 'The format that a printer accepts.', {
    Zpl: 'The language of label printers; PDFs are converted to it.',
  }),
  PrintJobKind: enumeration(PrintJobKind, 'What a print job prints.'),
  PrintJobStatus: enumeration(PrintJobStatus, 'The status of a print job.', {
    Pending: 'It is waiting for its printer.',
    InProgress: 'A printer bridge is working on it.',
  }),
  PrintJobPhase: enumeration(PrintJobPhase, 'How far a printer bridge has got with a print job.', {
    Sending: 'From now on, part of it may be on paper.',
    Sent: 'The printer has received all of it.',
  }),
  PrintResult: enumeration(PrintResult, 'The result of an attempt to print.'),

  ...billingEnumerations,

  // jobs
  JobType: enumeration(JobType, 'The type of work in a job.'),
  JobStatus: enumeration(JobStatus, 'The status of a job.'),
  JobStatusFilter: enumeration(JobStatusFilter, 'A status of jobs to filter by.', {
    Incomplete: 'Every status except Complete.',
    Open: 'Draft, ReadyToStart and InProgress.',
  }),
  JobPriority: enumeration(JobPriority, 'How urgent a job is.'),
  WavePickStyle: enumeration(WavePickStyle, 'How the consignments of a wave are picked.'),
  PickSortBy: enumeration(PickSortBy, 'The order of a picking list.', {
    Location: 'By walking order, then by name.',
  }),
  ReplenishmentLineStatus: enumeration(ReplenishmentLineStatus, 'The status of a line of a replenishment.', {
    Open: 'There is still something to move.',
    Short: 'Less stock was available than the line asks for.',
    Cancelled: 'The job ended before anything was moved.',
  }),

  // partners and products
  Relationship: enumeration(Relationship, 'What a partner is to the organisation.', {
    Client: 'Its goods are stored and shipped.',
    Carrier: 'It moves goods.',
  }),
  PartnerStatus: enumeration(PartnerStatus, 'Whether new records can refer to the partner.', active),
  FreightResolution: enumeration(FreightResolution, 'Which freight rate applies if several match.', {
    Compounding: 'All of them.',
  }),
  FreightWarningType: enumeration(FreightWarningType, 'When the price of freight causes a warning.', {
    Value: 'It earns less than a certain amount.',
    Margin: 'It earns less than a certain percentage of the charge.',
  }),
  RotationMethod: enumeration(RotationMethod, 'Which stock is picked first.'),
  StockDepletionMethod: enumeration(
    StockDepletionMethod,
    'Which stock is used first if the rotation method does not decide, by the day of receipt.',
  ),
  AttributeUsage: enumeration(AttributeUsage, 'Whether goods are distinguished by a date or batch.'),
  Substitution: enumeration(Substitution, 'Whether other stock may be used instead of the requested stock.'),
  ProductStatus: enumeration(ProductStatus, 'Whether new records can refer to the product.', active),
  SerialTrackingMode: enumeration(SerialTrackingMode, 'When the serial numbers of items are captured.', {
    FullCapture: 'When they are received and when they are dispatched.',
    ReleaseCapture: 'When they are dispatched.',
  }),
  PackagingGroup: enumeration(PackagingGroup, 'Packing group of dangerous goods.', {
    I: 'Great danger.',
    II: 'Medium danger.',
    III: 'Minor danger.',
  }),
  MetricType: enumeration(MetricType, 'The unit of a quantity.', {
    Item: 'Single items.',
    UnitType: 'Units of a unit type.',
  }),
  MetricResolution: enumeration(MetricResolution, 'How the result of a conversion is expressed.', {
    Compound: 'The whole quantity in each unit.',
    Cascade: 'Whole units from the largest to the smallest, and the remainder in items.',
  }),

  // warehouses and reference data
  WarehouseStatus: enumeration(WarehouseStatus, 'Whether new records can refer to it.', active),
  AddressType: enumeration(AddressType, 'The purpose of an address.'),
  LocationType: enumeration(LocationType, 'The purpose of a location.', {
    Quarantine: 'Its stock is on hand but not available.',
  }),
  SetUpStatus: enumeration(SetUpStatus, 'Whether new records can refer to it.', active),
  DgStandard: enumeration(DgStandard, 'The standard that classifies dangerous goods.', {
    NewZealand_Ghs7: 'New Zealand, GHS revision 7.',
    Australia_Ghs7: 'Australia, GHS revision 7.',
    NewZealand_Dg2005: 'New Zealand, Land Transport Rule: Dangerous Goods 2005.',
    Australia_AdgCode: 'Australia, the Australian Dangerous Goods Code.',
  }),

  // stock
  InventoryTransactionType: enumeration(TransactionType, 'The type of a stock transaction.', {
    Allocation: 'Stock was allocated or deallocated; nothing moved.',
    Receive: 'Stock was received.',
    Hold: 'Stock was put on hold or released.',
    Pick: 'Stock was moved to where it leaves the warehouse.',
    Dispatch: 'Stock left the warehouse.',
  }),
  HoldKind: enumeration(HoldKind, 'Why stock is on hold.', { Return: 'It was returned.' }),
  PutAwayReason: enumeration(PutAwayReason, 'Why a location is suggested for put-away.', {
    Pickface: 'It is the pickface of the product, and below its target.',
    SameBatch: 'It has stock of the same product and batch.',
    FreeInZone: 'It is free racking in a zone that has stock of the product.',
    Free: 'It is free racking.',
  }),
  StockCountStatus: enumeration(StockCountStatus, 'The status of a stock count.', {
    Draft: 'Not started.',
    InProgress: 'It is being counted.',
    Counted: 'Everything is counted; the results wait for approval.',
    Approved: 'Every line is approved; the count can no longer change.',
    Cancelled: 'Cancelled; approved lines remain.',
  }),
  StockCountLineStatus: enumeration(StockCountLineStatus, 'The status of a line of a stock count.', {
    ToCount: 'Not counted yet.',
    Recount: 'To be counted again.',
    Approved: 'Stock was corrected to match it.',
  }),
  HazchemFireCode: enumeration(
    HazchemFireCode,
    'The means of fighting a fire: the digit of the Hazchem code.',
    {
      I: 'Coarse spray.',
      II: 'Fine spray.',
      III: 'Foam.',
      IV: 'Dry agent.',
      II_ARF: 'Alcohol-resistant foam; if there is none, fine spray.',
      III_ARF: 'Alcohol-resistant foam; if there is none, other foam.',
    },
  ),
  HazchemSafetyCode: enumeration(
    HazchemSafetyCode,
    'What firefighters must wear and do: the letter of the Hazchem code. Black: the letter is white on ' +
      'black, or in brackets.',
  ),

  // reports
  InwardSummaryMode: enumeration(InwardSummaryMode, 'Which inwards consignments a summary lists.', {
    DateEntered: 'All, by the day of entry.',
    ActualReceivedDate: 'Received ones, by the day of receipt.',
    NotYetReceived: 'Those that are not Complete, by the expected day of receipt.',
  }),
  OutwardSummaryMode: enumeration(OutwardSummaryMode, 'Which outwards consignments a summary lists.', {
    DateEntered: 'All, by the day of entry.',
    ActualDispatchDate: 'Dispatched ones, by the day of dispatch.',
    NotYetDispatched: 'Those that have not left, by the expected day of dispatch.',
  }),
  InventoryMovementType: enumeration(InventoryMovementType, 'The type of a stock movement.'),
  PickfaceExceptionType: enumeration(PickfaceExceptionType, 'What is wrong with a pickface.', {
    NoProduct: 'It has no product.',
    Empty: 'It has no stock.',
    BelowMin: 'Less of its product is available than its minimum.',
    OtherProduct: 'It has stock of another product.',
    SeveralProducts: 'It has stock of several products.',
    NothingAvailable: 'All its stock is on hold, quarantined or expired.',
    NoTarget: 'It has no target quantity.',
  }),
  PickfaceReplenishmentStatus: enumeration(
    PickfaceReplenishmentStatus,
    'How full a pickface is, by the available quantity of its product.',
  ),

  // organisation and webhooks
  FullPalletAllocation: enumeration(
    FullPalletAllocation,
    'What is allocated to a line that needs as much as a whole logistic unit contains.',
    { WholeUnit: 'The unit.', LooseItems: 'Its items, without the unit.' },
  ),
  GrantType: enumeration(GrantType, 'How an app gets its tokens.', {
    AuthorisationCode: 'For the people who sign in to it.',
    ClientCredentials: 'For the organisation, with its id and secret.',
  }),
  EventType: enumeration(SubscribableEventType, 'What happened; `webhooks` describes the data of each.', {
    CronRecurrence: 'An hour has begun.',
    IdentityConnectionActionExecution: 'An integration is asked to perform an action.',
  }),
  FeedEventType: enumeration(FeedEventType, 'What happened, for the events in the event feed.'),
  SubscriptionStatus: enumeration(SubscriptionStatus, 'Whether events are sent to a subscription.', {
    Failed: 'Too many deliveries failed; nothing is sent until it is reactivated.',
  }),
  HeldReason: enumeration(
    HeldReason,
    'Why nothing is sent to a subscription: the first reason that applies.',
    {
      SubscriptionFailed: 'Too many deliveries failed.',
      AppDisabled: 'The app that created it is disabled.',
      UserDisabled: 'The user who created it is disabled.',
      PartnerChanged: 'The user belongs to another partner than when it was created.',
      ScopeLost: 'App, role and consent no longer include the scope of its events.',
    },
  ),
  DeliveryStatus: enumeration(DeliveryStatus, 'The status of a delivery.', {
    Pending: 'Scheduled to be sent, or to be retried.',
    Delivered: 'The receiver responded with 2xx.',
    Failed: 'No more attempts are made; it can be replayed.',
    Held: 'Waits until the reason why nothing is sent to the subscription no longer applies.',
  }),
}
