// Ad hoc charges: entered by hand for a consignment or a partner, and billed as entered. Spec 4.9.

import { sql, type Tx } from '../../platform/database/db.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { notFound, validationFailed, verificationFailed } from '../../platform/http/refusal.ts'
import {
  allOptional,
  Decimal,
  IntegerEnum,
  named,
  type Static,
  Text,
  Type,
  Uuid,
} from '../../platform/http/schema.ts'
import type { ValidationError } from '../../platform/http/validation.ts'
import { ChargeApplication } from '../../vocabulary/billing.ts'
import { SetUpStatus } from '../../vocabulary/reference-data.ts'
import { chargeAmount } from './charge-amount.ts'

/**
 * The largest absolute amount of one charge: the limit of all decimals, and still exact to the cent in JSON.
 */
const maxAmount = 99_999_999_999

/** Requires metricValue for a Rate, which multiplies it. */
export function metricFaults(value: unknown): ValidationError[] {
  const { chargeApplication, metricValue } = (value ?? {}) as Record<string, unknown>
  const isMissing = metricValue === undefined || metricValue === null
  return chargeApplication === ChargeApplication.Rate && isMissing
    ? [{ path: '/metricValue', problem: 'is required for a rate', code: 'required' }]
    : []
}

const optionalFields = {
  particulars: Text,
  revenueAccountId: Uuid,
  costCentreId: Uuid,
  metricValue: Decimal(6, { minimum: 0 }),
}
const requiredFields = {
  chargeApplication: IntegerEnum(ChargeApplication),
  chargeRateExclTax: Decimal(6),
  taxRateId: Uuid,
}
/** The fields of an ad hoc charge, and those of them that every charge needs. */
export const adhocCharge = { ...optionalFields, ...requiredFields }
export const requiredOfAdhoc = Object.keys(requiredFields)
export const AdhocCharge = named(
  'AdhocCharge',
  Type.Object({ ...allOptional(optionalFields), ...requiredFields }, { rule: metricFaults }),
)
export type AdhocCharge = Static<typeof AdhocCharge>

/**
 * Checks what a new charge refers to, and returns the name and percentage of its tax rate. 404 for an unknown
 * tax rate; 400 for an unknown revenue account or cost centre, and for anything inactive.
 */
export async function verifyReferences(
  tx: Tx,
  organisationId: string,
  charge: AdhocCharge,
): Promise<{ name: string; percent: string }> {
  const { taxRateId, revenueAccountId = null, costCentreId = null } = charge
  const found = await tx.row<{
    name: string
    percent: string | null
    isActive: boolean
    hasAccount: boolean
    hasCentre: boolean
  }>(sql`
    select t.name, t.percent::text, coalesce(t.status = ${SetUpStatus.Active}, false) as is_active,
      exists (
        select from revenue_account
        where organisation_id = ${organisationId} and id = ${revenueAccountId}
          and status = ${SetUpStatus.Active}
      ) as has_account,
      exists (
        select from cost_centre
        where organisation_id = ${organisationId} and id = ${costCentreId}
          and status = ${SetUpStatus.Active}
      ) as has_centre
    from (select) single left join tax_rate t
      on t.organisation_id = ${organisationId} and t.id = ${taxRateId}`)
  const { name, percent, isActive, hasAccount, hasCentre } = found
  if (percent === null) throw notFound('Tax rate')
  const faults = [
    ...(isActive ? [] : [faultAt('taxRateId', 'refers to a tax rate that is not active', 'state')]),
    ...(revenueAccountId === null || hasAccount
      ? []
      : [faultAt('revenueAccountId', 'does not refer to an active revenue account', 'unknown_reference')]),
    ...(costCentreId === null || hasCentre
      ? []
      : [faultAt('costCentreId', 'does not refer to an active cost centre', 'unknown_reference')]),
  ]
  if (faults.length > 0) throw verificationFailed(...faults)
  return { name, percent }
}

/**
 * Returns the quantity of an ad hoc charge (default 1) and its amount to the cent. 400 if it is too large.
 */
export function amountOfAdhoc(charge: AdhocCharge): { quantity: number; amountExclTax: string } {
  const { chargeApplication: application, chargeRateExclTax: rate } = charge
  const quantity = charge.metricValue ?? 1
  const amountExclTax = chargeAmount({ application, metricValue: quantity, rate })
  if (Math.abs(Number(amountExclTax)) <= maxAmount) return { quantity, amountExclTax }
  throw validationFailed({
    path: 'metricValue',
    code: 'range',
    message: `metricValue and chargeRateExclTax must come to an amount of ${maxAmount} or less.`,
  })
}
