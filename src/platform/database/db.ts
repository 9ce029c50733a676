// The database as the rest of the code sees it: a `Db` reads; a `Tx` is a Db with an open transaction and
// also writes. open-database.ts makes both.

import type pg from 'pg'
import sql, { type Sql } from 'sql-template-tag'
import type { DatabaseState } from './outage.ts'
import type { ReadSlot } from './read-slots.ts'

export { empty, join, raw, type Sql } from 'sql-template-tag'
export { sql }

/** How many connections are busy or idle, and how many statements and transactions wait for a connection. */
export type PoolStats = Record<'busy' | 'idle' | 'waiting', number>

/** A handle that reads. */
export interface Db {
  /** All rows of a query, columns in camelCase. */
  rows<Row>(query: Sql): Promise<Row[]>
  /** The first row, or undefined. */
  maybe<Row>(query: Sql): Promise<Row | undefined>
  /** The one row that the query always returns. Throws if there is none. */
  row<Row>(query: Sql): Promise<Row>
}

/** A handle with an open transaction, which reads and writes and keeps tasks for after the commit. */
export interface Tx extends Db {
  /** Runs a statement and returns how many rows it changed. */
  run(query: Sql): Promise<number>
  /**
   * Calls `task` after the commit; never after a rollback. An error that it throws is only logged.
   */
  afterCommit(task: () => void): void
  /** Notes what was written, for a rehearsal of the transaction; nobody reads it otherwise. */
  note(written: object): void
}

/** The database as it was at one moment, read over a connection of its own. */
export interface Snapshot {
  /**
   * The rows of a query, a batch at a time; a row is an array with the text of each column. A batch is
   * emptied when the next one is requested. A snapshot takes one query. An error ends the snapshot.
   */
  rows(query: Sql): AsyncGenerator<(string | null)[][]>
  /** Ends the snapshot and gives the connection back. */
  close(): Promise<void>
}

/** The connection pools, and the ways to use them. */
export interface Database {
  /** Reads outside a transaction, on connections that cannot write. */
  readonly db: Db
  /**
   * Runs `work` in one transaction, which begins with its first statement. After a serialization failure or a
   * deadlock it is retried, up to three times.
   */
  atomically<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Runs `work`, which may send exactly one statement. The statement is a transaction of its own, which saves
   * the two round trips of begin and commit.
   */
  inOneStatement<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Opens a single connection outside the pools. By default (`isDirect`) it bypasses any pooler, as advisory
   * locks and LISTEN require. The caller ends it.
   */
  openConnection(options?: { isDirect: boolean }): Promise<pg.Client>
  /**
   * Opens a snapshot for a long read, over a connection of its own; the caller must hold a read slot. The
   * connection is cut when the signal fires.
   */
  snapshot(signal: AbortSignal): Promise<Snapshot>
  /** Waits for one of the few slots for long reads. Throws TemporarilyUnavailable if none becomes free. */
  takeReadSlot(owner: string, signal: AbortSignal): Promise<ReadSlot>
  /** how many transactions of this process can be open at the same time */
  readonly poolSize: number
  /** the handle that was opened, for handles that a request gets with conditions of its own */
  readonly original: Database
  /** set while an act is rehearsed: one transaction is open, so nothing outside the database is waited for */
  readonly isRehearsed?: true
  /** how to reach the database, for connections that another thread opens */
  readonly connection: pg.ClientConfig & { isBuiltIn?: boolean }
  stats(): PoolStats
  /** Whether the database is available, and since when. */
  state(): DatabaseState
  /** Resolves when every connection of the pools is closed, so that the server may be stopped. */
  close(): Promise<void>
}
