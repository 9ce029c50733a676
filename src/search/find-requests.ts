// Finds what a request did, by its id: the records that its events are about, imports that wait, entries of
// the organisation's history, and the deliveries of its events.

import type { Actor } from '../access/actor.ts'
import { hasRequiredScope, type RequiredScope } from '../access/scopes.ts'
import { visibleImports } from '../consignment-imports/visible-imports.ts'
import { empty, join, type Sql, sql } from '../platform/database/db.ts'
import { visibleSubscriptions } from '../webhook-subscriptions/subscription.ts'
import { maxEntries, type SearchKind } from './search-kind.ts'

/** What a request can have done. */
export const deedKinds = ['consignment', 'import', 'schedule', 'job', 'history', 'delivery'] as const

const by = sql`concat_ws(', ', e.user_name, e.app_name)`

/** The events of the request that the actor may read: of a client or carrier, its own. */
const eventsOf = (actor: Actor, requestId: string): Sql => sql`(
  select e.* from event e
  where e.organisation_id = ${actor.organisationId} and e.request_id = ${requestId}
    ${actor.partnerId === null ? empty : sql`and ${actor.partnerId} in (e.client_id, e.carrier_id)`}
  order by e.id limit ${maxEntries}) e`

interface Deed {
  scope: RequiredScope
  partners: readonly Actor['partnerKind'][]
  find(actor: Actor, requestId: string): Sql
}

/** The records of a table that events of the request are about. */
const subjects = (of: string, table: Sql, name: Sql) => (actor: Actor, requestId: string) =>
  sql`
  select distinct on (r.id) r.id, null::uuid as parent_id, ${name} as title, ${by} as subtitle,
    r.status::int as status, ${of} as of
  from ${eventsOf(actor, requestId)}
  join ${table} r on r.organisation_id = e.organisation_id and r.id = e.subject_id
  order by r.id limit 3`

const deeds: readonly Deed[] = [
  {
    scope: 'consignment.read',
    partners: [null, 'client', 'carrier'],
    find: subjects('consignment', sql`consignment`, sql`r.consignment_number`),
  },
  {
    scope: 'financial.read',
    partners: [null, 'client', 'carrier'],
    find: subjects(
      'schedule',
      sql`partner_schedule`,
      sql`coalesce(r.invoice_number, r.reference_number,
      r.date::text)`,
    ),
  },
  {
    scope: 'job.read',
    partners: [null, 'client'],
    find: subjects('job', sql`job`, sql`r.job_number`),
  },
  {
    scope: 'consignment.read',
    partners: [null, 'client'],
    find: (actor, requestId) => sql`
      select i.id, null::uuid, coalesce(i.reference_number, i.id::text), i.client_code, i.status::int,
        'import'
      from consignment_import i
      where ${visibleImports(actor)} and i.request_id = ${requestId} and i.status in (2, 4)
      order by i.id limit 1`,
  },
  {
    scope: 'organisation.read',
    partners: [null],
    find: ({ organisationId }, requestId) => sql`
      select e.id, e.subject_id, e.subject, ${by}, null::int, 'history'
      from administration_entry e
      where e.organisation_id = ${organisationId} and e.request_id = ${requestId}
      order by e.at_utc, e.id limit 2`,
  },
  {
    scope: 'any',
    partners: [null, 'client', 'carrier'],
    find: (actor, requestId) => sql`
      select d.id, d.webhook_subscription_id, s.webhook_url, e.type::text, d.status::int, 'delivery'
      from ${eventsOf(actor, requestId)}
      join webhook_delivery d on d.organisation_id = e.organisation_id and d.event_id = e.id
      join webhook_subscription s on s.organisation_id = d.organisation_id
        and s.id = d.webhook_subscription_id
      where ${visibleSubscriptions(actor)}
      order by d.status desc, d.id limit 2`,
  },
]

export const requestSearch: SearchKind = {
  scope: 'any',
  partners: [null, 'client', 'carrier'],
  find(actor, { text }) {
    const parts = deeds
      .filter(({ scope, partners }) => hasRequiredScope(actor, scope) && partners.includes(actor.partnerKind))
      .map(deed => sql`(${deed.find(actor, text)})`)
    return join(parts, ' union all ')
  },
}
