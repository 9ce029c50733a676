// The figures of a charge and of a transaction as one text, the same whether they are stored or derived, so
// that many are compared without a thought about each.

import { raw, type Sql } from '../../platform/database/db.ts'
import type { ComputedCharge } from '../charges/rate-consignment.ts'

const listOf = (alias: string, columns: readonly string[]): Sql =>
  raw(columns.map(column => `${alias}.${column}`).join(', '))
// Of the columns below, these are never null; the others are told by a dash where they are.
const given: ReadonlySet<string> = new Set([
  ...['partner_id', 'charge_application', 'metric_value', 'charge_rate', 'faf_percent', 'amount_excl_tax'],
  ...['quantity', 'charge_rate_excl_tax', 'id'],
])
const textOf = (alias: string, columns: readonly string[]): Sql => {
  const texts = columns.map(column =>
    given.has(column) ? `${alias}.${column}` : `coalesce(${alias}.${column}::text, '-')`,
  )
  return raw(`concat_ws(' ', ${texts.join(', ')})`)
}

const ofCharge = [
  ...['partner_id', 'charge_type', 'charge_application', 'metric_value', 'charge_min', 'charge_base'],
  ...['charge_rate', 'charge_max', 'faf_percent', 'amount_excl_tax'],
]
const ofTransaction = [
  ...['partner_id', 'charge_type', 'charge_application', 'quantity', 'min_charge_excl_tax'],
  ...['base_charge_excl_tax', 'charge_rate_excl_tax', 'max_charge_excl_tax', 'faf_percent'],
  'amount_excl_tax',
]

/** The figures of a charge `h` as columns, and as a text. */
export const chargeColumns: Sql = listOf('h', ofCharge)
export const chargeFigures: Sql = textOf('h', ofCharge)

/** Those of a transaction `t`, which are those of its charge. */
export const transactionColumns: Sql = listOf('t', ofTransaction)
export const transactionFigures: Sql = textOf('t', ofTransaction)

/** A charge `h` as one text: its id, the rule that it follows from, and its figures. */
export const chargeLine: Sql = textOf('h', [
  ...['id', 'rate_card_version_id', 'rate_id', 'rate_charge_id', 'part_key', 'activity_type_id'],
  ...ofCharge,
])

// Stored with six places, derived with two.
const limit = (amount: string | null) => (amount === null ? '-' : `${amount}0000`)

/** The figures of a charge that was derived. */
export const derivedFigures = (charge: ComputedCharge): string =>
  [
    ...[charge.partnerId, charge.chargeType, charge.chargeApplication, charge.metricValue],
    ...[limit(charge.chargeMin), limit(charge.chargeBase), charge.chargeRate, limit(charge.chargeMax)],
    ...[charge.fafPercent, charge.amountExclTax],
  ].join(' ')

/** The rule of a charge that was derived. */
export const derivedRule = (charge: ComputedCharge): string =>
  [
    ...[charge.rateCardVersionId, charge.rateId, charge.rateChargeId, charge.partKey],
    charge.activityTypeId ?? '-',
  ].join(' ')
