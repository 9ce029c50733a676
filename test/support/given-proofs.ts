// What tests of proofs do: change what is stored behind the back of the service, and count statements.

import assert from 'node:assert/strict'
import { proveMoney } from '../../src/billing/proofs/check-money.ts'
import type { MoneyScope } from '../../src/billing/proofs/money-rules.ts'
import { type Database, type Db, type Sql, sql, type Tx } from '../../src/platform/database/db.ts'

/** Does something behind the back of the service, with keys and checks off, looks, and takes it back. */
export async function withTampering<T>(
  database: Database,
  statement: Sql,
  look: (tx: Tx) => Promise<T>,
): Promise<T> {
  class Undone extends Error {}
  let seen: T | undefined
  const work = database.atomically(async tx => {
    await tx.run(sql`set local session_replication_role = replica`)
    await tx.run(statement)
    seen = await look(tx)
    throw new Undone()
  })
  await assert.rejects(work, Undone)
  return seen as T
}

/** The rules of money that are broken once a statement was sent behind the back of the service. */
export const rulesBrokenBy = (database: Database, statement: Sql, of: MoneyScope = {}): Promise<string[]> =>
  withTampering(database, statement, async tx => {
    const { differences } = await proveMoney(tx, of)
    return [...new Set(differences.map(({ rule }) => rule))].toSorted()
  })

/** A database that counts what is asked of it. */
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
