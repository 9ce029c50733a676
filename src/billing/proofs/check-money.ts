// Proves all billed amounts: derives every frozen charge again, compares every transaction with its charge or
// derives it itself, and checks that every schedule is the sum of its transactions. Reports differences and
// repairs nothing.

import { type Db, type Sql, sql } from '../../platform/database/db.ts'
import { inPages, readInPages } from '../../platform/database/in-pages.ts'
import type { ChargeApplication } from '../../vocabulary/billing.ts'
import { chargeAmount } from '../charges/charge-amount.ts'
import { closingRules } from './closing-rules.ts'
import {
  closingBatchSize,
  closingKey,
  type DerivableClosings,
  type DerivedClosing,
  deriveCharges,
  readDerivable,
} from './derive-closings.ts'
import { chargeLine, derivedFigures, derivedRule } from './figures.ts'
import { invoiceRules } from './invoice-rules.ts'
import {
  creationDay,
  isAfter,
  isInScope,
  type MoneyDifference,
  type MoneyScope,
  moneyRules,
  noAmount,
} from './money-rules.ts'
import { proveGeneratedTransactions } from './prove-generated-transactions.ts'

/** The counts of what was proved, and the differences found. */
export interface MoneyProof {
  closings: number
  charges: number
  transactions: number
  schedules: number
  /** at most `maxDifferences` */
  differences: MoneyDifference[]
}

/** The most differences that a proof reports; more would not help to find the cause. */
export const maxDifferences = 10_000
const enteredPageSize = 5_000

interface StoredClosing {
  organisationId: string
  consignmentId: string
  closingNumber: number
  /** one line per charge: its id, its rule, its figures and its number */
  charges: string
}

/** Reads the next page of closings with their stored charges, in the order of their keys. */
const readClosingPage = (db: Db, scope: MoneyScope, after: StoredClosing | undefined) =>
  db.rows<StoredClosing>(sql`
    select i.organisation_id, i.consignment_id, i.closing_number, (
        select coalesce(string_agg(concat_ws(' ', ${chargeLine}, h.ordinal), E'\n'
          order by h.ordinal), '')
        from consignment_charge h
        where h.organisation_id = i.organisation_id and h.consignment_id = i.consignment_id
          and h.closing_number = i.closing_number
      ) as charges
    from charge_input i
    where ${
      after === undefined
        ? sql`true`
        : sql`(i.organisation_id, i.consignment_id, i.closing_number)
            > (${after.organisationId}, ${after.consignmentId}, ${after.closingNumber})`
    } ${isInScope(scope, sql`i.organisation_id`, sql`i.charge_date`)}
    order by i.organisation_id, i.consignment_id, i.closing_number limit ${closingBatchSize}`)

/** Closings of one organisation with the inputs that they are derived from. */
interface OrganisationClosings {
  stored: StoredClosing[]
  derivable: DerivableClosings
}

/** Reads the next page of closings, grouped by organisation. */
async function readPage(
  db: Db,
  scope: MoneyScope,
  after: StoredClosing | undefined,
): Promise<OrganisationClosings[]> {
  const closings = await readClosingPage(db, scope, after)
  const page: OrganisationClosings[] = []
  for (const [organisationId, stored] of Map.groupBy(closings, closing => closing.organisationId))
    page.push({ stored, derivable: await readDerivable(db, organisationId, stored) })
  return page
}

const linesOf = (charges: string): string[] => (charges === '' ? [] : charges.split('\n'))

/** Indexes the lines of charges by the id that each begins with, a UUID of 36 characters. */
const linesById = (charges: string): Map<string, string> =>
  new Map(linesOf(charges).map(line => [line.slice(0, 36), line.slice(37)]))

/** Compares the stored charges of a closing with the derived ones. */
function differencesOf(
  { organisationId, charges }: StoredClosing,
  derived: DerivedClosing | undefined,
): MoneyDifference[] {
  const computed = (derived?.rated?.charges ?? [])
    .map((charge, ordinal) => `${charge.id} ${derivedRule(charge)} ${derivedFigures(charge)} ${ordinal}`)
    .join('\n')
  if (charges === computed) return []
  const rule = 'A charge follows from the inputs that were frozen when its consignment was Closed.'
  const [stored, derivedLines] = [linesById(charges), linesById(computed)]
  return [...new Set([...stored.keys(), ...derivedLines.keys()])].flatMap(id => {
    const [actual, expected] = [stored.get(id) ?? noAmount, derivedLines.get(id) ?? noAmount]
    return actual === expected ? [] : [{ organisationId, rule, id, stored: actual, computed: expected }]
  })
}

