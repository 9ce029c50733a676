// The texts of apps and webhooks.

import {
  DeliveryStatus,
  EventType,
  GrantType,
  HeldReason,
  SubscriptionStatus,
} from '../../../client/src/waybill.ts'
import { quantity } from '../../../ui/numbers.ts'
import { plural } from '../../../ui/plural.ts'
import { inWords, nameIn } from './consignments.ts'

const grants: Readonly<Record<number, string>> = {
  [GrantType.ClientCredentials]: 'Client credentials',
  [GrantType.AuthorisationCode]: 'Authorisation code',
}

const heldReasons: Readonly<Record<number, string>> = {
  [HeldReason.SubscriptionFailed]: 'Failed',
  [HeldReason.AppDisabled]: 'Held: its app is disabled',
  [HeldReason.UserDisabled]: 'Held: its user is disabled',
  [HeldReason.PartnerChanged]: 'Held: its user changed partner',
  [HeldReason.ScopeLost]: 'Held: a scope is missing',
}

export const developerWords = {
  developers: 'Developers',
  apiReference: 'API reference',

  apps: 'Apps',
  noApps: 'No apps yet. An app lets a shop, an ERP or a script use the API.',
  grant: (type: number) => grants[type] ?? String(type),
  builtIn: 'Built in',
  disabled: 'Disabled',
  scopesOf: (scopes: readonly string[]) =>
    scopes.length > 4 ? plural(scopes.length, 'scope') : scopes.join(', '),
  forApp: (act: string, name: string) => `${act}: ${name}`,

  newApp: 'New app',
  name: 'Name',
  grantField: 'Grant',
  grantHelp:
    'Client credentials act for the organisation; an authorisation code acts for the person who signs in.',
  scopes: 'Scopes',
  scopeInWords: {
    consignment: 'See, import and change consignments',
    'consignment.read': 'See consignments',
    financial: 'See and change charges, schedules and freight rates',
    'financial.read': 'See charges, schedules and freight rates',
    inventory: 'See and change stock',
    'inventory.read': 'See stock and its movements',
    job: 'See and change picking and replenishment jobs',
    'job.read': 'See picking and replenishment jobs',
    organisation: 'Manage settings, users, apps and reference data',
    'organisation.read': 'See settings, users and apps',
    partner: 'See and change clients, carriers and their products',
    'partner.read': 'See clients, carriers and their products',
    print: 'Print documents on the warehouse printers',
    report: 'Run reports',
    warehouse: 'See and change warehouses, zones and locations',
    'warehouse.read': 'See warehouses, zones and locations',
  },
  redirectUris: 'Redirect URIs',
  redirectUrisHelp: 'One a line. A sign-in returns only to these.',

  clientSecret: 'Client secret',
  clientSecretWhy: 'It is shown only now. Waybill keeps a hash of it, from which nobody can read it.',
  copyClientSecret: 'Copy client secret',
  copied: 'Copied',

  rotateSecret: 'Rotate secret',
  rotateWhy: (name: string) => `${name} gets a new secret. The present one stays valid for the overlap.`,
  overlap: 'Overlap in hours',
  overlapHelp: '0 to 168. With 0, the tokens that it has are refused within ten seconds, too.',

  runAction: 'Run action',
  runActionWhy: (name: string) => `${name} is told by the webhooks that it has for actions.`,
  action: 'Action',
  actionHelp: 'As agreed with the app, such as resend-orders.',
  actionData: 'Data',
  actionDataHelp: 'An object as JSON, or nothing.',
  notJson: 'must be an object as JSON',
  actionSent: (name: string) => `${name} is asked to do it`,

  disable: 'Disable',
  disableWhy: (name: string) =>
    `${name} gets no tokens, and those that it has are refused within ten seconds. Its webhooks are held.`,
  disabledNow: (name: string) => `${name} is disabled`,
  enable: 'Enable',
  enabledNow: (name: string) => `${name} is enabled`,

  firstCall: 'First call',
  firstCallCommands: (origin: string, clientId: string) =>
    [
      '# a token, with the secret that was shown once',
      `curl ${origin}/connect/token -u ${clientId}:CLIENT_SECRET -d grant_type=client_credentials`,
      '',
      '# who you are, with the access_token of the answer',
      `curl ${origin}/v1/identity -H 'Authorization: Bearer ACCESS_TOKEN'`,
    ].join('\n'),

  webhooks: 'Webhooks',
  noWebhooks: 'No subscriptions yet. Waybill sends each event to the URLs that subscribe to it.',
  headUrl: 'URL',
  headEvent: 'Event',
  headStatus: 'Status',
  headApp: 'App',
  headBy: 'By',
  headLastFailure: 'Last failure',
  event: (type: number) => inWords(nameIn(EventType, type)),
  subscriptionStatus: (status: number, heldReason: number | null) =>
    heldReason === null
      ? inWords(nameIn(SubscriptionStatus, status))
      : (heldReasons[heldReason] ?? String(heldReason)),
  signedBy: 'Signed by',
  subscribedBy: 'Subscribed by',
  since: 'Since',
  lastFailure: 'Last failure',
  failedAt: 'Failed at',
  sendTest: 'Send test',
  testSent: 'A test is on its way',
  reactivate: (held: number) => (held === 0 ? 'Reactivate' : `Reactivate and send ${quantity(held)} held`),
  reactivateWhy: (held: number) =>
    held === 0
      ? 'Nothing waits to be sent. What happened since it failed is sent with Replay a window.'
      : `${plural(held, 'delivery begins', 'deliveries begin')} again with five attempts. What happened since it ` +
        'failed is sent with Replay a window.',
  reactivated: 'It is active again, and what waited for it is sent',
  edit: 'Edit',
  keyStays: 'Empty: the key stays as it is.',
  secondKey: 'Second signing key',
  takeKey: 'Take the signing key away',
  takeSecondKey: 'Take the second signing key away',
  subscriptionChanged: 'The subscription is changed',
  nothingChanged: 'Nothing had changed',
  replay: 'Replay',
  replayed: 'The delivery is sent again',
  replayWindow: 'Replay a window',
  replayedMany: (n: number) => `${plural(n, 'delivery is', 'deliveries are')} sent again`,
  from: 'From',
  to: 'To',
  delete: 'Delete',
  deleteText: 'Nothing is sent to this URL any more, and what waits for it is not sent.',
  deleted: 'The subscription is deleted',
  deliveries: 'Deliveries',
  noDeliveries: 'Nothing was delivered yet.',
  headTime: 'Time',
  headAnswer: 'Answer',
  notTried: 'Not tried yet',
  deliveryStatus: (status: number) => inWords(nameIn(DeliveryStatus, status)),
  attempt: (statusCode: number | null, error: string | null, ms: number | null, attempts: number) =>
    [
      statusCode ?? error ?? '–',
      ms === null ? undefined : `${quantity(ms)} ms`,
      attempts > 1 ? plural(attempts, 'attempt') : undefined,
    ]
      .filter(part => part !== undefined)
      .join(', '),
  delivery: 'Delivery',
  deliveryGone: 'The delivery could not be read. It may have been deleted after 30 days.',
  request: 'Request',
  headers: 'Headers',
  body: 'Body',
  copyBody: 'Copy body',
  cannotCopyText: 'The browser did not allow it. Select the text and copy it.',
  answer: 'Answer',

  events: 'Events',
  eventsSummary: 'the last 100, as they happen',
  noEvents: 'Nothing has happened yet.',
  headSequence: 'No.',
  headAbout: 'About',
  schedule: 'Schedule',

  newSubscription: 'New subscription',
  url: 'URL',
  urlHelp: 'A public https address that answers within 30 seconds.',
  eventField: 'Event',
  signingKey: 'Signing key',
  signingKeyHelp: 'Your receiver checks with it that a delivery comes from here.',
  signingKeyToo: 'Not needed beside the app; it adds a signature of its own.',
  appThatSigns: 'App that signs',
  appThatSignsHelp: 'Its secret signs what is sent, and its scopes bound it. Otherwise give a key.',
  noApp: 'None, a key signs',
  client: 'Client',
  allClients: 'All clients',
  carrier: 'Carrier',
  allCarriers: 'All carriers',
  subscribed: 'The subscription is active',
} as const
