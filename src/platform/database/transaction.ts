// A transaction from its first statement to its commit or rollback, and what follows the commit.

import pg from 'pg'
import type { Sql, Tx } from './db.ts'
import { asOutcome, isDatabaseUnavailable, sqlState } from './errors.ts'
import type { Pools } from './pools.ts'
import { isUnprepared, readHandle, type StatementOutcome, sendStatement } from './statement.ts'

/** Makes a handle that writes through `send`. `runAfterCommit` runs the tasks kept for after the commit. */
export function writeHandle(
  send: (query: Sql) => Promise<StatementOutcome>,
  onError: (error: Error) => void,
): { tx: Tx; runAfterCommit: () => void } {
  const tasks: (() => void)[] = []
  const tx: Tx = {
    ...readHandle(send),
    run: async query => (await send(query)).count,
    afterCommit: task => tasks.push(task),
    note: () => {},
  }
  return {
    tx,
    runAfterCommit: () => {
      for (const task of tasks) {
        try {
          task()
        } catch (error) {
          onError(error as Error)
        }
      }
    },
  }
}

/** The SQLSTATE of a statement sent after another one of the same transaction failed. */
const inFailedTransaction = '25P02'

/** Takes a connection and begins a transaction on it. */
async function begin({ writers, begin }: Pools) {
  const client = await writers.connect()
  // Sent together with the first statement, so it costs no round trip of its own.
  const begun = client.query(begin())
  begun.catch(() => {})
  return { client, begun }
}

type Session = Awaited<ReturnType<typeof begin>>

/**
 * Sends the statements of one transaction. The connection is taken for the first statement, so that checks
 * before it hold none; now() is the time of that statement.
 */
function openSession(pools: Pools) {
  let session: Promise<Session> | undefined
  let isEnded = false
  let failure: pg.DatabaseError | undefined
  let isLeftUnprepared = false
  return {
    async send(query: Sql): Promise<StatementOutcome> {
      if (isEnded) throw new Error('A statement after the end of its transaction.')
      session ??= begin(pools)
      const { client } = await session
      try {
        return await sendStatement(client, query)
      } catch (error) {
        isLeftUnprepared ||= isUnprepared(client, query)
        // If one of several pipelined statements fails, PostgreSQL refuses the later ones. All of them throw
        // the error of the one that failed.
        if (failure !== undefined && sqlState(error) === inFailedTransaction) throw failure
        if (error instanceof pg.DatabaseError) failure ??= error
        throw error
      }
    },
    /** Refuses further statements. */
    end() {
      isEnded = true
    },
    async commit(): Promise<void> {
      if (session === undefined) return
      const { client, begun } = await session
      await begun
      const end = await client.query('commit').catch(error => {
        throw asOutcome(error)
      })
      if (end.command !== 'COMMIT')
        throw new Error('The transaction was already undone by a failed statement.', { cause: failure })
    },
    /** Rolls back. Returns the error if that fails; the connection is then unusable. */
    async rollback(): Promise<Error | undefined> {
      try {
        await session?.then(({ client }) => client.query('rollback'))
      } catch (error) {
        return error as Error
      }
      return undefined
    },
    /** Returns the connection to the pool, or closes it if it is broken or a pooler might end it. */
    async release(broken: Error | undefined): Promise<void> {
      await session?.then(
        ({ client }) => client.release(broken ?? isLeftUnprepared),
        () => {},
      )
    },
  }
}

/** Runs `work` in one transaction, once. */
export async function runTransaction<T>(
  pools: Pools,
  work: (tx: Tx) => Promise<T>,
  onError: (error: Error) => void,
): Promise<T> {
  const session = openSession(pools)
  let broken: Error | undefined
  const { tx, runAfterCommit } = writeHandle(session.send, onError)
  try {
    const result = await work(tx).finally(session.end)
    await session.commit()
    runAfterCommit()
    return result
  } catch (error) {
    broken = await session.rollback()
    // A connection to a server that accepts no writes is closed: the next one may lead to another server.
    if (isDatabaseUnavailable(error)) broken ??= error as Error
    throw error
  } finally {
    await session.release(broken)
  }
}
