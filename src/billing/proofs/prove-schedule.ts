// The proof of a schedule: derives each of its transactions again, in batches.

import { type Db, type Sql, sql } from '../../platform/database/db.ts'
import type { ChargeApplication } from '../../vocabulary/billing.ts'
import { deriveAdjustments } from '../back-tests/derive-adjustments.ts'
import { chargeAmount } from '../charges/charge-amount.ts'
import type { ChargedConsignment } from '../charges/charged-consignment.ts'
import { sumOfCents } from '../charges/rate-consignment.ts'
import type { Closing } from '../charges/read-closings.ts'
import { type ExactInteger, textOf, toNumber } from '../evaluator/exact.ts'
import { deriveStorage } from '../storage/derive-storage.ts'
import { closingBatchSize, closingKey, deriveClosings } from './derive-closings.ts'
import { deriveCredits } from './derive-credits.ts'
import { derivePeriodicCharges } from './derive-periodic-charges.ts'
import { chargeFigures, derivedFigures, transactionFigures } from './figures.ts'

/** A transaction to prove, with the charge that it was raised from, if any. Decimals are text. */
export interface StoredTransaction {
  id: string
  amountExclTax: string
  figures: string
  chargeId: string | null
  consignmentId: string | null
  /** what generated it: a storage run, a billing run or a back-test; all null otherwise */
  storageRunId: string | null
  billingRunId: string | null
  rateCardBackTestId: string | null
  /** the transaction that it credits */
  creditOf: string | null
  /** null if the charge was entered by hand */
  closingNumber: number | null
  chargeFigures: string | null
  /** the inputs of the amount */
  application: ChargeApplication
  quantity: string
  rate: string
  base: string | null
  min: string | null
  max: string | null
}

export interface DerivedTransaction {
  transaction: StoredTransaction
  isVerified: boolean
  /** null if it cannot be derived */
  derivedExclTax: string | null
  /** its consignment as it was rated; null unless the charge followed from a rate card */
  closing: Pick<ChargedConsignment, 'consignment' | 'frozen' | 'rated'> | null
}

export interface ScheduleProof {
  transactions: number
  verified: number
  /** ids of the transactions that differ from what is derived for them */
  differing: string[]
  /** the sum of the derived amounts */
  sumExclTax: number
}

