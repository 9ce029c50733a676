// Back-tests: what a rate card would have charged in a past period. Decision 7.

import { v7 as uuidv7 } from 'uuid'
import type { Actor } from '../../access/actor.ts'
import { endpoint } from '../../access/endpoint.ts'
import { empty, raw, sql } from '../../platform/database/db.ts'
import { refuseViolations } from '../../platform/database/errors.ts'
import { insertInto } from '../../platform/database/write.ts'
import { accepted, done, json } from '../../platform/http/endpoint.ts'
import { pageOf, pageQuery, readPage } from '../../platform/http/paging.ts'
import { conflict, notFound, verificationFailed } from '../../platform/http/refusal.ts'
import {
  allNullable,
  allOptional,
  IntegerEnum,
  named,
  nullable,
  PlainDate,
  type Static,
  Type,
  UtcTime,
  Uuid,
} from '../../platform/http/schema.ts'
import type { ValidationError } from '../../platform/http/validation.ts'
import { hint } from '../../platform/work/hints.ts'
import { BackTestStatus, RateKind, UnratedReason } from '../../vocabulary/billing.ts'
import { largeContentBytes, RateCardContent } from '../evaluator/rate-card-content.ts'
import { requestedVersionFaults } from '../rate-cards/requested-version.ts'
import { backTestHint } from './run-back-tests.ts'
import { selectCard } from './select-card.ts'

const Amount = Type.Number()
const Count = Type.Integer()

const common = {
  id: Uuid,
  status: IntegerEnum(BackTestStatus),
  progress: Type.Integer({ description: 'The progress in percent.' }),
  dateFrom: PlainDate,
  dateTo: PlainDate,
  rateCardVersionId: nullable(Uuid),
  rateCard: nullable(
    Type.Object(
      { id: Uuid, name: Type.String(), versionNumber: Type.Integer() },
      { description: 'The card of the tested version; null for a content that is not stored.' },
    ),
  ),
  partnerIds: Type.Array(Uuid),
  kinds: Type.Array(IntegerEnum(RateKind)),
  createdUtc: UtcTime,
  ...allNullable({ startedUtc: UtcTime, finishedUtc: UtcTime, adjustedUtc: UtcTime }),
  failure: nullable(Type.String()),
  consignmentCount: Count,
  partCount: Count,
  periodCount: Type.Integer({
    description: 'How many billed periods were compared: of storage in a warehouse, and of fees.',
  }),
  ledgerRowCount: Count,
  durationMs: nullable(Count),
  differingCount: Type.Integer({ description: 'How many consignments come to a different amount.' }),
  control: Type.Object(
    { checked: Count, differing: Count },
    {
      description:
        'Every consignment, and every billed period of storage and fees, is derived again by the version ' +
        'that it was billed by. differing, the number of different results, must be 0.',
    },
  ),
  withoutCard: Type.Object(
    { count: Count, byHandExclTax: Amount },
    {
      description:
        'The consignments that no card charged when they were Closed, and the sum of what was entered for ' +
        'them by hand. That sum is in no total, so they count as billed with 0.',
    },
  ),
  totals: Type.Object({ before: Amount, after: Amount, difference: Amount }),
}
const BackTestInList = named('RateCardBackTestInList', Type.Object(common))
const BackTest = named(
  'RateCardBackTest',
  Type.Object({
    ...common,
    rows: Type.Array(
      Type.Object({
        partnerId: Uuid,
        partnerCode: Type.String(),
        month: { ...PlainDate, description: 'The first day of the month.' },
        kind: IntegerEnum(RateKind),
        activityCode: nullable(Type.String()),
        rateId: nullable(Uuid),
        rateName: Type.String(),
        countBefore: Count,
        countAfter: Count,
        amountBefore: Amount,
        amountAfter: Amount,
        difference: Amount,
      }),
    ),
    months: Type.Array(
      Type.Object({
        ...{ partnerId: Uuid, partnerCode: Type.String(), partnerName: Type.String() },
        month: { ...PlainDate, description: 'The first day of the month.' },
        ...{ amountBefore: Amount, amountAfter: Amount, difference: Amount },
      }),
      { description: 'The rows of each partner and month added up.' },
    ),
    unrated: Type.Array(Type.Object({ reason: IntegerEnum(UnratedReason), count: Count })),
  }),
)

