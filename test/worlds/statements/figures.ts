// How figures are compared.

import assert from 'node:assert/strict'

/**
 * Fails if a figure differs. Weights and volumes may differ by a few of their last places, because parts of
 * one act share out what their rounding leaves over.
 */
export function sameFigure(told: number, known: number, what: string, tolerance = 0): void {
  assert.ok(Math.abs(told - known) <= tolerance, `${what}: the service tells ${told}, and it is ${known}`)
}

export const sameWeight = (told: number, known: number, what: string): void =>
  sameFigure(told, known, `${what}, weight`, 0.0021)
export const sameVolume = (told: number, known: number, what: string): void =>
  sameFigure(told, known, `${what}, volume`, 0.000021)

export function sameText(told: unknown, known: unknown, what: string): void {
  assert.deepEqual(
    told,
    known,
    `${what}: the service tells ${JSON.stringify(told)}, and it is ${JSON.stringify(known)}`,
  )
}
