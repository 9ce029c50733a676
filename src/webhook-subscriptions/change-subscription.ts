// Changes where a subscription is sent and which keys sign it. Decision 6.

import type { Actor } from '../access/actor.ts'
import { requireScope } from '../access/scopes.ts'
import { sql, type Tx } from '../platform/database/db.ts'
import { updateFields } from '../platform/database/write.ts'
import { faultAt } from '../platform/http/fault.ts'
import { notFound, verificationFailed } from '../platform/http/refusal.ts'
import { allClearable, allOmittable, named, type Static, Type } from '../platform/http/schema.ts'
import { normaliseAddress } from '../platform/outgoing/public-address.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { type EventType, eventScope } from '../vocabulary/events.ts'
import { joinCreator, visibleSubscriptions } from './subscription.ts'

export const maxUrlLength = 2_000

export const SigningKey = Type.String({ minLength: 1, maxLength: 200 })

/** The same rules hold for the URL as in a new subscription. */
export const WebhookSubscriptionChange = named(
  'WebhookSubscriptionChange',
  Type.Object({
    ...allOmittable({ webhookUrl: Type.String({ maxLength: maxUrlLength }) }),
    ...allClearable({ signingKey1: SigningKey, signingKey2: SigningKey }),
  }),
)
type Change = Static<typeof WebhookSubscriptionChange>

const fieldNames = ['webhookUrl', 'signingKey1', 'signingKey2'] as const

type KeyName = 'signingKey1' | 'signingKey2'
interface Stored extends Record<KeyName, Buffer | null> {
  eventType: EventType
  webhookUrl: string
  isSignedByApp: boolean
}

/**
 * Changes a subscription, and returns whether anything is different. Refuses a token that may not read its
 * events (403), and to take away its last key if no app signs it (400). Keys are compared as text: sealed
 * ones always differ.
 */
export async function changeSubscription(
  tx: Tx,
  secretBox: SecretBox,
  actor: Actor,
  id: string,
  { webhookUrl, ...keys }: Change,
): Promise<boolean> {
  const stored = await tx.maybe<Stored>(sql`
    select s.event_type, s.webhook_url, s.signing_key1, s.signing_key2, a.built_in is null as is_signed_by_app
    from webhook_subscription s ${joinCreator}
    where ${visibleSubscriptions(actor)} and s.id = ${id} for update of s`)
  if (stored === undefined) throw notFound('Webhook subscription')
  requireScope(actor, eventScope(stored.eventType))
  const present = (name: KeyName) => (stored[name] === null ? null : secretBox.open(stored[name]).toString())
  const keyChanges = (['signingKey1', 'signingKey2'] as const).flatMap(name => {
    if (keys[name] === undefined) return []
    const key = keys[name] || null
    return key === present(name) ? [] : [[name, key] as const]
  })
  const left = { ...stored, ...Object.fromEntries(keyChanges) }
  const hasKey = left.signingKey1 !== null || left.signingKey2 !== null
  if (!stored.isSignedByApp && keyChanges.length > 0 && !hasKey)
    throw verificationFailed(
      faultAt(
        'signingKey1',
        'cannot be taken away: no app signs the deliveries, and no other key does',
        'state',
      ),
    )
  const url = webhookUrl === undefined ? stored.webhookUrl : normaliseAddress(webhookUrl)
  const change = {
    ...(url === stored.webhookUrl ? {} : { webhookUrl: url }),
    ...Object.fromEntries(keyChanges.map(([name, key]) => [name, key && secretBox.seal(Buffer.from(key))])),
  }
  const isSubscription = sql`organisation_id = ${actor.organisationId} and id = ${id}`
  return (await tx.run(updateFields('webhook_subscription', fieldNames, change, isSubscription))) > 0
}
