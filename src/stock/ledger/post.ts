// Writes movements: balances, ledger lines, serials, allocations and consignment line totals. Nothing else
// writes any of these. Spec 2.14.

import type { Tx } from '../../platform/database/db.ts'
import { decimalText } from '../../platform/decimal.ts'
import { conflict } from '../../platform/http/refusal.ts'
import { newId } from '../../platform/new-id.ts'
import { note } from '../../rehearsal/notes.ts'
import { TransactionType } from '../../vocabulary/stock.ts'
import { closeEmptiedHolds } from './close-emptied-holds.ts'
import type { AllocationChange, MovementSource, PostedMovement, StockMove } from './movement.ts'
import { type PostInput, postStatement } from './post-statement.ts'
import { takePlannedRows } from './stock-identity.ts'
import type { LockedStock, LockTarget } from './stock-lock.ts'

/**
 * Posts any number of movements, and returns each with the time at which it counts as happened. Rows must
 * have been found or planned under the lock, and what is taken from a row must be in it before the first of
 * the moves. Holds that nothing is left in are closed.
 * @throws Error if stock is not locked, if a row does not exist, if a serial or allocation is not where a
 *   move says, or if a balance would become impossible; the caller must have checked all of this.
 * @throws 409 if a new serial comes into stock in another warehouse at the same time.
 */
export async function post(
  tx: Tx,
  locked: LockedStock,
  source: MovementSource,
  moves: readonly StockMove[],
): Promise<PostedMovement[]> {
  if (moves.length === 0) return []
  const newRows = takePlannedRows(locked, new Set(moves.flatMap(({ to }) => to ?? [])))
  const input = { ...toPostInput(moves, numberMoves(locked)), newRows }
  const { posted, changedStock, emptiedHolds, unknownRows, unmatched, entered, carried } = await tx.row<{
    posted: PostedMovement[]
    changedStock: LockTarget[]
    emptiedHolds: string[]
    unknownRows: number
    unmatched: number
    entered: number
    carried: number
  }>(postStatement(locked.organisationId, source, input))
  const unlocked = changedStock.find(target => !locked.covers(target))
  if (unlocked) throw new Error(`Stock of product ${unlocked.productId} is not locked.`)
  if (unknownRows !== 0) throw new Error(`${unknownRows} rows of stock do not exist.`)
  if (unmatched !== 0) throw new Error(`${unmatched} allocations to be reduced do not exist.`)
  if (carried !== input.items.length)
    throw new Error('Serials are not in the row that a move takes them from.')
  if (entered !== input.serials.length)
    throw conflict('A serial came into stock in another warehouse at this moment; nothing was done.')
  note(tx, { about: 'movements', movementIds: input.moves.map(({ movementId }) => movementId) })
  await closeEmptiedHolds(tx, locked.organisationId, emptiedHolds)
  return posted
}

/** How many moves of each movement were posted under a lock, which is taken once in a transaction. */
const movesPosted = new WeakMap<LockedStock, Map<string, number>>()

/** Numbers the moves of each movement from 1, also if they are posted in several calls. */
function numberMoves(locked: LockedStock): (movementId: string) => number {
  const counts = movesPosted.get(locked) ?? new Map<string, number>()
  movesPosted.set(locked, counts)
  return movementId => {
    const number = (counts.get(movementId) ?? 0) + 1
    counts.set(movementId, number)
    return number
  }
}

const toDecimalText = (value: bigint) => decimalText(4, value)

function toPostInput(moves: readonly StockMove[], numberOf: (movementId: string) => number) {
  const input: Omit<PostInput, 'newRows'> = { moves: [], allocations: [], items: [], serials: [] }
  for (const [n, move] of moves.entries()) {
    const { items = [], retiredItems = [], newSerials = [], allocations = [], ...rest } = move
    const { quantity, source, ...facts } = rest
    // An allocation moves nothing, and one movement of many may take several transactions.
    const moveNumber = move.type === TransactionType.Allocation ? null : numberOf(move.movementId)
    input.moves.push({ ...facts, ...source, n, moveNumber, quantity: toDecimalText(quantity) })
    for (const allocation of allocations) input.allocations.push(toAllocationInput(n, move, allocation))
    for (const itemId of items) input.items.push({ n, itemId, isRetired: false })
    for (const itemId of retiredItems) input.items.push({ n, itemId, isRetired: true })
    for (const serial of newSerials) input.serials.push({ ...serial, n, id: serial.id ?? newId() })
  }
  return input
}

const toAllocationInput = (
  n: number,
  move: StockMove,
  { at, quantity, ...allocation }: AllocationChange,
) => ({
  ...allocation,
  n,
  id: newId(),
  stockId: move[at],
  isFrom: at === 'from',
  quantity: toDecimalText(quantity),
})
