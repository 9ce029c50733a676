// Derives the transactions again that were not raised from a charge of a consignment: storage, periodic fees
// and minimum spend, and adjustments to back-tests.

import { type Db, sql } from '../../platform/database/db.ts'
import { inPages } from '../../platform/database/in-pages.ts'
import { deriveAdjustments } from '../back-tests/derive-adjustments.ts'
import { textOf } from '../evaluator/exact.ts'
import { type DerivedStorageTransaction, deriveStorage, limitsOf } from '../storage/derive-storage.ts'
import { wrongStorageSums } from '../storage/storage-sums.ts'
import { derivePeriodicCharges } from './derive-periodic-charges.ts'
import { isAfter, isInScope, type MoneyDifference, type MoneyScope, noAmount } from './money-rules.ts'

const rules = {
  storage:
    'A storage transaction is the result of the ledger as its run knew it, less the result billed before.',
  storageLimits: 'A storage transaction shows the base and the limits of its charge, and a correction none.',
  storageSum: 'The storage transactions add up to the result of the latest run.',
  periodic: 'A fee follows from its rule, and a minimum-spend transaction from the spend of its period.',
  adjustment: 'An adjustment to a back-test is a difference that the test found.',
}

function storageDifference({
  transaction,
  derived,
  isVerified,
  now,
}: DerivedStorageTransaction): MoneyDifference[] {
  const { organisationId, id, adjusts, quantity, rate, amount, limits: stored } = transaction
  const limits = limitsOf(transaction, now?.charge)
  if (isVerified && stored !== limits)
    return [{ organisationId, rule: rules.storageLimits, id, stored, computed: limits }]
  if (isVerified) return []
  const row = adjusts === null ? now?.charge?.row : undefined
  const computed = derived === null ? noAmount : textOf(2, derived)
  return [
    {
      ...{ organisationId, rule: rules.storage, id },
      stored: `${textOf(6, quantity)} ${textOf(6, rate)} ${textOf(2, amount)}`,
      computed: row === undefined ? computed : `${textOf(6, row.metric)} ${textOf(6, row.rate)} ${computed}`,
    },
  ]
}

/** How many transactions are read at a time. It bounds the memory that a proof needs. */
const pageSize = 2_000

/** A transaction without a charge, and the kind of run that generated it; neither: a back-test. */
interface GeneratedTransaction {
  organisationId: string
  id: string
  isOfStorage: boolean
  isPeriodic: boolean
}

const readNextPage = (
  db: Db,
  scope: MoneyScope,
  after: GeneratedTransaction | undefined,
): Promise<GeneratedTransaction[]> =>
  db.rows(sql`
    select t.organisation_id, t.id, t.storage_run_id is not null as is_of_storage,
      t.billing_run_id is not null as is_periodic
    from schedule_transaction t
    where t.consignment_charge_id is null
      and num_nonnulls(t.storage_run_id, t.billing_run_id, t.rate_card_back_test_id) > 0
      ${isInScope(scope, sql`t.organisation_id`, sql`t.date`)} ${isAfter(after, sql`t`)}
    order by t.organisation_id, t.id limit ${pageSize}`)

const toDifference = (
  rule: string,
  { organisationId, id, amountExclTax }: { organisationId: string; id: string; amountExclTax: string },
  derivedExclTax: string | null,
): MoneyDifference => ({
  organisationId,
  rule,
  id,
  stored: amountExclTax,
  computed: derivedExclTax ?? noAmount,
})

/** Derives generated transactions of one organisation again, and yields what differs. */
async function* proveTransactions(
  db: Db,
  organisationId: string,
  transactions: readonly GeneratedTransaction[],
): AsyncGenerator<MoneyDifference[]> {
  const isAmong = (some: GeneratedTransaction[]) =>
    sql`t.organisation_id = ${organisationId} and t.id = any(${some.map(({ id }) => id)})`
  const storage = transactions.filter(({ isOfStorage }) => isOfStorage)
  const periodic = transactions.filter(({ isPeriodic }) => isPeriodic)
  const adjustments = transactions.filter(({ isOfStorage, isPeriodic }) => !isOfStorage && !isPeriodic)
  if (storage.length > 0)
    for await (const derived of deriveStorage(db, isAmong(storage))) yield derived.flatMap(storageDifference)
  if (periodic.length > 0)
    yield (await derivePeriodicCharges(db, isAmong(periodic)))
      .filter(({ isVerified }) => !isVerified)
      .map(({ transaction, derivedExclTax }) => toDifference(rules.periodic, transaction, derivedExclTax))
  if (adjustments.length > 0)
    yield (await deriveAdjustments(db, isAmong(adjustments)))
      .filter(({ isVerified }) => !isVerified)
      .map(adjustment => toDifference(rules.adjustment, adjustment, adjustment.derivedExclTax))
}

/** Derives all generated transactions in scope again, and yields what differs, batch by batch. */
export async function* proveGeneratedTransactions(
  db: Db,
  scope: MoneyScope,
): AsyncGenerator<MoneyDifference[]> {
  for await (const page of inPages<GeneratedTransaction>(pageSize, after => readNextPage(db, scope, after)))
    for (const [organisationId, own] of Map.groupBy(page, transaction => transaction.organisationId))
      yield* proveTransactions(db, organisationId, own)
  const billed = sql`true ${isInScope(scope, sql`r.organisation_id`, sql`r.period_to`)}`
  for await (const differences of wrongStorageSums(db, billed))
    yield differences.map(difference => ({ ...difference, rule: rules.storageSum }))
}
