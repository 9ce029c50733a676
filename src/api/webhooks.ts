// What subscribers are sent, for the API document. Spec 6.1 to 6.3; open-points 6.

import { EventType, eventTypeNames } from '../events/event.ts'
import { raised } from '../events/feed/event-data.ts'
import type { Webhook } from '../platform/http/openapi.ts'
import { Type, UtcTime, Uuid } from '../platform/http/schema.ts'

const headers = {
  'X-Service-Signature':
    '`sha256=` and, in hexadecimal, the HMAC-SHA256 of the raw body with the client secret of the app that ' +
    'subscribed. Check it before anything parses the body.',
  'X-Service-Signature-1': 'The same with signingKey1, where the subscription has one.',
  'X-Service-Signature-2': 'The same with signingKey2, where the subscription has one.',
  'webhook-id': 'Standard Webhooks, where there is a signing key: the id of the event.',
  'webhook-timestamp': 'Standard Webhooks: seconds since 1970 at which this attempt was sent.',
  'webhook-signature':
    'Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of id, timestamp and body, joined by full stops; ' +
    'one for each key.',
}

/** What subscribers are sent, by the type of the event. */
export const webhooks: Readonly<Record<string, Webhook>> = Object.fromEntries(
  raised.map(([type, summary, told]) => {
    const name = eventTypeNames[type]
    const envelope = {
      id: { ...Uuid, description: 'Of the event: the same on every retry and for every subscriber.' },
      type: Type.Literal(name),
      created: { ...UtcTime, description: 'When it happened, an instant in UTC.' },
      data: told,
      operationId: { ...Uuid, description: 'Of this delivery, for connection-result.' },
    }
    const description = `${
      type === EventType.Test
        ? 'Sent to the subscription that is tested, whatever it ' + 'subscribed to'
        : `eventType ${type}`
    }. It may come more than once.`
    return [name, { summary, description, headers, body: Type.Object(envelope) }]
  }),
)
