// Quantities as messages and answers say them. Quantities are whole ten-thousandths of a stocked unit.

import { decimalText } from '../../platform/decimal.ts'

/** A quantity as a number of the API. */
export const asNumber = (quantity: bigint): number => Number(decimalText(4, quantity))

/** A quantity as a sentence says it, without zeros that say nothing. */
export const inWords = (quantity: bigint): string => String(asNumber(quantity))

/** The sum of quantities. */
export const sumOf = (quantities: readonly bigint[]): bigint => quantities.reduce((a, b) => a + b, 0n)

/** The smaller of two quantities. */
export const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b)
