// The enumerations of the API by the names under which the document and the clients have them, with what they
// and their values mean. A value whose name says everything has no sentence. Spec 2; open-points 2.

import { ImportStatus } from '../consignment-imports/enumerations.ts'
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
} from '../consignments/enumerations.ts'
import { FeedEventType } from '../events/event.ts'
import {
  JobPriority,
  JobStatus,
  JobStatusFilter,
  JobType,
  PickSortBy,
  ReplenishmentLineStatus,
  WavePickStyle,
} from '../jobs/enumerations.ts'
import { FullPalletAllocation, GrantType } from '../organisations/enumerations.ts'
import { DotsPerMM, Orientation, PaperSize, PrintType } from '../paper/enumerations.ts'
import { LabelFormat } from '../paper/labels/enumerations.ts'
import {
  PrinterAvailability,
  PrinterLanguage,
  PrintJobKind,
  PrintJobPhase,
  PrintJobStatus,
  PrintResult,
} from '../paper/printer-bridges/enumerations.ts'
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
} from '../partners/enumerations.ts'
import type { Enumeration } from '../platform/http/describe-schema.ts'
import { DgStandard, SetUpStatus } from '../reference-data/enumerations.ts'
import {
  InwardSummaryMode,
  OutwardSummaryMode,
  PickfaceExceptionType,
  PickfaceReplenishmentStatus,
} from '../reports/enumerations.ts'
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
} from '../stock/enumerations.ts'
import { AddressType, LocationType, WarehouseStatus } from '../warehouses/enumerations.ts'
import { DeliveryStatus, HeldReason, SubscriptionStatus } from '../webhook-subscriptions/enumerations.ts'
import { SubscribableEventType } from '../webhook-subscriptions/subscription.ts'
import { billingEnumerations } from './billing-enumerations.ts'
import { values } from './enumeration.ts'

const consignmentStatuses = {
  Void: 'Given up; nothing of it can change.',
  Complete: 'Everything is received, delivered or done.',
  Pending: 'Where a consignment begins.',
  ReadyToPick: 'Outwards: stock is allocated.',
  ReadyToDispatch: 'Outwards: everything is picked.',
  ReadyToReceive: 'Inwards: receiving may begin.',
  InProgress: 'Point to point: under way.',
  Closed: 'Billed; nothing of it can change until it is reopened.',
  InTransit: 'Outwards: the goods have left the warehouse.',
  Draft: 'Not released yet.',
}

const active = { Inactive: 'Kept for the records that name it; new ones cannot.' }

