// What a device did while it was offline: commands of stock, one after the other, each in a transaction of
// its own. Spec 2.14.

import { type Database, sql } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { type Endpoint, endpoint, json } from '../../platform/http/endpoint.ts'
import { describeError } from '../../platform/http/error-response.ts'
import { refusePartner } from '../../platform/http/partner-access.ts'
import { type RequestReader, requestReader } from '../../platform/http/read-request.ts'
import { notFound, Refusal, validationFailed } from '../../platform/http/refusal.ts'
import { named, nullable, optional, type Static, Type, Uuid } from '../../platform/http/schema.ts'
import { requireScope } from '../../platform/http/scopes.ts'
import { openValidation } from '../../platform/http/validation.ts'
import { isValidSscc } from '../logistic-units/sscc.ts'
import { stockCommands } from './stock-command.ts'

const Operation = Type.Object({
  operationId: Uuid,
  path: Type.String({ maxLength: 500, examples: ['/v1/inventory/transfer'] }),
  body: optional(Type.Object({})),
  dependsOn: optional(Type.Array(Uuid, { maxItems: 500 })),
})
type Operation = Static<typeof Operation>

const Outcome = Type.Object({
  operationId: Uuid,
  status: Type.Integer({ description: 'what the command would have been answered; 424: not tried' }),
  isReplayed: Type.Boolean({ description: 'it was done before' }),
  body: nullable(Type.Unsafe<object>({ type: 'object', additionalProperties: true })),
})
type Outcome = Static<typeof Outcome>

/** A command with the reader of its requests, and how its path is recognised. */
interface ReplayableCommand {
  command: Endpoint
  read: RequestReader
  pattern: RegExp
}

let replayables: ReplayableCommand[] | undefined

/** Every command. Made when it is first asked for: then all of them have been described. */
function listReplayables(): ReplayableCommand[] {
  const validation = openValidation({ sscc: isValidSscc })
  replayables ??= [...stockCommands].map(([path, command]) => ({
    command,
    read: requestReader(command, validation),
    pattern: new RegExp(`^${path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
  }))
  return replayables
}

/** What an operation needs of the request that it came with. */
interface ReplayContext {
  database: Database
  actor: Actor
  requestId: string
  signal: AbortSignal
  logDefect(error: unknown): void
}

/** Does one operation as its own request would have, and tells how that would have been answered. */
async function perform(replaying: ReplayContext, { operationId, path, body }: Operation): Promise<Outcome> {
  const { database, logDefect, ...asking } = replaying
  const { actor, requestId } = asking
  let isReplayed = false
  try {
    const found = listReplayables().find(({ pattern }) => pattern.test(path))
    if (found === undefined) throw notFound('Command')
    const { command, read, pattern } = found
    requireScope(actor, command.scope)
    refusePartner(command, actor)
    const { faults, ...input } = read({
      params: { ...pattern.exec(path)?.groups },
      query: {},
      body: { ...body, operationId },
      actor,
      storageFaults: undefined,
    })
    if (faults.length > 0) throw validationFailed(...faults)
    const handle = command.handle as (context: object) => Promise<object>
    const setHeader = () => {
      isReplayed = true
    }
    const context = { ...asking, ...input, setHeader }
    const answer = command.ownTransactions
      ? await handle({ ...context, database })
      : await database.atomically(tx => handle({ ...context, tx }))
    return { operationId, status: command.answer.status, isReplayed, body: answer }
  } catch (error) {
    const { refusal, isDefect } = describeError(error, requestId)
    if (isDefect) logDefect(error)
    return { operationId, status: refusal.status, isReplayed: false, body: refusal.bodyFor(requestId) }
  }
}

/** Which operations were done before this request. */
async function findCompleted(
  { db }: Database,
  { organisationId }: Actor,
  operations: readonly Operation[],
): Promise<Set<string>> {
  const named = operations.flatMap(({ dependsOn }) => dependsOn ?? [])
  if (named.length === 0) return new Set()
  const rows = await db.rows<{ operationId: string }>(sql`
    select operation_id from inventory_operation
    where organisation_id = ${organisationId} and operation_id = any(${named})`)
  return new Set(rows.map(({ operationId }) => operationId))
}

const skippedOutcome = (requestId: string, operationId: string, missing: string): Outcome => ({
  operationId,
  status: 424,
  isReplayed: false,
  body: new Refusal(424, 'Verification Failed', 'state', [
    `The operation was not tried: it depends on ${missing}, which was not done.`,
  ]).bodyFor(requestId),
})

export const replay = [
  endpoint({
    post: '/v1/inventory/replay',
    name: 'replayStockOperations',
    partners: 'none',
    scope: ['inventory', 'consignment', 'job'],
    extension: true,
    summary: 'Send the commands that a device gave while it was offline',
    description:
      'Any of the commands of stock that take an operationId, by their path, in their order. Each is done ' +
      'by itself, as if it came alone, and needs the scope that it needs then; after a refusal the others ' +
      'go on, save those that name it in dependsOn (424). What was done before is answered as it was.',
    body: named(
      'StockReplay',
      Type.Object({ operations: Type.Array(Operation, { minItems: 1, maxItems: 500 }) }),
    ),
    files: true,
    answer: json(named('StockReplayed', Type.Object({ operations: Type.Array(Outcome) }))),
    ownTransactions: true,
    async handle({ database, actor, body, requestId, signal, logDefect }) {
      const outcomes: Outcome[] = []
      const done = await findCompleted(database, actor, body.operations)
      for (const operation of body.operations) {
        if (signal.aborted) break
        const missing = operation.dependsOn?.find(id => !done.has(id.toLowerCase()))
        const outcome = missing
          ? skippedOutcome(requestId, operation.operationId, missing)
          : await perform({ database, actor, requestId, signal, logDefect }, operation)
        const id = operation.operationId.toLowerCase()
        if (outcome.status < 400) done.add(id)
        outcomes.push(outcome)
      }
      return { operations: outcomes }
    },
  }),
]
