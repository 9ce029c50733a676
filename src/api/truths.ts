// What each field of an answer tells the truth of. A schema is of one truth, or each of its fields has its
// own: under its name in the schema, or else under its name anywhere. A test fails for a field without one.

/** The truths, as the API document calls them. What is frozen is as it is now until that moment. */
export const truths = {
  ordered: 'as ordered',
  happened: 'as it happened',
  now: 'as it is now',
  closing: 'frozen at closing',
  approval: 'frozen at approval',
  charging: 'frozen at charging',
  counting: 'frozen at counting',
} as const

export type Truth = keyof typeof truths
type Names = Readonly<Partial<Record<Truth, string>>>

/** Schemas that tell of what they are in: the field that has one has the truth. */
export const schemasOfNoTruth: readonly string[] = ['Address']

/** The schemas that are of one truth. */
export const truthOfSchemas: Names = {
  // What was sent or asked for, as it was written.
  ordered: `ImportReplacement`,
  // What was done, and what a command did.
  happened: `
    ConsignmentId ConsignmentImportsUploaded
    ConsignmentProductIds ClosedConsignments BulkResults ConsignmentReceiveResult
    ConsignmentSerialsResult ConsignmentReturnResult ConsignmentUnreceiveResult ConsignmentHistoryEntry
    PrintJobCreated ConsignmentPod ConsignmentTrackingDetail ConsignmentTracking RateCardVersionWarnings
    RateCardBackTestInList RateCardBackTest RateCardBackTestDifference
    RateCardAdjustment UnitConversionResult WarehouseLocationsMade InventoryHeld InventoryHoldReleased
    StockTransferred StockAdjusted StockAttributesAdjusted ItemAttributesAdjusted OpeningBalanceLoaded
    StockReplayed StockCountCreated StockCountWritten StockRecountAsked StockCountApproved
    PrinterBridgeCredentials CustomAppCredentials RotatedSecret WebhookDelivery WebhookDeliveryDetail
    WebhookAttempt OrganisationHistoryEntry EventFeedPage ConsignmentEventData ConsignmentStatusEventData
    ConsignmentImportEventData ScheduleEventData ScheduleStatusEventData JobEventData JobStatusEventData
    TestEventData RecurrenceEventData ActionEventData Allocation AllocatedLine`,
  // What is set up, what waits, what is counted, and what would be done.
  now: `
    Identity Me Preferences Attention Dashboard SearchResults ConsignmentCounts ImportReason ImportCause
    Partner PartnerDetail CodeAlias ListedProduct
    ProductOfClient ProductDetail DgHazardClass DgHazardCategory Warehouse
    WarehouseDetail WarehouseZone WarehouseLocation BillingRule NextBillingPeriod OrganisationBillingRule
    FafProfile FafProfileRate ActivityType ActivityTypeDetail Locality LocalityArea LocalityDetail
    FoundLocalities RateCard RateCardInForce RateCardVersion RateCardVersionDetail RateCardContent Rate
    RateCharge RateChargeSelectors RateBands RateStorage RateCardDifference ShippingPort TaxRate
    TaxRateDetail ServiceType ServiceTypeDetail TaskType TaskTypeDetail PackageType PackageTypeDetail
    ConsumableType ConsumableTypeDetail UnitType UnitTypeDetail ProductGroup ProductGroupDetail
    ProductAttribute ProductAttributeDetail CostCentre CostCentreDetail RevenueAccount
    RevenueAccountDetail PrinterOptions Printer PrinterDetail PrinterBridge ClaimedPrintJob PrintJob
    PrintJobDetail Report WebhookSubscription Organisation User CustomApp BillingRun JobOfConsignment
    ConsignmentAllocations AllocationPreview PutAway ScannedCode InventoryEntry InventoryLogisticUnit
    InventoryItem InventoryProduct InventoryProductDetail InventoryHold InventoryHoldDetail LogisticUnit
    SerialItem ConsignmentConsumables ConsignmentTasks ConsignmentServiceTypes WavePick
    WavePickConsignments WavePickPick Job Replenishment StockCount StoragePreview StoragePreviewCharge
    StorageDay StorageLedgerLine UnratedStorage ChargeExplanation ExplainedRateCharge ConsignmentNote
    StockOnHandRow StockAgeRow StockPositionRow StockSummaryRow LocationStatusRow PickfaceExceptionRow
    PickfaceReplenishmentRow BilledPartner ConsignmentConnectionStatus`,
  closing: `
    ConsignmentCharges ActivityCharge FreightCharge FreightMargin UnratedWork ChargeProof`,
  charging: `
    ScheduleTransactionProof`,
  approval: `ScheduleTax ScheduleProof`,
}

