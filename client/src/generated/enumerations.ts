// Generated from the API document by `npm run client`.

/** The purpose of an address. */
export const AddressType = {
  Warehouse: 1,
  Origin: 2,
  Consignee: 3,
  Adhoc: 4,
} as const
export type AddressType = (typeof AddressType)[keyof typeof AddressType]

/** Why a difference of a back-test is not billed. */
export const AdjustmentSkipped = {
  /** The consignment was reopened in the meantime; it is billed again when it is Closed. */
  Reopened: 1,
  /** It was adjusted in the meantime. */
  Adjusted: 2,
} as const
export type AdjustmentSkipped = (typeof AdjustmentSkipped)[keyof typeof AdjustmentSkipped]

/** Whether goods are distinguished by a date or batch. */
export const AttributeUsage = {
  Hidden: 1,
  Optional: 2,
  Required: 3,
} as const
export type AttributeUsage = (typeof AttributeUsage)[keyof typeof AttributeUsage]

/** The status of a back-test. */
export const BackTestStatus = {
  Pending: 1,
  Running: 2,
  Done: 3,
  /** It could not be run; `failure` says why. */
  Failed: 4,
  Cancelled: 5,
} as const
export type BackTestStatus = (typeof BackTestStatus)[keyof typeof BackTestStatus]

/** How often something is billed. */
export const BillingPeriod = {
  Weekly: 1,
  Fortnightly: 2,
  HalfMonthly: 3,
  Monthly: 4,
  FourWeekly: 5,
} as const
export type BillingPeriod = (typeof BillingPeriod)[keyof typeof BillingPeriod]

/** The status of a billing run. */
export const BillingRunStatus = {
  /** Not started, or returned by a worker. */
  Pending: 1,
  /** A worker is processing it. */
  Running: 2,
  /** The period is billed. */
  Done: 3,
  /** It could not continue; it is retried every hour. */
  Failed: 4,
  /** Its schedule was removed; when it is retried, it makes the schedule again. */
  Unbundled: 5,
} as const
export type BillingRunStatus = (typeof BillingRunStatus)[keyof typeof BillingRunStatus]

/** The next step of a billing run. */
export const BillingRunStep = {
  /** Closing Complete consignments. */
  Close: 1,
  /** Raising the storage charges of the period. */
  Storage: 2,
  /** Raising periodic fees and top-ups to a minimum spend. */
  Periodic: 3,
  /** Creating schedules. */
  Schedule: 4,
  /** Approving schedules, if the billing rule says so. */
  Approve: 5,
} as const
export type BillingRunStep = (typeof BillingRunStep)[keyof typeof BillingRunStep]

/** The result of an act on a consignment together with others. */
export const BulkResult = {
  Changed: 1,
  /** It was so already. */
  Unchanged: 2,
  /** It was not changed; the messages say why. */
  Refused: 3,
} as const
export type BulkResult = (typeof BulkResult)[keyof typeof BulkResult]

/** Whether an amount is multiplied. */
export const ChargeApplication = {
  /** Rate times metric, plus the base. */
  Rate: 1,
  /** The amount itself, once. */
  Fee: 2,
} as const
export type ChargeApplication = (typeof ChargeApplication)[keyof typeof ChargeApplication]

/** A part of a consignment that can be charged. */
export const ChargePartKind = {
  Consignment: 1,
  Line: 2,
  Task: 3,
  Consumable: 4,
  Freight: 5,
} as const
export type ChargePartKind = (typeof ChargePartKind)[keyof typeof ChargePartKind]

/** What is charged, and how it is calculated. Types below 7 are between the organisation and a client, the others between the organisation and a carrier. */
export const ChargeType = {
  ClientActivityAdhoc: 1,
  ClientActivityMetricRate: 2,
  ClientActivityProductRate: 3,
  ClientFreightAdhoc: 4,
  ClientFreightMetricRate: 5,
  ClientFreightProductRate: 6,
  CarrierFreightAdhoc: 7,
  CarrierFreightMetricRate: 8,
  CarrierFreightProductRate: 9,
} as const
export type ChargeType = (typeof ChargeType)[keyof typeof ChargeType]

/** The result of closing a consignment together with others. */
export const CloseResult = {
  Closed: 1,
  /** It was already Closed. */
  NotModified: 2,
  /** It was not changed; the messages say why. */
  Refused: 3,
} as const
export type CloseResult = (typeof CloseResult)[keyof typeof CloseResult]

/** How urgent a consignment is. */
export const ConsignmentPriority = {
  Normal: 2,
  High: 3,
  Urgent: 4,
} as const
export type ConsignmentPriority = (typeof ConsignmentPriority)[keyof typeof ConsignmentPriority]

