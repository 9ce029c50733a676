// Who is told what by the feed: the types that the scopes of a token reach, and for people of a partner what
// is about it, as with webhook subscriptions. Open-points 3, 6.

import type { Actor } from '../../platform/http/actor.ts'
import { forbidden } from '../../platform/http/refusal.ts'
import { hasRequiredScope } from '../../platform/http/scopes.ts'
import { type EventScope, FeedEventType, isForPartner, scopeOf } from '../event.ts'

/** Any of these lets a token read the feed; which types it is told of follows from which it has. */
export const feedScopes: readonly EventScope[] = ['consignment.read', 'financial.read', 'job.read']

/** What a reader is told. */
export interface Audience {
  readonly organisationId: string
  readonly types: ReadonlySet<FeedEventType>
  /** only events about this partner; null for the organisation's own people */
  readonly partnerId: string | null
}

/** What decides who is told of an event. */
export interface Subject {
  readonly type: FeedEventType
  readonly clientId: string | null
  readonly carrierId: string | null
}

/**
 * What an actor is told of the types that it asks for, all where it names none. A type that it may not be
 * told of is refused (403).
 */
export function audienceOf(actor: Actor, asked: readonly FeedEventType[] | undefined): Audience {
  const { organisationId, partnerId, partnerKind } = actor
  const isReached = (type: FeedEventType) => hasRequiredScope(actor, scopeOf(type))
  const isOwn = (type: FeedEventType) => partnerKind === null || isForPartner(partnerKind, type)
  for (const type of asked ?? []) {
    if (!isReached(type)) throw forbidden(`The token needs the scope ${scopeOf(type)}.`)
    if (!isOwn(type))
      throw forbidden(
        `A token that belongs to a ${partnerKind} cannot be told of events of the type ${type}.`,
      )
  }
  const types = Object.values(FeedEventType).filter(type => isReached(type) && isOwn(type))
  return { organisationId, types: new Set(asked ?? types), partnerId }
}

/**
 * Whether an audience is told of an event. Its partner is either a client or a carrier, and so stands in one
 * of the two places only; read-feed.ts has the same in SQL.
 */
export const isToldOf = ({ types, partnerId }: Audience, { type, clientId, carrierId }: Subject): boolean =>
  types.has(type) && (partnerId === null || partnerId === clientId || partnerId === carrierId)
