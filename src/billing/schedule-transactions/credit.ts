// Credits: transactions that give back all or part of another one, of the same partner, account, tax,
// consignment and activity. Never more than what is left of the other.

import type { Actor } from '../../access/actor.ts'
import { sql, type Tx } from '../../platform/database/db.ts'
import { decimalText, divide, scale, smaller, withoutTrailingZeros } from '../../platform/decimal.ts'
import { type ErrorCode, faultAt } from '../../platform/http/fault.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import type { ValidationError } from '../../platform/http/validation.ts'
import { newId } from '../../platform/new-id.ts'
import { ChargeApplication, ScheduleTransactionStatus } from '../../vocabulary/billing.ts'
import { PartnerStatus } from '../../vocabulary/partners.ts'
import { adhocCharge, metricFaults, requiredOfAdhoc } from '../charges/adhoc-charge.ts'

/** What to credit: a quantity of the other transaction, or an amount. */
export interface Credit {
  creditOf: string
  quantity?: number | null | undefined
  amountExclTax?: number | null | undefined
  particulars?: string | null | undefined
  date?: string | null | undefined
}

/** What is left of a transaction that is being credited. In millionths and cents. */
interface Left {
  quantity: bigint
  cents: bigint
}

interface Original {
  id: string
  partnerStatus: number
  status: number
  creditOf: string | null
  quantity: string
  amountExclTax: string
}

/** Locks the transaction that is to be credited. 400 if there is none, or nothing of it can be credited. */
async function lockOriginal(tx: Tx, { organisationId }: Actor, id: string): Promise<Original> {
  const original = await tx.maybe<Original>(sql`
    select t.id, t.status, t.credit_of, t.quantity::text as quantity,
      t.amount_excl_tax::text as amount_excl_tax, p.status as partner_status
    from schedule_transaction t
    join partner p on p.organisation_id = t.organisation_id and p.id = t.partner_id
    where t.organisation_id = ${organisationId} and t.id = ${id} for update of t`)
  const refuse = (problem: string) => verificationFailed(faultAt('creditOf', problem, 'state'))
  if (original === undefined)
    throw verificationFailed(faultAt('creditOf', 'does not refer to a transaction', 'unknown_reference'))
  if (original.status === ScheduleTransactionStatus.Void) throw refuse('refers to a transaction that is void')
  if (original.creditOf !== null) throw refuse('refers to a credit')
  if (scale(2, original.amountExclTax) <= 0n)
    throw refuse('refers to a transaction with nothing left to credit')
  if (original.partnerStatus === PartnerStatus.Inactive)
    throw refuse('refers to a transaction of an inactive partner')
  return original
}

/** Reads what is left of a locked transaction, after its credits that are not Void. */
export async function readLeft(
  tx: Tx,
  organisationId: string,
  { id, quantity, amountExclTax }: Pick<Original, 'id' | 'quantity' | 'amountExclTax'>,
): Promise<Left> {
  const given = await tx.row<{ quantity: string; amount: string }>(sql`
    select coalesce(sum(credited_quantity), 0)::text as quantity,
      coalesce(sum(amount_excl_tax), 0)::text as amount
    from schedule_transaction
    where organisation_id = ${organisationId} and credit_of = ${id}
      and status <> ${ScheduleTransactionStatus.Void}`)
  return {
    quantity: scale(6, quantity) - scale(6, given.quantity),
    cents: scale(2, amountExclTax) + scale(2, given.amount),
  }
}

/**
 * Returns the cents that a credited quantity comes to: its share of the amount, but at most what is left, and
 * all that is left with the last of the quantity.
 */
function centsOfQuantity(quantity: bigint, original: Original, left: Left): bigint {
  if (quantity === left.quantity) return left.cents
  const share = divide(scale(2, original.amountExclTax) * quantity, scale(6, original.quantity))
  return smaller(share, left.cents)
}

