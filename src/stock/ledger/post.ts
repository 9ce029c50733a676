// Writes movements: balances, ledger, serials, promises and the figures of consignment lines. Nothing else
// writes any of these. Spec 2.14.

import type { Tx } from '../../platform/database/db.ts'
import { decimalText } from '../../platform/decimal.ts'
import { conflict } from '../../platform/http/refusal.ts'
import { newId } from '../../platform/new-id.ts'
import type { AllocationChange, MovementSource, PostedMovement, StockMove } from './movement.ts'
import { type PostInput, postStatement } from './post-statement.ts'
import type { LockedStock } from './stock-lock.ts'

/**
 * Posts any number of movements. Rows must have been found under the lock; what is taken from a row must lie
 * in it before the first of the moves. Throws where stock is not locked, where a serial or promise is not
 * where a move says, and where a balance would become impossible: the caller has checked it. 409 for a new
 * serial that comes into stock in another warehouse at the same moment.
 */
export async function post(
  tx: Tx,
  locked: LockedStock,
  source: MovementSource,
  moves: readonly StockMove[],
): Promise<PostedMovement[]> {
  if (moves.length === 0) return []
  const written = write(moves)
  const { posted, places, promised, entered, carried } = await tx.row<{
    posted: PostedMovement[]
    places: { warehouseId: string; productId: string }[]
    promised: number
    entered: number
    carried: number
  }>(postStatement(locked.organisationId, source, written))
  const loose = places.find(place => !locked.covers(place))
  if (loose) throw new Error(`Stock of product ${loose.productId} is not locked.`)
  if (promised !== 0) throw new Error(`${promised} promises were not where a move takes them from.`)
  if (carried !== written.items.length) throw new Error('Serials are not where a move takes them from.')
  if (entered !== written.serials.length)
    throw conflict('A serial came into stock in another warehouse at this moment; nothing was done.')
  return posted
}

const digits = (value: bigint) => decimalText(4, value)

function write(moves: readonly StockMove[]): PostInput {
  const written: PostInput = { moves: [], allocations: [], items: [], serials: [] }
  for (const [n, move] of moves.entries()) {
    const { items = [], retiredItems = [], newSerials = [], allocations = [], ...rest } = move
    const { quantity, source, ...facts } = rest
    written.moves.push({ ...facts, ...source, n, quantity: digits(quantity) })
    for (const allocation of allocations) written.allocations.push(asWritten(n, move, allocation))
    for (const itemId of items) written.items.push({ n, itemId, isRetired: false })
    for (const itemId of retiredItems) written.items.push({ n, itemId, isRetired: true })
    for (const serial of newSerials) written.serials.push({ ...serial, n, id: serial.id ?? newId() })
  }
  return written
}

const asWritten = (n: number, move: StockMove, { at, quantity, ...allocation }: AllocationChange) => ({
  ...allocation,
  n,
  id: newId(),
  stockId: move[at],
  isFrom: at === 'from',
  quantity: digits(quantity),
})