/** Fields that tell the same wherever they are in a schema of several truths. */
export const truthOfFields: Names = {
  ordered: `
    referenceNumber consignmentReferenceNumber dateEntered enteredDate expectedArrivalDateTime
    expectedDispatchDateTime expectedDeliveryDateTime dueDateTime deliveryInstructions pickingInstructions
    receiversReference sendersReference poNumber soNumber originAddressAttention
    destinationAddressAttention destinationAuthorityToLeave containerNumber containerSealNumber
    containerSize containerType containerTareWeightKG containerGrossWeightKG containerYardCode
    containerYardReference containerVesselName containerVoyage vesselName goodsDescription
    expectedQuantity expectedWeightKG expectedVolumeM3 logisticUnitSsccNumber logisticUnitReferenceNumber
    lineNumber lineCount externalId dueQuantity dueWeightKG dueVolumeM3 consigneeName consigneeCity
    consigneeState originName originCity destinationName destinationCity priority consignmentType
    criticalStockStatus packageTypeCode productCode type`,
  happened: `
    receivedQuantity receivedWeightKG receivedVolumeM3 dispatchedQuantity dispatchedWeightKG
    dispatchedVolumeM3 openingQuantity openingWeightKG openingVolumeM3 adjustmentQuantity
    adjustmentWeightKG adjustmentVolumeM3 closingQuantity closingWeightKG closingVolumeM3
    actualReceiveDateTime actualDispatchDateTime actualQuantity actualWeightKG actualVolumeM3 deliveredUtc
    differenceQuantity processedQuantity isOnTime receivedUtc eventUtc signatoryName serials holdKind
    trackingNumber trackingStatus value movementId inventoryReceiptId transactionType effectiveUtc
    occurredUtc recordedUtc transactionDateTime isLate`,
  now: `
    index total id consignmentId consignmentNumber consignmentStatus taskTypeName taskTypeCode
    consumableTypeName consignmentProductId clientId clientName clientCode carrierId carrierName
    carrierCode partnerId partnerName partnerCode partnerProductId partnerProductCode partnerProductName
    partnerRelationship warehouseId warehouseName warehouseCode warehouseLocationId warehouseLocationName
    warehouseLocationType warehouseZoneName locationName walkingOrder logisticUnitNumber ssccNumber
    carrierReference carrierReferenceNumber carrierRunNumber carrierRunOrdinal ediStatus externalUrl
    status jobId jobNumber allocatedQuantity allocatedWeightKG allocatedVolumeM3 pickedQuantity
    pickedWeightKG pickedVolumeM3 shortQuantity shortWeightKG shortVolumeM3 availableQuantity overdueDays
    isManualReconciliationRequired logisticUnitCount serialCount serialTrackingMode isExported
    scheduleStatus scheduleReference description`,
  charging: `
    activityCode activityName particulars taxRateId taxRateName taxRatePercent chargeRateExclTax
    baseChargeExclTax minChargeExclTax maxChargeExclTax chargeApplication amountExclTax transactionDate
    revenueAccountId revenueAccountCode costCentreId costCentreCode chargeTypeId chargeTypeName
    chargeTypeCode creditOf`,
}

const ledgerLine = `
  warehouseProductId version quantity weightKG volumeM3 consignmentProductId stockCountLineId operationId
  reason particulars userId userFullName appName requestId moveNumber cause causeId`
const held = 'createdUtc createdByName releasedUtc reason'
const invoiced = `partnerName partnerCode date invoiceNumber dueDate amountExclTax amountInclTax`
const look = `batch bestBeforeDate expiryDate packagingDate productionDate sellByDate`

