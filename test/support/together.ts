// Commands that share a transaction, and the same commands one after another, for comparison.

import assert from 'node:assert/strict'
import type { Actor } from '../../src/access/actor.ts'
import { type Database, sql } from '../../src/platform/database/db.ts'
import { Refusal } from '../../src/platform/http/refusal.ts'
import { newId } from '../../src/platform/new-id.ts'
import { type CommandRequest, carryOutAlone, carryOutTogether } from '../../src/stock/commands/carry-out.ts'
import type { CommandKind } from '../../src/stock/commands/command-kind.ts'

/** A command as its endpoint passes it on. */
export function commandRequest<Params, Body>(actor: Actor, params: Params, body: Body) {
  const requestId = newId()
  const { connectionId, userId } = actor
  return {
    ...{ actor, requestId, occurredUtc: null, params, body },
    ...{ source: { connectionId, userId, requestId }, operation: { operationId: null, request: null } },
  }
}

/** What became of a request: its place among the requests, and its answer or refusal as text. */
export type Decision = [request: number, outcome: string]

/** Runs requests one after another, in the given order. */
export async function decideApart<Request extends CommandRequest, Answer>(
  database: Database,
  kind: CommandKind<Request, Answer>,
  requests: readonly Request[],
  order: readonly number[],
  textOf: (answer: Answer) => string,
): Promise<Decision[]> {
  const decided: Decision[] = []
  for (const n of order) {
    const outcome = await database
      .atomically(tx => carryOutAlone(tx, kind, requests[n] as Request))
      .then(({ answer }) => textOf(answer))
      .catch((error: unknown) => {
        if (error instanceof Refusal) return error.message
        throw error
      })
    decided.push([n, outcome])
  }
  return decided
}

/**
 * Runs requests in shared transactions, and alone those that cannot share one. Returns what became of them in
 * the order in which they took effect, and the number of transactions.
 */
export async function decideTogether<Request extends CommandRequest, Answer>(
  database: Database,
  kind: CommandKind<Request, Answer>,
  requests: readonly Request[],
  textOf: (answer: Answer) => string,
): Promise<{ decided: Decision[]; transactions: number }> {
  const decided: Decision[] = []
  let [waiting, transactions] = [[...requests.keys()], 0]
  while (waiting.length > 0) {
    transactions++
    const batch = waiting
    const outcomes = await database.atomically(tx =>
      carryOutTogether(
        tx,
        kind,
        batch.map(n => requests[n] as Request),
      ),
    )
    const alone: number[] = []
    waiting = batch.filter((n, i) => {
      const outcome = outcomes[i]
      if (outcome === 'alone') alone.push(n)
      else if (typeof outcome === 'object')
        decided.push([n, 'refusal' in outcome ? outcome.refusal.message : textOf(outcome.answer)])
      return outcome === 'later'
    })
    decided.push(...(await decideApart(database, kind, requests, alone, textOf)))
    transactions += alone.length
  }
  return { decided, transactions }
}

/** A world of its own, in which requests are made of what is wanted and outcomes are told without its ids. */
interface Scene<Wanted, Request> {
  requestOf: (wanted: Wanted) => Request
  named: (text: string) => string
  state: () => Promise<unknown>
}

/**
 * Asserts that what is wanted leaves the same, and is answered the same, in shared transactions in one scene
 * as one after another in the other. Returns how many transactions sharing has saved.
 */
export async function assertAlike<Wanted, Request extends CommandRequest, Answer>(
  database: Database,
  kind: CommandKind<Request, Answer>,
  all: readonly Wanted[],
  [apart, joint]: readonly [Scene<Wanted, Request>, Scene<Wanted, Request>],
  textOf: (answer: Answer) => string,
): Promise<number> {
  const { decided, transactions } = await decideTogether(database, kind, all.map(joint.requestOf), textOf)
  const order = decided.map(([n]) => n)
  const one = await decideApart(database, kind, all.map(apart.requestOf), order, textOf)
  assert.deepEqual(
    decided.map(([n, text]) => [n, joint.named(text)]),
    one.map(([n, text]) => [n, apart.named(text)]),
  )
  assert.deepEqual(await joint.state(), await apart.state())
  return all.length - transactions
}

/** The types and changes of the events of each of these consignments, in order. */
export const eventsOf = (database: Database, ids: readonly string[], named: (text: string) => string) =>
  Promise.all(
    ids.map(async id => {
      const events = await database.db.rows<{ text: string }>(sql`
        select concat(type, ' ', data -> 'changes') as text from event where subject_id = ${id} order by id`)
      return events.map(({ text }) => named(text))
    }),
  )
