// The delivery table as a queue: claiming what is due under a lease, and writing what came of it. Spec 6.5,
// 3; open-points 6.

import type { EventType } from '../../events/event.ts'
import { type Database, sql, type Tx } from '../../platform/database/db.ts'
import { DeliveryStatus, SubscriptionStatus } from '../enumerations.ts'
import { isServed, joinMaker } from '../subscription.ts'
import { firstAllowance } from './concurrency.ts'

/** A delivery that this process holds until its lease ends. */
export interface Claimed {
  organisationId: string
  subscriptionId: string
  id: string
  leaseNumber: number
  /** when it was claimed, by the database's clock */
  atUtc: string
  webhookUrl: string
  /** sealed: SHA-256 of the app's secret, and the signing keys */
  secretHash: Buffer
  signingKey1: Buffer | null
  signingKey2: Buffer | null
  eventId: string
  eventType: EventType
  eventCreatedUtc: string
  /** JSON text, to be sent as it is */
  data: string
}

/** One attempt, as the delivery keeps it. */
export interface Attempt {
  atUtc: string
  statusCode: number | null
  durationMs: number
  error: string | null
  answer: string | null
}

/** What came of a claimed delivery. `error` of the attempt is null exactly when it succeeded. */
export interface Outcome {
  claimed: Pick<Claimed, 'organisationId' | 'id' | 'leaseNumber'>
  attempt: Attempt
}

/** Where a scan for due work goes on: after this organisation and subscription. */
export type Position = readonly [organisationId: string, subscriptionId: string]

const nobody = '00000000-0000-0000-0000-000000000000'
export const beginning: Position = [nobody, nobody]

/** Attempts in all; after the last failed one the subscription is Failed. */
export const maxAttempts = 5

/**
 * What is due for a subscription `s`, first attempts (0) or retries (1), in the order in which it fell due;
 * written as the index has it.
 */
const dueOf = (attempted: 0 | 1) => sql`
  select d.organisation_id, d.id, d.event_id from webhook_delivery d
  where d.organisation_id = s.organisation_id and d.webhook_subscription_id = s.id and d.status = 1
    and least(d.attempt_count, 1) = ${attempted}
    and d.due_utc <= now()
  order by d.due_utc limit allowed.n for update skip locked`

/**
 * Claims up to `limit` due deliveries of subscriptions after `position`, of each not more than its allowance,
 * and leases them for `leaseSeconds`.
 *
 * The first part steps from one subscription with pending work to the next through the index, and never reads
 * a backlog: one subscription with a million waiting deliveries costs as much as one with a single one.
 * Nothing is claimed for failed or deleted subscriptions, disabled apps and `crowded` organisations.
 *
 * Retries that are due go before first attempts: behind a backlog that only grows, no delivery to a receiver
 * that is gone would ever be tried for the last time.
 */
export function claim(
  database: Database,
  {
    position,
    limit,
    crowded,
    allowances,
    leaseSeconds,
  }: {
    position: Position
    limit: number
    crowded: readonly string[]
    allowances: Record<string, number>
    leaseSeconds: number
  },
): Promise<Claimed[]> {
  const [organisationId, subscriptionId] = position
  return database.inOneStatement(tx =>
    tx.rows<Claimed>(sql`
      with recursive waiting as (
        (select d.organisation_id, d.webhook_subscription_id from webhook_delivery d
          where d.status = 1 and (d.organisation_id, d.webhook_subscription_id) > (${organisationId}::uuid,
            ${subscriptionId}::uuid)
          order by 1, 2 limit 1)
        union all
        select next.* from waiting w cross join lateral (
          select d.organisation_id, d.webhook_subscription_id from webhook_delivery d
          where d.status = 1 and (d.organisation_id, d.webhook_subscription_id) > (w.organisation_id,
            w.webhook_subscription_id)
          order by 1, 2 limit 1) next
      ), claimed as materialized (
        select due.*, s.webhook_url, s.signing_key1, s.signing_key2, a.secret_hash
        from waiting w
        join webhook_subscription s on s.organisation_id = w.organisation_id
          and s.id = w.webhook_subscription_id
        ${joinMaker} and ${isServed} and s.organisation_id <> all(${crowded as string[]}::uuid[])
        cross join lateral (select coalesce((${JSON.stringify(allowances)}::jsonb ->> s.id::text)::int,
          ${firstAllowance}) as n offset 0) allowed
        cross join lateral (
          select * from (${dueOf(1)}) retries union all select * from (${dueOf(0)}) first_attempts
            limit allowed.n) due
        limit ${limit}
      )
      update webhook_delivery d set due_utc = now() + ${leaseSeconds} * interval '1 second',
        lease_number = d.lease_number + 1
      from claimed c join event e on e.organisation_id = c.organisation_id and e.id = c.event_id
      where d.organisation_id = c.organisation_id and d.id = c.id
      returning d.organisation_id, d.webhook_subscription_id as subscription_id, d.id, d.lease_number, now()
        as at_utc, c.webhook_url, c.secret_hash,
        c.signing_key1, c.signing_key2, e.id as event_id, e.type as event_type, e.created_utc
          as event_created_utc, e.data::text as data`),
  )
}

