// The operations of the API that no screen of the portal uses, each with the reason. A test compares this
// list with the API document and with the portal: an operation that is new stands here or on a screen.

/** Why no screen uses an operation: by its method and path. */
export const notShown: Readonly<Record<string, string>> = {
  'GET /v1/identity': 'GET /v1/me tells more.',
  'POST /v1/inventory/replay': 'Devices send with it what was done while they were offline.',
  'POST /v1/inventory/opening-balances': 'People load a spreadsheet.',
  'POST /v1/consignments/{consignmentId}/receive/serials': 'Scanners record serials one by one.',
  'GET /v1/consignments/{consignmentId}/check-exists': 'Integrations ask it before they send.',
  'PUT /v1/consignments/{consignmentId}/connection-result': 'Integrations report by it what they have done.',
  'POST /v1/consignments/{consignmentId}/edi-detail': 'Integrations report by it what they have sent.',
  'GET /v1/consignments/{consignmentId}/consumables': 'The record has them.',
  'PUT /v1/consignments/{consignmentId}/consumables':
    'Integrations replace all of them; people add and remove one.',
  'PUT /v1/consignments/{consignmentId}/consumables/{consumableTypeId}': 'People remove one and add another.',
  'GET /v1/consignments/{consignmentId}/service-types': 'The record has them.',
  'PUT /v1/consignments/{consignmentId}/service-types':
    'Integrations replace all of them; people add and remove one.',
  'GET /v1/consignments/{consignmentId}/tasks': 'The record has them.',
  'PUT /v1/consignments/{consignmentId}/tasks':
    'Integrations replace all of them; people add and remove one.',
  'PUT /v1/consignments/{consignmentId}/tasks/{taskTypeId}': 'People remove one and add another.',
  'GET /v1/consignments/{consignmentId}/tracking': 'The record has it.',
  'PUT /v1/consignments/{consignmentId}/tracking/{consignmentTrackingId}':
    'Carriers correct what they have sent.',
  'POST /v1/consignments/{consignmentId}/tracking/{consignmentTrackingId}/event':
    'Carriers send it from their own systems.',
  'GET /v1/consignments/{consignmentId}/pods/{consignmentPodId}': 'The record has them.',
  'PUT /v1/consignments/{consignmentId}/notes/{consignmentNoteId}':
    'What people have read stays as it was written; they add another note.',
  'DELETE /v1/consignments/{consignmentId}/notes/{consignmentNoteId}':
    'What people have read stays as it was written; they add another note.',
  'GET /v1/jobs/{jobId}/wave-pick/consignments': 'The list of consignments has those of a job.',
  'GET /v1/billing-runs/{billingRunId}': 'The list has all of it.',
  'GET /v1/faf-profiles/{fafProfileId}': 'The list has all of it.',
  'GET /v1/faf-profiles/{fafProfileId}/rates/{fafProfileRateId}': 'The list has all of it.',
  'GET /v1/rate-cards/in-force': 'Integrations ask it; people see it among the rate cards.',
  'GET /v1/schedules/{partnerScheduleId}/transactions/csv':
    'People export to the accounting program, or print.',
  'GET /v1/custom-apps/{customAppId}': 'The list has all of it.',
  'GET /v1/shipping-ports/{shippingPortId}': 'The list has all of it.',
  'POST /v1/warehouses/{warehouseId}/locations/{warehouseLocationId}/label/print':
    'The labels of one place or of many are printed by one request.',
  'GET /v1/partners/{partnerId}/logo-thumbnail': 'The screen shows the logo itself.',
  'GET /v1/printers/{printerId}': 'The list has all of it.',
  'GET /v1/printer-bridges/{printerBridgeId}': 'The list has all of it.',
  'POST /v1/printer-bridges/{printerBridgeId}/claim': 'Bridges take jobs by it.',
  'GET /v1/printer-bridges/{printerBridgeId}/jobs/{printJobId}/content':
    'Bridges read by it what they print.',
  'PUT /v1/printer-bridges/{printerBridgeId}/jobs/{printJobId}/progress': 'Bridges report by it.',
  'PUT /v1/printer-bridges/{printerBridgeId}/printers': 'Bridges report by it which printers they find.',
}
