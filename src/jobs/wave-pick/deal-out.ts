// Whom goods are for that were taken for a whole wave: they are dealt out to its consignments in the order of
// their positions. Pure. Spec 2.15.

import { smaller } from '../../platform/decimal.ts'
import { oneItem } from '../../stock/ledger/movement.ts'

/** What a line of a consignment still has to get from a row of stock; by position. */
export interface OpenShare {
  consignmentProductId: string
  /** ten-thousandths */
  left: bigint
  /** serials that are promised to it by name and not picked yet */
  named: readonly string[]
}

/** What a line gets. */
export interface Share {
  consignmentProductId: string
  quantity: bigint
  serials: string[]
}

/**
 * Deals a quantity out to lines, of which each gets no more than it still has to. Serials go to the lines
 * that were promised them, then, as the quantity, to one line after the other; the last lines get less, or
 * nothing, where there is not enough. The serials have to be as many as the quantity, or none.
 */
export function dealOut(quantity: bigint, serials: readonly string[], open: readonly OpenShare[]): Share[] {
  const promised = new Map(
    open.flatMap(({ named, consignmentProductId }) =>
      named.map(serial => [serial, consignmentProductId] as const),
    ),
  )
  const others = serials.filter(serial => !promised.has(serial))
  const own = new Map(
    open.map(({ consignmentProductId: id }) => [id, serials.filter(serial => promised.get(serial) === id)]),
  )
  let rest = quantity - oneItem * BigInt(serials.length - others.length)
  return open.map(({ consignmentProductId, left }) => {
    const names = own.get(consignmentProductId) ?? []
    const fixed = oneItem * BigInt(names.length)
    const more = rest > 0n && left > fixed ? smaller(rest, left - fixed) : 0n
    rest -= more
    return {
      consignmentProductId,
      quantity: fixed + more,
      serials: [...names, ...others.splice(0, Number(more / oneItem))],
    }
  })
}
