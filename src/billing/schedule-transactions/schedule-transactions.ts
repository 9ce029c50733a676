// The endpoints of schedule transactions: what is or will be billed, with or without a consignment. Spec 2.9;
// decision 7.

import type { Actor } from '../../access/actor.ts'
import { endpoint } from '../../access/endpoint.ts'
import { type Db, empty, type Sql, sql, type Tx } from '../../platform/database/db.ts'
import { created, json } from '../../platform/http/endpoint.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { pageOf, pageQuery, readPage, searchIn } from '../../platform/http/paging.ts'
import { notFound, verificationFailed } from '../../platform/http/refusal.ts'
import {
  allNullable,
  allOptional,
  Decimal,
  IntegerEnum,
  named,
  PlainDate,
  type Static,
  Type,
  Uuid,
} from '../../platform/http/schema.ts'
import { note } from '../../rehearsal/notes.ts'
import { ScheduleTransactionStatus, ScheduleTransactionType } from '../../vocabulary/billing.ts'
import { PartnerStatus } from '../../vocabulary/partners.ts'
import { type AdhocCharge, adhocCharge, amountOfAdhoc, verifyReferences } from '../charges/adhoc-charge.ts'
import {
  ScheduleTransaction,
  scheduleTransactionJson,
  transactionsWithChargeType,
} from '../schedules/schedule-transaction.ts'
import { raiseCredit, transactionFaults } from './credit.ts'
import { raiseTransactions } from './raise-transactions.ts'

/** A transaction with its status, partner, schedule and period. */
const BilledTransaction = named(
  'BilledTransaction',
  Type.Object({
    ...ScheduleTransaction.properties,
    status: IntegerEnum(ScheduleTransactionStatus),
    partner: Type.Object({ id: Uuid, name: Type.String(), code: Type.String() }),
    ...allNullable({
      partnerScheduleId: Uuid,
      warehouseId: Uuid,
      periodFrom: PlainDate,
      periodTo: PlainDate,
      adjusts: Uuid,
      voidReason: Type.String(),
    }),
    credits: Type.Array(Uuid, { description: 'The transactions that credit this one, except Void ones.' }),
    creditableExclTax: { ...Type.Number(), description: 'What can still be credited.' },
  }),
)
type BilledTransaction = Static<typeof BilledTransaction>

interface Row extends Omit<BilledTransaction, keyof Static<typeof ScheduleTransaction>> {
  record: Static<typeof ScheduleTransaction>
}

const credits = sql`schedule_transaction c
  where c.organisation_id = t.organisation_id and c.credit_of = t.id
    and c.status <> ${ScheduleTransactionStatus.Void}`

const columns = sql`${scheduleTransactionJson} as record, t.status,
  json_build_object('id', p.id, 'name', p.name, 'code', p.code) as partner, t.partner_schedule_id,
  t.warehouse_id, t.period_from, t.period_to, t.adjusts, t.void_reason,
  array(select c.id from ${credits} order by c.id)::text[] as credits,
  case when t.status = ${ScheduleTransactionStatus.Void} or t.credit_of is not null then 0
    else greatest(0, t.amount_excl_tax + (select coalesce(sum(c.amount_excl_tax), 0) from ${credits})) end
    as creditable_excl_tax`

const from = (actor: Actor): Sql => sql`${transactionsWithChargeType}
  join partner p on p.organisation_id = t.organisation_id and p.id = t.partner_id
  where t.organisation_id = ${actor.organisationId}
    ${actor.partnerId === null ? empty : sql`and t.partner_id = ${actor.partnerId}`}`

const toTransaction = ({ record, ...more }: Row): BilledTransaction => ({ ...record, ...more })

const filters = {
  SearchText: searchIn(
    'consignment number and its reference, particulars, and the name and code of the partner',
  ),
  PartnerId: Type.Optional(Uuid),
  Status: Type.Optional(IntegerEnum(ScheduleTransactionStatus)),
  Type: Type.Optional(IntegerEnum(ScheduleTransactionType)),
  DateFrom: Type.Optional({ ...PlainDate, description: 'Dated this day or later.' }),
  DateTo: Type.Optional({ ...PlainDate, description: 'Dated this day or earlier.' }),
  ConsignmentId: Type.Optional(Uuid),
  WarehouseId: Type.Optional({ ...Uuid, description: 'Storage in this warehouse only.' }),
}
type Filters = Static<ReturnType<typeof Type.Object<typeof filters>>>

const searchText = sql`lower(concat_ws(E'\n', t.consignment_number, t.consignment_reference_number,
  t.particulars, p.code, p.name))`

const matching = (query: Filters): Sql => sql`
  ${query.SearchText ? sql`and ${searchText} like containing(${query.SearchText})` : empty}
  ${query.PartnerId === undefined ? empty : sql`and t.partner_id = ${query.PartnerId}`}
  ${query.Status === undefined ? empty : sql`and t.status = ${query.Status}`}
  ${query.Type === undefined ? empty : sql`and t.type = ${query.Type}`}
  ${query.DateFrom === undefined ? empty : sql`and t.date >= ${query.DateFrom}`}
  ${query.DateTo === undefined ? empty : sql`and t.date <= ${query.DateTo}`}
  ${query.ConsignmentId === undefined ? empty : sql`and t.consignment_id = ${query.ConsignmentId}`}
  ${query.WarehouseId === undefined ? empty : sql`and t.warehouse_id = ${query.WarehouseId}`}`

