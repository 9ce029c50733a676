// Schedules: what a partner is billed for a period, and whether the calling connection has exported it. Spec
// 2.9, 4.10; decisions 6, 7.

import type { Actor } from '../../access/actor.ts'
import { endpoint } from '../../access/endpoint.ts'
import { emit } from '../../events/emit.ts'
import { empty, type Sql, sql } from '../../platform/database/db.ts'
import { changedFields, updateFields } from '../../platform/database/write.ts'
import { changed, created, done, json } from '../../platform/http/endpoint.ts'
import { pageOf, pageQuery, readPage, searchIn } from '../../platform/http/paging.ts'
import { notFound, verificationFailed } from '../../platform/http/refusal.ts'
import {
  allClearable,
  allNullable,
  allOmittable,
  allOptional,
  Count,
  IntegerEnum,
  named,
  nullable,
  PlainDate,
  ShortText,
  type Static,
  Text,
  Type,
  UtcTime,
  Uuid,
} from '../../platform/http/schema.ts'
import { parseInstant } from '../../platform/local-time.ts'
import { ScheduleStatus } from '../../vocabulary/billing.ts'
import { EventType } from '../../vocabulary/events.ts'
import { createSchedule, refuseTakenReference } from './create-schedule.ts'
import { billedCode, billedName, invoiceColumns, invoiceFields } from './invoice.ts'
import { lockRunOf, returnToBundling } from './return-to-bundling.ts'
import { lockDraft, scheduleEvent, visibleSchedules } from './schedule.ts'
import {
  bundleScheduleTransactions,
  refuseEmptySchedule,
  releaseScheduleTransactions,
  ScheduleTransaction,
  scheduleTransactionJson,
  transactionsWithChargeType,
} from './schedule-transaction.ts'

/** A schedule as lists show it. */
export const Schedule = named(
  'Schedule',
  Type.Object({
    id: Uuid,
    partnerId: Uuid,
    partnerName: Type.String(),
    partnerCode: Type.String(),
    date: PlainDate,
    referenceNumber: nullable(Type.String()),
    amountExclTax: Type.Number(),
    ...invoiceFields,
    status: IntegerEnum(ScheduleStatus),
    isExported: Type.Boolean(),
  }),
)

const ScheduleActivity = named(
  'ScheduleActivity',
  Type.Object({
    ...allNullable({ activityCode: Type.String(), activityName: Type.String() }),
    transactionCount: Count,
    amountExclTax: Type.Number(),
  }),
)

/** A schedule with its transactions. */
const ScheduleDetail = named(
  'ScheduleDetail',
  Type.Object({
    id: Uuid,
    partner: Type.Object({ id: Uuid, name: Type.String(), code: Type.String() }),
    date: PlainDate,
    referenceNumber: nullable(Type.String()),
    description: nullable(Type.String()),
    amountExclTax: Type.Number(),
    ...invoiceFields,
    status: IntegerEnum(ScheduleStatus),
    isExported: Type.Boolean(),
    externalUrl: nullable(Type.String()),
    activities: Type.Array(ScheduleActivity, {
      description: 'What is billed for each activity, the greatest amount first.',
    }),
    transactions: Type.Array(ScheduleTransaction),
  }),
)

const optionalFields = {
  referenceNumber: { ...ShortText, description: 'Unique among the schedules of the partner.' },
  description: Text,
}
const fieldNames = ['date', 'referenceNumber', 'description'] as const
const NewSchedule = named(
  'NewSchedule',
  Type.Object({
    partnerId: Uuid,
    date: PlainDate,
    ...allOptional({ ...optionalFields, transactionsUpTo: PlainDate }),
  }),
)
const ScheduleChange = named(
  'ScheduleChange',
  Type.Object({
    ...allOmittable({ date: PlainDate, transactionsUpTo: PlainDate }),
    ...allClearable(optionalFields),
  }),
)

/**
 * The exports of schedule `s` that count for the caller: those of its connection. People of the organisation
 * have a connection each in the portal, and want to know of any.
 */
const countedExports = ({ app, partnerId, connectionId }: Actor): Sql => sql`partner_schedule_export e
  where e.organisation_id = s.organisation_id and e.partner_schedule_id = s.id
    ${app !== undefined && partnerId === null ? empty : sql`and e.identity_connection_id = ${connectionId}`}`