/**
 * Writes outcomes, each only if its lease is still the latest, and fails the subscriptions of deliveries that
 * failed for the last time. `retrySeconds` are the delays after the first, second … failure. Returns how many
 * were written.
 */
export function settle(
  database: Database,
  outcomes: readonly Outcome[],
  retrySeconds: readonly number[],
): Promise<number> {
  const rows = outcomes.map(({ claimed: { organisationId, id, leaseNumber }, attempt }) => ({
    organisation_id: organisationId,
    id,
    lease_number: leaseNumber,
    attempt,
  }))
  return database.atomically(async tx => {
    const written = await tx.rows<Failure & { status: number }>(sql`
      update webhook_delivery d set
        status = case when r.attempt ->> 'error' is null then ${DeliveryStatus.Delivered}::int
          when d.attempt_count + 1 >= ${maxAttempts} then ${DeliveryStatus.Failed} else
            ${DeliveryStatus.Pending} end,
        attempt_count = d.attempt_count + 1,
        attempts = d.attempts || r.attempt,
        due_utc = now() + coalesce((${retrySeconds as number[]}::float8[])[d.attempt_count + 1], 0)
          * interval '1 second'
      from json_to_recordset(${JSON.stringify(rows)}) as r (organisation_id uuid, id uuid,
        lease_number integer, attempt jsonb)
      where d.organisation_id = r.organisation_id and d.id = r.id and d.lease_number = r.lease_number
        and d.status = ${DeliveryStatus.Pending}
      returning d.organisation_id, d.webhook_subscription_id as subscription_id, d.id, d.status,
        r.attempt ->> 'error' as error`)
    const failures = written.filter(({ status }) => status === DeliveryStatus.Failed)
    if (failures.length > 0) await failSubscriptions(tx, failures)
    return written.length
  })
}

interface Failure {
  organisationId: string
  subscriptionId: string
  id: string
  error: string
}

async function failSubscriptions(tx: Tx, failures: Failure[]): Promise<void> {
  const rows = failures.map(({ organisationId, subscriptionId, id, error }) => ({
    organisation_id: organisationId,
    id: subscriptionId,
    last_failure: `Delivery ${id} failed ${maxAttempts} times, at last with: ${error}`,
  }))
  // In one order, so that two processes that fail the same subscriptions do not wait for each other.
  await tx.run(sql`
    with f as materialized (
      select distinct on (s.organisation_id, s.id) s.organisation_id, s.id, f.last_failure
      from json_to_recordset(${JSON.stringify(rows)}) as f (organisation_id uuid, id uuid, last_failure text)
      join webhook_subscription s on s.organisation_id = f.organisation_id and s.id = f.id
      order by s.organisation_id, s.id
    )
    update webhook_subscription s set status = ${SubscriptionStatus.Failed}, last_failure = f.last_failure,
      last_failure_utc = now()
    from f where s.organisation_id = f.organisation_id and s.id = f.id
      and s.status = ${SubscriptionStatus.Active}`)
}

/** Gives claimed deliveries back before their lease ends, for whoever looks next. */
export async function giveBack(database: Database, claimed: readonly Claimed[]): Promise<void> {
  const rows = claimed.map(({ organisationId, id, leaseNumber }) => ({
    organisation_id: organisationId,
    id,
    lease_number: leaseNumber,
  }))
  await database.inOneStatement(tx =>
    tx.run(sql`
      update webhook_delivery d set due_utc = now(), lease_number = d.lease_number + 1
      from json_to_recordset(${JSON.stringify(rows)}) as r (organisation_id uuid, id uuid,
        lease_number integer)
      where d.organisation_id = r.organisation_id and d.id = r.id and d.lease_number = r.lease_number
        and d.status = ${DeliveryStatus.Pending}`),
  )
}
