// Derives storage transactions again, to verify them. What a run knew of a billed period is read and
// evaluated once for all of its transactions. Decision 7.

import { type Db, type Sql, sql } from '../../platform/database/db.ts'
import { type ExactInteger, subtract, textOf, wholeOf } from '../evaluator/exact.ts'
import { ContentHashMismatch } from '../rate-cards/version-cache.ts'
import { chargesByKey, keyText, type StorageKey } from './corrections.ts'
import {
  evaluateStorage,
  isKnownStorageEvaluator,
  type StorageCharge,
  type StorageTerms,
} from './evaluate-storage.ts'
import { dayOf } from './local-days.ts'
import type { StorageAccount } from './read-stock-history.ts'
import type { StockHistory } from './stock-history.ts'
import { readRuns, type StorageRun } from './storage-account.ts'
import { firstKnown } from './storage-facts.ts'
import { readStorageInputs, termsOf } from './storage-terms.ts'

/** A transaction that a storage run raised. Quantity and rate are in millionths, the amount is in cents. */
export interface RaisedTransaction extends StorageAccount, StorageKey {
  id: string
  quantity: ExactInteger
  rate: ExactInteger
  amount: ExactInteger
  /** base, minimum and maximum as one text; a dash stands for none */
  limits: string
  /** the transaction that it corrects; null for the first of its key */
  adjusts: string | null
  /** what earlier runs billed for its key: the quantity, and the rate of the first of them; null: nothing */
  billed: { quantity: ExactInteger; rate: ExactInteger } | null
  runId: string
  runNumber: number
  /** the number of the run that billed the period */
  firstNumber: number
}

/** The goods of a billed period as known at an instant, and the charges that follow. */
export interface StorageAsKnown {
  knownAt: string
  history: StockHistory
  terms: StorageTerms
  /** by `keyText` */
  charges: ReadonlyMap<string, StorageCharge>
}

/** A transaction's period as known at an instant, and the charge of the transaction's key. */
export interface DerivedKey {
  known: StorageAsKnown
  /** undefined if the key is not charged */
  charge: StorageCharge | undefined
}

export interface DerivedStorageTransaction {
  transaction: RaisedTransaction
  /** in cents; null if the content of a version does not match its hash, so that nothing can be derived */
  derived: ExactInteger | null
  isVerified: boolean
  evaluatorVersion: number | null
  /** as its own run knew it; null as above */
  now: DerivedKey | null
  /** as the run before knew it; null if the period had not been billed before */
  before: DerivedKey | null
}

interface StoredTransaction
  extends Omit<RaisedTransaction, 'period' | 'quantity' | 'rate' | 'amount' | 'billed'> {
  billedQuantity: string | null
  firstRate: string | null
  periodFrom: string
  periodTo: string
  quantity: string
  rate: string
  amount: string
}

/** Reads the transactions `t` that storage runs raised, in the order of their ids. */
async function readRaised(db: Db, where: Sql): Promise<RaisedTransaction[]> {
  const rows = await db.rows<StoredTransaction>(sql`
    select t.organisation_id, t.id, t.partner_id as client_id, t.warehouse_id, t.rate_card_version_id,
      t.rate_id, t.rate_charge_id, t.period_from, t.period_to, t.group_key, t.adjusts,
      t.quantity::text as quantity, t.charge_rate_excl_tax::text as rate, t.amount_excl_tax::text as amount,
      concat_ws(' ', coalesce(t.base_charge_excl_tax::numeric(18, 2)::text, '-'),
        coalesce(t.min_charge_excl_tax::numeric(18, 2)::text, '-'),
        coalesce(t.max_charge_excl_tax::numeric(18, 2)::text, '-')) as limits,
      r.id as run_id, r.number as run_number, f.number as first_number,
      earlier.quantity::text as billed_quantity, earlier.rate::text as first_rate
    from schedule_transaction t
    join storage_run r on r.organisation_id = t.organisation_id and r.id = t.storage_run_id
    join storage_run f on f.organisation_id = t.organisation_id and f.client_id = t.partner_id
      and f.warehouse_id = t.warehouse_id and t.period_to between f.period_from and f.period_to
    left join lateral (
      select sum(e.quantity) as quantity, (array_agg(e.charge_rate_excl_tax order by e.id))[1] as rate
      from schedule_transaction e
      join storage_run o on o.organisation_id = e.organisation_id and o.id = e.storage_run_id
        and o.number < r.number
      where e.organisation_id = t.organisation_id and e.warehouse_id = t.warehouse_id
        and e.partner_id = t.partner_id and e.period_to = t.period_to and e.storage_run_id is not null
        and (e.rate_charge_id, e.rate_card_version_id, e.period_from, e.group_key)
          = (t.rate_charge_id, t.rate_card_version_id, t.period_from, t.group_key)
    ) earlier on t.adjusts is not null
    where ${where}
    order by t.id`)
  return rows.map(({ periodFrom, periodTo, quantity, rate, amount, billedQuantity, firstRate, ...row }) => ({
    ...row,
    period: { from: dayOf(periodFrom), to: dayOf(periodTo) },
    billed:
      billedQuantity === null
        ? null
        : { quantity: wholeOf(6, billedQuantity), rate: wholeOf(6, firstRate as string) },
    quantity: wholeOf(6, quantity),
    rate: wholeOf(6, rate),
    amount: wholeOf(2, amount),
  }))
}

