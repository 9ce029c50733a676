// The proof of a schedule: each of its transactions is derived again, all of them in sets.

import { type Db, type Sql, sql } from '../../platform/database/db.ts'
import { chargeAmount } from '../charges/charge-amount.ts'
import type { ChargedConsignment } from '../charges/charged-consignment.ts'
import type { Closing } from '../charges/frozen-inputs.ts'
import { sumOfCents } from '../charges/rate-consignment.ts'
import type { ChargeApplication } from '../enumerations.ts'
import { deriveAdjustments } from '../rate-card-back-tests/derive-adjustments.ts'
import { numberOf, textOf, type Whole } from '../rate-cards/exact.ts'
import { deriveStorage } from '../storage-charges/derive-storage.ts'
import { closingKey, closingsAtOnce, deriveClosings } from './derive-closings.ts'
import { derivePeriodicCharges } from './derive-periodic-charges.ts'
import { chargeFigures, derivedFigures, transactionFigures } from './figures.ts'

/** A transaction that is to be proved, with the charge that it was raised from, where there is one. */
export interface StoredTransaction {
  id: string
  amountExclTax: string
  figures: string
  chargeId: string | null
  consignmentId: string | null
  /** the run that raised it from the ledger, the one that raised it by the period, and what it adjusts to */
  storageRunId: string | null
  billingRunId: string | null
  rateCardBackTestId: string | null
  /** null: somebody entered the charge */
  closingNumber: number | null
  chargeFigures: string | null
  /** what an entered charge, or a transaction without one, is multiplied of */
  application: ChargeApplication
  quantity: string
  rate: string
  base: string | null
  min: string | null
  max: string | null
}

/** What a transaction comes to, derived again. */
export interface DerivedTransaction {
  transaction: StoredTransaction
  isVerified: boolean
  /** null where it cannot be derived */
  derivedExclTax: string | null
  /** its consignment as it was charged; null where somebody entered the charge */
  closing: Pick<ChargedConsignment, 'subject' | 'frozen' | 'rated'> | null
}

/** What was proved of a schedule. */
export interface ScheduleProof {
  transactions: number
  verified: number
  /** ids of the transactions that are not what they are derived to be */
  differing: string[]
  /** the sum of what was derived */
  sumExclTax: number
}

/** The columns of transactions `t` with their charges `h` that a proof reads. */
const columns = sql`t.id, t.amount_excl_tax::text as amount_excl_tax, ${transactionFigures} as figures,
  h.id as charge_id, t.consignment_id, t.storage_run_id, t.billing_run_id, t.rate_card_back_test_id,
  h.closing_number,
  case when h.id is not null then ${chargeFigures} end as charge_figures,
  t.charge_application as application, t.quantity::text as quantity, t.charge_rate_excl_tax::text as rate,
  t.base_charge_excl_tax::text as base, t.min_charge_excl_tax::text as min,
  t.max_charge_excl_tax::text as max`

/** Reads transactions `t` of an organisation, in the order of their ids. */
const readTransactions = (db: Db, where: Sql): Promise<StoredTransaction[]> =>
  db.rows(sql`
    select ${columns}
    from schedule_transaction t
    left join consignment_charge h on h.organisation_id = t.organisation_id
      and h.id = t.consignment_charge_id
    where ${where} order by t.id`)

/** What somebody entered is what it multiplies, and its transaction says what its charge says. */
function deriveEntered(transaction: StoredTransaction): DerivedTransaction {
  const { application, quantity: metricValue, rate, base, min, max } = transaction
  const derivedExclTax = chargeAmount({ application, metricValue, rate, base, min, max })
  const isAsCharged = transaction.chargeFigures === null || transaction.chargeFigures === transaction.figures
  return {
    transaction,
    isVerified: isAsCharged && derivedExclTax === transaction.amountExclTax,
    derivedExclTax,
    closing: null,
  }
}

const closingOf = ({ consignmentId, closingNumber }: StoredTransaction): Closing => ({
  consignmentId: consignmentId as string,
  closingNumber: closingNumber as number,
})

/** Derives transactions again whose charges followed from a rate card. */
async function deriveCharged(
  db: Db,
  organisationId: string,
  transactions: readonly StoredTransaction[],
): Promise<DerivedTransaction[]> {
  const closings = [
    ...new Map(transactions.map(one => [closingKey(closingOf(one)), closingOf(one)])).values(),
  ]
  const found: DerivedTransaction[] = []
  const byClosing = Map.groupBy(transactions, one => closingKey(closingOf(one)))
  for (let at = 0; at < closings.length; at += closingsAtOnce) {
    const some = closings.slice(at, at + closingsAtOnce)
    const derived = await deriveClosings(db, organisationId, some)
    for (const closing of some) {
      const key = closingKey(closing)
      const { frozen = null, rated = null } = derived.get(key) ?? {}
      const charges = new Map(rated?.charges.map(charge => [charge.id, charge]))
      for (const transaction of byClosing.get(key) ?? []) {
        const charge = charges.get(transaction.chargeId as string)
        const isVerified = charge !== undefined && derivedFigures(charge) === transaction.figures
        found.push({
          ...{ transaction, isVerified, derivedExclTax: charge?.amountExclTax ?? null },
          closing: { subject: frozen, frozen, rated },
        })
      }
    }
  }
  return found
}