/** The status of a consignment. Inwards: Draft, Pending, ReadyToReceive, Complete, Closed. Outwards: Draft, Pending, ReadyToPick, ReadyToDispatch, InTransit, Complete, Closed. Point to point: Draft, Pending, InProgress, Complete, Closed. */
export const ConsignmentStatus = {
  /** Cancelled; it can no longer change. */
  Void: -2,
  /** Everything is received, delivered or done. */
  Complete: 0,
  /** The initial status. */
  Pending: 1,
  /** Outwards: stock is allocated. */
  ReadyToPick: 2,
  /** Outwards: everything is picked. */
  ReadyToDispatch: 3,
  /** Inwards: receiving may begin. */
  ReadyToReceive: 4,
  /** Point to point: in progress. */
  InProgress: 5,
  /** Billed; it cannot change unless it is reopened. */
  Closed: 6,
  /** Outwards: the goods have left the warehouse. */
  InTransit: 7,
  /** Not released yet. */
  Draft: 8,
} as const
export type ConsignmentStatus = (typeof ConsignmentStatus)[keyof typeof ConsignmentStatus]

/** A status of consignments to filter by. */
export const ConsignmentStatusFilter = {
  /** Cancelled; it can no longer change. */
  Void: -2,
  /** Everything is received, delivered or done. */
  Complete: 0,
  /** The initial status. */
  Pending: 1,
  /** Outwards: stock is allocated. */
  ReadyToPick: 2,
  /** Outwards: everything is picked. */
  ReadyToDispatch: 3,
  /** Inwards: receiving may begin. */
  ReadyToReceive: 4,
  /** Point to point: in progress. */
  InProgress: 5,
  /** Billed; it cannot change unless it is reopened. */
  Closed: 6,
  /** Outwards: the goods have left the warehouse. */
  InTransit: 7,
  /** Not released yet. */
  Draft: 8,
  /** Every status except Closed and Void. */
  Open: -1,
} as const
export type ConsignmentStatusFilter = (typeof ConsignmentStatusFilter)[keyof typeof ConsignmentStatusFilter]

/** The direction in which the goods move. */
export const ConsignmentType = {
  /** From one address to another, without a warehouse. */
  PointToPoint: 0,
  /** Into a warehouse. */
  Inwards: 1,
  /** Out of a warehouse. */
  Outwards: 2,
} as const
export type ConsignmentType = (typeof ConsignmentType)[keyof typeof ConsignmentType]

/** Length of a shipping container. */
export const ContainerSize = {
  TenFoot: 1,
  TwentyFoot: 2,
  FortyFoot: 3,
  FortyFiveFoot: 4,
} as const
export type ContainerSize = (typeof ContainerSize)[keyof typeof ContainerSize]

/** Type of a shipping container. */
export const ContainerType = {
  GeneralPurpose: 1,
  GeneralPurposeHighCube: 2,
  Refrigerated: 3,
  RefrigeratedHighCube: 4,
  RefrigeratedNotOperating: 5,
  RefrigeratedNotOperatingHighCube: 6,
  OpenTop: 7,
  OpenTopHighCube: 8,
  FlatRack: 9,
  FlatRackHighCube: 10,
  Tank: 11,
  TankHighCube: 12,
} as const
export type ContainerType = (typeof ContainerType)[keyof typeof ContainerType]

/** Which stock may be used, by its dates. */
export const CriticalStockStatus = {
  /** Only stock within the critical days before one of its dates, or past it. */
  CriticalStock: 1,
  /** Only other stock. */
  NonCriticalStock: 2,
} as const
export type CriticalStockStatus = (typeof CriticalStockStatus)[keyof typeof CriticalStockStatus]

/** The status of a delivery. */
export const DeliveryStatus = {
  /** Scheduled to be sent, or to be retried. */
  Pending: 1,
  /** The receiver responded with 2xx. */
  Delivered: 2,
  /** No more attempts are made; it can be replayed. */
  Failed: 3,
  /** Waits until the reason why nothing is sent to the subscription no longer applies. */
  Held: 4,
} as const
export type DeliveryStatus = (typeof DeliveryStatus)[keyof typeof DeliveryStatus]

/** The standard that classifies dangerous goods. */
export const DgStandard = {
  /** New Zealand, GHS revision 7. */
  NewZealand_Ghs7: 1,
  /** Australia, GHS revision 7. */
  Australia_Ghs7: 2,
  /** New Zealand, Land Transport Rule: Dangerous Goods 2005. */
  NewZealand_Dg2005: 3,
  /** Australia, the Australian Dangerous Goods Code. */
  Australia_AdgCode: 4,
} as const
export type DgStandard = (typeof DgStandard)[keyof typeof DgStandard]

