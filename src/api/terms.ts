// What fields mean, by name: a name means the same wherever it stands, and the API reference says it there. A
// schema with a description of its own keeps that; names that say everything (`name`, `city`) have no entry.
// Spec 2.

const terms: Readonly<Record<string, string>> = {
  // lists
  index: 'Which page this is.',
  total: 'How many records there are, on all pages.',

  // who and where
  clientId: 'The client, a partner of relationship 1.',
  clientCode: 'Code of the client, a partner of relationship 1.',
  carrierId: 'The carrier, a partner of relationship 2.',
  carrierCode: 'Code of the carrier, a partner of relationship 2; 3 or 4 characters.',
  partnerId: 'The partner: a client or a carrier.',
  partnerProductId: 'The product of a client.',
  productCode: 'Code of a product of the client.',
  warehouseId: 'The warehouse.',
  warehouseCode: 'Code of the warehouse.',
  warehouseZoneId: 'The zone of the warehouse.',
  timezoneId: 'IANA time zone, whose wall clock local times are in.',
  latitude: 'Degrees, north is positive.',
  longitude: 'Degrees, east is positive.',
  identityConnectionId: 'The pair of app and user that a token belongs to.',
  requestId: 'X-Request-Id of the request that did it.',

  // consignments
  consignmentId: 'The consignment. An import has the id of the consignment that it becomes.',
  consignmentNumber: 'Given by the service and never changed: prefix, six digits, and IN, OUT or P2P.',
  consignmentPrefix: '3 to 6 capital letters that begin consignment numbers.',
  idempotencyKey: 'Makes a repeated import harmless: 409 when the connection has used it before.',
  referenceNumber: 'Reference of the client or the user.',
  externalId: 'Id of the record in another system.',
  carrierReference: 'Reference by which the carrier knows the consignment.',
  carrierReferenceNumber: 'Reference by which the carrier knows the consignment.',
  carrierRunNumber: "Run of the carrier's vehicle.",
  carrierRunOrdinal: 'Place in the run.',
  ediStatus:
    'What the calling connection has set: 1 Success, 2 Failed, its own values from 10 up; null when unset.',
  poNumber: 'Purchase order number.',
  soNumber: 'Sales order number.',
  destinationAuthorityToLeave: 'Whether the goods may be left when nobody takes them.',
  originAddressAttention: 'Whom to ask for at the origin.',
  destinationAddressAttention: 'Whom to ask for at the destination.',
  loadShippingPortCode: 'UN/LOCODE of the port of loading.',
  dischargeShippingPortCode: 'UN/LOCODE of the port of discharge.',
  containerYardCode: 'Code of the yard that the container comes from or goes to.',
  containerVoyage: 'Voyage of the vessel.',
  closedTransactionDate: 'Day on which the charges are booked when the consignment is Closed.',
  serviceTypeCodes: 'Codes of service types.',
  packageTypeCode: 'Code of the package type.',
  taskTypeCode: 'Code of the task type.',
  goodsDescription: 'What the goods are, in words.',
  items: 'Without serials one item with the whole quantity; with serials one item for each, of quantity 1.',
  quantity: 'How much, in the unit of the product or of the charge.',
  serial: 'Serial number of one piece; the quantity is then 1.',
  logisticUnitSsccNumber: 'SSCC of the pallet or other logistic unit: 18 digits with the check digit.',
  logisticUnitReferenceNumber: 'Names a logistic unit that has no SSCC.',
  isManualReconciliationRequired: 'Whether the import has to wait until a person has looked at it.',
  expectedQuantity: 'Sum of the quantities of all lines.',
  displayOnPrintOut: 'Whether the note is printed on documents.',
  contentType: 'MIME type.',
  fileName: 'Name with extension.',
  value: 'How much of it, up to 4 decimals.',
  operationId: 'Names one delivery of an event, to acknowledge it by.',

  // imports
  reasons: 'What keeps the import from becoming a consignment.',
  kind: 'What the reason or replacement is about.',
  path: 'Where in the request.',
  replacements: 'Codes, files and values that take the place of those in the request.',

  // tracking and proofs of delivery
  trackingNumber: "The carrier's number to follow the goods by.",
  trackingUrl: 'Page to follow the goods on.',
  integrationName: 'The integration that keeps the record.',
  eventDateTime: 'When it happened, an instant in UTC.',
  lastUpdatedDate: 'Day of the last change, in the time zone of the warehouse.',
  signatureDescription: 'What the signature looks like or says.',
  signatoryName: 'Who signed.',
  externalUrl: 'Page of another system about the record.',

  // money
  amountExclTax: 'Amount without tax, 2 decimals.',
  taxRatePercent: 'Tax in percent: 15 is 15 %.',
  percent: 'In percent: 15 is 15 %.',
  isEffective: 'Whether the charge is billed when the consignment is Closed.',
  isIncluded: 'Whether the charge is billed when the consignment is Closed.',
  metricValue: 'What a rate is multiplied by, such as hours or pallets; up to 6 decimals.',
  chargeMin: 'Least amount; 0 when there is none.',
  chargeBase: 'Amount that is added to rate times metric; 0 when there is none.',
  chargeRate: 'Amount for one of the metric, or the fee; without tax, up to 6 decimals.',
  chargeRateExclTax: 'Amount for one of the metric, or the fee; without tax, up to 6 decimals.',
  baseChargeExclTax: 'Amount that is added to rate times metric.',
  minChargeExclTax: 'Least amount.',
  maxChargeExclTax: 'Greatest amount.',
  particulars: 'What is charged for, in words.',
  costCentreId: 'Cost centre that is booked on.',
  revenueAccountId: 'Revenue account that is booked on.',
  transactionsUpTo: 'Last day of the transactions that are billed; the date of the schedule when absent.',
  isExported: 'Whether the calling connection has exported it.',
  fafPercent: 'A fraction: 0.125 is 12.5 %.',
  effectiveFromUtc: 'Counts from this instant on.',
  isDefault: 'Whether it is for every carrier that has no rate of its own.',
  isExpired: 'Whether a later rate of the same carrier counts by now.',
  freightWarningThreshold: 'With freightWarningType 1 an amount; with 2 a margin, as a fraction.',
  freeStorageHours: 'How long goods are stored without charge.',

  // products
  isVolumeAutoCalculated: 'Whether volumeM3 follows from the three lengths.',
  isSerialRequired: 'Whether pieces have serial numbers; see serialTrackingMode.',
  gtin: 'Global Trade Item Number.',
  conversionRate: 'How many output units one input unit is.',
  itemConversionRate: 'How many single items one input unit is.',
  inputUnitTypeId: 'With inputMetricType 3, and only then.',
  outputUnitTypeId: 'With outputMetricType 3, and only then.',
  inputQuantity: 'How much is converted, in the input unit.',
  dgUnNumber: 'UN number of the dangerous good.',
  dgHazchemEac: 'Hazchem emergency action code.',
  dgFlashpointDegC: 'Flashpoint in degrees Celsius.',
  dgPhLevel: 'pH, 0 to 14.',

  dgHazardClassId: 'The class of the dangerous good.',
  dgHazardCategoryId: 'The category of the dangerous good, within its class.',

  // stock
  isOpen: 'Whether anything is still held: a hold that is released is not open.',
  isEmpty: 'Whether nothing is on it.',
  logisticUnitId: 'The pallet, cage or carton.',

  // warehouses and jobs
  walkingOrder: 'Place of the location on the way through the warehouse.',
  isPickface: 'Whether it is a pickface, which replenishment keeps filled.',
  minQuantity: 'Below this the pickface is replenished.',
  targetQuantity: 'Up to this the pickface is replenished.',
  warehouseLocationId: 'The location in the warehouse.',
  jobNumber: 'Given by the service, such as WP-000001.',
  position: 'Place of the consignment in the job.',

  // printing
  printerId: 'The printer.',
  printerBridgeId: 'The program that reaches the printer.',
  printType: 'What is printed.',
  dotsPerMM: 'How fine it prints: dots in a millimetre.',
  copies: 'How often it is printed: once unless said.',

  // organisation and webhooks
  scopes: 'What the app may do.',
  redirectUris: 'Where a sign-in may return to.',
  clientSecret: 'Shown this once.',
  isDisabled: 'Whether it is shut out: tokens are refused within ten seconds.',
  webhookUrl: 'An https address that answers within 30 seconds with 2xx.',
  signingKey1: 'Adds X-Service-Signature-1 and the headers of Standard Webhooks.',
  signingKey2: 'Adds X-Service-Signature-2; for changing keys without a gap.',
  clientPartnerId: 'Only events about this client.',
  carrierPartnerId: 'Only events about this carrier.',
  eventId: 'Id of the event, the same on every retry and for every subscriber.',
  statusCode: "Status of the receiver's answer; null when there was none.",
}

const units: readonly [ending: RegExp, term: string][] = [
  [/KG$/, 'Kilograms.'],
  [/M3$/, 'Cubic metres.'],
  [/MM$/, 'Millimetres.'],
  [/Ms$/, 'Milliseconds.'],
  [/Days$/, 'Whole days.'],
  [/Utc$/, 'An instant in UTC.'],
]

/** What a field or query parameter means; undefined where its name says it all. */
export const termOf = (name: string): string | undefined => {
  const field = `${name[0]?.toLowerCase()}${name.slice(1)}`
  return terms[field] ?? units.find(([ending]) => ending.test(field))?.[1]
}