/** Returns the cents to credit. 400 if they are more than what is left, or nothing. */
function centsOf({ quantity, amountExclTax }: Credit, original: Original, left: Left): bigint {
  const refuse = (path: string, problem: string) => verificationFailed(faultAt(path, problem, 'range'))
  if (quantity !== undefined && quantity !== null) {
    const credited = scale(6, quantity)
    if (credited > left.quantity)
      throw refuse(
        'quantity',
        `must not be more than ${withoutTrailingZeros(decimalText(6, left.quantity))}, which is left of it`,
      )
    const cents = centsOfQuantity(credited, original, left)
    if (cents <= 0n) throw refuse('quantity', 'must come to an amount that is left of the transaction')
    return cents
  }
  const cents = scale(2, amountExclTax as number)
  if (cents > left.cents)
    throw refuse('amountExclTax', `must not be more than ${decimalText(2, left.cents)}, which is left of it`)
  return cents
}

const given = (value: unknown): boolean => value !== undefined && value !== null

/** The faults of a new transaction: one that credits another has its fields, and any other needs its own. */
export function transactionFaults(value: unknown): ValidationError[] {
  const body = (value ?? {}) as Record<string, unknown>
  const faults = (fields: readonly string[], problem: string, code: ErrorCode): ValidationError[] =>
    fields.map(field => ({ path: `/${field}`, problem, code }))
  if (!given(body.creditOf)) {
    const required = ['partnerId', 'date', ...requiredOfAdhoc].filter(field => !given(body[field]))
    const credited = ['quantity', 'amountExclTax'].filter(field => given(body[field]))
    return [
      ...faults(required, 'is required', 'required'),
      ...faults(credited, 'needs creditOf, the transaction to credit', 'invalid'),
      ...metricFaults(value),
    ]
  }
  const taken = ['partnerId', ...Object.keys(adhocCharge)].filter(
    field => field !== 'particulars' && given(body[field]),
  )
  const isTwofold = given(body.quantity) && given(body.amountExclTax)
  const isMissing = !given(body.quantity) && !given(body.amountExclTax)
  return [
    ...faults(taken, 'cannot be given with creditOf: a credit has that of the other transaction', 'invalid'),
    ...faults(isTwofold ? ['amountExclTax'] : [], 'cannot be given together with quantity', 'invalid'),
    ...faults(isMissing ? ['quantity'] : [], 'or amountExclTax is required', 'required'),
  ]
}

/** Raises a Pending transaction that credits another one, and returns its id. */
export async function raiseCredit(tx: Tx, actor: Actor, credit: Credit): Promise<string> {
  const { organisationId, userId } = actor
  const original = await lockOriginal(tx, actor, credit.creditOf)
  const left = await readLeft(tx, organisationId, original)
  const amount = decimalText(2, -centsOf(credit, original, left))
  const id = newId()
  await tx.run(sql`
    insert into schedule_transaction (organisation_id, id, partner_id, date, type, consignment_id,
      consignment_number, consignment_reference_number, charge_type, warehouse_id, period_from, period_to,
      particulars, revenue_account_id, revenue_account_code, cost_centre_id, cost_centre_code, activity_code,
      activity_name, quantity, charge_rate_excl_tax, charge_application, tax_rate_id, tax_rate_name,
      tax_rate_percent, amount_excl_tax, credit_of, credited_quantity, creditable_quantity,
      creditable_excl_tax, created_by)
    select t.organisation_id, ${id}, t.partner_id,
      coalesce(${credit.date ?? null}::date, (now() at time zone o.timezone_id)::date), t.type,
      t.consignment_id, t.consignment_number, t.consignment_reference_number, t.charge_type, t.warehouse_id,
      t.period_from, t.period_to,
      coalesce(${credit.particulars || null}, concat_ws(' ', 'Credit:', coalesce(t.particulars,
        t.activity_name))),
      t.revenue_account_id, t.revenue_account_code, t.cost_centre_id, t.cost_centre_code, t.activity_code,
      t.activity_name, coalesce(${credit.quantity ?? null}::numeric, 1), ${amount}::numeric,
      ${ChargeApplication.Fee}, t.tax_rate_id, t.tax_rate_name, t.tax_rate_percent, ${amount}::numeric, t.id,
      ${credit.quantity ?? null}::numeric, ${decimalText(6, left.quantity)}::numeric,
      ${decimalText(2, left.cents)}::numeric, ${userId}
    from schedule_transaction t join organisation o on o.id = t.organisation_id
    where t.organisation_id = ${organisationId} and t.id = ${original.id}`)
  return id
}