/** The columns of transactions `t` with their charges `h` that a proof reads. */
const columns = sql`t.id, t.amount_excl_tax::text as amount_excl_tax, ${transactionFigures} as figures,
  h.id as charge_id, t.consignment_id, t.storage_run_id, t.billing_run_id, t.rate_card_back_test_id,
  t.credit_of, h.closing_number,
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

/** Multiplies an amount that was entered by hand again, and compares the transaction with its charge. */
function deriveEntered(transaction: StoredTransaction): DerivedTransaction {
  const { application, quantity: metricValue, rate, base, min, max } = transaction
  const derivedExclTax = chargeAmount({ application, metricValue, rate, base, min, max })
  const matchesCharge =
    transaction.chargeFigures === null || transaction.chargeFigures === transaction.figures
  return {
    transaction,
    isVerified: matchesCharge && derivedExclTax === transaction.amountExclTax,
    derivedExclTax,
    closing: null,
  }
}

const closingOf = ({ consignmentId, closingNumber }: StoredTransaction): Closing => ({
  consignmentId: consignmentId as string,
  closingNumber: closingNumber as number,
})

/** Derives transactions of charges that followed from a rate card. */
async function deriveRated(
  db: Db,
  organisationId: string,
  transactions: readonly StoredTransaction[],
): Promise<DerivedTransaction[]> {
  const closings = [
    ...new Map(transactions.map(closingOf).map(closing => [closingKey(closing), closing])).values(),
  ]
  const results: DerivedTransaction[] = []
  const byClosing = Map.groupBy(transactions, transaction => closingKey(closingOf(transaction)))
  for (let at = 0; at < closings.length; at += closingBatchSize) {
    const batch = closings.slice(at, at + closingBatchSize)
    const derived = await deriveClosings(db, organisationId, batch)
    for (const closing of batch) {
      const key = closingKey(closing)
      const { frozen = null, rated = null } = derived.get(key) ?? {}
      const charges = new Map(rated?.charges.map(charge => [charge.id, charge]))
      for (const transaction of byClosing.get(key) ?? []) {
        const charge = charges.get(transaction.chargeId as string)
        const isVerified = charge !== undefined && derivedFigures(charge) === transaction.figures
        results.push({
          ...{ transaction, isVerified, derivedExclTax: charge?.amountExclTax ?? null },
          closing: { consignment: frozen, frozen, rated },
        })
      }
    }
  }
  return results
}

/** The derivation of a generated transaction, as far as the proof of a schedule needs it. */
interface Derivation {
  id: string
  derivedExclTax: string | null
  isVerified: boolean
}

async function deriveStorageTransactions(db: Db, where: Sql): Promise<Derivation[]> {
  const results: Derivation[] = []
  for await (const batch of deriveStorage(db, where))
    for (const { transaction, derived, isVerified } of batch)
      results.push({
        ...{ id: transaction.id, isVerified },
        derivedExclTax: derived === null ? null : textOf(2, derived),
      })
  return results
}

const derivePeriodicTransactions = async (db: Db, where: Sql): Promise<Derivation[]> =>
  (await derivePeriodicCharges(db, where)).map(({ transaction, ...derived }) => ({
    id: transaction.id,
    ...derived,
  }))

/** The origins of generated transactions, each with the function that derives its transactions. */
const origins: readonly [
  isOf: (transaction: StoredTransaction) => boolean,
  derive: (db: Db, where: Sql) => Promise<Derivation[]>,
][] = [
  [({ storageRunId }) => storageRunId !== null, deriveStorageTransactions],
  [({ billingRunId }) => billingRunId !== null, derivePeriodicTransactions],
  [({ rateCardBackTestId }) => rateCardBackTestId !== null, deriveAdjustments],
  [({ creditOf }) => creditOf !== null, deriveCredits],
]

/** Derives transactions of an organisation again, whatever their origin. */
async function deriveTransactions(
  db: Db,
  organisationId: string,
  transactions: readonly StoredTransaction[],
): Promise<DerivedTransaction[]> {
  const [rated, others] = partition(transactions, ({ closingNumber }) => closingNumber !== null)
  const results = await deriveRated(db, organisationId, rated)
  let rest = others
  for (const [isOf, derive] of origins) {
    const [matching, remaining] = partition(rest, isOf)
    rest = remaining
    if (matching.length === 0) continue
    const ids = matching.map(({ id }) => id)
    const where = sql`t.organisation_id = ${organisationId} and t.id = any(${ids})`
    const derived = new Map((await derive(db, where)).map(derivation => [derivation.id, derivation]))
    for (const transaction of matching) {
      const { isVerified = false, derivedExclTax = null } = derived.get(transaction.id) ?? {}
      results.push({ transaction, isVerified, derivedExclTax, closing: null })
    }
  }
  return [...results, ...rest.map(deriveEntered)]
}

/** Splits a list into the elements that match and the others. */
function partition<T>(all: readonly T[], matches: (element: T) => boolean): [T[], T[]] {
  return [all.filter(matches), all.filter(element => !matches(element))]
}

/** Proves a schedule: derives each of its transactions again, and compares. */
export async function proveSchedule(
  db: Db,
  organisationId: string,
  scheduleId: string,
): Promise<ScheduleProof> {
  const where = sql`t.organisation_id = ${organisationId} and t.partner_schedule_id = ${scheduleId}`
  const derived = await deriveTransactions(db, organisationId, await readTransactions(db, where))
  const differing = derived.filter(({ isVerified }) => !isVerified).map(({ transaction }) => transaction.id)
  const sum: ExactInteger = sumOfCents(derived.flatMap(({ derivedExclTax }) => derivedExclTax ?? []))
  return {
    transactions: derived.length,
    verified: derived.length - differing.length,
    differing: differing.toSorted(),
    sumExclTax: toNumber(2, sum),
  }
}

/** Returns the ids of a schedule's transactions that differ from their derivation. Empty: it is proved. */
export const findDifferingTransactions = async (
  db: Db,
  organisationId: string,
  scheduleId: string,
): Promise<string[]> => (await proveSchedule(db, organisationId, scheduleId)).differing

/** Reads one transaction. `where` is a condition on `schedule_transaction t`. Undefined if there is none. */
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
