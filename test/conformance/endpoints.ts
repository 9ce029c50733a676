// Section 4 of the specification: every endpoint, with its parameters, body, response and statuses.

import { documented, endpoint, rule, type Section } from './rows.ts'

const consignment = '/v1/consignments/{consignmentId}'
const tracking = `${consignment}/tracking`
const note = `${consignment}/notes/{consignmentNoteId}`
const attachment = `${note}/attachments/{consignmentNoteAttachmentId}`
const adhoc =
  'particulars revenueAccountId:uuid costCentreId:uuid metricValue:num chargeApplication!:int chargeRateExclTax!:num taxRateId!:uuid'
const wavePick = '/v1/jobs/{jobId}/wave-pick'

const reports = {
  stock: 'stock-on-hand stock-balance stock-age stock-position stock-summary',
  consignments: `consignment-consumables consignment-metrics consignment-product-detail consignment-product-dispatched consignment-product-due
    consignment-product-received consignment-tasks inward-consignment-summary outward-consignment-summary`,
  operations: `carrier-charges client-charges cycle-count freight-margin location-status pickface-exception pickface-replenishment
    product-transaction-detail scheduled-transactions schedule-summary`,
}

/** The report bodies that the specification shows. */
const reportBodies: Record<string, string> = {
  'stock-on-hand': 'warehouseId:uuid partnerId:uuid partnerProductId:uuid includeZeroQuantity:bool',
  'inward-consignment-summary': 'warehouseId:uuid partnerId:uuid modeType:int dateFrom:date dateTo:date',
  'outward-consignment-summary': 'warehouseId:uuid partnerId:uuid modeType:int dateFrom:date dateTo:date',
  'stock-age': 'warehouseId:uuid partnerId:uuid ageBrackets:list',
  'location-status': 'warehouseId:uuid warehouseZoneId:uuid',
  'pickface-exception': 'warehouseId:uuid',
  'pickface-replenishment': 'warehouseId:uuid partnerId:uuid',
  'product-transaction-detail':
    'warehouseId:uuid partnerId:uuid partnerProductId:uuid dateFrom:date dateTo:date',
}

const reportRows = Object.values(reports)
  .flatMap(names => names.split(/\s+/))
  .flatMap(name => {
    const body = reportBodies[name] === undefined ? {} : { body: reportBodies[name] }
    return [
      endpoint(
        `POST /v1/reports/${name}`,
        { ...body, status: '200 400' },
        `reports/reports: ${name} returns the rows that the model computes, and at least one`,
        `reports/reports: ${name} is restricted by each of its filters, and by all of them together`,
      ),
      endpoint(
        `POST /v1/reports/${name}/xlsx`,
        { ...body, status: '200 400', response: 'file' },
        `reports/reports: ${name} has the same rows in JSON, CSV and Excel`,
      ),
    ]
  })

