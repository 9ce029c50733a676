// Section 2 of the specification: the fields of every resource and the values of every enumeration.

import { documented, fields, rule, type Section, values } from './rows.ts'

const consignment = '/v1/consignments/{consignmentId}'
const detail = `GET ${consignment}`
const imports = 'POST /v1/consignment-imports'
const tracking = `${consignment}/tracking`
const schedule = 'GET /v1/schedules/{partnerScheduleId}'
const rates = 'GET /v1/faf-profiles/{fafProfileId}/rates'
const partner = 'GET /v1/partners/{partnerId}'
const product = `${partner}/products/{partnerProductId}`
const warehouse = 'GET /v1/warehouses/{warehouseId}'
const wavePick = 'GET /v1/jobs/{jobId}/wave-pick'
const hazardClasses = 'GET /v1/dg-hazard-classes'

const summary = `id:uuid consignmentNumber referenceNumber clientId:uuid clientName clientCode dateEntered:time type:int status:int warehouseId:uuid
  warehouseCode warehouseName carrierId:uuid carrierName carrierCode carrierReferenceNumber carrierRunNumber carrierRunOrdinal:int ediStatus:int`
const address =
  'code name email phone streetAddress suburb city state postCode country latitude:num longitude:num'
const trackingStatus =
  '0 Unknown, 1 Printed, 2 Dispatched, 3 InTransit, 4 OutForDelivery, 5 Delivered, 6 PickupInStore, 7 AttemptedDelivery, 8 Exception, 9 AwaitingCollection, 10 Cancelled, 11 Manifested'
const charge =
  'id:uuid isEffective:bool particulars metricValue:num chargeMin:num chargeBase:num chargeRate:num amountExclTax:num'
const adhoc =
  'particulars revenueAccountId:uuid costCentreId:uuid metricValue:num chargeApplication!:int chargeRateExclTax!:num taxRateId!:uuid'
const usages = (prefix: string) =>
  ['atch', 'estBeforeDate', 'xpiry', 'ackagingDate', 'roductionDate', 'ellByDate']
    .map((rest, i) => `${prefix}${prefix === '' ? 'bbepps'[i] : 'BBEPPS'[i]}${rest}Usage:int`)
    .join(' ')
const partnerRow = 'id:uuid externalId name code email relationship:int status:int'
const quantities = ['available', 'onHand']
  .map(of => `${of}Quantity:num ${of}VolumeM3:num ${of}WeightKG:num`)
  .join(' ')
const stored =
  'warehouseLocationId:uuid warehouseLocationName warehouseLocationType:int warehouseId:uuid warehouseName'
const inventory = 'GET /v1/inventory > inventory[]'

