// Allocates stock to many consignments at once. Decision 4.

import { type LockedConsignment, lockConsignments } from '../consignments/consignment.ts'
import { sql, type Tx } from '../platform/database/db.ts'
import { type Fault, faultAt } from '../platform/http/fault.ts'
import { verificationFailed } from '../platform/http/refusal.ts'
import { type Static, Type, Uuid } from '../platform/http/schema.ts'
import { newId } from '../platform/new-id.ts'
import { allocateLines, allocationOrder } from '../stock/allocation/allocate-lines.ts'
import type { ConsignmentAllocation } from '../stock/allocation/allocation-state.ts'
import {
  lockTargetsOfConsignments,
  maxLinesPerTransaction,
  readOutboundLines,
  shortageOf,
} from '../stock/allocation/outbound-lines.ts'
import type { CommandOutcome } from '../stock/commands/carry-out.ts'
import { type PendingCommand, stockCommand } from '../stock/commands/stock-command.ts'
import { lockQueriedStock } from '../stock/ledger/stock-lock.ts'
import { allocationFields, allocationRefusal, raiseAllocationEvents } from './allocation-response.ts'

const path = '/v1/inventory/allocate'
const body = { consignmentIds: Type.Array(Uuid, { minItems: 1, maxItems: 1_000 }) }
const AllocationsResult = Type.Object({
  consignments: Type.Array(Type.Object({ consignmentId: Uuid, ...allocationFields })),
})
type Body = Static<ReturnType<typeof Type.Object<typeof body>>>
type PendingAllocation = PendingCommand<typeof path, Body, Static<typeof AllocationsResult>>

/** A part of a command: some of the lines, and the movement id of each consignment. */
interface AllocationBatch {
  lineIds: ReadonlySet<string>
  movements: ReadonlyMap<string, string>
}

/** Locks the consignments. Throws 400 with a sentence for each to which stock cannot be allocated. */
async function lockAll(tx: Tx, organisationId: string, ids: readonly string[]): Promise<LockedConsignment[]> {
  const consignments = await lockConsignments(tx, organisationId, ids)
  const byId = new Map(consignments.map(consignment => [consignment.id, consignment]))
  const faults = ids.flatMap((id, i): Fault[] => {
    const path = `consignmentIds[${i}]`
    const consignment = byId.get(id)
    if (ids.indexOf(id) < i)
      return [{ path, code: 'duplicate', message: `${path}: the consignment is listed twice.` }]
    if (consignment === undefined)
      return [faultAt(path, 'does not refer to a consignment', 'unknown_reference')]
    const refusal = allocationRefusal(consignment)
    return refusal === null ? [] : [{ path, code: 'wrong_status', message: `${path}: ${refusal}` }]
  })
  if (faults.length > 0) throw verificationFailed(...faults)
  return consignments
}

/** Allocates the short quantity of all lines of the consignments, or of the lines of a part. */
async function allocate(
  tx: Tx,
  {
    actor,
    source,
    occurredUtc,
    requestId,
  }: Pick<PendingAllocation, 'actor' | 'source' | 'occurredUtc' | 'requestId'>,
  ids: readonly string[],
  part?: AllocationBatch,
): Promise<ConsignmentAllocation[]> {
  const { organisationId } = actor
  const consignments = await lockAll(tx, organisationId, ids)
  const [locked, lines] = await Promise.all([
    lockQueriedStock(tx, organisationId, lockTargetsOfConsignments(organisationId, ids)),
    readOutboundLines(tx, organisationId, ids),
  ])
  const linesOfPart = part && lines.filter(({ id }) => part.lineIds.has(id))
  const quantities = linesOfPart && new Map(linesOfPart.map(line => [line.id, shortageOf(line)]))
  const requests = ids.map(consignmentId => {
    const movementId = part?.movements.get(consignmentId)
    return { consignmentId, source, occurredUtc, quantities, ...(movementId ? { movementId } : {}) }
  })
  const outcomes = await allocateLines(tx, locked, requests, { lines: Promise.resolve(lines) })
  await raiseAllocationEvents(tx, { ...actor, requestId }, consignments, outcomes, lines)
  return outcomes
}

/**
 * Allocates to very many lines in several transactions, so that others do not wait long for the stock. The
 * lines are served in their order, and the last transaction also records the operation. If the command is
 * interrupted before that, the caller can send it again; lines that already have their stock keep it.
 */
async function allocateInBatches(
  command: PendingAllocation,
): Promise<CommandOutcome<Static<typeof AllocationsResult>>> {
  const { database, actor, body, operation } = command
  const { organisationId } = actor
  const ids = body.consignmentIds
  const lines = await readOutboundLines(database.db, organisationId, ids)
  const shortLines = lines.filter(line => shortageOf(line) > 0n)
  const { isDone } = await database.db.row<{ isDone: boolean }>(sql`
    select exists (select from inventory_operation where organisation_id = ${organisationId}
      and operation_id = ${operation.operationId ?? null}) as is_done`)
  if (shortLines.length <= maxLinesPerTransaction || isDone) return command.finish()
  shortLines.sort(allocationOrder(shortLines))
  const movements = new Map(ids.map(id => [id, newId()]))
  const earlier = new Map<string, ConsignmentAllocation>()
  const remember = (outcomes: readonly ConsignmentAllocation[]) => {
    for (const outcome of outcomes) if (outcome.movementId) earlier.set(outcome.consignmentId, outcome)
  }
  for (;;) {
    const lineIds = new Set(shortLines.splice(0, maxLinesPerTransaction).map(({ id }) => id))
    const part = { lineIds, movements }
    if (shortLines.length > 0) remember(await command.part(tx => allocate(tx, command, ids, part)))
    else
      return command.finish(async context => {
        const outcomes = await allocate(context.tx, context, ids, part)
        remember(outcomes)
        return {
          consignments: outcomes.map(outcome => {
            const { movementId, effectiveUtc } = earlier.get(outcome.consignmentId) ?? outcome
            return { ...outcome, movementId, effectiveUtc }
          }),
        }
      })
  }
}

export const allocateConsignments = [
  stockCommand({
    post: path,
    name: 'allocateStock',
    canBeRehearsed: true,
    scope: ['consignment', 'inventory'],
    summary: 'Allocate stock to consignments',
    description:
      'Allocates the short quantity of all their lines, by the rules of rotation. Lines that need ' +
      'particular stock are served first, then lines of the consignment with the higher priority, the ' +
      'earlier expectedDispatchDateTime and the lower number. At most ' +
      `${maxLinesPerTransaction.toLocaleString('en-GB')} lines are allocated in one transaction.`,
    bodyName: 'StockAllocation',
    body,
    answer: AllocationsResult,
    run: async ({ tx, body: { consignmentIds }, ...command }) => ({
      consignments: await allocate(tx, command, consignmentIds),
    }),
    inParts: allocateInBatches,
  }),
]
