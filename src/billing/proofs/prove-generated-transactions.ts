// Transactions that no charge of a consignment is behind, derived again: storage, what is owed by the period,
// what adjusts to a back-test.

import { type Db, sql } from '../../platform/database/db.ts'
import { inPages } from '../../platform/database/in-pages.ts'
import { deriveAdjustments } from '../rate-card-back-tests/derive-adjustments.ts'
import { textOf } from '../rate-cards/exact.ts'
import { type DerivedStorage, deriveStorage } from '../storage-charges/derive-storage.ts'
import { wrongStorageSums } from '../storage-charges/storage-sums.ts'
import { derivePeriodicCharges } from './derive-periodic-charges.ts'
import { asked, behind, type MoneyDifference, type MoneyScope, nothing } from './money-rules.ts'

const rules = {
  storage: 'A transaction of storage is what its run knew of the ledger, less what was known before.',
  storageSum: 'The transactions of storage add up to what the latest run knew.',
  periodic: 'A fee follows from its rule, and a minimum spend from what its period came to.',
  adjustment: 'A transaction that adjusts to a back-test is a difference that the test found.',
}

function storageDifference({ transaction, derived, isVerified, now }: DerivedStorage): MoneyDifference[] {
  if (isVerified) return []
  const { organisationId, id, adjusts, quantity, rate, amount } = transaction
  const row = adjusts === null ? now?.charge?.row : undefined
  const computed = derived === null ? nothing : textOf(2, derived)
  return [
    {
      ...{ organisationId, rule: rules.storage, id },
      stored: `${textOf(6, quantity)} ${textOf(6, rate)} ${textOf(2, amount)}`,
      computed: row === undefined ? computed : `${textOf(6, row.metric)} ${textOf(6, row.rate)} ${computed}`,
    },
  ]
}

/** So many transactions are looked at in a step, which is what the memory of a proof depends on. */
const raisedAtOnce = 2_000

/** A transaction that no charge is behind, and what raised it. */
interface Raised {
  organisationId: string
  id: string
  isOfStorage: boolean
  isPeriodic: boolean
}

const nextRaised = (db: Db, of: MoneyScope, after: Raised | undefined): Promise<Raised[]> =>
  db.rows(sql`
    select t.organisation_id, t.id, t.storage_run_id is not null as is_of_storage,
      t.billing_run_id is not null as is_periodic
    from schedule_transaction t
    where t.consignment_charge_id is null
      and num_nonnulls(t.storage_run_id, t.billing_run_id, t.rate_card_back_test_id) > 0
      ${asked(of, sql`t.organisation_id`, sql`t.date`)} ${behind(after, sql`t`)}
    order by t.organisation_id, t.id limit ${raisedAtOnce}`)

const differing = (
  rule: string,
  { organisationId, id, amountExclTax }: { organisationId: string; id: string; amountExclTax: string },
  derivedExclTax: string | null,
): MoneyDifference => ({
  organisationId,
  rule,
  id,
  stored: amountExclTax,
  computed: derivedExclTax ?? nothing,
})

/** What of such transactions of one organisation is not what it is derived to be. */
async function* proveThese(
  db: Db,
  organisationId: string,
  raised: readonly Raised[],
): AsyncGenerator<MoneyDifference[]> {
  const those = (some: Raised[]) =>
    sql`t.organisation_id = ${organisationId} and t.id = any(${some.map(({ id }) => id)})`
  const ofStorage = raised.filter(one => one.isOfStorage)
  const periodic = raised.filter(one => one.isPeriodic)
  const adjustments = raised.filter(one => !one.isOfStorage && !one.isPeriodic)
  if (ofStorage.length > 0)
    for await (const some of deriveStorage(db, those(ofStorage))) yield some.flatMap(storageDifference)
  if (periodic.length > 0)
    yield (await derivePeriodicCharges(db, those(periodic)))
      .filter(({ isVerified }) => !isVerified)
      .map(({ transaction, derivedExclTax }) => differing(rules.periodic, transaction, derivedExclTax))
  if (adjustments.length > 0)
    yield (await deriveAdjustments(db, those(adjustments)))
      .filter(({ isVerified }) => !isVerified)
      .map(one => differing(rules.adjustment, one, one.derivedExclTax))
}

/** What of these transactions is not what it is derived to be, some at a time. */
export async function* proveGeneratedTransactions(db: Db, of: MoneyScope): AsyncGenerator<MoneyDifference[]> {
  for await (const page of inPages<Raised>(raisedAtOnce, after => nextRaised(db, of, after)))
    for (const [organisationId, its] of Map.groupBy(page, one => one.organisationId))
      yield* proveThese(db, organisationId, its)
  const billed = sql`true ${asked(of, sql`r.organisation_id`, sql`r.period_to`)}`
  for await (const some of wrongStorageSums(db, billed))
    yield some.map(one => ({ ...one, rule: rules.storageSum }))
}
