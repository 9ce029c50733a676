// Back-tests: what a rate card would have made of a past period. Open-points 7.

import { v7 as uuidv7 } from 'uuid'
import { empty, raw, sql } from '../../platform/database/db.ts'
import { refuseViolations } from '../../platform/database/errors.ts'
import { insertInto } from '../../platform/database/write.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { accepted, done, endpoint, json } from '../../platform/http/endpoint.ts'
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
import type { Finding } from '../../platform/http/validation.ts'
import { hint } from '../../platform/work/hints.ts'
import { BackTestStatus, RateKind, UnratedReason } from '../enumerations.ts'
import { RateCardContent } from '../rate-cards/rate-card-content.ts'
import { requestedVersionFaults } from '../rate-cards/requested-version.ts'
import { backTestHint } from './run-back-tests.ts'
import { selectCard } from './select-card.ts'

const Amount = Type.Number()
const Count = Type.Integer()

const common = {
  id: Uuid,
  status: IntegerEnum(BackTestStatus),
  progress: Type.Integer({ description: 'How much of the period is done, in percent.' }),
  dateFrom: PlainDate,
  dateTo: PlainDate,
  rateCardVersionId: nullable(Uuid),
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
  differingCount: Type.Integer({ description: 'How many consignments come to something else.' }),
  control: Type.Object(
    { checked: Count, differing: Count },
    {
      description:
        'Every consignment, and every billed period of storage and fees, is derived again by the version ' +
        'that it was billed by: differing must be 0.',
    },
  ),
  notFrozenCount: Type.Integer({
    description:
      'How many consignments were left out because an earlier version of the service Closed them and what ' +
      'they are charged by is not frozen yet. That happens by itself within an hour of an upgrade.',
  }),
  withoutCard: Type.Object(
    { count: Count, byHandExclTax: Amount },
    {
      description:
        'The consignments that no card charged when they were Closed, and what was entered for them by ' +
        'hand: that is in no total, so what they were billed counts as 0.',
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
        month: { ...PlainDate, description: 'Its first day.' },
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
    unrated: Type.Array(Type.Object({ reason: IntegerEnum(UnratedReason), count: Count })),
  }),
)

const maxDays = 731

function periodFaults(value: unknown): Finding[] {
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
  t.partner_ids::text[] as partner_ids, t.kinds, t.created_utc, t.started_utc, t.finished_utc,
  t.adjusted_utc, t.failure, t.consignment_count, t.part_count, t.ledger_row_count, t.duration_ms,
  t.differing_count,
  json_build_object('checked', t.control_checked, 'differing', t.control_differing) as control,
  t.period_count, t.not_frozen_count,
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

const oneAtATime = {
  rate_card_back_test_under_way: () => conflict('A back-test of the organisation is under way already.'),
}
const underWay = raw(`(${BackTestStatus.Pending}, ${BackTestStatus.Running})`)

export const rateCardBackTests = [
  endpoint({
    get: '/v1/rate-card-back-tests',
    name: 'listRateCardBackTests',
    partners: 'none',
    scope: 'financial.read',
    extension: true,
    summary: 'List back-tests, the newest first',
    description: 'They are kept for 30 days, and for ever where bills were adjusted to them.',
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
    summary: 'Read a back-test with what came of it',
    description:
      'Rows add up, by partner, month of the charge date and rate, what was billed (charges that make ' +
      'themselves, and earlier adjustments) and what the tested card makes of the same work.',
    response: json(BackTest),
    async handle({ db, actor, params }) {
      const test = await db.maybe<Static<typeof BackTest>>(sql`
        select ${columns}, ${rows} as rows, t.unrated
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
    summary: 'Try a version or a content on what was Closed in a past period',
    description:
      'For the partners that the card would serve, unless partnerIds are given, and for every kind of ' +
      'rate, unless kinds are. Consignments count by their charge date. Storage (4) and fees (5) count for ' +
      'the periods that were billed and end in these dates; storage is reckoned from the same days of the ' +
      'ledger as it was billed from. Charges by hand are left out; a charge that was excluded is left out ' +
      'on both sides where the tested card has a charge with its id; storage and fees that were waived ' +
      'count as billed. Minimum spends are not compared. Nothing is changed. One test of an organisation ' +
      'is made at a time.',
    body: NewBackTest,
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
      const test = await tx.maybe<{ isUnderWay: boolean }>(sql`
        select status in ${underWay} as is_under_way from rate_card_back_test where ${where} for update`)
      if (test === undefined) throw notFound('Back-test')
      if (!test.isUnderWay) throw verificationFailed('The back-test is over.')
      await tx.run(sql`
        update rate_card_back_test
        set status = ${BackTestStatus.Cancelled}, finished_utc = now(), worker_id = null, leased_until = null
        where ${where}`)
    },
  }),
]
