// Helpers for tests of proofs: they change stored data behind the service's back, and count statements.

import assert from 'node:assert/strict'
import { proveMoney } from '../../src/billing/proofs/check-money.ts'
import type { MoneyScope } from '../../src/billing/proofs/money-rules.ts'
import { type Database, type Db, type Sql, sql, type Tx } from '../../src/platform/database/db.ts'

/** Changes data with constraints off, calls `inspect`, and rolls the change back. */
export async function withTampering<T>(
  database: Database,
  statement: Sql,
  inspect: (tx: Tx) => Promise<T>,
): Promise<T> {
  class Undone extends Error {}
  let result: T | undefined
  const work = database.atomically(async tx => {
    await tx.run(sql`set local session_replication_role = replica`)
    await tx.run(statement)
    result = await inspect(tx)
    throw new Undone()
  })
  await assert.rejects(work, Undone)
  return result as T
}

/** Finds the rules of money that are broken after such a change. */
export const rulesBrokenBy = (database: Database, statement: Sql, of: MoneyScope = {}): Promise<string[]> =>
  withTampering(database, statement, async tx => {
    const { differences } = await proveMoney(tx, of)
    return [...new Set(differences.map(({ rule }) => rule))].toSorted()
  })

/** Wraps a database handle and counts the statements sent through it. */
export function countingStatements(db: Db): { db: Db; statements: () => number } {
  let statements = 0
  const counting = { ...db } as Record<string, unknown>
  for (const name of ['rows', 'row', 'maybe'] as const)
    counting[name] = (query: Sql) => {
      statements++
      return db[name](query)
    }
  return { db: counting as unknown as Db, statements: () => statements }
}
