// The pool of a rate: what it has not charged yet of the consignment itself and of each part. Pure.

import type { ChargePartKind } from '../../vocabulary/billing.ts'
import type { ChargeInput, LinePart } from './charge-input.ts'
import { divideRounded, type ExactInteger, multiply, subtract } from './exact.ts'

/** The pool of one rate, which is full when the rate begins. */
export interface Pool {
  isConsignmentLeft: boolean
  /** for each part, whether anything is left and what quantity */
  isLeft: boolean[]
  left: ExactInteger[]
  /** how many parts are left, including the consignment itself */
  count: number
}

/** The pool that a rate begins with. */
export const fullPool = ({ parts }: Pick<ChargeInput, 'parts'>): Pool => ({
  isConsignmentLeft: true,
  isLeft: parts.map(() => true),
  left: parts.map(part => part.quantity),
  count: parts.length + 1,
})

/** A copy of a pool, so that the original stays as it is. */
export const copyOf = ({ isConsignmentLeft, isLeft, left, count }: Pool): Pool => ({
  isConsignmentLeft,
  isLeft: isLeft.slice(),
  left: left.slice(),
  count,
})

/** The quantity that a charge takes of a part. */
export interface Take {
  /** the index of the part */
  part: number
  quantity: ExactInteger
  isWhole: boolean
}

/** Takes parts out of a pool. */
export function takeFrom(pool: Pool, takes: readonly Take[]): void {
  for (const { part, quantity, isWhole } of takes) {
    pool.left[part] = subtract(pool.left[part] as ExactInteger, quantity)
    if (!isWhole) continue
    pool.isLeft[part] = false
    pool.count--
  }
}

/** Takes the consignment itself out of a pool. */
export function takeConsignment(pool: Pool): void {
  pool.isConsignmentLeft = false
  pool.count--
}

/** Whether a part is of a kind and the pool still has some of it. */
export const isInPool = (
  pool: Pool,
  input: Pick<ChargeInput, 'parts'>,
  part: number,
  kind: ChargePartKind,
): boolean => pool.isLeft[part] === true && input.parts[part]?.kind === kind

/**
 * The share of a line's weight or volume that belongs to the quantity that is left. It is the whole less the
 * share of the quantity already taken, so that the shares add up exactly.
 */
export function remainingShare(figure: ExactInteger, line: LinePart, left: ExactInteger): ExactInteger {
  if (left === line.quantity) return figure
  const taken = subtract(line.quantity, left)
  return subtract(figure, divideRounded(multiply(figure, taken), line.quantity))
}
