// What all commands that move stock have in common: a client may safely repeat them under one operationId,
// they may state when they happened, and they return what moved. Spec 2.14.

import type { TProperties, TSchema } from 'typebox'
import type { Actor } from '../../access/actor.ts'
import { type Endpoint, endpoint } from '../../access/endpoint.ts'
import type { RequiredScope } from '../../access/scopes.ts'
import type { Database, Tx } from '../../platform/database/db.ts'
import { created, json, type Params } from '../../platform/http/endpoint.ts'
import { named, optional, type Static, Type, UtcTime, Uuid } from '../../platform/http/schema.ts'
import type { ValidationError, ValidationRule } from '../../platform/http/validation.ts'
import { dayMs } from '../../platform/local-time.ts'
import type { MovementSource } from '../ledger/movement.ts'
import { type Operation, runOnce } from './operations.ts'

const minuteMs = 60_000
/** How far a device's clock may be ahead. */
export const maxClockSkewMs = 2 * minuteMs
/** How many days ago a command may have happened. */
export const maxAgeDays = 400

/** Faults of `occurredUtc`: it must not be in the future or too long ago. */
function occurrenceFaults(value: unknown): ValidationError[] {
  const { occurredUtc } = (value ?? {}) as { occurredUtc?: unknown }
  const at = typeof occurredUtc === 'string' ? Date.parse(occurredUtc) : Number.NaN
  if (Number.isNaN(at)) return []
  const now = Date.now()
  if (at > now + maxClockSkewMs)
    return [{ path: '/occurredUtc', problem: 'must not be in the future', code: 'range' }]
  if (at < now - maxAgeDays * dayMs)
    return [{ path: '/occurredUtc', problem: `must not be more than ${maxAgeDays} days ago`, code: 'range' }]
  return []
}

const commonFields = {
  operationId: optional({
    ...Uuid,
    description:
      'An id that the caller creates for this command. If the command is sent again within 90 days, it ' +
      'changes nothing and gets the same response as before, with the header Idempotent-Replayed.',
  }),
  occurredUtc: optional({
    ...UtcTime,
    description: `When it happened, if it is reported later; default now, at most ${maxAgeDays} days ago.`,
  }),
}

/** Every stock command by its path. A device may replay these after it was offline. */
export const stockCommands = new Map<string, Endpoint>()

/** A command as the client sent it. */
export interface StockRequest<Path extends string, Body> {
  actor: Actor
  params: Params<Path>
  body: Body
  requestId: string
  /** who moves the stock, for the ledger */
  source: MovementSource
  /** when it happened, if the client stated it, and never later than now */
  occurredUtc: string | null
  operation: Operation
}

/** What the `run` of a command receives. */
export interface StockCommandContext<Path extends string, Body> extends StockRequest<Path, Body> {
  tx: Tx
}

/** A command that has not run yet, with the function that runs it and the database to run it in. */
export interface PendingCommand<Path extends string, Body, Answer> extends StockRequest<Path, Body> {
  database: Database
  run(context: StockCommandContext<Path, Body>): Promise<Answer>
}

/** The response of a command, and whether it is the stored response of an earlier request. */
export interface CommandOutcome<Answer> {
  answer: Answer
  isReplayed: boolean
}

/** Runs a command in a transaction of its own. If it ran before, returns the stored response. */
export const runAlone = <const Path extends string, Body, Answer>({
  database,
  run,
  ...request
}: PendingCommand<Path, Body, Answer>): Promise<CommandOutcome<Answer>> =>
  database.atomically(tx => runInTransaction(tx, request, run))

interface CommandSpec<Path extends string, Properties extends TProperties, Answer extends TSchema> {
  post: Path
  name: string
  scope: RequiredScope
  summary: string
  description?: string
  /** the name of the body's schema in the API document, and its fields */
  bodyName: string
  body: Properties
  /** finds faults that involve several fields of the body */
  rule?: ValidationRule
  bodyOptional?: boolean
  /** the body may have up to 40 MiB */
  files?: boolean
  /** a request may ask what it would do */
  canBeRehearsed?: true
  answer: Answer
  /** the name of the id in the response, if the command creates a record and returns 201 */
  creates?: string
  /** the path of the created record, if it is not below the path of the command */
  createdUnder?: string
  refuses?: (409 | 422)[]
  run(
    context: StockCommandContext<Path, Static<ReturnType<typeof Type.Object<Properties>>>>,
  ): Promise<Static<Answer>>
  /** runs the command in a transaction that it may share with other commands */
  gather?(
    command: PendingCommand<Path, Static<ReturnType<typeof Type.Object<Properties>>>, Static<Answer>>,
  ): Promise<CommandOutcome<Static<Answer>>>
}

/**
 * Defines the endpoint of a command. `run` runs in the transaction that stores the operation: it takes the
 * stock lock, checks everything and then posts to the ledger.
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
    response: creates === undefined ? json(answer) : created(creates, answer, createdUnder),
    refuses: [...new Set([...refuses, 409 as const])],
    ...facts,
  }
  const toResponse = (
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
          async handle({ tx, setHeader, ...incoming }) {
            const request = requestOf<Path, Body>(post, incoming)
            return toResponse(await runInTransaction(tx, request, run), setHeader)
          },
        })
      : endpoint({
          ...definition,
          ownTransactions: true,
          async handle({ database, setHeader, ...incoming }) {
            return toResponse(
              await gather({ ...requestOf<Path, Body>(post, incoming), database, run }),
              setHeader,
            )
          },
        })
  stockCommands.set(post, command)
  return command
}

/** The parts of a request that commands use. */
interface IncomingRequest {
  actor: Actor
  params: object
  body: unknown
  requestId: string
  setHeader(name: string, value: string): void
}

/** Reads the command out of a request. */
function requestOf<Path extends string, Body>(
  path: Path,
  { actor, params, body, requestId }: Omit<IncomingRequest, 'setHeader'>,
): StockRequest<Path, Body> {
  const { operationId = null, ...rest } = (body ?? {}) as Record<string, unknown> &
    Static<ReturnType<typeof Type.Object<typeof commonFields>>>
  const { occurredUtc, ...fields } = rest
  const { connectionId, userId } = actor
  return {
    actor,
    params: params as Params<Path>,
    body: fields as Body,
    requestId,
    source: { connectionId, userId, requestId, operationId },
    occurredUtc: occurredUtc ? noLaterThanNow(occurredUtc) : null,
    operation: { operationId, request: [path, params, rest] },
  }
}

/** Runs a command in a transaction. If it ran before, returns the stored response. */
const runInTransaction = <Path extends string, Body, Answer>(
  tx: Tx,
  request: StockRequest<Path, Body>,
  run: (context: StockCommandContext<Path, Body>) => Promise<Answer>,
): Promise<CommandOutcome<Answer>> =>
  runOnce(tx, request.actor, request.operation, () => run({ ...request, tx }))

/** Returns an instant, or now if the device's clock is ahead. */
const noLaterThanNow = (instant: string) => new Date(Math.min(Date.parse(instant), Date.now())).toISOString()
