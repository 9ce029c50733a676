// Transactions of storage derived again. What a run knew of a billed period is read and evaluated once,
// however many transactions follow from it. Open-points 7.

import { type Db, type Sql, sql } from '../../platform/database/db.ts'
import { subtract, type Whole, wholeOf } from '../rate-cards/exact.ts'
import { ContentHashMismatch } from '../rate-cards/version-cache.ts'
import { chargesByKey, keyText, type StorageKey } from './corrections.ts'
import {
  evaluateStorage,
  type StorageCharge,
  type StorageTerms,
  storageEvaluatorVersion,
} from './evaluate-storage.ts'
import { dayOf } from './local-days.ts'
import type { StorageAccount } from './read-stock-history.ts'
import type { StockHistory } from './stock-history.ts'
import { readRuns, type StorageRun } from './storage-account.ts'
import { firstKnown } from './storage-facts.ts'
import { readStorageInputs, termsOf } from './storage-terms.ts'

/** A transaction that a run raised. Quantity and rate are in millionths, the amount is in cents. */
export interface RaisedTransaction extends StorageAccount, StorageKey {
  id: string
  quantity: Whole
  rate: Whole
  amount: Whole
  /** the transaction that it corrects; null: the first of its key */
  adjusts: string | null
  runId: string
  runNumber: number
  /** the number of the run that billed the period */
  firstNumber: number
}

/** What was known of the goods of a billed period, and what they come to by that. */
export interface StorageAsKnown {
  knownAt: string
  history: StockHistory
  terms: StorageTerms
  /** by `keyText` */
  charges: ReadonlyMap<string, StorageCharge>
}

/** What is known of a transaction's period, and what the transaction's key comes to by it. */
export interface DerivedKey {
  known: StorageAsKnown
  /** undefined: nothing is charged by the key */
  charge: StorageCharge | undefined
}

/** A transaction derived again. */
export interface DerivedTransaction {
  transaction: RaisedTransaction
  /** null where the content of a version is not what its hash names: nothing can be derived from that */
  derived: Whole | null
  isVerified: boolean
  evaluatorVersion: number | null
  /** by what its own run knew; null as above */
  now: DerivedKey | null
  /** by what the run before knew; null where the period was not billed before */
  before: DerivedKey | null
}

interface StoredTransaction extends Omit<RaisedTransaction, 'period' | 'quantity' | 'rate' | 'amount'> {
  periodFrom: string
  periodTo: string
  quantity: string
  rate: string
  amount: string
}

/** The transactions `t` that runs raised, in the order of their ids. */
async function readRaised(db: Db, where: Sql): Promise<RaisedTransaction[]> {
  const rows = await db.rows<StoredTransaction>(sql`
    select t.organisation_id, t.id, t.partner_id as client_id, t.warehouse_id, t.rate_card_version_id,
      t.rate_id, t.rate_charge_id, t.period_from, t.period_to, t.group_key, t.adjusts,
      t.quantity::text as quantity, t.charge_rate_excl_tax::text as rate, t.amount_excl_tax::text as amount,
      r.id as run_id, r.number as run_number, f.number as first_number
    from schedule_transaction t
    join storage_run r on r.organisation_id = t.organisation_id and r.id = t.storage_run_id
    join storage_run f on f.organisation_id = t.organisation_id and f.client_id = t.partner_id
      and f.warehouse_id = t.warehouse_id and t.period_to between f.period_from and f.period_to
    where ${where}
    order by t.id`)
  return rows.map(({ periodFrom, periodTo, quantity, rate, amount, ...row }) => ({
    ...row,
    period: { from: dayOf(periodFrom), to: dayOf(periodTo) },
    quantity: wholeOf(6, quantity),
    rate: wholeOf(6, rate),
    amount: wholeOf(2, amount),
  }))
}

/** The storage of one period as the last of some runs knew it; the first of them billed it. */
export async function deriveAsKnown(
  db: Db,
  at: StorageAccount,
  runs: readonly StorageRun[],
): Promise<StorageAsKnown> {
  const [first] = runs
  const { knownAt } = runs.at(-1) as StorageRun
  if (first === undefined || first.period === null) throw new Error('The run billed no period of its own.')
  const billing = { ...first, period: first.period }
  const frozenFacts = runs.map(run => run.frozenFacts)
  const stored = await readStorageInputs(db, at, [billing], frozenFacts, knownAt)
  const terms = termsOf(at, billing, stored, firstKnown(frozenFacts))
  const charges = chargesByKey(evaluateStorage(stored.history, terms))
  return { knownAt, history: stored.history, terms, charges }
}

/**
 * The runs of an account from one number to another; undefined where the content of a version is not what
 * its hash names.
 */
export async function readIntactRuns(
  db: Db,
  at: StorageAccount,
  numbers: { from: number; to: number },
): Promise<StorageRun[] | undefined> {
  try {
    return await readRuns(db, at, numbers)
  } catch (error) {
    if (error instanceof ContentHashMismatch) return undefined
    throw error
  }
}

/** Derives transactions again that one run raised for one billed period. */
async function derivePeriod(
  db: Db,
  transactions: readonly RaisedTransaction[],
): Promise<DerivedTransaction[]> {
  const [{ organisationId, clientId, warehouseId, firstNumber, runNumber }] = transactions as [
    RaisedTransaction,
  ]
  const at = { organisationId, clientId, warehouseId }
  const runs = await readIntactRuns(db, at, { from: firstNumber, to: runNumber })
  if (runs === undefined)
    return transactions.map(transaction => ({
      ...{ transaction, derived: null, isVerified: false, evaluatorVersion: null, now: null, before: null },
    }))
  const now = await deriveAsKnown(db, at, runs)
  const before = runNumber === firstNumber ? null : await deriveAsKnown(db, at, runs.slice(0, -1))
  const { evaluatorVersion } = runs[0] as StorageRun
  return transactions.map(transaction => {
    const key = keyText(transaction)
    const [charge, earlier] = [now.charges.get(key), before?.charges.get(key)]
    const derived = subtract(charge?.row.amount ?? 0, earlier?.row.amount ?? 0)
    const isAsCharged =
      transaction.adjusts !== null ||
      (transaction.quantity === charge?.row.metric && transaction.rate === charge.row.rate)
    return {
      ...{ transaction, derived, evaluatorVersion },
      isVerified:
        derived === transaction.amount && isAsCharged && evaluatorVersion === storageEvaluatorVersion,
      now: { known: now, charge },
      before: before === null ? null : { known: before, charge: earlier },
    }
  })
}

/** Derives the transactions `t` again that storage runs raised, those of one run and period at a time. */
export async function* deriveStorage(db: Db, where: Sql): AsyncGenerator<DerivedTransaction[]> {
  const raised = await readRaised(db, where)
  const together = Map.groupBy(raised, ({ runId, firstNumber }) => `${runId} ${firstNumber}`)
  for (const transactions of together.values()) yield await derivePeriod(db, transactions)
}
