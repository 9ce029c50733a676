// Bringing goods of a replenishment's lines to where they are to lie. Spec 2.14, 2.15.

import type { Tx } from '../../platform/database/db.ts'
import { collectEntryFaults, type Problem, type ReportEntryFault } from '../../platform/http/entry-faults.ts'
import { newId } from '../../platform/new-id.ts'
import { TransactionType } from '../../stock/enumerations.ts'
import { findLocations, type StockLocation } from '../../stock/inventory/location-reference.ts'
import { numberOf, toItems } from '../../stock/inventory/quantities.ts'
import { findProducts, type StockProduct } from '../../stock/inventory/stock-products.ts'
import { identityOf, readStockById, type StockRow } from '../../stock/inventory/stock-rows.ts'
import { type TakenPart, take } from '../../stock/inventory/take.ts'
import type { MovementSource } from '../../stock/ledger/movement.ts'
import { post } from '../../stock/ledger/post.ts'
import type { LockedStock } from '../../stock/ledger/stock-lock.ts'
import { findOrCreateRows } from '../../stock/ledger/stock-row.ts'
import { ReplenishmentLineStatus } from '../enumerations.ts'
import type { JobFacts } from '../job.ts'
import { refusalOfTarget } from './plan-lines.ts'

/** A line as it stands. Quantities are ten-thousandths. */
export interface LineToMove {
  id: string
  productId: string
  fromWarehouseProductId: string
  toWarehouseLocationId: string
  quantity: bigint
  moved: bigint
  status: ReplenishmentLineStatus
}

/** What somebody moved of a line. */
export interface ReplenishmentMove {
  replenishmentLineId: string
  quantity?: number | null
  unitTypeId?: string | null
  serials?: string[] | null
  isShort?: boolean | null
}

/** What was moved of a line. */
export interface MovedOfLine {
  line: LineToMove
  quantity: bigint
  /** the row that holds it now; null where nothing was moved */
  warehouseProductId: string | null
}

interface Context {
  /** held by this transaction */
  job: JobFacts
  /** those that the moves name */
  lines: readonly LineToMove[]
  source: MovementSource
  occurredUtc: string | null
}

/** What is known under the lock about the lines. */
interface Found {
  lineOf(move: ReplenishmentMove): LineToMove | undefined
  rowOf(line: LineToMove): StockRow
  targetOf(line: LineToMove): StockLocation
  products: ReadonlyMap<string, StockProduct>
}

/**
 * Moves goods of lines, under the lock of their stock. 400 with a sentence for each move that cannot be made.
 * What was moved is returned in the order of the moves; the lines are not written.
 */
export async function moveLines(
  tx: Tx,
  locked: LockedStock,
  { job, lines, source, occurredUtc }: Context,
  moves: readonly ReplenishmentMove[],
): Promise<{ movementId: string | null; effectiveUtc: string | null; moved: MovedOfLine[] }> {
  const { organisationId } = locked
  const { refuse, throwIfAny } = collectEntryFaults('moves')
  const found = await find(tx, organisationId, job, lines)
  const asked = askedOf(moves, found, refuse)
  const wanted = asked.flatMap(({ n, line, quantity }) =>
    quantity === 0n
      ? []
      : [
          {
            n,
            row: found.rowOf(line),
            part: { quantity: numberOf(quantity), serials: moves[n]?.serials ?? null },
          },
        ],
  )
  const takings = await take(tx, organisationId, wanted, { all: 'free' }, refuse)
  throwIfAny()
  const ofMove = new Map(asked.map(({ n, line }) => [n, line]))
  const targets = await findOrCreateRows(
    tx,
    locked,
    takings.map(({ n, row }) => ({
      ...identityOf(row),
      warehouseLocationId: (ofMove.get(n) as LineToMove).toWarehouseLocationId,
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
  const taken = new Map(
    takings.map((taking, i): [number, [TakenPart, string]] => [taking.n, [taking, targets[i] as string]]),
  )
  return {
    movementId: posted?.movementId ?? null,
    effectiveUtc: posted?.effectiveUtc ?? null,
    moved: asked.map(({ n, line }) => {
      const [taking, target] = taken.get(n) ?? []
      return { line, quantity: taking?.quantity ?? 0n, warehouseProductId: target ?? null }
    }),
  }
}

/** Reads what the lines are about. */
async function find(
  tx: Tx,
  organisationId: string,
  { warehouseId }: JobFacts,
  lines: readonly LineToMove[],
): Promise<Found> {
  const rowIds = lines.map(({ fromWarehouseProductId }) => fromWarehouseProductId)
  const rows = await readStockById(tx, organisationId, rowIds)
  const place = ({ toWarehouseLocationId }: LineToMove) => ({
    warehouseId,
    warehouseLocationId: toWarehouseLocationId,
  })
  const location = await findLocations(tx, organisationId, lines.map(place))
  const productIds = lines.map(({ productId }) => productId)
  const byId = new Map(lines.map(line => [line.id, line]))
  return {
    lineOf: ({ replenishmentLineId }) => byId.get(replenishmentLineId.toLowerCase()),
    rowOf: line => rows.get(line.fromWarehouseProductId) as StockRow,
    targetOf: line => location(place(line)) as StockLocation,
    products: await findProducts(tx, organisationId, productIds),
  }
}

/** How much each move is about, where it can be. */
function askedOf(
  moves: readonly ReplenishmentMove[],
  found: Found,
  refuse: ReportEntryFault,
): { n: number; line: LineToMove; quantity: bigint }[] {
  const named = new Set<LineToMove>()
  return moves.flatMap((move, n) => {
    const line = found.lineOf(move)
    if (line === undefined) {
      refuse(n, 'replenishmentLineId names no line of the job', 'unknown_reference')
      return []
    }
    if (named.has(line)) {
      refuse(n, 'replenishmentLineId is named before', 'duplicate')
      return []
    }
    named.add(line)
    const product = found.products.get(line.productId) as StockProduct
    const { quantity: said, unitTypeId } = move
    const rest = line.quantity - line.moved
    const unsaid = move.isShort ? 0n : rest
    const quantity =
      said === undefined || said === null
        ? unsaid
        : toItems(product, { quantity: said, unitTypeId }, (...fault) => refuse(n, ...fault))
    if (quantity === undefined) return []
    for (const problem of moveFaults(move, quantity, line, found)) refuse(n, ...problem)
    return [{ n, line, quantity }]
  })
}

/** Why so much of a line cannot be moved, whatever is free. */
function moveFaults(move: ReplenishmentMove, quantity: bigint, line: LineToMove, found: Found): Problem[] {
  if (line.status !== ReplenishmentLineStatus.Open)
    return [[`the line is ${statusName(line.status)} already`, 'state']]
  const rest = line.quantity - line.moved
  if (quantity > rest)
    return [[`only ${numberOf(rest)} of ${numberOf(quantity)} are left to move on the line`, 'state']]
  if (quantity === 0n) return move.isShort ? [] : [['a quantity of 0 is for what is short', 'range']]
  const [row, target] = [found.rowOf(line), found.targetOf(line)]
  const refusal = refusalOfTarget(target, line.productId)
  const problems: Problem[] = []
  if (row.isQuarantined) problems.push([`the stock in ${row.locationName} is in quarantine`, 'state'])
  if (refusal !== null) problems.push([`${target.name} ${refusal}`, 'state'])
  return problems
}

const statusName = (status: ReplenishmentLineStatus): string =>
  Object.entries(ReplenishmentLineStatus).find(([, value]) => value === status)?.[0] ?? String(status)
