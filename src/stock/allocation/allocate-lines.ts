// Allocating: stock is chosen for lines of consignments and promised to them. Any number of consignments of
// one organisation are done in the same few statements. Spec 2.11; open-points 4.

import { Substitution } from '../../partners/enumerations.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { newId } from '../../platform/new-id.ts'
import { TransactionType } from '../enumerations.ts'
import type { MovementSource, StockMove } from '../ledger/movement.ts'
import { post } from '../ledger/post.ts'
import type { LockedStock } from '../ledger/stock-lock.ts'
import { type ConsignmentAllocation, noSharedSource, summariseAllocations } from './allocated-lines.ts'
import { type CandidateClass, type Choice, chooseStock, type Demand } from './allocation.ts'
import { findCandidates, type WantedLine } from './candidates.ts'
import { type OutwardLine, readOutwardLines, shortageOf } from './outward-lines.ts'
import { findRequestedSerials } from './requested-serials.ts'
import { requiresSpecificStock } from './substitution.ts'

/** What is to be allocated to a consignment. */
export interface AllocationRequest {
  consignmentId: string
  /** ten-thousandths for certain lines, by their ids; without it every line gets what is short of it */
  quantities?: ReadonlyMap<string, bigint> | undefined
  /** the act that it is part of, where it is part of one */
  movementId?: string
  /** on whose behalf */
  source: MovementSource
  /** when, where that is not now */
  occurredUtc?: string | null
}

/** How requests are served, where that is not the usual way. */
export interface AllocationOptions {
  /** the order of the requests counts in place of priority and dates */
  inGivenOrder?: boolean
  /** the lines of the consignments, where they have been asked for under the lock of their stock */
  lines?: Promise<OutwardLine[]>
  /** so many candidates at least are looked at for each line, where there are so many */
  minCandidates?: number
}

/** The lines of requests with what is chosen for them; nothing is written yet. */
export interface AllocationPlan {
  lines: OutwardLine[]
  wanted: WantedLine[]
  classes: CandidateClass[]
  classOf(line: OutwardLine): number
  choices: Choice[]
}

/**
 * Chooses stock for lines of consignments. Lines that must have certain stock go first, then those of the
 * consignment with the higher priority, which is to be dispatched earlier, which came first.
 */
export async function planAllocation(
  db: Db,
  organisationId: string,
  requests: readonly Omit<AllocationRequest, 'source'>[],
  { inGivenOrder = false, lines: read, minCandidates }: AllocationOptions = {},
): Promise<AllocationPlan> {
  const asked = new Map(requests.map((request, at) => [request.consignmentId, { ...request, at }]))
  const lines = await (read ?? readOutwardLines(db, organisationId, [...asked.keys()]))
  const wanted = lines
    .map(line => ({ line, quantity: quantityFor(line, asked.get(line.consignmentId)) }))
    .filter(({ quantity }) => quantity > 0n)
  const placeOf = ({ consignmentId }: OutwardLine) => (inGivenOrder ? (asked.get(consignmentId)?.at ?? 0) : 0)
  const compare = allocationOrder(lines, placeOf)
  wanted.sort((a, b) => compare(a.line, b.line))
  if (wanted.length === 0) return { lines, wanted, classes: [], classOf: () => 0, choices: [] }
  const [{ classes, classOf }, serialsOf] = await Promise.all([
    findCandidates(db, organisationId, wanted, minCandidates),
    findRequestedSerials(
      db,
      organisationId,
      wanted.map(({ line }) => line),
    ),
  ])
  const demands = wanted.map(
    ({ line, quantity }): Demand => ({
      consignmentProductId: line.id,
      class: classOf(line),
      quantity,
      ...serialsOf(line),
    }),
  )
  const rules = { isFullPalletFirst: lines[0]?.isFullPalletFirst ?? true }
  return { lines, wanted, classes, classOf, choices: chooseStock(demands, classes, rules) }
}

const quantityFor = (line: OutwardLine, request: Omit<AllocationRequest, 'source'> | undefined): bigint =>
  request?.quantities === undefined ? shortageOf(line) : (request.quantities.get(line.id) ?? 0n)

const isBound = (line: OutwardLine) =>
  requiresSpecificStock(line) || (line.namesSerials && line.serialSubstitution === Substitution.NotAllowed)

/**
 * Compares lines by the order in which they are served; `placeOf` says what goes before priority and dates.
 */
export function allocationOrder(
  lines: readonly OutwardLine[],
  placeOf: (line: OutwardLine) => number = () => 0,
): (a: OutwardLine, b: OutwardLine) => number {
  const bound = new Set(lines.filter(isBound))
  return (a, b) => {
    const [from, to] = [a.expectedDispatchDateTime ?? '~', b.expectedDispatchDateTime ?? '~']
    return (
      Number(bound.has(b)) - Number(bound.has(a)) ||
      placeOf(a) - placeOf(b) ||
      b.priority - a.priority ||
      (from < to ? -1 : Number(from > to)) ||
      a.number - b.number ||
      a.ordinal - b.ordinal
    )
  }
}

/**
 * Allocates stock to lines of consignments, whose rows the transaction holds, under the lock of their stock.
 * What is short stays short. Returns what each consignment has, in the order of the requests. The caller has
 * checked that they may be allocated, and tells of those that have a movement.
 */
export async function allocateLines(
  tx: Tx,
  locked: LockedStock,
  requests: readonly AllocationRequest[],
  options: AllocationOptions = {},
): Promise<ConsignmentAllocation[]> {
  const plan = await planAllocation(tx, locked.organisationId, requests, options)
  return postPlan(tx, locked, requests, plan)
}

/** Promises what is planned for requests. */
export async function postPlan(
  tx: Tx,
  locked: LockedStock,
  requests: readonly AllocationRequest[],
  { lines, choices }: AllocationPlan,
): Promise<ConsignmentAllocation[]> {
  const moves = movesOf(requests, lines, choices)
  const posted = await post(tx, locked, noSharedSource, moves)
  return summariseAllocations(requests, lines, moves, posted)
}

/** The consignments that are given something by a plan. */
export function consignmentsServedBy({ lines, choices }: AllocationPlan): Set<string> {
  const served = new Set(choices.map(({ consignmentProductId }) => consignmentProductId))
  return new Set(lines.filter(({ id }) => served.has(id)).map(({ consignmentId }) => consignmentId))
}

function movesOf(
  requests: readonly AllocationRequest[],
  lines: readonly OutwardLine[],
  choices: readonly Choice[],
): StockMove[] {
  const consignments = new Map(lines.map(({ id, consignmentId }) => [id, consignmentId]))
  const movements = new Map(
    requests.map(request => [request.consignmentId, { ...request, id: request.movementId ?? newId() }]),
  )
  return choices.map(({ consignmentProductId, stockId, itemId, quantity }) => {
    const consignmentId = consignments.get(consignmentProductId) as string
    const movement = movements.get(consignmentId) as AllocationRequest & { id: string }
    return {
      movementId: movement.id,
      type: TransactionType.Allocation,
      from: null,
      to: stockId,
      quantity: 0n,
      consignmentId,
      consignmentProductId,
      occurredUtc: movement.occurredUtc ?? null,
      source: movement.source,
      allocations: [{ at: 'to', consignmentId, consignmentProductId, itemId, isPicked: false, quantity }],
    }
  })
}
