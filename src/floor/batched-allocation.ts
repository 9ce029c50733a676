// Carries out simultaneous requests for allocation by the rules of rotation in one transaction. They wait for
// the same stock anyway, and a transaction for each would be most of their cost. Decision 4.

import { type LockedConsignment, lockConsignments } from '../consignments/consignment.ts'
import { emit } from '../events/emit.ts'
import type { Tx } from '../platform/database/db.ts'
import { isDatabaseUnavailable } from '../platform/database/errors.ts'
import { verificationFailed } from '../platform/http/refusal.ts'
import { batchCalls } from '../platform/work/batch-calls.ts'
import { consignmentsServedBy, planAllocation, postPlan } from '../stock/allocation/allocate-lines.ts'
import {
  lockTargetsOfConsignments,
  maxLinesPerTransaction,
  type OutboundLine,
  readOutboundLines,
} from '../stock/allocation/outbound-lines.ts'
import { claimOperations, settleOperations } from '../stock/commands/operations.ts'
import { type CommandOutcome, type PendingCommand, runAlone } from '../stock/commands/stock-command.ts'
import { type LockedStock, lockQueriedStock } from '../stock/ledger/stock-lock.ts'
import {
  type AllocationResponse,
  allocationRefusal,
  linesChangedEvent,
  toAllocationResponse,
} from './allocation-response.ts'

type PendingAllocation<Body> = PendingCommand<
  '/v1/consignments/:consignmentId/allocate',
  Body,
  AllocationResponse
>
type AllocationCommand = PendingAllocation<never>

/**
 * The outcome of a request: its response, its refusal, or `alone` if it has to run in a transaction of its
 * own.
 */
type AllocationOutcome = { answer: AllocationResponse } | { refusal: Error } | 'alone'

/** A request with its locked consignment. */
interface LockedCommand {
  command: AllocationCommand
  consignment: LockedConsignment
}

const runBatched = batchCalls<AllocationCommand, AllocationOutcome>({
  key: ({ actor }) => actor.organisationId,
  maxConcurrent: 2,
  // Batches mostly want the same stock, and a second one would only wait for its lock.
  onlyFullConcurrently: true,
  maxCount: 64,
  maxWeight: 64,
  weight: () => 1,
  runBatch: allocateGroup,
})

/**
 * Allocates the short quantity of every line of a consignment, together with simultaneous requests. A request
 * that does not fit the batch runs alone, so that it gets a response of its own.
 */
export async function allocateInBatch<Body>(
  command: PendingAllocation<Body>,
): Promise<CommandOutcome<AllocationResponse>> {
  const outcome = await runBatched(command as AllocationCommand)
  if (outcome === 'alone') return runAlone(command)
  if ('refusal' in outcome) throw outcome.refusal
  return { answer: outcome.answer, isReplayed: false }
}

async function allocateGroup(group: AllocationCommand[]): Promise<AllocationOutcome[]> {
  const [{ database }] = group as [AllocationCommand]
  // A request with If-Match has a database handle of its own, so it cannot share the transaction.
  const shared = group.filter(command => command.database === database)
  let outcomes = new Map<AllocationCommand, AllocationOutcome>()
  if (shared.length > 1) {
    try {
      outcomes = await database.atomically(tx => allocateShared(tx, shared))
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error
    }
  }
  return group.map(command => outcomes.get(command) ?? 'alone')
}

/**
 * Carries out the requests with new operations and unlocked consignments; the result leaves out the others.
 */
async function allocateShared(
  tx: Tx,
  group: readonly AllocationCommand[],
): Promise<Map<AllocationCommand, AllocationOutcome>> {
  const { organisationId } = (group[0] as AllocationCommand).actor
  const ids = group.map(({ params }) => params.consignmentId)
  // Sent without waiting in between; the connection keeps the order, so the lines are read under the lock of
  // their stock.
  const [isNew, consignments, locked, lines] = await Promise.all([
    claimOperations(
      tx,
      organisationId,
      group.map(({ operation, actor }) => ({ ...operation, connectionId: actor.connectionId })),
    ),
    lockConsignments(tx, organisationId, ids, { isSkippingLocked: true }),
    lockQueriedStock(tx, organisationId, lockTargetsOfConsignments(organisationId, ids)),
    readOutboundLines(tx, organisationId, ids),
  ])
  const free = new Map(consignments.map(consignment => [consignment.id, consignment]))
  const outcomes = new Map<AllocationCommand, AllocationOutcome>()
  const allowed: LockedCommand[] = []
  for (const [i, command] of group.entries()) {
    const consignment = free.get(command.params.consignmentId)
    if (consignment === undefined || !isNew[i]) continue
    // A second request for the same consignment runs after this one.
    free.delete(consignment.id)
    const refusal = allocationRefusal(consignment)
    if (refusal === null) allowed.push({ command, consignment })
    else outcomes.set(command, { refusal: verificationFailed(refusal) })
  }
  for (const [command, answer] of await allocateAll(tx, locked, allowed, lines))
    outcomes.set(command, { answer })
  await settle(
    tx,
    organisationId,
    group.filter((_, i) => isNew[i]),
    outcomes,
  )
  return outcomes
}

async function allocateAll(
  tx: Tx,
  locked: LockedStock,
  commands: readonly LockedCommand[],
  allLines: readonly OutboundLine[],
): Promise<[AllocationCommand, AllocationResponse][]> {
  if (commands.length === 0) return []
  const { organisationId } = locked
  const fitting = withinLimit(commands, allLines)
  const requests = fitting.map(({ command: { source, occurredUtc }, consignment }) => ({
    consignmentId: consignment.id,
    source,
    occurredUtc,
  }))
  const ids = new Set(requests.map(({ consignmentId }) => consignmentId))
  const lines = Promise.resolve(allLines.filter(({ consignmentId }) => ids.has(consignmentId)))
  const plan = await planAllocation(tx, organisationId, requests, { lines })
  const changed = consignmentsServedBy(plan)
  const events = fitting
    .filter(({ consignment }) => changed.has(consignment.id))
    .map(({ command: { actor, requestId }, consignment }) => ({
      ...linesChangedEvent(consignment),
      origin: { ...actor, requestId },
    }))
  const [outcomes] = await Promise.all([
    postPlan(tx, locked, requests, plan),
    emit(tx, { organisationId, connectionId: null, userId: null, requestId: null }, events),
  ])
  return outcomes.map((outcome, i) => [(fitting[i] as LockedCommand).command, toAllocationResponse(outcome)])
}

/** The first commands that fit the limit of lines in one transaction. The others run alone. */
function withinLimit(commands: readonly LockedCommand[], lines: readonly OutboundLine[]): LockedCommand[] {
  const linesOf = Map.groupBy(lines, ({ consignmentId }) => consignmentId)
  let count = 0
  return commands.filter(({ consignment }) => {
    count += linesOf.get(consignment.id)?.length ?? 0
    return count <= maxLinesPerTransaction
  })
}

/** Stores the responses of operations, and removes the operations that were refused or left out. */
const settle = (
  tx: Tx,
  organisationId: string,
  claimed: readonly AllocationCommand[],
  outcomes: ReadonlyMap<AllocationCommand, AllocationOutcome>,
): Promise<void> =>
  settleOperations(
    tx,
    organisationId,
    claimed.flatMap(command => {
      const { operationId } = command.operation
      const outcome = outcomes.get(command)
      const answer = typeof outcome === 'object' && 'answer' in outcome ? outcome.answer : null
      return operationId ? [{ operationId, answer }] : []
    }),
  )