export const endpointSections: Section[] = [
  {
    title: '4 All endpoints',
    rows: [
      rule(
        'Every endpoint needs a token',
        'every-endpoint: without a token, every endpoint returns 401 with the error body, before anything else is checked',
      ),
      rule(
        'Paging: 1 and 25 by default, 500 at most',
        'platform/http/paging: the parameters have their defaults and bounds',
      ),
      rule(
        'An update that changes nothing returns 304',
        'nothing-changed: every endpoint that documents 304 is tested above',
      ),
      rule(
        'Local times are those of the warehouse',
        'platform/local-time: two warehouses show one instant each by its own season',
        'consignment-imports/process-imports: times are wall-clock times of the warehouse, across its change of clocks',
      ),
    ],
  },
  {
    title: '4.1 Identity',
    rows: [
      endpoint(
        'GET /v1/identity',
        { response: 'organisationId:uuid' },
        'users/identity: any token may read its identity',
        'users/identity: a token of the organisation has no partner',
      ),
    ],
  },
  {
    title: '4.2 Consignments and import',
    rows: [
      endpoint(
        'POST /v1/consignment-imports',
        { status: '202 400 409', response: 'consignmentId:uuid' },
        'consignment-imports/import-request: all faults are reported together, each with its field',
        'consignment-imports/consignment-imports: a refused import does not use up its key',
        'consignment-imports/consignment-imports: of fifty simultaneous posts with one key exactly one is accepted, and the others get its id',
      ),
      endpoint(
        'GET /v1/consignments',
        {
          query:
            'SearchText ClientId:uuid CarrierId:uuid WarehouseId:uuid Status:int EdiStatus:list ExternalId',
          page: 'consignments',
        },
        'consignments/consignments: after any writes, every combination of filters has the right total, and its pages contain each row once',
      ),
      endpoint(
        `GET ${consignment}/check-exists`,
        { status: '201 202 404' },
        'consignment-imports/consignment-imports: an accepted import is pending until it is processed, and then is a consignment with the same id',
      ),
      endpoint(
        `PUT ${consignment}/connection-result`,
        { body: 'operationId! result!:int', status: '200 404' },
        'consignments/edi: a result is accepted only for an operation of this connection and this consignment',
      ),
      endpoint(
        `POST ${consignment}/detail-pdf/print`,
        {
          body: 'orientation:int includeShipping:bool printOption!:object',
          response: 'printJobId:uuid',
        },
        'paper/documents/consignments/detail-pdf: it is printed with the options of the specification',
      ),
      endpoint(
        `POST ${consignment}/picking-list-pdf/print`,
        { body: 'sortBy:int printOption!:object', response: 'printJobId:uuid' },
        'paper/documents/consignments/picking-list-pdf: it is printed on a document printer, and the job has the same content as the download',
      ),
      endpoint(
        `POST ${consignment}/dg-declaration-pdf/print`,
        { body: 'printerId!:uuid', response: 'printJobId:uuid' },
        'paper/documents/consignments/dg-declaration-pdf: it is printed on the printer named at the top level of the body',
      ),
    ],
  },
  {
    title: '4.3 Tracking',
    rows: [
      endpoint(
        `GET ${tracking}`,
        { query: 'SearchText', page: 'consignmentTracking' },
        'consignments/tracking: the list of a consignment is paged, and searched by carrier name and tracking number',
      ),
      endpoint(
        `POST ${tracking}`,
        { body: 'carrierName status:int trackingNumber trackingUrl', response: 'consignmentTrackingId:uuid' },
        'consignments/tracking: a tracking record needs no field: its status is Unknown by default, and the rest is null',
      ),
      endpoint(
        `PUT ${tracking}/{consignmentTrackingId}`,
        { body: 'carrierName status:int trackingNumber trackingUrl', status: '200 304' },
        'consignments/tracking: a partial change keeps the other fields, and repeating it changes nothing and raises no event',
      ),
      endpoint(
        `GET ${tracking}/{consignmentTrackingId}`,
        { response: 'trackingEvents:list' },
        'consignments/tracking: events are listed in the order of their own times, and the record takes the status of the latest',
      ),
      endpoint(
        `POST ${tracking}/{consignmentTrackingId}/event`,
        { body: 'carrierName status:int details', status: '200 304' },
        'consignments/tracking: an event that repeats the latest one changes nothing',
      ),
    ],
  },
  {
    title: '4.4 Notes',
    rows: [
      endpoint(
        `GET ${note}`,
        { response: 'note' },
        'consignments/notes: a note is stored and read with its author, and without attachments only the event for the text is raised',
      ),
      endpoint(
        `POST ${consignment}/notes`,
        { body: 'note! displayOnPrintOut:bool attachments:list', response: 'uuid', status: '200 400 404' },
        'consignments/notes: the response to a new note is its id as a bare JSON string',
        'consignments/notes: a note must have a text',
      ),
      endpoint(
        `PUT ${note}`,
        { body: 'note! displayOnPrintOut:bool', status: '200 304' },
        'consignments/notes: changing the text keeps a display flag that is not sent, and repeating the request changes nothing',
      ),
      endpoint(
        `PUT ${note}/display-on-printout`,
        { body: 'displayOnPrintOut:bool' },
        'consignments/notes: the display flag can be set on its own, always with 200, and raises an event only when it changes',
      ),
      endpoint(
        `DELETE ${note}`,
        { status: '200 404' },
        'consignments/notes: deleting a note deletes its attachments',
      ),
      endpoint(
        `GET ${attachment}/file`,
        { response: 'file' },
        'consignments/notes: an attachment is downloaded unchanged, to be saved rather than displayed',
      ),
      endpoint(
        `GET ${attachment}/print`,
        { query: 'PrinterId:uuid Orientation:int', response: 'printJobId:uuid' },
        'consignments/note-attachments: a PDF is printed unchanged, and the job belongs to the client',
        "consignments/note-attachments: without PrinterId the warehouse's default printer for the type of file is used, and must exist",
      ),
    ],
  },
  ...(['consumable', 'task'] as const).map((kind, i) => ({
    title: i === 0 ? '4.5 Consumables' : '4.6 Tasks',
    rows: [
      endpoint(
        `GET ${consignment}/${kind}s`,
        { response: `${kind}s:list` },
        `consignments/entry-endpoints: ${kind}s are replaced as a set, and the same set again changes nothing and raises no event`,
      ),
      endpoint(
        `PUT ${consignment}/${kind}s`,
        { body: `${kind}s!:list`, status: '200 304' },
        `consignments/entry-endpoints: ${kind}s are replaced as a set, and the same set again changes nothing and raises no event`,
      ),
      endpoint(
        `POST ${consignment}/${kind}s/{${kind}TypeId}`,
        { body: 'value!:num', status: '200 400 404' },
        `consignments/entry-endpoints: an entry of ${kind}s can be added, changed and removed`,
        `consignments/entry-endpoints: faults of ${kind}s are reported by field`,
      ),
      endpoint(
        `PUT ${consignment}/${kind}s/{${kind}TypeId}`,
        { body: 'value!:num', status: '200 304' },
        `consignments/entry-endpoints: an entry of ${kind}s can be added, changed and removed`,
      ),
      endpoint(
        `DELETE ${consignment}/${kind}s/{${kind}TypeId}`,
        { status: '200 404' },
        `consignments/entry-endpoints: a type of ${kind}s of another organisation is unknown, and the request changes nothing`,
      ),
      ...(kind === 'task'
        ? [
            rule(
              'Imports refer to tasks by the code of their type',
              'consignments/entry-endpoints: tasks of an import behave like any other tasks',
            ),
          ]
        : []),
    ],
  })),
  {
    title: '4.7 Service types',
    rows: [
      endpoint(
        `GET ${consignment}/service-types`,
        { response: 'serviceTypes:list' },
        'consignments/service-types: service types are replaced as a set, and the same set in another order changes nothing',
      ),
      endpoint(
        `PUT ${consignment}/service-types`,
        { body: 'serviceTypeIds!:list', status: '200 304' },
        'consignments/service-types: service types are replaced as a set, and the same set in another order changes nothing',
      ),
      endpoint(
        `POST ${consignment}/service-types/{serviceTypeId}`,
        { status: '200 400 404' },
        'consignments/service-types: a service type can be added once, and removed',
        'consignments/service-types: an unknown service type is 404, an inactive one cannot be added, and an invalid uuid is a fault',
      ),
      endpoint(
        `DELETE ${consignment}/service-types/{serviceTypeId}`,
        {},
        'consignments/service-types: a service type can be added once, and removed',
      ),
    ],
  },
  {
    title: '4.8 Proof of delivery',
    rows: [
      endpoint(
        `GET ${consignment}/pods/{consignmentPodId}`,
        { status: '200 404', response: 'eventUtc:time' },
        'consignments/pods: a proof of delivery is stored with every field and raises an event',
      ),
      endpoint(
        `GET ${consignment}/pods/{consignmentPodId}/attachment-file`,
        { response: 'file' },
        'consignments/pods: the file of a proof can be downloaded, and is 404 if none was sent',
      ),
      endpoint(
        `POST ${consignment}/pods`,
        {
          body: 'eventUtc:time signatoryName description attachmentFile:object externalUrl latitude:num longitude:num',
          response: 'uuid',
          status: '200 400 404 422',
        },
        'consignments/pods: a proof of delivery needs no field, and has the current time by default',
        'consignments/pods: content that does not match its type is 422, too large content 413, and an invalid request 400',
      ),
    ],
  },
  {
    title: '4.9 Charges',
    rows: [
      endpoint(
        `GET ${consignment}/charges`,
        { response: 'clientActivityCharges:list clientFreightCharges:list carrierFreightCharges:list' },
        'billing/charges/charges: each kind of charge is in its own list, with every field',
      ),
      ...['client-activity', 'client-freight', 'carrier-freight'].map(kind =>
        endpoint(
          `POST ${consignment}/charges/${kind}/adhoc`,
          { body: adhoc, response: 'consignmentChargeId:uuid', status: '200 400 404' },
          'billing/charges/charges: each kind of charge is in its own list, with every field',
          'billing/charges/charges: the records that a charge refers to must exist and be active',
        ),
      ),
      endpoint(
        `PUT ${consignment}/charges/{consignmentChargeId}`,
        { body: 'isIncluded!:bool', status: '200 304' },
        'billing/charges/charges: a charge is excluded and included again, and repeating that is 304',
      ),
    ],
  },
  {
    title: '4.10 Schedules',
    rows: [
      endpoint(
        'GET /v1/schedules',
        {
          query: 'SearchText PartnerId:uuid CreatedFromUtc:time CreatedToUtc:time Status:int IsExported:bool',
          page: 'schedules',
        },
        'billing/schedules/schedules: the list supports every filter, counts the matches, and shows the latest date first',
      ),
      endpoint(
        'GET /v1/schedules/{partnerScheduleId}',
        { response: 'transactions:list' },
        'billing/schedules/schedules: a schedule bundles the Pending transactions of its partner up to its date, and shows every field',
      ),
      endpoint(
        'POST /v1/schedules/{partnerScheduleId}/exported',
        { body: 'externalUrl' },
        'billing/schedules/schedules: exported is per connection, keeps the status, and can be repeated with another URL',
      ),
    ],
  },
  {
    title: '4.11 FAF profiles',
    rows: [
      endpoint(
        'GET /v1/faf-profiles',
        { query: 'SearchText Status:int', page: 'fafProfiles', first: 0 },
        'billing/faf-profiles/faf-profiles: profiles are listed from page 0, by name and status',
      ),
      endpoint(
        'GET /v1/faf-profiles/{fafProfileId}/rates',
        { query: 'CarrierId:uuid EffectiveDate:time', page: 'fafProfileRates', first: 0 },
        'billing/faf-profiles/faf-profiles: rates are filtered by carrier and by instant; a rate is expired once a later one is in effect',
      ),
    ],
  },
  {
    title: '4.12 Partners and products',
    rows: [
      endpoint(
        'GET /v1/partners',
        { query: 'SearchText Relationship:int Status:int', page: 'partners', status: '200 400' },
        'partners/partners: the list filters by text, relationship and status, and counts what it filtered',
      ),
      endpoint(
        'GET /v1/partners/{partnerId}',
        { status: '200 404', response: 'unitTypes:list' },
        'partners/partners: a partner is created with defaults and read with every setting',
      ),
      endpoint(
        'GET /v1/partners/{partnerId}/logo',
        { status: '200 404', response: 'file' },
        'partners/logos: a logo is returned byte for byte under its own name, and a second one replaces it',
        'partners/logos: a missing logo, an unknown partner and a partner of another organisation all give 404',
      ),
      endpoint(
        'PUT /v1/partners/{partnerId}/logo',
        { body: 'logo!:object' },
        'partners/logos: a logo is returned byte for byte under its own name, and a second one replaces it',
      ),
      endpoint(
        'GET /v1/partners/{partnerId}/logo-thumbnail',
        { status: '200 404', response: 'file' },
        'partners/logos: the thumbnail of every kind of image fits 512 pixels in its proportions',
      ),
      endpoint(
        'GET /v1/partners/{partnerId}/products',
        { query: 'SearchText ProductStatus:int', page: 'products', status: '200 404' },
        'partners/products: the list searches code, name and barcode, filters by status and pages by name',
      ),
      endpoint(
        'GET /v1/partners/{partnerId}/products/{partnerProductId}',
        { status: '200 404', response: 'unitConversions:list' },
        'partners/products: every field of a product is stored and read back, with the records that it refers to',
      ),
      endpoint(
        'POST /v1/partners/{partnerId}/products/convert-units',
        { body: 'conversions!:list', response: 'results:list', status: '200 400 404' },
        'partners/convert-units: quantities are converted in their order, by id or by code in any case, Compound by default',
        'partners/convert-units: all invalid conversions are reported together with their reasons',
      ),
      rule(
        'With the token of a partner, its id replaces the one in the path',
        'partners/partners: a token that belongs to a partner sees that partner whatever the path says',
        "partners/products: a token that belongs to a partner reads that partner's products only, and writes none",
      ),
      rule(
        'A partner that is not a client has no products',
        'partners/products: a carrier, a partner of another organisation and an unknown partner have no products',
      ),
    ],
  },
  {
    title: '4.13 Warehouses and inventory',
    rows: [
      endpoint(
        'GET /v1/warehouses',
        { query: 'SearchText Status:int', page: 'warehouses' },
        'warehouses/warehouses: the list searches names, filters by status and pages by name',
      ),
      endpoint(
        'GET /v1/warehouses/{warehouseId}',
        { response: 'timezoneId' },
        'warehouses/warehouses: every field of a warehouse is stored and read back',
      ),
      endpoint(
        'GET /v1/inventory',
        {
          query:
            'SearchText PartnerId:uuid PartnerProductId:uuid WarehouseId:uuid WarehouseZoneId:uuid WarehouseLocationId:uuid IncludeDepleted:bool DgHazardClassId:uuid DgHazardCategoryId:uuid',
          page: 'inventory',
        },
        'stock/inventory/inventory: every filter and every pair of filters lists what matches, with the exact total',
        'stock/inventory/inventory: the pages together list each entry once, and a page past the end is empty',
        'stock/inventory/inventory: an entry has every field of the specification, and the sums of the whole unit',
      ),
      endpoint(
        'GET /v1/inventory/{warehouseProductId}/items',
        { page: 'items' },
        'stock/inventory/rows: serials without a weight of their own share the rest of the weight of the row',
        'stock/inventory/rows: a serial is free unless it is allocated by name or its whole row is allocated',
      ),
    ],
  },
  {
    title: '4.14 Jobs',
    rows: [
      endpoint(
        'POST /v1/jobs/wave-pick',
        {
          body: 'warehouseId!:uuid clientId!:uuid style:int dueDateTime:time priority:int reference description',
          response: 'jobId:uuid',
        },
        'jobs/wave-pick/wave-pick: a wave pick begins as a numbered Draft with defaults and emits an event',
        'jobs/wave-pick/wave-pick: an unknown warehouse and an unknown client are reported together',
      ),
      endpoint(
        `GET ${wavePick}`,
        { response: 'jobConsignments:list' },
        'jobs/wave-pick/wave-pick: every field of a wave pick is stored, the due time as wall clock of the warehouse',
      ),
      endpoint(
        `GET ${wavePick}/consignments`,
        { query: 'IncludeVoid:bool', response: 'consignments:list' },
        'jobs/wave-pick/consignments: a voided consignment leaves the picking of its job with an event, and stays listed with IncludeVoid',
      ),
      endpoint(
        `POST ${wavePick}/consignments/add`,
        { body: 'consignmentIds!:list', status: '200 400 404' },
        'jobs/wave-pick/consignments: the reason why a job cannot take it is reported for each consignment, and then none is added',
        'jobs/wave-pick/consignments: an unknown job gives 404, whatever the consignments',
      ),
      endpoint(
        `POST ${wavePick}/consignments/remove`,
        { body: 'consignmentIds!:list' },
        'jobs/wave-pick/consignments: removed consignments are free for other jobs; removing one that is not in the job is refused',
      ),
    ],
  },
  {
    title: '4.15 Reference data and printers',
    rows: [
      endpoint(
        'GET /v1/dg-hazard-classes',
        { query: 'SearchText DgStandard:int', page: 'dgHazardClasses' },
        'reference-data/dg-hazard-classes: classes are searched by name within a standard',
      ),
      endpoint(
        'GET /v1/dg-hazard-classes/{dgHazardClassId}/dg-hazard-categories',
        { query: 'SearchText', page: 'dgHazardCategories' },
        'reference-data/dg-hazard-classes: the categories of a class are listed and searched by name or code',
      ),
      endpoint(
        'GET /v1/shipping-ports',
        { query: 'SearchText', page: 'shippingPorts' },
        'reference-data/shipping-ports: ports are searched by name, code and country',
      ),
      endpoint(
        'GET /v1/shipping-ports/{shippingPortId}',
        { response: 'code' },
        'reference-data/shipping-ports: a port is read by its id, which is derived from its code',
      ),
      endpoint(
        'GET /v1/tax-rates',
        { query: 'SearchText', page: 'taxRates' },
        'reference-data/set-up-collections: the list of tax rates searches, filters and pages',
      ),
      endpoint(
        'GET /v1/printer-bridges/printer/options',
        { query: 'SearchText WarehouseId:uuid PrintType:int', response: 'printers:list' },
        'paper/printers/bridges/printers: the options are the active printers by name, online or not',
      ),
      documented(
        'Lookups of cost centres, revenue accounts, task types, consumable types and service types',
        ({ paths }) =>
          ['cost-centres', 'revenue-accounts', 'task-types', 'consumable-types', 'service-types'].flatMap(
            name => (paths[`/v1/${name}`]?.get === undefined ? [`there is no /v1/${name}`] : []),
          ),
      ),
      rule(
        'Printing fails if the printer is offline, unknown or of the wrong type',
        'paper/printers/bridges/printers: a printer is offline with a reason while its bridge cannot reach it',
        'paper/printers/bridges/printers: a printer that is unknown, inactive or of another type is refused with the reason',
        'consignments/note-attachments: a printer for other paper, an offline one and an unknown one are refused with the reason',
      ),
    ],
  },
  {
    title: '4.16 Reports',
    rows: [
      ...reportRows,
      rule(
        'A filter with an invalid date range or id is refused',
        'reports/reports: all faults of a body are reported together',
        'reports/reports: a filter by another partner, or by an unknown id, is refused by name',
      ),
    ],
  },
  {
    title: '4.17 Webhook subscriptions',
    rows: [
      endpoint(
        'POST /v1/webhook-subscriptions/create',
        { status: '202 400', response: 'webhookSubscriptionId:uuid' },
        'webhook-subscriptions/webhook-subscriptions: a subscription is created, read and listed without its keys, and deleted',
        'webhook-subscriptions/webhook-subscriptions: every fault of a subscription is reported, and filters must name partners of their relationship',
      ),
      endpoint(
        'PUT /v1/webhook-subscriptions/{webhookSubscriptionId}/test',
        {},
        'webhook-subscriptions/delivery/deliver: openssl finds the same signature over the raw bytes with the client secret',
      ),
      endpoint(
        'DELETE /v1/webhook-subscriptions/{webhookSubscriptionId}/delete',
        {},
        'webhook-subscriptions/webhook-subscriptions: a subscription is created, read and listed without its keys, and deleted',
        'webhook-subscriptions/delivery/deliver: nothing is sent to a deleted subscription or a disabled app; deliveries to the app are held until it is enabled again',
      ),
    ],
  },
]
