// Generated from the API document by `npm run client`.

/** What an address is for. */
export const AddressType = {
  Warehouse: 1,
  Origin: 2,
  Consignee: 3,
  Adhoc: 4,
} as const
export type AddressType = (typeof AddressType)[keyof typeof AddressType]

/** Why a difference of a back-test is not billed. */
export const AdjustmentSkipped = {
  /** The consignment was reopened since: it is billed anew when it is Closed. */
  Reopened: 1,
  /** It was adjusted since. */
  Adjusted: 2,
  /** It was Closed before there were rate cards: what was entered is its bill. */
  ChargedByHand: 3,
} as const
export type AdjustmentSkipped = (typeof AdjustmentSkipped)[keyof typeof AdjustmentSkipped]

/** Whether goods are told apart by a date or batch. */
export const AttributeUsage = {
  Hidden: 1,
  Optional: 2,
  Required: 3,
} as const
export type AttributeUsage = (typeof AttributeUsage)[keyof typeof AttributeUsage]

/** How far a back-test is. */
export const BackTestStatus = {
  Pending: 1,
  Running: 2,
  Done: 3,
  /** It could not be made; failure says why. */
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

/** How far a billing run is. */
export const BillingRunStatus = {
  /** Nothing is done yet, or a worker gave it back. */
  Pending: 1,
  /** A worker is at it. */
  Running: 2,
  /** The period is billed. */
  Done: 3,
  /** It could not go on; it is tried again every hour. */
  Failed: 4,
} as const
export type BillingRunStatus = (typeof BillingRunStatus)[keyof typeof BillingRunStatus]

/** What a billing run does next. */
export const BillingRunStep = {
  /** Closing Complete consignments. */
  Close: 1,
  /** Raising the storage of the period. */
  Storage: 2,
  /** Raising periodic fees and what is missing to a minimum spend. */
  Periodic: 3,
  /** Making schedules. */
  Schedule: 4,
  /** Approving them, where the rule says so. */
  Approve: 5,
} as const
export type BillingRunStep = (typeof BillingRunStep)[keyof typeof BillingRunStep]

/** Whether an amount is multiplied. */
export const ChargeApplication = {
  /** Rate times metric, and the base. */
  Rate: 1,
  /** The amount itself, once. */
  Fee: 2,
} as const
export type ChargeApplication = (typeof ChargeApplication)[keyof typeof ChargeApplication]

/** What a consignment offers to be charged. */
export const ChargePartKind = {
  Consignment: 1,
  Line: 2,
  Task: 3,
  Consumable: 4,
  Freight: 5,
} as const
export type ChargePartKind = (typeof ChargePartKind)[keyof typeof ChargePartKind]

/** What is charged, and how it is reckoned. Types below 7 are between the organisation and a client, the others between it and a carrier. */
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

/** What became of a consignment that was to be closed with others. */
export const CloseResult = {
  Closed: 1,
  /** It was Closed already. */
  NotModified: 2,
  /** It is as it was; the messages say why. */
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

/** How far a consignment is. Inwards: Draft, Pending, ReadyToReceive, Complete, Closed. Outwards: Draft, Pending, ReadyToPick, ReadyToDispatch, InTransit, Complete, Closed. Point to point: Draft, Pending, InProgress, Complete, Closed. */
export const ConsignmentStatus = {
  /** Given up; nothing of it can change. */
  Void: -2,
  /** Everything is received, delivered or done. */
  Complete: 0,
  /** Where a consignment begins. */
  Pending: 1,
  /** Outwards: stock is allocated. */
  ReadyToPick: 2,
  /** Outwards: everything is picked. */
  ReadyToDispatch: 3,
  /** Inwards: receiving may begin. */
  ReadyToReceive: 4,
  /** Point to point: under way. */
  InProgress: 5,
  /** Billed; nothing of it can change until it is reopened. */
  Closed: 6,
  /** Outwards: the goods have left the warehouse. */
  InTransit: 7,
  /** Not released yet. */
  Draft: 8,
} as const
export type ConsignmentStatus = (typeof ConsignmentStatus)[keyof typeof ConsignmentStatus]

/** A status of consignments to filter by. */
export const ConsignmentStatusFilter = {
  /** Given up; nothing of it can change. */
  Void: -2,
  /** Everything is received, delivered or done. */
  Complete: 0,
  /** Where a consignment begins. */
  Pending: 1,
  /** Outwards: stock is allocated. */
  ReadyToPick: 2,
  /** Outwards: everything is picked. */
  ReadyToDispatch: 3,
  /** Inwards: receiving may begin. */
  ReadyToReceive: 4,
  /** Point to point: under way. */
  InProgress: 5,
  /** Billed; nothing of it can change until it is reopened. */
  Closed: 6,
  /** Outwards: the goods have left the warehouse. */
  InTransit: 7,
  /** Not released yet. */
  Draft: 8,
  /** Every status but Closed and Void. */
  Open: -1,
} as const
export type ConsignmentStatusFilter = (typeof ConsignmentStatusFilter)[keyof typeof ConsignmentStatusFilter]

/** Which way the goods go. */
export const ConsignmentType = {
  /** From one address to another, past the warehouses. */
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

/** Kind of a shipping container. */
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

/** Which stock may be taken, by its dates. */
export const CriticalStockStatus = {
  /** Only what is within the critical days before one of its dates, or past it. */
  CriticalStock: 1,
  /** Only what is not. */
  NonCriticalStock: 2,
} as const
export type CriticalStockStatus = (typeof CriticalStockStatus)[keyof typeof CriticalStockStatus]

/** How far a delivery is. */
export const DeliveryStatus = {
  /** Is sent, or sent again, when its time comes. */
  Pending: 1,
  /** The receiver answered 2xx. */
  Delivered: 2,
  /** Given up; it can be replayed. */
  Failed: 3,
  /** Waits until the reason is gone for which nothing is sent to the subscription. */
  Held: 4,
} as const
export type DeliveryStatus = (typeof DeliveryStatus)[keyof typeof DeliveryStatus]

/** Standard by which goods are dangerous. */
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

/** How fine a label printer prints: dots in a millimetre. */
export const DotsPerMM = {
  Dpi150: 6,
  Dpi203: 8,
  Dpi300: 12,
  Dpi600: 24,
} as const
export type DotsPerMM = (typeof DotsPerMM)[keyof typeof DotsPerMM]

/** How an integration fared with what it was told. */
export const EdiResult = {
  Success: 1,
  Failed: 2,
} as const
export type EdiResult = (typeof EdiResult)[keyof typeof EdiResult]

/** What happened; `webhooks` has what is told about each. */
export const EventType = {
  /** An hour has begun. */
  CronRecurrence: 1,
  /** An integration is asked to act. */
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

/** What happened, of what stands in the event feed. */
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

/** Which freight rate counts where several fit. */
export const FreightResolution = {
  LeastExpensive: 0,
  MostExpensive: 1,
  /** All of them. */
  Compounding: 2,
} as const
export type FreightResolution = (typeof FreightResolution)[keyof typeof FreightResolution]

/** When the price of freight is worth a warning. */
export const FreightWarningType = {
  None: 0,
  /** It earns less than an amount. */
  Value: 1,
  /** It earns less than a percentage of what is charged. */
  Margin: 2,
} as const
export type FreightWarningType = (typeof FreightWarningType)[keyof typeof FreightWarningType]

/** What a line is given that wants as much as a whole logistic unit holds. */
export const FullPalletAllocation = {
  /** The unit. */
  WholeUnit: 1,
  /** The items off it. */
  LooseItems: 2,
} as const
export type FullPalletAllocation = (typeof FullPalletAllocation)[keyof typeof FullPalletAllocation]

/** How an app comes to its tokens. */
export const GrantType = {
  /** For the people who sign in to it. */
  AuthorisationCode: 1,
  /** For the organisation, by its id and secret. */
  ClientCredentials: 2,
} as const
export type GrantType = (typeof GrantType)[keyof typeof GrantType]

/** With what a fire is fought: the digit of the Hazchem code. */
export const HazchemFireCode = {
  /** Coarse spray. */
  I: 1,
  /** Fine spray. */
  II: 2,
  /** Foam. */
  III: 3,
  /** Dry agent. */
  IV: 4,
  /** Alcohol resistant foam; where there is none, fine spray. */
  II_ARF: 5,
  /** Alcohol resistant foam; where there is none, other foam. */
  III_ARF: 6,
} as const
export type HazchemFireCode = (typeof HazchemFireCode)[keyof typeof HazchemFireCode]

/** What those who fight a fire wear and do: the letter of the Hazchem code. Black: the letter is white on black, or in brackets. */
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

/** Why nothing is sent to a subscription; the first reason that applies. */
export const HeldReason = {
  /** Too many deliveries failed. */
  SubscriptionFailed: 1,
  /** The app that made it is disabled. */
  AppDisabled: 2,
  /** The person who made it is disabled. */
  UserDisabled: 3,
  /** The person belongs to another partner than when it was made. */
  PartnerChanged: 4,
  /** App, role and consent no longer reach the scope of its events. */
  ScopeLost: 5,
} as const
export type HeldReason = (typeof HeldReason)[keyof typeof HeldReason]

/** Why stock is held. */
export const HoldKind = {
  General: 1,
  Quality: 2,
  /** It was sent back. */
  Return: 3,
} as const
export type HoldKind = (typeof HoldKind)[keyof typeof HoldKind]

/** How far an import is. */
export const ImportStatus = {
  /** Accepted; it is tried within moments. */
  Pending: 1,
  /** Waits for a decision; its reasons say about what. */
  PendingReconciliation: 2,
  /** It has become the consignment with its id. */
  Reconciled: 3,
  /** Given up by a person. */
  Discarded: 4,
} as const
export type ImportStatus = (typeof ImportStatus)[keyof typeof ImportStatus]

/** What moved stock. */
export const InventoryMovementType = {
  Adjustment: 1,
  Transfer: 2,
  Receive: 3,
  Hold: 4,
  Pick: 5,
  Dispatch: 6,
} as const
export type InventoryMovementType = (typeof InventoryMovementType)[keyof typeof InventoryMovementType]

/** What was done to stock. */
export const InventoryTransactionType = {
  /** It was promised, or is no longer; nothing moved. */
  Allocation: 0,
  Adjustment: 1,
  Transfer: 2,
  /** It came in. */
  Receive: 3,
  /** It was put on hold, or released. */
  Hold: 4,
  /** It was brought to where it leaves. */
  Pick: 5,
  /** It left. */
  Dispatch: 6,
} as const
export type InventoryTransactionType = (typeof InventoryTransactionType)[keyof typeof InventoryTransactionType]

/** Which inwards consignments a summary has. */
export const InwardSummaryMode = {
  /** All, by the day on which they were entered. */
  DateEntered: 1,
  /** Received ones, by the day of receipt. */
  ActualReceivedDate: 2,
  /** Those that are not Complete, by the day on which they are expected. */
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

/** How far a job is. */
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
  /** Every status but Complete. */
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

/** What is done in a job. */
export const JobType = {
  WavePick: 1,
  Replenishment: 2,
} as const
export type JobType = (typeof JobType)[keyof typeof JobType]

/** What a label is made as. */
export const LabelFormat = {
  Pdf: 1,
  Zpl: 2,
  Png: 3,
} as const
export type LabelFormat = (typeof LabelFormat)[keyof typeof LabelFormat]

/** What a location is for. */
export const LocationType = {
  Racking: 1,
  Bulk: 2,
  /** What lies there is on hand but not available. */
  Quarantine: 3,
  Transitional: 4,
} as const
export type LocationType = (typeof LocationType)[keyof typeof LocationType]

/** How a conversion is told. */
export const MetricResolution = {
  /** The whole quantity in every unit. */
  Compound: 1,
  /** Whole units from the largest down, and the rest in items. */
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

/** What a quantity counts. */
export const MetricType = {
  /** Single items. */
  Item: 1,
  VirtualPallet: 2,
  /** Units of a unit type. */
  UnitType: 3,
} as const
export type MetricType = (typeof MetricType)[keyof typeof MetricType]

/** Which way a page is held. */
export const Orientation = {
  Portrait: 1,
  Landscape: 2,
} as const
export type Orientation = (typeof Orientation)[keyof typeof Orientation]

/** Which outwards consignments a summary has. */
export const OutwardSummaryMode = {
  /** All, by the day on which they were entered. */
  DateEntered: 1,
  /** Dispatched ones, by the day of dispatch. */
  ActualDispatchDate: 2,
  /** Those that have not left, by the day on which they are to. */
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

/** What paper a document is set for. */
export const PaperSize = {
  A4: 1,
  Letter: 2,
} as const
export type PaperSize = (typeof PaperSize)[keyof typeof PaperSize]

/** Whether new records can name the partner. */
export const PartnerStatus = {
  /** Kept for the records that name it; new ones cannot. */
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
  /** It is the pickface of no product. */
  NoProduct: 1,
  /** Nothing lies there. */
  Empty: 2,
  /** Less of its product is available there than its minimum. */
  BelowMin: 3,
  /** Another product lies there. */
  OtherProduct: 4,
  /** Several products lie there. */
  SeveralProducts: 5,
  /** All that lies there is held, quarantined or expired. */
  NothingAvailable: 6,
  /** It has no target. */
  NoTarget: 7,
} as const
export type PickfaceExceptionType = (typeof PickfaceExceptionType)[keyof typeof PickfaceExceptionType]

/** How full a pickface is, by what is available of its product. */
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

/** How far the bridge has come that has a print job. */
export const PrintJobPhase = {
  Waiting: 1,
  Claimed: 2,
  /** From here on, some of it may be on paper. */
  Sending: 3,
  /** The printer has all of it. */
  Sent: 4,
} as const
export type PrintJobPhase = (typeof PrintJobPhase)[keyof typeof PrintJobPhase]

/** How far a print job is. */
export const PrintJobStatus = {
  /** It waits for its printer. */
  Pending: 1,
  /** A printer bridge has it. */
  InProgress: 2,
  Success: 3,
  Failed: 4,
  Cancelled: 5,
} as const
export type PrintJobStatus = (typeof PrintJobStatus)[keyof typeof PrintJobStatus]

/** What came of an attempt to print. */
export const PrintResult = {
  Success: 1,
  Failed: 2,
} as const
export type PrintResult = (typeof PrintResult)[keyof typeof PrintResult]

/** What is printed, and what a printer prints. */
export const PrintType = {
  Label: 1,
  Document: 2,
} as const
export type PrintType = (typeof PrintType)[keyof typeof PrintType]

/** Whether something can be printed on a printer now. */
export const PrinterAvailability = {
  Online: 1,
  Offline: 2,
} as const
export type PrinterAvailability = (typeof PrinterAvailability)[keyof typeof PrinterAvailability]

/** What a printer is sent. */
export const PrinterLanguage = {
  Pdf: 1,
  /** The language of label printers; a PDF is turned into it. */
  Zpl: 2,
} as const
export type PrinterLanguage = (typeof PrinterLanguage)[keyof typeof PrinterLanguage]

/** Whether new records can name the product. */
export const ProductStatus = {
  Active: 1,
  /** Kept for the records that name it; new ones cannot. */
  Inactive: 2,
} as const
export type ProductStatus = (typeof ProductStatus)[keyof typeof ProductStatus]

/** Why stock might be put away in a location. */
export const PutAwayReason = {
  /** It is the pickface of the product, and below its target. */
  Pickface: 1,
  /** The same product and batch lie there. */
  SameBatch: 2,
  /** It is free racking of a zone where the product lies. */
  FreeInZone: 3,
  /** It is free racking. */
  Free: 4,
} as const
export type PutAwayReason = (typeof PutAwayReason)[keyof typeof PutAwayReason]

/** Whether charges of a rate may select lines by their products. */
export const RateBasis = {
  /** No: all lines together. */
  Metric: 1,
  /** Yes: the matching lines together. */
  Product: 2,
} as const
export type RateBasis = (typeof RateBasis)[keyof typeof RateBasis]

/** How a quantity and bands of rates go together. */
export const RateBreaks = {
  None: 0,
  /** The whole quantity at the rate of the band that it falls in. */
  Selective: 1,
  /** Each band's part at its own rate. */
  Progressive: 2,
} as const
export type RateBreaks = (typeof RateBreaks)[keyof typeof RateBreaks]

/** Why a rate card counts for a partner. */
export const RateCardBecause = {
  /** It is the partner's. */
  Own: 1,
  /** The partner has none that counts, and this is the one for all such partners. */
  FallBack: 2,
} as const
export type RateCardBecause = (typeof RateCardBecause)[keyof typeof RateCardBecause]

/** Whether a rate card counts. */
export const RateCardStatus = {
  Active: 1,
  Inactive: 2,
} as const
export type RateCardStatus = (typeof RateCardStatus)[keyof typeof RateCardStatus]

/** How far a version of a rate card is. */
export const RateCardVersionStatus = {
  /** May still change; nothing is charged by it. */
  Draft: 1,
  /** Counts from its date on, and never changes. */
  Approved: 2,
} as const
export type RateCardVersionStatus = (typeof RateCardVersionStatus)[keyof typeof RateCardVersionStatus]

/** What became of a charge of a rate. */
export const RateChargeOutcome = {
  /** It is charged. */
  Taken: 1,
  /** It took its parts, and costs nothing. */
  Free: 2,
  /** The consignment is none that it is for. */
  NoMatch: 3,
  /** It is for the consignment, and nothing that is left matched it. */
  NothingTaken: 4,
  /** The charges before it left nothing. */
  NotReached: 5,
  /** Another freight rate came before. */
  LostResolution: 6,
} as const
export type RateChargeOutcome = (typeof RateChargeOutcome)[keyof typeof RateChargeOutcome]

/** What a rate prices. CarrierFreight is of carriers' cards, the others of clients'. */
export const RateKind = {
  /** Work on a consignment. */
  Activity: 1,
  /** What the client pays for freight. */
  ClientFreight: 2,
  /** What the carrier asks for freight. */
  CarrierFreight: 3,
  /** Stock, by the day. */
  Storage: 4,
  /** A fee once a billing period. */
  Periodic: 5,
} as const
export type RateKind = (typeof RateKind)[keyof typeof RateKind]

/** What a charge multiplies. */
export const RateMetric = {
  /** Always 1. */
  Consignment: 1,
  Quantity: 2,
  WeightKG: 3,
  VolumeM3: 4,
  /** Pallets, by the products' unit chains. */
  VirtualPallet: 5,
  /** Units of a type, by the products' unit chains. */
  UnitType: 6,
  /** The value of a task; hours are a task whose value is hours. */
  TaskValue: 7,
  /** The value of a consumable. */
  ConsumableValue: 8,
  Lines: 9,
  LogisticUnits: 10,
  Serials: 11,
  /** The greater of the weight and what the volume counts for. */
  ChargeableWeightKG: 12,
  /** Storage only: locations in use. */
  Locations: 13,
} as const
export type RateMetric = (typeof RateMetric)[keyof typeof RateMetric]

/** What of a period is charged for stock that comes in during it. */
export const ReceiptsCharged = {
  None: 0,
  Full: 1,
  /** All of it in the first half of the period, half of it in the second. */
  HalfAfterMid: 2,
  DaysLeft: 3,
} as const
export type ReceiptsCharged = (typeof ReceiptsCharged)[keyof typeof ReceiptsCharged]

/** What a partner is to the organisation. */
export const Relationship = {
  /** Its goods are stored and shipped. */
  Client: 1,
  /** It moves goods. */
  Carrier: 2,
} as const
export type Relationship = (typeof Relationship)[keyof typeof Relationship]

/** How far a line of a replenishment is. */
export const ReplenishmentLineStatus = {
  /** There is something to move still. */
  Open: 1,
  Done: 2,
  /** Less was to be had than the line says. */
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

/** For whom a schedule is exported. */
export const ScheduleExportFormat = {
  /** Programs. */
  Json: 1,
  /** Spreadsheets. */
  Csv: 2,
  /** Xero, which imports it as a sales invoice. */
  Xero: 3,
  /** MYOB AccountRight, which imports it as a professional sale. */
  Myob: 4,
} as const
export type ScheduleExportFormat = (typeof ScheduleExportFormat)[keyof typeof ScheduleExportFormat]

/** How far a schedule is. */
export const ScheduleStatus = {
  /** May still change. */
  Draft: 1,
  /** Final, to be exported. */
  Approved: 2,
} as const
export type ScheduleStatus = (typeof ScheduleStatus)[keyof typeof ScheduleStatus]

/** Where a transaction is. */
export const ScheduleTransactionStatus = {
  /** On no schedule yet. */
  Pending: 1,
  /** On a schedule. */
  Scheduled: 2,
  /** Not billed. It is kept. */
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

/** When serial numbers of pieces are captured. */
export const SerialTrackingMode = {
  None: 1,
  /** When they are received and when they are dispatched. */
  FullCapture: 2,
  /** When they are dispatched. */
  ReleaseCapture: 3,
} as const
export type SerialTrackingMode = (typeof SerialTrackingMode)[keyof typeof SerialTrackingMode]

/** Whether new records can name it. */
export const SetUpStatus = {
  Active: 1,
  /** Kept for the records that name it; new ones cannot. */
  Inactive: 2,
} as const
export type SetUpStatus = (typeof SetUpStatus)[keyof typeof SetUpStatus]

/** What somebody may make of a transaction that belongs to no consignment. */
export const SettableTransactionStatus = {
  /** To be billed after all. */
  Pending: 1,
  /** Not to be billed. */
  Void: 3,
} as const
export type SettableTransactionStatus = (typeof SettableTransactionStatus)[keyof typeof SettableTransactionStatus]

/** How far a line of a stock count is. */
export const StockCountLineStatus = {
  /** Nobody has counted it. */
  ToCount: 1,
  Counted: 2,
  /** It is to be counted again. */
  Recount: 3,
  /** Stock was put right by it. */
  Approved: 4,
} as const
export type StockCountLineStatus = (typeof StockCountLineStatus)[keyof typeof StockCountLineStatus]

/** How far a stock count is. */
export const StockCountStatus = {
  /** Not begun. */
  Draft: 1,
  /** It is being counted. */
  InProgress: 2,
  /** Everything is counted; what was seen waits for approval. */
  Counted: 3,
  /** Every line is approved; nothing of it can change. */
  Approved: 4,
  /** Given up; lines that were approved stay. */
  Cancelled: 5,
} as const
export type StockCountStatus = (typeof StockCountStatus)[keyof typeof StockCountStatus]

/** Which stock goes first where rotation holds it equal, by the day on which it was received. */
export const StockDepletionMethod = {
  FIFO: 1,
  LIFO: 2,
} as const
export type StockDepletionMethod = (typeof StockDepletionMethod)[keyof typeof StockDepletionMethod]

/** Which stock of a day counts. */
export const StorageCount = {
  Closing: 1,
  Opening: 2,
  /** The greatest balance of the day. */
  Chronological: 3,
  /** What was there at its beginning, and what came in. */
  PartThereof: 4,
  /** What was there at the period's beginning, and what came in since. */
  CumulativePartThereof: 5,
} as const
export type StorageCount = (typeof StorageCount)[keyof typeof StorageCount]

/** How the days of a period become one quantity. */
export const StorageMethod = {
  SumOfDays: 1,
  Average: 2,
  Maximum: 3,
  /** What was there at the beginning, and receipts as receiptsCharged says. */
  StartOfPeriod: 4,
  /** Each receipt by periods of its own, from its own day. */
  Anniversary: 5,
} as const
export type StorageMethod = (typeof StorageMethod)[keyof typeof StorageMethod]

/** Whether a subscription is told of events. */
export const SubscriptionStatus = {
  Active: 1,
  /** Too many deliveries failed; nothing is sent until it is reactivated. */
  Failed: 2,
} as const
export type SubscriptionStatus = (typeof SubscriptionStatus)[keyof typeof SubscriptionStatus]

/** Whether other stock may be taken in place of what was asked for. */
export const Substitution = {
  Allowed: 1,
  NotAllowed: 2,
} as const
export type Substitution = (typeof Substitution)[keyof typeof Substitution]

/** What the carrier says about the goods. */
export const TrackingStatus = {
  Unknown: 0,
  /** The label is printed. */
  Printed: 1,
  Dispatched: 2,
  InTransit: 3,
  OutForDelivery: 4,
  Delivered: 5,
  PickupInStore: 6,
  /** Nobody took the goods. */
  AttemptedDelivery: 7,
  /** Something is wrong; the details say what. */
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
  /** Days on which goods lay in store. */
  StorageDay: 5,
  /** A service type that no charge names. */
  ServiceType: 6,
  /** A Complete consignment that waits to be Closed. */
  NotClosed: 7,
  /** A charge that somebody left out. */
  Excluded: 8,
  /** A charge of 0.00. */
  ZeroAmount: 9,
  /** A consignment charged by what was expected, because nothing of it came or went here. */
  ByExpected: 10,
} as const
export type UnbilledKind = (typeof UnbilledKind)[keyof typeof UnbilledKind]

/** Why work is charged by nothing. */
export const UnratedReason = {
  /** No card counts for the client. */
  NoRateCard: 1,
  /** The card has no rate for such work. */
  NoRate: 2,
  /** No charge of any rate matches it. */
  NothingMatches: 3,
  /** What matches has nothing to measure: no weight, volume or unit is known. */
  NotMeasured: 4,
  /** An end of the way is in no locality. */
  NoLocality: 5,
  /** It is what whole units leave. */
  Remainder: 6,
  /** It comes to a quantity of 0 or less. */
  NotPositive: 7,
} as const
export type UnratedReason = (typeof UnratedReason)[keyof typeof UnratedReason]

/** Whether new records can name it. */
export const WarehouseStatus = {
  Active: 1,
  /** Kept for the records that name it; new ones cannot. */
  Inactive: 2,
} as const
export type WarehouseStatus = (typeof WarehouseStatus)[keyof typeof WarehouseStatus]

/** How the consignments of a wave are picked. */
export const WavePickStyle = {
  ParallelPicking: 1,
  BulkPicking: 2,
} as const
export type WavePickStyle = (typeof WavePickStyle)[keyof typeof WavePickStyle]