/** Finds the rows that break the rules which SQL alone can check. */
async function findBrokenRules(db: Db, scope: MoneyScope): Promise<MoneyDifference[]> {
  const differences: MoneyDifference[] = []
  for (const { rule, broken } of [...moneyRules, ...invoiceRules, ...closingRules]) {
    const found = await db.rows<Omit<MoneyDifference, 'rule'>>(
      sql`select * from (${broken(scope)}) broken limit ${maxDifferences}`,
    )
    differences.push(...found.map(difference => ({ ...difference, rule })))
  }
  return differences
}

/** Derives the closings in scope again, a page at a time. */
async function proveClosings(db: Db, scope: MoneyScope, proof: MoneyProof): Promise<void> {
  const pages = readInPages<OrganisationClosings>(before =>
    readPage(db, scope, before?.at(-1)?.stored.at(-1)),
  )
  for await (const page of pages) {
    for (const { stored, derivable } of page) {
      const derived = deriveCharges(derivable)
      for (const closing of stored) {
        proof.differences.push(...differencesOf(closing, derived.get(closingKey(closing))))
        proof.charges += linesOf(closing.charges).length
      }
      proof.closings += stored.length
    }
    if (proof.differences.length >= maxDifferences) return
  }
}

interface EnteredAmount {
  organisationId: string
  id: string
  application: ChargeApplication
  metricValue: string
  rate: string
  amountExclTax: string
}

/** A table of amounts that were entered by hand, as `e`. */
interface EnteredSource {
  columns: Sql
  from: (scope: MoneyScope) => Sql
}

const enteredCharges: EnteredSource = {
  columns: sql`e.charge_application as application, e.metric_value::text as metric_value,
    e.charge_rate::text as rate`,
  from: scope => sql`consignment_charge e
    where e.closing_number is null ${isInScope(scope, sql`e.organisation_id`, creationDay(sql`e`))}`,
}

const enteredTransactions: EnteredSource = {
  columns: sql`e.charge_application as application, e.quantity::text as metric_value,
    e.charge_rate_excl_tax::text as rate`,
  from: scope => sql`schedule_transaction e
    where e.consignment_charge_id is null
      and num_nonnulls(e.storage_run_id, e.billing_run_id, e.rate_card_back_test_id) = 0
      ${isInScope(scope, sql`e.organisation_id`, sql`e.date`)}`,
}

/** Multiplies again the amounts that were entered by hand. Returns how many there are. */
async function proveEntered(
  db: Db,
  scope: MoneyScope,
  { columns, from }: EnteredSource,
  { differences }: MoneyProof,
): Promise<number> {
  const rule = 'A charge that was entered by hand is its rate times its metric, or the rate itself.'
  let count = 0
  const read = (after: EnteredAmount | undefined) =>
    db.rows<EnteredAmount>(sql`
      select e.organisation_id, e.id, ${columns}, e.amount_excl_tax::text as amount_excl_tax
      from ${from(scope)} ${isAfter(after, sql`e`)}
      order by e.organisation_id, e.id limit ${enteredPageSize}`)
  for await (const entered of inPages(enteredPageSize, read)) {
    for (const { organisationId, id, amountExclTax: stored, ...rating } of entered) {
      const computed = chargeAmount(rating)
      if (computed !== stored) differences.push({ organisationId, rule, id, stored, computed })
    }
    count += entered.length
    if (differences.length >= maxDifferences) break
  }
  return count
}

/**
 * Derives everything in scope again. Reports at most `maxDifferences`. It reads page by page, so to prove the
 * state of one moment, `db` must be a transaction with a single snapshot.
 */
export async function proveMoney(db: Db, scope: MoneyScope = {}): Promise<MoneyProof> {
  const counts = await db.row<Pick<MoneyProof, 'transactions' | 'schedules'>>(sql`
    select (
        select count(*) from schedule_transaction t
        where true ${isInScope(scope, sql`t.organisation_id`, sql`t.date`)}
      ) as transactions, (
        select count(*) from partner_schedule s
        where true ${isInScope(scope, sql`s.organisation_id`, sql`s.date`)}
      ) as schedules`)
  const proof: MoneyProof = { closings: 0, charges: 0, ...counts, differences: [] }
  // This process derives closings while the database checks the rules.
  const [broken] = await Promise.all([findBrokenRules(db, scope), proveClosings(db, scope, proof)])
  proof.differences.unshift(...broken)
  proof.charges += await proveEntered(db, scope, enteredCharges, proof)
  await proveEntered(db, scope, enteredTransactions, proof)
  for await (const differences of proveGeneratedTransactions(db, scope)) {
    proof.differences.push(...differences)
    if (proof.differences.length >= maxDifferences) break
  }
  proof.differences = proof.differences.slice(0, maxDifferences)
  return proof
}
