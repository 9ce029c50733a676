// The event feed: what webhooks tell, as a list of which nobody can miss a part. Spec 6; open-points 6.

import { endpoint, jsonTextOrEvents } from '../platform/http/endpoint.ts'
import { EventStream } from '../platform/http/event-stream.ts'
import { validationFailed } from '../platform/http/refusal.ts'
import { IntegerEnum, named, Type } from '../platform/http/schema.ts'
import { FeedEventType } from './event.ts'
import { audienceOf, feedScopes } from './feed/audience.ts'
import { FeedEvent } from './feed/event-data.ts'
import { openReader } from './feed/feed.ts'

const maxWaitSeconds = 25

const Sequence = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

const EventPage = named(
  'EventFeedPage',
  Type.Object({
    events: Type.Array(FeedEvent),
    next: { ...Sequence, description: '`After` of the next request.' },
  }),
)

const query = Type.Object({
  After: Type.Optional({
    ...Sequence,
    description:
      'Only events behind this number: `next` of the page before. Without it, or with 0, from ' +
      'the start of what is kept.',
  }),
  Types: Type.Optional(
    Type.Array(IntegerEnum(FeedEventType), {
      commas: true,
      maxItems: 100,
      description: 'Only events of these types, repeated or separated by commas.',
    }),
  ),
  WaitSeconds: Type.Integer({
    minimum: 0,
    maximum: maxWaitSeconds,
    default: 0,
    description: 'How long to wait for an event where there is none yet.',
  }),
})

export const events = [
  endpoint({
    get: '/v1/events',
    name: 'listEvents',
    partners: 'all',
    scope: feedScopes,
    extension: true,
    summary: 'Follow what happens in the organisation',
    description:
      'Every event under a number. The numbers of an organisation rise without gaps and appear in their ' +
      'order: whoever goes on from `next` misses nothing and gets nothing twice. Numbers that are left out ' +
      'are of events that are not for the token. A page has at most 500 events, and may have fewer or none ' +
      'although there are more: the end is reached where `next` is the number that was asked for. Events ' +
      'are kept for 90 days. A number behind which some are no longer kept is refused, as is one that the ' +
      'feed has not come to.\n\n' +
      'With `Accept: text/event-stream` the answer is a stream that goes on: a message for each event, ' +
      'with its number as id and the event as data, and a comment every 15 seconds. It ends with the ' +
      'token; go on with the header `Last-Event-ID`. A person has at most 5 streams at a time.',
    query,
    response: jsonTextOrEvents(EventPage),
    ownTransactions: true,
    async handle({ database, actor, query, signal, stopping, streamRequest }) {
      const audience = audienceOf(actor, query.Types)
      const lastEventId = streamRequest?.lastEventId
      const reader = await openReader(
        database,
        audience,
        lastEventId === undefined ? query.After : sequenceOf(lastEventId),
      )
      if (streamRequest !== undefined) return new EventStream(ended => reader.follow(ended))
      const patience = AbortSignal.timeout(query.WaitSeconds * 1000)
      const ended =
        query.WaitSeconds === 0 ? AbortSignal.abort() : AbortSignal.any([signal, stopping, patience])
      const { entries, next } = await reader.page(ended)
      return `{"events":[${entries.map(({ text }) => text).join(',')}],"next":${next}}`
    },
  }),
]

/** The number that a stream goes on behind; refuses (400) what is none. */
function sequenceOf(lastEventId: string): number {
  const sequence = /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : undefined
  if (sequence === undefined) throw validationFailed('Last-Event-ID must be the number of an event.')
  return sequence
}
