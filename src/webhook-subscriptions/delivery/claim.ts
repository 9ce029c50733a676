// The delivery table as a queue: claims due deliveries under a lease, and releases them. Spec 6.5;
// decision 6.

import { type Database, raw, sql } from '../../platform/database/db.ts'
import { Lease, type Leased } from '../../platform/work/lease.ts'
import type { EventType } from '../../vocabulary/events.ts'
import { DeliveryStatus } from '../../vocabulary/webhooks.ts'
import { isDelivering, isPending, joinCreator, signingSecret } from '../subscription.ts'
import { firstAllowance } from './concurrency.ts'

/** The leases of deliveries. They are not renewed: an attempt has a limit that is shorter. */
export const deliveryLease = new Lease({
  table: 'webhook_delivery',
  until: 'due_utc',
  seconds: 45,
  // A literal, because only then can the partial index of pending deliveries be used.
  whileHeld: sql`status = ${raw(String(DeliveryStatus.Pending))}`,
  returned: sql`due_utc = now()`,
})

/** A delivery that this process holds until its lease ends. */
export interface ClaimedDelivery extends Leased {
  subscriptionId: string
  /** failed attempts so far, since the subscription was last reactivated */
  attemptCount: number
  /** when it was claimed, by the database's clock */
  atUtc: string
  webhookUrl: string
  /** encrypted, as are the signing keys: SHA-256 of the app's secret; null if nobody has the secret */
  secretHash: Buffer | null
  signingKey1: Buffer | null
  signingKey2: Buffer | null
  eventId: string
  eventType: EventType
  eventCreatedUtc: string
  /** JSON text, to be sent unchanged */
  data: string
}

/** Where the next scan for due deliveries begins: after this organisation and subscription. */
export type ScanPosition = readonly [organisationId: string, subscriptionId: string]

const lowestUuid = '00000000-0000-0000-0000-000000000000'
export const firstPosition: ScanPosition = [lowestUuid, lowestUuid]

/**
 * The due deliveries of a subscription `s`, either first attempts (0) or retries (1), in the order in which
 * they fell due. The condition is written as in the index, so that PostgreSQL uses it.
 */
const dueOf = (attempted: 0 | 1) => sql`
  select d.organisation_id, d.id, d.event_id from webhook_delivery d
  where d.organisation_id = s.organisation_id and d.webhook_subscription_id = s.id and ${isPending}
    and least(d.attempt_count, 1) = ${attempted} and d.due_utc <= now()
  order by d.due_utc limit allowed.n for update skip locked`

/**
 * Claims up to `limit` due deliveries of subscriptions after `position`, at most its allowance of each, and
 * leases them to the worker for `leaseSeconds`.
 *
 * The recursive part steps through the index from one subscription with pending deliveries to the next, and
 * never reads a backlog: a subscription with a million waiting deliveries costs as much as one with a single
 * delivery. Nothing is claimed for subscriptions that are not served or for `saturatedOrganisations`.
 *
 * Due retries come before first attempts. Otherwise, behind a backlog that only grows, no delivery to a
 * receiver that is gone would ever reach its last attempt.
 */
export function claimDeliveries(
  database: Database,
  {
    position,
    limit,
    saturatedOrganisations,
    allowances,
    leaseSeconds,
    workerId,
  }: {
    position: ScanPosition
    limit: number
    saturatedOrganisations: readonly string[]
    allowances: Record<string, number>
    leaseSeconds: number
    workerId: string
  },
): Promise<ClaimedDelivery[]> {
  const [organisationId, subscriptionId] = position
  return database.inOneStatement(tx =>
    tx.rows<ClaimedDelivery>(sql`
      with recursive waiting as (
        (select d.organisation_id, d.webhook_subscription_id from webhook_delivery d
          where ${isPending}
            and (d.organisation_id, d.webhook_subscription_id)
              > (${organisationId}::uuid, ${subscriptionId}::uuid)
          order by 1, 2 limit 1)
        union all
        select next.* from waiting w cross join lateral (
          select d.organisation_id, d.webhook_subscription_id from webhook_delivery d
          where ${isPending}
            and (d.organisation_id, d.webhook_subscription_id)
              > (w.organisation_id, w.webhook_subscription_id)
          order by 1, 2 limit 1) next
      ), claimed as materialized (
        select due.*, s.webhook_url, s.signing_key1, s.signing_key2, s.secret_hash
        from waiting w
        cross join lateral (
          select s.*, ${signingSecret} as secret_hash from webhook_subscription s ${joinCreator}
          where s.organisation_id = w.organisation_id and s.id = w.webhook_subscription_id and ${isDelivering}
            and s.organisation_id <> all(${saturatedOrganisations as string[]}::uuid[])
          offset 0
        ) s
        cross join lateral (
          select coalesce((${JSON.stringify(allowances)}::jsonb ->> s.id::text)::int, ${firstAllowance}) as n
          offset 0
        ) allowed
        cross join lateral (
          select * from (${dueOf(1)}) retries
          union all
          select * from (${dueOf(0)}) first_attempts
          limit allowed.n
        ) due
        limit ${limit}
      )
      update webhook_delivery d set ${deliveryLease.taking(workerId, leaseSeconds)}
      from claimed c join event e on e.organisation_id = c.organisation_id and e.id = c.event_id
      where d.organisation_id = c.organisation_id and d.id = c.id
      returning d.organisation_id, d.webhook_subscription_id as subscription_id, d.id, d.lease_number,
        d.attempt_count, now() as at_utc, c.webhook_url, c.secret_hash, c.signing_key1, c.signing_key2,
        e.id as event_id, e.type as event_type, e.created_utc as event_created_utc, e.data::text as data`),
  )
}

/** Releases claimed deliveries before their lease ends, so that they are due again at once. */
export async function releaseClaims(database: Database, claimed: readonly ClaimedDelivery[]): Promise<void> {
  const rows = claimed.map(({ organisationId, id, leaseNumber }) => ({
    organisation_id: organisationId,
    id,
    lease_number: leaseNumber,
  }))
  await database.inOneStatement(tx =>
    tx.run(sql`
      update webhook_delivery d set due_utc = now(), lease_number = d.lease_number + 1, worker_id = null
      from json_to_recordset(${JSON.stringify(rows)}) as r (organisation_id uuid, id uuid,
        lease_number integer)
      where d.organisation_id = r.organisation_id and d.id = r.id and d.lease_number = r.lease_number
        and ${isPending}`),
  )
}
