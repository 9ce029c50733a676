// Sections 5 to 9 of the specification: authentication, events, errors, limits and versions.

import { type Document, schemaAt } from './document.ts'
import { documented, fields, type Row, rule, type Section, values } from './rows.ts'

const create = 'POST /v1/webhook-subscriptions/create <'

/** An event type. The API document shows that it can be subscribed to; tests prove that it is raised. */
function event(entry: string, ...proofs: string[]): Row {
  const { requirement, lacks } = values('Event', `${create} eventType`, entry)
  return { requirement, proofs, ...(lacks === undefined ? {} : { lacks }) }
}

const scopes =
  'consignment consignment.read financial financial.read inventory inventory.read job job.read organisation organisation.read partner partner.read print report warehouse warehouse.read'

/** A status of section 7, which at least one endpoint documents. */
function status(code: string, meaning: string, ...proofs: string[]): Row {
  const lacks = ({ paths }: Document) => {
    const isDocumented = Object.values(paths).some(methods =>
      Object.values(methods).some(({ responses }) => responses[code] !== undefined),
    )
    return isDocumented ? [] : [`no endpoint documents ${code}`]
  }
  return { requirement: `${code}: ${meaning}`, lacks, proofs }
}

/** A limit of section 8 that the API document states. */
const limit = (requirement: string, place: string, maxLength: number, ...proofs: string[]): Row =>
  documented(
    requirement,
    document =>
      schemaAt(document, place)?.maxLength === maxLength ? [] : [`${place} is not limited to ${maxLength}`],
    ...proofs,
  )

