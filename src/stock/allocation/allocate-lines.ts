// Allocates stock to consignment lines. Any number of consignments of one organisation are processed with the
// same few statements. Spec 2.11; decision 4.

import type { Db, Tx } from '../../platform/database/db.ts'
import { newId } from '../../platform/new-id.ts'
import { note } from '../../rehearsal/notes.ts'
import { Substitution } from '../../vocabulary/partners.ts'
import { TransactionType } from '../../vocabulary/stock.ts'
import { type MovementSource, noSharedSource, type StockMove } from '../ledger/movement.ts'
import { post } from '../ledger/post.ts'
import type { LockedStock } from '../ledger/stock-lock.ts'
import { type AllocationDemand, type CandidateClass, chooseStock, type StockChoice } from './allocation.ts'
import { type ConsignmentAllocation, summariseAllocations } from './allocation-state.ts'
import { type CandidateOptions, findCandidates, type LineToAllocate } from './candidates.ts'
import { type OutboundLine, readOutboundLines, shortageOf } from './outbound-lines.ts'
import { findRequestedSerials } from './requested-serials.ts'
import { requiresSpecificStock } from './substitution.ts'

/** A request to allocate stock to a consignment. */
export interface AllocationRequest {
  consignmentId: string
  /** ten-thousandths by line id; by default every line gets its shortage */
  quantities?: ReadonlyMap<string, bigint> | undefined
  /** the movement that the allocation belongs to; by default a new one */
  movementId?: string
  /** who allocates */
  source: MovementSource
  /** when it happened; defaults to now */
  occurredUtc?: string | null
}

export interface AllocationOptions extends CandidateOptions {
  /** serve consignments in the order of the requests, not by priority and dates */
  isInGivenOrder?: boolean
  /** the same; also lines that accept only specific stock wait for the turn of their consignment */
  isOneByOne?: boolean
  /** the lines of the consignments, if the caller has read them under the stock lock */
  lines?: Promise<OutboundLine[]>
}

/** The lines of allocation requests and the stock chosen for them; nothing is written yet. */
export interface AllocationPlan {
  lines: OutboundLine[]
  wantedLines: LineToAllocate[]
  classes: CandidateClass[]
  classOf(line: OutboundLine): number
  choices: StockChoice[]
}

/**
 * Chooses stock for consignment lines. Lines that accept only specific stock go first, then lines by the
 * priority, expected dispatch time and number of their consignment.
 */
export async function planAllocation(
  db: Db,
  organisationId: string,
  requests: readonly Omit<AllocationRequest, 'source'>[],
  { isInGivenOrder = false, isOneByOne = false, lines: linesRead, ...options }: AllocationOptions = {},
): Promise<AllocationPlan> {
  const requestsById = new Map(requests.map((request, at) => [request.consignmentId, { ...request, at }]))
  const lines = await (linesRead ?? readOutboundLines(db, organisationId, [...requestsById.keys()]))
  const wantedLines = lines
    .map(line => ({ line, quantity: quantityToAllocate(line, requestsById.get(line.consignmentId)) }))
    .filter(({ quantity }) => quantity > 0n)
  const positionOf = ({ consignmentId }: OutboundLine) =>
    isInGivenOrder || isOneByOne ? (requestsById.get(consignmentId)?.at ?? 0) : 0
  const order = allocationOrder(lines, positionOf)
  const compare = (a: OutboundLine, b: OutboundLine) =>
    (isOneByOne ? positionOf(a) - positionOf(b) : 0) || order(a, b)
  wantedLines.sort((a, b) => compare(a.line, b.line))
  if (wantedLines.length === 0) return { lines, wantedLines, classes: [], classOf: () => 0, choices: [] }
  const [{ classes, classOf }, serialsOf] = await Promise.all([
    findCandidates(db, organisationId, wantedLines, options),
    findRequestedSerials(
      db,
      organisationId,
      wantedLines.map(({ line }) => line),
      options.released,
    ),
  ])
  const demands = wantedLines.map(
    ({ line, quantity }): AllocationDemand => ({
      consignmentProductId: line.id,
      class: classOf(line),
      quantity,
      ...serialsOf(line),
    }),
  )
  const rules = { isFullPalletFirst: lines[0]?.isFullPalletFirst ?? true }
  return { lines, wantedLines, classes, classOf, choices: chooseStock(demands, classes, rules) }
}

const quantityToAllocate = (
  line: OutboundLine,
  request: Omit<AllocationRequest, 'source'> | undefined,
): bigint => (request?.quantities === undefined ? shortageOf(line) : (request.quantities.get(line.id) ?? 0n))

const isInflexible = (line: OutboundLine) =>
  requiresSpecificStock(line) || (line.namesSerials && line.serialSubstitution === Substitution.NotAllowed)

/**
 * Returns a comparator for the order in which lines are served. `positionOf` ranks before priority and dates.
 */
export function allocationOrder(
  lines: readonly OutboundLine[],
  positionOf: (line: OutboundLine) => number = () => 0,
): (a: OutboundLine, b: OutboundLine) => number {
  const inflexible = new Set(lines.filter(isInflexible))
  return (a, b) => {
    const [from, to] = [a.expectedDispatchDateTime ?? '~', b.expectedDispatchDateTime ?? '~']
    return (
      Number(inflexible.has(b)) - Number(inflexible.has(a)) ||
      positionOf(a) - positionOf(b) ||
      b.priority - a.priority ||
      (from < to ? -1 : Number(from > to)) ||
      a.number - b.number ||
      a.ordinal - b.ordinal
    )
  }
}

/**
 * Allocates stock to the lines of consignments; a shortage stays. The transaction must have locked the
 * consignments and their stock, and the caller must have checked that they may be allocated. Returns the new
 * state of each consignment in the order of the requests. The caller emits events for those with a movement.
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

/**
 * Writes the allocations of a plan. Returns the new state of each consignment in the order of the requests.
 */
export async function postPlan(
  tx: Tx,
  locked: LockedStock,
  requests: readonly AllocationRequest[],
  { lines, choices }: AllocationPlan,
): Promise<ConsignmentAllocation[]> {
  const moves = toMoves(requests, lines, choices)
  const consignmentIds = requests.map(({ consignmentId }) => consignmentId)
  note(tx, { about: 'allocation', consignmentIds, isByRules: choices.length > 0 })
  const posted = await post(tx, locked, noSharedSource, moves)
  return summariseAllocations(requests, lines, moves, posted)
}

/** Returns the lines of a plan as they are once it is written. */
export function linesAfter({ lines, choices }: AllocationPlan): OutboundLine[] {
  const chosen = new Map<string, bigint>()
  for (const { consignmentProductId: id, quantity } of choices)
    chosen.set(id, (chosen.get(id) ?? 0n) + quantity)
  return lines.map(line => ({ ...line, allocated: line.allocated + (chosen.get(line.id) ?? 0n) }))
}

function toMoves(
  requests: readonly AllocationRequest[],
  lines: readonly OutboundLine[],
  choices: readonly StockChoice[],
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