const maxDays = 731

function periodFaults(value: unknown): ValidationError[] {
  const { dateFrom, dateTo } = (value ?? {}) as Record<string, unknown>
  if (typeof dateFrom !== 'string' || typeof dateTo !== 'string') return []
  const days = (Date.parse(dateTo) - Date.parse(dateFrom)) / 86_400_000 + 1
  if (days < 1) return [{ path: '/dateTo', problem: 'must not be before dateFrom', code: 'range' }]
  if (days > maxDays)
    return [{ path: '/dateTo', problem: `must be at most ${maxDays} days from dateFrom`, code: 'range' }]
  return []
}

const NewBackTest = named(
  'NewRateCardBackTest',
  Type.Object(
    {
      dateFrom: PlainDate,
      dateTo: { ...PlainDate, description: `The last day, at most ${maxDays} days in all.` },
      ...allOptional({
        rateCardVersionId: Uuid,
        content: RateCardContent,
        partnerIds: Type.Array(Uuid, { minItems: 1, maxItems: 10_000 }),
        kinds: Type.Array(IntegerEnum(RateKind), { minItems: 1, maxItems: 5 }),
      }),
    },
    { rule: (value: unknown) => [...requestedVersionFaults(value), ...periodFaults(value)] },
  ),
)

const columns = sql`t.id, t.status, t.progress, t.date_from, t.date_to, t.rate_card_version_id,
  (
    select json_build_object('id', k.id, 'name', k.name, 'versionNumber', v.number)
    from rate_card_version v
    join rate_card k on k.organisation_id = v.organisation_id and k.id = v.rate_card_id
    where v.organisation_id = t.organisation_id and v.id = t.rate_card_version_id
  ) as rate_card,
  t.partner_ids::text[] as partner_ids, t.kinds, t.created_utc, t.started_utc, t.finished_utc,
  t.adjusted_utc, t.failure, t.consignment_count, t.part_count, t.ledger_row_count, t.duration_ms,
  t.differing_count,
  json_build_object('checked', t.control_checked, 'differing', t.control_differing) as control,
  t.period_count,
  json_build_object('count', t.without_card_count, 'byHandExclTax', t.amount_by_hand) as without_card,
  json_build_object('before', t.amount_before, 'after', t.amount_after,
    'difference', t.amount_after - t.amount_before) as totals`
const ofActor = ({ organisationId }: Actor) =>
  sql`rate_card_back_test t where t.organisation_id = ${organisationId}`

const rows = sql`(
  select coalesce(json_agg(json_build_object('partnerId', r.partner_id, 'partnerCode', p.code,
    'month', r.month, 'kind', r.kind, 'activityCode', r.activity_code, 'rateId', r.rate_id,
    'rateName', r.rate_name, 'countBefore', r.count_before, 'countAfter', r.count_after,
    'amountBefore', r.amount_before, 'amountAfter', r.amount_after,
    'difference', r.amount_after - r.amount_before)
    order by p.code, r.month, r.kind, r.activity_code, r.rate_name, r.ordinal), '[]')
  from rate_card_back_test_row r
  join partner p on p.organisation_id = r.organisation_id and p.id = r.partner_id
  where r.organisation_id = t.organisation_id and r.rate_card_back_test_id = t.id)`

const months = sql`(
  select coalesce(json_agg(json_build_object('partnerId', m.partner_id, 'partnerCode', p.code,
    'partnerName', p.name, 'month', m.month, 'amountBefore', m.before, 'amountAfter', m.after,
    'difference', m.after - m.before) order by p.code, m.month), '[]')
  from (
    select r.partner_id, r.month, sum(r.amount_before) as before, sum(r.amount_after) as after
    from rate_card_back_test_row r
    where r.organisation_id = t.organisation_id and r.rate_card_back_test_id = t.id
    group by r.partner_id, r.month
  ) m
  join partner p on p.organisation_id = t.organisation_id and p.id = m.partner_id)`