/** The resolution of a label printer in dots per millimetre. */
export const DotsPerMM = {
  Dpi150: 6,
  Dpi203: 8,
  Dpi300: 12,
  Dpi600: 24,
} as const
export type DotsPerMM = (typeof DotsPerMM)[keyof typeof DotsPerMM]

/** Whether an integration processed an event successfully. */
export const EdiResult = {
  Success: 1,
  Failed: 2,
} as const
export type EdiResult = (typeof EdiResult)[keyof typeof EdiResult]

/** What happened; `webhooks` describes the data of each. */
export const EventType = {
  /** An hour has begun. */
  CronRecurrence: 1,
  /** An integration is asked to perform an action. */
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

/** What happened, for the events in the event feed. */
export const FeedEventType = {
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
export type FeedEventType = (typeof FeedEventType)[keyof typeof FeedEventType]

/** Which freight rate applies if several match. */
export const FreightResolution = {
  LeastExpensive: 0,
  MostExpensive: 1,
  /** All of them. */
  Compounding: 2,
} as const
export type FreightResolution = (typeof FreightResolution)[keyof typeof FreightResolution]

/** When the price of freight causes a warning. */
export const FreightWarningType = {
  None: 0,
  /** It earns less than a certain amount. */
  Value: 1,
  /** It earns less than a certain percentage of the charge. */
  Margin: 2,
} as const
export type FreightWarningType = (typeof FreightWarningType)[keyof typeof FreightWarningType]

/** What is allocated to a line that needs as much as a whole logistic unit contains. */
export const FullPalletAllocation = {
  /** The unit. */
  WholeUnit: 1,
  /** Its items, without the unit. */
  LooseItems: 2,
} as const
export type FullPalletAllocation = (typeof FullPalletAllocation)[keyof typeof FullPalletAllocation]

/** How an app gets its tokens. */
export const GrantType = {
  /** For the people who sign in to it. */
  AuthorisationCode: 1,
  /** For the organisation, with its id and secret. */
  ClientCredentials: 2,
} as const
export type GrantType = (typeof GrantType)[keyof typeof GrantType]

/** The means of fighting a fire: the digit of the Hazchem code. */
export const HazchemFireCode = {
  /** Coarse spray. */
  I: 1,
  /** Fine spray. */
  II: 2,
  /** Foam. */
  III: 3,
  /** Dry agent. */
  IV: 4,
  /** Alcohol-resistant foam; if there is none, fine spray. */
  II_ARF: 5,
  /** Alcohol-resistant foam; if there is none, other foam. */
  III_ARF: 6,
} as const
export type HazchemFireCode = (typeof HazchemFireCode)[keyof typeof HazchemFireCode]

/** What firefighters must wear and do: the letter of the Hazchem code. Black: the letter is white on black, or in brackets. */
export const HazchemSafetyCode = {
  P: 1,
  R: 2,
  S: 3,
  S_Black: 4,
  T: 5,
  T_Black: 6,
  W: 7,
  X: 8,
  Y: 9,
  Y_Black: 10,
  Z: 11,
  Z_Black: 12,
} as const
export type HazchemSafetyCode = (typeof HazchemSafetyCode)[keyof typeof HazchemSafetyCode]

/** Why nothing is sent to a subscription: the first reason that applies. */
export const HeldReason = {
  /** Too many deliveries failed. */
  SubscriptionFailed: 1,
  /** The app that created it is disabled. */
  AppDisabled: 2,
  /** The user who created it is disabled. */
  UserDisabled: 3,
  /** The user belongs to another partner than when it was created. */
  PartnerChanged: 4,
  /** App, role and consent no longer include the scope of its events. */
  ScopeLost: 5,
} as const
export type HeldReason = (typeof HeldReason)[keyof typeof HeldReason]

/** Why stock is on hold. */
export const HoldKind = {
  General: 1,
  Quality: 2,
  /** It was returned. */
  Return: 3,
} as const
export type HoldKind = (typeof HoldKind)[keyof typeof HoldKind]

/** The status of an import. */
export const ImportStatus = {
  /** Accepted; it will be processed within moments. */
  Pending: 1,
  /** Waits for a decision; its reasons say what about. */
  PendingReconciliation: 2,
  /** It has become the consignment with the same id. */
  Reconciled: 3,
  /** Discarded by a user. */
  Discarded: 4,
} as const
export type ImportStatus = (typeof ImportStatus)[keyof typeof ImportStatus]

/** What became of an order in a file. */
export const ImportUploadResult = {
  /** It is an import now, or would be if it were no dry run. */
  Accepted: 1,
  /** It was uploaded before, as it is; consignmentImportId names the import. */
  Known: 2,
  /** Its messages say why; no import was made of it. */
  Faulty: 3,
} as const
export type ImportUploadResult = (typeof ImportUploadResult)[keyof typeof ImportUploadResult]

/** The type of a stock movement. */
export const InventoryMovementType = {
  Adjustment: 1,
  Transfer: 2,
  Receive: 3,
  Hold: 4,
  Pick: 5,
  Dispatch: 6,
} as const
export type InventoryMovementType = (typeof InventoryMovementType)[keyof typeof InventoryMovementType]

/** Why stock moved, where the type of the transaction and its consignment do not say it. */
export const InventoryTransactionCause = {
  /** As the type and the consignment say. */
  None: 0,
  /** It was there when stock was first recorded. */
  OpeningBalance: 1,
  /** A person corrected what is in stock. */
  Correction: 2,
  /** A stock count found more or less; causeId is its line. */
  Count: 3,
  /** Batch, dates or attributes of the goods were corrected. */
  Redescribed: 4,
  /** The goods got their serials after they were received. */
  SerialsCaptured: 5,
  /** Goods that had left are picked goods again. */
  DispatchUndone: 16,
  /** Goods that had been received are not in stock any more. */
  ReceiptUndone: 17,
  /** The goods were not where they should be picked. */
  ShortPick: 18,
  /** Picked goods were put back. */
  Unpicked: 19,
  /** A person chose the goods against the rules. */
  Override: 20,
} as const
export type InventoryTransactionCause = (typeof InventoryTransactionCause)[keyof typeof InventoryTransactionCause]

/** The type of a stock transaction. */
export const InventoryTransactionType = {
  /** Stock was allocated or deallocated; nothing moved. */
  Allocation: 0,
  Adjustment: 1,
  Transfer: 2,
  /** Stock was received. */
  Receive: 3,
  /** Stock was put on hold or released. */
  Hold: 4,
  /** Stock was moved to where it leaves the warehouse. */
  Pick: 5,
  /** Stock left the warehouse. */
  Dispatch: 6,
} as const
export type InventoryTransactionType = (typeof InventoryTransactionType)[keyof typeof InventoryTransactionType]

/** Which inwards consignments a summary lists. */
export const InwardSummaryMode = {
  /** All, by the day of entry. */
  DateEntered: 1,
  /** Received ones, by the day of receipt. */
  ActualReceivedDate: 2,
  /** Those that are not Complete, by the expected day of receipt. */
  NotYetReceived: 3,
} as const
export type InwardSummaryMode = (typeof InwardSummaryMode)[keyof typeof InwardSummaryMode]

/** How urgent a job is. */
export const JobPriority = {
  Normal: 2,
  High: 3,
  Urgent: 4,
} as const
export type JobPriority = (typeof JobPriority)[keyof typeof JobPriority]

/** The status of a job. */
export const JobStatus = {
  Draft: 1,
  ReadyToStart: 2,
  InProgress: 3,
  Complete: 4,
  Cancelled: 5,
} as const
export type JobStatus = (typeof JobStatus)[keyof typeof JobStatus]

/** A status of jobs to filter by. */
export const JobStatusFilter = {
  /** Every status except Complete. */
  Incomplete: -2,
  /** Draft, ReadyToStart and InProgress. */
  Open: -1,
  Draft: 1,
  ReadyToStart: 2,
  InProgress: 3,
  Complete: 4,
  Cancelled: 5,
} as const
export type JobStatusFilter = (typeof JobStatusFilter)[keyof typeof JobStatusFilter]

/** The type of work in a job. */
export const JobType = {
  WavePick: 1,
  Replenishment: 2,
} as const
export type JobType = (typeof JobType)[keyof typeof JobType]

/** The file format of a label. */
export const LabelFormat = {
  Pdf: 1,
  Zpl: 2,
  Png: 3,
} as const
export type LabelFormat = (typeof LabelFormat)[keyof typeof LabelFormat]

/** The purpose of a location. */
export const LocationType = {
  Racking: 1,
  Bulk: 2,
  /** Its stock is on hand but not available. */
  Quarantine: 3,
  Transitional: 4,
} as const
export type LocationType = (typeof LocationType)[keyof typeof LocationType]

/** How the result of a conversion is expressed. */
export const MetricResolution = {
  /** The whole quantity in each unit. */
  Compound: 1,
  /** Whole units from the largest to the smallest, and the remainder in items. */
  Cascade: 2,
} as const
export type MetricResolution = (typeof MetricResolution)[keyof typeof MetricResolution]

/** How a metric is rounded to a multiple of roundTo. */
export const MetricRounding = {
  None: 0,
  Up: 1,
  Nearest: 2,
} as const
export type MetricRounding = (typeof MetricRounding)[keyof typeof MetricRounding]

/** The unit of a quantity. */
export const MetricType = {
  /** Single items. */
  Item: 1,
  VirtualPallet: 2,
  /** Units of a unit type. */
  UnitType: 3,
} as const
export type MetricType = (typeof MetricType)[keyof typeof MetricType]

/** The orientation of a page. */
export const Orientation = {
  Portrait: 1,
  Landscape: 2,
} as const
export type Orientation = (typeof Orientation)[keyof typeof Orientation]

/** Which outwards consignments a summary lists. */
export const OutwardSummaryMode = {
  /** All, by the day of entry. */
  DateEntered: 1,
  /** Dispatched ones, by the day of dispatch. */
  ActualDispatchDate: 2,
  /** Those that have not left, by the expected day of dispatch. */
  NotYetDispatched: 3,
} as const
export type OutwardSummaryMode = (typeof OutwardSummaryMode)[keyof typeof OutwardSummaryMode]

/** Packing group of dangerous goods. */
export const PackagingGroup = {
  /** Great danger. */
  I: 1,
  /** Medium danger. */
  II: 2,
  /** Minor danger. */
  III: 3,
} as const
export type PackagingGroup = (typeof PackagingGroup)[keyof typeof PackagingGroup]

/** The paper size of a document. */
export const PaperSize = {
  A4: 1,
  Letter: 2,
} as const
export type PaperSize = (typeof PaperSize)[keyof typeof PaperSize]

/** Whether new records can refer to the partner. */
export const PartnerStatus = {
  /** Kept for existing records; new records cannot refer to it. */
  Inactive: 1,
  Active: 2,
} as const
export type PartnerStatus = (typeof PartnerStatus)[keyof typeof PartnerStatus]

/** The order of a picking list. */
export const PickSortBy = {
  /** By walking order, then by name. */
  Location: 1,
  ProductCode: 2,
  ProductName: 3,
} as const
export type PickSortBy = (typeof PickSortBy)[keyof typeof PickSortBy]

/** What is wrong with a pickface. */
export const PickfaceExceptionType = {
  /** It has no product. */
  NoProduct: 1,
  /** It has no stock. */
  Empty: 2,
  /** Less of its product is available than its minimum. */
  BelowMin: 3,
  /** It has stock of another product. */
  OtherProduct: 4,
  /** It has stock of several products. */
  SeveralProducts: 5,
  /** All its stock is on hold, quarantined or expired. */
  NothingAvailable: 6,
  /** It has no target quantity. */
  NoTarget: 7,
} as const
export type PickfaceExceptionType = (typeof PickfaceExceptionType)[keyof typeof PickfaceExceptionType]

/** How full a pickface is, by the available quantity of its product. */
export const PickfaceReplenishmentStatus = {
  TargetReached: 1,
  BelowTarget: 2,
  BelowMin: 3,
} as const
export type PickfaceReplenishmentStatus = (typeof PickfaceReplenishmentStatus)[keyof typeof PickfaceReplenishmentStatus]

/** What a print job prints. */
export const PrintJobKind = {
  ConsignmentDetail: 1,
  PickingList: 2,
  WavePickingList: 3,
  DgDeclaration: 4,
  DispatchConfirmation: 5,
  ReceiptConfirmation: 6,
  Statement: 7,
  ProductLabel: 8,
  PalletLabel: 9,
  LocationLabel: 10,
  NoteAttachment: 11,
  TestPage: 12,
} as const
export type PrintJobKind = (typeof PrintJobKind)[keyof typeof PrintJobKind]

/** How far a printer bridge has got with a print job. */
export const PrintJobPhase = {
  Waiting: 1,
  Claimed: 2,
  /** From now on, part of it may be on paper. */
  Sending: 3,
  /** The printer has received all of it. */
  Sent: 4,
} as const
export type PrintJobPhase = (typeof PrintJobPhase)[keyof typeof PrintJobPhase]

/** The status of a print job. */
export const PrintJobStatus = {
  /** It is waiting for its printer. */
  Pending: 1,
  /** A printer bridge is working on it. */
  InProgress: 2,
  Success: 3,
  Failed: 4,
  Cancelled: 5,
} as const
export type PrintJobStatus = (typeof PrintJobStatus)[keyof typeof PrintJobStatus]

/** The result of an attempt to print. */
export const PrintResult = {
  Success: 1,
  Failed: 2,
} as const
export type PrintResult = (typeof PrintResult)[keyof typeof PrintResult]

/** What is printed, or what a printer prints. */
export const PrintType = {
  Label: 1,
  Document: 2,
} as const
export type PrintType = (typeof PrintType)[keyof typeof PrintType]

/** Whether a printer is available now. */
export const PrinterAvailability = {
  Online: 1,
  Offline: 2,
} as const
export type PrinterAvailability = (typeof PrinterAvailability)[keyof typeof PrinterAvailability]

/** The format that a printer accepts. */
export const PrinterLanguage = {
  Pdf: 1,
  /** The language of label printers; PDFs are converted to it. */
  Zpl: 2,
} as const
export type PrinterLanguage = (typeof PrinterLanguage)[keyof typeof PrinterLanguage]

/** Whether new records can refer to the product. */
export const ProductStatus = {
  Active: 1,
  /** Kept for existing records; new records cannot refer to it. */
  Inactive: 2,
} as const
export type ProductStatus = (typeof ProductStatus)[keyof typeof ProductStatus]

/** Why a location is suggested for put-away. */
export const PutAwayReason = {
  /** It is the pickface of the product, and below its target. */
  Pickface: 1,
  /** It has stock of the same product and batch. */
  SameBatch: 2,
  /** It is free racking in a zone that has stock of the product. */
  FreeInZone: 3,
  /** It is free racking. */
  Free: 4,
} as const
export type PutAwayReason = (typeof PutAwayReason)[keyof typeof PutAwayReason]

/** Whether the charges of a rate can select lines by product. */
export const RateBasis = {
  /** No: each charge applies to all lines together. */
  Metric: 1,
  /** Yes: each charge applies to its matching lines together. */
  Product: 2,
} as const
export type RateBasis = (typeof RateBasis)[keyof typeof RateBasis]

/** How a quantity is priced by bands of rates. */
export const RateBreaks = {
  None: 0,
  /** The whole quantity at the rate of the band that it falls into. */
  Selective: 1,
  /** The part of the quantity in each band at the rate of that band. */
  Progressive: 2,
} as const
export type RateBreaks = (typeof RateBreaks)[keyof typeof RateBreaks]

/** Why a rate card applies to a partner. */
export const RateCardBecause = {
  /** It is the partner's own card. */
  Own: 1,
  /** The partner has no card that applies, and this is the card for all such partners. */
  FallBack: 2,
} as const
export type RateCardBecause = (typeof RateCardBecause)[keyof typeof RateCardBecause]

/** Whether a rate card applies. */
export const RateCardStatus = {
  Active: 1,
  Inactive: 2,
} as const
export type RateCardStatus = (typeof RateCardStatus)[keyof typeof RateCardStatus]

/** The status of a version of a rate card. */
export const RateCardVersionStatus = {
  /** Can still change; nothing is charged by it. */
  Draft: 1,
  /** Applies from its start date, and never changes. */
  Approved: 2,
} as const
export type RateCardVersionStatus = (typeof RateCardVersionStatus)[keyof typeof RateCardVersionStatus]

/** The outcome of a charge of a rate. */
export const RateChargeOutcome = {
  /** It is charged. */
  Taken: 1,
  /** It applies to its parts, but costs nothing. */
  Free: 2,
  /** It does not apply to the consignment. */
  NoMatch: 3,
  /** It applies to the consignment, but none of the remaining parts matched it. */
  NothingTaken: 4,
  /** The charges before it left no parts. */
  NotReached: 5,
  /** Another freight rate took precedence. */
  LostResolution: 6,
} as const
export type RateChargeOutcome = (typeof RateChargeOutcome)[keyof typeof RateChargeOutcome]

/** What a rate prices. CarrierFreight is used on carriers' cards, the others on clients' cards. */
export const RateKind = {
  /** Work on a consignment. */
  Activity: 1,
  /** What the client pays for freight. */
  ClientFreight: 2,
  /** What the carrier charges for freight. */
  CarrierFreight: 3,
  /** Storage of stock, per day. */
  Storage: 4,
  /** A fee per billing period. */
  Periodic: 5,
} as const
export type RateKind = (typeof RateKind)[keyof typeof RateKind]

/** What a charge is multiplied by. */
export const RateMetric = {
  /** Always 1. */
  Consignment: 1,
  Quantity: 2,
  WeightKG: 3,
  VolumeM3: 4,
  /** Pallets, calculated from the products' unit conversions. */
  VirtualPallet: 5,
  /** Units of a unit type, calculated from the products' unit conversions. */
  UnitType: 6,
  /** The value of a task; for hours, use a task whose value is hours. */
  TaskValue: 7,
  /** The value of a consumable. */
  ConsumableValue: 8,
  Lines: 9,
  LogisticUnits: 10,
  Serials: 11,
  /** The greater of the weight and the volumetric weight. */
  ChargeableWeightKG: 12,
  /** Storage only: locations in use. */
  Locations: 13,
} as const
export type RateMetric = (typeof RateMetric)[keyof typeof RateMetric]

/** How much of a period is charged for stock that is received during it. */
export const ReceiptsCharged = {
  None: 0,
  Full: 1,
  /** The whole period if received in its first half, otherwise half of it. */
  HalfAfterMid: 2,
  DaysLeft: 3,
} as const
export type ReceiptsCharged = (typeof ReceiptsCharged)[keyof typeof ReceiptsCharged]

/** What became of an import when one of its reasons was corrected. */
export const ReconcileResult = {
  /** It has become a consignment. */
  Reconciled: 1,
  /** It waits for something else too; it keeps the replacement. */
  StillWaiting: 2,
  /** The replacement is not permitted, or the import waits no more; nothing was changed. */
  Refused: 3,
} as const
export type ReconcileResult = (typeof ReconcileResult)[keyof typeof ReconcileResult]

/** What a partner is to the organisation. */
export const Relationship = {
  /** Its goods are stored and shipped. */
  Client: 1,
  /** It moves goods. */
  Carrier: 2,
} as const
export type Relationship = (typeof Relationship)[keyof typeof Relationship]

/** The status of a line of a replenishment. */
export const ReplenishmentLineStatus = {
  /** There is still something to move. */
  Open: 1,
  Done: 2,
  /** Less stock was available than the line asks for. */
  Short: 3,
  /** The job ended before anything was moved. */
  Cancelled: 4,
} as const
export type ReplenishmentLineStatus = (typeof ReplenishmentLineStatus)[keyof typeof ReplenishmentLineStatus]

/** Which stock is picked first. */
export const RotationMethod = {
  None: 0,
  Batch: 1,
  ExpiryAscending: 2,
  ExpiryDescending: 3,
  ProductionDateAscending: 4,
  ProductionDateDescending: 5,
  BestBeforeDateAscending: 6,
  BestBeforeDateDescending: 7,
  SellByDateAscending: 8,
  SellByDateDescending: 9,
  PackagingDateAscending: 10,
  PackagingDateDescending: 11,
  ReceivedDateAscending: 12,
  ReceivedDateDescending: 13,
} as const
export type RotationMethod = (typeof RotationMethod)[keyof typeof RotationMethod]

/** The format that a schedule is exported in. */
export const ScheduleExportFormat = {
  /** For programs. */
  Json: 1,
  /** For spreadsheets. */
  Csv: 2,
  /** For Xero, which imports it as a sales invoice. */
  Xero: 3,
  /** For MYOB AccountRight, which imports it as a professional sale. */
  Myob: 4,
} as const
export type ScheduleExportFormat = (typeof ScheduleExportFormat)[keyof typeof ScheduleExportFormat]

/** The status of a schedule. */
export const ScheduleStatus = {
  /** Can still change. */
  Draft: 1,
  /** Final, ready to be exported. */
  Approved: 2,
} as const
export type ScheduleStatus = (typeof ScheduleStatus)[keyof typeof ScheduleStatus]

/** The status of a transaction. */
export const ScheduleTransactionStatus = {
  /** Not on a schedule yet. */
  Pending: 1,
  /** On a schedule. */
  Scheduled: 2,
  /** Not billed, but kept. */
  Void: 3,
} as const
export type ScheduleTransactionStatus = (typeof ScheduleTransactionStatus)[keyof typeof ScheduleTransactionStatus]

/** What a transaction bills. */
export const ScheduleTransactionType = {
  AdhocCharge: 0,
  FreightCharge: 1,
  StorageCharge: 2,
  ActivityCharge: 3,
} as const
export type ScheduleTransactionType = (typeof ScheduleTransactionType)[keyof typeof ScheduleTransactionType]

/** When the serial numbers of items are captured. */
export const SerialTrackingMode = {
  None: 1,
  /** When they are received and when they are dispatched. */
  FullCapture: 2,
  /** When they are dispatched. */
  ReleaseCapture: 3,
} as const
export type SerialTrackingMode = (typeof SerialTrackingMode)[keyof typeof SerialTrackingMode]

/** Whether new records can refer to it. */
export const SetUpStatus = {
  Active: 1,
  /** Kept for existing records; new records cannot refer to it. */
  Inactive: 2,
} as const
export type SetUpStatus = (typeof SetUpStatus)[keyof typeof SetUpStatus]

/** The statuses that a transaction without a consignment can be set to. */
export const SettableTransactionStatus = {
  /** To be billed after all. */
  Pending: 1,
  /** Not to be billed. */
  Void: 3,
} as const
export type SettableTransactionStatus = (typeof SettableTransactionStatus)[keyof typeof SettableTransactionStatus]

/** The status of a line of a stock count. */
export const StockCountLineStatus = {
  /** Not counted yet. */
  ToCount: 1,
  Counted: 2,
  /** To be counted again. */
  Recount: 3,
  /** Stock was corrected to match it. */
  Approved: 4,
} as const
export type StockCountLineStatus = (typeof StockCountLineStatus)[keyof typeof StockCountLineStatus]

/** The status of a stock count. */
export const StockCountStatus = {
  /** Not started. */
  Draft: 1,
  /** It is being counted. */
  InProgress: 2,
  /** Everything is counted; the results wait for approval. */
  Counted: 3,
  /** Every line is approved; the count can no longer change. */
  Approved: 4,
  /** Cancelled; approved lines remain. */
  Cancelled: 5,
} as const
export type StockCountStatus = (typeof StockCountStatus)[keyof typeof StockCountStatus]

/** Which stock is used first if the rotation method does not decide, by the day of receipt. */
export const StockDepletionMethod = {
  FIFO: 1,
  LIFO: 2,
} as const
export type StockDepletionMethod = (typeof StockDepletionMethod)[keyof typeof StockDepletionMethod]

/** Which stock of a day is charged. */
export const StorageCount = {
  Closing: 1,
  Opening: 2,
  /** The highest balance of the day. */
  Chronological: 3,
  /** The stock at the start of the day, plus receipts of the day. */
  PartThereof: 4,
  /** The stock at the start of the period, plus receipts since then. */
  CumulativePartThereof: 5,
} as const
export type StorageCount = (typeof StorageCount)[keyof typeof StorageCount]

/** How the days of a period become one quantity. */
export const StorageMethod = {
  SumOfDays: 1,
  Average: 2,
  Maximum: 3,
  /** The stock at the start, plus receipts as receiptsCharged says. */
  StartOfPeriod: 4,
  /** Each receipt has its own periods, which start on the day of the receipt. */
  Anniversary: 5,
} as const
export type StorageMethod = (typeof StorageMethod)[keyof typeof StorageMethod]

/** Whether events are sent to a subscription. */
export const SubscriptionStatus = {
  Active: 1,
  /** Too many deliveries failed; nothing is sent until it is reactivated. */
  Failed: 2,
} as const
export type SubscriptionStatus = (typeof SubscriptionStatus)[keyof typeof SubscriptionStatus]

/** Whether other stock may be used instead of the requested stock. */
export const Substitution = {
  Allowed: 1,
  NotAllowed: 2,
} as const
export type Substitution = (typeof Substitution)[keyof typeof Substitution]

/** The tracking status that the carrier reports. */
export const TrackingStatus = {
  Unknown: 0,
  /** The label is printed. */
  Printed: 1,
  Dispatched: 2,
  InTransit: 3,
  OutForDelivery: 4,
  Delivered: 5,
  PickupInStore: 6,
  /** Nobody was there to receive the goods. */
  AttemptedDelivery: 7,
  /** Something went wrong; the details say what. */
  Exception: 8,
  AwaitingCollection: 9,
  Cancelled: 10,
  Manifested: 11,
} as const
export type TrackingStatus = (typeof TrackingStatus)[keyof typeof TrackingStatus]

/** What is not billed. */
export const UnbilledKind = {
  Line: 1,
  Task: 2,
  Consumable: 3,
  Freight: 4,
  /** Days on which goods were stored. */
  StorageDay: 5,
  /** A service type that no charge refers to. */
  ServiceType: 6,
  /** A Complete consignment that is waiting to be Closed. */
  NotClosed: 7,
  /** A charge that a user excluded. */
  Excluded: 8,
  /** A charge of 0.00. */
  ZeroAmount: 9,
  /** A consignment charged by expected quantities, because nothing was received or dispatched here. */
  ByExpected: 10,
} as const
export type UnbilledKind = (typeof UnbilledKind)[keyof typeof UnbilledKind]

/** Why work is not charged. */
export const UnratedReason = {
  /** No rate card applies to the client. */
  NoRateCard: 1,
  /** The card has no rate for this work. */
  NoRate: 2,
  /** No charge of any rate matches it. */
  NothingMatches: 3,
  /** A charge matches, but the weight, volume or unit to measure is unknown. */
  NotMeasured: 4,
  /** The origin or destination is in no locality. */
  NoLocality: 5,
  /** It is the remainder after whole units. */
  Remainder: 6,
  /** Its quantity is 0 or less. */
  NotPositive: 7,
} as const
export type UnratedReason = (typeof UnratedReason)[keyof typeof UnratedReason]

/** Whether new records can refer to it. */
export const WarehouseStatus = {
  Active: 1,
  /** Kept for existing records; new records cannot refer to it. */
  Inactive: 2,
} as const
export type WarehouseStatus = (typeof WarehouseStatus)[keyof typeof WarehouseStatus]

/** How the consignments of a wave are picked. */
export const WavePickStyle = {
  ParallelPicking: 1,
  BulkPicking: 2,
} as const
export type WavePickStyle = (typeof WavePickStyle)[keyof typeof WavePickStyle]
