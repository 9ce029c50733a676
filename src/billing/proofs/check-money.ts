// The proof that all money is what it was made of: every charge that was frozen is derived again, every
// transaction says what its charge says or is derived itself, every schedule is the sum of its transactions.
// Reports what differs and repairs nothing.

import { type Db, type Sql, sql } from '../../platform/database/db.ts'
import { inPages, pagesOf } from '../../platform/database/in-pages.ts'
import { chargeAmount } from '../charges/charge-amount.ts'
import type { ChargeApplication } from '../enumerations.ts'
import {
  closingKey,
  closingsAtOnce,
  type DerivableClosings,
  type DerivedClosing,
  derive,
  readDerivable,
} from './derive-closings.ts'
import { chargeLine, derivedFigures, derivedRule } from './figures.ts'
import { asked, behind, type MoneyDifference, type MoneyScope, moneyRules, nothing } from './money-rules.ts'
import { proveGeneratedTransactions } from './prove-generated-transactions.ts'

/** What was proved. */
export interface MoneyProof {
  closings: number
  charges: number
  transactions: number
  schedules: number
  /** the first so many that differ */
  differences: MoneyDifference[]
}

/** So many differences are told: more of them tell nothing more. */
export const maxDifferences = 10_000
const enteredAtOnce = 5_000

interface StoredClosing {
  organisationId: string
  consignmentId: string
  closingNumber: number
  /** a line for each charge: its id, its rule and its figures */
  charges: string
}

/** Closings with their stored charges, those that follow one in the order of their key. */
const nextClosings = (db: Db, of: MoneyScope, after: StoredClosing | undefined) =>
  db.rows<StoredClosing>(sql`
    select i.organisation_id, i.consignment_id, i.closing_number, (
        select coalesce(string_agg(${chargeLine}, E'\n'
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
    } ${asked(of, sql`i.organisation_id`, sql`i.charge_date`)}
    order by i.organisation_id, i.consignment_id, i.closing_number limit ${closingsAtOnce}`)

/** Closings of one organisation with what they are derived from. */
interface ClosingsOfOne {
  stored: StoredClosing[]
  derivable: DerivableClosings
}

/** The next page of closings, by organisation. */
async function readPage(db: Db, of: MoneyScope, after: StoredClosing | undefined): Promise<ClosingsOfOne[]> {
  const closings = await nextClosings(db, of, after)
  const page: ClosingsOfOne[] = []
  for (const [organisationId, stored] of Map.groupBy(closings, one => one.organisationId))
    page.push({ stored, derivable: await readDerivable(db, organisationId, stored) })
  return page
}

/** The lines of charges. */
const linesOf = (charges: string): string[] => (charges === '' ? [] : charges.split('\n'))

/** The same by their ids. */
const byId = (charges: string): Map<string, string> =>
  new Map(linesOf(charges).map(line => [line.slice(0, 36), line.slice(37)]))

/** What of a closing is not what it is derived to be. */
function differencesOf(
  { organisationId, charges }: StoredClosing,
  derived: DerivedClosing | undefined,
): MoneyDifference[] {
  const computed = (derived?.rated?.charges ?? [])
    .map(one => `${one.id} ${derivedRule(one)} ${derivedFigures(one)}`)
    .join('\n')
  if (charges === computed) return []
  const rule = 'A charge is what follows from what was frozen when its consignment was Closed.'
  const [stored, wanted] = [byId(charges), byId(computed)]
  return [...new Set([...stored.keys(), ...wanted.keys()])].flatMap(id => {
    const [is, shall] = [stored.get(id) ?? nothing, wanted.get(id) ?? nothing]
    return is === shall ? [] : [{ organisationId, rule, id, stored: is, computed: shall }]
  })
}

/** What breaks the rules that a statement can tell. */
async function brokenRules(db: Db, of: MoneyScope): Promise<MoneyDifference[]> {
  const differences: MoneyDifference[] = []
  for (const { rule, broken } of moneyRules) {
    const found = await db.rows<Omit<MoneyDifference, 'rule'>>(
      sql`select * from (${broken(of)}) broken limit ${maxDifferences}`,
    )
    differences.push(...found.map(one => ({ ...one, rule })))
  }
  return differences
}