/** Refuses (400) a partnerId that does not refer to an active partner: no schedule bills an inactive one. */
async function requirePartner(db: Db, { organisationId }: Actor, partnerId: string): Promise<void> {
  const partner = await db.maybe<{ status: number }>(
    sql`select status from partner where organisation_id = ${organisationId} and id = ${partnerId}`,
  )
  if (partner === undefined)
    throw verificationFailed(faultAt('partnerId', 'does not refer to a partner', 'unknown_reference'))
  if (partner.status === PartnerStatus.Inactive)
    throw verificationFailed(faultAt('partnerId', 'refers to an inactive partner', 'state'))
}

const amountToCredit = {
  creditOf: { ...Uuid, description: 'The transaction to credit.' },
  quantity: { ...Decimal(6, { exclusiveMinimum: 0 }), description: 'The quantity of it to credit.' },
  amountExclTax: { ...Decimal(2, { minimum: 0.01 }), description: 'The amount to credit.' },
}
const NewScheduleTransaction = named(
  'NewScheduleTransaction',
  Type.Object(allOptional({ ...amountToCredit, partnerId: Uuid, date: PlainDate, ...adhocCharge }), {
    rule: transactionFaults,
  }),
)

/** A transaction that is entered, and does not credit another one. */
type EnteredTransaction = AdhocCharge & { partnerId: string; date: string }

/** Enters a Pending transaction of a partner, and returns its id. */
async function enterTransaction(tx: Tx, actor: Actor, body: EnteredTransaction): Promise<string> {
  await requirePartner(tx, actor, body.partnerId)
  await verifyReferences(tx, actor.organisationId, body)
  const { quantity, amountExclTax } = amountOfAdhoc(body)
  const [id] = await raiseTransactions(tx, actor.organisationId, [
    {
      partnerId: body.partnerId,
      date: body.date,
      type: ScheduleTransactionType.AdhocCharge,
      particulars: body.particulars ?? null,
      revenueAccountId: body.revenueAccountId ?? null,
      costCentreId: body.costCentreId ?? null,
      quantity: String(quantity),
      chargeRateExclTax: String(body.chargeRateExclTax),
      chargeApplication: body.chargeApplication,
      taxRateId: body.taxRateId,
      amountExclTax,
      createdBy: actor.userId,
    },
  ])
  return id as string
}

export const scheduleTransactions = [
  endpoint({
    get: '/v1/schedule-transactions',
    name: 'listScheduleTransactions',
    partners: 'all',
    scope: 'financial.read',
    extension: true,
    summary: 'List transactions, the latest date first',
    query: pageQuery(filters),
    response: json(pageOf('scheduleTransactions', BilledTransaction)),
    async handle({ db, actor, query }) {
      const page = await readPage<'scheduleTransactions', Row>(db, 'scheduleTransactions', query, {
        columns,
        from: sql`${from(actor)} ${matching(query)}`,
        order: sql`t.date desc, t.id desc`,
      })
      return { ...page, scheduleTransactions: page.scheduleTransactions.map(toTransaction) }
    },
  }),
  endpoint({
    get: '/v1/schedule-transactions/:scheduleTransactionId',
    name: 'getScheduleTransaction',
    partners: 'all',
    scope: 'financial.read',
    extension: true,
    summary: 'Read a transaction',
    response: json(BilledTransaction),
    async handle({ db, actor, params }) {
      const row = await db.maybe<Row>(
        sql`select ${columns} from ${from(actor)} and t.id = ${params.scheduleTransactionId}`,
      )
      if (row === undefined) throw notFound('Schedule transaction')
      return toTransaction(row)
    },
  }),
  endpoint({
    post: '/v1/schedule-transactions',
    name: 'createScheduleTransaction',
    canBeRehearsed: true,
    partners: 'none',
    scope: 'financial',
    extension: true,
    summary: 'Charge a partner without a consignment, or credit a transaction',
    description:
      "It is Pending, and goes on the partner's next schedule that reaches its date. The amount is used " +
      'as entered, like that of an ad hoc charge; a negative chargeRateExclTax is a credit. creditOf ' +
      'credits all or part of another transaction, by quantity or amountExclTax, with its partner, ' +
      'accounts, tax, consignment and activity: at most what is left of it. A credit is dated today, ' +
      'unless date says otherwise.',
    body: NewScheduleTransaction,
    response: created('scheduleTransactionId', Type.Object({ scheduleTransactionId: Uuid })),
    refuses: [404],
    async handle({ tx, actor, body: { creditOf, ...body } }) {
      const id = creditOf
        ? await raiseCredit(tx, actor, { ...body, creditOf })
        : await enterTransaction(tx, actor, body as EnteredTransaction)
      note(tx, { about: 'transactions', did: 'raise', ids: [id] })
      return { scheduleTransactionId: id }
    },
  }),
]