/** What fields tell in one schema: by name, or by path where a field has fields. */
export const truthOfFieldsInSchemas: Readonly<Record<string, Names>> = {
  ConsignmentImport: { ordered: 'clientCode', happened: 'id receivedUtc' },
  ConsignmentImportDetail: {
    ordered: 'request',
    happened: `
      receivedUtc ignoredFields discarded.atUtc discarded.userFullName discarded.appName
      discarded.requestId`,
  },
  ListedConsignment: { ordered: 'quantity weightKG volumeM3', now: 'isLate' },
  ConsignmentDetail: {
    ordered: `
      originAddress destinationAddress serviceTypeCodes loadShippingPortCode dischargeShippingPortCode
      notes.note notes.displayOnPrintOut serviceTypes.code`,
    happened: 'closedTransactionDate',
    now: `
      defaultReceiveLocationId defaultDispatchLocationId notes.attachmentCount
      consumables.consumableTypeId consumables.consumableTypeName tasks.taskTypeId tasks.taskTypeName
      serviceTypes.name`,
  },
  ConsignmentProduct: {
    ordered: `
      ${look} attributes.name attributes.description items.quantity items.serial items.weightKG
      items.volumeM3`,
    happened: 'sentBatches.batch sentBatches.expiryDate sentBatches.quantity',
    now: 'product.code product.name heldQuantity',
  },
  ConsignmentProductTransaction: {
    happened: `
      quantity weightKG volumeM3 warehouseProductId ${look} reason attributes.name attributes.description`,
  },
  ConsignmentProductConversion: {
    happened: 'quantity metrics.quantity',
    now: 'metrics.metricType metrics.unitTypeId metrics.unitTypeName',
  },
  AllocatedStock: {
    now: `
      consignmentProductId warehouseProductId isPicked isOverride quantity inventoryAllocationIds serials
      receivedDate warehouseLogisticUnitId ${look}`,
    happened: 'allocatedUtc',
  },
  InventoryTransaction: { happened: `${ledgerLine} onHandAfter` },
  InventoryItemTransaction: { happened: ledgerLine },
  InventoryTransactionPlace: { happened: 'warehouseProductId quantity' },
  StockCountLine: {
    now: `
      stockCountLineId warehouseProductId round isFound isHeld warehouseLogisticUnitId ${look}
      receivedDate`,
    counting: 'bookQuantity varianceQuantity',
    happened: `
      countedQuantity countedUtc countedByName approvedUtc approvedByName reason entries.round
      entries.countedQuantity entries.countedUtc entries.countedByName entries.serials`,
  },
  ReplenishmentLine: {
    ordered: 'quantity',
    happened: 'movedQuantity',
    now: `
      replenishmentLineId warehouseProductId toWarehouseLocationId toWarehouseLocationName ${look}
      openQuantity`,
  },
  InventoryProduct: { happened: 'receivedDate' },
  InventoryProductDetail: { happened: 'receivedDate' },
  StockPositionRow: { happened: 'receivedDate' },
  StockAgeRow: { happened: 'oldestReceivedDate' },
  LocationStatusRow: { happened: 'lastMovementDateTime' },
  InventoryHold: { happened: held },
  InventoryHoldDetail: { happened: held },
  LogisticUnit: { happened: 'createdUtc' },
  StockCount: { happened: 'createdUtc createdByName' },
  ConsignmentNote: { happened: 'createdUtc createdBy' },
  ConsignmentConsumables: { happened: 'consumables.value' },
  ConsignmentTasks: { happened: 'tasks.value' },
  PrintJob: { happened: 'createdUtc finishedUtc requestedByName retriedByName cancelledByName' },
  PrintJobDetail: { happened: 'createdUtc finishedUtc requestedByName retriedByName cancelledByName' },
  Job: { ordered: 'dueDateTime reference description', happened: 'startedUtc' },
  Shortage: { ordered: 'batch' },
  Schedule: { approval: invoiced, now: 'referenceNumber' },
  ScheduleDetail: {
    approval: `partner.name partner.code date invoiceNumber dueDate amountExclTax amountInclTax`,
    now: 'referenceNumber',
  },
  ScheduleActivity: { now: 'transactionCount' },
  ScheduleTransaction: { charging: 'date quantity warehouseName' },
  BilledTransaction: {
    charging: 'date quantity periodFrom periodTo adjusts',
    happened: 'voidReason',
    now: 'partner.name partner.code partnerScheduleId credits creditableExclTax',
  },
  ConsignmentProductDetailRow: { ordered: look },
  ConsignmentProductDueRow: { ordered: look },
  // The numbers of the units that the goods are on, whatever was announced.
  ConsignmentProductDispatchedRow: {
    happened: look,
    now: 'logisticUnitReferenceNumber logisticUnitSsccNumber',
  },
  ConsignmentProductReceivedRow: {
    happened: look,
    now: 'logisticUnitReferenceNumber logisticUnitSsccNumber',
  },
  InwardConsignmentSummaryRow: { now: 'holdQuantity' },
  CarrierChargesRow: { charging: 'quantity' },
  ClientChargesRow: { charging: 'quantity', now: 'externalId' },
  ScheduledTransactionsRow: { charging: 'quantity', approval: 'scheduleDate', now: 'referenceNumber' },
  ScheduleSummaryRow: {
    approval:
      'partnerCode partnerName scheduleDate invoiceNumber dueDate amountExclTax taxAmount amountInclTax',
    now: 'referenceNumber transactionCount',
  },
  CycleCountRow: {
    counting: 'bookQuantity varianceQuantity variancePercent',
    happened: 'rounds countedQuantity countedUtc countedBy approvedUtc approvedBy reason',
    now: `stockCountNumber ${look} logisticUnitReferenceNumber logisticUnitSsccNumber`,
  },
  FreightMarginRow: {
    closing: `
      chargeDate quantity weightKG volumeM3 chargedExclTax chargedFafExclTax incurredExclTax marginExclTax
      marginPercent`,
    now: 'threshold isBelowThreshold isFrozen',
  },
  ProductTransactionDetailRow: {
    happened: `${look} quantity weightKG volumeM3 reason userName
      moveNumber cause causeId`,
  },
  UnbilledWorkRow: { now: 'date dateTo kind subject quantity unit reason suggestion' },
}
