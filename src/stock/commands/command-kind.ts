// How commands of one kind share a transaction: what each locks, what is read for all of them at once, and
// what each does. Spec 2.14.

import type { Sql, Tx } from '../../platform/database/db.ts'
import type { LockedStock } from '../ledger/stock-lock.ts'

/**
 * A kind of command that any number of requests may be carried out of in one transaction. The functions are
 * called in this order, each once for all requests, but for `plan`, which is called for one after another.
 */
export interface CommandKind<Request, Answer, Records = unknown, Found = unknown, Plan = unknown> {
  /** Whether a request may share a transaction. If not, it is carried out alone, by the same functions. */
  mayShare(request: Request): boolean
  /** About how many moves a request makes. */
  weigh(request: Request): number
  /**
   * Locks the records that come before stock in the order of locks. If several requests share the
   * transaction (`isShared`), records that others have locked are left out.
   */
  lockRecords(tx: Tx, requests: readonly Request[], isShared: boolean): Promise<Records>
  /** A query of the warehouse_id and product_id of all stock that is touched. */
  targets(records: Records): Sql
  /**
   * Reads what the requests are planned from; some of those for which records were locked may have dropped
   * out. Nothing may be decided on what is read before `locking`, which has been sent already, has locked the
   * stock.
   */
  read(tx: Tx, locking: Promise<LockedStock>, records: Records, requests: readonly Request[]): Promise<Found>
  /**
   * Plans one request, without the database. What it takes is gone from `found` for the requests after it. If
   * it throws, `found` must be as before: a Refusal is the outcome of this request alone, and
   * `Postponed` leaves it to a later transaction.
   */
  plan(found: Found, request: Request): Plan
  /** Writes everything that is planned, with one `post`. Returns the answers in the order of the plans. */
  write(tx: Tx, locked: LockedStock, found: Found, plans: readonly Plan[]): Promise<Answer[]>
}

/**
 * Thrown by `plan` for a request that cannot be planned yet: it depends on what an earlier request of the
 * transaction does, or on a record that another transaction has locked (`isAlone`: it needs a transaction of
 * its own, which waits for the record).
 */
export class Postponed extends Error {
  readonly isAlone: boolean
  constructor({ isAlone = false } = {}) {
    super('A command is left to a later transaction.')
    this.isAlone = isAlone
  }
}
