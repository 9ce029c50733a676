// Allocations by the rules of rotation that are asked for at the same time, done in one transaction: they
// wait for the same stock anyway, and a transaction for each would be most of what they cost. Open-points 4.

import { emit } from '../events/emit.ts'
import type { Tx } from '../platform/database/db.ts'
import { isDatabaseUnavailable } from '../platform/database/errors.ts'
import { verificationFailed } from '../platform/http/refusal.ts'
import { batchCalls } from '../platform/work/batch-calls.ts'
import { consignmentsServedBy, planAllocation, postPlan } from '../stock/allocation/allocate-lines.ts'
import {
  lockTargetsOfConsignments,
  maxLinesPerTransaction,
  type OutwardLine,
  readOutwardLines,
} from '../stock/allocation/outward-lines.ts'
import { claimOperations, settleOperations } from '../stock/inventory/operations.ts'
import { type CommandOutcome, type PendingCommand, runAlone } from '../stock/inventory/stock-command.ts'
import { type LockedStock, lockQueriedStock } from '../stock/ledger/stock-lock.ts'
import {
  type AllocationAnswer,
  answerOf,
  linesChangedEvent,
  refusalOfAllocation,
} from './allocation-result.ts'
import { type LockedConsignment, lockConsignments } from './consignment.ts'

type Command<Body> = PendingCommand<'/v1/consignments/:consignmentId/allocate', Body, AllocationAnswer>
type Asked = Command<never>

/** What became of a request: its answer, why it was refused, or nothing yet: it is to be tried alone. */
type Outcome = { answer: AllocationAnswer } | { refusal: Error } | 'alone'

/** A request whose consignment is held. */
interface Served {
  command: Asked
  consignment: LockedConsignment
}

const gather = batchCalls<Asked, Outcome>({
  key: ({ actor }) => actor.organisationId,
  maxConcurrent: 2,
  // They mostly want the same stock, and would only wait for its lock.
  onlyFullConcurrently: true,
  maxCount: 64,
  maxWeight: 64,
  weight: () => 1,
  runBatch: allocateGroup,
})

/**
 * Allocates what is short of every line of a consignment, with others that ask at the same time. What cannot
 * be done with them is tried alone, so that each is answered for itself.
 */
export async function allocateInBatch<Body>(
  command: Command<Body>,
): Promise<CommandOutcome<AllocationAnswer>> {
  const outcome = await gather(command as Asked)
  if (outcome === 'alone') return runAlone(command)
  if ('refusal' in outcome) throw outcome.refusal
  return { answer: outcome.answer, isReplayed: false }
}

async function allocateGroup(group: Asked[]): Promise<Outcome[]> {
  const [{ database }] = group as [Asked]
  // An update with If-Match has a database of its own.
  const shared = group.filter(command => command.database === database)
  let outcomes = new Map<Asked, Outcome>()
  if (shared.length > 1) {
    try {
      outcomes = await database.atomically(tx => allocateShared(tx, shared))
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error
    }
  }
  return group.map(command => outcomes.get(command) ?? 'alone')
}

/** Does those whose operations are new and whose consignments nobody else has; the others are left out. */
async function allocateShared(tx: Tx, group: readonly Asked[]): Promise<Map<Asked, Outcome>> {
  const { organisationId } = (group[0] as Asked).actor
  const ids = group.map(({ params }) => params.consignmentId)
  // Sent one behind the other without waiting; the connection keeps the order. What lines have is read under
  // the lock of their stock.
  const [isNew, held, locked, lines] = await Promise.all([
    claimOperations(
      tx,
      organisationId,
      group.map(({ operation, actor }) => ({ ...operation, connectionId: actor.connectionId })),
    ),
    lockConsignments(tx, organisationId, ids, { isSkippingLocked: true }),
    lockQueriedStock(tx, organisationId, lockTargetsOfConsignments(organisationId, ids)),
    readOutwardLines(tx, organisationId, ids),
  ])
  const free = new Map(held.map(consignment => [consignment.id, consignment]))
  const outcomes = new Map<Asked, Outcome>()
  const served: Served[] = []
  for (const [i, command] of group.entries()) {
    const consignment = free.get(command.params.consignmentId.toLowerCase())
    if (consignment === undefined || !isNew[i]) continue
    // A second request for the same consignment is done after this one.
    free.delete(consignment.id)
    const refusal = refusalOfAllocation(consignment)
    if (refusal === null) served.push({ command, consignment })
    else outcomes.set(command, { refusal: verificationFailed(refusal) })
  }
  for (const [command, answer] of await allocateEach(tx, locked, served, lines))
    outcomes.set(command, { answer })
  await settle(
    tx,
    organisationId,
    group.filter((_, i) => isNew[i]),
    outcomes,
  )
  return outcomes
}

async function allocateEach(
  tx: Tx,
  locked: LockedStock,
  served: readonly Served[],
  read: readonly OutwardLine[],
): Promise<[Asked, AllocationAnswer][]> {
  if (served.length === 0) return []
  const { organisationId } = locked
  const now = withinLimit(served, read)
  const requests = now.map(({ command: { source, occurredUtc }, consignment }) => ({
    consignmentId: consignment.id,
    source,
    occurredUtc,
  }))
  const asked = new Set(requests.map(({ consignmentId }) => consignmentId))
  const lines = Promise.resolve(read.filter(({ consignmentId }) => asked.has(consignmentId)))
  const plan = await planAllocation(tx, organisationId, requests, { lines })
  const changed = consignmentsServedBy(plan)
  const events = now
    .filter(({ consignment }) => changed.has(consignment.id))
    .map(({ command: { actor, requestId }, consignment }) => ({
      ...linesChangedEvent(consignment),
      source: { ...actor, requestId },
    }))
  const [outcomes] = await Promise.all([
    postPlan(tx, locked, requests, plan),
    emit(tx, { organisationId, connectionId: null, userId: null, requestId: null }, events),
  ])
  return outcomes.map((outcome, i) => [(now[i] as Served).command, answerOf(outcome)])
}

/** Those whose lines are not too many for one transaction; the others are tried alone. */
function withinLimit(served: readonly Served[], lines: readonly OutwardLine[]): Served[] {
  const linesOf = Map.groupBy(lines, ({ consignmentId }) => consignmentId)
  let count = 0
  return served.filter(({ consignment }) => {
    count += linesOf.get(consignment.id)?.length ?? 0
    return count <= maxLinesPerTransaction
  })
}

/** Remembers the answers of operations; of one that was refused or left out nothing stays. */
const settle = (
  tx: Tx,
  organisationId: string,
  taken: readonly Asked[],
  outcomes: ReadonlyMap<Asked, Outcome>,
): Promise<void> =>
  settleOperations(
    tx,
    organisationId,
    taken.flatMap(command => {
      const { operationId } = command.operation
      const outcome = outcomes.get(command)
      const answer = typeof outcome === 'object' && 'answer' in outcome ? outcome.answer : null
      return operationId ? [{ operationId, answer }] : []
    }),
  )
