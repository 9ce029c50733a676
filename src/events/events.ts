// The event feed: the events that webhooks send, as a numbered list of which a reader cannot miss any. Spec
// 6; decision 6.

import { endpoint } from '../access/endpoint.ts'
import { jsonTextOrEvents } from '../platform/http/endpoint.ts'
import { EventStream } from '../platform/http/event-stream.ts'
import { validationFailed } from '../platform/http/refusal.ts'
import { IntegerEnum, named, Type } from '../platform/http/schema.ts'
import { FeedEventType } from '../vocabulary/events.ts'
import { decideAudience, feedScopes } from './feed/audience.ts'
import { FeedEvent } from './feed/event-data.ts'
import { createFeedReader } from './feed/feed.ts'

const maxWaitSeconds = 25

const Sequence = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

const EventPage = named(
  'EventFeedPage',
  Type.Object({
    events: Type.Array(FeedEvent),
    next: { ...Sequence, description: 'The value of `After` for the next request.' },
  }),
)

const query = Type.Object({
  After: Type.Optional(
    Type.Unsafe<number | 'latest'>({
      ...Sequence,
      type: ['integer', 'string'],
      if: { type: 'integer' },
      else: { enum: ['latest'], fault: 'must be a whole number or latest' },
      description:
        'Only events after this number, which is `next` of the previous page. `latest`: only events after ' +
        'now. Without it, or with 0, the feed is read from the oldest event that is kept.',
    }),
  ),
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
    description: 'How long to wait for an event if there is none yet.',
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
      'Every event has a number. The numbers of an organisation rise without gaps and appear in order, so ' +
      'a reader who continues from `next` misses nothing and gets nothing twice. Numbers that are left ' +
      'out belong to events that are not for the token. A page has at most 500 events, and may have fewer ' +
      'or none although there are more: the end is reached when `next` is the number in `After`. Events ' +
      'are kept for 90 days. A number after which events have been deleted is refused, as is one that the ' +
      'feed has not reached.\n\n' +
      'With `Accept: text/event-stream` the response is an endless stream: a message for each event, with ' +
      'its number as id and the event as data, and a comment every 15 seconds. The stream ends when the ' +
      'token expires; continue with the header `Last-Event-ID`. A person has at most 5 streams at a time, ' +
      'an organisation 200.',
    query,
    response: jsonTextOrEvents(EventPage),
    ownTransactions: true,
    async handle({ database, actor, query, signal, stopping, streamRequest }) {
      const audience = decideAudience(actor, query.Types)
      const lastEventId = streamRequest?.lastEventId
      const reader = await createFeedReader(
        database,
        audience,
        lastEventId === undefined ? query.After : sequenceOf(lastEventId),
      )
      if (streamRequest !== undefined) return new EventStream(ended => reader.follow(ended))
      const waitTimeout = AbortSignal.timeout(query.WaitSeconds * 1000)
      const ended =
        query.WaitSeconds === 0 ? AbortSignal.abort() : AbortSignal.any([signal, stopping, waitTimeout])
      const { entries, next } = await reader.page(ended)
      return `{"events":[${entries.map(({ text }) => text).join(',')}],"next":${next}}`
    },
  }),
]

/** The number after which a stream continues. Refuses (400) an invalid one. */
function sequenceOf(lastEventId: string): number {
  const sequence = /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : undefined
  if (sequence === undefined) throw validationFailed('Last-Event-ID must be the number of an event.')
  return sequence
}
