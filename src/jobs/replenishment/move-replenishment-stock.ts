// Moves goods of a replenishment's lines to their target locations. Spec 2.14, 2.15.

import type { Tx } from '../../platform/database/db.ts'
import {
  collectEntryFaults,
  type FieldFault,
  type ReportEntryFault,
} from '../../platform/http/entry-faults.ts'
import { newId } from '../../platform/new-id.ts'
import { findLocations, type StockLocation } from '../../stock/commands/location-reference.ts'
import { planTake, type TakenPart } from '../../stock/commands/plan-take.ts'
import { numberOf, toItems } from '../../stock/commands/quantities.ts'
import { identityOf, readStockRowsById, type StockRow } from '../../stock/commands/read-stock-rows.ts'
import { findProducts, type StockProduct } from '../../stock/commands/stock-products.ts'
import type { MovementSource } from '../../stock/ledger/movement.ts'
import { post } from '../../stock/ledger/post.ts'
import { findOrCreateStockRows } from '../../stock/ledger/stock-identity.ts'
import type { LockedStock } from '../../stock/ledger/stock-lock.ts'
import { inWords } from '../../vocabulary/in-words.ts'
import { ReplenishmentLineStatus } from '../../vocabulary/jobs.ts'
import { TransactionType } from '../../vocabulary/stock.ts'
import type { JobFacts } from '../job.ts'
import { refusalOfTarget } from './plan-lines.ts'

/** A stored line. Quantities are in ten-thousandths. */
export interface LineToMove {
  id: string
  productId: string
  fromWarehouseProductId: string
  toWarehouseLocationId: string
  quantity: bigint
  moved: bigint
  status: ReplenishmentLineStatus
}

/** A move as the request gives it. */
export interface ReplenishmentMove {
  replenishmentLineId: string
  quantity?: number | null
  unitTypeId?: string | null
  serials?: string[] | null
  isShort?: boolean | null
}

/** A completed move of a line. The quantity is in ten-thousandths. */
export interface CompletedMove {
  line: LineToMove
  quantity: bigint
  /** the row of stock that holds the goods now; null if nothing was moved */
  warehouseProductId: string | null
}

interface ReplenishmentContext {
  /** locked by this transaction */
  job: JobFacts
  /** the lines that the moves name */
  lines: readonly LineToMove[]
  source: MovementSource
  occurredUtc: string | null
}

/** What the database says about the lines, read under the lock. */
interface LineStock {
  lineOf(move: ReplenishmentMove): LineToMove | undefined
  rowOf(line: LineToMove): StockRow
  targetOf(line: LineToMove): StockLocation
  products: ReadonlyMap<string, StockProduct>
}

/**
 * Moves goods of lines, whose stock must be locked. Throws 400 with a message for each impossible move.
 * Returns the completed moves in the order of the request; the caller stores the lines.
 */
export async function moveReplenishmentStock(
  tx: Tx,
  locked: LockedStock,
  { job, lines, source, occurredUtc }: ReplenishmentContext,
  moves: readonly ReplenishmentMove[],
): Promise<{ movementId: string | null; effectiveUtc: string | null; moved: CompletedMove[] }> {
  const { organisationId } = locked
  const { refuse, throwIfAny } = collectEntryFaults('moves')
  const facts = await readLineStock(tx, organisationId, job, lines)
  const planned = planMoves(moves, facts, refuse)
  const demands = planned.flatMap(({ n, line, quantity }) =>
    quantity === 0n
      ? []
      : [
          {
            n,
            row: facts.rowOf(line),
            part: { quantity: numberOf(quantity), serials: moves[n]?.serials ?? null },
          },
        ],
  )
  const takings = await planTake(tx, organisationId, demands, { all: 'free' }, refuse)
  throwIfAny()
  const lineByMove = new Map(planned.map(({ n, line }) => [n, line]))
  const targets = await findOrCreateStockRows(
    tx,
    locked,
    takings.map(({ n, row }) => ({
      ...identityOf(row),
      warehouseLocationId: (lineByMove.get(n) as LineToMove).toWarehouseLocationId,
      logisticUnitId: null,
    })),
  )
  const movementId = newId()
  const [posted] = await post(
    tx,
    locked,
    source,
    takings.map(({ row, quantity, items }, i) => ({
      movementId,
      type: TransactionType.Transfer,
      from: row.id,
      to: targets[i] as string,
      quantity,
      items,
      occurredUtc,
      jobId: job.id,
    })),
  )
  const takenByMove = new Map(
    takings.map((taking, i): [number, [TakenPart, string]] => [taking.n, [taking, targets[i] as string]]),
  )
  return {
    movementId: posted?.movementId ?? null,
    effectiveUtc: posted?.effectiveUtc ?? null,
    moved: planned.map(({ n, line }) => {
      const [taking, target] = takenByMove.get(n) ?? []
      return { line, quantity: taking?.quantity ?? 0n, warehouseProductId: target ?? null }
    }),
  }
}

