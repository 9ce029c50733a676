// What waits for a person: one item for each kind of thing, if there is any that the token may read.

import type { Actor } from '../access/actor.ts'
import { endpoint } from '../access/endpoint.ts'
import type { RequiredScope } from '../access/scopes.ts'
import { hasRequiredScope } from '../access/scopes.ts'
import { visibleImports } from '../consignment-imports/visible-imports.ts'
import { dueDateTime } from '../consignments/list/due.ts'
import { lateConsignments } from '../consignments/list/find-in-order.ts'
import { shortLines } from '../floor/shortages.ts'
import { printJobs, visiblePrintJobs } from '../paper/print-jobs/print-job.ts'
import { offlineReason, printersWithBridges } from '../paper/printers/printer.ts'
import { join, raw, type Sql, sql } from '../platform/database/db.ts'
import { json } from '../platform/http/endpoint.ts'
import { named, nullable, Type, UtcTime } from '../platform/http/schema.ts'
import { visibleCounts } from '../stock/counts/stock-count.ts'
import { BillingRunStatus, ScheduleStatus } from '../vocabulary/billing.ts'
import { ImportStatus } from '../vocabulary/imports.ts'
import { SetUpStatus } from '../vocabulary/reference-data.ts'
import { StockCountStatus } from '../vocabulary/stock.ts'
import { SubscriptionStatus } from '../vocabulary/webhooks.ts'
import { visibleSubscriptions } from '../webhook-subscriptions/subscription.ts'

/** Something that can wait for a person, and where it is found. */
interface Concern {
  scope: RequiredScope
  partners: readonly Actor['partnerKind'][]
  /** the records, as the part of a query after `from` */
  from(actor: Actor): Sql
  /** the record that has waited longest, in words, and since when it has, if that is known */
  sample: Sql
  since: Sql
  order: Sql
  /** the words for one and for several */
  words: readonly [one: string, several: string]
  /** the address of the list in the portal */
  path: string
}

const everybody = [null, 'client', 'carrier'] as const
const unknown = sql`null::timestamptz`

const concerns = {
  importsWaiting: {
    scope: 'consignment.read',
    partners: [null, 'client'],
    from: actor => sql`consignment_import i
      where ${visibleImports(actor)} and i.status = ${raw(String(ImportStatus.PendingReconciliation))}`,
    sample: sql`(select min(r.message) from consignment_import_reason r
      where r.organisation_id = i.organisation_id and r.consignment_import_id = i.id)`,
    since: sql`i.received_utc`,
    order: sql`i.id`,
    words: ['import waits', 'imports wait'],
    path: '/imports',
  },
  subscriptionsFailed: {
    scope: 'any',
    partners: everybody,
    from: actor => sql`webhook_subscription s
      where ${visibleSubscriptions(actor)} and s.status = ${SubscriptionStatus.Failed}`,
    sample: sql`s.webhook_url`,
    since: sql`s.last_failure_utc`,
    order: sql`s.last_failure_utc, s.id`,
    words: ['webhook subscription has failed', 'webhook subscriptions have failed'],
    path: '/developers',
  },
  printsInDoubt: {
    scope: 'print',
    partners: [null, 'client'],
    from: actor => sql`${printJobs} where ${visiblePrintJobs(actor)} and j.is_in_doubt`,
    sample: sql`j.name`,
    since: sql`j.finished_utc`,
    order: sql`j.finished_utc, j.id`,
    words: ['print job may not have been printed', 'print jobs may not have been printed'],
    path: '/printing',
  },
  printersOffline: {
    scope: 'warehouse.read',
    partners: [null],
    from: ({ organisationId }) => sql`${printersWithBridges} where p.organisation_id = ${organisationId}
      and p.status = ${SetUpStatus.Active} and ${offlineReason} is not null`,
    sample: sql`p.name`,
    since: sql`b.last_seen_utc`,
    order: sql`b.last_seen_utc, p.id`,
    words: ['printer is offline', 'printers are offline'],
    path: '/printing',
  },
  countsToApprove: {
    scope: 'inventory.read',
    partners: [null, 'client'],
    from: actor =>
      sql`stock_count c where ${visibleCounts(actor)} and c.status = ${StockCountStatus.Counted}`,
    sample: sql`c.stock_count_number`,
    since: unknown,
    order: sql`c.number`,
    words: ['count waits for approval', 'counts wait for approval'],
    path: '/counts',
  },
  linesShort: {
    scope: 'inventory.read',
    partners: [null, 'client'],
    from: shortLines,
    sample: sql`c.consignment_number`,
    since: unknown,
    order: sql`c.priority desc, c.expected_dispatch_date_time nulls last, c.number`,
    words: ['line lacks stock', 'lines lack stock'],
    path: '/shortages',
  },
  late: {
    scope: 'consignment.read',
    partners: everybody,
    from: lateConsignments,
    sample: sql`t.consignment_number`,
    since: sql`now() - (clock.local_now - ${dueDateTime})`,
    order: sql`${dueDateTime}, t.number`,
    words: ['consignment is late', 'consignments are late'],
    path: '/consignments?Status=-1&IsLate=true&Sort=due',
  },
  billingRunsFailed: {
    scope: 'financial.read',
    partners: [null],
    from: ({ organisationId }) => sql`billing_run r
      join partner p on p.organisation_id = r.organisation_id and p.id = r.partner_id
      where r.organisation_id = ${organisationId} and r.status = ${BillingRunStatus.Failed}`,
    sample: sql`p.name`,
    since: unknown,
    order: sql`r.created_utc, r.id`,
    words: ['billing run has failed', 'billing runs have failed'],
    path: '/billing',
  },
  schedulesDiffer: {
    scope: 'financial.read',
    partners: [null],
    from: ({ organisationId }) => sql`schedule_proof f
      join partner_schedule s on s.organisation_id = f.organisation_id and s.id = f.partner_schedule_id
      join partner p on p.organisation_id = s.organisation_id and p.id = s.partner_id
      where f.organisation_id = ${organisationId} and f.differs
        and s.status = ${raw(String(ScheduleStatus.Draft))}`,
    sample: sql`concat_ws(', ', p.name, s.date)`,
    since: unknown,
    order: sql`s.date, s.id`,
    words: ['schedule differs from its proof', 'schedules differ from their proof'],
    path: '/schedules',
  },
} satisfies Record<string, Concern>

