// Whoever leaves an import waiting and whoever creates a record take turns, so that no import waits for what
// is there. Open-points 5.

import { type Sql, sql, type Tx } from '../../platform/database/db.ts'

const lockOf = (organisationId: string): Sql =>
  sql`hashtextextended(${`waiting imports ${organisationId}`}, 0)`

/**
 * Before an import is left waiting: takes turns with whoever creates a record, so that no import starts to
 * wait for a record that appears at this moment. The codes have to be looked up again once this has returned;
 * from then to the end of the transaction nothing new appears unseen.
 */
export async function blockNewRecords(tx: Tx, organisationId: string): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(${lockOf(organisationId)})`)
}

/**
 * The other side: whoever creates a record holds this while it looks for imports that wait for it. Creators
 * do not hold up one another.
 */
export async function blockNewWaitingImports(tx: Tx, organisationId: string): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock_shared(${lockOf(organisationId)})`)
}