export const resourceSections: Section[] = [
  {
    title: '1 Conventions',
    rows: [
      rule(
        'JSON in UTF-8',
        'platform/http/request-body: bytes that are not UTF-8 are refused',
        'consignments/detail/import-fields: texts in every script are returned in UTF-8 as they were sent',
        'platform/http/bodies-over-sockets: a body that is not application/json returns 415',
      ),
      rule(
        'Fields in camelCase, query parameters in PascalCase, paths under /v1',
        'api/document: paths and names follow the conventions of the specification',
      ),
      rule(
        'Downloads are binary',
        'consignments/notes: an attachment is downloaded unchanged, to be saved rather than displayed',
      ),
      rule(
        'Uploads are base64 in JSON',
        'platform/http/files: base64 decodes to what was encoded, and is refused if one character is wrong',
      ),
      rule(
        'Imports refer to records by code',
        'consignment-imports/process-imports: codes match without regard to case',
      ),
      rule(
        'A bearer token with every request',
        'every-endpoint: without a token, every endpoint returns 401 with the error body, before anything else is checked',
      ),
    ],
  },
  {
    title: '2.1 Shared shapes',
    rows: [
      rule(
        'Page envelope: `index`, `total` of all matching records, the records in an array',
        'platform/http/paging: reading all pages returns each row once, in the same order for every page size, with the exact total',
        'platform/http/paging: the total counts the rows that the filter finds, even past the last page and if there are none',
      ),
      fields(
        'Uploaded file',
        'PUT /v1/partners/{partnerId}/logo < logo',
        'fileName! contentType! content! options:object',
        'uploads/uploaded-file: files are accepted in their order, decoded, with their print types',
      ),
      values(
        'Print type',
        `POST ${consignment}/notes < attachments[].options.printType`,
        '1 Label, 2 Document',
      ),
      fields(
        'Identity',
        'GET /v1/identity >',
        'identityConnectionId:uuid userId:uuid userFullName organisationId:uuid organisationName partnerId:uuid partnerCode partnerName',
        'users/identity: a token that belongs to a partner names it',
      ),
    ],
  },
  {
    title: '2.2 Consignment',
    rows: [
      fields(
        'Consignment summary',
        [
          'GET /v1/consignments > consignments[]',
          `${wavePick}/consignments > consignments[]`,
          `${wavePick} > jobConsignments[]`,
        ],
        summary,
        'consignments/consignments: a row contains the names and codes of its client, carrier and warehouse',
      ),
      fields(
        'Consignment detail, fields of the summary',
        `${detail} >`,
        summary,
        'consignments/detail/import-fields: the detail of a consignment has the fields of its list row, with the same values',
      ),
      fields(
        'Consignment detail, collections',
        `${detail} >`,
        'consignmentTracking:list notes:list consumables:list tasks:list serviceTypes:list pods:list jobs:list',
        'consignments/change-consignment: the detail contains every record with the fields of its own endpoint',
      ),
      values('Consignment type', `${detail} > type`, '0 PointToPoint, 1 Inwards, 2 Outwards'),
    ],
  },
  {
    title: '2.3 Import request',
    rows: [
      fields(
        'Import request',
        `${imports} <`,
        `idempotencyKey consignmentType!:int clientCode! referenceNumber externalId carrierCode carrierReference enteredDate:time expectedArrivalDateTime:time
         expectedDispatchDateTime:time expectedDeliveryDateTime:time warehouseCode originAddress:object originAddressAttention destinationAddress:object
         destinationAddressAttention destinationAuthorityToLeave:bool deliveryInstructions pickingInstructions receiversReference sendersReference poNumber
         soNumber containerNumber containerSealNumber containerSize:int containerType:int containerTareWeightKG:num containerGrossWeightKG:num
         containerYardCode containerYardReference containerVesselName containerVoyage loadShippingPortCode dischargeShippingPortCode
         serviceTypeCodes:list notes:list products!:list attachments:list`,
        'consignment-imports/import-request: every field of the request is accepted, each at its longest, and null means absent',
        'consignments/detail/import-fields: every field of an import and its products can be read from the consignment under the same name',
      ),
      values(
        'Container size',
        `${imports} < containerSize`,
        '1 TenFoot, 2 TwentyFoot, 3 FortyFoot, 4 FortyFiveFoot',
      ),
      values(
        'Container type',
        `${imports} < containerType`,
        '1 GeneralPurpose, 2 GeneralPurposeHighCube, 3 Refrigerated, 4 RefrigeratedHighCube, 5 RefrigeratedNotOperating, 6 RefrigeratedNotOperatingHighCube, 7 OpenTop, 8 OpenTopHighCube, 9 FlatRack, 10 FlatRackHighCube, 11 Tank, 12 TankHighCube',
      ),
      fields('Address', [`${imports} < originAddress`, `${imports} < destinationAddress`], address),
      fields(
        'Import note',
        `${imports} < notes[]`,
        'note! displayOnPrintOut:bool attachments:list',
        'consignments/notes: notes of an import can be read and changed like any other notes',
      ),
      fields(
        'Attachment of an import note',
        `${imports} < notes[].attachments[]`,
        'fileName contentType content downloadUrl',
        'consignment-imports/downloads/fetch-due-files: a file in the import and a fetched one both become attachments of the note',
      ),
      fields(
        'Import product',
        `${imports} < products[]`,
        `productCode! goodsDescription batch bestBeforeDate:time expiryDate:time packagingDate:time productionDate:time sellByDate:time packageTypeCode
         logisticUnitSsccNumber logisticUnitReferenceNumber isManualReconciliationRequired:bool criticalStockStatus:int attributes:list items!:list`,
        'consignments/detail/import-fields: every field of an import and its products can be read from the consignment under the same name',
      ),
      values(
        'Critical stock status',
        `${imports} < products[].criticalStockStatus`,
        '1 CriticalStock, 2 NonCriticalStock',
      ),
      fields('Attribute of an import product', `${imports} < products[].attributes[]`, 'name description'),
      fields(
        'Item of an import product',
        `${imports} < products[].items[]`,
        'serial quantity!:num weightKG:num volumeM3:num',
        'consignments/create-consignment: items, service types, tasks and notes are stored as they were sent',
      ),
      rule(
        'A logistic unit number is a valid SSCC of 18 digits',
        'stock/logistic-units/sscc: only the correct check digit makes 17 digits valid',
        'consignment-imports/import-request: all faults are reported together, each with its field',
      ),
      rule(
        'The quantity is 1 if a serial is given',
        'consignment-imports/import-request: all faults are reported together, each with its field',
      ),
      rule(
        'Serials hold an import if its product takes none, or takes them only at picking',
        'consignment-imports/process-imports: an import with serials waits if the product takes none or captures them at picking',
      ),
      rule(
        'Inwards without serials of a full-capture product: serials are required before receiving completes',
        'consignment-status/complete-inwards: a consignment cannot be Complete while goods with full capture lack serials',
        'floor/receive-serials: goods that were received without serials get them, and nothing else changes',
      ),
      rule(
        'Outwards with a total instead of serials of a full-capture product: serials are allocated at picking',
        'floor/pick-serials: fully captured serials are picked by serial, and only those of the same line',
      ),
      rule(
        'Inwards goods are received onto the logistic unit of their line, and lines with one SSCC share it',
        'floor/receive: goods arrive on the announced unit, which is created once, and on new units',
      ),
      rule(
        'An outwards line with a logistic unit requests stock from that unit',
        'floor/allocate: a line that names a unit gets stock from that unit only',
      ),
      documented('The `attachments` of the request itself are deprecated', ({ components }) =>
        components.schemas.ConsignmentImportRequest?.properties?.attachments?.deprecated
          ? []
          : ['attachments is not marked as deprecated'],
      ),
    ],
  },
  {
    title: '2.4 Tracking',
    rows: [
      fields(
        'Tracking record',
        [
          `GET ${tracking} > consignmentTracking[]`,
          `GET ${tracking}/{consignmentTrackingId} >`,
          `${detail} > consignmentTracking[]`,
        ],
        'id:uuid carrierName status:int trackingNumber trackingUrl integrationName createdUtc:time modifiedUtc:time lastUpdatedDate:date',
        'consignments/tracking: a tracking record is created with every field, the name of the calling app and the date in the warehouse',
      ),
      fields(
        'Tracking event',
        `GET ${tracking}/{consignmentTrackingId} > trackingEvents[]`,
        'status:int details eventDateTime:time createdUtc:time',
      ),
      values('Tracking status', `GET ${tracking} > consignmentTracking[].status`, trackingStatus),
    ],
  },
  {
    title: '2.5 Notes',
    rows: [
      fields(
        'Note',
        `GET ${consignment}/notes/{consignmentNoteId} >`,
        'id:uuid createdUtc:time createdBy note displayOnPrintOut:bool attachments:list',
        'consignments/notes: a note is stored and read with its author, and without attachments only the event for the text is raised',
      ),
      fields(
        'Attachment of a note',
        `GET ${consignment}/notes/{consignmentNoteId} > attachments[]`,
        'id fileName contentType printType:int',
        'consignments/notes: attachments keep their order, name, type and print type, and raise an event of their own',
      ),
      fields(
        'Note in the detail',
        `${detail} > notes[]`,
        'id:uuid note displayOnPrintOut:bool attachmentCount:int',
      ),
    ],
  },
  {
    title: '2.6 Consumables, tasks, service types',
    rows: [
      fields(
        'Consumable in the list',
        `GET ${consignment}/consumables > consumables[]`,
        'consumableTypeId:uuid name value:num',
      ),
      fields(
        'Consumable in the detail',
        `${detail} > consumables[]`,
        'id:uuid consumableTypeId:uuid consumableTypeName value:num',
      ),
      fields('Task in the list', `GET ${consignment}/tasks > tasks[]`, 'taskTypeId:uuid name value:num'),
      fields('Task in the detail', `${detail} > tasks[]`, 'id:uuid taskTypeId:uuid taskTypeName value:num'),
      fields(
        'Service type',
        [`GET ${consignment}/service-types > serviceTypes[]`, `${detail} > serviceTypes[]`],
        'id:uuid code name',
      ),
      rule(
        'At most one entry per type',
        'consignments/entry-endpoints: an entry of consumables can be added, changed and removed',
        'consignments/service-types: a service type can be added once, and removed',
      ),
    ],
  },
  {
    title: '2.7 Proof of delivery',
    rows: [
      fields(
        'POD',
        `GET ${consignment}/pods/{consignmentPodId} >`,
        'id:uuid eventUtc:time deliveredByName vehicleName signatoryName signatureDescription latitude:num longitude:num externalUrl',
        'consignments/pods: a proof of delivery is stored with every field and raises an event',
      ),
      fields('POD in the detail', `${detail} > pods[]`, 'id:uuid eventUtc:time signatoryName externalUrl'),
    ],
  },
  {
    title: '2.8 Charges',
    rows: [
      fields(
        'Activity charge',
        `GET ${consignment}/charges > clientActivityCharges[]`,
        `${charge} chargeTypeCode chargeTypeName taxRatePercent:num`,
        'billing/charges/charges: each kind of charge is in its own list, with every field',
      ),
      fields(
        'Freight charge',
        [
          `GET ${consignment}/charges > clientFreightCharges[]`,
          `GET ${consignment}/charges > carrierFreightCharges[]`,
        ],
        `${charge} type:int`,
      ),
      values(
        'Charge type, as the API document names it',
        `GET ${consignment}/charges > clientFreightCharges[].type`,
        '1 ClientActivityAdhoc, 2 ClientActivityMetricRate, 3 ClientActivityProductRate, 4 ClientFreightAdhoc, 5 ClientFreightMetricRate, 6 ClientFreightProductRate, 7 CarrierFreightAdhoc, 8 CarrierFreightMetricRate, 9 CarrierFreightProductRate',
      ),
      values(
        'Charge application',
        `POST ${consignment}/charges/client-activity/adhoc < chargeApplication`,
        '1 Rate, 2 Fee',
      ),
      rule(
        'The amount of a rate and the amount of a fee',
        'billing/charges/charges: each kind of charge is in its own list, with every field',
        'billing/charges/charges: a fee needs no metric value, a rate does, and a credit is a negative rate',
        "billing/charges/charge-amount: amounts match the database's decimal arithmetic",
      ),
      rule(
        'Charges entered by hand have the types 1, 4 and 7',
        'billing/charges/charges: each kind of charge is in its own list, with every field',
      ),
      rule(
        'Charges by metric rates and product rates (types 2, 3, 5, 6, 8 and 9)',
        'billing/charges/computed-charges: an open consignment is charged by the card in force, with every field',
        'billing/charges/computed-charges: closing raises each charge once, with the accounts and tax percentages of that time',
        'billing/evaluator/evaluate: the evaluator agrees with a model in plain fractions, for random cards and consignments',
      ),
      fields(
        'Adhoc charge',
        ['client-activity', 'client-freight', 'carrier-freight'].map(
          kind => `POST ${consignment}/charges/${kind}/adhoc <`,
        ),
        adhoc,
        'billing/charges/charges: every fault of the body is reported at once',
      ),
    ],
  },
  {
    title: '2.9 Partner schedule',
    rows: [
      values('Schedule status', 'GET /v1/schedules > schedules[].status', '1 Draft, 2 Approved'),
      fields(
        'Schedule in the list',
        'GET /v1/schedules > schedules[]',
        'id:uuid partnerId:uuid partnerName partnerCode date:date referenceNumber amountExclTax:num status:int isExported:bool',
        'billing/schedules/schedules: the list supports every filter, counts the matches, and shows the latest date first',
      ),
      fields(
        'Schedule detail',
        `${schedule} >`,
        'id:uuid partner:object date:date referenceNumber description amountExclTax:num isExported:bool transactions:list',
        'billing/schedules/schedules: a schedule bundles the Pending transactions of its partner up to its date, and shows every field',
      ),
      fields('Partner of a schedule', `${schedule} > partner`, 'id:uuid name code'),
      fields(
        'Schedule transaction',
        `${schedule} > transactions[]`,
        `id:uuid date:date type:int consignmentId:uuid consignmentNumber consignmentReferenceNumber chargeTypeId:uuid chargeTypeName chargeTypeCode particulars
         revenueAccountId:uuid revenueAccountCode costCentreId:uuid costCentreCode activityCode activityName quantity:num chargeRateExclTax:num
         baseChargeExclTax:num minChargeExclTax:num maxChargeExclTax:num chargeApplication:int taxRateId:uuid taxRateName taxRatePercent:num amountExclTax:num`,
      ),
    ],
  },
  {
    title: '2.10 FAF profile',
    rows: [
      fields('FAF profile', 'GET /v1/faf-profiles > fafProfiles[]', 'id:uuid name status:int'),
      values('FAF profile status', 'GET /v1/faf-profiles > fafProfiles[].status', '1 Active, 2 Inactive'),
      fields(
        'FAF rate',
        `${rates} > fafProfileRates[]`,
        'carrier:object isDefault:bool fafPercent:num effectiveFromUtc:time isExpired:bool',
        'billing/faf-profiles/faf-profiles: a rate shows its carrier; without one it is the default',
      ),
      fields('Carrier of a FAF rate', `${rates} > fafProfileRates[].carrier`, partnerRow),
      rule(
        'A rate is expired once a later one is in effect',
        'billing/faf-profiles/faf-profiles: rates are filtered by carrier and by instant; a rate is expired once a later one is in effect',
      ),
      rule(
        'The freight of a carrier is adjusted by the rate in effect: amount times 1 + fafPercent',
        "billing/charges/computed-charges: freight is raised by the version's FAF profile at the time of the work",
        'billing/evaluator/evaluate: half cents are rounded away from zero, once, for both signs and with a freight adjustment',
      ),
    ],
  },
  {
    title: '2.11 Partner',
    rows: [
      values('Relationship', 'GET /v1/partners > partners[].relationship', '1 Client, 2 Carrier'),
      values('Partner status', 'GET /v1/partners > partners[].status', '1 Inactive, 2 Active'),
      fields('Partner in the list', 'GET /v1/partners > partners[]', partnerRow),
      fields(
        'Partner detail',
        `${partner} >`,
        `${partnerRow} freightResolution:int freightWarningType:int freightWarningThreshold:num containerThresholdDays:int rotationMethod:int
         rotationMethodSecondary:int ${usages('product')}
         ${['', 'Batch', 'BestBeforeDate', 'Expiry', 'PackagingDate', 'ProductionDate', 'SellByDate', 'Serial'].map(of => `product${of}Substitution:int`).join(' ')}
         ${['BestBeforeDate', 'Expiry', 'PackagingDate', 'ProductionDate', 'SellByDate'].map(of => `product${of}CriticalThresholdDays:int`).join(' ')}
         freeStorageHours:num unitTypes:list`,
        'partners/partners: a partner is created with defaults and read with every setting',
      ),
      fields('Unit type of a partner', `${partner} > unitTypes[]`, 'id:uuid name status:int'),
      values(
        'Freight resolution',
        `${partner} > freightResolution`,
        '0 LeastExpensive, 1 MostExpensive, 2 Compounding',
      ),
      values('Freight warning', `${partner} > freightWarningType`, '0 None, 1 Value, 2 Margin'),
      values(
        'Rotation method',
        `${partner} > rotationMethod`,
        '0 None, 1 Batch, 2 ExpiryAscending, 3 ExpiryDescending, 4 ProductionDateAscending, 5 ProductionDateDescending, 6 BestBeforeDateAscending, 7 BestBeforeDateDescending, 8 SellByDateAscending, 9 SellByDateDescending, 10 PackagingDateAscending, 11 PackagingDateDescending, 12 ReceivedDateAscending, 13 ReceivedDateDescending',
      ),
      values('Attribute usage', `${partner} > productBatchUsage`, '1 Hidden, 2 Optional, 3 Required'),
      values('Substitution', `${partner} > productSubstitution`, '1 Allowed, 2 NotAllowed'),
      rule(
        'Stock depletion: 1 FIFO, 2 LIFO',
        'floor/allocate: without a rotation method the oldest stock goes first, or the newest with LIFO',
      ),
      rule(
        'Only clients have products',
        'partners/products: a carrier, a partner of another organisation and an unknown partner have no products',
      ),
    ],
  },
  {
    title: '2.12 Partner product',
    rows: [
      fields(
        'Product in the list',
        [`${partner}/products > products[]`, `${product} >`],
        `id:uuid code name lengthMM:int heightMM:int widthMM:int isVolumeAutoCalculated:bool volumeM3:num weightKG:num isSerialRequired:bool
         serialTrackingMode:int productGroupId:uuid productGroupName productUnitTypeId:uuid productUnitTypeName isDangerousGood:bool dgProperShippingName
         dgTechnicalName dgPackagingGroup:int dgHazchemEac dgUnNumber dgFlashpointDegC dgMarinePollutant:bool dgPhLevel:num barcode gtin`,
        'partners/products: every field of a product is stored and read back, with the records that it refers to',
      ),
      fields(
        'Product detail',
        `${product} >`,
        `status:int unitType:object productGroup:object productUnitType:object receiveInstructions pickInstructions ${usages('')} dgHazardClasses:list unitConversions:list`,
      ),
      values('Product status', `${product} > status`, '1 Active, 2 Inactive'),
      values('Serial tracking', `${product} > serialTrackingMode`, '1 None, 2 FullCapture, 3 ReleaseCapture'),
      values('Packaging group', `${product} > dgPackagingGroup`, '1 I, 2 II, 3 III'),
      fields(
        'Unit type of a product',
        [`${product} > unitType`, `${product} > productUnitType`],
        'id:uuid name status:int',
      ),
      fields('Group of a product', `${product} > productGroup`, 'id:uuid name'),
      fields(
        'Hazard class of a product',
        `${product} > dgHazardClasses[]`,
        'dgStandard:int dgHazardClass:object dgHazardCategory:object',
      ),
      fields(
        'Unit conversion',
        `${product} > unitConversions[]`,
        'inputMetricType:int inputUnitType:object outputMetricType:int outputUnitType:object conversionRate:num itemConversionRate:num barcode gtin',
        'partners/unit-conversion: the items in a unit are the product of the rates down the chain, whatever the order of the steps',
      ),
    ],
  },
  {
    title: '2.13 Warehouse',
    rows: [
      values('Warehouse status', `${warehouse} > status`, '1 Active, 2 Inactive'),
      fields(
        'Warehouse in the list',
        'GET /v1/warehouses > warehouses[]',
        'id:uuid name code status:int addressId:uuid latitude:num longitude:num timezoneId',
      ),
      fields(
        'Warehouse detail',
        `${warehouse} >`,
        'id:uuid name code mainPhone contactPerson contactPhone address:object costCentre:object revenueAccount:object',
        'warehouses/warehouses: every field of a warehouse is stored and read back',
      ),
      fields('Address of a warehouse', `${warehouse} > address`, `id:uuid type:int ${address}`),
      fields(
        'Accounts of a warehouse',
        [`${warehouse} > costCentre`, `${warehouse} > revenueAccount`],
        'id:uuid name code',
      ),
    ],
  },
  {
    title: '2.14 Inventory',
    rows: [
      rule(
        'Transaction types: 1 Adjustment, 2 Transfer, 3 Receive, 4 Hold, 5 Pick, 6 Dispatch',
        'stock/inventory/rows: lines of a row have the quantity after each, the user, the reason and the other place',
        'stock/holds/holds: a part of a row is held with its reason, and released back into its row',
        'floor/pick: picked goods go to the dock, stay allocated to their line, and leave with the consignment',
      ),
      values(
        'Location type',
        'GET /v1/warehouses/{warehouseId}/locations > locations[].type',
        '1 Racking, 2 Bulk, 3 Quarantine, 4 Transitional',
      ),
      fields('Inventory entry', inventory, 'logisticUnit:object products:list'),
      fields(
        'Logistic unit',
        `${inventory}.logisticUnit`,
        `warehouseLogisticUnitId:uuid partnerId:uuid partnerName logisticUnitNumber referenceNumber ssccNumber ${stored} ${quantities}`,
      ),
      fields(
        'Inventory product',
        `${inventory}.products[]`,
        `warehouseProductId:uuid partnerId:uuid partnerName partnerProductId:uuid partnerProductCode partnerProductName isSerialRequired:bool
         serialTrackingMode:int isDangerousGood:bool dgUnNumber:int dgHazchemFireCode:int dgHazchemSafetyCode:int dgHazchemEvacuate:bool batch
         bestBeforeDate:date expiryDate:date packagingDate:date productionDate:date sellByDate:date ${stored} ${quantities} attributes:list`,
      ),
      fields(
        'Attribute of an inventory product',
        `${inventory}.products[].attributes[]`,
        'id:uuid productAttributeId:uuid name description',
      ),
      fields(
        'Inventory item',
        'GET /v1/inventory/{warehouseProductId}/items > items[]',
        `warehouseProductItemId:uuid serial ${quantities} transferableQuantity:num transferableVolumeM3:num transferableWeightKG:num`,
      ),
      rule(
        'Available quantity is on-hand quantity minus allocated, reserved, held and quarantined quantity',
        'stock/inventory/inventory: held and quarantined stock is on hand but not available, and serials are counted',
        'stock/inventory/rows: a row of stock is read with its location and its allocations',
      ),
    ],
  },
  {
    title: '2.15 Jobs',
    rows: [
      values(
        'Job status',
        `${wavePick} > status`,
        '1 Draft, 2 ReadyToStart, 3 InProgress, 4 Complete, 5 Cancelled',
        'jobs/job-status: the filter Open means Draft, ReadyToStart or InProgress, Incomplete any status but Complete',
      ),
      rule('Filters -2 Incomplete and -1 Open', 'jobs/jobs: every filter finds its jobs, alone and combined'),
      values('Job priority', 'POST /v1/jobs/wave-pick < priority', '2 Normal, 3 High, 4 Urgent'),
      values('Wave pick style', 'POST /v1/jobs/wave-pick < style', '1 ParallelPicking, 2 BulkPicking'),
      fields(
        'Job detail',
        `${wavePick} >`,
        'jobId:uuid jobNumber warehouseId:uuid clientId:uuid status:int wavePickStyle:int dueDateTime:time reference description jobConsignments:list',
        'jobs/wave-pick/wave-pick: every field of a wave pick is stored, the due time as wall clock of the warehouse',
      ),
      fields(
        'Job in the consignment detail',
        `${detail} > jobs[]`,
        'jobId:uuid jobNumber reference status:int priority:int type:int wavePickStyle:int position:int dueDateTime:time',
        'jobs/wave-pick/consignments: consignments are added in the given order, listed as summaries, and show the job in their detail',
      ),
    ],
  },
  {
    title: '2.16 Reference data',
    rows: [
      fields('Hazard class', `${hazardClasses} > dgHazardClasses[]`, 'id:uuid name dgStandard:int'),
      fields(
        'Hazard category',
        `${hazardClasses}/{dgHazardClassId}/dg-hazard-categories > dgHazardCategories[]`,
        'id:uuid name',
      ),
      fields(
        'Shipping port',
        ['GET /v1/shipping-ports > shippingPorts[]', 'GET /v1/shipping-ports/{shippingPortId} >'],
        'id:uuid code name country',
      ),
      fields('Tax rate', 'GET /v1/tax-rates > taxRates[]', 'id:uuid name percent:num'),
      fields(
        'Printer',
        'GET /v1/printer-bridges/printer/options > printers[]',
        'id:uuid name type:int status:int warehouseId:uuid',
      ),
      values(
        'DG standard',
        `${hazardClasses} > dgHazardClasses[].dgStandard`,
        '1 NewZealand_Ghs7, 2 Australia_Ghs7, 3 NewZealand_Dg2005, 4 Australia_AdgCode',
      ),
      values(
        'Hazchem fire code',
        `${inventory}.products[].dgHazchemFireCode`,
        '1 I, 2 II, 3 III, 4 IV, 5 II_ARF, 6 III_ARF',
      ),
      values(
        'Hazchem safety code',
        `${inventory}.products[].dgHazchemSafetyCode`,
        '1 P, 2 R, 3 S, 4 S_Black, 5 T, 6 T_Black, 7 W, 8 X, 9 Y, 10 Y_Black, 11 Z, 12 Z_Black',
      ),
      values(
        'Printer type',
        'GET /v1/printer-bridges/printer/options > printers[].type',
        '1 Label, 2 Document',
      ),
      values(
        'Printer status',
        'GET /v1/printer-bridges/printer/options > printers[].status',
        '1 Online, 2 Offline',
      ),
      values(
        'Print job status',
        'GET /v1/print-jobs > printJobs[].status',
        '1 Pending, 2 InProgress, 3 Success, 4 Failed, 5 Cancelled',
      ),
    ],
  },
  {
    title: '2.17 Webhook subscription',
    rows: [
      fields(
        'Webhook subscription',
        'POST /v1/webhook-subscriptions/create <',
        'webhookUrl! eventType!:int signingKey1 signingKey2 clientPartnerId:uuid carrierPartnerId:uuid',
        'webhook-subscriptions/webhook-subscriptions: a subscription is created, read and listed without its keys, and deleted',
      ),
    ],
  },
  {
    title: '2.18 Report rows',
    rows: [
      fields(
        'Stock on hand',
        'POST /v1/reports/stock-on-hand > []',
        'warehouseId:uuid warehouseName partnerId:uuid partnerName partnerProductId:uuid partnerProductCode partnerProductName batch expiryDate:date onHandQuantity:num onHandWeightKG:num onHandVolumeM3:num availableQuantity:num allocatedQuantity:num',
        'reports/reports: stock-on-hand returns the rows that the model computes, and at least one',
      ),
    ],
  },
]
