// Which events a reader of the feed receives: the types that the scopes of the token include and, for people
// of a partner, only events about the partner, as with webhook subscriptions. Decisions 3, 6.

import type { Actor } from '../../access/actor.ts'
import { hasRequiredScope } from '../../access/scopes.ts'
import { forbidden } from '../../platform/http/refusal.ts'
import { type EventScope, eventScope, FeedEventType, isForPartner } from '../../vocabulary/events.ts'

/** Any of these scopes lets a token read the feed. Which ones it has decides which types it receives. */
export const feedScopes: readonly EventScope[] = ['consignment.read', 'financial.read', 'job.read']

/** The events that a reader receives. */
export interface Audience {
  readonly organisationId: string
  readonly types: ReadonlySet<FeedEventType>
  /** only events about this partner; null for the organisation's own people */
  readonly partnerId: string | null
}

/** The facts that decide which readers receive an event. */
export interface EventFacts {
  readonly type: FeedEventType
  readonly clientId: string | null
  readonly carrierId: string | null
}

/**
 * The events that an actor receives: those of the requested types, or of all types that it may receive.
 * Refuses (403) a requested type that it may not receive.
 */
export function decideAudience(actor: Actor, requested: readonly FeedEventType[] | undefined): Audience {
  const { organisationId, partnerId, partnerKind } = actor
  const isInScope = (type: FeedEventType) => hasRequiredScope(actor, eventScope(type))
  const isAllowedForPartner = (type: FeedEventType) => partnerKind === null || isForPartner(partnerKind, type)
  for (const type of requested ?? []) {
    if (!isInScope(type)) throw forbidden(`The token needs the scope ${eventScope(type)}.`)
    if (!isAllowedForPartner(type))
      throw forbidden(`A token that belongs to a ${partnerKind} cannot receive events of the type ${type}.`)
  }
  const types = Object.values(FeedEventType).filter(type => isInScope(type) && isAllowedForPartner(type))
  return { organisationId, types: new Set(requested ?? types), partnerId }
}

/**
 * Whether an audience includes an event. A partner is either a client or a carrier, so its id can match only
 * one of the two. read-feed.ts has the same condition in SQL.
 */
export const includesEvent = (
  { types, partnerId }: Audience,
  { type, clientId, carrierId }: EventFacts,
): boolean => types.has(type) && (partnerId === null || partnerId === clientId || partnerId === carrierId)
