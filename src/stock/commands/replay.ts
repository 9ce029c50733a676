// Replays the stock commands of a device that was offline, one after the other, each in a transaction of its
// own. Spec 2.14.

import { accessRules } from '../../access/access-rules.ts'
import type { Actor } from '../../access/actor.ts'
import { type Endpoint, endpoint } from '../../access/endpoint.ts'
import { type Database, sql } from '../../platform/database/db.ts'
import { json } from '../../platform/http/endpoint.ts'
import { describeError } from '../../platform/http/error-response.ts'
import { type RequestReader, requestReader } from '../../platform/http/read-request.ts'
import { notFound, Refusal, validationFailed } from '../../platform/http/refusal.ts'
import { named, nullable, optional, type Static, Type, Uuid } from '../../platform/http/schema.ts'
import { createValidation } from '../../platform/http/validation.ts'
import { isValidSscc } from '../logistic-units/sscc.ts'
import { stockCommands } from './stock-command.ts'

const Operation = Type.Object({
  operationId: Uuid,
  path: Type.String({ maxLength: 500, examples: ['/v1/inventory/transfer'] }),
  body: optional(Type.Object({}, { additionalProperties: true })),
  dependsOn: optional(Type.Array(Uuid, { maxItems: 500 })),
})
type Operation = Static<typeof Operation>

const Outcome = Type.Object({
  operationId: Uuid,
  status: Type.Integer({
    description: 'The HTTP status that the command alone would have got; 424: not attempted.',
  }),
  isReplayed: Type.Boolean({ description: 'Whether the operation had been done before.' }),
  body: nullable(Type.Unsafe<object>({ type: 'object', additionalProperties: true })),
  ignoredFields: Type.Array(Type.String(), {
    description: 'Fields of the command that mean nothing to it, as the header Ignored-Fields names them.',
  }),
})
type Outcome = Static<typeof Outcome>

/** A command with the reader of its requests and the pattern of its path. */
interface ReplayableCommand {
  command: Endpoint
  read: RequestReader
  pattern: RegExp
}

let replayables: ReplayableCommand[] | undefined

/** Lists every command. The list is built on first use, when all commands have been defined. */
function listReplayables(): ReplayableCommand[] {
  const validation = createValidation({ sscc: isValidSscc })
  replayables ??= [...stockCommands].map(([path, command]) => ({
    command,
    read: requestReader(command, validation, accessRules),
    pattern: new RegExp(`^${path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
  }))
  return replayables
}

/** The parts of the replay request that every operation needs. */
interface ReplayContext {
  database: Database
  actor: Actor
  requestId: string
  signal: AbortSignal
  logDefect(error: unknown): void
}

/** Performs one operation as if it were a request of its own, and returns its response. */
async function perform(context: ReplayContext, { operationId, path, body }: Operation): Promise<Outcome> {
  const { database, logDefect, ...requestContext } = context
  const { actor, requestId } = requestContext
  let isReplayed = false
  let ignoredFields: string[] = []
  try {
    const replayable = listReplayables().find(({ pattern }) => pattern.test(path))
    if (replayable === undefined) throw notFound('Command')
    const { command, read, pattern } = replayable
    accessRules.check(command, actor)
    const { faults, ...input } = read({
      params: { ...pattern.exec(path)?.groups },
      query: {},
      body: { ...body, operationId },
      actor,
      storageFaults: undefined,
    })
    ignoredFields = [...input.ignoredFields]
    if (faults.length > 0) throw validationFailed(...faults)
    const handle = command.handle as (context: object) => Promise<object>
    const setHeader = () => {
      isReplayed = true
    }
    const commandContext = { ...requestContext, ...input, setHeader }
    const answer = command.ownTransactions
      ? await handle({ ...commandContext, database })
      : await database.atomically(tx => handle({ ...commandContext, tx }))
    return { operationId, status: command.response.status, isReplayed, body: answer, ignoredFields }
  } catch (error) {
    const { refusal, isDefect } = describeError(error, requestId)
    if (isDefect) logDefect(error)
    const told = { operationId, status: refusal.status, body: refusal.bodyFor(requestId) }
    return { ...told, isReplayed: false, ignoredFields }
  }
}

/** Finds which operations that others depend on were completed before this request. */
async function findCompleted(
  { db }: Database,
  { organisationId }: Actor,
  operations: readonly Operation[],
): Promise<Set<string>> {
  const prerequisites = operations.flatMap(({ dependsOn }) => dependsOn ?? [])
  if (prerequisites.length === 0) return new Set()
  const rows = await db.rows<{ operationId: string }>(sql`
    select operation_id from inventory_operation
    where organisation_id = ${organisationId} and operation_id = any(${prerequisites})`)
  return new Set(rows.map(({ operationId }) => operationId))
}

const skippedOutcome = (requestId: string, operationId: string, missing: string): Outcome => ({
  operationId,
  status: 424,
  isReplayed: false,
  ignoredFields: [],
  body: new Refusal(424, 'Verification Failed', 'precondition', [
    `This was not tried, because operation ${missing}, which has to come first, was not done. Put that ` +
      'right, then send both again.',
  ]).bodyFor(requestId),
})

export const replayStockOperations = [
  endpoint({
    post: '/v1/inventory/replay',
    name: 'replayStockOperations',
    partners: 'none',
    scope: ['inventory', 'consignment', 'job'],
    extension: true,
    summary: 'Replay the stock commands of a device that was offline',
    description:
      'Accepts any stock command that takes an operationId, by its path, in the given order. Each runs as ' +
      'if it were sent alone and needs the same scope. If one is refused, the others still run, except ' +
      'those that list it in dependsOn (424). A command that was done before gets its stored response.',
    body: named(
      'StockReplay',
      Type.Object({ operations: Type.Array(Operation, { minItems: 1, maxItems: 500 }) }),
    ),
    files: true,
    response: json(named('StockReplayed', Type.Object({ operations: Type.Array(Outcome) }))),
    ownTransactions: true,
    async handle({ database, actor, body, requestId, signal, logDefect }) {
      const outcomes: Outcome[] = []
      const completed = await findCompleted(database, actor, body.operations)
      for (const operation of body.operations) {
        if (signal.aborted) break
        const missing = operation.dependsOn?.find(id => !completed.has(id))
        const outcome = missing
          ? skippedOutcome(requestId, operation.operationId, missing)
          : await perform({ database, actor, requestId, signal, logDefect }, operation)
        if (outcome.status < 400) completed.add(operation.operationId)
        outcomes.push(outcome)
      }
      return { operations: outcomes }
    },
  }),
]
