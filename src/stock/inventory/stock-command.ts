// What all commands that move stock have in common: they may be sent again, may say when they happened, and
// are answered with what moved.

import type { TProperties, TSchema } from 'typebox'
import type { Tx } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { created, type Endpoint, endpoint, json, type Params } from '../../platform/http/endpoint.ts'
import { named, optional, type Static, Type, UtcTime, Uuid } from '../../platform/http/schema.ts'
import type { Reach } from '../../platform/http/scopes.ts'
import type { Fault } from '../../platform/http/validation.ts'
import type { StockSource } from '../ledger/movement.ts'
import { once } from './operations.ts'

const minute = 60_000
const day = 24 * 60 * minute
/** A device's clock may be ahead by so much. */
const maxAhead = 2 * minute
const maxAgeDays = 400

/** What is wrong with the time at which a command is said to have happened. */
function occurrenceFaults(value: unknown): Fault[] {
  const { occurredUtc } = (value ?? {}) as { occurredUtc?: unknown }
  const at = typeof occurredUtc === 'string' ? Date.parse(occurredUtc) : Number.NaN
  if (Number.isNaN(at)) return []
  const now = Date.now()
  if (at > now + maxAhead) return [{ path: '/occurredUtc', problem: 'must not be in the future' }]
  if (at < now - maxAgeDays * day)
    return [{ path: '/occurredUtc', problem: `must not be more than ${maxAgeDays} days ago` }]
  return []
}

const common = {
  operationId: optional({
    ...Uuid,
    description:
      'An id that the caller makes for this command. Sent again within 90 days, it changes nothing ' +
      'and is answered as before, with the header Idempotent-Replayed.',
  }),
  occurredUtc: optional({
    ...UtcTime,
    description: `When it happened, for what is told later; default now, at most ${maxAgeDays} days ago.`,
  }),
}

/** What the handler of a command gets. */
export interface StockCommandContext<Path extends string, Body> {
  tx: Tx
  actor: Actor
  params: Params<Path>
  body: Body
  requestId: string
  /** who moves the stock, for the ledger */
  source: StockSource
  /** when it happened, where it was said; an instant of the future is now */
  occurredUtc: string | null
}

interface Spec<Path extends string, Properties extends TProperties, Answer extends TSchema> {
  post: Path
  name: string
  scope: Reach
  summary: string
  description?: string
  /** the name of the body's schema in the API document, and its fields */
  bodyName: string
  body: Properties
  bodyOptional?: boolean
  /** the body may be large: 40 MiB */
  files?: boolean
  answer: Answer
  /** the name of the id in the answer, where the command creates a record: 201 */
  creates?: string
  /** the path that the record is found under, where it is not the command's own */
  createdUnder?: string
  refuses?: (409 | 422)[]
  run(
    context: StockCommandContext<Path, Static<ReturnType<typeof Type.Object<Properties>>>>,
  ): Promise<Static<Answer>>
}

/**
 * Describes the endpoint of a command. `run` happens in the transaction that remembers the operation; it
 * checks everything under the lock of the stock and then posts.
 */
export function stockCommand<
  const Path extends string,
  Properties extends TProperties,
  Answer extends TSchema,
>(spec: Spec<Path, Properties, Answer>): Endpoint {
  const { post, bodyName, body, answer, creates, createdUnder, run, refuses = [], ...rest } = spec
  type Body = Static<ReturnType<typeof Type.Object<Properties>>>
  return endpoint({
    post,
    partners: 'none',
    extension: true,
    body: named(bodyName, Type.Object({ ...common, ...body }, { rule: occurrenceFaults })) as TSchema,
    answer: creates === undefined ? json(answer) : created(creates, answer, createdUnder),
    refuses: [...new Set([...refuses, 409 as const])],
    ...rest,
    async handle({ tx, actor, params, body: given, requestId, setHeader }) {
      const { operationId, occurredUtc, ...asked } = given as Record<string, unknown> &
        Static<ReturnType<typeof Type.Object<typeof common>>>
      const done = await once(tx, actor, { operationId, request: [post, params, given] }, () =>
        run({
          tx,
          actor,
          params: params as Params<Path>,
          body: asked as Body,
          requestId,
          source: {
            connectionId: actor.connectionId,
            userId: actor.userId,
            requestId,
            operationId: operationId ?? null,
          },
          occurredUtc: occurredUtc ? earlier(occurredUtc) : null,
        }),
      )
      if (done.isReplayed) setHeader('Idempotent-Replayed', 'true')
      return done.answer
    },
  })
}

/** An instant, or now where the device's clock is ahead. */
const earlier = (instant: string) => new Date(Math.min(Date.parse(instant), Date.now())).toISOString()