/** Every enumeration by its name. */
export const enumerations: Readonly<Record<string, Enumeration>> = {
  // consignments and imports
  ConsignmentType: values(ConsignmentType, 'Which way the goods go.', {
    PointToPoint: 'From one address to another, past the warehouses.',
    Inwards: 'Into a warehouse.',
    Outwards: 'Out of a warehouse.',
  }),
  ConsignmentStatus: values(
    ConsignmentStatus,
    'How far a consignment is. Inwards: Draft, Pending, ReadyToReceive, Complete, Closed. Outwards: Draft, ' +
      'Pending, ReadyToPick, ReadyToDispatch, InTransit, Complete, Closed. Point to point: Draft, Pending, ' +
      'InProgress, Complete, Closed.',
    consignmentStatuses,
  ),
  ConsignmentStatusFilter: values(ConsignmentStatusFilter, 'A status of consignments to filter by.', {
    ...consignmentStatuses,
    Open: 'Every status but Closed and Void.',
  }),
  CloseResult: values(CloseResult, 'What became of a consignment that was to be closed with others.', {
    NotModified: 'It was Closed already.',
    Refused: 'It is as it was; the messages say why.',
  }),
  ConsignmentPriority: values(ConsignmentPriority, 'How urgent a consignment is.'),
  ContainerSize: values(ContainerSize, 'Length of a shipping container.'),
  ContainerType: values(ContainerType, 'Kind of a shipping container.'),
  TrackingStatus: values(TrackingStatus, 'What the carrier says about the goods.', {
    Printed: 'The label is printed.',
    AttemptedDelivery: 'Nobody took the goods.',
    Exception: 'Something is wrong; the details say what.',
  }),
  EdiResult: values(EdiResult, 'How an integration fared with what it was told.'),
  CriticalStockStatus: values(CriticalStockStatus, 'Which stock may be taken, by its dates.', {
    CriticalStock: 'Only what is within the critical days before one of its dates, or past it.',
    NonCriticalStock: 'Only what is not.',
  }),
  ImportStatus: values(ImportStatus, 'How far an import is.', {
    Pending: 'Accepted; it is tried within moments.',
    PendingReconciliation: 'Waits for a decision; its reasons say about what.',
    Reconciled: 'It has become the consignment with its id.',
    Discarded: 'Given up by a person.',
  }),

  // paper
  PrintType: values(PrintType, 'What is printed, and what a printer prints.'),
  LabelFormat: values(LabelFormat, 'What a label is made as.'),
  DotsPerMM: values(DotsPerMM, 'How fine a label printer prints: dots in a millimetre.'),
  Orientation: values(Orientation, 'Which way a page is held.'),
  PaperSize: values(PaperSize, 'What paper a document is set for.'),
  PrinterAvailability: values(PrinterAvailability, 'Whether something can be printed on a printer now.'),
  PrinterLanguage: values(PrinterLanguage, 'What a printer is sent.', {
    Zpl: 'The language of label printers; a PDF is turned into it.',
  }),
  PrintJobKind: values(PrintJobKind, 'What a print job prints.'),
  PrintJobStatus: values(PrintJobStatus, 'How far a print job is.', {
    Pending: 'It waits for its printer.',
    InProgress: 'A printer bridge has it.',
  }),
  PrintJobPhase: values(PrintJobPhase, 'How far the bridge has come that has a print job.', {
    Sending: 'From here on, some of it may be on paper.',
    Sent: 'The printer has all of it.',
  }),
  PrintResult: values(PrintResult, 'What came of an attempt to print.'),

  ...billingEnumerations,

  // jobs
  JobType: values(JobType, 'What is done in a job.'),
  JobStatus: values(JobStatus, 'How far a job is.'),
  JobStatusFilter: values(JobStatusFilter, 'A status of jobs to filter by.', {
    Incomplete: 'Every status but Complete.',
    Open: 'Draft, ReadyToStart and InProgress.',
  }),
  JobPriority: values(JobPriority, 'How urgent a job is.'),
  WavePickStyle: values(WavePickStyle, 'How the consignments of a wave are picked.'),
  PickSortBy: values(PickSortBy, 'The order of a picking list.', {
    Location: 'By walking order, then by name.',
  }),
  ReplenishmentLineStatus: values(ReplenishmentLineStatus, 'How far a line of a replenishment is.', {
    Open: 'There is something to move still.',
    Short: 'Less was to be had than the line says.',
    Cancelled: 'The job ended before anything was moved.',
  }),

  // partners and products
  Relationship: values(Relationship, 'What a partner is to the organisation.', {
    Client: 'Its goods are stored and shipped.',
    Carrier: 'It moves goods.',
  }),
  PartnerStatus: values(PartnerStatus, 'Whether new records can name the partner.', active),
  FreightResolution: values(FreightResolution, 'Which freight rate counts where several fit.', {
    Compounding: 'All of them.',
  }),
  FreightWarningType: values(FreightWarningType, 'When the price of freight is worth a warning.', {
    Value: 'It earns less than an amount.',
    Margin: 'It earns less than a percentage of what is charged.',
  }),
  RotationMethod: values(RotationMethod, 'Which stock is picked first.'),
  StockDepletionMethod: values(
    StockDepletionMethod,
    'Which stock goes first where rotation holds it equal, by the day on which it was received.',
  ),
  AttributeUsage: values(AttributeUsage, 'Whether goods are told apart by a date or batch.'),
  Substitution: values(Substitution, 'Whether other stock may be taken in place of what was asked for.'),
  ProductStatus: values(ProductStatus, 'Whether new records can name the product.', active),
  SerialTrackingMode: values(SerialTrackingMode, 'When serial numbers of pieces are captured.', {
    FullCapture: 'When they are received and when they are dispatched.',
    ReleaseCapture: 'When they are dispatched.',
  }),
  PackagingGroup: values(PackagingGroup, 'Packing group of dangerous goods.', {
    I: 'Great danger.',
    II: 'Medium danger.',
    III: 'Minor danger.',
  }),
  MetricType: values(MetricType, 'What a quantity counts.', {
    Item: 'Single items.',
    UnitType: 'Units of a unit type.',
  }),
  MetricResolution: values(MetricResolution, 'How a conversion is told.', {
    Compound: 'The whole quantity in every unit.',
    Cascade: 'Whole units from the largest down, and the rest in items.',
  }),

  // warehouses and reference data
  WarehouseStatus: values(WarehouseStatus, 'Whether new records can name it.', active),
  AddressType: values(AddressType, 'What an address is for.'),
  LocationType: values(LocationType, 'What a location is for.', {
    Quarantine: 'What lies there is on hand but not available.',
  }),
  SetUpStatus: values(SetUpStatus, 'Whether new records can name it.', active),
  DgStandard: values(DgStandard, 'Standard by which goods are dangerous.', {
    NewZealand_Ghs7: 'New Zealand, GHS revision 7.',
    Australia_Ghs7: 'Australia, GHS revision 7.',
    NewZealand_Dg2005: 'New Zealand, Land Transport Rule: Dangerous Goods 2005.',
    Australia_AdgCode: 'Australia, the Australian Dangerous Goods Code.',
  }),

  // stock
  InventoryTransactionType: values(TransactionType, 'What was done to stock.', {
    Allocation: 'It was promised, or is no longer; nothing moved.',
    Receive: 'It came in.',
    Hold: 'It was put on hold, or released.',
    Pick: 'It was brought to where it leaves.',
    Dispatch: 'It left.',
  }),
  HoldKind: values(HoldKind, 'Why stock is held.', { Return: 'It was sent back.' }),
  PutAwayReason: values(PutAwayReason, 'Why stock might be put away in a location.', {
    Pickface: 'It is the pickface of the product, and below its target.',
    SameBatch: 'The same product and batch lie there.',
    FreeInZone: 'It is free racking of a zone where the product lies.',
    Free: 'It is free racking.',
  }),
  StockCountStatus: values(StockCountStatus, 'How far a stock count is.', {
    Draft: 'Not begun.',
    InProgress: 'It is being counted.',
    Counted: 'Everything is counted; what was seen waits for approval.',
    Approved: 'Every line is approved; nothing of it can change.',
    Cancelled: 'Given up; lines that were approved stay.',
  }),
  StockCountLineStatus: values(StockCountLineStatus, 'How far a line of a stock count is.', {
    ToCount: 'Nobody has counted it.',
    Recount: 'It is to be counted again.',
    Approved: 'Stock was put right by it.',
  }),
  HazchemFireCode: values(HazchemFireCode, 'With what a fire is fought: the digit of the Hazchem code.', {
    I: 'Coarse spray.',
    II: 'Fine spray.',
    III: 'Foam.',
    IV: 'Dry agent.',
    II_ARF: 'Alcohol resistant foam; where there is none, fine spray.',
    III_ARF: 'Alcohol resistant foam; where there is none, other foam.',
  }),
  HazchemSafetyCode: values(
    HazchemSafetyCode,
    'What those who fight a fire wear and do: the letter of the Hazchem code. Black: the letter is white ' +
      'on black, or in brackets.',
  ),

  // reports
  InwardSummaryMode: values(InwardSummaryMode, 'Which inwards consignments a summary has.', {
    DateEntered: 'All, by the day on which they were entered.',
    ActualReceivedDate: 'Received ones, by the day of receipt.',
    NotYetReceived: 'Those that are not Complete, by the day on which they are expected.',
  }),
  OutwardSummaryMode: values(OutwardSummaryMode, 'Which outwards consignments a summary has.', {
    DateEntered: 'All, by the day on which they were entered.',
    ActualDispatchDate: 'Dispatched ones, by the day of dispatch.',
    NotYetDispatched: 'Those that have not left, by the day on which they are to.',
  }),
  InventoryMovementType: values(InventoryMovementType, 'What moved stock.'),
  PickfaceExceptionType: values(PickfaceExceptionType, 'What is wrong with a pickface.', {
    NoProduct: 'It is the pickface of no product.',
    Empty: 'Nothing lies there.',
    BelowMin: 'Less of its product is available there than its minimum.',
    OtherProduct: 'Another product lies there.',
    SeveralProducts: 'Several products lie there.',
    NothingAvailable: 'All that lies there is held, quarantined or expired.',
    NoTarget: 'It has no target.',
  }),
  PickfaceReplenishmentStatus: values(
    PickfaceReplenishmentStatus,
    'How full a pickface is, by what is available of its product.',
  ),

  // organisation and webhooks
  FullPalletAllocation: values(
    FullPalletAllocation,
    'What a line is given that wants as much as a whole logistic unit holds.',
    { WholeUnit: 'The unit.', LooseItems: 'The items off it.' },
  ),
  GrantType: values(GrantType, 'How an app comes to its tokens.', {
    AuthorisationCode: 'For the people who sign in to it.',
    ClientCredentials: 'For the organisation, by its id and secret.',
  }),
  EventType: values(SubscribableEventType, 'What happened; `webhooks` has what is told about each.', {
    CronRecurrence: 'An hour has begun.',
    IdentityConnectionActionExecution: 'An integration is asked to act.',
  }),
  FeedEventType: values(FeedEventType, 'What happened, of what stands in the event feed.'),
  SubscriptionStatus: values(SubscriptionStatus, 'Whether a subscription is told of events.', {
    Failed: 'Too many deliveries failed; nothing is sent until it is reactivated.',
  }),
  HeldReason: values(HeldReason, 'Why nothing is sent to a subscription; the first reason that applies.', {
    SubscriptionFailed: 'Too many deliveries failed.',
    AppDisabled: 'The app that made it is disabled.',
    UserDisabled: 'The person who made it is disabled.',
    PartnerChanged: 'The person belongs to another partner than when it was made.',
    ScopeLost: 'App, role and consent no longer reach the scope of its events.',
  }),
  DeliveryStatus: values(DeliveryStatus, 'How far a delivery is.', {
    Pending: 'Is sent, or sent again, when its time comes.',
    Delivered: 'The receiver answered 2xx.',
    Failed: 'Given up; it can be replayed.',
    Held: 'Waits until the reason is gone for which nothing is sent to the subscription.',
  }),
}