const isExported = (actor: Actor): Sql => sql`exists (select from ${countedExports(actor)})`
const externalUrl = (actor: Actor): Sql => sql`(
  select e.external_url from ${countedExports(actor)}
  order by e.external_url is null, e.exported_utc desc limit 1)`

const activities = sql`(
  select coalesce(json_agg(json_build_object('activityCode', a.code, 'activityName', a.name,
    'transactionCount', a.n, 'amountExclTax', a.amount) order by a.amount desc, a.name, a.code), '[]')
  from (
    select t.activity_code as code, t.activity_name as name, count(*) as n, sum(t.amount_excl_tax) as amount
    from schedule_transaction t
    where t.organisation_id = s.organisation_id and t.partner_schedule_id = s.id
    group by t.activity_code, t.activity_name) a)`

const transactions = sql`(
  select coalesce(json_agg(${scheduleTransactionJson} order by t.date, t.consignment_id,
    t.consignment_charge_id, t.id), '[]')
  from ${transactionsWithChargeType}
  where t.organisation_id = s.organisation_id and t.partner_schedule_id = s.id)`

export const schedules = [
  endpoint({
    get: '/v1/schedules',
    name: 'listSchedules',
    partners: 'all',
    scope: 'financial.read',
    summary: 'List schedules, the latest date first',
    query: pageQuery({
      SearchText: searchIn(
        'reference number, invoice number, description, and the name and code of the partner',
      ),
      PartnerId: Type.Optional(Uuid),
      CreatedFromUtc: Type.Optional({ ...UtcTime, description: 'Created at this instant or later.' }),
      CreatedToUtc: Type.Optional({ ...UtcTime, description: 'Created at this instant or earlier.' }),
      Status: Type.Optional(IntegerEnum(ScheduleStatus)),
      IsExported: Type.Optional(Type.Boolean()),
    }),
    response: json(pageOf('schedules', Schedule)),
    handle: ({ db, actor, query: { CreatedFromUtc: from, CreatedToUtc: to, ...query } }) =>
      readPage(db, 'schedules', query, {
        columns: sql`s.id, s.partner_id, ${billedName} as partner_name, ${billedCode} as partner_code, s.date,
          s.reference_number, s.amount_excl_tax, s.status, ${invoiceColumns},
          ${isExported(actor)} as is_exported`,
        from: sql`partner_schedule s
          join partner p on p.organisation_id = s.organisation_id and p.id = s.partner_id
          where ${visibleSchedules(actor)}
          ${
            query.SearchText
              ? sql`and lower(concat_ws(E'\n', s.reference_number, s.invoice_number, s.description,
                ${billedCode}, ${billedName}, p.code, p.name))
                like containing(${query.SearchText})`
              : empty
          }
          ${query.PartnerId === undefined ? empty : sql`and s.partner_id = ${query.PartnerId}`}
          ${from === undefined ? empty : sql`and s.created_utc >= ${parseInstant(from)}`}
          ${to === undefined ? empty : sql`and s.created_utc <= ${parseInstant(to)}`}
          ${query.Status === undefined ? empty : sql`and s.status = ${query.Status}`}
          ${query.IsExported === undefined ? empty : sql`and ${isExported(actor)} = ${query.IsExported}`}`,
        order: sql`s.date desc, s.id desc`,
      }),
  }),
  endpoint({
    get: '/v1/schedules/:partnerScheduleId',
    name: 'getSchedule',
    partners: 'all',
    scope: 'financial.read',
    summary: 'Read a schedule with its transactions',
    description:
      'isExported and externalUrl are those of the calling connection; in the portal, those of any ' +
      'connection.',
    response: json(ScheduleDetail),
    async handle({ db, actor, params }) {
      const schedule = await db.maybe<Static<typeof ScheduleDetail>>(sql`
        select s.id, json_build_object('id', p.id, 'name', ${billedName}, 'code', ${billedCode}) as partner,
          s.date, s.reference_number, s.description, s.amount_excl_tax, s.status, ${invoiceColumns},
          ${isExported(actor)} as is_exported, ${externalUrl(actor)} as external_url,
          ${activities} as activities, ${transactions} as transactions
        from partner_schedule s
        join partner p on p.organisation_id = s.organisation_id and p.id = s.partner_id
        where ${visibleSchedules(actor)} and s.id = ${params.partnerScheduleId}`)
      if (schedule === undefined) throw notFound('Schedule')
      return schedule
    },
  }),
  endpoint({
    post: '/v1/schedules',
    name: 'createSchedule',
    canBeRehearsed: true,
    partners: 'none',
    scope: 'financial',
    extension: true,
    summary: "Create a schedule of a partner's pending transactions",
    description:
      'It is a Draft with every Pending transaction of the partner dated transactionsUpTo (default: date) ' +
      'or earlier. Refused if there is none.',
    body: NewSchedule,
    response: created('partnerScheduleId', Type.Object({ partnerScheduleId: Uuid })),
    refuses: [409],
    async handle({ tx, actor, body, requestId }) {
      const { id, bundled } = await createSchedule(tx, { ...actor, requestId }, body)
      if (bundled === 0) {
        const upTo = body.transactionsUpTo ?? body.date
        throw verificationFailed(`There is nothing to bill: the partner has no transactions up to ${upTo}.`)
      }
      return { partnerScheduleId: id }
    },
  }),
  endpoint({
    put: '/v1/schedules/:partnerScheduleId',
    name: 'updateSchedule',
    partners: 'none',
    scope: 'financial',
    extension: true,
    summary: 'Change a Draft schedule',
    description:
      'Absent fields stay unchanged. transactionsUpTo bundles again: Pending transactions up to that date ' +
      'are added, and later ones go back to Pending; at least one must stay. ' +
      'Refused once a connection has exported it.',
    body: ScheduleChange,
    response: changed,
    refuses: [409],
    async handle({ tx, actor, params, body, requestId }) {
      const schedule = await lockDraft(tx, actor, params.partnerScheduleId)
      const change = changedFields(body, fieldNames)
      const changes = fieldNames
        .filter(field => change[field] !== undefined && change[field] !== schedule[field])
        .map(field => ({ field, from: schedule[field], to: change[field] }))
      const where = sql`organisation_id = ${schedule.organisationId} and id = ${schedule.id}`
      if (changes.length > 0)
        await refuseTakenReference(
          tx.run(updateFields('partner_schedule', fieldNames, change, where)),
          change.referenceNumber,
        )
      const moved = body.transactionsUpTo
        ? await bundleScheduleTransactions(tx, schedule, body.transactionsUpTo)
        : 0
      if (moved > 0) await refuseEmptySchedule(tx, schedule)
      await emit(tx, { ...actor, requestId }, [
        ...(changes.length > 0
          ? [scheduleEvent(EventType.PartnerScheduleGeneralUpdated, schedule, { changes })]
          : []),
        ...(moved > 0 ? [scheduleEvent(EventType.PartnerScheduleTransactionsUpdated, schedule)] : []),
      ])
      return changes.length > 0 || moved > 0
    },
  }),
  endpoint({
    delete: '/v1/schedules/:partnerScheduleId',
    name: 'deleteSchedule',
    canBeRehearsed: true,
    partners: 'none',
    scope: 'financial',
    extension: true,
    summary: 'Remove a Draft schedule',
    description:
      'Its transactions are Pending again. Its billing run, if it has one, is Unbundled: retrying that ' +
      'makes the schedule again. Refused once a connection has exported it, or once it has an invoice ' +
      'number.',
    response: done,
    async handle({ tx, actor, params, requestId }) {
      const run = await lockRunOf(tx, actor, params.partnerScheduleId)
      const schedule = await lockDraft(tx, actor, params.partnerScheduleId)
      if (schedule.invoiceNumber !== null)
        throw verificationFailed(
          `The schedule was Approved as ${schedule.invoiceNumber}, and invoice numbers have no gaps: ` +
            'approve it again, and credit what is wrong.',
        )
      await Promise.all([
        releaseScheduleTransactions(tx, schedule),
        tx.run(
          sql`delete from partner_schedule
            where organisation_id = ${schedule.organisationId} and id = ${schedule.id}`,
        ),
        emit(tx, { ...actor, requestId }, [scheduleEvent(EventType.PartnerScheduleRemoved, schedule)]),
        ...(run === undefined ? [] : [returnToBundling(tx, run)]),
      ])
    },
  }),
]