/** Derives the storage of the period that the first of some runs billed, as the last of them knew it. */
export async function deriveStorageAt(
  db: Db,
  account: StorageAccount,
  runs: readonly StorageRun[],
): Promise<StorageAsKnown> {
  const [first] = runs
  const { knownAt } = runs.at(-1) as StorageRun
  if (first === undefined || first.period === null) throw new Error('The run billed no period of its own.')
  const billing = { ...first, period: first.period }
  const frozenFacts = runs.map(run => run.frozenFacts)
  const stored = await readStorageInputs(db, account, [billing], frozenFacts, knownAt)
  const terms = termsOf(account, billing, stored, firstKnown(frozenFacts))
  const charges = chargesByKey(evaluateStorage(stored.history, terms))
  return { knownAt, history: stored.history, terms, charges }
}

/**
 * Reads the runs of an account from one number to another; undefined if the content of a version does not
 * match its hash.
 */
export async function readIntactRuns(
  db: Db,
  account: StorageAccount,
  numbers: { from: number; to: number },
): Promise<StorageRun[] | undefined> {
  try {
    return await readRuns(db, account, numbers)
  } catch (error) {
    if (error instanceof ContentHashMismatch) return undefined
    throw error
  }
}

/** The limits that the first transaction of a key shows, as one text; a correction shows none. */
export const limitsOf = (
  { adjusts }: Pick<RaisedTransaction, 'adjusts'>,
  charge: StorageCharge | undefined,
): string =>
  [charge?.row.base, charge?.measured.charge.min, charge?.measured.charge.max]
    .map(amount => (adjusts !== null || amount == null ? '-' : textOf(2, amount)))
    .join(' ')

/** Derives the transactions that one run raised for one billed period. */
async function derivePeriod(
  db: Db,
  transactions: readonly RaisedTransaction[],
): Promise<DerivedStorageTransaction[]> {
  const [{ organisationId, clientId, warehouseId, firstNumber, runNumber }] = transactions as [
    RaisedTransaction,
  ]
  const account = { organisationId, clientId, warehouseId }
  const runs = await readIntactRuns(db, account, { from: firstNumber, to: runNumber })
  if (runs === undefined)
    return transactions.map(transaction => ({
      ...{ transaction, derived: null, isVerified: false, evaluatorVersion: null, now: null, before: null },
    }))
  const now = await deriveStorageAt(db, account, runs)
  const before = runNumber === firstNumber ? null : await deriveStorageAt(db, account, runs.slice(0, -1))
  const { evaluatorVersion } = runs[0] as StorageRun
  return transactions.map(transaction => {
    const key = keyText(transaction)
    const [charge, earlier] = [now.charges.get(key), before?.charges.get(key)]
    const derived = subtract(charge?.row.amount ?? 0, earlier?.row.amount ?? 0)
    const { billed } = transaction
    const isAsCharged =
      transaction.quantity === subtract(charge?.row.metric ?? 0, billed?.quantity ?? 0) &&
      transaction.rate === (charge?.row.rate ?? billed?.rate)
    return {
      ...{ transaction, derived, evaluatorVersion },
      isVerified: derived === transaction.amount && isAsCharged && isKnownStorageEvaluator(evaluatorVersion),
      now: { known: now, charge },
      before: before === null ? null : { known: before, charge: earlier },
    }
  })
}

/** Derives the transactions `t` that storage runs raised, those of one run and period at a time. */
export async function* deriveStorage(db: Db, where: Sql): AsyncGenerator<DerivedStorageTransaction[]> {
  const raised = await readRaised(db, where)
  const byPeriod = Map.groupBy(raised, ({ runId, firstNumber }) => `${runId} ${firstNumber}`)
  for (const transactions of byPeriod.values()) yield await derivePeriod(db, transactions)
}
