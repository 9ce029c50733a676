// What all commands that move stock have in common: they may be sent again, may say when they happened, and
// are answered with what moved.

import type { TProperties, TSchema } from 'typebox'
import type { Database, Tx } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { created, type Endpoint, endpoint, json, type Params } from '../../platform/http/endpoint.ts'
import { named, optional, type Static, Type, UtcTime, Uuid } from '../../platform/http/schema.ts'
import type { RequiredScope } from '../../platform/http/scopes.ts'
import type { Finding, Rule } from '../../platform/http/validation.ts'
import type { MovementSource } from '../ledger/movement.ts'
import { type Operation, runOnce } from './operations.ts'

const minute = 60_000
const day = 24 * 60 * minute
/** A device's clock may be ahead by so much. */
const maxClockSkewMs = 2 * minute
/** So long ago may be what is told now. */
export const maxAgeDays = 400

/** What is wrong with the time at which a command is said to have happened. */
function occurrenceFaults(value: unknown): Finding[] {
  const { occurredUtc } = (value ?? {}) as { occurredUtc?: unknown }
  const at = typeof occurredUtc === 'string' ? Date.parse(occurredUtc) : Number.NaN
  if (Number.isNaN(at)) return []
  const now = Date.now()
  if (at > now + maxClockSkewMs)
    return [{ path: '/occurredUtc', problem: 'must not be in the future', code: 'range' }]
  if (at < now - maxAgeDays * day)
    return [{ path: '/occurredUtc', problem: `must not be more than ${maxAgeDays} days ago`, code: 'range' }]
  return []
}

const commonFields = {
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

/** Every command that is described in this process, by its path: what a device may send later. */
export const stockCommands = new Map<string, Endpoint>()

/** A command as it was sent. */
export interface StockRequest<Path extends string, Body> {
  actor: Actor
  params: Params<Path>
  body: Body
  requestId: string
  /** who moves the stock, for the ledger */
  source: MovementSource
  /** when it happened, where it was said; an instant of the future is now */
  occurredUtc: string | null
  operation: Operation
}

/** What the handler of a command gets. */
export interface StockCommandContext<Path extends string, Body> extends StockRequest<Path, Body> {
  tx: Tx
}

/** A command with what does it, and where. */
export interface PendingCommand<Path extends string, Body, Answer> extends StockRequest<Path, Body> {
  database: Database
  run(context: StockCommandContext<Path, Body>): Promise<Answer>
}

/** What a command came to, now or when it was done before. */
export interface CommandOutcome<Answer> {
  answer: Answer
  isReplayed: boolean
}

/** Does a command in a transaction of its own, unless it was done before. */
export const runAlone = <const Path extends string, Body, Answer>({
  database,
  run,
  ...request
}: PendingCommand<Path, Body, Answer>): Promise<CommandOutcome<Answer>> =>
  database.atomically(tx => inTransaction(tx, request, run))

interface CommandSpec<Path extends string, Properties extends TProperties, Answer extends TSchema> {
  post: Path
  name: string
  scope: RequiredScope
  summary: string
  description?: string
  /** the name of the body's schema in the API document, and its fields */
  bodyName: string
  body: Properties
  /** finds faults of the body that its fields cannot find each for itself */
  rule?: Rule
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
  /** does the command in a transaction that it may share with others */
  gather?(
    command: PendingCommand<Path, Static<ReturnType<typeof Type.Object<Properties>>>, Static<Answer>>,
  ): Promise<CommandOutcome<Static<Answer>>>
}

/**
 * Describes the endpoint of a command. `run` happens in the transaction that remembers the operation; it
 * checks everything under the lock of the stock and then posts.
 */
export function stockCommand<
  const Path extends string,
  Properties extends TProperties,
  Answer extends TSchema,
>(spec: CommandSpec<Path, Properties, Answer>): Endpoint {
  const { post, bodyName, body, rule = () => [], answer, ...rest } = spec
  const { creates, createdUnder, run, gather, refuses = [], ...facts } = rest
  type Body = Static<ReturnType<typeof Type.Object<Properties>>>
  const definition = {
    post,
    partners: 'none' as const,
    extension: true,
    body: named(
      bodyName,
      Type.Object(
        { ...commonFields, ...body },
        { rule: (value: unknown) => [...occurrenceFaults(value), ...rule(value)] },
      ),
    ) as TSchema,
    answer: creates === undefined ? json(answer) : created(creates, answer, createdUnder),
    refuses: [...new Set([...refuses, 409 as const])],
    ...facts,
  }
  const answered = (
    { answer, isReplayed }: CommandOutcome<Static<Answer>>,
    setHeader: IncomingRequest['setHeader'],
  ) => {
    if (isReplayed) setHeader('Idempotent-Replayed', 'true')
    return answer
  }
  const command =
    gather === undefined
      ? endpoint({
          ...definition,
          async handle({ tx, setHeader, ...sent }) {
            const request = requestOf<Path, Body>(post, sent)
            return answered(await inTransaction(tx, request, run), setHeader)
          },
        })
      : endpoint({
          ...definition,
          ownTransactions: true,
          async handle({ database, setHeader, ...sent }) {
            return answered(await gather({ ...requestOf<Path, Body>(post, sent), database, run }), setHeader)
          },
        })
  stockCommands.set(post, command)
  return command
}

/** What an endpoint is given, as far as commands look at it. */
interface IncomingRequest {
  actor: Actor
  params: object
  body: unknown
  requestId: string
  setHeader(name: string, value: string): void
}

/** The command that a request is. */
function requestOf<Path extends string, Body>(
  path: Path,
  { actor, params, body, requestId }: Omit<IncomingRequest, 'setHeader'>,
): StockRequest<Path, Body> {
  const { operationId = null, ...rest } = (body ?? {}) as Record<string, unknown> &
    Static<ReturnType<typeof Type.Object<typeof commonFields>>>
  const { occurredUtc, ...asked } = rest
  const { connectionId, userId } = actor
  return {
    actor,
    params: params as Params<Path>,
    body: asked as Body,
    requestId,
    source: { connectionId, userId, requestId, operationId },
    occurredUtc: occurredUtc ? noLaterThanNow(occurredUtc) : null,
    operation: { operationId, request: [path, params, rest] },
  }
}

/** Does a command, unless it was done before. */
const inTransaction = <Path extends string, Body, Answer>(
  tx: Tx,
  request: StockRequest<Path, Body>,
  run: (context: StockCommandContext<Path, Body>) => Promise<Answer>,
): Promise<CommandOutcome<Answer>> =>
  runOnce(tx, request.actor, request.operation, () => run({ ...request, tx }))

/** An instant, or now where the device's clock is ahead. */
const noLaterThanNow = (instant: string) => new Date(Math.min(Date.parse(instant), Date.now())).toISOString()
