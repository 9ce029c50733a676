// Example request bodies for the API reference. They belong to one organisation and are accepted in this
// order, except those that refer to records by id, which are only well-formed.

const anId = '0197e1c6-5a5e-7c1e-9d3a-2f4b6c8d0e1f'

/** The bodies by the method and path of their endpoint. */
export const examples: Readonly<Record<string, unknown>> = {
  // set up
  'POST /v1/partners': {
    name: 'Rimu Honey',
    code: 'RIMU',
    relationship: 1,
    email: 'orders@rimuhoney.example',
  },
  'POST /v1/warehouses': {
    name: 'Nelson',
    code: 'NSN',
    timezoneId: 'Pacific/Auckland',
    address: { streetAddress: '8 Vickerman Street', city: 'Nelson', postCode: '7010', country: 'NZ' },
  },
  'POST /v1/partners/:partnerId/products': {
    code: 'HONEY',
    name: 'Manuka honey',
    weightKG: 0.5,
    barcode: '9414789000012',
  },
  'POST /v1/partners/:partnerId/products/convert-units': {
    conversions: [{ code: 'HONEY', inputMetricType: 1, inputQuantity: 24 }],
  },
  'POST /v1/warehouses/:warehouseId/zones': { name: 'Chilled', code: 'CHILL' },
  'POST /v1/warehouses/:warehouseId/locations': { name: 'A-01-02', type: 1, walkingOrder: 12 },
  'POST /v1/tax-rates': { name: 'GST', percent: 15 },
  'POST /v1/service-types': { code: 'TAIL', name: 'Tail lift' },
  'POST /v1/task-types': { code: 'LABEL', name: 'Relabel cartons' },
  'POST /v1/package-types': { code: 'CTN', name: 'Carton' },
  'POST /v1/consumable-types': { name: 'Pallet' },
  'POST /v1/unit-types': { name: 'Carton of 6' },
  'POST /v1/product-groups': { name: 'Honey' },
  'POST /v1/product-attributes': { name: 'Harvest' },
  'POST /v1/cost-centres': { code: 'NSN', name: 'Nelson' },
  'POST /v1/revenue-accounts': { code: '200', name: 'Storage and handling' },
  'POST /v1/faf-profiles': { name: 'Road fuel' },
  'POST /v1/faf-profiles/:fafProfileId/rates': {
    fafPercent: 0.125,
    effectiveFromUtc: '2026-04-01T00:00:00Z',
  },
  'POST /v1/users': { email: 'ada@example.com', fullName: 'Ada Storekeeper', role: 'member' },
  'POST /v1/custom-apps': { name: 'My shop', grantType: 2, scopes: ['consignment', 'partner.read'] },
  'POST /v1/custom-apps/:customAppId/rotate-secret': { overlapHours: 48 },
  'POST /v1/custom-apps/:customAppId/trigger-action': {
    action: 'resend-orders',
    data: { since: '2026-03-01' },
  },
  'POST /v1/webhook-subscriptions/create': { webhookUrl: 'https://example.com/hooks', eventType: 101 },
  'POST /v1/webhook-subscriptions/:webhookSubscriptionId/replay': {
    fromUtc: '2026-03-01T00:00:00Z',
    toUtc: '2026-03-02T00:00:00Z',
  },

  // consignments
  'POST /v1/consignment-imports': {
    consignmentType: 2,
    clientCode: 'RIMU',
    warehouseCode: 'NSN',
    idempotencyKey: 'shop-order-1001',
    referenceNumber: 'SHOP-1001',
    expectedDispatchDateTime: '2026-03-02T15:00:00Z',
    destinationAddress: {
      name: 'Wellington Pantry',
      streetAddress: '12 Cuba Street',
      city: 'Wellington',
      postCode: '6011',
      country: 'NZ',
    },
    deliveryInstructions: 'Ring twice.',
    products: [{ productCode: 'HONEY', items: [{ quantity: 24 }] }],
  },
  'PUT /v1/consignment-imports/:consignmentImportId/reconcile': {
    replacements: [{ kind: 'product', code: 'HONEYY', replacement: 'HONEY' }],
  },
  'PUT /v1/consignments/:consignmentId/general': {
    referenceNumber: 'SHOP-1001-B',
    deliveryInstructions: 'Leave at the dock.',
  },
  'PUT /v1/consignments/:consignmentId/status': { status: 4 },
  'PUT /v1/consignments/:consignmentId/priority': { priority: 4 },
  'POST /v1/consignments/:consignmentId/edi-detail': { ediStatus: 10, message: 'Sent to the carrier' },
  'PUT /v1/consignments/:consignmentId/connection-result': { operationId: anId, result: 1 },
  'POST /v1/consignments/:consignmentId/tracking': {
    carrierName: 'Swift Freight',
    status: 3,
    trackingNumber: 'SWF123456',
  },
  'POST /v1/consignments/:consignmentId/tracking/:consignmentTrackingId/event': {
    status: 5,
    details: 'Left with the storekeeper',
  },
  'POST /v1/consignments/:consignmentId/notes': { note: 'The dock closes at four.', displayOnPrintOut: true },
  'POST /v1/consignments/:consignmentId/pods': {
    eventUtc: '2026-03-03T01:20:00Z',
    signatoryName: 'Mere Tamihana',
  },
  'POST /v1/consignments/:consignmentId/consumables/:consumableTypeId': { value: 2 },
  'POST /v1/consignments/:consignmentId/tasks/:taskTypeId': { value: 1.5 },
  'POST /v1/consignments/:consignmentId/charges/client-activity/adhoc': {
    particulars: 'Repacking',
    chargeApplication: 1,
    metricValue: 1.5,
    chargeRateExclTax: 48,
    taxRateId: anId,
  },

  'POST /v1/consignments/bulk': { consignmentIds: [anId], action: 'priority', values: { priority: 3 } },

  // billing and jobs
  'POST /v1/schedules': { partnerId: anId, date: '2026-03-31', referenceNumber: 'March' },
  'POST /v1/schedules/:partnerScheduleId/exported': { externalUrl: 'https://books.example.com/invoices/42' },
  'POST /v1/jobs/wave-pick': { warehouseId: anId, clientId: anId, dueDateTime: '2026-03-02T12:00:00Z' },
  'POST /v1/jobs/:jobId/wave-pick/consignments/add': { consignmentIds: [anId] },
}

const refusal = (type: string, code: string, message: string) => ({
  ErrorType: type,
  ErrorMessages: [message],
  ErrorDetails: [{ path: null, code, message }],
  RequestId: anId,
})

/** Refusals by status, where tests have recorded none. */
export const refusalExamples: Readonly<Record<string, unknown>> = {
  412: refusal(
    'Precondition Failed',
    'precondition',
    'The record has changed since it was read with the ETag that If-Match gives.',
  ),
  415: refusal('Validation Failed', 'unsupported_type', 'The content type must be application/json.'),
  422: refusal(
    'Unprocessable',
    'unprocessable',
    'The file is not a table: its first line has no known heads.',
  ),
  500: refusal('Internal Error', 'internal', `The service failed. The request id is ${anId}.`),
}
