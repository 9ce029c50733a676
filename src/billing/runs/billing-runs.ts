// The endpoints of billing runs: a run creates the bill of one partner for one period. Decision 7.

import { endpoint } from '../../access/endpoint.ts'
import { empty, type Sql, sql } from '../../platform/database/db.ts'
import { created, json } from '../../platform/http/endpoint.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { pageOf, pageQuery, readPage } from '../../platform/http/paging.ts'
import { conflict, notFound, verificationFailed } from '../../platform/http/refusal.ts'
import {
  allNullable,
  Integer,
  IntegerEnum,
  named,
  optional,
  PlainDate,
  type Static,
  Type,
  UtcTime,
  Uuid,
} from '../../platform/http/schema.ts'
import { hint } from '../../platform/work/hints.ts'
import { BillingRunStatus, BillingRunStep } from '../../vocabulary/billing.ts'
import { PartnerStatus } from '../../vocabulary/partners.ts'
import {
  type BilledPartner,
  firstUnbilledUpTo,
  maxDaysBack,
  periodsOf,
  type StockedWarehouse,
  warehousesOf,
} from './billed-partner.ts'
import { addDays, instantAt } from './billing-period.ts'
import { insertRun, lockBilledPartner } from './plan-runs.ts'

const BillingRun = named(
  'BillingRun',
  Type.Object({
    id: Uuid,
    partner: Type.Object({ id: Uuid, name: Type.String(), code: Type.String() }),
    periodFrom: PlainDate,
    periodTo: PlainDate,
    status: IntegerEnum(BillingRunStatus),
    step: IntegerEnum(BillingRunStep),
    dueUtc: { ...UtcTime, description: 'When it is started; for a failed run, when it is retried.' },
    failedAttempts: Integer,
    closedCount: { ...Integer, description: 'How many consignments it Closed.' },
    refusedCount: {
      ...Integer,
      description: 'How many consignments it left Complete because no rate charges some of their work.',
    },
    createdUtc: UtcTime,
    ...allNullable({ failure: Type.String(), doneUtc: UtcTime }),
    partnerScheduleIds: Type.Array(Uuid, {
      description: 'The schedules that it created; none if there was nothing to bill.',
    }),
  }),
)

const columns = sql`b.id, json_build_object('id', p.id, 'name', p.name, 'code', p.code) as partner,
  b.period_from, b.period_to, b.status, b.step, b.due_utc, b.failed_attempts, b.closed_count,
  b.refused_count, b.created_utc, b.failure, b.done_utc,
  array(
    select s.id from partner_schedule s
    where s.organisation_id = b.organisation_id and s.billing_run_id = b.id order by s.id
  )::text[] as partner_schedule_ids`

/** Refuses (400) a period whose last day is not over for the organisation, and in each of the warehouses. */
function refusePeriodToCome(
  { today, timezoneId }: BilledPartner,
  warehouses: readonly StockedWarehouse[],
  to: string,
): void {
  const refuse = (whose: string) =>
    verificationFailed(`The period ends on ${to}, a day that is not over ${whose}.`)
  // A date of the far future has no day after it: it is compared before its end is computed.
  if (to >= today) throw refuse(`for the organisation (${timezoneId})`)
  const open = warehouses.find(one => instantAt(`${addDays(to, 1)}T00:00:00`, one.timezoneId) > new Date())
  if (open !== undefined) throw refuse(`in the warehouse ${open.name} (${open.timezoneId})`)
}

const from = (organisationId: string): Sql => sql`billing_run b
  join partner p on p.organisation_id = b.organisation_id and p.id = b.partner_id
  where b.organisation_id = ${organisationId}`

export const billingRuns = [
  endpoint({
    get: '/v1/billing-runs',
    name: 'listBillingRuns',
    partners: 'none',
    scope: 'financial.read',
    extension: true,
    summary: 'List billing runs, the latest period first',
    query: pageQuery({
      PartnerId: Type.Optional(Uuid),
      Status: Type.Optional(IntegerEnum(BillingRunStatus)),
    }),
    response: json(pageOf('billingRuns', BillingRun)),
    handle: ({ db, actor, query }) =>
      readPage(db, 'billingRuns', query, {
        columns,
        from: sql`${from(actor.organisationId)}
          ${query.PartnerId === undefined ? empty : sql`and b.partner_id = ${query.PartnerId}`}
          ${query.Status === undefined ? empty : sql`and b.status = ${query.Status}`}`,
        order: sql`b.period_to desc, b.id desc`,
      }),
  }),
  endpoint({
    get: '/v1/billing-runs/:billingRunId',
    name: 'getBillingRun',
    partners: 'none',
    scope: 'financial.read',
    extension: true,
    summary: 'Read a billing run',
    response: json(BillingRun),
    async handle({ db, actor, params }) {
      const run = await db.maybe<Static<typeof BillingRun>>(
        sql`select ${columns} from ${from(actor.organisationId)} and b.id = ${params.billingRunId}`,
      )
      if (run === undefined) throw notFound('Billing run')
      return run
    },
  }),
  endpoint({
    post: '/v1/billing-runs',
    name: 'createBillingRun',
    partners: 'none',
    scope: 'financial',
    extension: true,
    summary: 'Bill the next period of a partner now',
    description:
      'The period begins after the previous one, or as firstPeriodFrom of the billing rule says; ' +
      'without a rule, with the calendar month of the earliest work. It ends with periodTo or, if that ' +
      'is absent, according to the billing rule, and it must be over. 409 if periodTo is in a period ' +
      'that has a run already.',
    body: named('NewBillingRun', Type.Object({ partnerId: Uuid, periodTo: optional(PlainDate) })),
    response: created('billingRunId', Type.Object({ billingRunId: Uuid })),
    refuses: [409],
    async handle({ tx, actor, body }) {
      const partner = await lockBilledPartner(tx, actor.organisationId, body.partnerId)
      if (partner === undefined)
        throw verificationFailed(faultAt('partnerId', 'does not refer to a partner', 'unknown_reference'))
      if (partner.status === PartnerStatus.Inactive)
        throw verificationFailed(faultAt('partnerId', 'refers to an inactive partner', 'state'))
      const { periodTo } = body
      if (periodTo && partner.billedTo !== null && periodTo <= partner.billedTo)
        throw conflict(`The partner is billed up to ${partner.billedTo} already.`)
      if (periodTo && periodTo < addDays(partner.today, -maxDaysBack))
        throw verificationFailed(faultAt('periodTo', 'must not be more than ten years ago', 'range'))
      const [byRule] = periodsOf(partner, [])
      const to = periodTo ?? byRule?.periodTo
      if (to === undefined)
        throw verificationFailed(faultAt('periodTo', 'is required where the partner has no rule', 'required'))
      const periodFrom = firstUnbilledUpTo(partner, to)
      if (periodFrom === null)
        throw verificationFailed(faultAt('periodTo', 'must not be before billsFrom of the rule', 'range'))
      const period = { periodFrom, periodTo: to }
      refusePeriodToCome(partner, await warehousesOf(tx, partner), to)
      tx.afterCommit(() => hint('billing-runs'))
      return { billingRunId: await insertRun(tx, partner, period, new Date()) }
    },
  }),
]
