// A transaction that leaves an import waiting and one that creates a record exclude each other by an advisory
// lock, so that no import waits for a record which already exists. Decision 5.

import { type Sql, sql, type Tx } from '../platform/database/db.ts'

const lockOf = (organisationId: string): Sql =>
  sql`hashtextextended(${`waiting imports ${organisationId}`}, 0)`

/**
 * Called before an import is left waiting: keeps other transactions from creating records that it might wait
 * for, until this transaction ends. The codes have to be looked up again afterwards, because records may have
 * been created just before.
 */
export async function blockNewRecords(tx: Tx, organisationId: string): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(${lockOf(organisationId)})`)
}

/**
 * Called after a record was created: keeps other transactions from leaving imports waiting while this one
 * looks for imports that wait for the record. Transactions that create records do not block each other.
 */
export async function blockNewWaitingImports(tx: Tx, organisationId: string): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock_shared(${lockOf(organisationId)})`)
}
