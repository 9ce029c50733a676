// The figures of a charge or a transaction as one text, the same whether stored or derived, so that many can
// be compared quickly.

import { raw, type Sql } from '../../platform/database/db.ts'
import type { ComputedCharge } from '../charges/rate-consignment.ts'

const listOf = (alias: string, columns: readonly string[]): Sql =>
  raw(columns.map(column => `${alias}.${column}`).join(', '))
// The columns below that are never null. In the others, a dash stands for null.
const notNull: ReadonlySet<string> = new Set([
  ...['partner_id', 'charge_application', 'metric_value', 'charge_rate', 'faf_percent', 'amount_excl_tax'],
  ...['quantity', 'charge_rate_excl_tax', 'id'],
])
const textOf = (alias: string, columns: readonly string[]): Sql => {
  const texts = columns.map(column =>
    notNull.has(column) ? `${alias}.${column}` : `coalesce(${alias}.${column}::text, '-')`,
  )
  return raw(`concat_ws(' ', ${texts.join(', ')})`)
}

const chargeColumnNames = [
  ...['partner_id', 'charge_type', 'charge_application', 'metric_value', 'charge_min', 'charge_base'],
  ...['charge_rate', 'charge_max', 'faf_percent', 'amount_excl_tax'],
]
const transactionColumnNames = [
  ...['partner_id', 'charge_type', 'charge_application', 'quantity', 'min_charge_excl_tax'],
  ...['base_charge_excl_tax', 'charge_rate_excl_tax', 'max_charge_excl_tax', 'faf_percent'],
  'amount_excl_tax',
]

/** The figures of a charge `h` as columns, and as a text. */
export const chargeColumns: Sql = listOf('h', chargeColumnNames)
export const chargeFigures: Sql = textOf('h', chargeColumnNames)

/** The corresponding figures of a transaction `t`. */
export const transactionColumns: Sql = listOf('t', transactionColumnNames)
export const transactionFigures: Sql = textOf('t', transactionColumnNames)

/** A charge `h` as one text: its id, its rate charge and its figures. */
export const chargeLine: Sql = textOf('h', [
  ...['id', 'rate_card_version_id', 'rate_id', 'rate_charge_id', 'part_key', 'activity_type_id'],
  ...chargeColumnNames,
])

// Stored with six places, but derived with two.
const limitText = (amount: string | null) => (amount === null ? '-' : `${amount}0000`)

/** Returns the figures of a derived charge, in the form of `chargeFigures`. */
export const derivedFigures = (charge: ComputedCharge): string =>
  [
    ...[charge.partnerId, charge.chargeType, charge.chargeApplication, charge.metricValue],
    ...[
      limitText(charge.chargeMin),
      limitText(charge.chargeBase),
      charge.chargeRate,
      limitText(charge.chargeMax),
    ],
    ...[charge.fafPercent, charge.amountExclTax],
  ].join(' ')

/** Returns the rate charge of a derived charge, in the form of `chargeLine`. */
export const derivedRule = (charge: ComputedCharge): string =>
  [
    ...[charge.rateCardVersionId, charge.rateId, charge.rateChargeId, charge.partKey],
    charge.activityTypeId ?? '-',
  ].join(' ')
