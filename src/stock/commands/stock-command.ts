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
import { type CommandOutcome, carryOutAlone } from './carry-out.ts'
import type { CommandKind } from './command-kind.ts'
import { passDoor } from './door.ts'
import { findWarehouse, type WarehouseClue } from './find-warehouse.ts'
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

/** A command that is carried out in parts, each in a transaction of its own. */
export interface PendingCommand<Path extends string, Body, Answer> extends StockRequest<Path, Body> {
  database: Database
  /** Has the door carry out a part of it. */
  part<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Has the door carry out its last part, with which the response is stored; by default all of it. */
  finish(run?: (context: StockCommandContext<Path, Body>) => Promise<Answer>): Promise<CommandOutcome<Answer>>
}

interface CommandFacts<Path extends string, Properties extends TProperties, Answer extends TSchema> {
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
}

type BodyOf<Properties extends TProperties> = Static<ReturnType<typeof Type.Object<Properties>>>

/** What a command does: one of these. */
interface CommandActs<Path extends string, Body, Answer> {
  /** how it shares a transaction with others of its kind; with `run`, those that may not share are run so */
  kind?: CommandKind<StockRequest<Path, Body>, Answer> | undefined
  /** runs it in a transaction that is its own */
  run?: ((context: StockCommandContext<Path, Body>) => Promise<Answer>) | undefined
  /** carries it out in transactions of its own; `run` is what it does in one */
  inParts?(command: PendingCommand<Path, Body, Answer>): Promise<CommandOutcome<Answer>>
}

/**
 * Defines the endpoint of a command, which passes the door of its warehouse. `run` runs in the transaction
 * that stores the operation: it takes the stock lock, checks everything and then posts to the ledger.
 */
export function stockCommand<
  const Path extends string,
  Properties extends TProperties,
  Answer extends TSchema,
>(
  spec: CommandFacts<Path, Properties, Answer> & CommandActs<Path, BodyOf<Properties>, Static<Answer>>,
): Endpoint {
  const { post, bodyName, body, rule = () => [], answer, ...rest } = spec
  const { creates, createdUnder, kind, run, inParts, refuses = [], ...facts } = rest
  const command = endpoint({
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
    ownTransactions: true,
    async handle({ database, signal, setHeader, ...incoming }) {
      const request = requestOf<Path, BodyOf<Properties>>(post, incoming)
      const visit = { database, signal, request }
      const outcome =
        inParts && run ? await inParts(inPartsAtDoor(visit, run)) : await bringToDoor(visit, { kind, run })
      if (outcome.isReplayed) setHeader('Idempotent-Replayed', 'true')
      return outcome.answer
    },
  })
  stockCommands.set(post, command)
  return command
}

/** A request with what it needs to pass the door. */
interface Visit<Path extends string, Body> {
  database: Database
  signal: AbortSignal
  request: StockRequest<Path, Body>
}

/** Has the door of its warehouse carry out a command. */
async function bringToDoor<Path extends string, Body, Answer>(
  { database, signal, request }: Visit<Path, Body>,
  { kind, run }: CommandActs<Path, Body, Answer>,
): Promise<CommandOutcome<Answer>> {
  const own = run && !kind?.mayShare(request) ? undefined : kind
  return passDoor(await doorOf(database, request), {
    ...{ database, signal, request, kind: own ?? null },
    alone: tx =>
      own ? carryOutAlone(tx, own, request) : runInTransaction(tx, request, run as NonNullable<typeof run>),
  })
}

/** A command whose parts pass the door one after the other. */
function inPartsAtDoor<Path extends string, Body, Answer>(
  { database, signal, request }: Visit<Path, Body>,
  runAll: (context: StockCommandContext<Path, Body>) => Promise<Answer>,
): PendingCommand<Path, Body, Answer> {
  const pass = async <T>(alone: (tx: Tx) => Promise<CommandOutcome<T>>) =>
    passDoor(await doorOf(database, request), { database, signal, request, kind: null, alone })
  return {
    ...request,
    database,
    part: async work => (await pass(async tx => ({ answer: await work(tx), isReplayed: false }))).answer,
    finish: (run = runAll) => pass(tx => runInTransaction(tx, request, run)),
  }
}

/** The name of the door of a command: its warehouse, if what it names tells it. */
async function doorOf<Path extends string, Body>(
  database: Database,
  { actor, params, body }: StockRequest<Path, Body>,
): Promise<string> {
  const clue = clueOf(params, body)
  const warehouseId =
    typeof clue === 'string' ? clue : clue && (await findWarehouse(database, actor.organisationId, clue))
  return warehouseId ?? 'any'
}

/** Returns the warehouse of a command, or what it names that tells it; null if it names nothing. */
function clueOf(params: object, body: unknown): string | WarehouseClue | null {
  const { consignmentId, jobId, stockCountId } = params as Record<string, string | undefined>
  if (consignmentId) return { table: 'consignment', id: consignmentId }
  if (jobId) return { table: 'job', id: jobId }
  if (stockCountId) return { table: 'stock_count', id: stockCountId }
  const { warehouseId, ...fields } = (body ?? {}) as Record<string, unknown>
  if (typeof warehouseId === 'string') return warehouseId.toLowerCase()
  for (const entries of Object.values(fields)) {
    const [first] = Array.isArray(entries) ? entries : []
    if (entries === fields.consignmentIds) return { table: 'consignment', id: String(first).toLowerCase() }
    const { warehouseProductId, warehouseId: ofEntry } = (first ?? {}) as Record<string, string | null>
    if (ofEntry) return ofEntry.toLowerCase()
    if (warehouseProductId) return { table: 'warehouse_product', id: warehouseProductId.toLowerCase() }
  }
  return null
}

/** The parts of a request that commands use. */
interface IncomingRequest {
  actor: Actor
  params: object
  body: unknown
  requestId: string
}

/** Reads the command out of a request. */
function requestOf<Path extends string, Body>(
  path: Path,
  { actor, params, body, requestId }: IncomingRequest,
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