/** Derives the closings in question again, a page at a time. */
async function proveClosings(db: Db, of: MoneyScope, proof: MoneyProof): Promise<void> {
  const pages = pagesOf<ClosingsOfOne>(before => readPage(db, of, before?.at(-1)?.stored.at(-1)))
  for await (const page of pages) {
    for (const { stored, derivable } of page) {
      const derived = derive(derivable)
      for (const closing of stored) {
        proof.differences.push(...differencesOf(closing, derived.get(closingKey(closing))))
        proof.charges += linesOf(closing.charges).length
      }
      proof.closings += stored.length
    }
    if (proof.differences.length >= maxDifferences) return
  }
}

interface Entered {
  organisationId: string
  id: string
  application: ChargeApplication
  metricValue: string
  rate: string
  amountExclTax: string
}

/** What somebody entered, which a source shows as `e`. */
interface EnteredSource {
  columns: Sql
  from: (of: MoneyScope) => Sql
}

const enteredCharges: EnteredSource = {
  columns: sql`e.charge_application as application, e.metric_value::text as metric_value,
    e.charge_rate::text as rate`,
  from: of => sql`consignment_charge e
    where e.closing_number is null ${asked(of, sql`e.organisation_id`, sql`e.created_utc::date`)}`,
}

const enteredTransactions: EnteredSource = {
  columns: sql`e.charge_application as application, e.quantity::text as metric_value,
    e.charge_rate_excl_tax::text as rate`,
  from: of => sql`schedule_transaction e
    where e.consignment_charge_id is null
      and num_nonnulls(e.storage_run_id, e.billing_run_id, e.rate_card_back_test_id) = 0
      ${asked(of, sql`e.organisation_id`, sql`e.date`)}`,
}

/** Multiplies again what somebody entered. Returns how many there are. */
async function proveEntered(
  db: Db,
  of: MoneyScope,
  { columns, from }: EnteredSource,
  { differences }: MoneyProof,
): Promise<number> {
  const rule = 'A charge that somebody entered is its rate times its metric, or the rate itself.'
  let count = 0
  const read = (after: Entered | undefined) =>
    db.rows<Entered>(sql`
      select e.organisation_id, e.id, ${columns}, e.amount_excl_tax::text as amount_excl_tax
      from ${from(of)} ${behind(after, sql`e`)}
      order by e.organisation_id, e.id limit ${enteredAtOnce}`)
  for await (const entered of inPages(enteredAtOnce, read)) {
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
 * Derives everything in question again. At most `maxDifferences` are told. It reads some at a time: to prove
 * one moment, `db` must be a transaction that sees one.
 */
export async function proveMoney(db: Db, of: MoneyScope = {}): Promise<MoneyProof> {
  const counts = await db.row<Pick<MoneyProof, 'transactions' | 'schedules'>>(sql`
    select (
        select count(*) from schedule_transaction t
        where true ${asked(of, sql`t.organisation_id`, sql`t.date`)}
      ) as transactions, (
        select count(*) from partner_schedule s where true ${asked(of, sql`s.organisation_id`, sql`s.date`)}
      ) as schedules`)
  const proof: MoneyProof = { closings: 0, charges: 0, ...counts, differences: [] }
  // Closings are derived here while the database goes through the rules.
  const [broken] = await Promise.all([brokenRules(db, of), proveClosings(db, of, proof)])
  proof.differences.unshift(...broken)
  proof.charges += await proveEntered(db, of, enteredCharges, proof)
  await proveEntered(db, of, enteredTransactions, proof)
  for await (const some of proveGeneratedTransactions(db, of)) {
    proof.differences.push(...some)
    if (proof.differences.length >= maxDifferences) break
  }
  proof.differences = proof.differences.slice(0, maxDifferences)
  return proof
}
