// Schedule transactions: what is billed. Those of a consignment are raised when it is Closed and voided when
// it is reopened; storage and other charges of a partner have no consignment. Transactions are never deleted.
// Spec 2.9; decisions 2, 4, 7.

import { raw, sql, type Tx } from '../../platform/database/db.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import { allNullable, IntegerEnum, named, PlainDate, Type, Uuid } from '../../platform/http/schema.ts'
import { note } from '../../rehearsal/notes.ts'
import {
  ChargeApplication,
  ChargeType,
  ScheduleTransactionStatus,
  ScheduleTransactionType,
} from '../../vocabulary/billing.ts'
import type { ScheduleFacts } from './schedule.ts'

// As literals: a prepared statement cannot otherwise use the indexes that hold one status each.
const pending = raw(String(ScheduleTransactionStatus.Pending))
const scheduled = raw(String(ScheduleTransactionStatus.Scheduled))
const voided = raw(String(ScheduleTransactionStatus.Void))

const AnyText = Type.String()
const Amount = Type.Number()

/**
 * A schedule transaction as its schedule shows it, with everything as it was when the transaction was raised.
 * Storage and other charges of a partner have neither a consignment nor a charge type.
 */
export const ScheduleTransaction = named(
  'ScheduleTransaction',
  Type.Object({
    id: Uuid,
    date: PlainDate,
    type: IntegerEnum(ScheduleTransactionType),
    ...allNullable({
      consignmentId: Uuid,
      consignmentNumber: AnyText,
      consignmentReferenceNumber: AnyText,
      chargeTypeId: Uuid,
      chargeTypeName: AnyText,
      chargeTypeCode: AnyText,
      particulars: AnyText,
      revenueAccountId: Uuid,
      revenueAccountCode: AnyText,
      costCentreId: Uuid,
      costCentreCode: AnyText,
    }),
    ...allNullable({
      activityCode: AnyText,
      activityName: AnyText,
      creditOf: { ...Uuid, description: 'The transaction that this one credits.' },
      warehouseName: { ...AnyText, description: 'Of storage: the warehouse, as it was called then.' },
    }),
    quantity: Amount,
    chargeRateExclTax: Amount,
    ...allNullable({ baseChargeExclTax: Amount, minChargeExclTax: Amount, maxChargeExclTax: Amount }),
    chargeApplication: IntegerEnum(ChargeApplication),
    taxRateId: Uuid,
    taxRateName: AnyText,
    taxRatePercent: Amount,
    amountExclTax: Amount,
  }),
)

/** Transactions `t`, with the charge type `k` of those that belong to a consignment. */
export const transactionsWithChargeType = sql`schedule_transaction t
  left join charge_type k on k.charge_type = t.charge_type`

/** A transaction of `transactionsWithChargeType` as JSON. */
export const scheduleTransactionJson = sql`json_build_object(
  'id', t.id, 'date', t.date, 'type', t.type,
  'consignmentId', t.consignment_id, 'consignmentNumber', t.consignment_number,
  'consignmentReferenceNumber', t.consignment_reference_number,
  'chargeTypeId', k.id, 'chargeTypeName', k.name, 'chargeTypeCode', k.code, 'particulars', t.particulars,
  'revenueAccountId', t.revenue_account_id, 'revenueAccountCode', t.revenue_account_code,
  'costCentreId', t.cost_centre_id, 'costCentreCode', t.cost_centre_code,
  'activityCode', t.activity_code, 'activityName', t.activity_name, 'creditOf', t.credit_of,
  'warehouseName', (
    select coalesce(former_record_at(w.organisation_id, w.id, t.created_utc) ->> 'name', w.name)
    from warehouse w where w.organisation_id = t.organisation_id and w.id = t.warehouse_id
  ),
  'quantity', t.quantity, 'chargeRateExclTax', t.charge_rate_excl_tax,
  'baseChargeExclTax', t.base_charge_excl_tax, 'minChargeExclTax', t.min_charge_excl_tax,
  'maxChargeExclTax', t.max_charge_excl_tax, 'chargeApplication', t.charge_application,
  'taxRateId', t.tax_rate_id, 'taxRateName', t.tax_rate_name, 'taxRatePercent', t.tax_rate_percent,
  'amountExclTax', t.amount_excl_tax)`

const { ClientActivityAdhoc, ClientFreightAdhoc, CarrierFreightAdhoc } = ChargeType

// The type of a transaction follows from that of its charge.
const typeOfCharge = raw(`case
  when h.charge_type in (${[ClientActivityAdhoc, ClientFreightAdhoc, CarrierFreightAdhoc]})
    then ${ScheduleTransactionType.AdhocCharge}
  when h.charge_type < ${ClientFreightAdhoc} then ${ScheduleTransactionType.ActivityCharge}
  else ${ScheduleTransactionType.FreightCharge} end`)

/** A consignment whose row is locked. */
interface BilledConsignment {
  organisationId: string
  id: string
}

/** A schedule whose transactions may change: a new one, or one whose row is locked. */
type ChangeableSchedule = Pick<ScheduleFacts, 'organisationId' | 'id' | 'partnerId'>

/**
 * Raises a Pending transaction of this local date from every included charge of locked consignments, for
 * clients and carriers. Of charges from rate cards, only those of the latest closing count. `offset 0` makes
 * the database look charges up per consignment; otherwise a plan made while the table was nearly empty would
 * keep scanning the charges of all consignments.
 */