const oneAtATime = {
  rate_card_back_test_under_way: () => conflict('A back-test of the organisation is under way already.'),
}
const unfinished = raw(`(${BackTestStatus.Pending}, ${BackTestStatus.Running})`)

export const rateCardBackTests = [
  endpoint({
    get: '/v1/rate-card-back-tests',
    name: 'listRateCardBackTests',
    partners: 'none',
    scope: 'financial.read',
    extension: true,
    summary: 'List back-tests, the newest first',
    description: 'Back-tests are kept for 30 days, or for ever if their differences were billed.',
    query: pageQuery({ Status: Type.Optional(IntegerEnum(BackTestStatus)) }),
    response: json(pageOf('rateCardBackTests', BackTestInList)),
    handle: ({ db, actor, query }) =>
      readPage(db, 'rateCardBackTests', query, {
        columns,
        from: sql`${ofActor(actor)}
          ${query.Status === undefined ? empty : sql`and t.status = ${query.Status}`}`,
        order: sql`t.id desc`,
      }),
  }),
  endpoint({
    get: '/v1/rate-card-back-tests/:rateCardBackTestId',
    name: 'getRateCardBackTest',
    partners: 'none',
    scope: 'financial.read',
    extension: true,
    summary: 'Read a back-test with its result',
    description:
      'Each row adds up, for a partner, month of the charge date and rate, what was billed (automatic ' +
      'charges and earlier adjustments) and what the tested card charges for the same work.',
    response: json(BackTest),
    async handle({ db, actor, params }) {
      const test = await db.maybe<Static<typeof BackTest>>(sql`
        select ${columns}, ${rows} as rows, ${months} as months, t.unrated
        from ${ofActor(actor)} and t.id = ${params.rateCardBackTestId}`)
      if (test === undefined) throw notFound('Back-test')
      return test
    },
  }),
  endpoint({
    post: '/v1/rate-card-back-tests',
    name: 'createRateCardBackTest',
    partners: 'none',
    scope: 'financial',
    extension: true,
    summary: 'Test a version or a content on the Closed consignments of a past period',
    description:
      'The test covers the partners that the card would serve, unless partnerIds are given, and every ' +
      'kind of rate, unless kinds are given. Consignments belong to the period by their charge date. ' +
      'Storage (4) and fees (5) are compared for billed periods that end in these dates; storage is ' +
      'computed from the same days of the ledger as the bill. Charges entered by hand are left out. An ' +
      'excluded charge is left out on both sides if the tested card has a charge with its id. Storage and ' +
      'fees that were waived count as billed. Minimum spend is not compared. The test changes nothing. An ' +
      'organisation can run one test at a time.',
    body: NewBackTest,
    largeBodyBytes: largeContentBytes,
    response: accepted(Type.Object({ rateCardBackTestId: Uuid })),
    refuses: [404, 409],
    async handle({ tx, actor, body }) {
      const card = await selectCard(tx, actor, body)
      const id = uuidv7()
      const { dateFrom, dateTo } = body
      const { organisationId, userId } = actor
      const row = { organisationId, id, dateFrom, dateTo, createdBy: userId, ...card }
      await refuseViolations(tx.run(insertInto('rate_card_back_test', row)), oneAtATime)
      tx.afterCommit(() => hint(backTestHint))
      return { rateCardBackTestId: id }
    },
  }),
  endpoint({
    delete: '/v1/rate-card-back-tests/:rateCardBackTestId',
    name: 'cancelRateCardBackTest',
    partners: 'none',
    scope: 'financial',
    extension: true,
    summary: 'Cancel a back-test that is not over',
    response: done,
    async handle({ tx, actor, params }) {
      const where = sql`organisation_id = ${actor.organisationId} and id = ${params.rateCardBackTestId}`
      const test = await tx.maybe<{ isUnfinished: boolean }>(sql`
        select status in ${unfinished} as is_unfinished from rate_card_back_test where ${where} for update`)
      if (test === undefined) throw notFound('Back-test')
      if (!test.isUnfinished) throw verificationFailed('The back-test is over.')
      await tx.run(sql`
        update rate_card_back_test
        set status = ${BackTestStatus.Cancelled}, finished_utc = now(), worker_id = null, leased_until = null
        where ${where}`)
    },
  }),
]