const kinds = Object.keys(concerns) as (keyof typeof concerns)[]

const Attention = named(
  'Attention',
  Type.Object({
    items: Type.Array(
      Type.Object({
        key: Type.String({ description: 'Identifies the item among the others.' }),
        kind: Type.Enum(kinds, { description: 'What waits.' }),
        n: Type.Integer({ description: 'How many records wait.' }),
        text: Type.String({ examples: ['3 imports wait'] }),
        sample: nullable(Type.String({ description: 'The first of them, in words.' })),
        sinceUtc: nullable({
          ...UtcTime,
          description: 'Since when the first of them waits, if that is known.',
        }),
        path: Type.String({ description: 'Where the portal lists them.' }),
      }),
      { description: 'One for each kind of which there is something.' },
    ),
  }),
)

export const attention = [
  endpoint({
    get: '/v1/attention',
    name: 'listAttention',
    partners: 'all',
    scope: 'any',
    extension: true,
    summary: 'List what waits for a person',
    description:
      'Imports that wait, failed webhook subscriptions, print jobs in doubt, printers that are offline, ' +
      'counts to approve, lines that lack stock, late consignments, failed billing runs, and Draft ' +
      'schedules that differ from their proof: each kind of which there is something that the token may ' +
      'read.',
    response: json(Attention),
    async handle({ db, actor }) {
      const asked = kinds.filter(kind => {
        const { scope, partners }: Concern = concerns[kind]
        return hasRequiredScope(actor, scope) && partners.includes(actor.partnerKind)
      })
      const found = await db.rows<{
        kind: keyof typeof concerns
        n: number
        sample: string
        sinceUtc: string
      }>(
        join(
          asked.map(kind => firstOf(kind, concerns[kind], actor)),
          ' union all ',
        ),
      )
      const items = found.map(({ kind, n, sample, sinceUtc }) => {
        const { words, path } = concerns[kind]
        return { key: kind, kind, n, text: `${n} ${words[n === 1 ? 0 : 1]}`, sample, sinceUtc, path }
      })
      return { items }
    },
  }),
]

/** A statement for the number of records of a kind and the first of them; without a row if there are none. */
const firstOf = (kind: string, { from, sample, since, order }: Concern, actor: Actor): Sql => sql`
  select ${raw(`'${kind}'`)} as kind, counted.n, earliest.*
  from (select count(*) as n from ${from(actor)}) counted
  cross join lateral (
    select ${sample} as sample, ${since} as since_utc from ${from(actor)} order by ${order} limit 1) earliest`