export async function raiseScheduleTransactions(
  tx: Tx,
  organisationId: string,
  ids: readonly string[],
  date: string,
): Promise<void> {
  await tx.run(sql`
    insert into schedule_transaction (organisation_id, id, partner_id, date, type,
      consignment_id, consignment_number, consignment_reference_number,
      consignment_charge_id, charge_type, particulars, activity_code, activity_name, faf_percent,
      revenue_account_id, revenue_account_code, cost_centre_id, cost_centre_code,
      quantity, charge_rate_excl_tax, base_charge_excl_tax, min_charge_excl_tax, max_charge_excl_tax,
      charge_application, tax_rate_id, tax_rate_name, tax_rate_percent, amount_excl_tax)
    select h.organisation_id, uuid_at(clock_timestamp()), h.partner_id, ${date}, ${typeOfCharge},
      c.id, c.consignment_number, c.reference_number,
      h.id, h.charge_type, h.particulars, a.code, a.name, h.faf_percent,
      h.revenue_account_id, r.code, h.cost_centre_id, e.code,
      h.metric_value, h.charge_rate, h.charge_base, h.charge_min, h.charge_max,
      h.charge_application, h.tax_rate_id, coalesce(h.tax_rate_name, x.name), h.tax_rate_percent,
      h.amount_excl_tax
    from consignment c
    cross join lateral (
      select * from consignment_charge h
      where h.organisation_id = c.organisation_id and h.consignment_id = c.id and h.is_included
        and (h.closing_number is null or h.closing_number = (
          select max(i.closing_number) from charge_input i
          where i.organisation_id = c.organisation_id and i.consignment_id = c.id))
      offset 0
    ) h
    join tax_rate x on x.organisation_id = h.organisation_id and x.id = h.tax_rate_id
    left join revenue_account r on r.organisation_id = h.organisation_id and r.id = h.revenue_account_id
    left join cost_centre e on e.organisation_id = h.organisation_id and e.id = h.cost_centre_id
    left join activity_type a on a.organisation_id = h.organisation_id and a.id = h.activity_type_id
    where c.organisation_id = ${organisationId} and c.id = any(${ids})`)
}

/**
 * Voids the transactions of a locked consignment. Returns false, and voids nothing, if any is on a schedule.
 * Locking the transactions first waits for concurrent bundling and reads each in its latest version.
 * PostgreSQL applies a row's checks first to an update of the version that the statement's snapshot saw,
 * which may still be on the schedule: therefore no update here or below sets the status without the schedule.
 */
export async function voidScheduleTransactions(
  tx: Tx,
  { organisationId, id }: BilledConsignment,
): Promise<boolean> {
  const { n, ids } = await tx.row<{ n: number; ids: string[] }>(sql`
    with raised as materialized (
      select id, status from schedule_transaction
      where organisation_id = ${organisationId} and consignment_id = ${id} and status <> ${voided}
      order by id for update
    ), on_schedule as (
      select count(*) as n from raised where status = ${scheduled}
    ), done as (
      update schedule_transaction t set status = ${voided}, partner_schedule_id = null
      from raised, on_schedule
      where t.organisation_id = ${organisationId} and t.id = raised.id and on_schedule.n = 0
      returning t.id
    )
    select n, array(select id from done) as ids from on_schedule`)
  note(tx, { about: 'transactions', did: 'unfreeze', ids })
  return n === 0
}

/**
 * Puts the partner's Pending transactions up to a date on its schedule, and takes later ones off it. Returns
 * how many moved. Of two concurrent calls, one waits here and then skips what the other has taken.
 * Transactions are always locked in the order of their ids, so that no deadlock can occur.
 */
export const bundleScheduleTransactions = (
  tx: Tx,
  { organisationId, id, partnerId }: ChangeableSchedule,
  upTo: string,
): Promise<number> =>
  tx.run(sql`
    with moving as materialized (
      select id, date <= ${upTo} as is_due from schedule_transaction
      where organisation_id = ${organisationId}
        and (partner_id = ${partnerId} and status = ${pending} and date <= ${upTo}
          or partner_schedule_id = ${id} and date > ${upTo})
      order by id for update
    )
    update schedule_transaction t
    set status = case when is_due then ${scheduled} else ${pending} end,
      partner_schedule_id = case when is_due then ${id}::uuid end
    from moving where t.organisation_id = ${organisationId} and t.id = moving.id`)

/**
 * Moves the transactions that a schedule has beyond `max`, in the order of their dates, to another one. Both
 * schedules were created by this database transaction, which holds the locks of the transactions.
 */
export const moveOverflow = (
  tx: Tx,
  { organisationId, id }: Pick<ChangeableSchedule, 'organisationId' | 'id'>,
  toId: string,
  max: number,
): Promise<number> =>
  tx.run(sql`
    update schedule_transaction t set partner_schedule_id = ${toId}
    from (
      select id from schedule_transaction
      where organisation_id = ${organisationId} and partner_schedule_id = ${id}
      order by date, id offset ${max}
    ) beyond
    where t.organisation_id = ${organisationId} and t.id = beyond.id`)

/**
 * Refuses (400) a change that leaves a locked schedule without transactions: nobody is billed by an empty
 * one.
 */
export async function refuseEmptySchedule(tx: Tx, { organisationId, id }: ChangeableSchedule): Promise<void> {
  const { isEmpty } = await tx.row<{ isEmpty: boolean }>(sql`
    select not exists (
      select from schedule_transaction
      where organisation_id = ${organisationId} and partner_schedule_id = ${id}
    ) as is_empty`)
  if (isEmpty)
    throw verificationFailed('No transaction would be left on the schedule: remove the schedule instead.')
}

/** Takes all transactions off a schedule and makes them Pending again. */
export async function releaseScheduleTransactions(tx: Tx, schedule: ChangeableSchedule): Promise<number> {
  const count = await bundleScheduleTransactions(tx, schedule, '-infinity')
  note(tx, { about: 'unscheduled', count })
  return count
}
