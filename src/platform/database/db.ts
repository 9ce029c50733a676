// The database as the rest of the code sees it: `Db` reads, `Tx` is a Db with an open transaction and may
// write. open-database.ts makes them.

import type pg from 'pg'
import sql, { type Sql } from 'sql-template-tag'
import type { DatabaseState } from './outage.ts'
import type { ReadSlot } from './read-slots.ts'

export { empty, join, raw, type Sql } from 'sql-template-tag'
export { sql }

/** Connections by what they do, and how many statements and transactions wait for one. */
export type PoolStats = Record<'busy' | 'idle' | 'waiting', number>

/** A handle that reads. */
export interface Db {
  /** All rows of a query, columns in camelCase. */
  rows<Row>(query: Sql): Promise<Row[]>
  /** The first row, or undefined. */
  maybe<Row>(query: Sql): Promise<Row | undefined>
  /** The one row that the query always has. */
  row<Row>(query: Sql): Promise<Row>
}

/** A handle with an open transaction: reads, writes, and remembers what to do once it is committed. */
export interface Tx extends Db {
  /** Runs a statement and returns how many rows it changed. */
  run(query: Sql): Promise<number>
  /**
   * Calls `task` after the commit, and not at all after a rollback. An error that it throws is only logged.
   */
  afterCommit(task: () => void): void
}

/** One moment of the database, over a connection of its own. */
export interface Snapshot {
  /**
   * The rows of a query, a batch at a time, each as the texts of its columns. A batch is there until the next
   * one is asked for. One query a snapshot. An error ends the snapshot.
   */
  rows(query: Sql): AsyncGenerator<(string | null)[][]>
  /** Ends it and gives the connection back. */
  close(): Promise<void>
}

/** The pools and the two places a transaction can begin. */
export interface Database {
  /** Reads outside a transaction, on connections that cannot write. */
  readonly db: Db
  /**
   * Runs `work` in one transaction, which begins with its first statement; serialization failures and
   * deadlocks are tried again up to three times.
   */
  atomically<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Runs `work`, which may send exactly one statement: its own transaction, without the two round trips of
   * begin and commit.
   */
  inOneStatement<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * A connection of its own, outside the pools. `isDirect`, the default: and around any pooler, for advisory
   * locks and LISTEN. The caller ends it.
   */
  openConnection(way?: { isDirect: boolean }): Promise<pg.Client>
  /**
   * One moment of the database to read from at length, over a connection of its own: for whoever holds a
   * place. When the signal fires, it is cut.
   */
  snapshot(signal: AbortSignal): Promise<Snapshot>
  /** Waits for one of the few places for reads at length. Throws TemporarilyUnavailable without one. */
  takeReadSlot(owner: string, signal: AbortSignal): Promise<ReadSlot>
  /** how to reach it, for connections of a thread */
  readonly connection: pg.ClientConfig & { isBuiltIn?: boolean }
  stats(): PoolStats
  /** Whether the database answers, and since when it has been so. */
  state(): DatabaseState
  /** Resolves when every connection of the pools is gone, so that the server may be stopped. */
  close(): Promise<void>
}
