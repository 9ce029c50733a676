// The descriptions of fields and parameters by name, for the API reference. A name has the same meaning
// everywhere. A schema with its own description keeps it, and names that explain themselves (`name`, `city`)
// have no entry. Spec 2.

const terms: Readonly<Record<string, string>> = {
  // lists
  index: 'Number of this page.',
  total: 'Number of records on all pages.',

  // who and where
  clientId: 'The client, a partner of relationship 1.',
  clientCode: 'Code of the client, a partner of relationship 1.',
  carrierId: 'The carrier, a partner of relationship 2.',
  carrierCode: 'Code of the carrier, a partner of relationship 2; 3 or 4 characters.',
  partnerId: 'The partner: a client or a carrier.',
  partnerProductId: 'The product, which belongs to a client.',
  productCode: 'Code of a product of the client.',
  warehouseId: 'The warehouse.',
  warehouseCode: 'Code of the warehouse.',
  warehouseZoneId: 'The zone of the warehouse.',
  timezoneId: 'IANA time zone of local times.',
  latitude: 'Degrees, north is positive.',
  longitude: 'Degrees, east is positive.',
  identityConnectionId: 'The pair of app and user that a token belongs to.',
  requestId: 'X-Request-Id of the request that made the change.',

  // consignments
  consignmentId: 'The consignment. An import has the same id as the consignment that it becomes.',
  consignmentNumber: 'Assigned by the service and never changed: prefix, six digits, and IN, OUT or P2P.',
  consignmentPrefix: '3 to 6 capital letters at the start of consignment numbers.',
  idempotencyKey: 'Prevents duplicate imports: returns 409 if the connection has used the key before.',
  referenceNumber: 'Reference given by the client or the user.',
  externalId: 'Id of the record in another system.',
  carrierReference: 'Reference of the consignment at the carrier.',
  carrierReferenceNumber: 'Reference of the consignment at the carrier.',
  carrierRunNumber: "Delivery run of the carrier's vehicle.",
  carrierRunOrdinal: 'Position in the delivery run.',
  ediStatus: 'Set by the calling connection: 1 Success, 2 Failed, its own values from 10 up; null if unset.',
  poNumber: 'Purchase order number.',
  soNumber: 'Sales order number.',
  destinationAuthorityToLeave: 'Whether the goods may be left if nobody is there to receive them.',
  originAddressAttention: 'Contact person at the origin.',
  destinationAddressAttention: 'Contact person at the destination.',
  loadShippingPortCode: 'UN/LOCODE of the port of loading.',
  dischargeShippingPortCode: 'UN/LOCODE of the port of discharge.',
  containerYardCode: 'Code of the yard that the container comes from or goes to.',
  containerVoyage: 'Voyage of the vessel.',
  closedTransactionDate: 'Day on which the charges are booked once the consignment is Closed.',
  serviceTypeCodes: 'Codes of service types.',
  packageTypeCode: 'Code of the package type.',
  taskTypeCode: 'Code of the task type.',
  goodsDescription: 'Description of the goods.',
  items:
    'Without serials, one item with the whole quantity; with serials, one item per serial of quantity 1.',
  quantity: 'Quantity in the unit of the product or of the charge.',
  serial: 'Serial number of a single item; the quantity is then 1.',
  logisticUnitSsccNumber: 'SSCC of the pallet or other logistic unit: 18 digits with the check digit.',
  logisticUnitReferenceNumber: 'Identifies a logistic unit that has no SSCC.',
  isManualReconciliationRequired: 'Whether the import has to wait for a person to check it.',
  expectedQuantity: 'Sum of the quantities of all lines.',
  displayOnPrintOut: 'Whether the note is printed on documents.',
  contentType: 'MIME type.',
  fileName: 'Name with extension.',
  value: 'Value, with up to 4 decimal places.',
  operationId: 'Id of one delivery of an event, for acknowledging it.',

  // imports
  reasons: 'Why the import has not become a consignment.',
  kind: 'What it is, or is about.',
  path: 'Path of the field in the request.',
  replacements: 'Codes, files and values that replace those in the request.',

  // tracking and proofs of delivery
  trackingNumber: "The carrier's tracking number.",
  trackingUrl: 'URL of the tracking page.',
  integrationName: 'The integration that maintains the record.',
  eventDateTime: 'When it happened, an instant in UTC.',
  lastUpdatedDate: 'Day of the last change, in the time zone of the warehouse.',
  signatureDescription: 'Description of the signature.',
  signatoryName: 'Who signed.',
  externalUrl: 'URL of the record in another system.',

  // money
  amountExclTax: 'Amount without tax, with 2 decimal places.',
  taxRatePercent: 'Tax in percent: 15 is 15 %.',
  percent: 'In percent: 15 is 15 %.',
  isEffective: 'Whether the charge is billed when the consignment is Closed.',
  isIncluded: 'Whether the charge is billed when the consignment is Closed.',
  metricValue: 'What the rate is multiplied by, such as hours or pallets; up to 6 decimal places.',
  chargeMin: 'Minimum amount; 0 if there is none.',
  chargeBase: 'Amount that is added to rate times metric; 0 if there is none.',
  chargeRate: 'Amount per unit of the metric, or the fee; without tax, up to 6 decimal places.',
  chargeRateExclTax: 'Amount per unit of the metric, or the fee; without tax, up to 6 decimal places.',
  baseChargeExclTax: 'Amount that is added to rate times metric.',
  minChargeExclTax: 'Minimum amount.',
  maxChargeExclTax: 'Maximum amount.',
  particulars: 'Description of what is charged.',
  costCentreId: 'Cost centre that the charge is booked to.',
  revenueAccountId: 'Revenue account that the charge is booked to.',
  transactionsUpTo: 'Last day of the transactions that are billed; if absent, the date of the schedule.',
  isExported: 'Whether the calling connection has exported the schedule.',
  fafPercent: 'A fraction: 0.125 is 12.5 %.',
  effectiveFromUtc: 'Instant from which the rate applies.',
  isDefault: 'Whether it applies to every carrier without its own rate.',
  isExpired: 'Whether a later rate of the same carrier applies by now.',
  freightWarningThreshold:
    'With freightWarningType 1 an amount, with 2 a margin in percent of what is charged: 12 is 12 %.',
  freeStorageHours: 'Hours for which goods are stored without charge.',

  // products
  isVolumeAutoCalculated: 'Whether volumeM3 is calculated from length, width and height.',
  isSerialRequired: 'Whether items have serial numbers; see serialTrackingMode.',
  gtin: 'Global Trade Item Number.',
  conversionRate: 'Number of output units in one input unit.',
  itemConversionRate: 'Number of single items in one input unit.',
  inputUnitTypeId: 'Set only with inputMetricType 3, and then required.',
  outputUnitTypeId: 'Set only with outputMetricType 3, and then required.',
  inputQuantity: 'Quantity to convert, in the input unit.',
  dgUnNumber: 'UN number of the dangerous goods.',
  dgHazchemEac: 'Hazchem emergency action code.',
  dgFlashpointDegC: 'Flashpoint in degrees Celsius.',
  dgPhLevel: 'pH, 0 to 14.',

  dgHazardClassId: 'Hazard class of the dangerous goods.',
  dgHazardCategoryId: 'Hazard category of the dangerous goods, within their class.',

  // stock
  isOpen: 'Whether any stock is still held; a released hold is not open.',
  isEmpty: 'Whether it holds no stock.',
  logisticUnitId: 'The pallet, cage or carton.',

  // warehouses and jobs
  walkingOrder: 'Position of the location on the walk through the warehouse.',
  isPickface: 'Whether it is a pickface, which is filled by replenishment.',
  minQuantity: 'The pickface is replenished when its stock falls below this quantity.',
  targetQuantity: 'The pickface is replenished up to this quantity.',
  warehouseLocationId: 'The location in the warehouse.',
  jobNumber: 'Assigned by the service, such as WP-000001.',
  position: 'Position of the consignment in the job.',

  // printing
  printerId: 'The printer.',
  printerBridgeId: 'The printer bridge that connects to the printer.',
  printType: 'What is printed.',
  dotsPerMM: 'Print resolution in dots per millimetre.',
  copies: 'Number of copies; default 1.',

  // organisation and webhooks
  scopes: 'What the app may do.',
  redirectUris: 'URLs that a sign-in may return to.',
  clientSecret: 'Shown only once.',
  isDisabled: 'Whether it is disabled; its tokens are then refused within ten seconds.',
  webhookUrl: 'An https URL that responds with 2xx within 30 seconds.',
  signingKey1: 'Adds X-Service-Signature-1 and the headers of Standard Webhooks.',
  signingKey2: 'Adds X-Service-Signature-2, for changing keys without interruption.',
  clientPartnerId: 'Only events about this client.',
  carrierPartnerId: 'Only events about this carrier.',
  eventId: 'Id of the event, the same on every retry and for every subscriber.',
  statusCode: "Status of the receiver's response; null if there was none.",
}

const units: readonly [ending: RegExp, term: string][] = [
  [/KG$/, 'Kilograms.'],
  [/M3$/, 'Cubic metres.'],
  [/MM$/, 'Millimetres.'],
  [/Ms$/, 'Milliseconds.'],
  [/Days$/, 'Whole days.'],
  [/Utc$/, 'An instant in UTC.'],
]

/** Returns what a field or query parameter means, or undefined if its name says it all. */
export const termOf = (name: string): string | undefined => {
  const field = `${name[0]?.toLowerCase()}${name.slice(1)}`
  return terms[field] ?? units.find(([ending]) => ending.test(field))?.[1]
}
