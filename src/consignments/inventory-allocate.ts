// Allocating stock to many consignments at once. Open-points 4.

import { sql, type Tx } from '../platform/database/db.ts'
import { type Fault, faultAt } from '../platform/http/fault.ts'
import { verificationFailed } from '../platform/http/refusal.ts'
import { type Static, Type, Uuid } from '../platform/http/schema.ts'
import { newId } from '../platform/new-id.ts'
import { allocateLines, allocationOrder } from '../stock/allocation/allocate-lines.ts'
import type { ConsignmentAllocation } from '../stock/allocation/allocated-lines.ts'
import {
  lockTargetsOfConsignments,
  maxLinesPerTransaction,
  readOutwardLines,
  shortageOf,
} from '../stock/allocation/outward-lines.ts'
import {
  type CommandOutcome,
  type PendingCommand,
  runAlone,
  stockCommand,
} from '../stock/inventory/stock-command.ts'
import { lockQueriedStock } from '../stock/ledger/stock-lock.ts'
import { allocationFields, emitAllocationEvents, refusalOfAllocation } from './allocation-result.ts'
import { type LockedConsignment, lockConsignments } from './consignment.ts'

const path = '/v1/inventory/allocate'
const body = { consignmentIds: Type.Array(Uuid, { minItems: 1, maxItems: 1_000 }) }
const Answer = Type.Object({
  consignments: Type.Array(Type.Object({ consignmentId: Uuid, ...allocationFields })),
})
type Body = Static<ReturnType<typeof Type.Object<typeof body>>>
type Command = PendingCommand<typeof path, Body, Static<typeof Answer>>

/** A part of a command: some of the lines, and the movement of each consignment. */
interface Part {
  lineIds: ReadonlySet<string>
  movements: ReadonlyMap<string, string>
}

/** Locks the consignments. 400 with a sentence for each that stock cannot be allocated to. */
async function lockAll(tx: Tx, organisationId: string, ids: readonly string[]): Promise<LockedConsignment[]> {
  const consignments = await lockConsignments(tx, organisationId, ids)
  const byId = new Map(consignments.map(consignment => [consignment.id, consignment]))
  const faults = ids.flatMap((id, i): Fault[] => {
    const path = `consignmentIds[${i}]`
    const consignment = byId.get(id)
    if (ids.indexOf(id) < i)
      return [{ path, code: 'duplicate', message: `${path}: the consignment is named before.` }]
    if (consignment === undefined) return [faultAt(path, 'names no consignment', 'unknown_reference')]
    const refusal = refusalOfAllocation(consignment)
    return refusal === null ? [] : [{ path, code: 'state', message: `${path}: ${refusal}` }]
  })
  if (faults.length > 0) throw verificationFailed(...faults)
  return consignments
}

/** Allocates what is short of all lines of the consignments, or of those of a part. */
async function allocate(
  tx: Tx,
  { actor, source, occurredUtc, requestId }: Pick<Command, 'actor' | 'source' | 'occurredUtc' | 'requestId'>,
  ids: readonly string[],
  part?: Part,
): Promise<ConsignmentAllocation[]> {
  const { organisationId } = actor
  const consignments = await lockAll(tx, organisationId, ids)
  const [locked, lines] = await Promise.all([
    lockQueriedStock(tx, organisationId, lockTargetsOfConsignments(organisationId, ids)),
    readOutwardLines(tx, organisationId, ids),
  ])
  const now = part && lines.filter(({ id }) => part.lineIds.has(id))
  const quantities = now && new Map(now.map(line => [line.id, shortageOf(line)]))
  const requests = ids.map(consignmentId => {
    const movementId = part?.movements.get(consignmentId)
    return { consignmentId, source, occurredUtc, quantities, ...(movementId ? { movementId } : {}) }
  })
  const outcomes = await allocateLines(tx, locked, requests, { lines: Promise.resolve(lines) })
  await emitAllocationEvents(tx, { ...actor, requestId }, consignments, outcomes)
  return outcomes
}

/**
 * Allocates to very many lines in several transactions, so that nobody waits long for their stock: the lines
 * in their order, and the last of them where the command is remembered. Whoever is interrupted before sends
 * it again, and the lines that have their stock keep it.
 */
async function allocateInParts(command: Command): Promise<CommandOutcome<Static<typeof Answer>>> {
  const { database, actor, body, operation } = command
  const { organisationId } = actor
  const ids = body.consignmentIds.map(id => id.toLowerCase())
  const lines = await readOutwardLines(database.db, organisationId, ids)
  const wanted = lines.filter(line => shortageOf(line) > 0n)
  const { isDone } = await database.db.row<{ isDone: boolean }>(sql`
    select exists (select from inventory_operation where organisation_id = ${organisationId}
      and operation_id = ${operation.operationId ?? null}) as is_done`)
  if (wanted.length <= maxLinesPerTransaction || isDone) return runAlone(command)
  wanted.sort(allocationOrder(wanted))
  const movements = new Map(ids.map(id => [id, newId()]))
  const before = new Map<string, ConsignmentAllocation>()
  const keep = (outcomes: readonly ConsignmentAllocation[]) => {
    for (const one of outcomes) if (one.movementId) before.set(one.consignmentId, one)
  }
  for (;;) {
    const lineIds = new Set(wanted.splice(0, maxLinesPerTransaction).map(({ id }) => id))
    const part = { lineIds, movements }
    if (wanted.length > 0) keep(await database.atomically(tx => allocate(tx, command, ids, part)))
    else
      return runAlone({
        ...command,
        async run(context) {
          const outcomes = await allocate(context.tx, context, ids, part)
          keep(outcomes)
          return {
            consignments: outcomes.map(one => {
              const { movementId, effectiveUtc } = before.get(one.consignmentId) ?? one
              return { ...one, movementId, effectiveUtc }
            }),
          }
        },
      })
  }
}

export const allocateConsignments = [
  stockCommand({
    post: path,
    name: 'allocateStock',
    scope: ['consignment', 'inventory'],
    summary: 'Allocate stock to consignments',
    description:
      'What is short of all their lines, by the rules of rotation. Lines that must have certain stock go ' +
      'first, then those of the consignment with the higher priority, the earlier expectedDispatchDateTime ' +
      `and the lower number; ${maxLinesPerTransaction.toLocaleString('en-GB')} lines at a time.`,
    bodyName: 'StockAllocation',
    body,
    answer: Answer,
    run: async ({ tx, body: { consignmentIds }, ...command }) => ({
      consignments: await allocate(
        tx,
        command,
        consignmentIds.map(id => id.toLowerCase()),
      ),
    }),
    gather: allocateInParts,
  }),
]
