// What a rate has not charged yet: the consignment itself, and what is left of each of its parts. Pure.

import type { ChargePartKind } from '../enumerations.ts'
import type { ChargeInput, LinePart } from './charge-input.ts'
import { divideRounded, multiply, subtract, type Whole } from './exact.ts'

/** The pool of one rate: full at its beginning. */
export interface Pool {
  isConsignmentLeft: boolean
  /** of each part: whether anything of it is left, and how much */
  isLeft: boolean[]
  left: Whole[]
  /** how many parts are left, the consignment among them */
  count: number
}

/** The pool that a rate begins with. */
export const fullPool = ({ parts }: Pick<ChargeInput, 'parts'>): Pool => ({
  isConsignmentLeft: true,
  isLeft: parts.map(() => true),
  left: parts.map(part => part.quantity),
  count: parts.length + 1,
})

/** The same, to take from while the other stays full. */
export const copyOf = ({ isConsignmentLeft, isLeft, left, count }: Pool): Pool => ({
  isConsignmentLeft,
  isLeft: isLeft.slice(),
  left: left.slice(),
  count,
})

/** What a charge takes: parts of these numbers, in whole or a quantity of each. */
export interface Take {
  part: number
  quantity: Whole
  isWhole: boolean
}

/** Takes parts out of a pool. */
export function takeFrom(pool: Pool, takes: readonly Take[]): void {
  for (const { part, quantity, isWhole } of takes) {
    pool.left[part] = subtract(pool.left[part] as Whole, quantity)
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

/** Whether a part is one that the pool still has, of a kind. */
export const isInPool = (
  pool: Pool,
  input: Pick<ChargeInput, 'parts'>,
  part: number,
  kind: ChargePartKind,
): boolean => pool.isLeft[part] === true && input.parts[part]?.kind === kind

/**
 * The share of a line's weight or volume that goes with a part of its quantity. What is left of a line that
 * units were taken of is the difference to what went with all of them, so that the shares add up exactly.
 */
export function remainingShare(figure: Whole, line: LinePart, left: Whole): Whole {
  if (left === line.quantity) return figure
  const gone = subtract(line.quantity, left)
  return subtract(figure, divideRounded(multiply(figure, gone), line.quantity))
}