/** Reads the stock, the targets and the products of the lines. */
async function readLineStock(
  tx: Tx,
  organisationId: string,
  { warehouseId }: JobFacts,
  lines: readonly LineToMove[],
): Promise<LineStock> {
  const rowIds = lines.map(({ fromWarehouseProductId }) => fromWarehouseProductId)
  const rows = await readStockRowsById(tx, organisationId, rowIds)
  const place = ({ toWarehouseLocationId }: LineToMove) => ({
    warehouseId,
    warehouseLocationId: toWarehouseLocationId,
  })
  const location = await findLocations(tx, organisationId, lines.map(place))
  const productIds = lines.map(({ productId }) => productId)
  const byId = new Map(lines.map(line => [line.id, line]))
  return {
    lineOf: ({ replenishmentLineId }) => byId.get(replenishmentLineId),
    rowOf: line => rows.get(line.fromWarehouseProductId) as StockRow,
    targetOf: line => location(place(line)) as StockLocation,
    products: await findProducts(tx, organisationId, productIds),
  }
}

/** The line and the quantity of each move. `refuse` is called with the faults of the others. */
function planMoves(
  moves: readonly ReplenishmentMove[],
  facts: LineStock,
  refuse: ReportEntryFault,
): { n: number; line: LineToMove; quantity: bigint }[] {
  const seen = new Set<LineToMove>()
  return moves.flatMap((move, n) => {
    const line = facts.lineOf(move)
    if (line === undefined) {
      refuse(n, 'replenishmentLineId does not refer to a line of the job', 'unknown_reference')
      return []
    }
    if (seen.has(line)) {
      refuse(n, 'the line is listed twice', 'duplicate')
      return []
    }
    seen.add(line)
    const product = facts.products.get(line.productId) as StockProduct
    const { quantity: requested, unitTypeId } = move
    const rest = line.quantity - line.moved
    const defaultQuantity = move.isShort ? 0n : rest
    const quantity =
      requested === undefined || requested === null
        ? defaultQuantity
        : toItems(product, { quantity: requested, unitTypeId }, (...fault) => refuse(n, ...fault))
    if (quantity === undefined) return []
    for (const problem of moveFaults(move, quantity, line, facts)) refuse(n, ...problem)
    return [{ n, line, quantity }]
  })
}

/** Why a quantity of a line cannot be moved, apart from a lack of free stock. */
function moveFaults(
  move: ReplenishmentMove,
  quantity: bigint,
  line: LineToMove,
  facts: LineStock,
): FieldFault[] {
  if (line.status !== ReplenishmentLineStatus.Open)
    return [[`the line is already ${lineStatusName(line.status)}`, 'wrong_status']]
  const rest = line.quantity - line.moved
  if (quantity > rest)
    return [
      [`only ${numberOf(rest)} of ${numberOf(quantity)} are left to move on the line`, 'insufficient_stock'],
    ]
  if (quantity === 0n)
    return move.isShort
      ? []
      : [['a quantity of 0 needs isShort, which reports the goods as missing', 'range']]
  const [row, target] = [facts.rowOf(line), facts.targetOf(line)]
  const refusal = refusalOfTarget(target, line.productId)
  const problems: FieldFault[] = []
  if (row.isQuarantined)
    problems.push([`the stock in ${row.locationName} is in quarantine: move it out first`, 'held'])
  if (row.inventoryHoldId !== null)
    problems.push([`the stock in ${row.locationName} is on hold: release it first`, 'held'])
  if (refusal !== null) problems.push([`${target.name} ${refusal}`, 'wrong_place'])
  return problems
}

const lineStatusName = (status: ReplenishmentLineStatus): string => inWords(ReplenishmentLineStatus, status)