export const serviceSections: Section[] = [
  {
    title: '5.1 Client registration',
    rows: [
      rule(
        'An app has a name, a description, a grant type and, for the authorisation code, redirect URIs',
        'custom-apps/custom-apps: redirect URIs are required for the authorisation code grant and refused for the other',
        'custom-apps/custom-apps: every fault of an app is reported',
      ),
      rule(
        'Its secret is shown once',
        'custom-apps/custom-apps: an app is created with a secret that is shown only once',
      ),
    ],
  },
  {
    title: '5.2 Token endpoint',
    rows: [
      rule(
        'client_credentials',
        'oauth/token-endpoint: client credentials give a token for an hour with all scopes of the app',
        'oauth/client-library: client credentials, secret in the form',
      ),
      rule(
        'authorization_code',
        'oauth/token-endpoint: an authorisation code is exchanged for tokens once, and only by its app at its redirect URI',
        'oauth/client-library: authorisation code with PKCE and state, refresh and revocation, secret in the form',
      ),
      rule(
        'refresh_token: a refresh returns a new one',
        'oauth/refresh: a refresh returns a new token, which lasts 90 days, and an access token of the same person',
      ),
      rule(
        'The response: access_token, token_type Bearer, expires_in, and refresh_token if the grant has one',
        'oauth/token-endpoint: client credentials give a token for an hour with all scopes of the app',
        'oauth/refresh: a refresh returns a new token, which lasts 90 days, and an access token of the same person',
      ),
    ],
  },
  {
    title: '5.3 Authorisation endpoint',
    rows: [
      rule(
        'A person signs in and returns with code and state',
        'oauth/sign-in: a person signs in, allows the app, and returns with code, state and issuer; the code becomes tokens',
        'oauth/sign-in-browser: a person signs in and allows the app by keyboard alone, without scripts',
      ),
      rule(
        'The redirect URI must be registered',
        'oauth/sign-in: a redirect URI that is not exactly a registered one is an error page, never a redirect',
      ),
      rule(
        'response_type is code, and scope is required',
        'oauth/sign-in: every other error returns to the app with the state',
      ),
    ],
  },
  {
    title: '5.4 Lifetimes',
    rows: [
      rule(
        'Access token: 3600 s',
        'oauth/token-endpoint: client credentials give a token for an hour with all scopes of the app',
        'oauth/access-token: a token that was accepted is refused once it has expired',
      ),
      rule(
        'Refresh token: 90 days',
        'oauth/refresh: a refresh returns a new token, which lasts 90 days, and an access token of the same person',
      ),
      rule('Authorisation code: 60 s', 'oauth/sign-in: a code lasts 60 seconds'),
    ],
  },
  {
    title: '5.5 Scopes',
    rows: [
      documented(`The 16 scopes: ${scopes.replaceAll(' ', ', ')}`, document => {
        const given = schemaAt(document, 'GET /v1/custom-apps > customApps[].scopes[]')?.enum ?? []
        return scopes.split(' ').flatMap(scope => (given.includes(scope) ? [] : [`no app can have ${scope}`]))
      }),
      rule(
        'A plain scope grants full access, .read grants reading',
        'every-endpoint: each scope permits exactly the endpoints that declare it, and a plain scope also those of its .read',
      ),
      rule(
        'Importing requires the scope consignment',
        'consignment-imports/consignment-imports: importing needs the scope consignment, reading consignment.read',
      ),
      rule(
        'Charges and schedules require the scope financial',
        'billing/charges/charges: reading needs financial.read and writing needs financial',
        'billing/schedules/schedules: reading needs financial.read and writing needs financial',
      ),
    ],
  },
  {
    title: '5.6 Token endpoint errors',
    rows: [
      rule(
        'invalid_client',
        'oauth/token-endpoint: a wrong client id or a wrong or missing secret is invalid_client, and all look alike',
      ),
      rule(
        'invalid_grant',
        'oauth/sign-in: a code lasts 60 seconds',
        'oauth/token-endpoint: an authorisation code is exchanged for tokens once, and only by its app at its redirect URI',
      ),
      rule(
        'invalid_scope',
        'oauth/token-endpoint: a scope that the app does not hold, or that does not exist, is invalid_scope',
      ),
      rule(
        'unauthorized_client',
        'oauth/token-endpoint: a grant type that the app is not allowed is unauthorized_client, one that does not exist unsupported_grant_type',
      ),
      rule(
        '401 for a token that is missing, expired or invalid',
        'oauth/access-token: missing, expired and malformed tokens are told apart by one sentence each, without further details',
        'client/test/waybill: a refused token is replaced once, and the request with its body sent again',
      ),
    ],
  },
  {
    title: '6.1 Event types',
    rows: [
      rule(
        '0 Unknown: cannot be subscribed to',
        'webhook-subscriptions/webhook-subscriptions: every fault of a subscription is reported, and filters must name partners of their relationship',
      ),
      event(
        '1 CronRecurrence',
        'webhook-subscriptions/recurrence: a subscription to recurrences gets one event an hour, however many processes run',
      ),
      event(
        '2 IdentityConnectionActionExecution',
        'custom-apps/trigger-action: an action is sent to the subscriptions of the app to it, and to those of no other app',
      ),
      event(
        '101 ConsignmentCreated',
        'journeys/import-to-webhook: an import becomes a consignment, and a signed webhook reports it',
      ),
      event(
        '102 ConsignmentGeneralUpdated',
        'consignments/change-fields: general fields change, absent fields stay, null empties, and repeating the request changes nothing',
      ),
      event(
        '103 ConsignmentRouteUpdated',
        'consignments/change-fields: the route takes the carrier and ports by code, and replaces addresses as a whole',
      ),
      event(
        '104 ConsignmentContainerUpdated',
        'consignments/change-fields: the container and the priority have their own events',
      ),
      event(
        '105 ConsignmentMetricsUpdated',
        'consignment-status/complete-inwards: once anything was received by command, only that counts as received, and the metrics agree',
      ),
      event(
        '106 ConsignmentTasksUpdated',
        'consignments/entry-endpoints: tasks are replaced as a set, and the same set again changes nothing and raises no event',
      ),
      event(
        '107 ConsignmentConsumablesUpdated',
        'consignments/entry-endpoints: consumables are replaced as a set, and the same set again changes nothing and raises no event',
      ),
      event(
        '108 ConsignmentProductsUpdated',
        'floor/receive: goods are received as announced into the receiving location, and the consignment records the time',
        'floor/allocate: a line gets the stock it needs, and what is not in stock stays short',
        'floor/pick: picked goods go to the dock, stay allocated to their line, and leave with the consignment',
      ),
      event(
        '109 ConsignmentPodCreated',
        'consignments/pods: a proof of delivery is stored with every field and raises an event',
      ),
      event(
        '110 ConsignmentImportPendingReconciliation',
        'journeys/import-to-webhook: an import with a wrong code waits for reconciliation, and a replacement turns it into a consignment',
      ),
      event(
        '111 ConsignmentImportReconciled',
        'journeys/import-to-webhook: a waiting import continues automatically when the missing record is created',
      ),
      event(
        '112 ConsignmentStatusUpdated',
        'journeys/import-to-webhook: the event of a status change contains the previous status',
      ),
      event(
        '113 ConsignmentServiceTypeUpdated',
        'consignments/service-types: service types are replaced as a set, and the same set in another order changes nothing',
      ),
      event(
        '114 ConsignmentTrackingUpdated',
        'consignments/tracking: a tracking record is created with every field, the name of the calling app and the date in the warehouse',
      ),
      event(
        '115 ConsignmentConnectionActionManualTrigger',
        'consignments/edi: an export requested by hand reaches its subscribers in every status, and is acknowledged by its operation',
      ),
      event(
        '116 ConsignmentNoteAttachmentUpdated',
        'consignments/notes: attachments keep their order, name, type and print type, and raise an event of their own',
      ),
      event(
        '201 PartnerScheduleCreated',
        'billing/schedules/schedules: a schedule is approved and made a Draft again; approved, it is neither changed nor removed',
      ),
      event(
        '202 PartnerScheduleRemoved',
        'billing/schedules/schedules: a schedule is approved and made a Draft again; approved, it is neither changed nor removed',
      ),
      event(
        '203 PartnerScheduleGeneralUpdated',
        'billing/schedules/schedules: a Draft is changed; repeating a change is 304, absent fields stay unchanged, and null clears',
      ),
      event(
        '204 PartnerScheduleStatusUpdated',
        'billing/schedules/schedules: a schedule is approved and made a Draft again; approved, it is neither changed nor removed',
      ),
      event(
        '205 PartnerScheduleTransactionsUpdated',
        'billing/schedules/schedules: a Draft is bundled again up to another date',
      ),
      event(
        '206 PartnerScheduleConnectionActionManualTrigger',
        'billing/schedules/schedules: an export requested by hand is published, also for an Approved schedule',
      ),
      event(
        '301 JobCreated',
        'jobs/wave-pick/wave-pick: a wave pick begins as a numbered Draft with defaults and emits an event',
      ),
      event(
        '302 JobUpdated',
        'jobs/wave-pick/wave-pick: a change keeps absent fields and emits one event, and repeating it changes nothing',
      ),
      event(
        '303 JobStatusUpdated',
        'jobs/wave-pick/wave-pick: an open wave pick moves freely, each move emits the previous status, and ended ones stay ended',
      ),
      event(
        '304 JobConnectionActionManualTrigger',
        'jobs/wave-pick/wave-pick: an export requested by hand emits an event, even for an ended wave pick',
      ),
    ],
  },
  {
    title: '6.2 Delivery',
    rows: [
      rule(
        'A POST with id, type, created, data and operationId',
        'webhook-subscriptions/delivery/deliver: an event arrives with the fields of a delivery, and the receipt is recorded',
      ),
      rule(
        'Types are dotted lower-case names',
        'events/emit: every event type of the specification has a dotted lower-case name of its own',
      ),
      rule(
        'consignment.created holds consignmentId, consignmentNumber, clientId and status',
        'journeys/import-to-webhook: an import becomes a consignment, and a signed webhook reports it',
      ),
      fields(
        'Filters of a subscription',
        create,
        'clientPartnerId:uuid carrierPartnerId:uuid',
        'events/emit: partner filters: consignments by client and carrier, schedules by their partner in either field, jobs by client',
      ),
    ],
  },
  {
    title: '6.3 Signature',
    rows: [
      rule(
        'X-Service-Signature: HMAC-SHA256 over the raw body with the client secret, in hex',
        'webhook-subscriptions/delivery/deliver: openssl finds the same signature over the raw bytes with the client secret',
        'client/test/readme: the programs of the README import a consignment, beside the data of the demo, and receive its event',
      ),
      rule(
        'Signing keys are accepted',
        'webhook-subscriptions/delivery/deliver: signing keys add their signatures and the headers of Standard Webhooks',
        'client/test/signature: the headers of Standard Webhooks are verified with either key, from an object or Headers',
      ),
    ],
  },
  {
    title: '6.4 Acknowledgement',
    rows: [
      rule(
        'The outcome is reported by operationId',
        'consignments/edi: a result is accepted only for an operation of this connection and this consignment',
        'journeys/import-to-webhook: an import becomes a consignment, and a signed webhook reports it',
      ),
    ],
  },
  {
    title: '6.5 Receivers and retries',
    rows: [
      rule(
        'The address is https',
        'webhook-subscriptions/webhook-subscriptions: an address that is not public is refused at creation',
      ),
      rule(
        'A 2xx in time is a success; anything else is a failure',
        'webhook-subscriptions/delivery/deliver-trouble: a receiver that does not accept a delivery fails the attempt, with the reason',
        'webhook-subscriptions/delivery/deliver-trouble: a 2xx status is a success, however long the response is and whether or not it ever ends',
        'platform/outgoing/outgoing-http: the deadline ends a response whose body drips, and closes the connection',
      ),
      rule(
        'At least once',
        'journeys/crashes: a service that is killed three times while it imports loses nothing and does nothing twice',
        'webhook-subscriptions/delivery/deliver: a failed attempt is repeated with the same bytes until the receiver accepts it',
      ),
      rule(
        'Configurable delays, by default 5 s, 30 s, 2 min, 10 min and 1 h',
        'webhook-subscriptions/delivery/deliver-trouble: retries wait for their configured delays, and not much longer',
        'process/config: the defaults in .env.example are correct, and an empty value means the default',
      ),
      rule(
        'After five failed attempts the subscription is Failed',
        'webhook-subscriptions/delivery/deliver: the fifth failed attempt fails the subscription, and nothing more is sent until it is reactivated',
      ),
    ],
  },
  {
    title: '7 Errors',
    rows: [
      documented(
        'Every refusal has ErrorType and ErrorMessages',
        ({ components }) => {
          const { ErrorType, ErrorMessages } = components.schemas.Error?.properties ?? {}
          return ErrorType?.type === 'string' && ErrorMessages?.type === 'array'
            ? []
            : ['the error body is another']
        },
        'platform/http/server: an unknown path returns 404 with the error body, even without a token',
        'platform/http/server: bytes that are not HTTP get the error body too, and the connection is closed',
      ),
      status(
        '200',
        'success',
        'platform/http/server: each kind of response has its status, body and headers',
      ),
      status(
        '201',
        'created, or it already exists',
        'consignment-imports/consignment-imports: an accepted import is pending until it is processed, and then is a consignment with the same id',
      ),
      status(
        '202',
        'accepted, or pending',
        'consignment-imports/consignment-imports: an accepted import is pending until it is processed, and then is a consignment with the same id',
      ),
      status(
        '304',
        'nothing changed',
        'partners/partners: a change gives 200, repeating it 304, and absent fields stay',
      ),
      status(
        '400',
        'the request is invalid',
        'platform/http/validation: all faults are reported together, with the names of nested fields',
        'platform/http/bodies-over-sockets: malformed JSON and a missing body return 400',
      ),
      status(
        '401',
        'no valid token',
        'platform/http/server: without a valid token an endpoint returns 401 and says how to authenticate',
        'every-endpoint: without a token, every endpoint returns 401 with the error body, before anything else is checked',
      ),
      status(
        '403',
        'not permitted',
        'every-endpoint: a token with all scopes except the required ones is refused, and the refusal names the scope',
      ),
      status(
        '404',
        'unknown or not accessible',
        'every-endpoint: in every path, an id of another organisation gets the same response as an unknown id: 404, same body',
      ),
      status(
        '409',
        'conflict',
        'journeys/import-to-webhook: a repeated idempotency key is refused, and the refusal names the first import',
      ),
      status(
        '422',
        'cannot be processed',
        'consignments/pods: content that does not match its type is 422, too large content 413, and an invalid request 400',
      ),
      status(
        '429',
        'too many requests, with the seconds to wait',
        'platform/http/server-limits: an organisation may send 3,000 requests a minute over all its connections, and the next one gets Retry-After',
        'platform/limits/sliding-window: after the seconds of Retry-After the next request passes, and a second earlier it does not',
      ),
      rule(
        'No request causes an internal error',
        'generated-requests: GET /v1/partners',
        'generated-requests: at least one request succeeded at most endpoints, so the generator gets past the checks',
      ),
    ],
  },
  {
    title: '8 Limits',
    rows: [
      rule(
        '3,000 requests per organisation and minute, in a sliding window',
        'platform/http/server-limits: an organisation may send 3,000 requests a minute over all its connections, and the next one gets Retry-After',
        'platform/limits/sliding-window: for any arrivals, the window and the full log accept the same requests and have the same number left',
      ),
      rule(
        '600 token requests per app and minute',
        'oauth/token-throttle: an app may send 600 requests a minute; the next is 429 and other apps are not affected',
      ),
      rule(
        '150 report requests per organisation and minute',
        'platform/http/server-limits: 150 requests for reports pass in a minute, and the next one gets Retry-After',
      ),
      rule(
        'PageSize: 25 by default, 500 at most',
        'platform/http/paging: the parameters have their defaults and bounds',
      ),
      rule(
        'PageIndex: 1 by default, 0 for FAF profiles',
        'platform/http/paging: the parameters have their defaults and bounds',
        'billing/faf-profiles/faf-profiles: profiles are listed from page 0, by name and status',
      ),
      limit(
        'idempotencyKey: 200 characters',
        'POST /v1/consignment-imports < idempotencyKey',
        200,
        'consignment-imports/import-request: every field of the request is accepted, each at its longest, and null means absent',
      ),
      rule('Lifetimes of tokens and codes: see 5.4', 'oauth/sign-in: a code lasts 60 seconds'),
      rule(
        'Webhook receivers have 30 seconds',
        'webhook-subscriptions/delivery/thirty-seconds: a receiver has 30 seconds: a response after 26 is accepted, and without one the attempt fails',
      ),
      rule(
        'Five attempts, then the subscription fails',
        'webhook-subscriptions/delivery/deliver: the fifth failed attempt fails the subscription, and nothing more is sent until it is reactivated',
      ),
    ],
  },
  {
    title: '9 Versioning',
    rows: [
      documented('Every endpoint is under /v1', ({ paths }) =>
        Object.keys(paths).flatMap(path => (path.startsWith('/v1/') ? [] : [`${path} is not`])),
      ),
    ],
  },
]
