// A transaction from its first statement to its commit or rollback, and what follows the commit.

import pg from 'pg'
import type { Sql, Tx } from './db.ts'
import { sqlState } from './errors.ts'
import { type Outcome, reading, send } from './statement.ts'

/** A handle that writes through `ask`; `committed` does what was to follow the commit. */
export function writing(
  ask: (query: Sql) => Promise<Outcome>,
  onError: (error: Error) => void,
): { tx: Tx; committed: () => void } {
  const tasks: (() => void)[] = []
  const tx: Tx = {
    ...reading(ask),
    run: async query => (await ask(query)).count,
    afterCommit: task => tasks.push(task),
  }
  return {
    tx,
    committed: () => {
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

const alreadyUndone = '25P02'

/** A connection that has begun a transaction. */
async function begin(writers: pg.Pool) {
  const client = await writers.connect()
  // Sent together with the first statement, so it costs no round trip of its own.
  const begun = client.query('begin')
  begun.catch(() => {})
  return { client, begun }
}

type Session = Awaited<ReturnType<typeof begin>>

/**
 * The way statements of one transaction are sent. A connection is taken for the first: what is looked at
 * before holds none, and is not what the transaction's time begins with.
 */
function openSession(writers: pg.Pool) {
  let taken: Promise<Session> | undefined
  let isOver = false
  let undoing: pg.DatabaseError | undefined
  return {
    async ask(query: Sql): Promise<Outcome> {
      if (isOver) throw new Error('A statement after the end of its transaction.')
      taken ??= begin(writers)
      const { client } = await taken
      try {
        return await send(client, query)
      } catch (error) {
        // Of statements sent together, those behind the one that failed are refused for it; whoever waits for
        // all may hear of them first.
        if (undoing !== undefined && sqlState(error) === alreadyUndone) throw undoing
        if (error instanceof pg.DatabaseError) undoing ??= error
        throw error
      }
    },
    /** Lets no further statement pass. */
    end() {
      isOver = true
    },
    async commit(): Promise<void> {
      if (taken === undefined) return
      const { client, begun } = await taken
      await begun
      const end = await client.query('commit')
      if (end.command !== 'COMMIT')
        throw new Error('The transaction was already undone by a failed statement.', { cause: undoing })
    },
    /** Undoes what was done. Returns why that failed, if it did: the connection is of no use then. */
    async rollback(): Promise<Error | undefined> {
      try {
        await taken?.then(({ client }) => client.query('rollback'))
      } catch (failure) {
        return failure as Error
      }
      return undefined
    },
    /** Gives the connection back, or gives it up where it is broken. */
    async release(broken: Error | undefined): Promise<void> {
      await taken?.then(
        ({ client }) => client.release(broken),
        () => {},
      )
    },
  }
}

/** Runs `work` in one transaction, once. */
export async function transaction<T>(
  writers: pg.Pool,
  work: (tx: Tx) => Promise<T>,
  onError: (error: Error) => void,
): Promise<T> {
  const session = openSession(writers)
  let broken: Error | undefined
  const { tx, committed } = writing(session.ask, onError)
  try {
    const result = await work(tx).finally(session.end)
    await session.commit()
    committed()
    return result
  } catch (error) {
    broken = await session.rollback()
    throw error
  } finally {
    await session.release(broken)
  }
}
