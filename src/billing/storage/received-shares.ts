// How much of what groups of goods gain by a movement was received, and not moved to them from other goods
// that are charged already: a move inside the house is not a receipt. Pure.

import { add, type ExactInteger, type Fraction, maxOf } from '../evaluator/exact.ts'
import type { Group } from './groups.ts'
import type { LedgerLine } from './ledger-lines.ts'
import type { Position, StockHistory } from './stock-history.ts'

/** By the numbers of movements, the share that was received; movements that only received are left out. */
export type ReceivedShares = ReadonlyMap<number, Fraction>

/** Nothing was moved between charged goods. */
export const allReceived: ReceivedShares = new Map()

/** The group that charges a position; undefined if nothing does, or if the goods are free at the instant. */
export type ChargedGroupAt = (position: number, at: number) => Group | undefined

/** What the lines of one movement did to groups: net quantities by product, then by group. */
type Changes = Map<string, Map<Group, ExactInteger>>

/** The share of the gains of all groups that came from elsewhere. */
function shareOf(changes: Changes): Fraction {
  let received: ExactInteger = 0
  let gained: ExactInteger = 0
  for (const byGroup of changes.values()) {
    let net: ExactInteger = 0
    for (const quantity of byGroup.values()) {
      net = add(net, quantity)
      gained = add(gained, maxOf(quantity, 0))
    }
    received = add(received, maxOf(net, 0))
  }
  return gained === 0 ? { numerator: 0, denominator: 1 } : { numerator: received, denominator: gained }
}

/** Finds the movements between goods that a rate charges, and the share of their gains that was received. */
export function receivedSharesOf(
  { positions, lines }: StockHistory,
  groupAt: ChargedGroupAt,
): ReceivedShares {
  const shares = new Map<number, Fraction>()
  let movement: LedgerLine[] = []
  const finish = () => {
    if (movement.length < 2) return
    const changes: Changes = new Map()
    for (const { position, at, quantity } of movement) {
      const group = groupAt(position, at)
      if (group === undefined) continue
      const { productId } = positions[position] as Position
      const byGroup = changes.get(productId) ?? new Map<Group, ExactInteger>()
      byGroup.set(group, add(byGroup.get(group) ?? 0, quantity))
      changes.set(productId, byGroup)
    }
    const share = shareOf(changes)
    const [{ movement: number }] = movement as [LedgerLine]
    if (share.numerator !== share.denominator) shares.set(number, share)
  }
  for (const line of lines) {
    if (movement[0]?.movement !== line.movement) {
      finish()
      movement = []
    }
    movement.push(line)
  }
  finish()
  return shares
}