/** How those are derived that no charge of a consignment is behind, as far as a schedule is proved by it. */
interface Derived {
  id: string
  derivedExclTax: string | null
  isVerified: boolean
}

async function storageDerived(db: Db, where: Sql): Promise<Derived[]> {
  const found: Derived[] = []
  for await (const some of deriveStorage(db, where))
    for (const { transaction, derived, isVerified } of some)
      found.push({
        ...{ id: transaction.id, isVerified },
        derivedExclTax: derived === null ? null : textOf(2, derived),
      })
  return found
}

const periodicDerived = async (db: Db, where: Sql): Promise<Derived[]> =>
  (await derivePeriodicCharges(db, where)).map(({ transaction, ...one }) => ({ id: transaction.id, ...one }))

/** What a transaction was raised from, and how such transactions are derived. */
const origins: readonly [
  isOf: (transaction: StoredTransaction) => boolean,
  derive: (db: Db, where: Sql) => Promise<Derived[]>,
][] = [
  [({ storageRunId }) => storageRunId !== null, storageDerived],
  [({ billingRunId }) => billingRunId !== null, periodicDerived],
  [({ rateCardBackTestId }) => rateCardBackTestId !== null, deriveAdjustments],
]

/** Derives transactions of an organisation again, whatever they were raised from. */
async function deriveTransactions(
  db: Db,
  organisationId: string,
  transactions: readonly StoredTransaction[],
): Promise<DerivedTransaction[]> {
  const [charged, others] = partition(transactions, ({ closingNumber }) => closingNumber !== null)
  const found = await deriveCharged(db, organisationId, charged)
  let rest = others
  for (const [isOf, derive] of origins) {
    const [own, left] = partition(rest, isOf)
    rest = left
    if (own.length === 0) continue
    const ids = own.map(({ id }) => id)
    const where = sql`t.organisation_id = ${organisationId} and t.id = any(${ids})`
    const derived = new Map((await derive(db, where)).map(one => [one.id, one]))
    for (const transaction of own) {
      const { isVerified = false, derivedExclTax = null } = derived.get(transaction.id) ?? {}
      found.push({ transaction, isVerified, derivedExclTax, closing: null })
    }
  }
  return [...found, ...rest.map(deriveEntered)]
}

/** Those of which something holds, and the others. */
function partition<T>(all: readonly T[], holds: (one: T) => boolean): [T[], T[]] {
  return [all.filter(holds), all.filter(one => !holds(one))]
}

/** Proves a schedule: derives each of its transactions again and compares. */
export async function proveSchedule(
  db: Db,
  organisationId: string,
  scheduleId: string,
): Promise<ScheduleProof> {
  const where = sql`t.organisation_id = ${organisationId} and t.partner_schedule_id = ${scheduleId}`
  const derived = await deriveTransactions(db, organisationId, await readTransactions(db, where))
  const differing = derived.filter(({ isVerified }) => !isVerified).map(({ transaction }) => transaction.id)
  const sum: Whole = sumOfCents(derived.flatMap(({ derivedExclTax }) => derivedExclTax ?? []))
  return {
    transactions: derived.length,
    verified: derived.length - differing.length,
    differing: differing.toSorted(),
    sumExclTax: numberOf(2, sum),
  }
}

/**
 * The ids of a schedule's transactions that are not what they are derived to be; empty where the schedule is
 * proved.
 */
export const findDifferingTransactions = async (
  db: Db,
  organisationId: string,
  scheduleId: string,
): Promise<string[]> => (await proveSchedule(db, organisationId, scheduleId)).differing

/** The transaction `t` that a condition names. Undefined where there is none. */
export const readTransaction = async (db: Db, where: Sql): Promise<StoredTransaction | undefined> =>
  (await readTransactions(db, where))[0]

/** Derives one transaction of an organisation again. */
export async function proveTransaction(
  db: Db,
  organisationId: string,
  transaction: StoredTransaction,
): Promise<DerivedTransaction> {
  const [derived] = await deriveTransactions(db, organisationId, [transaction])
  return derived as DerivedTransaction
}
