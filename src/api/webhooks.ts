// Describes the webhooks for the API document. Spec 6.1 to 6.3; decision 6.

import { eventCatalogue } from '../events/feed/event-data.ts'
import type { Webhook } from '../platform/http/openapi.ts'
import { Type, UtcTime, Uuid } from '../platform/http/schema.ts'
import { EventType, eventTypeNames } from '../vocabulary/events.ts'

const headers = {
  'X-Service-Signature':
    '`sha256=` and, in hexadecimal, the HMAC-SHA256 of the raw body with the client secret of the app that ' +
    'subscribed. Check it before anything parses the body.',
  'X-Service-Signature-1': 'The same with signingKey1, if the subscription has one.',
  'X-Service-Signature-2': 'The same with signingKey2, if the subscription has one.',
  'webhook-id': 'Standard Webhooks, if there is a signing key: the id of the event.',
  'webhook-timestamp': 'Standard Webhooks: when this attempt was sent, in seconds since 1970.',
  'webhook-signature':
    'Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of id, timestamp and body, joined by full stops; ' +
    'one for each key.',
}

/** The webhooks by event type. */
export const webhooks: Readonly<Record<string, Webhook>> = Object.fromEntries(
  eventCatalogue.map(([type, summary, data]) => {
    const name = eventTypeNames[type]
    const envelope = {
      id: { ...Uuid, description: 'Id of the event, the same on every retry and for every subscriber.' },
      type: Type.Literal(name),
      created: { ...UtcTime, description: 'When the event happened, an instant in UTC.' },
      data,
      operationId: { ...Uuid, description: 'Id of this delivery, for connection-result.' },
    }
    const description = `${
      type === EventType.Test
        ? 'Sent to the subscription that is being tested, whatever its event type'
        : `eventType ${type}`
    }. It may be delivered more than once.`
    return [name, { summary, description, headers, body: Type.Object(envelope) }]
  }),
)
